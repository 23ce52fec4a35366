//! `cargo xtask licences`: may we ship what we ship?
//!
//! It looks at the crates compiled into `core.wasm` and the npm packages that esbuild put into a
//! bundle. cargo-deny would do the first half only, and takes minutes to install on a fresh machine.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::{
    bundle,
    failure::Failure,
    licence_expression::is_satisfied,
    metadata::{self, array, text},
    workspace::Workspace,
};

/// Licences that ask for no more than a notice.
const ALLOWED: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "CC0-1.0",
    "ISC",
    "MIT",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// A package that may be shipped for a reason of its own.
struct Exception {
    package: &'static str,
    licence: &'static str,
    /// Why it may be; shown to nobody but the reader of this file.
    #[allow(dead_code, reason = "the reason is for the reader of this file")]
    reason: &'static str,
}

const EXCEPTIONS: &[Exception] = &[];

/// Fails when something that we ship has a licence that is not on the list.
pub fn check(workspace: &Workspace) -> Result<(), Failure> {
    let metadata = metadata::load(workspace, &["--filter-platform", "wasm32-unknown-unknown"])?;
    let mut shipped = shipped_crates(&metadata)?;
    for package in bundle::bundled_packages(workspace)? {
        let package_json = bundle::package_json(workspace, &package)?;
        shipped.push((package, bundle::licence(&package_json).to_owned()));
    }
    judge(&shipped, EXCEPTIONS)
}

/// Name and licence of each crate that the binding depends on when it runs.
fn shipped_crates(metadata: &Value) -> Result<Vec<(String, String)>, Failure> {
    let packages = array(&metadata["packages"]);
    let nodes = array(&metadata["resolve"]["nodes"]);
    let Some(web) = packages.iter().find(|p| p["name"] == "tabwright-web") else {
        return Err(Failure::new(
            "`cargo metadata` knows no crate tabwright-web. If it was renamed, rename it in crates/xtask too.",
        ));
    };
    let mut found = BTreeSet::new();
    let mut waiting = vec![text(&web["id"])];
    while let Some(id) = waiting.pop() {
        if !found.insert(id) {
            continue;
        }
        let node = nodes.iter().find(|node| node["id"] == id);
        let dependencies = node.map_or(&[][..], |node| array(&node["deps"]));
        // A kind of null is a normal dependency; build and test dependencies are not shipped.
        let normal = dependencies.iter().filter(|dependency| {
            let mut kinds = array(&dependency["dep_kinds"]).iter();
            kinds.any(|kind| kind["kind"].is_null())
        });
        waiting.extend(normal.map(|dependency| text(&dependency["pkg"])));
    }
    let shipped = packages.iter().filter(|p| found.contains(text(&p["id"])));
    Ok(shipped
        .map(|p| (text(&p["name"]).to_owned(), text(&p["license"]).to_owned()))
        .collect())
}

fn judge(shipped: &[(String, String)], exceptions: &[Exception]) -> Result<(), Failure> {
    let excepted = |name: &str, licence: &str| {
        let mut exceptions = exceptions.iter();
        exceptions.any(|one| one.package == name && one.licence == licence)
    };
    let mut wrong: Vec<String> = shipped
        .iter()
        .filter(|(name, licence)| !is_satisfied(licence, ALLOWED) && !excepted(name, licence))
        .map(|(name, licence)| match licence.as_str() {
            "" => format!("{name}: declares no licence"),
            licence => format!("{name}: {licence}"),
        })
        .collect();
    wrong.extend(
        exceptions
            .iter()
            .filter(|one| !shipped.iter().any(|(name, _)| name == one.package))
            .map(|one| format!("{}: has an exception, but is not shipped", one.package)),
    );
    if wrong.is_empty() {
        return Ok(());
    }
    Err(Failure::new(format!(
        "Licences that are not on the list:\n  {}\nUse another package, or give the reason in crates/xtask/src/licences.rs.",
        wrong.join("\n  ")
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(shipped: &[(&str, &str)], exceptions: &[Exception], expected: Option<&str>) {
        let shipped: Vec<_> = shipped
            .iter()
            .map(|(name, licence)| ((*name).to_owned(), (*licence).to_owned()))
            .collect();
        let message = judge(&shipped, exceptions).err().map(|f| f.to_string());
        match expected {
            None => assert_eq!(message, None),
            Some(part) => assert!(message.unwrap().contains(part)),
        }
    }

    fn exception() -> [Exception; 1] {
        [Exception {
            package: "a",
            licence: "MPL-2.0",
            reason: "unchanged, and its source is public",
        }]
    }

    #[test]
    fn a_licence_off_the_list_is_named_with_its_package() {
        check(&[("a", "MIT OR GPL-3.0-only")], &[], None);
        check(&[("a", "MIT"), ("b", "AGPL-3.0")], &[], Some("b: AGPL-3.0"));
        check(&[("a", "")], &[], Some("a: declares no licence"));
    }

    #[test]
    fn an_exception_counts_for_its_package_and_licence_alone() {
        check(&[("a", "MPL-2.0")], &exception(), None);
        check(&[("a", "AGPL-3.0")], &exception(), Some("a: AGPL-3.0"));
        check(
            &[("a", "MPL-2.0"), ("b", "MPL-2.0")],
            &exception(),
            Some("b: MPL-2.0"),
        );
        check(
            &[("b", "MIT")],
            &exception(),
            Some("a: has an exception, but is not shipped"),
        );
    }

    #[test]
    fn crates_for_building_and_testing_are_not_shipped() {
        let package = |name: &str| serde_json::json!({"id": name, "name": name, "license": "MIT"});
        let used = |name: &str, kind: Option<&str>| serde_json::json!({"pkg": name, "dep_kinds": [{"kind": kind}]});
        let packages = ["tabwright-web", "a", "deep", "build", "unused"].map(package);
        let metadata = serde_json::json!({
            "packages": packages,
            "resolve": {"nodes": [
                {"id": "tabwright-web", "deps": [used("a", None), used("build", Some("build"))]},
                {"id": "a", "deps": [used("deep", None), used("unused", Some("dev"))]},
            ]},
        });
        let names: Vec<_> = shipped_crates(&metadata)
            .unwrap()
            .into_iter()
            .map(|(n, _)| n)
            .collect();
        assert_eq!(names, ["tabwright-web", "a", "deep"]);
    }
}

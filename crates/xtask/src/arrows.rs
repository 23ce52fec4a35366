//! `cargo xtask deps`, first half: which crate may depend on which. Arrows point down only.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::{
    failure::Failure,
    metadata::{self, array, text},
    workspace::Workspace,
};

/// Each crate, and the crates of ours that it may know. A new crate gets a line here first.
const ALLOWED: &[(&str, &[&str])] = &[
    ("protocol", &[]),
    ("host", &["protocol"]),
    ("html", &["protocol"]),
    ("markdown", &["protocol"]),
    ("llm", &["protocol"]),
    ("tools", &["protocol", "host", "html"]),
    ("store", &["protocol", "host"]),
    (
        "agent",
        &["protocol", "host", "markdown", "llm", "tools", "store"],
    ),
    (
        "web",
        &[
            "protocol", "host", "markdown", "llm", "tools", "store", "agent",
        ],
    ),
    ("reader", &["html"]),
    ("sim", &["protocol", "host", "store", "tools", "agent"]),
    ("bench", &["protocol", "llm"]),
    ("xtask", &["protocol"]),
];

/// The crates of the workspace, each with those of ours that it depends on in any way.
type Graph = BTreeMap<String, Vec<String>>;

/// Fails when a dependency points up.
pub fn check(workspace: &Workspace) -> Result<(), Failure> {
    judge(&graph(&metadata::load(workspace, &["--no-deps"])?))
}

fn graph(metadata: &Value) -> Graph {
    let ours = |name: &Value| text(name).strip_prefix("tabwright-").map(str::to_owned);
    array(&metadata["packages"])
        .iter()
        .filter_map(|package| {
            let dependencies = array(&package["dependencies"]);
            let known = dependencies.iter().filter_map(|used| ours(&used["name"]));
            Some((ours(&package["name"])?, known.collect()))
        })
        .collect()
}

fn judge(graph: &Graph) -> Result<(), Failure> {
    let mut wrong = Vec::new();
    for (name, dependencies) in graph {
        let Some((_, allowed)) = ALLOWED.iter().find(|(known, _)| known == name) else {
            wrong.push(format!(
                "the crate `{name}` is on no line of ALLOWED in crates/xtask/src/arrows.rs; give it one"
            ));
            continue;
        };
        for used in dependencies {
            if !allowed.contains(&used.as_str()) {
                let allowed = match allowed {
                    [] => "none of our crates".to_owned(),
                    some => some.join(", "),
                };
                wrong.push(format!(
                    "`{name}` depends on `{used}`, but may know only {allowed}"
                ));
            }
        }
    }
    if wrong.is_empty() {
        return Ok(());
    }
    Err(Failure::new(format!(
        "Dependency arrows that point up:\n  {}\nMove the code down, or pass it in through a trait.",
        wrong.join("\n  ")
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(packages: &[(&str, &[&str])], expected: &[&str]) {
        let packages: Vec<Value> = packages
            .iter()
            .map(|(name, used)| {
                let used: Vec<Value> = used
                    .iter()
                    .map(|name| serde_json::json!({ "name": name }))
                    .collect();
                serde_json::json!({ "name": name, "dependencies": used })
            })
            .collect();
        let result = judge(&graph(&serde_json::json!({ "packages": packages })));
        let message = result.err().map(|failure| failure.to_string());
        assert_eq!(message.is_none(), expected.is_empty(), "{message:?}");
        for part in expected {
            let message = message.as_deref().unwrap_or_default();
            assert!(message.contains(part), "{message}");
        }
    }

    #[test]
    fn arrows_down_and_other_peoples_crates_are_fine() {
        check(
            &[
                ("tabwright-protocol", &["serde"]),
                (
                    "tabwright-tools",
                    &["tabwright-protocol", "tabwright-host", "url"],
                ),
                ("tabwright-web", &["tabwright-agent", "tabwright-store"]),
            ],
            &[],
        );
    }

    #[test]
    fn an_arrow_that_points_up_is_caught() {
        check(
            &[("tabwright-store", &["tabwright-agent"])],
            &["`store` depends on `agent`, but may know only protocol, host"],
        );
        check(
            &[("tabwright-protocol", &["tabwright-host"])],
            &["may know only none of our crates"],
        );
    }

    #[test]
    fn nothing_may_know_web_and_xtask_knows_only_the_protocol() {
        check(
            &[
                ("tabwright-agent", &["tabwright-web"]),
                ("tabwright-xtask", &["tabwright-agent"]),
            ],
            &["`agent` depends on `web`", "`xtask` depends on `agent`"],
        );
    }

    #[test]
    fn a_sideways_arrow_is_caught() {
        check(
            &[("tabwright-llm", &["tabwright-markdown"])],
            &["`llm` depends on `markdown`"],
        );
    }

    #[test]
    fn a_new_crate_needs_a_line() {
        check(
            &[("tabwright-telepathy", &[])],
            &["`telepathy` is on no line"],
        );
    }

    #[test]
    fn the_allowed_arrows_have_no_circle() {
        for (place, (name, used)) in ALLOWED.iter().enumerate() {
            for used in *used {
                let position = ALLOWED.iter().position(|(known, _)| known == used);
                assert!(position < Some(place), "{name} knows {used}");
            }
        }
    }
}

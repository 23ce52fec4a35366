//! TypeScript to the scripts and styles of `dist/`, by esbuild.

use std::process::Command;

use serde_json::Value;

use crate::{
    build_extension::Contents, failure::Failure, files, metadata, shell, workspace::Workspace,
};

/// Each script: its name in `dist/` without `.js`, and where it starts.
const ENTRIES: &[(&str, &str)] = &[
    ("sw", "extension/sw.ts"),
    ("offscreen", "extension/offscreen.ts"),
    ("core.worker", "extension/core.worker.ts"),
    ("reader.worker", "extension/reader.worker.ts"),
    ("panel", "www/panel/main.tsx"),
    ("options", "www/options/main.tsx"),
];

/// Every script and style, with its bytes.
pub fn bundle(workspace: &Workspace) -> Result<Contents, Failure> {
    if let Some((_, missing)) = ENTRIES
        .iter()
        .find(|(_, source)| !workspace.path(source).is_file())
    {
        return Err(Failure::new(format!(
            "{missing} is missing. It is where one of the scripts starts, so restore it or correct crates/xtask/src/bundle.rs."
        )));
    }
    let folder = folder(workspace);
    let mut node = Command::new("node");
    node.arg(workspace.path("crates/xtask/esbuild.mjs"))
        .arg(&folder)
        .args(
            ENTRIES
                .iter()
                .map(|(name, source)| format!("{name}={source}")),
        )
        .current_dir(workspace.root());
    let built = shell::capture(&mut node)?;
    if !built.success {
        return Err(Failure::new(format!(
            "The scripts could not be bundled.\n{}",
            built.text().trim_end()
        )));
    }
    let mut contents = Contents::new();
    for name in built.stdout.lines() {
        contents.insert(name.to_owned(), files::read(&folder.join(name))?);
    }
    Ok(contents)
}

/// The npm packages of which something is in a bundle, as folders below `node_modules`.
pub fn bundled_packages(workspace: &Workspace) -> Result<Vec<String>, Failure> {
    let text = files::read_text(&folder(workspace).join("meta.json"))?;
    let meta: Value = serde_json::from_str(&text)
        .map_err(|error| Failure::new(format!("esbuild's report is not JSON: {error}.")))?;
    Ok(packages(&meta))
}

fn packages(meta: &Value) -> Vec<String> {
    let outputs = meta["outputs"].as_object().into_iter().flatten();
    let inputs = outputs.flat_map(|(_, output)| output["inputs"].as_object().into_iter().flatten());
    let mut packages: Vec<String> = inputs
        .filter(|(_, input)| input["bytesInOutput"] != 0)
        .filter_map(|(path, _)| package(path))
        .collect();
    packages.sort();
    packages.dedup();
    packages
}

/// The package that a file belongs to: one folder after `node_modules/`, or two for `@scope/name`.
fn package(path: &str) -> Option<String> {
    let (_, inside) = path.rsplit_once("node_modules/")?;
    let depth = if inside.starts_with('@') { 2 } else { 1 };
    let parts: Vec<&str> = inside.split('/').take(depth).collect();
    Some(parts.join("/"))
}

fn folder(workspace: &Workspace) -> std::path::PathBuf {
    workspace.path("target/bundle")
}

/// Reads a package's `package.json`.
pub fn package_json(workspace: &Workspace, package: &str) -> Result<Value, Failure> {
    let path = workspace
        .path("node_modules")
        .join(package)
        .join("package.json");
    serde_json::from_str(&files::read_text(&path)?)
        .map_err(|error| Failure::new(format!("{} is not JSON: {error}.", path.display())))
}

/// The licence that a `package.json` declares.
pub fn licence(package_json: &Value) -> &str {
    metadata::text(&package_json["license"])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_are_read_from_what_is_really_in_a_bundle() {
        let meta = serde_json::json!({"outputs": {
            "panel.js": {"inputs": {
                "www/panel/main.tsx": {"bytesInOutput": 10},
                "node_modules/preact/dist/preact.module.js": {"bytesInOutput": 9},
                "node_modules/preact/hooks/dist/hooks.module.js": {"bytesInOutput": 9},
                "node_modules/@scope/name/index.js": {"bytesInOutput": 1},
                "node_modules/shaken-off/index.js": {"bytesInOutput": 0},
            }},
            "panel.css": {"inputs": {}},
        }});
        assert_eq!(packages(&meta), ["@scope/name", "preact"]);
    }
}

//! `cargo xtask build`: everything that Chrome loads, in `dist/`.
//!
//! Invariant: after a build, `dist/` holds what this build made and nothing older.

use std::{collections::BTreeMap, path::Path};

use serde_json::Value;

use crate::{
    build_core::{self, Modules},
    bundle,
    failure::Failure,
    files,
    setup::Tools,
    workspace::{VERSION, Workspace},
};

/// The folders whose `*.html` files are copied to the top of `dist/`.
const HTML_FOLDERS: &[&str] = &["extension", "www/panel", "www/options"];
/// Folders that are copied as they are: source, and name in `dist/`.
const COPIED_FOLDERS: &[(&str, &str)] = &[("www/icons", "icons"), ("_locales", "_locales")];

/// How to compile the core.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    /// Small and fast: what people get.
    Release,
    /// Quick to build: what a developer loads.
    Fast,
}

impl Profile {
    /// Cargo's name for it, which is also its folder's.
    pub fn cargo_name(self) -> &'static str {
        match self {
            Self::Release => "release",
            Self::Fast => "fast",
        }
    }
}

/// What `dist/` is to hold: paths below it, with their bytes.
pub type Contents = BTreeMap<String, Vec<u8>>;

/// Builds `dist/`.
pub fn build(workspace: &Workspace, tools: &Tools, profile: Profile) -> Result<(), Failure> {
    let modules = build_core::build(workspace, tools, profile)?;
    build_around(workspace, modules)
}

/// Builds everything else around the modules.
pub fn build_around(workspace: &Workspace, modules: Modules) -> Result<(), Failure> {
    let mut contents = bundle::bundle(workspace)?;
    contents.insert("core.wasm".to_owned(), modules.core);
    contents.insert("reader.wasm".to_owned(), modules.reader);
    contents.insert("manifest.json".to_owned(), manifest(workspace)?);
    add_html(workspace, &mut contents)?;
    for (source, name) in COPIED_FOLDERS {
        let folder = workspace.path(source);
        for file in files::walk(&folder)? {
            let path = format!("{name}/{}", files::relative(&file, &folder));
            // Drawings that pictures are made from stay behind.
            if !path.ends_with(".svg") {
                contents.insert(path, files::read(&file)?);
            }
        }
    }
    manifest_names_only_what_is_there(&contents)?;
    write(&workspace.dist(), &contents)
}

/// The manifest, with the version of the workspace: it is written down once.
fn manifest(workspace: &Workspace) -> Result<Vec<u8>, Failure> {
    let text = files::read_text(&workspace.path("manifest.json"))?;
    let mut manifest: Value = serde_json::from_str(&text)
        .map_err(|error| Failure::new(format!("manifest.json is not JSON: {error}.")))?;
    let Some(fields) = manifest.as_object_mut() else {
        return Err(Failure::new(
            "manifest.json is not a JSON object. Chrome's documentation shows the fields it wants.",
        ));
    };
    fields.insert("version".to_owned(), Value::from(VERSION));
    Ok(format!("{manifest:#}\n").into_bytes())
}

fn add_html(workspace: &Workspace, contents: &mut Contents) -> Result<(), Failure> {
    for source in HTML_FOLDERS {
        let folder = workspace.path(source);
        for file in files::walk(&folder)? {
            let name = files::relative(&file, &folder);
            if !name.ends_with(".html") || name.contains('/') {
                continue;
            }
            if contents.insert(name.clone(), files::read(&file)?).is_some() {
                return Err(Failure::new(format!(
                    "{source}/{name} has the name of another page. All pages share one folder in dist/, so rename one."
                )));
            }
        }
    }
    Ok(())
}

/// Chrome's own message about a missing file says little, and comes late.
fn manifest_names_only_what_is_there(contents: &Contents) -> Result<(), Failure> {
    let manifest = contents.get("manifest.json").map_or(&[][..], Vec::as_slice);
    let manifest: Value = serde_json::from_slice(manifest).unwrap_or_default();
    let mut named = Vec::new();
    named_files(&manifest, &mut named);
    let missing: Vec<&str> = named
        .into_iter()
        .filter(|path| !contents.contains_key(path.trim_start_matches('/')))
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    Err(Failure::new(format!(
        "manifest.json names {}, but the build makes no such file. Correct the name, or add the source.",
        missing.join(", ")
    )))
}

fn named_files<'manifest>(value: &'manifest Value, found: &mut Vec<&'manifest str>) {
    match value {
        Value::String(text) => {
            let is_file = [".js", ".html", ".css", ".png"]
                .iter()
                .any(|ending| text.ends_with(ending));
            if is_file && !text.contains('*') {
                found.push(text);
            }
        }
        Value::Array(values) => values.iter().for_each(|value| named_files(value, found)),
        Value::Object(fields) => fields.values().for_each(|value| named_files(value, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn write(dist: &Path, contents: &Contents) -> Result<(), Failure> {
    for old in files::walk(dist)? {
        if !contents.contains_key(&files::relative(&old, dist)) {
            files::remove(&old)?;
        }
    }
    for (path, bytes) in contents {
        files::write_if_changed(&dist.join(path), bytes)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::TestFolder;

    fn contents(files: &[(&str, &str)]) -> Contents {
        let entries = files
            .iter()
            .map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec()));
        entries.collect()
    }

    #[test]
    fn a_manifest_that_names_a_missing_file_is_refused() {
        let manifest = r#"{"background":{"service_worker":"sw.js"},"icons":{"16":"icons/16.png"},
            "web_accessible_resources":[{"resources":["*.js"]}],"name":"x"}"#;
        let failure = manifest_names_only_what_is_there(&contents(&[
            ("manifest.json", manifest),
            ("sw.js", ""),
        ]))
        .unwrap_err();
        assert!(failure.to_string().contains("names icons/16.png, but"));
        let whole = [
            ("manifest.json", manifest),
            ("sw.js", ""),
            ("icons/16.png", ""),
        ];
        assert_eq!(manifest_names_only_what_is_there(&contents(&whole)), Ok(()));
    }

    #[test]
    fn what_an_older_build_left_is_removed() {
        let folder = TestFolder::new("dist-write");
        folder.write("old.js", "");
        folder.write("sw.js", "old");
        write(
            &folder.0,
            &contents(&[("sw.js", "new"), ("icons/16.png", "")]),
        )
        .unwrap();
        let left = files::walk(&folder.0).unwrap();
        let names: Vec<_> = left.iter().map(|f| files::relative(f, &folder.0)).collect();
        assert_eq!(names, ["icons/16.png", "sw.js"]);
        assert_eq!(files::read(&folder.0.join("sw.js")).unwrap(), b"new");
    }
}

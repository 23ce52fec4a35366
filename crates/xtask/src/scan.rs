//! `cargo xtask deps`, second half: what Cargo does not know. Which Rust crate names the browser,
//! and which folder of TypeScript imports which.

use std::path::Path;

use crate::{failure::Failure, files, workspace::Workspace};

/// Words that belong to the binding crate.
const BROWSER_WORDS: &[&str] = &["wasm_bindgen", "wasm_bindgen_futures", "js_sys", "web_sys"];

/// Fails when a source file names what its folder may not.
pub fn check(workspace: &Workspace) -> Result<(), Failure> {
    let mut wrong = Vec::new();
    for folder in ["crates", "extension", "www", "tests"] {
        for file in files::walk(&workspace.path(folder))? {
            let path = files::relative(&file, workspace.root());
            if is_source(&path) {
                wrong.extend(complaints(&path, &files::read_text(&file)?));
            }
        }
    }
    wrong.extend(unmatched_methods(
        &files::read_text(&workspace.path("crates/web/src/host.rs"))?,
        &files::read_text(&workspace.path("extension/host.ts"))?,
    ));
    if wrong.is_empty() {
        return Ok(());
    }
    Err(Failure::new(format!(
        "Sources that reach across a boundary:\n  {}",
        wrong.join("\n  ")
    )))
}

/// What one side of the binding calls and the other does not have: no compiler sees both.
fn unmatched_methods(rust: &str, script: &str) -> Vec<String> {
    let called: Vec<&str> = rust
        .split("fn ")
        .filter_map(|after| after.split_once('('))
        .filter(|(_, arguments)| arguments.trim_start().starts_with("this: &JsHost"))
        .map(|(name, _)| name)
        .collect();
    let interface = script
        .split_once("export interface JsHost {")
        .and_then(|(_, rest)| rest.split_once("\n}"))
        .map_or("", |(body, _)| body);
    let offered: Vec<&str> = interface
        .lines()
        .filter_map(|line| Some(line.trim().split_once('(')?.0))
        .filter(|name| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'))
        .collect();
    let lacking = |names: &[&str], others: &[&str], what: &str| -> Vec<String> {
        let missing = names.iter().filter(|name| !others.contains(name));
        missing.map(|name| format!("`{name}` {what}")).collect()
    };
    let mut wrong = lacking(
        &called,
        &offered,
        "is called in crates/web/src/host.rs, and JsHost in extension/host.ts has it not",
    );
    wrong.extend(lacking(
        &offered,
        &called,
        "is in JsHost of extension/host.ts, and crates/web/src/host.rs does not call it",
    ));
    wrong
}

fn is_source(path: &str) -> bool {
    let ending = Path::new(path).extension().and_then(|e| e.to_str());
    matches!(ending, Some("rs" | "ts" | "tsx" | "js" | "mjs"))
        && !path.starts_with("www/generated/")
}

fn complaints(path: &str, text: &str) -> Vec<String> {
    let lines = text.lines().enumerate();
    lines
        .flat_map(|(number, line)| {
            let found = if path.ends_with(".rs") {
                rust_line(path, line)
            } else {
                script_line(path, line)
            };
            found.map(|wrong| format!("{path}:{}: {wrong}", number + 1))
        })
        .collect()
}

fn rust_line(path: &str, line: &str) -> Option<String> {
    // `web` and `reader` are the bindings; `bench` is bound to Node and never shipped; this crate only runs the
    // tool that is named after it.
    let may = [
        "crates/web/",
        "crates/reader/",
        "crates/bench/src/binding.rs",
        "crates/xtask/",
    ];
    if may.iter().any(|place| path.starts_with(place)) {
        return None;
    }
    let code = line.split("//").next().unwrap_or_default();
    let mut words = code.split(|c: char| !c.is_alphanumeric() && c != '_');
    let word = words.find(|word| {
        BROWSER_WORDS.contains(word) || word.starts_with("gloo") || *word == "unsafe"
    })?;
    Some(format!(
        "`{word}` belongs in crates/web; ask for it through a trait of crates/host"
    ))
}

fn script_line(path: &str, line: &str) -> Option<String> {
    let folder = path.split('/').next().unwrap_or_default();
    let shipped = matches!(folder, "extension" | "www");
    if !shipped && folder != "tests" && names_chrome(line) {
        return Some("`chrome.` belongs in extension/ or www/".to_owned());
    }
    let target = imported(path, line)?;
    let target_folder = target.split('/').next().unwrap_or_default();
    let is_test = path.contains(".test.");
    match (folder, target_folder) {
        ("extension", "www") if !target.starts_with("www/generated/") => Some(format!(
            "the extension imports {target}; of www/ it may know only www/generated/"
        )),
        ("www", "extension") => Some(format!(
            "a page imports {target}; it may know nothing of extension/"
        )),
        ("extension" | "www", "tests") if !is_test => {
            Some(format!("what we ship imports {target}, which is for tests"))
        }
        (_, _) => None,
    }
}

fn names_chrome(line: &str) -> bool {
    let code = line.split("//").next().unwrap_or_default();
    code.match_indices("chrome.").any(|(place, _)| {
        let before = code[..place].chars().next_back();
        before.is_none_or(|c| !c.is_alphanumeric() && !"_-/.\"'`".contains(c))
    })
}

/// The path below the top folder that a line imports, when it imports a relative one.
fn imported(path: &str, line: &str) -> Option<String> {
    let start = ["from ", "import ", "import("]
        .iter()
        .filter_map(|word| line.find(word).map(|place| place + word.len()))
        .max()?;
    let rest = line[start..].trim_start();
    let quote = rest.chars().next().filter(|c| "\"'".contains(*c))?;
    let specifier = rest[1..].split(quote).next()?;
    if !specifier.starts_with('.') {
        return None;
    }
    let mut parts: Vec<&str> = path.split('/').collect();
    parts.pop();
    for part in specifier.split('/') {
        match part {
            "." => {}
            ".." => {
                parts.pop();
            }
            name => parts.push(name),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, line: &str, expected: Option<&str>) {
        let found = complaints(path, line);
        match expected {
            None => assert!(found.is_empty(), "{found:?}"),
            Some(part) => assert!(found.iter().any(|one| one.contains(part)), "{found:?}"),
        }
    }

    #[test]
    fn both_sides_of_the_binding_have_the_same_methods() {
        let rust =
            "async fn open(this: &JsHost, id: u32);\n    pub fn close(this: &JsHost, id: u32);";
        let check = |methods: &str, expected: usize| {
            let script =
                format!("export interface JsHost {{\n  /** Says (so). */\n{methods}\n}}\n");
            assert_eq!(
                unmatched_methods(rust, &script).len(),
                expected,
                "{methods}"
            );
        };
        check("  open(id: number): void;\n  close(id: number): void;", 0);
        check("  open(id: number): void;", 1);
        check("  open(id: number): void;\n  shut(id: number): void;", 2);
    }

    #[test]
    fn only_the_binding_names_the_browser() {
        let line = "use wasm_bindgen::prelude::*;";
        check(
            "crates/agent/src/lib.rs",
            line,
            Some("crates/agent/src/lib.rs:1"),
        );
        check("crates/web/src/lib.rs", line, None);
        check(
            "crates/host/src/lib.rs",
            "use gloo_timers::x;",
            Some("`gloo_timers`"),
        );
        check(
            "crates/host/src/lib.rs",
            "let x = js_sys::Date::now();",
            Some("`js_sys`"),
        );
        check("crates/host/src/lib.rs", "// web_sys is elsewhere", None);
    }

    #[test]
    fn only_the_binding_is_unsafe() {
        check(
            "crates/store/src/lib.rs",
            "unsafe { x() }",
            Some("`unsafe`"),
        );
        check("crates/store/src/lib.rs", "#![forbid(unsafe_code)]", None);
        check("crates/web/src/lib.rs", "unsafe { x() }", None);
    }

    #[test]
    fn the_extension_knows_only_the_generated_types_of_www() {
        let types = r#"import type { Op } from "../www/generated/protocol.ts";"#;
        check("extension/sw.ts", types, None);
        let panel = r#"import { x } from "../www/panel/state.ts";"#;
        check("extension/sw.ts", panel, Some("www/panel/state.ts"));
        check(
            "extension/a/b.ts",
            r#"export * from "../../www/ui/x.ts""#,
            Some("www/ui/x.ts"),
        );
        check(
            "extension/sw.ts",
            r#"await import("../www/ui/x.ts");"#,
            Some("www/ui/x.ts"),
        );
        check(
            "extension/sw.ts",
            r#"import "../www/ui/x.ts";"#,
            Some("www/ui/x.ts"),
        );
    }

    #[test]
    fn pages_know_nothing_of_the_extension() {
        let line = r#"import { x } from "../../extension/broker.ts";"#;
        check("www/panel/main.tsx", line, Some("extension/broker.ts"));
        check(
            "www/panel/main.tsx",
            r#"import { x } from "./state.ts";"#,
            None,
        );
        check("tests/e2e/a.test.ts", line, None);
    }

    #[test]
    fn what_ships_imports_no_test_code() {
        let line = r#"import { x } from "../tests/model-server/server.ts";"#;
        check("extension/sw.ts", line, Some("which is for tests"));
        check("extension/sw.test.ts", line, None);
    }

    #[test]
    fn chrome_is_named_only_where_it_exists() {
        check(
            "crates/xtask/esbuild.mjs",
            "chrome.tabs.query({});",
            Some("`chrome.`"),
        );
        check("crates/xtask/esbuild.mjs", "// chrome.tabs", None);
        check("www/panel/main.tsx", "chrome.tabs.query({});", None);
        check("tests/rig/cli.ts", "chrome.tabs.query({});", None);
    }
}

//! Which tools there are.

use tabwright_tools::{Registry, ToolError, builtin};

use crate::common::{Scripted, any_context};

fn registry(names: &[&str]) -> Result<Registry, ToolError> {
    let mut registry = Registry::new();
    for name in names {
        registry.add(Scripted::new(name))?;
    }
    Ok(registry)
}

#[test]
fn declarations_are_in_one_order_whatever_the_order_of_adding() {
    let names = |added: &[&str]| -> Vec<String> {
        let registry = registry(added).expect("good names");
        registry.declarations().map(|d| d.name.clone()).collect()
    };
    assert_eq!(names(&["b", "a", "c"]), ["a", "b", "c"]);
    assert_eq!(names(&["c", "b", "a"]), ["a", "b", "c"]);
}

#[test]
fn a_name_that_is_taken_or_that_no_provider_takes_is_refused() {
    let code = |names: &[&str]| match registry(names).err() {
        Some(ToolError::Reply { code, .. }) => Some(code),
        Some(ToolError::Host(_) | ToolError::Fatal(_)) | None => None,
    };
    assert_eq!(code(&["a", "b"]), None);
    assert_eq!(code(&["mcp_srv-1_Tool"]), None);
    assert_eq!(code(&[&"x".repeat(64)]), None);
    assert_eq!(code(&["a", "a"]).as_deref(), Some("tool_name_taken"));
    for bad in ["", "a b", "é", "a.b", &"x".repeat(65)] {
        assert_eq!(
            code(&[bad]).as_deref(),
            Some("invalid_tool_name"),
            "{bad:?}"
        );
    }
}

#[test]
fn a_clone_can_have_tools_of_its_own() {
    let all = registry(&["a"]).expect("a good name");
    let mut own = all.clone();
    own.add(Scripted::new("b")).expect("a good name");
    assert!(all.get("b").is_none() && own.get("b").is_some() && own.get("a").is_some());
}

const NAMES: [&str; 5] = [
    "close_tab",
    "list_tabs",
    "list_tasks",
    "open_tab",
    "web_fetch",
];

/// The error of a call to a tool that does not exist.
fn check(called: &str, expected: &str) {
    let registry = registry(&NAMES).expect("good names");
    let door = tabwright_tools::Door::new(registry, Vec::new());
    let outcome = door.prepare(any_context(), called, "{not even JSON").err();
    let value = outcome.map(|outcome| outcome.value).unwrap_or_default();
    assert_eq!(value["code"], "unknown_tool");
    assert_eq!(value["error"], expected);
}

#[test]
fn an_unknown_tool_is_an_error_that_names_the_nearest() {
    check(
        "list_tab",
        "There is no tool `list_tab`. Did you mean `list_tabs` or `close_tab` or `list_tasks`?",
    );
    check(
        "functions.web_fetch",
        "There is no tool `functions.web_fetch`. Did you mean `web_fetch`?",
    );
    check(
        "Web_Fetch",
        "There is no tool `Web_Fetch`. Did you mean `web_fetch`?",
    );
    let all = NAMES.join(", ");
    check(
        "bash",
        &format!("There is no tool `bash`. There are: {all}."),
    );
    let long = "z".repeat(10_000);
    let short = "z".repeat(64);
    check(
        &long,
        &format!("There is no tool `{short}`. There are: {all}."),
    );
}

#[test]
fn the_built_in_declarations_are_small_and_complete() {
    let registry = builtin().expect("good names");
    let names: Vec<_> = registry.declarations().map(|d| d.name.as_str()).collect();
    let expected = [
        "activate_tab",
        "agent",
        "ask_user",
        "close_tab",
        "create_task",
        "list_tabs",
        "list_tasks",
        "open_tab",
        "opfs_delete",
        "opfs_list",
        "opfs_read",
        "opfs_write",
        "update_task",
        "web_fetch",
    ];
    assert_eq!(names, expected);
    for declaration in registry.declarations() {
        let arguments = declaration.schema["properties"].as_object();
        for (name, argument) in arguments.into_iter().flatten() {
            let kinds = ["type", "enum"].iter().any(|it| !argument[it].is_null());
            let described = argument["description"].is_string() && kinds;
            assert!(described, "{name} in {}", declaration.schema);
        }
        // 17 tools and the rest of the prompt share 15,000 bytes.
        let size = declaration.description.len() + declaration.schema.to_string().len();
        assert!(size <= 700, "{} takes {size} bytes", declaration.name);
    }
}

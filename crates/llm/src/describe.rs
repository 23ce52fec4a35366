//! Tools in words, for models that are told of them in a text.

use serde_json::Value;

use crate::ToolSpec;
use crate::write::json;

/// One paragraph for each tool, each after a blank line.
pub(crate) fn describe(tools: &[ToolSpec]) -> String {
    let mut text = String::new();
    for tool in tools {
        text.push_str(&format!("\n\n{}: {}", tool.name, tool.description.trim()));
        match arguments(&tool.schema) {
            Some(lines) => text.push_str(&lines),
            None => text.push_str(&format!(
                "\n- JSON schema of the arguments: {}",
                json(&tool.schema)
            )),
        }
    }
    text
}

/// One line for each argument, if a line is enough to say what it is.
fn arguments(schema: &Value) -> Option<String> {
    let mut lines = String::new();
    let Some(properties) = schema.get("properties") else {
        let has_none = ["$ref", "anyOf", "oneOf", "allOf"]
            .iter()
            .all(|keyword| schema.get(keyword).is_none());
        return has_none.then_some(lines);
    };
    let required: Vec<_> = schema
        .get("required")
        .and_then(Value::as_array)
        .map(|names| names.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default();
    for (name, property) in properties.as_object()? {
        let kind = kind(property)?;
        let need = if required.contains(&name.as_str()) {
            "required"
        } else {
            "optional"
        };
        lines.push_str(&format!("\n- {name} ({kind}, {need})"));
        if let Some(description) = property.get("description").and_then(Value::as_str) {
            lines.push_str(&format!(": {}", description.trim()));
        }
    }
    Some(lines)
}

/// The type of an argument in a few words; none for what needs more.
fn kind(schema: &Value) -> Option<String> {
    if let Some(values) = schema.get("enum") {
        let values: Vec<_> = values.as_array()?.iter().map(Value::to_string).collect();
        return Some(values.join(" or "));
    }
    let names: Vec<_> = match schema.get("type")? {
        Value::String(name) => vec![name.as_str()],
        // That an optional argument may also be null is nothing to tell.
        Value::Array(names) => names
            .iter()
            .filter_map(Value::as_str)
            .filter(|name| *name != "null")
            .collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => return None,
    };
    match names.as_slice() {
        ["object"] => None,
        ["array"] => Some(format!("array of {}", kind(schema.get("items")?)?)),
        [name] => Some((*name).to_owned()),
        _ => None,
    }
}

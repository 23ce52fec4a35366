//! The JSON schema of an argument struct, as small and plain as every provider takes it.
//!
//! Invariant: no `$ref`, no `null`, no `title` or `format` keyword; what an argument means is in
//! its `description`, which is the field's doc comment.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

/// The JSON schema of an argument struct.
pub fn schema_of<T: JsonSchema>() -> Value {
    let mut settings = SchemaSettings::draft2020_12();
    settings.inline_subschemas = true;
    settings.meta_schema = None;
    let schema = settings.into_generator().into_root_schema_for::<T>();
    let mut schema = clean(schema.to_value());
    if let Value::Object(root) = &mut schema {
        // The struct's own comment is for whoever reads its file; the tool has a description.
        root.remove("description");
        // Some providers refuse an object without it.
        root.entry("properties").or_insert_with(|| json!({}));
    }
    schema
}

/// Cleans one schema and those inside it.
fn clean(schema: Value) -> Value {
    let Value::Object(mut map) = schema else {
        return schema;
    };
    for keyword in ["$schema", "title", "format"] {
        map.remove(keyword);
    }
    // Unknown arguments are ignored by rule, so a plain yes or no says nothing.
    if map
        .get("additionalProperties")
        .is_some_and(Value::is_boolean)
    {
        map.remove("additionalProperties");
    }
    if map.get("default").is_some_and(Value::is_null) {
        map.remove("default");
    }
    if let Some(Value::String(description)) = map.get_mut("description") {
        *description = description.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    drop_null_type(&mut map);
    for keyword in ["items", "additionalProperties"] {
        if let Some(inner) = map.get_mut(keyword) {
            *inner = clean(inner.take());
        }
    }
    if let Some(Value::Object(properties)) = map.get_mut("properties") {
        for inner in properties.values_mut() {
            *inner = clean(inner.take());
        }
    }
    for keyword in ["anyOf", "oneOf", "allOf"] {
        clean_branches(&mut map, keyword);
    }
    Value::Object(map)
}

/// An optional argument is absent, not null.
fn drop_null_type(map: &mut Map<String, Value>) {
    if let Some(Value::Array(types)) = map.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            map.insert("type".into(), only);
        }
    }
    if let Some(Value::Array(values)) = map.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
}

/// Cleans the branches of a choice. The null branch goes, a single branch takes the choice's place,
/// and a choice of constants becomes an `enum`.
fn clean_branches(map: &mut Map<String, Value>, keyword: &str) {
    let Some(Value::Array(branches)) = map.remove(keyword) else {
        return;
    };
    let mut branches: Vec<Value> = branches
        .into_iter()
        .filter(|branch| branch.get("type").is_none_or(|name| name != "null"))
        .map(clean)
        .collect();
    let constants: Option<Vec<Value>> = branches
        .iter()
        .map(|branch| {
            branch
                .get("const")
                .filter(|value| value.is_string())
                .cloned()
        })
        .collect();
    if let Some(constants) = constants.filter(|constants| !constants.is_empty()) {
        map.insert("type".into(), json!("string"));
        map.insert("enum".into(), Value::Array(constants));
        return;
    }
    if branches.len() == 1
        && let Some(Value::Object(only)) = branches.pop()
    {
        for (key, value) in only {
            map.entry(key).or_insert(value);
        }
        return;
    }
    map.insert(keyword.to_owned(), Value::Array(branches));
}

#[cfg(test)]
mod tests {
    #![allow(dead_code, missing_docs, clippy::missing_docs_in_private_items)]

    use insta::assert_snapshot;
    use serde::Deserialize;

    use super::*;

    fn show<T: JsonSchema>() -> String {
        serde_json::to_string_pretty(&schema_of::<T>()).unwrap()
    }

    /// Not for the model.
    #[derive(Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    struct Everything {
        /// Which page,
        /// by address.
        url: String,
        /// A title that is an argument.
        title: Option<String>,
        /// How many.
        count: Option<u32>,
        /// How it is done.
        mode: Option<Mode>,
        /// What follows.
        steps: Vec<Step>,
        /// The last one.
        last: Option<Step>,
        /// By name.
        names: std::collections::BTreeMap<String, bool>,
        #[serde(default)]
        quiet: bool,
    }

    #[derive(Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    enum Mode {
        /// All of it.
        Full,
        /// The headings.
        Outline,
    }

    #[derive(Deserialize, JsonSchema)]
    struct Step {
        /// Its place.
        at: Option<f64>,
    }

    #[derive(Deserialize, JsonSchema)]
    struct Nothing {}

    #[test]
    fn a_schema_is_inlined_and_says_only_what_a_model_needs() {
        assert_snapshot!(show::<Everything>());
    }

    #[test]
    fn a_tool_without_arguments_has_an_empty_object() {
        assert_snapshot!(show::<Nothing>());
    }
}

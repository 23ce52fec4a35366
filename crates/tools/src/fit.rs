//! Fitting arguments to a schema: what a model often gets slightly wrong is coerced, the rest is an
//! error that names the argument, what came and what is expected.
//!
//! Read are `type`, `enum`, `const`, `minimum`, `maximum`, `properties`, `required`,
//! `additionalProperties`, `items`, `anyOf` and `oneOf`. A keyword that is not read forbids nothing
//! here: the tool itself has the last word.

use serde_json::{Map, Number, Value};

use crate::ToolError;

/// What an object schema says.
type Schema = Map<String, Value>;

/// The arguments, coerced and checked.
pub(crate) fn fit_arguments(
    arguments: Map<String, Value>,
    schema: &Value,
) -> Result<Map<String, Value>, ToolError> {
    let Value::Object(schema) = schema else {
        return Ok(arguments);
    };
    fit_object(arguments, schema, "")
        .map_err(|message| ToolError::reply("invalid_arguments", message))
}

fn fit(value: Value, schema: &Value, path: &str) -> Result<Value, String> {
    let Value::Object(schema) = schema else {
        return Ok(value);
    };
    let value = fit_choice(value, schema, path)?;
    let value = fit_type(value, schema, path)?;
    check_values(&value, schema, path)?;
    check_range(&value, schema, path)?;
    match value {
        Value::Object(map) => fit_object(map, schema, path).map(Value::Object),
        Value::Array(items) => fit_items(items, schema, path).map(Value::Array),
        plain @ (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) => Ok(plain),
    }
}

fn fit_object(
    mut given: Map<String, Value>,
    schema: &Schema,
    path: &str,
) -> Result<Map<String, Value>, String> {
    let mut fitted = Map::new();
    if let Some(Value::Object(properties)) = schema.get("properties") {
        for (name, inner) in properties {
            let path = join(path, name);
            let value = given
                .remove(name)
                .filter(|value| !value.is_null() || accepts_null(inner));
            if let Some(value) = value {
                fitted.insert(name.clone(), fit(value, inner, &path)?);
            } else if is_required(schema, name) {
                let wanted = describe(inner);
                return Err(format!(
                    "The argument `{path}` is missing; it must be {wanted}."
                ));
            }
        }
    }
    for (name, value) in given {
        match schema.get("additionalProperties") {
            Some(inner @ Value::Object(_)) => {
                let value = fit(value, inner, &join(path, &name))?;
                fitted.insert(name, value);
            }
            Some(Value::Bool(true)) => {
                fitted.insert(name, value);
            }
            Some(_) => {}
            None if names_its_properties(schema) => {}
            None => {
                fitted.insert(name, value);
            }
        }
    }
    Ok(fitted)
}

/// Whether a name that is not among the schema's properties is unknown. A schema without any, or
/// with choices, may know more names than those.
fn names_its_properties(schema: &Schema) -> bool {
    let open = ["anyOf", "oneOf", "allOf", "patternProperties", "$ref"];
    schema.contains_key("properties") && !open.iter().any(|keyword| schema.contains_key(*keyword))
}

fn is_required(schema: &Schema, name: &str) -> bool {
    matches!(schema.get("required"), Some(Value::Array(names)) if names.iter().any(|n| n == name))
}

fn fit_items(items: Vec<Value>, schema: &Schema, path: &str) -> Result<Vec<Value>, String> {
    let Some(inner) = schema.get("items") else {
        return Ok(items);
    };
    items
        .into_iter()
        .enumerate()
        .map(|(index, item)| fit(item, inner, &format!("{path}[{index}]")))
        .collect()
}

/// The first branch that fits as it is, or else the first that fits with coercion.
fn fit_choice(value: Value, schema: &Schema, path: &str) -> Result<Value, String> {
    for keyword in ["anyOf", "oneOf"] {
        let Some(Value::Array(branches)) = schema.get(keyword) else {
            continue;
        };
        let fits: Vec<Value> = branches
            .iter()
            .filter_map(|branch| fit(value.clone(), branch, path).ok())
            .collect();
        let unchanged = fits.contains(&value);
        match fits.into_iter().next() {
            Some(first) => return Ok(if unchanged { value } else { first }),
            None => {
                let wanted: Vec<_> = branches.iter().map(describe).collect();
                return Err(misfit(path, &value, &wanted.join(" or ")));
            }
        }
    }
    Ok(value)
}

fn fit_type(value: Value, schema: &Schema, path: &str) -> Result<Value, String> {
    let types = types(schema);
    if types.is_empty() || types.iter().any(|name| is_of_type(&value, name)) {
        return Ok(value);
    }
    types
        .iter()
        .find_map(|name| coerce(&value, name))
        .ok_or_else(|| misfit(path, &value, &describe_schema(schema)))
}

fn types(schema: &Schema) -> Vec<&str> {
    match schema.get("type") {
        Some(Value::String(name)) => vec![name],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        Some(_) | None => Vec::new(),
    }
}

fn is_of_type(value: &Value, name: &str) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        // A type this program does not know forbids nothing.
        _ => true,
    }
}

/// Numbers and booleans that came as text, and whole numbers that came as `3.0`.
fn coerce(value: &Value, name: &str) -> Option<Value> {
    match (name, value) {
        ("boolean", Value::String(text)) => text.trim().parse().ok().map(Value::Bool),
        ("number", Value::String(text)) => parse_number(text).map(Value::Number),
        ("integer", Value::String(text)) => whole(&parse_number(text)?),
        ("integer", Value::Number(number)) => whole(number),
        _ => None,
    }
}

fn parse_number(text: &str) -> Option<Number> {
    serde_json::from_str(text.trim()).ok()
}

fn whole(number: &Number) -> Option<Value> {
    if number.is_i64() || number.is_u64() {
        return Some(Value::Number(number.clone()));
    }
    let float = number.as_f64()?;
    // Beyond 2^53 a float no longer says which whole number was meant.
    let exact = float.fract() == 0.0 && float.abs() <= 9_007_199_254_740_992.0;
    let whole: i64 = exact.then(|| format!("{float:.0}").parse().ok())??;
    Some(Value::from(whole))
}

fn check_values(value: &Value, schema: &Schema, path: &str) -> Result<(), String> {
    let allowed = match (schema.get("enum"), schema.get("const")) {
        (Some(Value::Array(values)), _) => values.contains(value),
        (_, Some(only)) => only == value,
        (_, None) => true,
    };
    if allowed {
        return Ok(());
    }
    Err(misfit(path, value, &describe_schema(schema)))
}

fn check_range(value: &Value, schema: &Schema, path: &str) -> Result<(), String> {
    let Some(number) = value.as_f64() else {
        return Ok(());
    };
    let bound = |keyword| schema.get(keyword).and_then(Value::as_f64);
    if let Some(least) = bound("minimum").filter(|least| number < *least) {
        return Err(misfit(path, value, &format!("at least {least}")));
    }
    if let Some(most) = bound("maximum").filter(|most| number > *most) {
        return Err(misfit(path, value, &format!("at most {most}")));
    }
    Ok(())
}

fn accepts_null(schema: &Value) -> bool {
    let Value::Object(schema) = schema else {
        return true;
    };
    if let Some(Value::Array(values)) = schema.get("enum") {
        return values.contains(&Value::Null);
    }
    if let Some(only) = schema.get("const") {
        return only.is_null();
    }
    for keyword in ["anyOf", "oneOf"] {
        if let Some(Value::Array(branches)) = schema.get(keyword) {
            return branches.iter().any(accepts_null);
        }
    }
    let types = types(schema);
    types.is_empty() || types.contains(&"null")
}

fn misfit(path: &str, value: &Value, wanted: &str) -> String {
    format!(
        "The argument `{path}` must be {wanted}, but {} came.",
        kind_of(value)
    )
}

/// What is expected, in words.
fn describe(schema: &Value) -> String {
    match schema {
        Value::Object(schema) => describe_schema(schema),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            "given".to_owned()
        }
    }
}

fn describe_schema(schema: &Schema) -> String {
    if let Some(Value::Array(values)) = schema.get("enum") {
        let values: Vec<_> = values.iter().map(Value::to_string).collect();
        return format!("one of {}", values.join(", "));
    }
    if let Some(only) = schema.get("const") {
        return only.to_string();
    }
    for keyword in ["anyOf", "oneOf"] {
        if let Some(Value::Array(branches)) = schema.get(keyword) {
            let wanted: Vec<_> = branches.iter().map(describe).collect();
            return wanted.join(" or ");
        }
    }
    let names: Vec<_> = types(schema).into_iter().map(with_article).collect();
    if names.is_empty() {
        return "given".to_owned();
    }
    names.join(" or ")
}

fn with_article(type_name: &str) -> String {
    match type_name {
        "null" => "null".to_owned(),
        "integer" => "a whole number".to_owned(),
        "array" | "object" => format!("an {type_name}"),
        other => format!("a {other}"),
    }
}

/// What came, in words: short values as they are.
pub(crate) fn kind_of(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(truth) => format!("the boolean {truth}"),
        Value::Number(number) => format!("the number {number}"),
        Value::String(text) => {
            let short: String = text.chars().take(80).collect();
            let dots = if short.len() < text.len() { "…" } else { "" };
            format!("the string {}{dots}", Value::String(short))
        }
        Value::Array(items) => format!("an array of {}", items.len()),
        Value::Object(map) => format!("an object with {} keys", map.len()),
    }
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() {
        name.to_owned()
    } else {
        format!("{path}.{name}")
    }
}

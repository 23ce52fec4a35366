//! From a model's argument text to arguments that fit the schema.

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::common::{Scripted, any_context};

/// What the tool would be run with, or the error's code and message.
fn prepare(schema: Value, arguments: &str) -> Result<Value, (String, String)> {
    let door = Scripted::new("tool")
        .with(|declaration| declaration.schema = schema)
        .door();
    match door.prepare(any_context(), "tool", arguments) {
        Ok(prepared) => Ok(Value::Object(prepared.arguments().clone())),
        Err(outcome) => {
            assert!(outcome.is_error && !outcome.untrusted && !outcome.fatal);
            let word = |key: &str| outcome.value[key].as_str().unwrap_or_default().to_owned();
            Err((word("code"), word("error")))
        }
    }
}

/// One optional argument `a` with the given schema: what it becomes, or the error message.
fn check(schema: Value, given: Value, expected: Result<Value, &str>) {
    let schema = json!({"type": "object", "properties": {"a": schema}});
    let arguments = json!({"a": given}).to_string();
    let actual = prepare(schema.clone(), &arguments).map(|mut fitted| fitted["a"].take());
    match expected {
        Ok(value) => assert_eq!(actual, Ok(value), "{given} for {schema}"),
        Err(message) => assert_eq!(
            actual,
            Err(("invalid_arguments".into(), message.into())),
            "{given} for {schema}"
        ),
    }
}

#[test]
fn an_argument_of_the_right_type_is_left_alone() {
    for (name, value) in [
        ("string", json!("5")),
        ("number", json!(1.5)),
        ("integer", json!(-3)),
        ("boolean", json!(true)),
        ("array", json!([1, "x", null])),
        ("object", json!({"b": {"c": 1}})),
        ("something new", json!(1)),
    ] {
        check(json!({"type": name}), value.clone(), Ok(value));
    }
    check(json!({}), json!("5"), Ok(json!("5")));
}

#[test]
fn numbers_and_booleans_may_come_as_text() {
    for (name, text, value) in [
        ("number", "1.5", json!(1.5)),
        ("number", " -2e3 ", json!(-2000.0)),
        ("number", "7", json!(7)),
        ("integer", "7", json!(7)),
        ("integer", "7.0", json!(7)),
        ("boolean", "true", json!(true)),
        ("boolean", " false ", json!(false)),
    ] {
        check(json!({"type": name}), json!(text), Ok(value));
    }
    check(json!({"type": "integer"}), json!(3.0), Ok(json!(3)));
    check(
        json!({"type": ["integer", "string"]}),
        json!("7"),
        Ok(json!("7")),
    );
    check(
        json!({"type": ["null", "integer"]}),
        json!("7"),
        Ok(json!(7)),
    );
}

#[test]
fn coercion_reaches_into_arrays_objects_and_choices() {
    check(
        json!({"type": "array", "items": {"type": "object", "properties": {"n": {"type": "integer"}}}}),
        json!([{"n": "1"}, {"n": 2, "unknown": 3}]),
        Ok(json!([{"n": 1}, {"n": 2}])),
    );
    check(
        json!({"type": "object", "additionalProperties": {"type": "boolean"}}),
        json!({"x": "true", "y": false}),
        Ok(json!({"x": true, "y": false})),
    );
    let choice = json!({"anyOf": [{"type": "integer"}, {"type": "string"}]});
    check(choice.clone(), json!("5"), Ok(json!("5")));
    check(choice, json!(5), Ok(json!(5)));
    check(
        json!({"oneOf": [{"type": "boolean"}, {"type": "integer"}]}),
        json!("5"),
        Ok(json!(5)),
    );
}

#[test]
fn a_wrong_type_is_an_error_that_names_the_argument_what_came_and_what_is_expected() {
    for (name, given, message) in [
        (
            "number",
            json!("5 tabs"),
            r#"a number, but the string "5 tabs" came."#,
        ),
        ("number", json!(""), r#"a number, but the string "" came."#),
        (
            "number",
            json!("NaN"),
            r#"a number, but the string "NaN" came."#,
        ),
        (
            "integer",
            json!(1.5),
            "a whole number, but the number 1.5 came.",
        ),
        (
            "integer",
            json!("1.5"),
            r#"a whole number, but the string "1.5" came."#,
        ),
        (
            "integer",
            json!(1e300),
            "a whole number, but the number 1e+300 came.",
        ),
        (
            "integer",
            json!(1e17),
            "a whole number, but the number 1e+17 came.",
        ),
        (
            "boolean",
            json!("yes"),
            r#"a boolean, but the string "yes" came."#,
        ),
        ("boolean", json!(1), "a boolean, but the number 1 came."),
        ("string", json!(5), "a string, but the number 5 came."),
        (
            "array",
            json!({"x": 1}),
            "an array, but an object with 1 keys came.",
        ),
        (
            "object",
            json!([1, 2]),
            "an object, but an array of 2 came.",
        ),
    ] {
        let message = format!("The argument `a` must be {message}");
        check(json!({"type": name}), given, Err(&message));
    }
    check(
        json!({"type": "array", "items": {"type": "object", "properties": {"n": {"type": "integer"}}}}),
        json!([{"n": 1}, {"n": []}]),
        Err("The argument `a[1].n` must be a whole number, but an array of 0 came."),
    );
    check(
        json!({"anyOf": [{"type": "integer"}, {"type": "boolean"}]}),
        json!("x"),
        Err(r#"The argument `a` must be a whole number or a boolean, but the string "x" came."#),
    );
    check(
        json!({"type": "number"}),
        json!("x".repeat(500)),
        Err(&format!(
            "The argument `a` must be a number, but the string \"{}\"… came.",
            "x".repeat(80)
        )),
    );
}

#[test]
fn a_value_outside_the_allowed_ones_is_an_error() {
    let mode = json!({"type": "string", "enum": ["full", "outline"]});
    check(mode.clone(), json!("full"), Ok(json!("full")));
    check(
        mode,
        json!("Full"),
        Err(r#"The argument `a` must be one of "full", "outline", but the string "Full" came."#),
    );
    check(
        json!({"const": 1}),
        json!(2),
        Err("The argument `a` must be 1, but the number 2 came."),
    );
    let range = json!({"type": "integer", "minimum": 1, "maximum": 10});
    check(range.clone(), json!("10"), Ok(json!(10)));
    check(range.clone(), json!(1), Ok(json!(1)));
    check(
        range.clone(),
        json!(0),
        Err("The argument `a` must be at least 1, but the number 0 came."),
    );
    check(
        range,
        json!("11"),
        Err("The argument `a` must be at most 10, but the number 11 came."),
    );
}

#[test]
fn null_is_an_absent_argument_unless_null_is_allowed() {
    let schema = json!({"type": "object", "properties": {
        "absent": {"type": "string"},
        "chosen": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "listed": {"enum": ["x", null]},
        "typed": {"type": ["string", "null"]},
        "whatever": {},
    }});
    let all =
        r#"{"absent": null, "chosen": null, "listed": null, "typed": null, "whatever": null}"#;
    assert_eq!(
        prepare(schema, all),
        Ok(json!({"chosen": null, "listed": null, "typed": null, "whatever": null}))
    );
}

#[test]
fn a_missing_required_argument_is_an_error_at_any_depth() {
    let schema = json!({"type": "object", "required": ["url", "step"], "properties": {
        "url": {"type": "string"},
        "step": {"type": "object", "required": ["at"], "properties": {"at": {"type": "integer"}}},
    }});
    let missing = |arguments: &str| prepare(schema.clone(), arguments).map_err(|(_, text)| text);
    let url = Err("The argument `url` is missing; it must be a string.".to_owned());
    assert_eq!(missing(r#"{"step": {"at": 1}}"#), url);
    assert_eq!(missing(r#"{"step": {"at": 1}, "url": null}"#), url);
    assert_eq!(
        missing(r#"{"step": {}, "url": "x"}"#),
        Err("The argument `step.at` is missing; it must be a whole number.".to_owned())
    );
    assert!(missing(r#"{"step": {"at": "1"}, "url": "x"}"#).is_ok());
}

#[test]
fn unknown_arguments_are_dropped_where_the_schema_names_all_it_knows() {
    let given = r#"{"known": 1, "unknown": 2}"#;
    let whole = json!({"known": 1, "unknown": 2});
    let properties = json!({"known": {"type": "integer"}});
    let dropped = json!({"type": "object", "properties": properties});
    assert_eq!(prepare(dropped, given), Ok(json!({"known": 1})));
    for open in [
        json!({"type": "object", "properties": properties, "additionalProperties": true}),
        json!({"type": "object", "properties": properties, "allOf": [{"properties": {"unknown": {}}}]}),
        json!({"type": "object"}),
        json!(true),
    ] {
        assert_eq!(prepare(open.clone(), given), Ok(whole.clone()), "{open}");
    }
}

#[test]
fn empty_text_is_no_arguments() {
    let schema = json!({"type": "object", "properties": {}});
    for text in ["", "  \n", "{}", " { } "] {
        assert_eq!(prepare(schema.clone(), text), Ok(json!({})), "{text:?}");
    }
}

#[test]
fn text_that_is_no_json_object_is_an_error_that_says_where() {
    for (text, code, part) in [
        (r#"{"a": 1"#, "invalid_json", "line 1 column 7"),
        (r#"{"a": 1} {"b": 2}"#, "invalid_json", "line 1 column 10"),
        ("{'a': 1}", "invalid_json", "line 1 column 2"),
        ("[1, 2]", "invalid_arguments", "an array of 2 came"),
        ("null", "invalid_arguments", "null came"),
        (
            r#""text""#,
            "invalid_arguments",
            r#"the string "text" came"#,
        ),
    ] {
        let (actual, message) = prepare(json!({}), text).expect_err(text);
        assert_eq!(actual, code, "{text}");
        assert!(message.contains(part), "{text}: {message}");
    }
}

#[test]
fn half_a_character_gets_a_mark_and_the_call_is_made() {
    assert_eq!(
        prepare(json!({}), r#"{"a": "A\ud83dB \ud83d\ude00"}"#),
        Ok(json!({"a": "A\u{fffd}B 😀"}))
    );
}

#[test]
fn depth_and_size_are_bounded() {
    let nested = |depth: usize| format!("{{\"a\":{}{}}}", "[".repeat(depth), "]".repeat(depth));
    assert!(prepare(json!({}), &nested(63)).is_ok());
    let code = |text: &str| prepare(json!({}), text).map_err(|(code, _)| code);
    let too_deep = Err("arguments_too_deep".to_owned());
    assert_eq!(code(&nested(64)), too_deep);
    assert_eq!(code(&nested(200_000)), too_deep);
    let brackets_in_text = json!({"a": "\"[{".repeat(100)});
    assert_eq!(code(&brackets_in_text.to_string()), Ok(brackets_in_text));

    let sized = |bytes: usize| format!("{{\"a\":\"{}\"}}", "x".repeat(bytes - 8));
    assert!(prepare(json!({}), &sized(1_000_000)).is_ok());
    assert_eq!(
        code(&sized(1_000_001)),
        Err("arguments_too_large".to_owned())
    );
}

fn a_schema() -> impl Strategy<Value = Value> {
    let type_name = prop::sample::select(vec!["string", "number", "integer", "boolean", "null"]);
    let leaf = prop_oneof![
        type_name.prop_map(|name| json!({"type": name})),
        Just(json!({"enum": ["x", 1, null]})),
        Just(json!({"type": ["integer", "null"], "minimum": 0})),
        Just(json!({"type": 5, "items": 7, "properties": "odd", "required": {}})),
        Just(json!(false)),
    ];
    leaf.prop_recursive(3, 16, 3, |inner| {
        let named = prop::collection::btree_map("[ab]", inner.clone(), 0..3);
        prop_oneof![
            inner
                .clone()
                .prop_map(|items| json!({"type": "array", "items": items})),
            named.prop_map(
                |properties| json!({"type": "object", "properties": properties, "required": ["a"]})
            ),
            prop::collection::vec(inner, 0..3).prop_map(|branches| json!({"anyOf": branches})),
        ]
    })
}

fn some_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        // Quarters survive being printed and parsed: serde_json may be off by the last bit.
        any::<i32>().prop_map(|quarters| Value::from(f64::from(quarters) / 4.0)),
        prop::sample::select(vec!["x", "1", "1.0", "true", "-9e999"]).prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 16, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::btree_map("[abc]", inner, 0..3)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn any_text_ends_in_arguments_or_an_error(text in "[\\[\\]{}\",:a1e.\\\\ -]{0,40}|.{0,40}") {
        let _ = prepare(json!({"properties": {"a": {"type": "integer"}}}), &text);
    }

    #[test]
    fn arguments_that_fit_once_fit_again_unchanged(schema in a_schema(), given in some_json()) {
        let schema = json!({"type": "object", "properties": {"a": schema}});
        if let Ok(fitted) = prepare(schema.clone(), &json!({"a": given}).to_string()) {
            prop_assert_eq!(prepare(schema, &fitted.to_string()), Ok(fitted));
        }
    }
}

//! Tool calls, in every way that servers send them.

use super::{check, delta, end};

/// Checks the calls that come of these lists of `tool_calls`, one a chunk.
fn check_calls(lists: &[&str], reason: &str, expected: &str) {
    let mut chunks: Vec<_> = lists
        .iter()
        .map(|list| delta(&format!(r#"{{"tool_calls":{list}}}"#)))
        .collect();
    chunks.push(end(reason));
    let chunks: Vec<_> = chunks.iter().map(String::as_str).collect();
    check(&chunks, expected);
}

#[test]
fn calls_in_pieces_are_put_together() {
    check_calls(
        &[
            r#"[{"index":0,"id":"a","type":"function","function":{"name":"open_tab","arguments":""}}]"#,
            r#"[{"index":0,"function":{"arguments":"{\"url\":"}}]"#,
            r#"[{"index":1,"id":"b","type":"function","function":{"name":"list_tabs","arguments":""}}]"#,
            r#"[{"index":0,"function":{"arguments":"\"x\"}"}},{"index":1,"function":{"arguments":"{}"}}]"#,
        ],
        "tool_calls",
        r#"
        call a open_tab {"url":"x"}
        call b list_tabs {}
        ToolCalls"#,
    );
}

#[test]
fn no_arguments_are_an_empty_object() {
    for arguments in [r#""""#, "null", r#"" ""#, "{}", r#""null""#] {
        check_calls(
            &[&format!(
                r#"[{{"index":0,"id":"a","function":{{"name":"list_tabs","arguments":{arguments}}}}}]"#
            )],
            "tool_calls",
            "call a list_tabs {}\nToolCalls",
        );
    }
    check_calls(
        &[r#"[{"index":0,"id":"a","function":{"name":"list_tabs"}}]"#],
        "tool_calls",
        "call a list_tabs {}\nToolCalls",
    );
}

#[test]
fn arguments_may_be_an_object_instead_of_its_text() {
    check_calls(
        &[r#"[{"index":0,"id":"a","function":{"name":"f","arguments":{"n": 1.0}}}]"#],
        "tool_calls",
        "call a f {\"n\": 1.0}\nToolCalls",
    );
}

#[test]
fn whole_arguments_that_come_again_in_pieces_count_once() {
    check_calls(
        &[
            r#"[{"index":0,"id":"a","function":{"name":"f","arguments":"{\"n\":1}"}}]"#,
            r#"[{"index":0,"function":{"arguments":"{\"n\""}}]"#,
            r#"[{"index":0,"function":{"arguments":":1}"}}]"#,
        ],
        "tool_calls",
        "call a f {\"n\":1}\nToolCalls",
    );
    check_calls(
        &[
            r#"[{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}]"#,
            r#"[{"index":0,"function":{"arguments":"{\"n\":1}"}}]"#,
        ],
        "tool_calls",
        "call a f {\"n\":1}\nToolCalls",
    );
    check_calls(
        &[
            r#"[{"index":0,"id":"a","function":{"name":"f","arguments":"{\"n\":1}"}}]"#,
            r#"[{"index":0,"id":"a","function":{"name":"f","arguments":"{\"n\":1}"}}]"#,
        ],
        "tool_calls",
        "call a f {\"n\":1}\nToolCalls",
    );
}

#[test]
fn parallel_calls_with_one_number_are_told_apart_by_their_ids() {
    check_calls(
        &[
            r#"[{"index":0,"id":"a","function":{"name":"f","arguments":"{\"n\":"}}]"#,
            r#"[{"index":0,"function":{"arguments":"1}"}}]"#,
            r#"[{"index":0,"id":"b","function":{"name":"f","arguments":""}}]"#,
            r#"[{"index":0,"function":{"arguments":"{\"n\":2}"}}]"#,
        ],
        "tool_calls",
        r#"
        call a f {"n":1}
        call b f {"n":2}
        ToolCalls"#,
    );
}

#[test]
fn whole_parallel_calls_need_neither_number_nor_id() {
    let expected = r#"
        call call f {"n":1}
        call call_2 f {"n":2}
        call call_3 g {"n":2}
        ToolCalls"#;
    for index in [
        "",
        r#""index":0,"#,
        r#""index":0,"id":"","#,
        r#""id":null,"#,
    ] {
        let call = |name: &str, n: u8| {
            format!(r#"{{{index}"function":{{"name":"{name}","arguments":"{{\"n\":{n}}}"}}}}"#)
        };
        let (first, second, third) = (call("f", 1), call("f", 2), call("g", 2));
        check_calls(
            &[&format!("[{first},{second},{third}]")],
            "tool_calls",
            expected,
        );
        check_calls(
            &[
                &format!("[{first}]"),
                &format!("[{second}]"),
                &format!("[{third}]"),
            ],
            "tool_calls",
            expected,
        );
    }
}

#[test]
fn the_same_call_twice_in_one_list_is_two_calls() {
    check_calls(
        &[
            r#"[{"function":{"name":"f","arguments":"{}"}},{"function":{"name":"f","arguments":"{}"}}]"#,
        ],
        "tool_calls",
        "call call f {}\ncall call_2 f {}\nToolCalls",
    );
}

#[test]
fn two_calls_with_one_id_get_ids_of_their_own() {
    check_calls(
        &[
            r#"[{"index":0,"id":"f","function":{"name":"f","arguments":"{\"n\":1}"}}]"#,
            r#"[{"index":1,"id":"f","function":{"name":"f","arguments":"{\"n\":2}"}}]"#,
        ],
        "tool_calls",
        r#"
        call f f {"n":1}
        call f_2 f {"n":2}
        ToolCalls"#,
    );
}

#[test]
fn an_id_made_up_for_each_piece_does_not_make_a_call_of_it() {
    check_calls(
        &[
            r#"[{"index":0,"id":"a","function":{"name":"f","arguments":""}}]"#,
            r#"[{"index":0,"id":"b","function":{"arguments":"{\"n\":"}}]"#,
            r#"[{"id":"c","function":{"arguments":"1}"}}]"#,
        ],
        "tool_calls",
        "call a f {\"n\":1}\nToolCalls",
    );
}

#[test]
fn pieces_without_a_number_go_by_id_or_to_the_last_call() {
    check_calls(
        &[
            r#"[{"id":"a","function":{"name":"f","arguments":""}}]"#,
            r#"[{"id":"b","function":{"name":"g","arguments":"{"}}]"#,
            r#"[{"function":{"arguments":"}"}}]"#,
            r#"[{"id":"a","function":{"arguments":"{\"n\":1}"}}]"#,
        ],
        "tool_calls",
        r#"
        call a f {"n":1}
        call b g {}
        ToolCalls"#,
    );
    check_calls(
        &[
            r#"[{"id":"a","function":{"name":"f","arguments":"{"}}]"#,
            r#"[{"index":0,"function":{"arguments":"}"}}]"#,
        ],
        "tool_calls",
        "call a f {}\nToolCalls",
    );
}

#[test]
fn a_reused_number_goes_on_with_the_later_call() {
    check_calls(
        &[
            r#"[{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}]"#,
            r#"[{"index":0,"id":"b","function":{"name":"g","arguments":"{\"n\":"}}]"#,
            r#"[{"index":0,"function":{"arguments":"1}"}}]"#,
        ],
        "tool_calls",
        "call a f {}\ncall b g {\"n\":1}\nToolCalls",
    );
}

#[test]
fn a_name_may_come_whole_repeated_growing_or_in_pieces() {
    let check_names = |names: &[&str]| {
        let lists: Vec<_> = names
            .iter()
            .map(|name| format!(r#"[{{"index":0,"id":"a","function":{{"name":"{name}"}}}}]"#))
            .chain([r#"[{"index":0,"function":{"arguments":"{}"}}]"#.to_owned()])
            .collect();
        let lists: Vec<_> = lists.iter().map(String::as_str).collect();
        check_calls(&lists, "tool_calls", "call a list_tabs {}\nToolCalls");
    };
    check_names(&["list_tabs"]);
    check_names(&["list_tabs", "list_tabs", ""]);
    check_names(&["list_", "list_tabs"]);
    check_names(&["list", "_", "tabs"]);
    check_calls(
        &[
            r#"[{"index":0,"id":"a","function":{"arguments":"{}"}}]"#,
            r#"[{"index":0,"function":{"name":"f"}}]"#,
        ],
        "tool_calls",
        "call a f {}\nToolCalls",
    );
}

#[test]
fn calls_are_calls_whatever_the_reason_to_end_says() {
    let call = r#"[{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}]"#;
    check_calls(&[call], "stop", "call a f {}\nToolCalls");
    check_calls(&[call], "odd", "call a f {}\nToolCalls");
}

#[test]
fn two_reasons_to_end_do_not_make_two_calls() {
    let call =
        delta(r#"{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}]}"#);
    check(
        &[&call, &end("tool_calls"), &end("tool_calls")],
        "call a f {}\nToolCalls",
    );
}

#[test]
fn a_call_and_the_counts_may_come_in_the_last_chunk() {
    check(
        &[
            r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":1,"completion_tokens":2}}"#,
        ],
        "call a f {}\nusage 0/1 0/2\nToolCalls",
    );
}

#[test]
fn a_call_cut_by_the_output_limit_is_incomplete() {
    check_calls(
        &[
            r#"[{"index":0,"id":"a","function":{"name":"f","arguments":"{\"n\":1}"}}]"#,
            r#"[{"index":1,"id":"b","function":{"name":"f","arguments":"{\"n\":"}}]"#,
            r#"[{"index":2,"id":"c","function":{"name":"f","arguments":""}}]"#,
        ],
        "length",
        r#"
        call a f {"n":1}
        call b f {"n": incomplete
        call c f {} incomplete
        Length"#,
    );
}

#[test]
fn broken_arguments_of_a_whole_answer_stay_for_the_tool_to_refuse() {
    check_calls(
        &[r#"[{"index":0,"id":"a","function":{"name":"f","arguments":"{n: 1}"}}]"#],
        "tool_calls",
        "call a f {n: 1}\nToolCalls",
    );
}

#[test]
fn what_a_call_carries_is_kept_as_it_came() {
    check_calls(
        &[
            r#"[{"index":0,"id":"a","type":"function","extra_content":{"google": {"thought_signature":"Cs\/+=="}},"nothing":null,"function":{"name":"f","arguments":"{}"}}]"#,
        ],
        "tool_calls",
        r#"
        call a f {}
          kept {"extra_content":"{\"google\": {\"thought_signature\":\"Cs\\/+==\"}}"}
        ToolCalls"#,
    );
}

#[test]
fn entries_that_are_no_calls_are_nothing() {
    check_calls(
        &["[]", "null", "[null]", "7", "{}"],
        "stop",
        "call call  {}\nToolCalls",
    );
    check_calls(&["[]", "null", "[null, 7, \"x\"]"], "stop", "EndTurn");
}

#[test]
fn no_answer_has_thousands_of_calls() {
    let calls: Vec<_> = (0..1_001).map(|_| r#"{"function":{"name":"f"}}"#).collect();
    let body = super::stream(&[&delta(&format!(
        r#"{{"tool_calls":[{}]}}"#,
        calls.join(",")
    ))]);
    let (_, result) = super::decode([body.as_bytes()]);
    let error = result.unwrap_err();
    assert!(error.message.contains("1,000"), "{error}");
    assert!(!error.may_retry());
}

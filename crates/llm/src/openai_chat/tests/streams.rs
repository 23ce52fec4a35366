//! Text, thinking, usage, framing and ends.

use proptest::prelude::*;

use crate::{OpenAiChat, Provider};

use super::{check, check_body, decode, delta, end, stream};

#[test]
fn an_ordinary_answer_is_read() {
    check(
        &[
            r#"{"id":"c1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}],"usage":null}"#,
            &delta(r#"{"content":"Hé"}"#),
            &delta(r#"{"content":"llo 😀"}"#),
            &end("stop"),
            r#"{"choices":[],"usage":{"prompt_tokens":12,"completion_tokens":7,"prompt_tokens_details":{"cached_tokens":4},"completion_tokens_details":{"reasoning_tokens":3}}}"#,
        ],
        r#"
        text "Héllo 😀"
        usage 4/12 3/7
        EndTurn"#,
    );
}

#[test]
fn framing_of_every_kind_gives_the_same_answer() {
    let chunks = [delta(r#"{"content":"a€"}"#), end("stop")];
    let plain = stream(&[&chunks[0], &chunks[1]]);
    for body in [
        plain.clone(),
        plain.replace('\n', "\r\n"),
        plain.replace('\n', "\r"),
        plain.replace("data: ", "data:"),
        format!("\u{FEFF}{plain}"),
        format!("\n\n{plain}"),
        format!(": keep-alive\n\n:\n\ndata: : PROCESSING\n\n{plain}"),
        format!("event: ping\ndata: {{\"type\":\"ping\"}}\n\n{plain}"),
        format!("event: news\ndata: {{\"unknown\":{{\"deep\":[1e400]}}}}\n\n{plain}"),
        plain.replace("data: [DONE]\n\n", ""),
        plain.trim_end().to_owned(),
        plain.replace("data: [DONE]\n\n", "").trim_end().to_owned(),
        format!("{plain}data: {}\n\nmore", delta(r#"{"content":"never"}"#)),
        format!("{plain}data: {{\"error\":\"never\"}}\n\n"),
    ] {
        check_body(body.as_bytes(), "text \"a€\"\nEndTurn");
    }
}

#[test]
fn the_end_is_known_before_the_connection_closes() {
    let mut decoder = OpenAiChat.read(true);
    let body = stream(&[&delta(r#"{"content":"a"}"#), &end("stop")]);
    let (before, mark) = body.split_at(body.find("data: [DONE]").unwrap());
    decoder.feed(before.as_bytes()).unwrap();
    assert!(!decoder.is_done());
    decoder.feed(mark.as_bytes()).unwrap();
    assert!(decoder.is_done());
    assert_eq!(decoder.finish().unwrap().text, "a");
}

#[test]
fn one_event_over_several_data_lines_is_one_chunk() {
    let body = "data: {\"choices\":[{\"delta\":\ndata: {\"content\":\"a\"},\ndata: \"finish_reason\":\"stop\"}]}\n\n";
    check_body(body.as_bytes(), "text \"a\"\nEndTurn");
}

#[test]
fn thinking_comes_under_several_names_and_goes_back_as_it_came() {
    check(
        &[
            &delta(r#"{"reasoning_content":"Let me\n"}"#),
            &delta(r#"{"reasoning_content":"see","content":null}"#),
            &delta(r#"{"content":"a"}"#),
            &end("stop"),
        ],
        r#"
        text "a"
        thinking "Let me\nsee"
        kept {"reasoning_content":"\"Let me\\nsee\""}
        EndTurn"#,
    );
    check(
        &[
            &delta(r#"{"reasoning":"x","reasoning_content":"x"}"#),
            &delta(
                r#"{"reasoning":"y","reasoning_details":[{"type":"reasoning.encrypted","data":"AA=="}]}"#,
            ),
            &end("stop"),
        ],
        r#"
        thinking "xy"
        kept {"reasoning":"\"xy\"","reasoning_content":"\"x\"","reasoning_details":"[{\"type\":\"reasoning.encrypted\",\"data\":\"AA==\"}]"}
        EndTurn"#,
    );
}

#[test]
fn thinking_within_tags_is_told_from_the_text() {
    check(
        &[
            &delta(r#"{"content":"<th"}"#),
            &delta(r#"{"content":"ink>hm</thi"}"#),
            &delta(r#"{"content":"nk>\n\na <think>"}"#),
            &end("stop"),
        ],
        r#"
        text "a <think>"
        thinking "hm"
        EndTurn"#,
    );
}

#[test]
fn a_call_written_as_text_is_text_and_never_runs() {
    check(
        &[
            &delta(
                r#"{"content":"<tool_call>{\"name\":\"close_tab\",\"arguments\":{}}</tool_call>"}"#,
            ),
            &delta(r#"{"reasoning_content":"<tool_call>{\"name\":\"x\"}</tool_call>"}"#),
            &end("stop"),
        ],
        r#"
        text "<tool_call>{\"name\":\"close_tab\",\"arguments\":{}}</tool_call>"
        thinking "<tool_call>{\"name\":\"x\"}</tool_call>"
        kept {"reasoning_content":"\"<tool_call>{\\\"name\\\":\\\"x\\\"}</tool_call>\""}
        EndTurn"#,
    );
}

#[test]
fn content_may_be_a_list_of_parts() {
    check(
        &[
            &delta(r#"{"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]}]}"#),
            &delta(r#"{"content":[{"type":"text","text":"a"},{"type":"reference"}]}"#),
            &end("stop"),
        ],
        r#"
        text "a"
        thinking "hm"
        EndTurn"#,
    );
}

#[test]
fn counts_are_taken_wherever_they_come_and_nonsense_is_zero() {
    let check_usage = |usages: &[&str], expected: &str| {
        let chunks: Vec<_> = usages
            .iter()
            .map(|usage| format!(r#"{{"choices":[],"usage":{usage}}}"#))
            .collect();
        let last = end("stop");
        let mut all = vec![last.as_str()];
        all.extend(chunks.iter().map(String::as_str));
        check(&all, expected);
    };
    check_usage(&[], "EndTurn");
    check_usage(
        &[
            r#"{"prompt_tokens":18446744073709551615,"completion_tokens":1e300,"total_tokens":"9"}"#,
            r#"{"prompt_tokens":-1,"completion_tokens":null}"#,
        ],
        "EndTurn",
    );
    // DeepSeek's and Kimi's words for what came from the cache.
    for name in ["prompt_cache_hit_tokens", "cached_tokens"] {
        check_usage(
            &[&format!(
                r#"{{"prompt_tokens":19,"completion_tokens":2,"{name}":10}}"#
            )],
            "usage 10/19 0/2\nEndTurn",
        );
    }
    // xAI, and Gemini behind OpenAI's format: the thoughts are in the total alone.
    check_usage(
        &[
            r#"{"prompt_tokens":32,"completion_tokens":9,"total_tokens":135,"completion_tokens_details":{"reasoning_tokens":94}}"#,
        ],
        "usage 0/32 94/103\nEndTurn",
    );
    check_usage(
        &[r#"{"prompt_tokens":20,"completion_tokens":424,"total_tokens":1016}"#],
        "usage 0/20 572/996\nEndTurn",
    );
    check_usage(
        &[
            r#"{"prompt_tokens":20,"completion_tokens":30,"total_tokens":50,"completion_tokens_details":{"reasoning_tokens":10}}"#,
        ],
        "usage 0/20 10/30\nEndTurn",
    );
    check_usage(&["null", "{}", "[]"], "EndTurn");
    check_usage(
        &[r#"{"prompt_tokens":-1,"completion_tokens":"x"}"#],
        "EndTurn",
    );
    check_usage(
        &[
            r#"{"prompt_tokens":5,"completion_tokens":1}"#,
            r#"{"prompt_tokens":5.0,"completion_tokens":3,"prompt_cache_hit_tokens":2}"#,
            r#"{"prompt_tokens":0,"completion_tokens":0}"#,
        ],
        "usage 2/5 0/3\nEndTurn",
    );
    check(
        &[
            r#"{"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":1}}"#,
        ],
        "text \"a\"\nusage 0/1 0/1\nEndTurn",
    );
}

#[test]
fn reasons_to_end_are_understood_in_many_words() {
    let check_reason = |reason: &str, expected: &str| {
        check(
            &[&delta(r#"{"content":"a"}"#), &end(reason)],
            &format!("text \"a\"\n{expected}"),
        );
    };
    check_reason("stop", "EndTurn");
    check_reason("tool_calls", "EndTurn");
    check_reason("length", "Length");
    check_reason("content_filter", "ContentFilter");
    check_reason("odd", "Other(\"odd\")");
    check(
        &[
            &delta(r#"{"content":"a"}"#),
            &end(""),
            &end("length"),
            &end("stop"),
        ],
        "text \"a\"\nLength",
    );
    check(
        &[&delta(r#"{"refusal":"I can't."}"#), &end("stop")],
        "text \"I can't.\"\nRefusal",
    );
    check(&[&delta(r#"{"content":"a"}"#)], "text \"a\"\nEndTurn");
    check(
        &[&delta(r#"{"content":"a"}"#), &end("error")],
        "Server: The model's server failed in the middle of the answer.",
    );
}

#[test]
fn only_the_first_choice_is_the_answer() {
    check(
        &[
            r#"{"choices":[{"index":1,"delta":{"content":"b"}},{"index":0,"delta":{"content":"a"}}]}"#,
            r#"{"choices":[{"index":1,"delta":{},"finish_reason":"length"}]}"#,
            r#"{"choices":null}"#,
            &end("stop"),
        ],
        "text \"a\"\nEndTurn",
    );
}

#[test]
fn an_answer_that_is_not_streamed_is_read_too() {
    let answer = r#"{"id":"c","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"a","reasoning_content":"hm","tool_calls":[{"id":"i","type":"function","function":{"name":"list_tabs","arguments":"{}"}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":3,"completion_tokens":2}}"#;
    let expected = r#"
        text "a"
        thinking "hm"
        call i list_tabs {}
        usage 0/3 0/2
        kept {"reasoning_content":"\"hm\""}
        ToolCalls"#;
    check_body(answer.as_bytes(), expected);
    check_body(format!("\u{FEFF}\n {answer}\n").as_bytes(), expected);
    check_body(stream(&[answer]).as_bytes(), expected);
}

#[test]
fn a_whole_message_after_its_pieces_says_nothing_twice() {
    check(
        &[
            &delta(r#"{"content":"a"}"#),
            r#"{"choices":[{"index":0,"message":{"content":"a"},"finish_reason":"stop"}]}"#,
        ],
        "text \"a\"\nEndTurn",
    );
}

#[test]
fn half_a_character_is_one_replacement_and_no_error() {
    check(
        &[&delta(r#"{"content":"a\ud83d"}"#), &end("stop")],
        "text \"a\u{FFFD}\"\nEndTurn",
    );
}

/// Pieces of what servers send, sound and broken.
fn any_body() -> impl Strategy<Value = Vec<u8>> {
    let deltas = [
        r#"{"content":"a€"}"#,
        r#"{"content":"<think>"}"#,
        r#"{"content":"</think>\ud83d"}"#,
        r#"{"reasoning":"hm","reasoning_details":[{"type":"reasoning.text","text":"h"}]}"#,
        r#"{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}]}"#,
        r#"{"tool_calls":[{"function":{"name":"g","arguments":"{\"n\":"}},{"index":0,"x":[1]}]}"#,
        r#"{"tool_calls":[{"index":0,"function":{"arguments":"1}"}}]}"#,
        r#"{"tool_calls":{"id":7},"content":[1,{"text":2}]}"#,
    ];
    let line = |chunk: String| format!("data: {chunk}\n\n").into_bytes();
    let mut parts: Vec<Vec<u8>> = deltas.iter().map(|text| line(delta(text))).collect();
    parts.extend(["stop", "length", ""].map(|reason| line(end(reason))));
    for text in [
        "data: [DONE]\r\n\r\n",
        ": comment\n",
        "\n",
        "{",
        "<html>",
        "event: error\n",
        "data: {\"error\":{\"code\":429}}\n\n",
        "data: {\"choices\":[{}],\"usage\":{\"prompt_tokens\":3}}\n\n",
        "\u{FEFF}",
    ] {
        parts.push(text.as_bytes().to_vec());
    }
    let noise = prop::collection::vec(any::<u8>(), 0..4);
    let part = prop_oneof![12 => prop::sample::select(parts), 1 => noise];
    prop::collection::vec(part, 0..8).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_cut_changes_what_comes_of_a_body(body in any_body()) {
        let (_, whole) = decode([body.as_slice()]);
        for cut in 0..=body.len() {
            let (head, tail) = body.split_at(cut);
            prop_assert_eq!(&decode([head, tail]).1, &whole, "cut at {}", cut);
        }
        prop_assert_eq!(&decode(body.chunks(1)).1, &whole);
    }
}

#[test]
fn an_image_that_the_model_made_is_part_of_the_answer() {
    let url = |data: &str| format!(r#"{{"type":"image_url","image_url":{{"url":"data:{data}"}}}}"#);
    let image = format!(r#"{{"images":[{}]}}"#, url("image/png;base64,iVBO"));
    let odd = format!(
        r#"{{"content":[{{"type":"text","text":"Here."}},{},{},{{"image_url":{{"url":"https://a.test/x.png"}}}}],"images":[null,7,{{}}]}}"#,
        url("image/webp;base64,UklG"),
        url("text/html;base64,AAAA")
    );
    check(
        &[&delta(&odd), &delta(&image), &delta(&image), &end("stop")],
        "text \"Here.\"\nimage image/webp UklG\nimage image/png iVBO\nEndTurn",
    );
}

//! What every request carries: the system prompt and the tools.

#![allow(
    clippy::unwrap_used,
    clippy::wildcard_enum_match_arm,
    reason = "a test that meets something else has failed"
)]

mod support;

use support::*;

/// The most that the prompt and the 17 built-in tools may take together, in bytes: it is paid for
/// with every request.
const MOST: usize = 15_000;
/// Of these, room for the tools that are not there yet: `web_search`, `get_tab_content`
/// and `execute_script`. It goes down as they come.
const ROOM_FOR_THE_REST: usize = 2_800;
const TOOLS: usize = 14;

#[test]
fn the_prompt_and_the_tools_stay_small_and_say_what_they_must() {
    let world = World::new();
    world.fake.http.push(answer(&["ok"]));
    let mut life = world.start_with_model();
    world.say(&life, "hi");
    life.work();
    let request = world.request(0);
    let prompt = request["messages"][0]["content"].as_str().unwrap();
    let tools = request["tools"].to_string();
    assert_eq!(request["tools"].as_array().unwrap().len(), TOOLS);
    let bytes = prompt.len() + tools.len();
    println!(
        "{bytes} bytes: {} of prompt, {} of tools",
        prompt.len(),
        tools.len()
    );
    assert!(
        bytes <= MOST - ROOM_FOR_THE_REST,
        "{bytes} bytes: {} of prompt, {} of tools\n{tools}",
        prompt.len(),
        tools.len()
    );
    for fact in [
        "Today: Thursday, 2026-05-28.",
        "Time zone: UTC (UTC+00:00).",
        "Person's language: en-US.",
        r#"{"id":1,"title":"Example","url":"https://example.test/"}"#,
        "list_tabs",
    ] {
        assert!(prompt.contains(fact), "{fact}\n{prompt}");
    }
}

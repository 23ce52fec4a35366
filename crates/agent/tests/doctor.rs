//! What trying a model out finds, puts right and says.

#![allow(
    clippy::unwrap_used,
    clippy::wildcard_enum_match_arm,
    reason = "a test that meets something else has failed, and most events do not concern it"
)]

mod support;

use serde_json::{Value, json};
use support::*;
use tabwright_host::fake::ScriptedResponse;
use tabwright_protocol::Capability::{No, Unknown, Yes};
use tabwright_protocol::{
    Capabilities, Capability, Event, ModelDraft, ModelOptions, ModelReport, ModelServer,
    ModelVerdict, ModelView, Op, ProviderKind,
};

struct Case {
    world: World,
    life: Life,
}

impl Case {
    /// A core with a model at that address, whose server answers like this.
    fn new(address: &str, responses: Vec<ScriptedResponse>) -> Self {
        Self::with(address, ModelOptions::default(), responses)
    }

    fn with(address: &str, options: ModelOptions, responses: Vec<ScriptedResponse>) -> Self {
        Self::of("test-model", address, options, responses)
    }

    fn of(
        model: &str,
        address: &str,
        options: ModelOptions,
        responses: Vec<ScriptedResponse>,
    ) -> Self {
        let world = World::new();
        let mut life = world.start();
        let model = ModelDraft {
            id: "m".into(),
            name: "Test".into(),
            provider: ProviderKind::OpenAiChat,
            address: address.into(),
            model: model.into(),
            key: Some(KEY.into()),
            scripted: false,
            context_window: None,
            options,
        };
        world.send(&life, Op::SaveModel { model });
        life.settle();
        for response in responses {
            world.fake.http.push(response);
        }
        Self { world, life }
    }

    /// Tries it out; the server is asked for all that it has to say.
    fn check(&mut self) -> ModelReport {
        self.begin();
        let report = self.report();
        assert_eq!(
            self.world.fake.http.left(),
            0,
            "a response was not asked for"
        );
        report
    }

    fn begin(&mut self) {
        self.world
            .send(&self.life, Op::CheckModel { model: "m".into() });
        self.life.settle();
    }

    fn report(&mut self) -> ModelReport {
        self.life.work();
        let mut reports = self
            .world
            .events()
            .into_iter()
            .filter_map(|it| match it.event {
                Event::ModelChecked { report, .. } => Some(report),
                _ => None,
            });
        reports.next_back().unwrap()
    }

    /// The record as a core that has just started shows it.
    fn stored(self) -> Option<ModelView> {
        let Self { world, life } = self;
        drop(life);
        let mut life = world.start();
        world.send(&life, Op::Hello);
        life.settle();
        let mut models = world.events().into_iter().filter_map(|it| match it.event {
            Event::Welcome { welcome, .. } => Some(welcome.models),
            _ => None,
        });
        models.next_back().unwrap().pop()
    }
}

const REMOTE: &str = "https://model.test/v1";
const HERE: &str = "http://localhost:9999/v1";

fn one_call() -> ScriptedResponse {
    calls(&[("list_tabs", "{}")])
}

fn two_calls() -> ScriptedResponse {
    calls(&[("list_tabs", "{}"), ("list_tasks", "{}")])
}

fn refusal(status: u16, message: &str) -> ScriptedResponse {
    ScriptedResponse::new(status)
        .header("content-type", "application/json")
        .chunk(json!({"error": {"message": message}}).to_string())
}

/// An answer that counts the request's tokens.
fn counted(text: &str, tokens: u64) -> ScriptedResponse {
    stream()
        .chunk(sse(
            &json!({"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": tokens, "completion_tokens": 1}}),
        ))
        .chunk("data: [DONE]\n\n")
}

fn can(tools: bool, parallel: bool, vision: bool) -> Capabilities {
    Capabilities {
        tools: if tools { Yes } else { No },
        parallel_tools: if parallel { Yes } else { Unknown },
        vision: if vision { Yes } else { No },
        thinking: Unknown,
        image_output: Unknown,
    }
}

#[test]
fn a_model_that_can_do_all_is_sent_what_the_agent_sends() {
    let mut case = Case::new(REMOTE, vec![one_call(), two_calls(), answer(&["Red."])]);
    let report = case.check();
    assert_eq!(report.verdict, ModelVerdict::Works);
    assert_eq!(
        report.message,
        "It works: it calls tools, makes several calls at once and sees images."
    );
    assert_eq!((report.can, report.mended), (can(true, true, true), vec![]));
    // The agent's own tools, and a picture.
    let tools = case.world.request(0)["tools"].as_array().unwrap().len();
    assert!(tools > 5, "{tools}");
    let picture = case.world.request(2).to_string();
    assert!(picture.contains("data:image/png;base64,"), "{picture}");
    // Nothing that was asked for has run.
    assert_eq!(case.world.tool_runs(), 0);
    assert_eq!(case.stored().unwrap().options.can, can(true, true, true));
}

#[test]
fn what_is_wrong_is_said_with_what_to_do_and_changes_nothing() {
    let check = |response: ScriptedResponse, expected: &[&str]| {
        // What the person has set by hand.
        let set = ModelOptions {
            text_calls: true,
            can: can(false, true, true),
            ..ModelOptions::default()
        };
        let mut case = Case::with(REMOTE, set.clone(), vec![response]);
        let report = case.check();
        assert_eq!(report.verdict, ModelVerdict::Fails);
        for part in expected {
            assert!(report.message.contains(part), "{}", report.message);
        }
        assert!(!report.message.contains(KEY), "{}", report.message);
        assert_eq!(case.stored().unwrap().options, set);
    };
    check(
        refusal(401, &format!("Incorrect API key provided: {KEY}.")),
        &["Check the key"],
    );
    check(refusal(429, "Rate limit reached"), &["Wait a little"]);
    check(
        refusal(404, "The model `test-model` does not exist"),
        &["does not exist", "Check the model's id"],
    );
}

#[test]
fn what_does_not_show_stays_as_the_person_has_set_it() {
    let set = ModelOptions {
        can: Capabilities {
            parallel_tools: No,
            thinking: Yes,
            ..Capabilities::default()
        },
        ..ModelOptions::default()
    };
    let answers = vec![one_call(), one_call(), answer(&["none"])];
    let mut case = Case::with(REMOTE, set, answers);
    assert_eq!(case.check().verdict, ModelVerdict::Works);
    let stored = case.stored().unwrap().options.can;
    assert_eq!(
        (
            stored.tools,
            stored.parallel_tools,
            stored.vision,
            stored.thinking
        ),
        (Yes, No, No, Yes)
    );
}

#[test]
fn a_missing_v1_is_put_there_and_the_key_stays() {
    let page = ScriptedResponse::new(404).chunk("404 page not found");
    let mut case = Case::new(
        "https://model.test",
        vec![page, one_call(), one_call(), answer(&["none"])],
    );
    let report = case.check();
    assert_eq!(report.message, "It works: it calls tools.");
    assert_eq!(
        report.mended,
        ["The address now ends with /v1: https://model.test/v1."]
    );
    assert_eq!(report.can, can(true, false, false));
    let url = &case.world.fake.http.requests()[1].request.url;
    assert_eq!(url, "https://model.test/v1/chat/completions");
    let stored = case.stored().unwrap();
    assert_eq!((stored.address.as_str(), stored.has_key), (REMOTE, true));
}

#[test]
fn an_address_that_a_v1_does_not_help_stays_as_it_was() {
    let page = || ScriptedResponse::new(404).chunk("404 page not found");
    let mut case = Case::new("https://model.test", vec![page(), page()]);
    let report = case.check();
    assert_eq!(
        (report.verdict, report.mended),
        (ModelVerdict::Fails, vec![])
    );
    assert_eq!(case.stored().unwrap().address, "https://model.test");
}

#[test]
fn what_a_server_says_at_the_right_address_is_told() {
    let page = || ScriptedResponse::new(404).chunk("404 page not found");
    let wrong_key = refusal(401, "Incorrect API key provided.");
    let mut case = Case::new("https://model.test", vec![page(), wrong_key]);
    let report = case.check();
    assert_eq!(report.verdict, ModelVerdict::Fails);
    assert!(
        report.message.contains("Check the key"),
        "{}",
        report.message
    );
    assert_eq!(
        report.mended,
        ["The address now ends with /v1: https://model.test/v1."]
    );
    assert_eq!(case.stored().unwrap().address, REMOTE);

    let no_tools = refusal(400, "test-model does not support tools");
    let in_text = "<tool_call>\n{\"name\": \"list_tabs\", \"arguments\": {}}\n</tool_call>";
    let answers = vec![page(), no_tools, answer(&["Hi"]), answer(&[in_text])];
    let mut case = Case::new("https://model.test", answers);
    let report = case.check();
    assert_eq!(report.verdict, ModelVerdict::Works, "{}", report.message);
    assert_eq!(report.mended.len(), 2, "{:?}", report.mended);
    assert_eq!(case.stored().unwrap().address, REMOTE);
}

#[test]
fn a_server_that_has_enough_of_requests_says_nothing_of_the_model() {
    let refused = refusal(429, "Rate limit reached");
    let mut case = Case::new(REMOTE, vec![answer(&["Hello!"]), refused]);
    let report = case.check();
    assert_eq!(report.verdict, ModelVerdict::Fails);
    assert!(
        report.message.contains("Wait a little"),
        "{}",
        report.message
    );
    assert_eq!(case.stored().unwrap().options, ModelOptions::default());
}

#[test]
fn a_model_whose_server_refuses_tools_is_told_of_them_in_words() {
    let in_text = "<tool_call>\n{\"name\": \"list_tabs\", \"arguments\": {}}\n</tool_call>";
    let mut case = Case::new(
        REMOTE,
        vec![
            refusal(400, "test-model does not support tools"),
            answer(&["Hello!"]),
            answer(&[in_text]),
            answer(&["One after the other."]),
            refusal(400, "this model takes no images"),
        ],
    );
    let report = case.check();
    assert_eq!(report.verdict, ModelVerdict::Works);
    assert_eq!(
        report.mended,
        ["It writes its calls into its text, so they are looked for there."]
    );
    assert_eq!(case.world.request(2)["tools"], Value::Null);
    let system = case.world.request(2)["messages"][0].to_string();
    assert!(system.contains("list_tabs"), "{system}");
    let options = case.stored().unwrap().options;
    assert_eq!(
        (options.text_calls, options.can),
        (true, can(false, false, false))
    );
}

#[test]
fn a_model_that_calls_nothing_can_talk() {
    let talk = || answer(&["I have no tools."]);
    let mut case = Case::new(REMOTE, vec![talk(), talk(), talk(), talk()]);
    let report = case.check();
    assert_eq!(report.verdict, ModelVerdict::ChatOnly);
    assert!(
        report.message.contains("did not call a tool"),
        "{}",
        report.message
    );
    let options = case.stored().unwrap().options;
    assert_eq!(
        (options.text_calls, options.can),
        (false, can(false, false, false))
    );
}

#[test]
fn a_server_here_that_drops_the_beginning_unsaid_is_found_out() {
    let mut case = Case::new(
        HERE,
        vec![
            one_call(),
            one_call(),
            answer(&["none"]),
            counted("ok", 2_047),
        ],
    );
    let report = case.check();
    assert_eq!(report.verdict, ModelVerdict::Fails);
    assert!(
        report.message.contains("only about 2047 tokens at once"),
        "{}",
        report.message
    );

    let mut case = Case::new(
        HERE,
        vec![
            one_call(),
            one_call(),
            answer(&["none"]),
            counted("ok", 4_950),
        ],
    );
    assert_eq!(case.check().verdict, ModelVerdict::Works);
}

#[test]
fn a_model_that_does_not_answer_is_not_waited_for_without_end() {
    let mut case = Case::new(REMOTE, vec![ScriptedResponse::never()]);
    case.begin();
    case.world.fake.clock.advance(180_000);
    let report = case.report();
    assert_eq!(report.verdict, ModelVerdict::Fails);
    assert!(report.message.contains("180 s"), "{}", report.message);
}

#[test]
fn a_record_that_was_deleted_meanwhile_is_not_brought_back() {
    let mut case = Case::new(REMOTE, vec![one_call(), two_calls(), answer(&["Red."])]);
    case.begin();
    case.world
        .send(&case.life, Op::DeleteModel { model: "m".into() });
    case.life.work();
    assert_eq!(case.report().verdict, ModelVerdict::Works);
    assert_eq!(case.stored(), None);
}

#[test]
fn a_model_that_is_not_there_is_refused() {
    let world = World::new();
    let mut life = world.start();
    let op = world.send(&life, Op::CheckModel { model: "x".into() });
    life.settle();
    assert_eq!(world.refusal(&op).as_deref(), Some("no_such_model"));
}

#[test]
fn the_servers_on_this_computer_say_what_they_have() {
    let world = World::new();
    let mut life = world.start();
    let json = |value: Value| ScriptedResponse::new(200).chunk(value.to_string());
    world.fake.http.push(json(json!({"models": [
        {"name": "qwen3:8b", "model": "qwen3:8b"}, {"name": "llava:7b", "model": "llava:7b"},
    ]})));
    world.fake.http.push(ScriptedResponse::new(404));
    world.fake.http.push(json(json!({
        "models": [{"name": "/m/a.gguf"}], "object": "list", "data": [{"id": "a"}],
    })));
    world.send(&life, Op::FindModels);
    life.work();
    let found = world.events().into_iter().find_map(|it| match it.event {
        Event::ModelsFound { servers, .. } => Some(servers),
        _ => None,
    });
    let server = |name: &str, provider, address: &str, models: &[&str]| ModelServer {
        name: name.into(),
        provider,
        address: address.into(),
        models: models.iter().map(|it| (*it).to_owned()).collect(),
    };
    assert_eq!(
        found.unwrap(),
        [
            server(
                "Ollama",
                ProviderKind::Ollama,
                "http://localhost:11434",
                &["qwen3:8b", "llava:7b"]
            ),
            server(
                "llama.cpp",
                ProviderKind::OpenAiChat,
                "http://localhost:8080/v1",
                &["a"]
            ),
        ]
    );
}

#[test]
fn a_model_that_makes_images_is_asked_for_one() {
    let image = || {
        stream().chunk(sse(
            &json!({"choices": [{"index": 0, "finish_reason": "stop", "delta": {
            "images": [{"image_url": {"url": "data:image/png;base64,iVBO"}}]}}]}),
        ))
    };
    let check = |response: ScriptedResponse, expected: Capability, says: bool| {
        let responses = vec![one_call(), two_calls(), answer(&["Red."]), response];
        let mut case = Case::of(
            "some-image-model",
            REMOTE,
            ModelOptions::default(),
            responses,
        );
        let report = case.check();
        assert_eq!(report.can.image_output, expected);
        assert_eq!(
            report.message.contains("makes images"),
            says,
            "{}",
            report.message
        );
        let asked = case.world.request(3);
        assert_eq!(asked["modalities"], json!(["image", "text"]));
        assert_eq!(case.stored().unwrap().options.can.image_output, expected);
    };
    check(image(), Yes, true);
    check(answer(&["I cannot."]), No, false);
    check(refusal(400, "No."), Unknown, false);
}

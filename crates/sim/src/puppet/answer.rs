//! What the model's server sends, piece by piece, and what goes wrong with it.

use serde_json::{Value, json};
use tabwright_host::HostErrorKind;
use tabwright_host::fake::ScriptedResponse;

use crate::plan::{Call, Mischief};
use crate::random::Random;
use crate::world::StepId;

/// An answer to one request.
pub(super) struct Answer {
    /// Who answers.
    pub(super) model: String,
    /// The tokens of the request.
    pub(super) tokens: u64,
    /// What is said.
    pub(super) decision: Content,
}

/// What is said.
pub(super) enum Content {
    Calls(Vec<(StepId, Call)>),
    Text(String),
}

/// What the provider wants to see again with a call, and with the message whose first call it is.
pub(super) fn signature(model: &str, step: StepId) -> String {
    format!("signed by {model} for {step}")
}

/// The server finds the conversation too long.
pub(super) fn too_long(tokens: u64, window: u64) -> ScriptedResponse {
    let error = json!({"error": {
        "message": format!("This model's maximum context length is {window} tokens. However, your messages resulted in {tokens} tokens."),
        "type": "invalid_request_error", "code": "context_length_exceeded",
    }});
    ScriptedResponse::new(400).chunk(error.to_string())
}

impl Answer {
    pub(super) fn respond(
        &self,
        mischief: Option<Mischief>,
        mut random: Random,
    ) -> ScriptedResponse {
        let latency = random.between(1, 200);
        if let Some(refusal) = self.refusal(mischief.as_ref()) {
            return refusal.head_after(latency);
        }
        let pieces = self.pieces(mischief.as_ref(), &mut random);
        let pause = match &mischief {
            Some(Mischief::Slow(millis)) => *millis,
            Some(_) | None => random.between(1, 60),
        };
        let stream = ScriptedResponse::new(200)
            .header("content-type", "text/event-stream")
            .head_after(latency);
        let (kept, end) = cut(&pieces, mischief.as_ref());
        let mut response = stream;
        for piece in &pieces[..kept] {
            response = response.chunk(piece).wait(pause);
        }
        match end {
            End::Whole => response,
            End::Breaks => response.break_with(HostErrorKind::Failed),
            End::Hangs => response.hang(),
            End::Says(text) => response.chunk(text),
        }
    }

    /// What comes instead of an answer, if something does.
    fn refusal(&self, mischief: Option<&Mischief>) -> Option<ScriptedResponse> {
        let response = match mischief? {
            Mischief::TooMany(seconds) => ScriptedResponse::new(429)
                .header("retry-after", &seconds.to_string())
                .chunk(r#"{"error":{"message":"Rate limit reached."}}"#),
            Mischief::Status(status) => {
                ScriptedResponse::new(*status).chunk(r#"{"error":{"message":"It is broken."}}"#)
            }
            Mischief::Unreachable => ScriptedResponse::fail(HostErrorKind::Unavailable, "no route"),
            Mischief::Silent => ScriptedResponse::never(),
            Mischief::WebPage => ScriptedResponse::new(200).chunk("<!doctype html><p>Sign in"),
            Mischief::TooLong => too_long(self.tokens, self.tokens / 2),
            Mischief::Whole => ScriptedResponse::new(200).chunk(self.whole().to_string()),
            Mischief::BreaksAfter(_)
            | Mischief::EndsAfter(_)
            | Mischief::StallsAfter(_)
            | Mischief::GarbageAfter(_)
            | Mischief::ErrorAfter(_)
            | Mischief::Repeated
            | Mischief::CutShort
            | Mischief::Filtered
            | Mischief::Empty
            | Mischief::Slow(_) => return None,
        };
        Some(response)
    }

    /// The answer in one object.
    fn whole(&self) -> Value {
        let message = match &self.decision {
            Content::Text(text) => json!({"role": "assistant", "content": text}),
            Content::Calls(calls) => {
                let calls: Vec<Value> = (0..)
                    .zip(calls)
                    .map(|(index, (step, call))| {
                        let (_, arguments) = call.request(*step);
                        let text = arguments.to_string();
                        self.call_entry(index, *step, call, &text)
                    })
                    .collect();
                json!({
                    "role": "assistant", "content": null, "tool_calls": calls,
                    "reasoning_content": self.own_signature(),
                })
            }
        };
        json!({
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": self.usage(),
        })
    }

    /// The stream, piece by piece.
    fn pieces(&self, mischief: Option<&Mischief>, random: &mut Random) -> Vec<String> {
        let mut deltas = match (&self.decision, mischief) {
            (_, Some(Mischief::Empty)) => vec![json!({"role": "assistant", "content": ""})],
            (Content::Text(text), _) => text_deltas(text, random),
            (Content::Calls(calls), _) => {
                let may_split = mischief != Some(&Mischief::Repeated);
                self.call_deltas(calls, may_split, random)
            }
        };
        if mischief == Some(&Mischief::Repeated) {
            deltas = deltas.into_iter().flat_map(twice_if_call).collect();
        }
        let reason = match (mischief, &self.decision) {
            (Some(Mischief::CutShort), _) => "length",
            (Some(Mischief::Filtered), _) => "content_filter",
            (_, Content::Calls(_)) => "tool_calls",
            (_, Content::Text(_)) => "stop",
        };
        if mischief == Some(&Mischief::CutShort) && deltas.len() > 1 {
            deltas.pop();
        }
        let mut pieces: Vec<String> = deltas
            .iter()
            .map(|delta| event(&json!({"choices": [{"index": 0, "delta": delta}]})))
            .collect();
        pieces.push(event(&json!({
            "choices": [{"index": 0, "delta": {}, "finish_reason": reason}],
            "usage": self.usage(),
        })));
        pieces.push("data: [DONE]\n\n".to_owned());
        pieces
    }

    fn call_deltas(
        &self,
        calls: &[(StepId, Call)],
        may_split: bool,
        random: &mut Random,
    ) -> Vec<Value> {
        let mut deltas = Vec::new();
        if random.chance(30) {
            deltas.push(json!({"content": "Let me see."}));
        }
        deltas.push(json!({"reasoning_content": self.own_signature()}));
        for (index, (step, call)) in (0..).zip(calls) {
            let (_, arguments) = call.request(*step);
            let text = arguments.to_string();
            if !may_split || random.chance(50) {
                let entry = self.call_entry(index, *step, call, &text);
                deltas.push(json!({"tool_calls": [entry]}));
                continue;
            }
            // The arguments are ASCII, so they may be cut anywhere.
            let (first, rest) = text.split_at(random.index(text.len()));
            let entry = self.call_entry(index, *step, call, first);
            deltas.push(json!({"tool_calls": [entry]}));
            deltas.push(json!({"tool_calls": [
                {"index": index, "function": {"arguments": rest}},
            ]}));
        }
        deltas
    }

    fn call_entry(&self, index: u32, step: StepId, call: &Call, arguments: &str) -> Value {
        let (name, _) = call.request(step);
        // Some servers number each answer's calls from 0, so that ids come again and again.
        let id = if step.plan.is_multiple_of(3) {
            format!("call_{index}")
        } else {
            format!("call_{step}")
        };
        json!({
            "index": index, "id": id, "type": "function",
            "function": {"name": name, "arguments": arguments},
            "extra_content": {"signature": signature(&self.model, step)},
        })
    }

    fn own_signature(&self) -> String {
        match &self.decision {
            Content::Calls(calls) => calls
                .first()
                .map(|(step, _)| signature(&self.model, *step))
                .unwrap_or_default(),
            Content::Text(_) => String::new(),
        }
    }

    fn usage(&self) -> Value {
        json!({"prompt_tokens": self.tokens, "completion_tokens": 20})
    }
}

fn twice_if_call(delta: Value) -> Vec<Value> {
    if delta.get("tool_calls").is_some() {
        vec![delta.clone(), delta]
    } else {
        vec![delta]
    }
}

fn text_deltas(text: &str, random: &mut Random) -> Vec<Value> {
    let mut deltas = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (piece, later) = rest.split_at(random.index(rest.len()) + 1);
        deltas.push(json!({"content": piece}));
        rest = later;
    }
    deltas
}

/// How a stream ends.
enum End {
    Whole,
    Breaks,
    Hangs,
    Says(String),
}

/// How many pieces come, and how the stream ends after them.
fn cut(pieces: &[String], mischief: Option<&Mischief>) -> (usize, End) {
    // The mark of the end is never among those that come before something goes wrong.
    let most = pieces.len().saturating_sub(2);
    match mischief {
        Some(Mischief::BreaksAfter(count)) => ((*count).min(most), End::Breaks),
        Some(Mischief::EndsAfter(count)) => ((*count).min(most), End::Whole),
        Some(Mischief::StallsAfter(count)) => ((*count).min(most), End::Hangs),
        Some(Mischief::GarbageAfter(count)) => (
            (*count).min(most),
            End::Says("data: {\"choices\": [\n\n".to_owned()),
        ),
        Some(Mischief::ErrorAfter(count)) => {
            let error = json!({"error": {"message": "The server is overloaded.", "code": 529}});
            ((*count).min(most), End::Says(event(&error)))
        }
        Some(
            Mischief::TooMany(_)
            | Mischief::Status(_)
            | Mischief::Unreachable
            | Mischief::Silent
            | Mischief::WebPage
            | Mischief::TooLong
            | Mischief::Repeated
            | Mischief::CutShort
            | Mischief::Filtered
            | Mischief::Empty
            | Mischief::Slow(_)
            | Mischief::Whole,
        )
        | None => (pieces.len(), End::Whole),
    }
}

fn event(value: &Value) -> String {
    format!("data: {value}\n\n")
}

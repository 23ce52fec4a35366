//! A request, read and checked against the rules that all providers have together.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::world::StepId;

/// What a request says.
pub(super) struct Asked {
    /// The model it asks for.
    pub(super) model: String,
    /// How long it is.
    pub(super) tokens: u64,
    /// The markers in what the person wrote, or in a summary of it, in order.
    pub(super) markers: Vec<String>,
    /// What it wants.
    pub(super) wants: Wants,
    /// The steps that have a result in it.
    pub(super) results: Vec<StepId>,
    /// The steps that were asked for in it, as often as they were.
    pub(super) calls: Vec<StepId>,
    /// What came back of what the provider had sent along.
    pub(super) opaque: Vec<Opaque>,
}

/// What a request wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wants {
    /// The next thing to do.
    Round,
    /// A summary of everything above.
    Summary,
    /// A last word.
    Closing,
}

/// What came back with a call.
pub(super) struct Opaque {
    pub(super) step: StepId,
    pub(super) signature: Option<String>,
}

impl Asked {
    /// The plan that the conversation follows: the last of the person's, or the sub-agent's own.
    pub(super) fn plan(&self) -> Option<u32> {
        let last = |kind: &str| {
            let mut markers = self.markers.iter().rev();
            markers.find_map(|marker| number_in(marker, kind))
        };
        last("plan").or_else(|| last("brief"))
    }

    /// The markers, each once.
    pub(super) fn markers(&self) -> BTreeSet<String> {
        self.markers.iter().cloned().collect()
    }
}

fn number_in(marker: &str, kind: &str) -> Option<u32> {
    let inner = marker.strip_prefix('[')?.strip_suffix(']')?;
    inner.strip_prefix(kind)?.strip_prefix(':')?.parse().ok()
}

/// Reads a request; the error says which rule it breaks.
pub(super) fn read(body: &[u8]) -> Result<Asked, String> {
    let request: Value =
        serde_json::from_slice(body).map_err(|error| format!("the body is no JSON: {error}"))?;
    let messages = request["messages"]
        .as_array()
        .ok_or("there are no messages")?;
    let mut reader = Reader::default();
    for message in messages {
        reader.read(message)?;
    }
    reader.end()?;
    Ok(Asked {
        model: request["model"].as_str().unwrap_or_default().to_owned(),
        tokens: body.len() as u64 / 4,
        wants: reader.wants(),
        markers: reader.markers,
        results: reader.results,
        calls: reader.calls,
        opaque: reader.opaque,
    })
}

/// Who spoke last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Role {
    #[default]
    Nobody,
    System,
    Person,
    Model,
    Tool,
}

#[derive(Default)]
struct Reader {
    last: Role,
    /// The calls that have no result yet, in order: id and step.
    open: Vec<(String, Option<StepId>)>,
    ids: BTreeSet<String>,
    last_words: String,
    markers: Vec<String>,
    results: Vec<StepId>,
    calls: Vec<StepId>,
    opaque: Vec<Opaque>,
}

impl Reader {
    fn read(&mut self, message: &Value) -> Result<(), String> {
        let role = message["role"].as_str().unwrap_or_default();
        if role != "tool" && !self.open.is_empty() {
            let (id, _) = &self.open[0];
            return Err(format!("the call {id} has no result right after it"));
        }
        self.last = match role {
            "system" => self.system(message)?,
            "user" => self.person(message)?,
            "assistant" => self.model(message)?,
            "tool" => self.tool(message)?,
            other => return Err(format!("there is no role {other:?}")),
        };
        Ok(())
    }

    fn system(&self, message: &Value) -> Result<Role, String> {
        if self.last != Role::Nobody {
            return Err("the system prompt is not the first message".to_owned());
        }
        text_of(message).map(|_| Role::System)
    }

    fn person(&mut self, message: &Value) -> Result<Role, String> {
        if self.last == Role::Person || self.last == Role::Nobody {
            return Err(format!("the person speaks after {:?}", self.last));
        }
        let text = text_of(message)?;
        self.markers.extend(markers_in(text));
        text.clone_into(&mut self.last_words);
        Ok(Role::Person)
    }

    fn model(&mut self, message: &Value) -> Result<Role, String> {
        if self.last != Role::Person && self.last != Role::Tool {
            return Err(format!("the model speaks after {:?}", self.last));
        }
        let calls = message["tool_calls"].as_array();
        match (&message["content"], calls) {
            (Value::Null, Some(_)) => {}
            (Value::String(text), _) if !text.trim().is_empty() => {}
            (content, _) => return Err(format!("the model says nothing: {content}")),
        }
        let calls = calls.map(Vec::as_slice).unwrap_or_default();
        for (place, call) in calls.iter().enumerate() {
            let step = self.call(call)?;
            // The message's own signature is that of its first call.
            let whole = (place == 0).then(|| message["reasoning_content"].as_str());
            let own = call["extra_content"]["signature"].as_str();
            for signature in whole.into_iter().chain([own]) {
                self.opaque.extend(step.map(|step| Opaque {
                    step,
                    signature: signature.map(str::to_owned),
                }));
            }
        }
        Ok(Role::Model)
    }

    fn call(&mut self, call: &Value) -> Result<Option<StepId>, String> {
        let id = call["id"].as_str().unwrap_or_default();
        if id.trim().is_empty() || !self.ids.insert(id.to_owned()) {
            return Err(format!("the call id {id:?} is empty or not unique"));
        }
        let function = &call["function"];
        let name = function["name"].as_str().unwrap_or_default();
        let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        if call["type"] != "function" || name.is_empty() || !name.chars().all(fits) {
            return Err(format!("{call} is no call"));
        }
        let text = function["arguments"].as_str().unwrap_or_default();
        let arguments: Value = serde_json::from_str(text).unwrap_or_default();
        if !arguments.is_object() {
            return Err(format!("the arguments {text:?} are no object"));
        }
        let step = arguments["id"].as_str().and_then(StepId::parse);
        self.calls.extend(step);
        self.open.push((id.to_owned(), step));
        Ok(step)
    }

    fn tool(&mut self, message: &Value) -> Result<Role, String> {
        let id = message["tool_call_id"].as_str().unwrap_or_default();
        if self.open.first().is_none_or(|(open, _)| open != id) {
            return Err(format!("the result of {id:?} is not where it belongs"));
        }
        let text = text_of(message)?;
        // Every call gets a result of its own before the next request is made.
        if text.contains(r#""code":"no_result""#) {
            return Err(format!(
                "the result of {id:?} was lost, and another stands in for it"
            ));
        }
        let (_, step) = self.open.remove(0);
        self.results.extend(step);
        Ok(Role::Tool)
    }

    fn end(&self) -> Result<(), String> {
        if let Some((id, _)) = self.open.first() {
            return Err(format!("the call {id} has no result"));
        }
        match self.last {
            Role::Person | Role::Tool => Ok(()),
            Role::Nobody | Role::System | Role::Model => {
                Err(format!("the last to speak is {:?}", self.last))
            }
        }
    }

    fn wants(&self) -> Wants {
        let words = &self.last_words;
        if self.last != Role::Person {
            Wants::Round
        } else if words.contains("[Tabwright] Room is running out") {
            Wants::Summary
        } else if words.contains("[Tabwright] This turn has reached its limit") {
            Wants::Closing
        } else {
            Wants::Round
        }
    }
}

fn text_of(message: &Value) -> Result<&str, String> {
    match message["content"].as_str() {
        Some(text) if !text.trim().is_empty() => Ok(text),
        Some(_) | None => Err(format!("a message without text: {message}")),
    }
}

/// The markers in a text, in order.
pub fn markers_in(text: &str) -> Vec<String> {
    const KINDS: [&str; 3] = ["[plan:", "[brief:", "[steer:"];
    text.split_inclusive(']')
        .filter_map(|piece| {
            let at = KINDS.iter().filter_map(|kind| piece.rfind(kind)).max()?;
            Some(piece[at..].to_owned())
        })
        .filter(|marker| marker.ends_with(']'))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(messages: &str, expected: Result<u32, &str>) {
        let body = format!(r#"{{"model":"m","messages":{messages}}}"#);
        match (read(body.as_bytes()), expected) {
            (Ok(asked), Ok(plan)) => assert_eq!(asked.plan(), Some(plan)),
            (Err(why), Err(part)) => assert!(why.contains(part), "{why}"),
            (Ok(_), Err(part)) => panic!("it is legal, but should break: {part}"),
            (Err(why), Ok(_)) => panic!("{why}"),
        }
    }

    const SYSTEM: &str = r#"{"role":"system","content":"S"}"#;
    const PERSON: &str = r#"{"role":"user","content":"[plan:7] do [steer:1]"}"#;
    const MODEL: &str = r#"{"role":"assistant","content":null,"tool_calls":[
        {"id":"a","type":"function","function":{"name":"look","arguments":"{\"id\":\"7.0.0\"}"}},
        {"id":"b","type":"function","function":{"name":"look","arguments":"{\"id\":\"7.0.1\"}"}}]}"#;
    const A: &str = r#"{"role":"tool","tool_call_id":"a","content":"x"}"#;
    const B: &str = r#"{"role":"tool","tool_call_id":"b","content":"x"}"#;

    #[test]
    fn legal_requests_are_read() {
        check(&format!("[{SYSTEM},{PERSON}]"), Ok(7));
        check(&format!("[{SYSTEM},{PERSON},{MODEL},{A},{B}]"), Ok(7));
    }

    #[test]
    fn each_broken_rule_is_named() {
        check(&format!("[{PERSON}]"), Err("speaks after"));
        check(
            &format!("[{SYSTEM},{PERSON},{PERSON}]"),
            Err("speaks after"),
        );
        check(&format!("[{SYSTEM},{PERSON},{SYSTEM}]"), Err("system"));
        check(&format!("[{SYSTEM},{PERSON},{MODEL}]"), Err("no result"));
        check(&format!("[{SYSTEM},{PERSON},{MODEL},{A}]"), Err("call b"));
        check(
            &format!("[{SYSTEM},{PERSON},{MODEL},{B},{A}]"),
            Err("where it belongs"),
        );
        check(
            &format!("[{SYSTEM},{PERSON},{MODEL},{A},{PERSON}]"),
            Err("right after"),
        );
        check(
            &format!("[{SYSTEM},{PERSON},{MODEL},{A},{B},{MODEL},{A},{B}]"),
            Err("not unique"),
        );
        check(&format!("[{SYSTEM},{PERSON},{A}]"), Err("where it belongs"));
        check(
            &format!(r#"[{SYSTEM},{{"role":"user","content":" "}}]"#),
            Err("without text"),
        );
    }

    #[test]
    fn markers_are_found_in_order() {
        let text = "[plan:7] a [x] b[steer:1][brief:2] c [plan:";
        assert_eq!(markers_in(text), ["[plan:7]", "[steer:1]", "[brief:2]"]);
    }
}

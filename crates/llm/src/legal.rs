//! Makes a history one that every provider takes.
//!
//! The rules, which are all providers' rules together: it begins with the person and does not end
//! with the model; the two take turns; right after a message with calls comes exactly one result
//! for each of them, in order, and results are nowhere else; no text is blank; call ids are unique;
//! tool names are of the characters and length that all take; arguments are JSON objects.

use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};
use std::mem;

use crate::json::is_object;
use crate::{AssistantCall, Image, Message, Part};

/// What stands in for a result that is not there.
const NO_RESULT: &str = r#"{"error":"This call has no result: it was interrupted. Look before you make it again.","code":"no_result"}"#;
/// What stands in for a result without text.
const EMPTY_RESULT: &str = "(nothing)";
/// What the person is taken to have said where a provider wants them to have said something.
const GO_ON: &str = "Continue.";
/// No tool name is longer.
const LONGEST_NAME: usize = 64;

/// The messages with as little changed as makes them legal. A legal list stays as it is.
pub fn make_legal(messages: Vec<Message>) -> Vec<Message> {
    // Nearly always, and a long conversation is asked for in every round: mending takes every
    // message apart.
    if is_legal(&messages) {
        messages
    } else {
        mended(messages)
    }
}

fn mended(mut messages: Vec<Message>) -> Vec<Message> {
    let mut legal: Vec<Message> = Vec::with_capacity(messages.len());
    let mut results = Results::taken_from(&mut messages);
    let mut ids = CallIds::default();
    for (at, message) in messages.into_iter().enumerate() {
        match message {
            Message::User { parts } => add_user(&mut legal, parts),
            Message::Assistant {
                text,
                thinking,
                calls,
                opaque,
            } => {
                let mut answers = Vec::with_capacity(calls.len());
                let calls = calls
                    .into_iter()
                    .map(|call| {
                        let Outcome {
                            text,
                            images,
                            is_error,
                        } = results.take(at, &call.id);
                        let call = legal_call(call, &mut ids);
                        answers.push(Message::ToolResult {
                            call_id: call.id.clone(),
                            tool: call.name.clone(),
                            text,
                            images,
                            is_error,
                        });
                        call
                    })
                    .collect();
                let message = Message::Assistant {
                    text: if is_blank(&text) { String::new() } else { text },
                    thinking,
                    calls,
                    opaque,
                };
                add_assistant(&mut legal, message);
                legal.extend(answers);
            }
            // Taken when its call came.
            Message::ToolResult { .. } => {}
        }
    }
    if matches!(legal.last(), Some(Message::Assistant { .. })) {
        add_user(&mut legal, vec![Part::Text(GO_ON.to_owned())]);
    }
    legal
}

/// Whether all rules hold.
fn is_legal(messages: &[Message]) -> bool {
    let mut ids = HashSet::new();
    let mut rest = messages.iter();
    let (mut person_may, mut model_may) = (true, false);
    while let Some(message) = rest.next() {
        let holds = match message {
            Message::User { parts } => {
                person_may && !parts.is_empty() && parts.iter().all(says_something)
            }
            Message::Assistant {
                text,
                thinking: _,
                calls,
                opaque: _,
            } => {
                let says = !is_blank(text) || (text.is_empty() && !calls.is_empty());
                let is_answered = |call: &AssistantCall| {
                    let result = rest.next();
                    result.is_some_and(|result| answers(result, call))
                };
                let are_answered = model_may && says && calls.iter().all(is_answered);
                are_answered
                    && calls.iter().all(is_legal_call)
                    && calls.iter().all(|call| ids.insert(call.id.as_str()))
            }
            Message::ToolResult { .. } => false,
        };
        if !holds {
            return false;
        }
        // After results either may speak.
        (person_may, model_may) = match message {
            Message::User { .. } => (false, true),
            Message::Assistant { calls, .. } => (true, !calls.is_empty()),
            Message::ToolResult { .. } => (true, true),
        };
    }
    !matches!(messages.last(), Some(Message::Assistant { .. }))
}

fn says_something(part: &Part) -> bool {
    match part {
        Part::Text(text) => !is_blank(text),
        Part::Image(_) => true,
    }
}

fn is_legal_call(call: &AssistantCall) -> bool {
    let named = (1..=LONGEST_NAME).contains(&call.name.len()) && call.name.chars().all(is_of_names);
    named && !is_blank(&call.id) && is_object(&call.arguments)
}

/// Whether a message is the result of that call, and as it must be.
fn answers(message: &Message, call: &AssistantCall) -> bool {
    match message {
        Message::ToolResult {
            call_id,
            tool,
            text,
            images: _,
            is_error: _,
        } => *call_id == call.id && *tool == call.name && !is_blank(text),
        Message::User { .. } | Message::Assistant { .. } => false,
    }
}

/// The results of the old list by their call's id, each of which is used at most once.
struct Results {
    /// With their places, in the order they came.
    waiting: BTreeMap<String, VecDeque<(usize, Outcome)>>,
    /// Where the model asked with the id: a result belongs to the last time before it.
    asked: BTreeMap<String, BTreeSet<usize>>,
}

/// What a result says.
struct Outcome {
    text: String,
    images: Vec<Image>,
    is_error: bool,
}

impl Results {
    /// Takes them out of their messages: a long conversation is mostly results, and is not copied.
    fn taken_from(messages: &mut [Message]) -> Self {
        let mut results = Self {
            waiting: BTreeMap::new(),
            asked: BTreeMap::new(),
        };
        for (at, message) in messages.iter_mut().enumerate() {
            match message {
                Message::User { .. } => {}
                Message::Assistant { calls, .. } => {
                    for call in calls {
                        results.asked.entry(call.id.clone()).or_default().insert(at);
                    }
                }
                Message::ToolResult {
                    call_id,
                    tool: _,
                    text,
                    images,
                    is_error,
                } => {
                    let outcome = Outcome {
                        text: mem::take(text),
                        images: mem::take(images),
                        is_error: *is_error,
                    };
                    let waiting = results.waiting.entry(mem::take(call_id)).or_default();
                    waiting.push_back((at, outcome));
                }
            }
        }
        results
    }

    /// The result of a call that the message at `at` asked for, or what stands in for it.
    fn take(&mut self, at: usize, id: &str) -> Outcome {
        let mut outcome = self.find(at, id).unwrap_or_else(|| Outcome {
            text: NO_RESULT.to_owned(),
            images: Vec::new(),
            is_error: true,
        });
        if is_blank(&outcome.text) {
            EMPTY_RESULT.clone_into(&mut outcome.text);
        }
        outcome
    }

    fn find(&mut self, at: usize, id: &str) -> Option<Outcome> {
        let asked_again = self
            .asked
            .get(id)
            .and_then(|places| places.range(at + 1..).next().copied())
            .unwrap_or(usize::MAX);
        let waiting = self.waiting.get_mut(id)?;
        while waiting.front().is_some_and(|(place, _)| *place < at) {
            waiting.pop_front();
        }
        let (place, _) = waiting.front()?;
        if *place > asked_again {
            return None;
        }
        let (_, outcome) = waiting.pop_front()?;
        Some(outcome)
    }
}

fn add_user(legal: &mut Vec<Message>, parts: Vec<Part>) {
    let parts: Vec<Part> = parts.into_iter().filter(says_something).collect();
    if parts.is_empty() {
        return;
    }
    if let Some(Message::User { parts: before }) = legal.last_mut() {
        before.extend(parts);
    } else {
        legal.push(Message::User { parts });
    }
}

/// Two messages of the model in a row become one. The first one's opaque value is lost: it was made
/// for a message that is not there any more.
fn add_assistant(legal: &mut Vec<Message>, message: Message) {
    let Message::Assistant {
        text,
        thinking,
        calls,
        opaque,
    } = message
    else {
        return;
    };
    if text.is_empty() && calls.is_empty() {
        return;
    }
    if legal.is_empty() {
        add_user(legal, vec![Part::Text(GO_ON.to_owned())]);
    }
    if let Some(Message::Assistant {
        text: text_before,
        thinking: thinking_before,
        calls: calls_before,
        opaque: opaque_before,
    }) = legal.last_mut()
    {
        append(text_before, &text);
        append(thinking_before, &thinking);
        *calls_before = calls;
        *opaque_before = opaque;
    } else {
        legal.push(Message::Assistant {
            text,
            thinking,
            calls,
            opaque,
        });
    }
}

fn append(before: &mut String, text: &str) {
    if !before.is_empty() && !text.is_empty() {
        before.push_str("\n\n");
    }
    before.push_str(text);
}

fn legal_call(call: AssistantCall, ids: &mut CallIds) -> AssistantCall {
    let arguments = if is_object(&call.arguments) {
        call.arguments
    } else {
        "{}".to_owned()
    };
    AssistantCall {
        id: ids.unique(&call.id),
        name: legal_name(&call.name),
        arguments,
        opaque: call.opaque,
    }
}

/// Ids that are taken, and where to look for a free one: some models give each call of a
/// conversation the same id.
#[derive(Default)]
pub(crate) struct CallIds {
    taken: BTreeSet<String>,
    next: BTreeMap<String, u32>,
}

impl CallIds {
    /// The id, or one made from it that no other call has.
    pub(crate) fn unique(&mut self, id: &str) -> String {
        let base = if is_blank(id) { "call" } else { id };
        if self.taken.insert(base.to_owned()) {
            return base.to_owned();
        }
        let next = self.next.entry(base.to_owned()).or_insert(2);
        loop {
            let unique = format!("{base}_{next}");
            *next += 1;
            if self.taken.insert(unique.clone()) {
                return unique;
            }
        }
    }
}

fn legal_name(name: &str) -> String {
    let name: String = name
        .chars()
        .take(LONGEST_NAME)
        .map(|c| if is_of_names(c) { c } else { '_' })
        .collect();
    if name.is_empty() {
        "unnamed".to_owned()
    } else {
        name
    }
}

fn is_of_names(c: char) -> bool {
    matches!(c, 'a'..='z' | 'A'..='Z' | '0'..='9' | '_' | '-')
}

fn is_blank(text: &str) -> bool {
    text.trim().is_empty()
}

#[cfg(test)]
mod tests;

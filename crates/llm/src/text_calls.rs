//! Calls that a model writes into its text: in tags, in a fenced block, or as the whole answer.
//!
//! Only used where a model's record says that it does so, and only with the names of the tools that
//! the request offered. A block counts if all of it is calls and nothing else; whatever is doubtful
//! stays text, and thinking is never looked at. While an answer arrives, text that may turn out to
//! be a call is held back.

use serde_json::value::RawValue;

use crate::json::{Fields, elements, is_object, string};
use crate::legal::CallIds;
use crate::{Answer, ModelCall, ModelEvent, ProviderError, StopReason, StreamDecoder, ToolSpec};

/// What stands before a call and after it.
const TAGS: [(&str, &str); 3] = [
    ("<tool_call>", "</tool_call>"),
    ("<function_call>", "</function_call>"),
    ("<|tool_call|>", "<|/tool_call|>"),
];
const FENCE: &str = "```";
/// What some models write before calls that are their whole answer.
const PREFIXES: [&str; 2] = ["[TOOL_CALLS]", "<|python_tag|>"];
/// No answer has more blocks that look like calls; what follows them is text.
const MOST: usize = 100;
/// No longer block, in bytes, is looked through for commas that are too many.
const MENDED: usize = 1 << 20;
/// The names of the field with the arguments.
const ARGUMENTS: [&str; 4] = ["arguments", "parameters", "args", "input"];

/// The decoder, with calls in the text of its answer taken for calls.
pub(crate) fn reader(inner: Box<dyn StreamDecoder>, tools: &[ToolSpec]) -> Box<dyn StreamDecoder> {
    Box::new(Reader {
        inner,
        names: tools.iter().map(|tool| tool.name.clone()).collect(),
        held: String::new(),
        is_first: true,
    })
}

struct Reader {
    inner: Box<dyn StreamDecoder>,
    names: Vec<String>,
    /// Text that may be the beginning of a call.
    held: String,
    /// No visible text has been let through.
    is_first: bool,
}

impl StreamDecoder for Reader {
    fn feed(&mut self, bytes: &[u8]) -> Result<Vec<ModelEvent>, ProviderError> {
        let mut shown = Vec::new();
        for event in self.inner.feed(bytes)? {
            match event {
                ModelEvent::Text(text) => {
                    let text = self.let_through(&text);
                    if !text.is_empty() {
                        shown.push(ModelEvent::Text(text));
                    }
                }
                event @ (ModelEvent::Thinking(_)
                | ModelEvent::CallStarted { .. }
                | ModelEvent::CallArguments { .. }) => shown.push(event),
            }
        }
        Ok(shown)
    }

    fn is_done(&self) -> bool {
        self.inner.is_done()
    }

    fn has_ended(&self) -> bool {
        self.inner.has_ended()
    }

    fn so_far(&self) -> Answer {
        self.inner.so_far()
    }

    fn finish(self: Box<Self>) -> Result<Answer, ProviderError> {
        let mut answer = self.inner.finish()?;
        // A model that can call as it should has no need to do so in words.
        if answer.calls.is_empty() {
            let is_whole = answer.stop != StopReason::Length;
            let (text, calls) = read(&answer.text, &self.names, is_whole);
            if !calls.is_empty() {
                answer.text = text;
                answer.calls = calls;
                if is_whole {
                    answer.stop = StopReason::ToolCalls;
                }
            } else {
                answer.unread_call = seems_a_call(&answer.text, &self.names);
            }
        }
        Ok(answer)
    }
}

impl Reader {
    /// What of the text so far is certainly no call, and was not let through before.
    fn let_through(&mut self, more: &str) -> String {
        self.held.push_str(more);
        let mut free = 0;
        while let Some(length) = free_length(&self.held[free..], self.is_first) {
            self.is_first &= self.held[free..free + length].trim().is_empty();
            free += length;
        }
        if free == 0 {
            return String::new();
        }
        let rest = self.held.split_off(free);
        std::mem::replace(&mut self.held, rest)
    }
}

/// How many bytes at the beginning of a text are certainly no call: none if that is not known yet,
/// or if they are none.
fn free_length(text: &str, is_first: bool) -> Option<usize> {
    let c = text.chars().next()?;
    if is_first && matches!(c, '{' | '[') {
        return None;
    }
    match c {
        '<' if TAGS.iter().any(|(open, _)| may_be(text, open)) => None,
        '<' if is_first && may_be(text, PREFIXES[1]) => None,
        '`' if text.len() < FENCE.len() && may_be(text, FENCE) => None,
        '`' if text.starts_with(FENCE) => {
            let inner = text[FENCE.len()..]
                .trim_start_matches(is_of_info)
                .trim_start();
            let may_be_call = inner.is_empty() || inner.starts_with(['{', '[']);
            (!may_be_call).then_some(FENCE.len())
        }
        _ => {
            // Up to the next place where a call can begin.
            let rest = &text[c.len_utf8()..];
            let stops = |c: char| matches!(c, '<' | '`' | '{' | '[');
            let length = rest.find(stops).unwrap_or(rest.len());
            Some(c.len_utf8() + length)
        }
    }
}

/// Whether the text begins with the mark, or is a beginning of it.
fn may_be(text: &str, mark: &str) -> bool {
    text.starts_with(mark) || mark.starts_with(text)
}

fn is_of_info(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-')
}

/// The text without its calls, and the calls. `is_whole` says that the end of the text has come:
/// else a call needs its closing mark.
pub(crate) fn read(text: &str, names: &[String], is_whole: bool) -> (String, Vec<ModelCall>) {
    let mut found = Found {
        names,
        rest: String::new(),
        calls: Vec::new(),
        ids: CallIds::default(),
    };
    let visible = text.trim();
    let bare = PREFIXES
        .iter()
        .find_map(|prefix| visible.strip_prefix(prefix))
        .unwrap_or(visible);
    if !(is_whole && found.add(bare, false)) {
        found.scan(text, is_whole);
    }
    (found.rest.trim().to_owned(), found.calls)
}

/// Whether a text in which no call was found seems to hold one all the same: something in tags, or
/// JSON that names a tool beside what calls are made of.
fn seems_a_call(text: &str, names: &[String]) -> bool {
    let visible = text.trim();
    let is_tagged = TAGS.iter().any(|(open, _)| {
        visible
            .match_indices(open)
            // What stands in code marks is an example.
            .any(|(at, _)| !visible[..at].ends_with('`'))
    });
    if is_tagged || PREFIXES.iter().any(|it| visible.starts_with(it)) {
        return true;
    }
    let is_call = |json: &str| {
        let has = |word: &str| json.contains(&format!("\"{word}\""));
        let is_shaped = ["name", "tool", "function"].iter().any(|it| has(it));
        is_shaped && names.iter().any(|name| has(name))
    };
    if visible.starts_with(['{', '[']) {
        return is_call(visible);
    }
    // Every second part stands in a fence.
    let fenced = visible.split(FENCE).skip(1).step_by(2);
    fenced
        .map(|block| block.trim_start_matches(is_of_info).trim_start())
        .any(|block| block.starts_with(['{', '[']) && is_call(block))
}

struct Found<'a> {
    names: &'a [String],
    rest: String,
    calls: Vec<ModelCall>,
    ids: CallIds,
}

impl Found<'_> {
    fn scan(&mut self, mut text: &str, is_whole: bool) {
        let mut looked_at = 0;
        while let Some(at) = text.find(['<', '`']).filter(|_| looked_at < MOST) {
            let (before, here) = text.split_at(at);
            self.rest.push_str(before);
            looked_at += usize::from(begins_block(here));
            // What stands in code marks is an example.
            let is_quoted = self.rest.ends_with('`') && !self.rest.ends_with(FENCE);
            let block = marked(here, is_whole).filter(|_| !is_quoted);
            text = match block {
                Some((block, is_tagged, after)) if self.add(block, is_tagged) => after,
                Some(_) | None => {
                    let width = if here.starts_with(FENCE) {
                        FENCE.len()
                    } else {
                        1
                    };
                    self.rest.push_str(&here[..width]);
                    &here[width..]
                }
            };
        }
        self.rest.push_str(text);
    }

    /// Takes a block for calls, if all of it is.
    fn add(&mut self, block: &str, is_tagged: bool) -> bool {
        let calls = self.calls_of(block, is_tagged).or_else(|| {
            let is_short = block.len() <= MENDED;
            is_short.then(|| self.calls_of(&without_trailing_commas(block), is_tagged))?
        });
        let Some(calls) = calls else { return false };
        for (name, arguments) in calls {
            let call = ModelCall {
                provider_id: self.ids.unique("call_1"),
                name,
                arguments,
                opaque: serde_json::Value::Null,
                complete: true,
            };
            self.calls.push(call);
        }
        true
    }

    fn calls_of(&self, block: &str, is_tagged: bool) -> Option<Vec<(String, String)>> {
        let mut calls = Vec::new();
        let values = serde_json::Deserializer::from_str(block).into_iter::<&RawValue>();
        for value in values {
            for element in elements(value.ok()?) {
                calls.push(self.call(element, is_tagged)?);
            }
        }
        (!calls.is_empty()).then_some(calls)
    }

    /// A name that was offered, arguments, and nothing else.
    fn call(&self, value: &RawValue, is_tagged: bool) -> Option<(String, String)> {
        let outer = Fields::parse(value.get())?;
        let inner = outer.object("function");
        let fields = inner.as_ref().unwrap_or(&outer);
        let name = ["name", "tool", "function"]
            .iter()
            .find_map(|field| fields.text(field))?;
        let arguments = match ARGUMENTS.iter().find_map(|field| fields.get(field)) {
            Some(value) => string(value).unwrap_or_else(|| value.get().to_owned()),
            None if is_tagged => "{}".to_owned(),
            None => return None,
        };
        let is_known = |field: &str| {
            matches!(field, "name" | "tool" | "function" | "id" | "type")
                || ARGUMENTS.contains(&field)
        };
        let is_call = self.names.contains(&name)
            && is_object(&arguments)
            && outer
                .iter()
                .chain(fields.iter())
                .all(|(field, _)| is_known(field));
        is_call.then_some((name, arguments))
    }
}

fn begins_block(text: &str) -> bool {
    text.starts_with(FENCE) || TAGS.iter().any(|(open, _)| text.starts_with(open))
}

/// The block that begins here, whether it is in tags, and what follows it.
fn marked(text: &str, is_whole: bool) -> Option<(&str, bool, &str)> {
    for (open, close) in TAGS {
        if let Some(inner) = text.strip_prefix(open) {
            return match inner.find(close) {
                Some(end) => Some((&inner[..end], true, &inner[end + close.len()..])),
                None => is_whole.then_some((inner, true, "")),
            };
        }
    }
    let inner = text.strip_prefix(FENCE)?.trim_start_matches(is_of_info);
    match inner.find(FENCE) {
        Some(end) => Some((&inner[..end], false, &inner[end + FENCE.len()..])),
        None => is_whole.then_some((inner, false, "")),
    }
}

/// JSON without commas that have nothing behind them.
fn without_trailing_commas(json: &str) -> String {
    let mut clean = String::with_capacity(json.len());
    let (mut in_string, mut escaped) = (false, false);
    for (at, c) in json.char_indices() {
        let is_trailing =
            !in_string && c == ',' && json[at + 1..].trim_start().starts_with(['}', ']']);
        if !is_trailing {
            clean.push(c);
        }
        if escaped {
            escaped = false;
        } else if in_string {
            escaped = c == '\\';
            in_string = c != '"';
        } else {
            in_string = c == '"';
        }
    }
    clean
}

#[cfg(test)]
mod tests;

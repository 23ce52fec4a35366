//! An answer as it is put together from lines.

use tabwright_protocol::Usage;

use crate::calls::{Calls, Piece};
use crate::draft::{self, Draft, Parts, Progress, Words, count};
use crate::json::{Fields, borrowed, string};
use crate::kept::Kept;
use crate::think::ThinkTags;
use crate::{Answer, ModelEvent, ProviderError};

/// The answer so far.
#[derive(Debug, Default)]
pub(super) struct OllamaDraft {
    words: Words,
    calls: Calls,
    /// The thinking: some models think on from it when a result has come.
    kept: Kept,
    usage: Usage,
    reason: Option<String>,
    begun: bool,
    done: bool,
    think: ThinkTags,
}

impl Draft for OllamaDraft {
    fn read(
        &mut self,
        _: &str,
        line: &Fields<'_>,
        events: &mut Vec<ModelEvent>,
    ) -> Result<(), ProviderError> {
        let seen = Usage {
            input: count(line, "prompt_eval_count"),
            output: count(line, "eval_count"),
            ..Usage::default()
        };
        draft::raise(&mut self.usage, seen);
        if let Some(message) = line.object("message") {
            self.begun = true;
            self.read_message(&message, events)?;
        }
        if line.get("done").is_some_and(|done| done.get() == "true") {
            self.begun = true;
            self.done = true;
            self.reason = line.text("done_reason");
        }
        Ok(())
    }

    fn progress(&self) -> Progress {
        match (self.done, self.begun) {
            (true, _) => Progress::Done,
            (false, true) => Progress::Begun,
            (false, false) => Progress::Nothing,
        }
    }

    fn answer(&self, broken: bool) -> Answer {
        let reason = self.reason.as_deref().filter(|reason| {
            // It was only told to have the model ready: there is nothing to say about that.
            !matches!(*reason, "load" | "unload" | "")
        });
        let rest = self.think.rest();
        Parts {
            text: format!("{}{}", self.words.text, rest.text),
            thinking: format!("{}{}", self.words.thinking, rest.thinking),
            images: Vec::new(),
            calls: &self.calls,
            stop: draft::stop(reason, !self.calls.is_empty()),
            usage: self.usage,
            opaque: self.kept.to_value(),
            broken,
        }
        .answer()
    }
}

impl OllamaDraft {
    fn read_message(
        &mut self,
        message: &Fields<'_>,
        events: &mut Vec<ModelEvent>,
    ) -> Result<(), ProviderError> {
        if let Some(thinking) = message.get("thinking")
            && let Some(text) = borrowed(thinking).filter(|text| !text.is_empty())
        {
            self.kept.add("thinking", thinking);
            self.words.think(&text, events);
        }
        let split = self.think.read(&message.str("content").unwrap_or_default());
        self.words.think(&split.thinking, events);
        self.words.say(&split.text, events);
        for call in message.list("tool_calls") {
            let Some(call) = Fields::parse(call.get()) else {
                continue;
            };
            let Some(function) = call.object("function") else {
                continue;
            };
            let arguments = function.get("arguments").map_or("{}".to_owned(), |value| {
                string(value).unwrap_or_else(|| value.get().to_owned())
            });
            let piece = Piece {
                index: None,
                id: call.text("id").unwrap_or_default(),
                name: function.text("name").unwrap_or_default(),
                arguments,
                kept: Kept::default(),
            };
            if !self.calls.has_the_same(&piece) {
                self.calls.begin(piece, events)?;
            }
        }
        Ok(())
    }
}

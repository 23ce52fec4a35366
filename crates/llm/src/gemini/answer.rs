//! An answer as it is put together from pieces, each of which has the form of a whole one.

use serde_json::value::RawValue;
use tabwright_protocol::Usage;

use crate::calls::{Calls, Piece};
use crate::draft::{self, Draft, Parts, Progress, Words, count};
use crate::json::Fields;
use crate::kept::Kept;
use crate::layout::Layout;
use crate::{Answer, Image, ModelEvent, ProviderError, ProviderErrorKind};

/// What a part carries that has to come back with it.
const SIGNATURE: &str = "thoughtSignature";

/// The answer so far.
#[derive(Debug, Default)]
pub(super) struct ContentDraft {
    words: Words,
    calls: Calls,
    slots: Vec<Slot>,
    usage: Usage,
    /// The last reason that was given: older models give one with each piece.
    reason: Option<String>,
    begun: bool,
}

#[derive(Debug)]
enum Slot {
    /// So many bytes of text, with what stands beside them.
    Text(usize, Kept),
    Call,
}

impl Draft for ContentDraft {
    fn read(
        &mut self,
        _: &str,
        chunk: &Fields<'_>,
        events: &mut Vec<ModelEvent>,
    ) -> Result<(), ProviderError> {
        if let Some(usage) = chunk.object("usageMetadata") {
            self.count(&usage);
        }
        let feedback = chunk.object("promptFeedback");
        // Whatever the provider calls it, it is the content rules that ended the answer.
        if feedback.is_some_and(|feedback| feedback.get("blockReason").is_some()) {
            self.begun = true;
            self.reason = Some("prohibited_content".to_owned());
        }
        for candidate in chunk.list("candidates") {
            if let Some(candidate) = Fields::parse(candidate.get())
                && count(&candidate, "index") == 0
            {
                self.read_candidate(&candidate, events)?;
            }
        }
        Ok(())
    }

    fn progress(&self) -> Progress {
        match (&self.reason, self.begun) {
            (Some(_), _) => Progress::Ended,
            (None, true) => Progress::Begun,
            (None, false) => Progress::Nothing,
        }
    }

    fn ends_once(&self) -> bool {
        false
    }

    fn failure(&self) -> Option<ProviderError> {
        let message = match self.reason.as_deref()? {
            "MALFORMED_FUNCTION_CALL" | "UNEXPECTED_TOOL_CALL" => {
                "The model wrote a tool call that its own server could not read."
            }
            "MALFORMED_RESPONSE" => "The model wrote an answer that its own server could not read.",
            _ => return None,
        };
        Some(ProviderError::in_answer(ProviderErrorKind::Server, message))
    }

    fn answer(&self, broken: bool) -> Answer {
        Parts {
            text: self.words.text.clone(),
            thinking: self.words.thinking.clone(),
            images: self.words.images.clone(),
            calls: &self.calls,
            stop: draft::stop(self.reason.as_deref(), !self.calls.is_empty()),
            usage: self.usage,
            opaque: self.layout().into_value(),
            broken,
        }
        .answer()
    }
}

impl ContentDraft {
    fn read_candidate(
        &mut self,
        candidate: &Fields<'_>,
        events: &mut Vec<ModelEvent>,
    ) -> Result<(), ProviderError> {
        self.begun = true;
        if let Some(content) = candidate.object("content") {
            for part in content.list("parts") {
                if let Some(part) = Fields::parse(part.get()) {
                    self.read_part(&part, events)?;
                }
            }
        }
        let reason = candidate.str("finishReason");
        if let Some(reason) = reason.filter(|reason| !reason.is_empty()) {
            self.reason = Some(reason.into_owned());
        }
        Ok(())
    }

    fn read_part(
        &mut self,
        part: &Fields<'_>,
        events: &mut Vec<ModelEvent>,
    ) -> Result<(), ProviderError> {
        let signature = part.get(SIGNATURE);
        let text = part.str("text").unwrap_or_default();
        if let Some(call) = part.object("functionCall") {
            return self.read_call(&call, signature, events);
        }
        if part.get("thought").is_some_and(|it| it.get() == "true") {
            self.words.think(&text, events);
            return Ok(());
        }
        if let Some(data) = part.object("inlineData") {
            self.words.show(image(&data));
        }
        self.words.say(&text, events);
        match (self.slots.last_mut(), signature) {
            (Some(Slot::Text(bytes, beside)), None) if beside.is_empty() => *bytes += text.len(),
            (_, signature) => self
                .slots
                .push(Slot::Text(text.len(), kept(SIGNATURE, signature))),
        }
        Ok(())
    }

    fn read_call(
        &mut self,
        call: &Fields<'_>,
        signature: Option<&RawValue>,
        events: &mut Vec<ModelEvent>,
    ) -> Result<(), ProviderError> {
        let mut beside = kept(SIGNATURE, signature);
        // Kept for its own sake: only an id that the server gave may go back to it.
        beside.merge(kept("id", call.get("id")));
        let piece = Piece {
            index: None,
            id: call.text("id").unwrap_or_default(),
            name: call.text("name").unwrap_or_default(),
            arguments: call.get("args").map_or("{}", |args| args.get()).to_owned(),
            kept: beside,
        };
        if !self.calls.has_the_same(&piece) {
            self.calls.begin(piece, events)?;
            self.slots.push(Slot::Call);
        }
        Ok(())
    }

    fn count(&mut self, usage: &Fields<'_>) {
        let reasoning = count(usage, "thoughtsTokenCount");
        let seen = Usage {
            input: count(usage, "promptTokenCount")
                .saturating_add(count(usage, "toolUsePromptTokenCount")),
            cached: count(usage, "cachedContentTokenCount"),
            // Thoughts are counted apart here.
            output: count(usage, "candidatesTokenCount").saturating_add(reasoning),
            reasoning,
            ..Usage::default()
        };
        draft::raise(&mut self.usage, seen);
    }

    fn layout(&self) -> Layout {
        let mut layout = Layout::default();
        for slot in &self.slots {
            match slot {
                Slot::Text(bytes, beside) => layout.text(*bytes, beside),
                Slot::Call => layout.call(),
            }
        }
        layout
    }
}

/// An image among the parts; other data has no place in an answer.
fn image(data: &Fields<'_>) -> Option<Image> {
    Image::made(&data.str("mimeType")?, &data.str("data")?)
}

fn kept(name: &str, value: Option<&RawValue>) -> Kept {
    let mut kept = Kept::default();
    if let Some(value) = value {
        kept.add(name, value);
    }
    kept
}

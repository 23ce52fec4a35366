//! An answer as it is put together from events, or from the one object of a server that does not
//! stream.

use std::borrow::Cow;

use serde_json::value::RawValue;
use tabwright_protocol::Usage;

use crate::calls::{Calls, Piece};
use crate::draft::{self, Draft, Parts, Progress, Words, count, inner_count};
use crate::json::Fields;
use crate::kept::Kept;
use crate::layout::Layout;
use crate::{Answer, Image, ModelEvent, ProviderError, StopReason, server_error};

/// The answer so far.
#[derive(Debug, Default)]
pub(super) struct ResponseDraft {
    words: Words,
    calls: Calls,
    items: Vec<Item>,
    usage: Usage,
    /// Why it is incomplete, if it is.
    reason: Option<String>,
    refused: bool,
    begun: bool,
    done: bool,
}

#[derive(Debug)]
struct Item {
    index: Option<u64>,
    /// Empty where the server gives none.
    id: String,
    kind: Kind,
    /// So many bytes of the text or the thinking are its own.
    bytes: usize,
    /// It has come whole.
    is_whole: bool,
}

#[derive(Debug)]
enum Kind {
    /// A message, with what stands beside its text.
    Message(Kept),
    /// A thought, as the provider sent it; empty until it is whole.
    Reasoning(String),
    /// The call at this place.
    Call(usize),
    /// Nothing that we asked for.
    Other,
}

impl Draft for ResponseDraft {
    fn read(
        &mut self,
        event: &str,
        piece: &Fields<'_>,
        events: &mut Vec<ModelEvent>,
    ) -> Result<(), ProviderError> {
        let kind = piece.str("type").unwrap_or(Cow::Borrowed(event));
        let index = self.index_of(piece);
        let delta = || piece.str("delta").unwrap_or_default();
        match &*kind {
            "response.output_item.added" => {
                if let Some(raw) = piece.get("item") {
                    self.begin(index, raw, events)?;
                }
            }
            "response.output_item.done" => {
                if let Some(raw) = piece.get("item") {
                    self.complete(index, raw, events)?;
                }
            }
            "response.output_text.delta" => self.say(index, &delta(), events),
            "response.refusal.delta" => {
                self.refused = true;
                self.say(index, &delta(), events);
            }
            "response.reasoning_summary_text.delta" | "response.reasoning_text.delta" => {
                self.think(index, &delta(), events);
            }
            "response.reasoning_summary_part.added" => self.part_thoughts(events),
            "response.function_call_arguments.delta" => {
                self.go_on(index, delta().into_owned(), events);
            }
            "response.completed" | "response.incomplete" | "response.done" => {
                if let Some(response) = piece.object("response") {
                    self.end(&response, events)?;
                }
                self.begun = true;
                self.done = true;
            }
            "response.failed" | "response.error" => {
                // The rest of the response has nothing for a person.
                let response = piece.get("response");
                let has_error = piece.object("response");
                let has_error = has_error.is_some_and(|it| it.get("error").is_some());
                let said = response.filter(|_| has_error).map_or("{}", RawValue::get);
                return Err(server_error::in_answer(said));
            }
            _ if piece.says("object", "response") => {
                self.end(piece, events)?;
                self.done = true;
            }
            _ if kind.starts_with("response.") => self.begun = true,
            // What is not known yet.
            _ => {}
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
        let stop = if self.refused {
            StopReason::Refusal
        } else {
            draft::stop(self.reason.as_deref(), !self.calls.is_empty())
        };
        Parts {
            text: self.words.text.clone(),
            thinking: self.words.thinking.clone(),
            images: self.words.images.clone(),
            calls: &self.calls,
            stop,
            usage: self.usage,
            opaque: self.layout().into_value(),
            broken,
        }
        .answer()
    }
}

impl ResponseDraft {
    fn begin(
        &mut self,
        index: Option<u64>,
        raw: &RawValue,
        events: &mut Vec<ModelEvent>,
    ) -> Result<(), ProviderError> {
        self.begun = true;
        let Some(item) = Fields::parse(raw.get()) else {
            return Ok(());
        };
        let id = item.text("id").unwrap_or_default();
        let kind = match item.text("type").as_deref() {
            Some("message") => Kind::Message(Kept::default()),
            Some("reasoning") => {
                self.part_thoughts(events);
                Kind::Reasoning(String::new())
            }
            Some("function_call") => {
                let text = |name| item.text(name).unwrap_or_default();
                let call_id = item.text("call_id").unwrap_or_else(|| text("id"));
                // The same place and the same id: the server says it again.
                if self.has_call(index, &call_id) {
                    return Ok(());
                }
                let piece = Piece {
                    index,
                    id: call_id,
                    name: text("name"),
                    arguments: text("arguments"),
                    kept: Kept::default(),
                };
                Kind::Call(self.calls.begin(piece, events)?)
            }
            Some(_) | None => Kind::Other,
        };
        self.items.push(Item {
            index,
            id,
            kind,
            bytes: 0,
            is_whole: false,
        });
        Ok(())
    }

    /// The number of an item: where a server gives none, the place of the one with that id, or else
    /// that of a new one.
    fn index_of(&self, piece: &Fields<'_>) -> Option<u64> {
        let index = piece.count("output_index");
        if index.is_some() {
            return index;
        }
        let of_item = piece.object("item").and_then(|item| item.text("id"));
        let id = of_item.or_else(|| piece.text("item_id"))?;
        let known = self.items.iter().position(|item| item.id == id);
        u64::try_from(known.unwrap_or(self.items.len())).ok()
    }

    fn has_call(&self, index: Option<u64>, id: &str) -> bool {
        let mut items = self.items.iter();
        !id.is_empty()
            && index.is_some()
            && items.any(|item| match item.kind {
                Kind::Call(place) => item.index == index && self.calls.has_id(place, id),
                Kind::Message(_) | Kind::Reasoning(_) | Kind::Other => false,
            })
    }

    /// A whole item, which may be the first that is heard of it.
    fn complete(
        &mut self,
        index: Option<u64>,
        raw: &RawValue,
        events: &mut Vec<ModelEvent>,
    ) -> Result<(), ProviderError> {
        let id = Fields::parse(raw.get()).and_then(|item| item.text("id"));
        let is_again = |item: &Item| {
            let is_same = id
                .as_ref()
                .is_some_and(|id| *id == item.id && !id.is_empty());
            is_same && item.is_whole && item.index == index
        };
        if self.items.iter().any(is_again) {
            return Ok(());
        }
        let open = |item: &Item| item.index == index && !item.is_whole;
        let place = match self.items.iter().rposition(open) {
            Some(place) => place,
            None => {
                let known = self.items.len();
                self.begin(index, raw, events)?;
                known
            }
        };
        let Some(item) = Fields::parse(raw.get()) else {
            return Ok(());
        };
        let Some(own) = self.items.get_mut(place) else {
            return Ok(());
        };
        own.is_whole = true;
        if own.id.is_empty() {
            own.id = item.text("id").unwrap_or_default();
        }
        match &mut own.kind {
            Kind::Message(beside) => {
                if let Some(phase) = item.get("phase") {
                    beside.add("phase", phase);
                }
                if own.bytes == 0 {
                    self.read_content(place, &item, events);
                }
            }
            Kind::Reasoning(whole) => {
                raw.get().clone_into(whole);
                if own.bytes == 0 {
                    let said = thoughts(&item);
                    self.think(index, &said, events);
                }
            }
            Kind::Call(call) => {
                let call = *call;
                if self.calls.has_no_arguments(call) {
                    let arguments = item.text("arguments").unwrap_or_default();
                    self.calls.go_on(call, arguments, events);
                }
            }
            Kind::Other => self.words.show(image(&item)),
        }
        Ok(())
    }

    /// The text of a message that did not stream.
    fn read_content(&mut self, place: usize, item: &Fields<'_>, events: &mut Vec<ModelEvent>) {
        for part in item.list("content") {
            let Some(part) = Fields::parse(part.get()) else {
                continue;
            };
            let refusal = part.text("refusal");
            self.refused |= refusal.is_some();
            let text = part.text("text").or(refusal).unwrap_or_default();
            self.words.say(&text, events);
            if let Some(own) = self.items.get_mut(place) {
                own.bytes += text.len();
            }
        }
    }

    /// The item that a delta goes on with: the last one of its number, or else the last.
    fn item(&mut self, index: Option<u64>) -> Option<&mut Item> {
        let numbered = self.items.iter().rposition(|item| item.index == index);
        let place = numbered.or_else(|| self.items.len().checked_sub(1))?;
        self.items.get_mut(place)
    }

    fn say(&mut self, index: Option<u64>, text: &str, events: &mut Vec<ModelEvent>) {
        self.begun = true;
        self.words.say(text, events);
        // Texts are in the order in which they came, so only the last item can go on with one.
        match self.items.last_mut() {
            Some(Item {
                kind: Kind::Message(_),
                bytes,
                ..
            }) => *bytes += text.len(),
            Some(_) | None => self.items.push(Item {
                index,
                id: String::new(),
                kind: Kind::Message(Kept::default()),
                bytes: text.len(),
                is_whole: false,
            }),
        }
    }

    fn think(&mut self, index: Option<u64>, text: &str, events: &mut Vec<ModelEvent>) {
        self.begun = true;
        self.words.think(text, events);
        if let Some(item) = self.item(index) {
            match item.kind {
                Kind::Reasoning(_) => item.bytes += text.len(),
                Kind::Message(_) | Kind::Call(_) | Kind::Other => {}
            }
        }
    }

    /// Parts of thoughts are paragraphs.
    fn part_thoughts(&mut self, events: &mut Vec<ModelEvent>) {
        let thinking = &self.words.thinking;
        if !thinking.is_empty() && !thinking.ends_with("\n\n") {
            self.words.think("\n\n", events);
        }
    }

    fn go_on(&mut self, index: Option<u64>, arguments: String, events: &mut Vec<ModelEvent>) {
        let place = match self.item(index).map(|item| &item.kind) {
            Some(Kind::Call(place)) => Some(*place),
            Some(Kind::Message(_) | Kind::Reasoning(_) | Kind::Other) | None => {
                self.calls.place(index)
            }
        };
        if let Some(place) = place {
            self.calls.go_on(place, arguments, events);
        }
    }

    /// The whole response: what did not stream is read from it.
    fn end(
        &mut self,
        response: &Fields<'_>,
        events: &mut Vec<ModelEvent>,
    ) -> Result<(), ProviderError> {
        self.begun = true;
        let nothing_streamed = self.items.is_empty();
        for (index, raw) in (0..).zip(response.list("output")) {
            let index = Some(index);
            let is_open = |item: &Item| item.index == index && !item.is_whole;
            if nothing_streamed || self.items.iter().any(is_open) {
                self.complete(index, raw, events)?;
            }
        }
        if let Some(usage) = response.object("usage") {
            let seen = Usage {
                input: count(&usage, "input_tokens"),
                cached: inner_count(&usage, "input_tokens_details", "cached_tokens"),
                output: count(&usage, "output_tokens"),
                reasoning: inner_count(&usage, "output_tokens_details", "reasoning_tokens"),
                ..Usage::default()
            };
            draft::raise(&mut self.usage, seen);
        }
        let details = response.object("incomplete_details");
        self.reason = details.and_then(|details| details.text("reason"));
        if self.reason.is_none() {
            // A state that is no end says that something is missing.
            self.reason = response.text("status");
        }
        Ok(())
    }

    fn layout(&self) -> Layout {
        let mut layout = Layout::default();
        for item in &self.items {
            match &item.kind {
                Kind::Message(beside) => layout.text(item.bytes, beside),
                Kind::Reasoning(json) => {
                    let content = Fields::parse(json).and_then(|it| it.text("encrypted_content"));
                    if content.is_some_and(|content| !content.is_empty()) {
                        layout.keep(json.clone());
                    }
                }
                Kind::Call(_) => layout.call(),
                Kind::Other => {}
            }
        }
        layout
    }
}

/// The text of a thought that did not stream.
fn thoughts(item: &Fields<'_>) -> String {
    let parts = ["summary", "content"].into_iter();
    let texts: Vec<_> = parts
        .flat_map(|name| item.list(name))
        .filter_map(|part| Fields::parse(part.get())?.text("text"))
        .collect();
    texts.join("\n\n")
}

/// The image that an item is, whose form is in its first characters; PNG where nothing says so.
fn image(item: &Fields<'_>) -> Option<Image> {
    if !item.says("type", "image_generation_call") {
        return None;
    }
    let data = item.str("result")?;
    let media_type = match data.get(..4) {
        Some("/9j/") => "image/jpeg",
        Some("UklG") => "image/webp",
        Some(_) | None => "image/png",
    };
    Image::made(media_type, &data)
}

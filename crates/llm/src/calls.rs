//! Which call a streamed piece belongs to, and what the calls are in the end.
//!
//! Servers number calls rightly, all with 0, or not at all; they give ids once, with each piece, or
//! never; they send arguments in pieces, whole, or first whole and then in pieces. What a call is
//! can only be told from all of that together, so the rules are in one place: [`Calls::find`].

use std::collections::BTreeSet;

use crate::json::is_object;
use crate::kept::Kept;
use crate::legal::CallIds;
use crate::{ModelCall, ModelEvent, ProviderError, ProviderErrorKind};

/// No model asks for more in one answer.
const MOST: usize = 1_000;

/// The calls of an answer, in the order they began.
#[derive(Debug, Default)]
pub(crate) struct Calls(Vec<Call>);

#[derive(Debug, Default)]
struct Call {
    index: Option<u64>,
    id: String,
    name: String,
    arguments: String,
    shape: Shape,
    kept: Kept,
}

/// A piece of a call, or a whole one. What it does not say is empty.
#[derive(Debug, Default)]
pub(crate) struct Piece {
    pub(crate) index: Option<u64>,
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) arguments: String,
    /// What only the provider understands.
    pub(crate) kept: Kept,
}

impl Calls {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Reads the pieces of one chunk, which do not say for certain whether they begin a call.
    pub(crate) fn read(
        &mut self,
        pieces: Vec<Piece>,
        events: &mut Vec<ModelEvent>,
    ) -> Result<(), ProviderError> {
        let mut touched = BTreeSet::new();
        for piece in pieces {
            let place = match self.find(&piece, &touched) {
                Some(place) => {
                    self.0[place].add(piece, place, events);
                    place
                }
                None => self.begin(piece, events)?,
            };
            touched.insert(place);
        }
        Ok(())
    }

    /// Begins a call; the result is its place.
    pub(crate) fn begin(
        &mut self,
        piece: Piece,
        events: &mut Vec<ModelEvent>,
    ) -> Result<usize, ProviderError> {
        let place = self.0.len();
        if place >= MOST {
            return Err(ProviderError::in_answer(
                ProviderErrorKind::Malformed,
                "The model asked for more than 1,000 tool calls in one answer.",
            ));
        }
        self.0.push(Call::default());
        self.0[place].add(piece, place, events);
        Ok(place)
    }

    /// The call that began last with this number; without such a one, the last of all.
    pub(crate) fn place(&self, index: Option<u64>) -> Option<usize> {
        let numbered = index.and_then(|_| self.0.iter().rposition(|call| call.index == index));
        numbered.or_else(|| self.0.len().checked_sub(1))
    }

    /// Adds to the arguments of the call at this place.
    pub(crate) fn go_on(&mut self, place: usize, arguments: String, events: &mut Vec<ModelEvent>) {
        if let Some(call) = self.0.get_mut(place) {
            let piece = Piece {
                arguments,
                ..Piece::default()
            };
            call.add(piece, place, events);
        }
    }

    /// Whether the call at this place has that id.
    pub(crate) fn has_id(&self, place: usize, id: &str) -> bool {
        self.0.get(place).is_some_and(|call| call.id == id)
    }

    /// Whether nothing of the arguments of the call at this place has come.
    pub(crate) fn has_no_arguments(&self, place: usize) -> bool {
        self.0
            .get(place)
            .is_some_and(|call| call.arguments.trim().is_empty())
    }

    /// Whether the very same call has come already, under the same id.
    pub(crate) fn has_the_same(&self, piece: &Piece) -> bool {
        !piece.id.is_empty()
            && self.0.iter().any(|call| {
                call.id == piece.id && call.name == piece.name && call.arguments == piece.arguments
            })
    }

    /// The call that a piece goes on with; none when it begins one.
    fn find(&self, piece: &Piece, touched: &BTreeSet<usize>) -> Option<usize> {
        let last = self.0.len().checked_sub(1)?;
        let by_id = || self.0.iter().rposition(|call| call.id == piece.id);
        let place = match piece.index {
            Some(_) => match self.0.iter().rposition(|call| call.index == piece.index) {
                Some(place) => place,
                // The first piece came without a number.
                None if piece.has_no_name() && self.0[last].index.is_none() => last,
                None => return None,
            },
            None if piece.id.is_empty() => last,
            None => by_id().unwrap_or(last),
        };
        let call = &self.0[place];
        // One list has each call once, so a second entry with a name is another call.
        if touched.contains(&place) && !piece.name.is_empty() {
            return None;
        }
        // Another id is another call, unless the server makes up an id for each piece.
        if !piece.id.is_empty() && !call.id.is_empty() && piece.id != call.id {
            return (piece.name.is_empty() && !call.shape.is_whole()).then_some(place);
        }
        // With nothing that says which call it is, a name begins one where one could end.
        let marked = piece.index.is_some() || (!piece.id.is_empty() && piece.id == call.id);
        let may_be_over = call.arguments.is_empty() || call.shape.is_whole();
        if !marked && !piece.name.is_empty() && !call.name.is_empty() && may_be_over {
            return None;
        }
        (!piece.is_another_whole(call)).then_some(place)
    }

    /// What has come. Where the end may be missing (`cut`), calls whose arguments are not whole are
    /// incomplete.
    pub(crate) fn finish(&self, cut: bool) -> Vec<ModelCall> {
        let mut ids = CallIds::default();
        self.0
            .iter()
            .map(|call| {
                let arguments = settle(&call.arguments);
                let whole = !call.arguments.trim().is_empty() && is_object(&arguments);
                ModelCall {
                    provider_id: ids.unique(&call.id),
                    name: call.name.clone(),
                    opaque: call.kept.to_value(),
                    complete: whole || !cut,
                    arguments,
                }
            })
            .collect()
    }
}

impl Piece {
    fn has_no_name(&self) -> bool {
        self.name.is_empty()
    }

    /// Whether it is a whole call of its own beside a whole one, and not the same one repeated.
    fn is_another_whole(&self, call: &Call) -> bool {
        if self.name.is_empty() || !call.shape.is_whole() || !is_object(&self.arguments) {
            return false;
        }
        let repeated = call.arguments == self.arguments || call.arguments.trim() == "{}";
        self.name != call.name || !repeated
    }
}

impl Call {
    fn add(&mut self, piece: Piece, place: usize, events: &mut Vec<ModelEvent>) {
        if self.id.is_empty() {
            self.id = piece.id;
        }
        if self.index.is_none() {
            self.index = piece.index;
        }
        self.kept.merge(piece.kept);
        if self.add_name(&piece.name) {
            events.push(ModelEvent::CallStarted {
                index: place,
                name: self.name.clone(),
            });
        }
        if !piece.arguments.is_empty() {
            self.shape.read(&piece.arguments);
            self.arguments.push_str(&piece.arguments);
            events.push(ModelEvent::CallArguments {
                index: place,
                text: piece.arguments,
            });
        }
    }

    /// A name comes whole, whole with each piece, growing, or in pieces. Says whether it changed.
    fn add_name(&mut self, piece: &str) -> bool {
        if piece.is_empty() || piece == self.name {
            return false;
        }
        if piece.starts_with(&self.name) {
            piece.clone_into(&mut self.name);
            return true;
        }
        if self.arguments.is_empty() {
            self.name.push_str(piece);
            return true;
        }
        false
    }
}

/// Where in its brackets a JSON text is, without reading any of it twice.
#[derive(Debug, Default)]
struct Shape {
    depth: u64,
    begun: bool,
    in_string: bool,
    escaped: bool,
}

impl Shape {
    fn read(&mut self, text: &str) {
        for byte in text.bytes() {
            if self.escaped {
                self.escaped = false;
            } else if self.in_string {
                self.escaped = byte == b'\\';
                self.in_string = byte != b'"';
            } else {
                match byte {
                    b'"' => self.in_string = true,
                    b'{' | b'[' => {
                        self.depth += 1;
                        self.begun = true;
                    }
                    b'}' | b']' => self.depth = self.depth.saturating_sub(1),
                    _ => {}
                }
            }
        }
    }

    /// Whether every bracket that was opened is closed.
    fn is_whole(&self) -> bool {
        self.begun && self.depth == 0 && !self.in_string
    }
}

/// The arguments without what servers do to them: nothing or null for `{}`, an empty object before
/// the real one, the same object twice, an object written into a string. Anything else stays.
pub(crate) fn settle(arguments: &str) -> String {
    let text = arguments.trim();
    if text.is_empty() || text == "null" {
        return "{}".to_owned();
    }
    if is_object(text) {
        return text.to_owned();
    }
    if let Ok(inner) = serde_json::from_str::<String>(text) {
        return if is_object(&inner) {
            inner.trim().to_owned()
        } else {
            text.to_owned()
        };
    }
    only_value(text).unwrap_or(text).to_owned()
}

/// The one object that a text of several values comes down to, if it does. The last value may be
/// the beginning of that object.
fn only_value(text: &str) -> Option<&str> {
    let mut values =
        serde_json::Deserializer::from_str(text).into_iter::<&serde_json::value::RawValue>();
    let mut only = "{}";
    let mut end = 0;
    while let Some(Ok(value)) = values.next() {
        end = values.byte_offset();
        let value = value.get();
        if only == "{}" {
            only = value;
        } else if value != only && value != "{}" {
            return None;
        }
    }
    let rest = text[end..].trim_start();
    (only.starts_with(rest) && is_object(only)).then_some(only)
}

#[cfg(test)]
mod tests {
    use super::settle;

    #[test]
    fn arguments_lose_what_servers_do_to_them_and_nothing_else() {
        let check = |arguments: &str, expected: &str| {
            assert_eq!(settle(arguments), expected, "{arguments:?}");
        };
        check("", "{}");
        check(" \n", "{}");
        check("null", "{}");
        check("{}", "{}");
        check(r#" {"a": 1} "#, r#"{"a": 1}"#);
        check(r#"{}{"a":1}"#, r#"{"a":1}"#);
        check(r#"{"a":1}{"a":1}"#, r#"{"a":1}"#);
        check(r#"{"a":1}{"a":1}{"a":1}"#, r#"{"a":1}"#);
        check(r#"{"a":1}{"a""#, r#"{"a":1}"#);
        check(r#""{\"a\":1}""#, r#"{"a":1}"#);
        check(r#""{\"a\":1} ""#, r#"{"a":1}"#);
        check(r#""text""#, r#""text""#);
        check(r#"{"a":1}{"b":2}"#, r#"{"a":1}{"b":2}"#);
        check(r#"{"a":1"#, r#"{"a":1"#);
        check(r#"{}{"a":1"#, r#"{}{"a":1"#);
        check("{} {}", "{}");
        check(&"{}".repeat(100_000), "{}");
        check("[1]", "[1]");
        check("not json", "not json");
    }
}

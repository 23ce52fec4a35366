//! A message that arrives.

use tabwright_llm::{Answer, ModelEvent};
use tabwright_markdown::StreamingBlocks;
use tabwright_protocol::{CutReason, MessageState, Millis};

use super::{
    Arriving, Conversation, Effect, Phase, Purpose, Request, RequestNumber, Step, Surroundings,
    Timer,
};
use crate::item::{Body, Message};

/// Views are told of new text at most this often: about as often as an eye can follow.
const TELL_EVERY: u64 = 60;
/// Arriving text is put on disk at most this often: a death loses no more than this of it.
const SAVE_EVERY: u64 = 1_000;

impl Conversation {
    /// The request with this number, if it is the one being answered.
    pub(super) fn current(&mut self, number: RequestNumber) -> Option<&mut Request> {
        match &mut self.run.as_mut()?.phase {
            Phase::Model(request) if request.number == number => Some(request),
            Phase::Model(_) | Phase::Pause { .. } | Phase::Calls | Phase::Question => None,
        }
    }

    pub(super) fn hear(
        &mut self,
        around: &mut Surroundings<'_>,
        step: &mut Step,
        number: RequestNumber,
        events: Vec<ModelEvent>,
    ) {
        let Some(request) = self.current(number) else {
            return;
        };
        if events.is_empty() {
            return;
        }
        request.heard = true;
        // A summary is shown when it is whole: it is not an answer to the person.
        if matches!(request.purpose, Purpose::Summary { .. }) {
            return;
        }
        if request.message.is_none() {
            self.open_message(around, step);
        }
        let mut text = String::new();
        let mut thinking = String::new();
        for event in events {
            match event {
                ModelEvent::Text(piece) => text.push_str(&piece),
                ModelEvent::Thinking(piece) => thinking.push_str(&piece),
                // Views see a call when it is whole: half of its arguments mean nothing.
                ModelEvent::CallStarted { .. } | ModelEvent::CallArguments { .. } => {}
            }
        }
        self.grow_message(around, step, &text, &thinking);
    }

    pub(super) fn open_message(&mut self, around: &mut Surroundings<'_>, step: &mut Step) {
        let Some(run) = &self.run else { return };
        let Phase::Model(request) = &run.phase else {
            return;
        };
        let seen = request.seen;
        let turn = run.record.turn.clone();
        let body = Body::Assistant(Message {
            round: run.record.round,
            text: String::new(),
            thinking: String::new(),
            state: MessageState::Streaming,
            model: around.model.name.clone(),
            source: around.model.source.clone(),
            seen: Some(seen),
            opaque: Default::default(),
        });
        let item = self.append(around, step, turn, body);
        if let Some(run) = &mut self.run
            && let Phase::Model(request) = &mut run.phase
        {
            request.message = Some(Arriving {
                item,
                blocks: StreamingBlocks::default(),
                untold: None,
                told_at: around.now,
                tell: None,
                saved_at: around.now,
            });
        }
        step.effects.push(Effect::Progress);
    }

    fn grow_message(
        &mut self,
        around: &mut Surroundings<'_>,
        step: &mut Step,
        text: &str,
        thinking: &str,
    ) {
        let Some(run) = &mut self.run else { return };
        let Phase::Model(request) = &mut run.phase else {
            return;
        };
        let Some(arriving) = &mut request.message else {
            return;
        };
        let Some(item) = self
            .items
            .iter_mut()
            .rev()
            .find(|item| item.id == arriving.item)
        else {
            return;
        };
        let Body::Assistant(message) = &mut item.body else {
            return;
        };
        message.text.push_str(text);
        message.thinking.push_str(thinking);
        if around.now.0.saturating_sub(arriving.saved_at.0) >= SAVE_EVERY {
            arriving.saved_at = around.now;
            step.items.insert(item.position);
        }
        if let Some(change) = arriving.blocks.push(text) {
            arriving.untold = Some(match arriving.untold.take() {
                None => (change.keep, change.blocks),
                Some((keep, mut blocks)) if change.keep >= keep => {
                    blocks.truncate(change.keep - keep);
                    blocks.extend(change.blocks);
                    (keep, blocks)
                }
                Some(_) => (change.keep, change.blocks),
            });
        }
        if arriving.untold.is_none() {
            return;
        }
        let since = around.now.0.saturating_sub(arriving.told_at.0);
        if since >= TELL_EVERY {
            tell(arriving, around.now, step);
        } else if arriving.tell.is_none() {
            let timer = Timer(around.ids.number());
            arriving.tell = Some(timer);
            step.effects.push(Effect::Sleep {
                timer,
                millis: TELL_EVERY - since,
            });
        }
    }

    /// Marks the arriving message, if there is one, as ended early. What came is kept.
    pub(super) fn cut_message(&mut self, step: &mut Step, reason: CutReason) {
        for item in self.items.iter_mut().rev() {
            if let Body::Assistant(message) = &mut item.body
                && message.state == MessageState::Streaming
            {
                message.state = MessageState::Cut { reason };
                step.items.insert(item.position);
            }
        }
    }

    pub(super) fn close_message(&mut self, step: &mut Step, answer: &Answer, state: MessageState) {
        for item in self.items.iter_mut().rev() {
            if let Body::Assistant(message) = &mut item.body {
                message.text.clone_from(&answer.text);
                message.thinking.clone_from(&answer.thinking);
                message.opaque = answer.opaque.clone();
                message.state = state;
                step.items.insert(item.position);
                return;
            }
        }
    }
}

/// Tells views the blocks they have not been told.
pub(super) fn tell(message: &mut Arriving, now: Millis, step: &mut Step) {
    message.told_at = now;
    if let Some((keep, blocks)) = message.untold.take() {
        step.effects.push(Effect::Blocks {
            item: message.item.clone(),
            keep,
            blocks,
        });
    }
}

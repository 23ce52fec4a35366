//! Room in the model's window: old results are left out first, then what was said is summed up.
//!
//! Tokens are estimated from bytes. What a byte is in tokens is learnt from the provider's own
//! count of the last request; before the first, text is taken to have three bytes a token, which is
//! more tokens than most have.

use serde::{Deserialize, Serialize};
use tabwright_protocol::{NoticeLevel, Refusal, TurnEndReason, TurnId};
use tabwright_tools::Replay;

use super::{Conversation, Phase, Purpose, Run, Step, Surroundings, Trouble};
use crate::compaction;
use crate::history;
use crate::item::{Body, Call};

/// Above this share of the window, in percent, old results are left out,
const LEAVE_OUT_ABOVE: u64 = 60;
/// down to this: in one go, because each change makes the provider read everything anew.
const LEAVE_OUT_DOWN_TO: u64 = 40;
/// Above this share what was said is summed up.
const SUM_UP_ABOVE: u64 = 80;
/// What is kept as it was takes up at most this share.
const KEEP_AT_MOST: u64 = 20;
/// The results of this many last rounds are left out only when nothing else helps.
const FRESH_ROUNDS: u32 = 3;
/// A shorter result, in bytes, is not worth leaving out.
const WORTH_LEAVING_OUT: usize = 600;
/// How often a turn goes on after the server found a request too long.
const MOST_OVERFLOWS: u32 = 4;

/// What a server last said of the length of a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Measured {
    /// Which server and model.
    pub source: String,
    /// The bytes that the request held by our count.
    pub bytes: u64,
    /// Its tokens by the server's.
    pub tokens: u64,
}

impl Conversation {
    /// Bytes of a request made now.
    pub(super) fn request_bytes(&self, around: &Surroundings<'_>) -> u64 {
        around.place.fixed_bytes + history::weight(&self.items)
    }

    /// How many tokens that many bytes are, as far as is known.
    pub(super) fn tokens(&self, around: &Surroundings<'_>, bytes: u64) -> u64 {
        match &self.about.measured {
            Some(measured) if measured.source == around.model.source && measured.bytes > 0 => {
                // A count of nothing, or of more tokens than bytes, is a server's mistake.
                let tokens = measured.tokens.clamp(measured.bytes / 12, measured.bytes);
                bytes.saturating_mul(tokens) / measured.bytes
            }
            Some(_) | None => bytes / 3,
        }
    }

    fn window(&self, around: &Surroundings<'_>) -> u64 {
        let learned = self.run.as_ref().and_then(|run| run.record.learned_window);
        u64::from(learned.map_or(around.model.window, |learned| {
            learned.min(around.model.window)
        }))
    }

    /// Makes room for the next request. Leaves out old results; if that is not enough, says from
    /// which position on things are kept when all before is summed up.
    pub(super) fn make_room(
        &mut self,
        around: &mut Surroundings<'_>,
        step: &mut Step,
    ) -> Option<u32> {
        let window = self.window(around);
        if self.share(around, window) > LEAVE_OUT_ABOVE {
            self.leave_out(around, step, window, LEAVE_OUT_DOWN_TO, FRESH_ROUNDS);
        }
        let run = self.run.as_mut()?;
        let is_wanted = run.record.wanted_summary.is_some();
        if !is_wanted && self.share(around, window) <= SUM_UP_ABOVE {
            return None;
        }
        let keep = self.keep_from(around, window);
        let worth = self.is_worth_summing_up(keep);
        if worth {
            return Some(keep);
        }
        if let Some(run) = &mut self.run
            && run.record.wanted_summary.take().is_some()
        {
            step.run = true;
        }
        // All there is belongs to the last round: its long results go, where they can be read again.
        if self.share(around, window) > SUM_UP_ABOVE {
            self.leave_out(around, step, window, SUM_UP_ABOVE, 0);
        }
        None
    }

    /// The share of the window, in percent, that a request made now would take.
    fn share(&self, around: &Surroundings<'_>, window: u64) -> u64 {
        let tokens = self.tokens(around, self.request_bytes(around));
        tokens.saturating_mul(100) / window.max(1)
    }

    /// Leaves out results that can be read again, oldest first, until the share is small enough.
    fn leave_out(
        &mut self,
        around: &Surroundings<'_>,
        step: &mut Step,
        window: u64,
        down_to: u64,
        fresh_rounds: u32,
    ) {
        let fresh = self.fresh_from(fresh_rounds);
        let mut bytes = self.request_bytes(around);
        let enough = window.saturating_mul(down_to) / 100;
        let first = match history::in_view(&self.items) {
            (Some((_, keep)), _) => keep,
            (None, _) => 0,
        };
        let mut left_out = Vec::new();
        for item in &self.items {
            if item.position >= fresh || self.tokens(around, bytes) <= enough {
                break;
            }
            let Some(call) = item.body.call() else {
                continue;
            };
            if item.position < first || !can_be_left_out(call) {
                continue;
            }
            bytes = bytes.saturating_sub(call.model_text.len() as u64);
            left_out.push(item.position);
        }
        for position in left_out {
            if let Some(call) = self
                .item_mut(position)
                .and_then(|item| item.body.call_mut())
            {
                call.left_out = true;
                step.items.insert(position);
            }
        }
    }

    /// The first position of the last so many rounds.
    fn fresh_from(&self, rounds: u32) -> u32 {
        let Some(run) = &self.run else {
            return self.next_position();
        };
        let (turn, round) = (&run.record.turn, run.record.round);
        let is_fresh = |body: &Body| {
            let of = body.message().map(|message| message.round);
            of.is_some_and(|of| of + rounds > round)
        };
        self.items
            .iter()
            .filter(|item| item.turn == *turn && is_fresh(&item.body))
            .map(|item| item.position)
            .next()
            .unwrap_or_else(|| self.next_position())
    }

    /// From which position on things are kept: as much of the end as fits into a small share, from
    /// the beginning of a turn or round on.
    fn keep_from(&self, around: &Surroundings<'_>, window: u64) -> u32 {
        let most = window.saturating_mul(KEEP_AT_MOST) / 100;
        let mut bytes = 0;
        let mut keep = self.next_position();
        let is_manual = self.run.as_ref().is_some_and(|run| run.record.only_summary);
        if is_manual {
            return keep;
        }
        for item in self.items.iter().rev() {
            bytes += item.body.weight();
            if self.tokens(around, bytes) > most && keep < self.next_position() {
                break;
            }
            match &item.body {
                Body::User { .. } => keep = item.position,
                Body::Assistant(message) if message.round > 0 => keep = item.position,
                Body::Summary { .. } => break,
                Body::Assistant(_)
                | Body::Call(_)
                | Body::Notice { .. }
                | Body::Hint { .. }
                | Body::Question { .. }
                | Body::Gone { .. }
                | Body::TurnEnd { .. } => {}
            }
        }
        keep
    }

    /// Whether there is more before that position than one message.
    fn is_worth_summing_up(&self, keep: u32) -> bool {
        let (_, rest) = history::in_view(&self.items);
        let new = rest
            .iter()
            .filter(|item| item.position < keep && item.body.weight() > 0)
            .filter(|item| !matches!(item.body, Body::Summary { .. }));
        new.take(2).count() == 2
    }

    /// A summary came; none if the answer was cut.
    pub(super) fn summed_up(
        &mut self,
        around: &mut Surroundings<'_>,
        step: &mut Step,
        keep: u32,
        answer: Option<&str>,
    ) {
        match answer.map(compaction::summary_in) {
            Some(Some(text)) => self.put_summary(around, step, keep, text.to_owned(), true),
            Some(None) => self.put_own_summary(around, step, keep, "its answer was empty"),
            None => self.put_own_summary(around, step, keep, "its answer was cut"),
        }
    }

    /// No summary came. A turn does not fail for that: a plain list of what was asked and done
    /// stands in for it. Only whoever asked for a summary is told that there is none.
    pub(super) fn not_summed_up(
        &mut self,
        around: &mut Surroundings<'_>,
        step: &mut Step,
        keep: u32,
        trouble: &Trouble,
    ) {
        self.put_own_summary(around, step, keep, &trouble.reason);
    }

    fn put_own_summary(
        &mut self,
        around: &mut Surroundings<'_>,
        step: &mut Step,
        keep: u32,
        why: &str,
    ) {
        let is_manual = self.run.as_ref().is_some_and(|run| run.record.only_summary);
        if is_manual {
            let text = format!(
                "The model made no summary ({}). Nothing was changed; try again, or choose another model.",
                why.trim_end_matches('.')
            );
            return self.fail(around, step, "not_compacted", text);
        }
        let text = compaction::own_summary(&self.items, keep, &self.about.tasks);
        self.put_summary(around, step, keep, text, false);
    }

    fn put_summary(
        &mut self,
        around: &mut Surroundings<'_>,
        step: &mut Step,
        keep: u32,
        text: String,
        by_model: bool,
    ) {
        let Some(run) = &mut self.run else { return };
        run.record.wanted_summary = None;
        let (turn, only_summary) = (run.record.turn.clone(), run.record.only_summary);
        step.run = true;
        let body = Body::Summary {
            text,
            keep,
            by_model,
        };
        let written = self.first_written_in(&turn);
        self.append(around, step, turn, body);
        if !only_summary {
            self.request(around, step, Purpose::Round, 1);
        } else if written.is_none() {
            self.end_turn(around, step, TurnEndReason::Done);
        } else {
            // The person wrote meanwhile: the turn that was only a summary answers them.
            if let Some(run) = &mut self.run {
                run.record.only_summary = false;
            }
            self.arm_deadline(around, step);
            self.next_round(around, step);
        }
    }

    /// Where the first message of the person's in a turn stands.
    pub(super) fn first_written_in(&self, turn: &TurnId) -> Option<u32> {
        let mut written = self.items.iter().filter(|item| item.turn == *turn);
        written
            .find(|item| item.body.written().is_some())
            .map(|item| item.position)
    }

    /// The server found the request too long: it is made again only when it has become shorter.
    /// False when it cannot.
    pub(super) fn shorten(&mut self, around: &mut Surroundings<'_>, step: &mut Step) -> bool {
        let before = self.request_bytes(around);
        let tokens = self.tokens(around, before);
        let window = self.window(around);
        let Some(run) = &mut self.run else {
            return false;
        };
        if run.record.overflows >= MOST_OVERFLOWS {
            return false;
        }
        run.record.overflows += 1;
        // What was too much is taken to be just over the real window.
        let learned = tokens.min(window).saturating_mul(9) / 10;
        run.record.learned_window = Some(u32::try_from(learned).unwrap_or(u32::MAX));
        step.run = true;
        let turn = run.record.turn.clone();
        let keep = self.make_room(around, step);
        if keep.is_none() && self.request_bytes(around) >= before {
            return false;
        }
        let text = "The conversation was longer than the model can read, so older parts were left out or summed up.";
        self.notice(
            around,
            step,
            turn,
            NoticeLevel::Info,
            "context_shortened",
            text.to_owned(),
        );
        match keep {
            Some(keep) => self.request(around, step, Purpose::Summary { keep }, 1),
            None => self.request(around, step, Purpose::Round, 1),
        }
        true
    }

    /// The person wants a summary: now, or before the next request.
    pub(super) fn compact(
        &mut self,
        around: &mut Surroundings<'_>,
        step: &mut Step,
        instruction: String,
    ) -> Result<(), Refusal> {
        self.not_a_sub_agents("Sum up the conversation that it belongs to instead.")?;
        if let Some(run) = &mut self.run {
            run.record.wanted_summary = Some(instruction);
            step.run = true;
            return Ok(());
        }
        let keep = self.next_position();
        if !self.is_worth_summing_up(keep) {
            return Err(Refusal {
                code: "nothing_to_compact".into(),
                message: "There is nothing to sum up yet.".into(),
            });
        }
        let turn = TurnId(around.ids.fresh());
        let mut record = self.new_record(around, turn, None);
        record.only_summary = true;
        record.wanted_summary = Some(instruction);
        self.run = Some(Run::new(record));
        step.run = true;
        self.request(around, step, Purpose::Summary { keep }, 1);
        Ok(())
    }

    /// What the request for a summary says.
    pub fn summary_request(&self) -> String {
        let wanted = self
            .run
            .as_ref()
            .and_then(|run| run.record.wanted_summary.as_deref());
        compaction::request(wanted.unwrap_or_default())
    }

    /// The position before which everything is summed up by the request that is out.
    pub fn summary_keeps(&self) -> Option<u32> {
        match &self.run.as_ref()?.phase {
            Phase::Model(request) => match request.purpose {
                Purpose::Summary { keep } => Some(keep),
                Purpose::Round | Purpose::Closing => None,
            },
            Phase::Pause { .. } | Phase::Calls | Phase::Question => None,
        }
    }
}

/// Whether the model can get the result again, and it is long enough to be worth it.
fn can_be_left_out(call: &Call) -> bool {
    let can_be_read_again = call.file.is_some() || call.replay == Replay::Pure;
    !call.is_open()
        && !call.left_out
        && can_be_read_again
        && call.model_text.len() > WORTH_LEAVING_OUT
}

//! The loop guard: notices that a turn goes round in circles.
//!
//! It looks at the calls of the whole turn, not of one answer. First the model is told; when that
//! has not helped twice, the person is asked whether to go on. A tool that is used often, each time
//! with other arguments and another result, gets on: the model is told once, and nobody is asked.

use std::collections::BTreeSet;

use tabwright_protocol::{CallState, Millis, QuestionState, Refusal, TurnEndReason};

use super::{CallClass, Conversation, Effect, Limit, Phase, Step, Surroundings, Timer};
use crate::item::{Body, Call};

/// Equal calls: this many
const EQUAL_CALLS: usize = 2;
/// among so many.
const EQUAL_AMONG: usize = 10;
/// Scripts in a row that gave nothing.
const EMPTY_SCRIPTS: usize = 3;
/// Readings of one tab without acting in between.
const READINGS: usize = 3;
/// Calls of one tool: this many
const SAME_TOOL: usize = 5;
/// among so many.
const SAME_TOOL_AMONG: usize = 8;
/// Actions in a row after which the page looks as before.
const ACTIONS_WITHOUT_EFFECT: usize = 3;
/// After so many warnings the person is asked.
const STRIKES: u32 = 2;
/// How long the person is waited for, in milliseconds.
const PATIENCE: u64 = 300_000;

const CONTINUE: &str = "Continue";
const STOP: &str = "Stop";

/// What the guard has found.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Finding {
    /// For the model.
    text: String,
    /// A tool that is used often but gets on: no strike.
    busy: Option<String>,
}

impl Conversation {
    /// After the calls of a round: on to the next one, unless the turn goes round in circles.
    pub(super) fn after_calls(&mut self, around: &mut Surroundings<'_>, step: &mut Step) {
        match self.judge() {
            None => self.next_round(around, step),
            Some(finding) => self.warn(around, step, finding),
        }
    }

    fn judge(&self) -> Option<Finding> {
        let run = self.run.as_ref()?;
        let calls: Vec<&Call> = self
            .items
            .iter()
            .rev()
            .take_while(|item| item.position >= run.record.guard.from)
            .filter(|item| item.turn == run.record.turn)
            .filter_map(|item| item.body.call())
            .filter(|call| !call.is_open())
            .take(EQUAL_AMONG)
            .collect();
        find(&calls, &run.record.guard.busy)
    }

    fn warn(&mut self, around: &mut Surroundings<'_>, step: &mut Step, finding: Finding) {
        let next = self.next_position();
        let is_sub_agent = self.about.parent.is_some();
        let Some(run) = &mut self.run else { return };
        let memory = &mut run.record.guard;
        memory.from = next;
        step.run = true;
        match finding.busy {
            Some(tool) => memory.busy.push(tool),
            None => memory.strikes += 1,
        }
        let is_enough = memory.strikes >= STRIKES;
        let turn = run.record.turn.clone();
        if is_enough && is_sub_agent {
            return self.reach(around, step, Limit::Loop);
        }
        let body = Body::Hint {
            code: "loop_guard".into(),
            text: finding.text.clone(),
        };
        self.append(around, step, turn.clone(), body);
        if !is_enough {
            return self.next_round(around, step);
        }
        let body = Body::Question {
            question: format!(
                "The work seems to go round in circles: {} Should it go on?",
                finding.text
            ),
            options: vec![CONTINUE.into(), STOP.into()],
            state: QuestionState::Open {
                until: Millis(around.now.0 + PATIENCE),
            },
        };
        self.append(around, step, turn, body);
        self.wait_for_the_person(around, step);
    }

    /// Waits for the answer to the open question, if there is one. False when there is none.
    pub(super) fn wait_for_the_person(
        &mut self,
        around: &mut Surroundings<'_>,
        step: &mut Step,
    ) -> bool {
        let until = Millis(around.now.0 + PATIENCE);
        let Some(run) = &mut self.run else {
            return false;
        };
        let turn = &run.record.turn;
        let open = self.items.iter_mut().rev().find(|item| {
            item.turn == *turn
                && matches!(
                    &item.body,
                    Body::Question {
                        state: QuestionState::Open { .. },
                        ..
                    }
                )
        });
        let Some(item) = open else { return false };
        if let Body::Question { state, .. } = &mut item.body {
            *state = QuestionState::Open { until };
        }
        step.items.insert(item.position);
        let timer = Timer(around.ids.number());
        run.questions.push((timer, item.id.clone()));
        run.phase = Phase::Question;
        step.effects.push(Effect::Sleep {
            timer,
            millis: PATIENCE,
        });
        step.effects.push(Effect::Progress);
        true
    }

    /// The person's answer to the guard's question.
    pub(super) fn answer_guard(
        &mut self,
        around: &mut Surroundings<'_>,
        step: &mut Step,
        position: u32,
        answer: &str,
    ) -> Result<(), Refusal> {
        let goes_on = match answer.trim() {
            answer if answer.eq_ignore_ascii_case(CONTINUE) => true,
            answer if answer.eq_ignore_ascii_case(STOP) => false,
            other => {
                return Err(Refusal {
                    code: "not_an_option".into(),
                    message: format!(
                        "“{other}” is no answer here; it must be {CONTINUE} or {STOP}."
                    ),
                });
            }
        };
        self.close_question(
            step,
            position,
            QuestionState::Answered {
                answer: if goes_on { CONTINUE } else { STOP }.into(),
            },
        );
        if goes_on {
            if let Some(run) = &mut self.run {
                run.record.guard.strikes = 0;
                for (timer, _) in run.questions.drain(..) {
                    step.effects.push(Effect::Cancel { timer });
                }
                step.run = true;
            }
            self.next_round(around, step);
        } else {
            self.end_turn(around, step, TurnEndReason::Stopped);
        }
        Ok(())
    }

    /// Whoever writes while the guard asks wants the work to go on.
    pub(super) fn take_as_continue(
        &mut self,
        around: &mut Surroundings<'_>,
        step: &mut Step,
    ) -> Result<(), Refusal> {
        let is_asking = matches!(
            self.run.as_ref().map(|run| &run.phase),
            Some(Phase::Question)
        );
        let open = self.items.iter().rev().find(|item| {
            matches!(
                &item.body,
                Body::Question {
                    state: QuestionState::Open { .. },
                    ..
                }
            )
        });
        match open.map(|item| item.position) {
            Some(position) if is_asking => self.answer_guard(around, step, position, CONTINUE),
            Some(_) | None => Ok(()),
        }
    }

    /// Nobody answered: without a person, going on in circles would only cost.
    pub(super) fn expire_guard(
        &mut self,
        around: &mut Surroundings<'_>,
        step: &mut Step,
        position: u32,
    ) {
        self.close_question(step, position, QuestionState::Expired);
        self.reach(around, step, Limit::Loop);
    }

    fn close_question(&mut self, step: &mut Step, position: u32, to: QuestionState) {
        if let Some(item) = self.item_mut(position)
            && let Body::Question { state, .. } = &mut item.body
        {
            *state = to;
            step.items.insert(position);
        }
    }

    /// Closes whatever question of the guard is open.
    pub(super) fn close_questions(&mut self, step: &mut Step) {
        for item in self.items.iter_mut().rev() {
            if let Body::Question { state, .. } = &mut item.body
                && matches!(state, QuestionState::Open { .. })
            {
                *state = QuestionState::Expired;
                step.items.insert(item.position);
            }
        }
    }
}

/// The first rule that the calls break, newest call first.
fn find(calls: &[&Call], busy: &[String]) -> Option<Finding> {
    let counted: Vec<&&Call> = calls
        .iter()
        .filter(|call| call.class != CallClass::Poll)
        .collect();
    equal_calls(&counted)
        .or_else(|| empty_scripts(&counted))
        .or_else(|| readings(&counted))
        .or_else(|| actions_without_effect(&counted))
        .or_else(|| same_tool(&counted, busy))
}

fn strike(text: String) -> Option<Finding> {
    Some(Finding { text, busy: None })
}

fn equal_calls(calls: &[&&Call]) -> Option<Finding> {
    let newest = calls.first()?;
    let times = calls
        .iter()
        .take(EQUAL_AMONG)
        .filter(|call| call.hash == newest.hash)
        .count();
    if times < EQUAL_CALLS || newest.hash.is_empty() {
        return None;
    }
    strike(format!(
        "The call {} was made {times} times with the same arguments. The result will not change by itself: use the one you have, try another way, or say what stands in the way.",
        newest.tool
    ))
}

fn empty_scripts(calls: &[&&Call]) -> Option<Finding> {
    let scripts = calls.iter().filter(|call| call.tool == "execute_script");
    let empty = scripts.take_while(|call| gave_nothing(call)).count();
    if empty < EMPTY_SCRIPTS {
        return None;
    }
    strike(format!(
        "The last {empty} scripts gave nothing. Read the page to see what is there before the next one, and let the script return a value."
    ))
}

fn gave_nothing(call: &Call) -> bool {
    match &call.state {
        CallState::Done { result, .. } => serde_json::from_str::<serde_json::Value>(result)
            .is_ok_and(|value| value.get("result").is_some_and(serde_json::Value::is_null)),
        CallState::Unknown
        | CallState::Waiting
        | CallState::Running { .. }
        | CallState::AwaitingApproval { .. }
        | CallState::Asking { .. } => false,
    }
}

fn readings(calls: &[&&Call]) -> Option<Finding> {
    let newest = calls
        .first()
        .filter(|call| call.tool == "get_tab_content")?;
    let tab = tab_of(newest)?;
    let times = calls
        .iter()
        .take_while(|call| call.class != CallClass::Act)
        .filter(|call| call.tool == "get_tab_content" && tab_of(call).as_ref() == Some(&tab))
        .count();
    if times < READINGS {
        return None;
    }
    strike(format!(
        "Tab {tab} was read {times} times without acting on it. Work with what you have read, or act."
    ))
}

fn tab_of(call: &Call) -> Option<String> {
    let arguments: serde_json::Value = serde_json::from_str(&call.arguments).ok()?;
    let tab = arguments.get("tab_id")?;
    Some(tab.to_string().trim_matches('"').to_owned())
}

fn actions_without_effect(calls: &[&&Call]) -> Option<Finding> {
    let mut actions = calls.iter().filter(|call| call.class == CallClass::Act);
    let newest = actions.next()?;
    let page = newest.fingerprint.as_ref()?;
    let more = actions
        .take_while(|call| call.fingerprint.as_ref() == Some(page))
        .count();
    if more + 1 < ACTIONS_WITHOUT_EFFECT {
        return None;
    }
    strike(format!(
        "The page has not changed in the last {} actions. They may not reach what they aim at: look at the page again and try another way.",
        more + 1
    ))
}

fn same_tool(calls: &[&&Call], busy: &[String]) -> Option<Finding> {
    let newest = calls.first()?;
    let same: Vec<&&&Call> = calls
        .iter()
        .take(SAME_TOOL_AMONG)
        .filter(|call| call.tool == newest.tool)
        .collect();
    if same.len() < SAME_TOOL || busy.contains(&newest.tool) {
        return None;
    }
    let results: BTreeSet<&str> = same.iter().filter_map(|call| good_result(call)).collect();
    let gets_on = results.len() == same.len();
    Some(Finding {
        text: format!(
            "{} of the last {} calls were {}. If that gets on, go on; if not, try another way, or say what stands in the way.",
            same.len(),
            calls.len().min(SAME_TOOL_AMONG),
            newest.tool
        ),
        busy: gets_on.then(|| newest.tool.clone()),
    })
}

fn good_result(call: &Call) -> Option<&str> {
    match &call.state {
        CallState::Done {
            result,
            is_error: false,
            ..
        } => Some(result),
        CallState::Done { .. }
        | CallState::Unknown
        | CallState::Waiting
        | CallState::Running { .. }
        | CallState::AwaitingApproval { .. }
        | CallState::Asking { .. } => None,
    }
}

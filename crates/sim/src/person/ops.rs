//! What is sent, what is answered, and what is sent again.

use serde_json::json;
use tabwright_protocol::{
    ConversationId, Event, ItemBody, ModelDraft, ModelId, ModelRole, Op, OpEnvelope, OpId,
    ProviderKind, TabId, WorkingTab,
};

use super::Person;
use crate::fault::FaultKind;
use crate::scenario::Scenario;
use crate::tools::ToolKind;

/// Something that was sent to change something.
#[derive(Clone, Debug)]
pub struct Sent {
    /// The id.
    pub id: OpId,
    /// What.
    pub op: Op,
    /// The first answer.
    pub answer: Option<Answer>,
    /// Its place among all answers.
    pub answered: u64,
}

/// How an op was answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It is done.
    Applied,
    /// It was not done, for the reason with that code.
    Refused(String),
    /// What a tool that was run by hand gave.
    Tool(String),
}

impl Sent {
    /// Whether it was answered.
    pub fn is_answered(&self) -> bool {
        self.answer.is_some()
    }

    /// Whether it was done.
    pub fn is_applied(&self) -> bool {
        self.answer == Some(Answer::Applied)
    }

    /// Whether it surely came after that one: it was sent later, and answered later.
    pub fn is_after(&self, other: &Self, places: (usize, usize)) -> bool {
        places.0 > places.1 && self.answered > other.answered
    }
}

/// The person's message that a plan follows.
pub(super) fn message(plan: u32) -> String {
    format!("[plan:{plan}] Please do what the plan says.")
}

/// What the person writes beside. It names the plan too, in case that nothing else is left of it.
pub(super) fn beside(plan: u32, number: u32) -> String {
    format!("[plan:{plan}] [steer:{number}] And mind this.")
}

/// A run of a tool by hand. Plan 0 is nobody's.
pub(super) fn by_hand(tool: ToolKind, number: u32) -> Op {
    let arguments = json!({"id": format!("0.{number}.0"), "before": 30, "after": 30});
    Op::CallTool {
        tool: tool.name().to_owned(),
        arguments: arguments.to_string(),
        tab: None,
    }
}

fn model(id: &str, window: u32) -> Op {
    Op::SaveModel {
        model: ModelDraft {
            id: ModelId::from(id),
            name: format!("Model {id}"),
            provider: ProviderKind::OpenAiChat,
            address: "https://model.test/v1".into(),
            model: id.into(),
            key: Some("sk-simulated".into()),
            scripted: false,
            context_window: Some(window),
            options: Default::default(),
        },
    }
}

impl Person {
    /// What a person does first.
    pub(super) fn set_up(&mut self, scenario: &Scenario) {
        self.send(model("first", scenario.told_window));
        self.send(model("second", scenario.told_window));
        self.send(Op::SaveSettings {
            settings: scenario.settings.clone(),
        });
    }

    fn next_id(&mut self) -> OpId {
        self.next_op += 1;
        OpId(format!("op-{}", self.next_op))
    }

    /// Sends something that changes something, with a fresh id.
    pub(super) fn send(&mut self, op: Op) {
        let id = self.next_id();
        self.sent.push(Sent {
            id: id.clone(),
            op: op.clone(),
            answer: None,
            answered: 0,
        });
        self.outgoing.push(OpEnvelope { id, op });
    }

    /// Sends something that only reads.
    pub(super) fn read(&mut self, op: Op) -> OpId {
        let id = self.next_id();
        self.reads.insert(id.clone());
        self.outgoing.push(OpEnvelope { id: id.clone(), op });
        id
    }

    /// Sends again, with the same ids, what was not answered: the core has started anew. What only
    /// read is asked for again by its own rules.
    pub fn send_again(&mut self) {
        let waiting: Vec<OpEnvelope> = self
            .sent
            .iter()
            .filter(|sent| !sent.is_answered())
            .map(|sent| OpEnvelope {
                id: sent.id.clone(),
                op: sent.op.clone(),
            })
            .collect();
        self.reads.clear();
        self.outgoing.extend(waiting);
    }

    /// Sends again, with the same id, something that may have been answered already.
    pub(super) fn repeat_something(&mut self) {
        if let Some(sent) = self.random.pick(&self.sent) {
            self.outgoing.push(OpEnvelope {
                id: sent.id.clone(),
                op: sent.op.clone(),
            });
        }
    }

    /// Remembers an answer, and that it is the one that was given before.
    pub(super) fn note_answer(&mut self, event: &Event) {
        let (op, answer) = match event {
            Event::Applied { op } => (op, Answer::Applied),
            Event::Refused { op, refusal } => (op, Answer::Refused(refusal.code.clone())),
            Event::ToolAnswer { op, text, .. } => (op, Answer::Tool(text.clone())),
            Event::Welcome { op, .. }
            | Event::Snapshot { op, .. }
            | Event::Conversations { op, .. } => {
                self.reads.remove(op);
                return;
            }
            Event::Core { .. }
            | Event::Item { .. }
            | Event::Blocks { .. }
            | Event::Tasks { .. }
            | Event::Cleared { .. }
            | Event::SubAgentEvent { .. }
            | Event::Run { .. }
            | Event::Conversation { .. }
            | Event::ConversationDeleted { .. }
            | Event::Models { .. }
            | Event::ModelChecked { .. }
            | Event::ModelsFound { .. }
            | Event::UsageByDay { .. }
            | Event::Settings { .. } => return,
        };
        self.reads.remove(op);
        let Some(sent) = self.sent.iter_mut().find(|sent| sent.id == *op) else {
            return;
        };
        match &sent.answer {
            None => {
                self.answers += 1;
                sent.answered = self.answers;
                sent.answer = Some(answer);
            }
            Some(before) if *before == answer => {}
            Some(before) => {
                let about = format!("{} was {before:?}, then {answer:?}", sent.id);
                self.fault(FaultKind::AnswerChanged, about);
            }
        }
    }

    /// Whether something about a conversation was sent and not answered.
    pub(super) fn has_unanswered(&self, id: &ConversationId) -> bool {
        let mut waiting = self.sent.iter().filter(|sent| !sent.is_answered());
        waiting.any(|sent| conversation_of(&sent.op).is_none_or(|about| about == id))
    }

    pub(super) fn say(&mut self, id: &ConversationId, text: String) {
        let was_deleted = self.sent.iter().any(
            |sent| matches!(&sent.op, Op::DeleteConversation { conversation } if conversation == id),
        );
        self.view.write_in(id, was_deleted);
        let tab = self.random.chance(50).then(|| WorkingTab {
            id: TabId(1),
            url: "https://example.test/".into(),
            title: "Example".into(),
        });
        self.send(Op::SendMessage {
            conversation: id.clone(),
            text,
            tab,
        });
    }

    /// Another answer to the last message.
    pub(super) fn regenerate(&mut self, id: &ConversationId) {
        let Some(shown) = self.view.conversations.get(id) else {
            return;
        };
        let last = shown
            .in_order()
            .into_iter()
            .rfind(|item| matches!(item.body, ItemBody::UserMessage { .. }));
        let Some(turn) = last.map(|item| item.turn.clone()) else {
            return;
        };
        self.send(Op::Regenerate {
            conversation: id.clone(),
            turn,
        });
    }

    /// Another message in the place of one of the last two.
    pub(super) fn edit(&mut self, index: usize, id: &ConversationId, plan: u32) {
        let Some(shown) = self.view.conversations.get(id) else {
            return;
        };
        let messages: Vec<_> = shown
            .in_order()
            .into_iter()
            .filter(|item| matches!(item.body, ItemBody::UserMessage { .. }))
            .map(|item| item.id.clone())
            .collect();
        let from = messages.len().saturating_sub(2);
        let Some(item) = self.random.pick(&messages[from..]).cloned() else {
            return;
        };
        if let Some(thread) = self.threads.get_mut(index) {
            thread.last_plan = plan;
            thread.retries = 0;
        }
        self.send(Op::EditMessage {
            conversation: id.clone(),
            item,
            text: message(plan),
            tab: None,
        });
    }

    pub(super) fn switch_model(&mut self) {
        self.uses_second_model = !self.uses_second_model;
        let name = if self.uses_second_model {
            "second"
        } else {
            "first"
        };
        self.send(Op::UseModel {
            model: Some(ModelId::from(name)),
            role: ModelRole::Current,
        });
    }
}

/// The conversation that an op is about; none for those that are about something else.
pub fn conversation_of(op: &Op) -> Option<&ConversationId> {
    match op {
        Op::Attach { conversation, .. }
        | Op::SendMessage { conversation, .. }
        | Op::AnswerQuestion { conversation, .. }
        | Op::Decide { conversation, .. }
        | Op::Stop { conversation }
        | Op::Retry { conversation }
        | Op::EditMessage { conversation, .. }
        | Op::Regenerate { conversation, .. }
        | Op::Compact { conversation, .. }
        | Op::Clear { conversation }
        | Op::RenameConversation { conversation, .. }
        | Op::DeleteConversation { conversation } => Some(conversation),
        Op::Hello
        | Op::ListConversations { .. }
        | Op::CallTool { .. }
        | Op::SaveModel { .. }
        | Op::DeleteModel { .. }
        | Op::UseModel { .. }
        | Op::CheckModel { .. }
        | Op::FindModels
        | Op::ListUsage { .. }
        | Op::SaveSettings { .. } => None,
    }
}

//! Which tools which conversation has, and the checks before them.

use std::cell::Cell;
use std::rc::Rc;

use serde_json::json;
use tabwright_tools::{
    Access, AgentKind, CallFacts, Declaration, Door, Effects, Inspector, Registry, Verdict,
};

/// What the system prompt comes to, in bytes, roughly.
const PROMPT_BYTES: u64 = 2_500;

/// The doors of the person's conversations and of each kind of sub-agent.
pub(super) struct Doors {
    own: Kit,
    researcher: Kit,
    page_operator: Kit,
    general: Kit,
    ask_first: Rc<Cell<bool>>,
}

/// A door, with what its tools come to in a request.
pub(super) struct Kit {
    pub(super) door: Rc<Door>,
    /// Bytes of the prompt and the tools.
    pub(super) bytes: u64,
}

impl Doors {
    /// The doors to these tools.
    pub(super) fn new(registry: Registry, ask_first: bool) -> Self {
        let ask_first = Rc::new(Cell::new(ask_first));
        let door = Door::new(registry, vec![Rc::new(AskFirst(ask_first.clone()))]);
        let of = |kind: AgentKind| Kit::new(door.only(|tool| kind.may_use(tool)));
        Self {
            researcher: of(AgentKind::Researcher),
            page_operator: of(AgentKind::PageOperator),
            general: of(AgentKind::General),
            own: Kit::new(door),
            ask_first,
        }
    }

    /// Those of a kind of sub-agent, or of the person's own conversations.
    pub(super) fn of(&self, kind: Option<AgentKind>) -> &Kit {
        match kind {
            None => &self.own,
            Some(AgentKind::Researcher) => &self.researcher,
            Some(AgentKind::PageOperator) => &self.page_operator,
            Some(AgentKind::General) => &self.general,
        }
    }

    /// Whether the person is asked before every call that changes something.
    pub(super) fn set_ask_first(&self, ask_first: bool) {
        self.ask_first.set(ask_first);
    }
}

impl Kit {
    fn new(door: Door) -> Self {
        let tools: usize = door
            .registry()
            .declarations()
            .map(|tool| {
                let spec = json!({"name": tool.name, "description": tool.description, "parameters": tool.schema});
                spec.to_string().len()
            })
            .sum();
        Self {
            door: Rc::new(door),
            bytes: PROMPT_BYTES + tools as u64,
        }
    }
}

/// Asks the person before every call that changes something outside, when they have set that.
struct AskFirst(Rc<Cell<bool>>);

impl Inspector for AskFirst {
    fn name(&self) -> &'static str {
        "ask_before_acting"
    }

    fn inspect(&self, call: &CallFacts<'_>) -> Verdict {
        if !self.0.get() || !changes_something(call.declaration) {
            return Verdict::Allow;
        }
        Verdict::Ask {
            reason: "You have set that you are asked before anything is changed.".into(),
        }
    }
}

/// A sub-agent's own calls are asked for one by one, so starting one is not.
fn changes_something(tool: &Declaration) -> bool {
    tool.access == Access::Write && tool.effects != Effects::NONE && tool.name != "agent"
}

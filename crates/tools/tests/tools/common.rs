//! A tool that a test writes, and a context to call it in.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use serde_json::{Map, Value, json};
use tabwright_host::fake::FakeHost;
use tabwright_host::{Host, LocalBoxFuture};
use tabwright_protocol::{CallId, TabId};
use tabwright_tools::{
    Access, AnyTool, Declaration, Door, Effects, Registry, Replay, ToolContext, ToolOutput,
    ToolResult,
};

/// Answers from a script, and with its arguments when the script is over.
#[derive(Clone)]
pub struct Scripted {
    pub declaration: Declaration,
    pub script: Rc<RefCell<VecDeque<ToolResult>>>,
    pub runs: Rc<RefCell<Vec<Value>>>,
}

impl Scripted {
    pub fn new(name: &str) -> Self {
        Self {
            declaration: Declaration {
                name: name.into(),
                title: name.into(),
                description: name.into(),
                schema: json!({"type": "object", "properties": {}}),
                access: Access::Read,
                replay: Replay::Pure,
                concurrent: true,
                effects: Effects::NONE,
                untrusted: false,
            },
            script: Rc::default(),
            runs: Rc::default(),
        }
    }

    pub fn answers(self, results: impl IntoIterator<Item = ToolResult>) -> Self {
        self.script.borrow_mut().extend(results);
        self
    }

    pub fn with(mut self, change: impl FnOnce(&mut Declaration)) -> Self {
        change(&mut self.declaration);
        self
    }

    pub fn door(&self) -> Door {
        let mut registry = Registry::new();
        registry.add(self.clone()).expect("a good name");
        Door::new(registry, Vec::new())
    }
}

impl AnyTool for Scripted {
    fn declaration(&self) -> Declaration {
        self.declaration.clone()
    }

    fn run(
        &self,
        _: ToolContext,
        arguments: Map<String, Value>,
    ) -> LocalBoxFuture<'static, ToolResult> {
        let value = Value::Object(arguments);
        self.runs.borrow_mut().push(value.clone());
        let next = self.script.borrow_mut().pop_front();
        Box::pin(async move { next.unwrap_or(Ok(ToolOutput { value })) })
    }
}

pub fn context(host: Host) -> ToolContext {
    ToolContext {
        host,
        tab: Some(TabId(7)),
        call: CallId::from("call-1"),
        approved: false,
    }
}

pub fn any_context() -> ToolContext {
    context(FakeHost::new(1).host())
}

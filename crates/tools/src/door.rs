//! The one way any call runs, whoever makes it.
//!
//! Invariant: a [`Prepared`] call was looked up, checked and inspected, and only the door makes
//! one; it runs at most once, in the context in which it was inspected.

use std::rc::Rc;

use serde_json::{Map, Value};
use tabwright_host::{HostErrorKind, LocalBoxFuture};

use crate::arguments::parse_arguments;
use crate::core_request::CoreRequest;
use crate::registry::{Kind, Registered};
use crate::tool::ToolResult;
use crate::{
    CallFacts, CallOutcome, Declaration, Inspector, Registry, Replay, ToolContext, ToolError,
    Verdict,
};

/// How long a pure call waits before it is tried again, in milliseconds: time enough for a service
/// worker that was stopped in the middle to start.
const PAUSES: [u64; 3] = [100, 300, 900];

/// The one way any call runs.
#[derive(Clone)]
pub struct Door {
    registry: Registry,
    inspectors: Vec<Rc<dyn Inspector>>,
}

/// A call that may run.
pub struct Prepared {
    cx: ToolContext,
    tool: Registered,
    arguments: Map<String, Value>,
    canonical: String,
    approval: Option<String>,
}

impl Door {
    /// A door to these tools, with these checks in this order.
    pub fn new(registry: Registry, inspectors: Vec<Rc<dyn Inspector>>) -> Self {
        Self {
            registry,
            inspectors,
        }
    }

    /// The same door with fewer tools behind it.
    pub fn only(&self, may_use: impl Fn(&Declaration) -> bool) -> Self {
        Self {
            registry: self.registry.only(may_use),
            inspectors: self.inspectors.clone(),
        }
    }

    /// The same door with one more check.
    pub fn with(&self, inspector: Rc<dyn Inspector>) -> Self {
        let mut door = self.clone();
        door.inspectors.push(inspector);
        door
    }

    /// The tools behind it.
    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// Looks the tool up, checks the arguments and asks the inspectors. Nothing has run yet. The
    /// error is the call's one result.
    pub fn prepare(
        &self,
        cx: ToolContext,
        name: &str,
        arguments: &str,
    ) -> Result<Prepared, CallOutcome> {
        let Some(tool) = self.registry.get(name) else {
            return Err(self.registry.unknown(name));
        };
        let declaration = tool.declaration();
        let arguments = parse_arguments(arguments, &declaration.schema)
            .map_err(|error| error.into_outcome(declaration))?;
        let canonical = canonical_text(&arguments);
        let facts = CallFacts {
            declaration,
            arguments: &arguments,
            canonical: &canonical,
            tab: cx.tab,
            call: &cx.call,
        };
        let mut approval = None;
        for inspector in &self.inspectors {
            match inspector.inspect(&facts) {
                Verdict::Allow => {}
                // The first one's reason is enough to ask; each of the others may still refuse.
                Verdict::Ask { reason } => approval = approval.or(Some(reason)),
                Verdict::Refuse { rule, message } => {
                    return Err(CallOutcome::error(&rule, message));
                }
            }
        }
        Ok(Prepared {
            cx,
            tool: tool.clone(),
            arguments,
            canonical,
            approval,
        })
    }

    /// Runs a call. Dropping the future stops it. What needs the person's permission and does not
    /// have it does not run.
    pub fn run(&self, prepared: Prepared) -> LocalBoxFuture<'static, CallOutcome> {
        Box::pin(async move {
            if prepared.approval.is_some() && !prepared.cx.approved {
                return CallOutcome::error(
                    "not_approved",
                    "This call needs the person's permission, which it does not have. Do without it, or ask the person.",
                );
            }
            let declaration = prepared.tool.shared_declaration();
            match run_patiently(prepared).await {
                Ok(output) => CallOutcome {
                    value: output.value,
                    is_error: false,
                    untrusted: declaration.untrusted,
                    fatal: false,
                },
                Err(error) => error.into_outcome(&declaration),
            }
        })
    }

    /// Prepares and runs a call.
    pub fn call(
        &self,
        cx: ToolContext,
        name: &str,
        arguments: &str,
    ) -> LocalBoxFuture<'static, CallOutcome> {
        match self.prepare(cx, name, arguments) {
            Ok(prepared) => self.run(prepared),
            Err(outcome) => Box::pin(async move { outcome }),
        }
    }
}

impl Prepared {
    /// Why the person must allow it before it runs, if they must.
    pub fn approval(&self) -> Option<&str> {
        self.approval.as_deref()
    }

    /// What it asks of the conversation, if it is not carried out by the tool itself.
    pub fn core_request(&self) -> Result<Option<CoreRequest>, CallOutcome> {
        match self.tool.kind() {
            Kind::Outside(_) => Ok(None),
            Kind::Core(tool) => tool
                .request(self.arguments.clone())
                .map(Some)
                .map_err(|error| error.into_outcome(self.declaration())),
        }
    }

    /// What the tool says of itself.
    pub fn declaration(&self) -> &Declaration {
        self.tool.declaration()
    }

    /// The arguments, coerced; unknown ones are dropped.
    pub fn arguments(&self) -> &Map<String, Value> {
        &self.arguments
    }

    /// The arguments as text: equal for equal arguments, however they were written.
    pub fn canonical_arguments(&self) -> &str {
        &self.canonical
    }

    /// 16 hexadecimal digits that tell this tool and these arguments from others. Good for noticing
    /// a change, not for proving that there was none.
    pub fn arguments_hash(&self) -> String {
        let name = self.declaration().name.bytes();
        let bytes = name.chain([0]).chain(self.canonical.bytes());
        format!("{:016x}", fnv1a(bytes))
    }
}

/// Runs a call; a pure one is tried again while the other side is away.
async fn run_patiently(prepared: Prepared) -> ToolResult {
    let tool = match prepared.tool.kind() {
        Kind::Outside(tool) => Rc::clone(tool),
        Kind::Core(_) => {
            return Err(ToolError::reply(
                "needs_conversation",
                "This tool works only inside a conversation.",
            ));
        }
    };
    if prepared.declaration().replay == Replay::Pure {
        for pause in PAUSES {
            let attempt = tool.run(prepared.cx.clone(), prepared.arguments.clone());
            let result = attempt.await;
            if !is_unavailable(&result) {
                return result;
            }
            prepared.cx.host.clock.sleep(pause).await;
        }
    }
    tool.run(prepared.cx, prepared.arguments).await
}

fn is_unavailable(result: &ToolResult) -> bool {
    matches!(result, Err(ToolError::Host(error)) if error.kind == HostErrorKind::Unavailable)
}

/// Compact JSON with sorted keys.
fn canonical_text(arguments: &Map<String, Value>) -> String {
    let mut arguments = Value::Object(arguments.clone());
    arguments.sort_all_objects();
    arguments.to_string()
}

/// The 64-bit FNV-1a hash.
fn fnv1a(bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::fnv1a;

    #[test]
    fn the_hash_is_fnv_1a() {
        // The published test vectors.
        assert_eq!(fnv1a(b"".iter().copied()), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv1a(b"a".iter().copied()), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(fnv1a(b"foobar".iter().copied()), 0x8594_4171_f739_67e8);
    }
}

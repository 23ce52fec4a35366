//! Tools for tests: their names say what they are.

use serde_json::{Map, Value, json};
use tabwright_host::LocalBoxFuture;
use tabwright_tools::{
    Access, AnyTool, Declaration, Effects, Registry, Replay, ToolContext, ToolError, ToolOutput,
    ToolResult,
};

/// The tools of the product, and three for tests: `send` (a bare write that takes a second),
/// `look` (a read that repeats its argument `text` as often as `times` says), `broken`.
pub fn with_test_tools() -> Result<Registry, ToolError> {
    let mut registry = tabwright_tools::builtin()?;
    registry.add(TestTool {
        name: "send",
        replay: Replay::BareWrite,
        access: Access::Write,
    })?;
    registry.add(TestTool {
        name: "look",
        replay: Replay::Pure,
        access: Access::Read,
    })?;
    registry.add(TestTool {
        name: "broken",
        replay: Replay::Pure,
        access: Access::Read,
    })?;
    Ok(registry)
}

struct TestTool {
    name: &'static str,
    replay: Replay,
    access: Access,
}

impl AnyTool for TestTool {
    fn declaration(&self) -> Declaration {
        Declaration {
            name: self.name.into(),
            title: self.name.into(),
            description: self.name.into(),
            schema: json!({"type": "object", "properties": {
                "text": {"type": "string"}, "times": {"type": "integer"},
            }}),
            access: self.access,
            replay: self.replay,
            concurrent: self.access == Access::Read,
            effects: Effects::PAGE,
            untrusted: true,
        }
    }

    fn run(
        &self,
        cx: ToolContext,
        arguments: Map<String, Value>,
    ) -> LocalBoxFuture<'static, ToolResult> {
        let name = self.name;
        Box::pin(async move {
            let text = arguments.get("text").and_then(Value::as_str);
            let text = text.unwrap_or("nothing").to_owned();
            match name {
                "send" => {
                    // Recorded by the fake browser, where a test can count it.
                    cx.host.clock.sleep(1_000).await;
                    cx.host
                        .files
                        .write(&format!("sent/{text}"), vec![1])
                        .await?;
                    ToolOutput::new(json!({"sent": text}))
                }
                "look" => {
                    let times = arguments.get("times").and_then(Value::as_u64).unwrap_or(1);
                    let times = usize::try_from(times).unwrap_or(1);
                    ToolOutput::new(json!({"content": text.repeat(times)}))
                }
                _ => Err(ToolError::reply("broken", "It is broken.")),
            }
        })
    }
}

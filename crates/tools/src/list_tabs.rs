//! `list_tabs`: which tabs are open.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use tabwright_host::LocalBoxFuture;
use tabwright_protocol::{Tab, WindowId};

use crate::pattern::TextPattern;
use crate::tab_row::tab_row;
use crate::tool::ToolResult;
use crate::{Access, Declaration, Effects, Replay, Tool, ToolContext, ToolError, ToolOutput};

/// The tool.
pub struct ListTabs;

/// Its arguments. All that are given must hold.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct ListTabsInput {
    /// Regex on the URL, case-insensitive.
    pub url_pattern: Option<String>,
    /// Regex on the title, case-insensitive.
    pub title_pattern: Option<String>,
    /// Only the shown tab of each window (true), or only the others (false).
    pub active: Option<bool>,
    /// Only tabs of this window.
    pub window_id: Option<i32>,
    /// Only tabs that play sound (true), or only silent ones (false).
    pub audible: Option<bool>,
}

impl Tool for ListTabs {
    type Input = ListTabsInput;

    fn declaration(&self, schema: Value) -> Declaration {
        Declaration {
            name: "list_tabs".into(),
            title: "List tabs".into(),
            description:
                "List the open browser tabs: all of them, or those that match every filter given."
                    .into(),
            schema,
            access: Access::Read,
            replay: Replay::Pure,
            concurrent: true,
            effects: Effects::TABS,
            untrusted: true,
        }
    }

    fn run(&self, cx: ToolContext, input: ListTabsInput) -> LocalBoxFuture<'static, ToolResult> {
        Box::pin(async move {
            let filter = Filter::new(&input)?;
            let tabs = cx.host.tabs.list().await?;
            let tabs = tabs.into_iter().filter(|tab| filter.lets_through(tab));
            let rows: Result<Vec<Value>, ToolError> = tabs.map(|tab| tab_row(tab, &[])).collect();
            Ok(ToolOutput {
                value: rows?.into(),
            })
        })
    }
}

struct Filter {
    url: Option<TextPattern>,
    title: Option<TextPattern>,
    active: Option<bool>,
    window: Option<WindowId>,
    audible: Option<bool>,
}

impl Filter {
    fn new(input: &ListTabsInput) -> Result<Self, ToolError> {
        let pattern = |argument: &str, text: &Option<String>| {
            let compiled = text.as_deref().map(|text| TextPattern::new(argument, text));
            compiled.transpose()
        };
        Ok(Self {
            url: pattern("url_pattern", &input.url_pattern)?,
            title: pattern("title_pattern", &input.title_pattern)?,
            active: input.active,
            window: input.window_id.map(WindowId),
            audible: input.audible,
        })
    }

    fn lets_through(&self, tab: &Tab) -> bool {
        self.url.as_ref().is_none_or(|url| url.matches(&tab.url))
            && self
                .title
                .as_ref()
                .is_none_or(|title| title.matches(&tab.title))
            && self.active.is_none_or(|active| active == tab.active)
            && self.window.is_none_or(|window| window == tab.window_id)
            && self.audible.is_none_or(|audible| audible == tab.audible)
    }
}

//! Which tools there are.
//!
//! Invariant: one name is one tool, and every name is one that all providers take.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::tool::AnyCoreTool;
use crate::{AnyTool, CallOutcome, CoreTool, Declaration, ToolError};

/// Tools by name. A clone is cheap, so that each conversation can have its own.
#[derive(Clone, Default)]
pub struct Registry {
    tools: BTreeMap<String, Registered>,
}

/// A tool that was added.
#[derive(Clone)]
pub struct Registered {
    declaration: Rc<Declaration>,
    kind: Kind,
}

/// Who carries a call out.
#[derive(Clone)]
pub(crate) enum Kind {
    /// The tool.
    Outside(Rc<dyn AnyTool>),
    /// The conversation.
    Core(Rc<dyn AnyCoreTool>),
}

impl Registered {
    /// What it says of itself.
    pub fn declaration(&self) -> &Declaration {
        &self.declaration
    }

    pub(crate) fn shared_declaration(&self) -> Rc<Declaration> {
        Rc::clone(&self.declaration)
    }

    pub(crate) fn kind(&self) -> &Kind {
        &self.kind
    }
}

impl Registry {
    /// No tools.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a tool, unless its name is taken or no provider would take it.
    pub fn add(&mut self, tool: impl AnyTool + 'static) -> Result<(), ToolError> {
        self.register(tool.declaration(), Kind::Outside(Rc::new(tool)))
    }

    /// The same for a tool that the conversation itself carries out.
    pub fn add_core(&mut self, tool: impl CoreTool + 'static) -> Result<(), ToolError> {
        let tool: Rc<dyn AnyCoreTool> = Rc::new(tool);
        self.register(tool.declaration(), Kind::Core(tool))
    }

    /// The tools that `may_use` says yes to.
    pub fn only(&self, may_use: impl Fn(&Declaration) -> bool) -> Self {
        let tools = self.tools.iter();
        Self {
            tools: tools
                .filter(|(_, tool)| may_use(&tool.declaration))
                .map(|(name, tool)| (name.clone(), tool.clone()))
                .collect(),
        }
    }

    fn register(&mut self, declaration: Declaration, kind: Kind) -> Result<(), ToolError> {
        let name = declaration.name.clone();
        if !is_tool_name(&name) {
            return Err(ToolError::reply(
                "invalid_tool_name",
                format!(
                    "`{name}` is no tool name: it must be 1 to 64 of the characters a-z, A-Z, 0-9, _ and -."
                ),
            ));
        }
        if self.tools.contains_key(&name) {
            return Err(ToolError::reply(
                "tool_name_taken",
                format!("There is a tool `{name}` already. Use another name."),
            ));
        }
        let registered = Registered {
            declaration: Rc::new(declaration),
            kind,
        };
        self.tools.insert(name, registered);
        Ok(())
    }

    /// The tool with exactly that name.
    pub fn get(&self, name: &str) -> Option<&Registered> {
        self.tools.get(name)
    }

    /// What all tools say of themselves, by name: the same tools are always in the same order, so
    /// that a provider's prompt cache holds.
    pub fn declarations(&self) -> impl Iterator<Item = &Declaration> {
        self.tools.values().map(Registered::declaration)
    }

    /// The error result of a call to a tool that does not exist.
    pub(crate) fn unknown(&self, name: &str) -> CallOutcome {
        let short: String = name.chars().take(64).collect();
        let near = self.nearest(&short);
        let advice = if near.is_empty() {
            let names: Vec<&str> = self.tools.keys().map(String::as_str).collect();
            format!("There are: {}.", names.join(", "))
        } else {
            format!("Did you mean {}?", near.join(" or "))
        };
        CallOutcome::error(
            "unknown_tool",
            format!("There is no tool `{short}`. {advice}"),
        )
    }

    /// Up to three names that are like this one, nearest first.
    fn nearest(&self, name: &str) -> Vec<String> {
        let wanted = name.to_lowercase();
        let mut near: Vec<(usize, &String)> = self
            .tools
            .keys()
            .map(|known| (distance(&wanted, &known.to_lowercase()), known))
            .filter(|(distance, known)| {
                *distance <= (known.len() / 3).max(2) || wanted.contains(known.as_str())
            })
            .collect();
        near.sort();
        near.into_iter()
            .take(3)
            .map(|(_, known)| format!("`{known}`"))
            .collect()
    }
}

fn is_tool_name(name: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    (1..=64).contains(&name.len()) && name.chars().all(fits)
}

/// How many characters must be put in, left out or changed to make `a` into `b`.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (above, from) in a.chars().enumerate() {
        let mut diagonal = above;
        let mut left = above + 1;
        let mut next = vec![left];
        for (to, &up) in b.iter().zip(row.iter().skip(1)) {
            left = (diagonal + usize::from(from != *to))
                .min(left + 1)
                .min(up + 1);
            diagonal = up;
            next.push(left);
        }
        row = next;
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::distance;

    #[test]
    fn the_distance_is_the_number_of_changed_characters() {
        let cases = [
            ("", "", 0),
            ("", "abc", 3),
            ("abc", "", 3),
            ("kitten", "sitting", 3),
            ("list_tab", "list_tabs", 1),
            ("tabs", "tabs", 0),
            ("éa", "ea", 1),
        ];
        for (a, b, expected) in cases {
            assert_eq!(distance(a, b), expected, "{a} to {b}");
        }
    }
}

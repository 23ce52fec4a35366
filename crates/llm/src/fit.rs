//! A request for a model that cannot do all that the conversation needs: nothing is asked of it
//! that it cannot do, and it is told what was left out.

use tabwright_protocol::{Capability, ModelOptions};

use crate::describe::describe;
use crate::write::quoted;
use crate::{AssistantCall, ChatRequest, Image, Message, Part, ToolSpec};

/// What a model that cannot look at images gets in the place of one.
pub(crate) const NO_IMAGE: &str = "[An image was left out: this model cannot look at images.]";
/// How a model that is told of its tools in words shall call them.
const FORM: &str = r#"You can call tools. To call one, write its call on lines of its own, and nothing after it:
<tool_call>
{"name": "its name", "arguments": {}}
</tool_call>
The result comes in the next message; never write it yourself. These are the tools, each with its arguments:"#;

/// A conversation as the model can take it.
pub(crate) struct Fitted<'a> {
    system: String,
    messages: Vec<Message>,
    tools: &'a [ToolSpec],
}

impl Fitted<'_> {
    /// As a request.
    pub(crate) fn chat(&self) -> ChatRequest<'_> {
        ChatRequest {
            system: &self.system,
            messages: &self.messages,
            tools: self.tools,
        }
    }
}

/// Whether the model is offered tools in the way of its format.
pub(crate) fn calls_tools(options: &ModelOptions) -> bool {
    can(options.can.tools)
}

/// Whether a model can do a thing, or may be able to.
pub(crate) fn can(capability: Capability) -> bool {
    match capability {
        Capability::Unknown | Capability::Yes => true,
        Capability::No => false,
    }
}

/// The conversation without what the model cannot do; nothing if it can take it as it is.
pub(crate) fn fit<'a>(options: &ModelOptions, chat: &ChatRequest<'a>) -> Option<Fitted<'a>> {
    let (sees, calls) = (can(options.can.vision), calls_tools(options));
    if sees && calls {
        return None;
    }
    let mut messages = chat.messages.to_vec();
    if !sees {
        messages.iter_mut().for_each(leave_images_out);
    }
    let mut system = chat.system.to_owned();
    let mut tools = chat.tools;
    if !calls {
        messages = in_words(messages);
        if options.text_calls && !tools.is_empty() {
            system = format!("{system}\n\n{FORM}{}", describe(tools));
        }
        tools = &[];
    }
    Some(Fitted {
        system: system.trim_start().to_owned(),
        messages,
        tools,
    })
}

/// A person's message as one text.
pub(crate) fn texts(parts: &[Part]) -> String {
    let texts: Vec<_> = parts
        .iter()
        .map(|part| match part {
            Part::Text(text) => text.as_str(),
            Part::Image(_) => NO_IMAGE,
        })
        .collect();
    texts.join("\n\n")
}

fn leave_images_out(message: &mut Message) {
    match message {
        Message::User { parts } => {
            for part in parts {
                match part {
                    Part::Text(_) => {}
                    Part::Image(_) => *part = Part::Text(NO_IMAGE.to_owned()),
                }
            }
        }
        Message::Assistant { .. } => {}
        Message::ToolResult { text, images, .. } => {
            for _ in images.drain(..) {
                text.push_str("\n\n");
                text.push_str(NO_IMAGE);
            }
        }
    }
}

/// Calls and their results as what the two sides said.
fn in_words(messages: Vec<Message>) -> Vec<Message> {
    let mut plain: Vec<Message> = Vec::with_capacity(messages.len());
    for message in messages {
        match message {
            Message::User { parts } => add_user(&mut plain, parts),
            Message::Assistant {
                text,
                thinking,
                calls,
                opaque: _,
            } => plain.push(Message::Assistant {
                text: with_calls(text, &calls),
                thinking,
                calls: Vec::new(),
                // It was made for a message with these calls.
                opaque: serde_json::Value::Null,
            }),
            Message::ToolResult {
                call_id: _,
                tool,
                text,
                images,
                is_error,
            } => {
                let what = if is_error { "Error" } else { "Result" };
                let said = Part::Text(format!("{what} of {tool}:\n{text}"));
                let images = images.into_iter().map(Part::Image);
                add_user(&mut plain, std::iter::once(said).chain(images).collect());
            }
        }
    }
    plain
}

fn add_user(plain: &mut Vec<Message>, parts: Vec<Part>) {
    if let Some(Message::User { parts: before }) = plain.last_mut() {
        before.extend(parts);
    } else {
        plain.push(Message::User { parts });
    }
}

fn with_calls(mut text: String, calls: &[AssistantCall]) -> String {
    for call in calls {
        if !text.is_empty() {
            text.push('\n');
        }
        let name = quoted(&call.name);
        let arguments = &call.arguments;
        text.push_str(&format!(
            "<tool_call>\n{{\"name\": {name}, \"arguments\": {arguments}}}\n</tool_call>"
        ));
    }
    text
}

/// The images of results, for formats whose results are texts only: they go before what the person
/// says next, or into a message of their own.
pub(crate) struct LateImages<'a>(Vec<(&'a str, &'a Image)>);

/// A part of a person's message as it is written.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shown<'a> {
    /// Text.
    Text(&'a str),
    /// Which result the images that follow belong to.
    ImagesOf(&'a str),
    /// An image.
    Image(&'a Image),
}

impl<'a> LateImages<'a> {
    pub(crate) fn new() -> Self {
        Self(Vec::new())
    }

    /// Keeps the images of a result.
    pub(crate) fn keep(&mut self, tool: &'a str, images: &'a [Image]) {
        self.0.extend(images.iter().map(|image| (tool, image)));
    }

    /// What is kept, and then the parts of a message.
    pub(crate) fn before(&mut self, parts: &'a [Part]) -> Vec<Shown<'a>> {
        let mut shown = Vec::new();
        let mut of = "";
        for (tool, image) in std::mem::take(&mut self.0) {
            if tool != of {
                shown.push(Shown::ImagesOf(tool));
                of = tool;
            }
            shown.push(Shown::Image(image));
        }
        shown.extend(parts.iter().map(|part| match part {
            Part::Text(text) => Shown::Text(text),
            Part::Image(image) => Shown::Image(image),
        }));
        shown
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Shown<'_> {
    /// Its text, if it is one.
    pub(crate) fn text(&self) -> Option<String> {
        match self {
            Self::Text(text) => Some((*text).to_owned()),
            Self::ImagesOf(tool) => Some(format!("What {tool} returned as images:")),
            Self::Image(_) => None,
        }
    }
}

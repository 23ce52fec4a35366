//! The request: headers and body.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::fit::{LateImages, Shown, can};
use crate::gemini::request::{NO_SIGNATURE, wants_signatures};
use crate::json::legal;
use crate::kept::{fields, write_fields};
use crate::write::Writer;
use crate::{AssistantCall, ChatRequest, Endpoint, LlmError, Message, ToolSpec, WireRequest};

use serde_json::Value;
use tabwright_protocol::{Capability, ReasoningEffort};

/// No call id is longer at the maker of the format, in characters.
const LONGEST_ID: usize = 40;
/// All call ids of Mistral's models are as long as this, and of letters and digits.
const MISTRAL_ID: usize = 9;
/// Where Gemini's signature of a call is in this format.
const SIGNATURE: &str = "extra_content";
/// What the model is taken to have said to its calls' results where it must have said something.
const SEEN: &str = "I have the results.";
/// What stands in for a thought: one server refuses a message without any, another an empty one.
const NO_THOUGHT: &str = r#"" ""#;

/// What a server wants of messages that another one's model may have written.
#[derive(Clone, Copy, Debug, Default)]
struct Wants {
    ids: Ids,
    /// A thought with each of the model's messages.
    thoughts: bool,
    /// A signature with the first of a message's calls.
    signatures: bool,
    /// A word of the model's between a result and what the person says then.
    answers: bool,
    /// No word on counts: it refuses the whole request that has one, and counts without.
    no_stream_options: bool,
}

/// Which call ids a server takes.
#[derive(Clone, Copy, Debug, Default)]
enum Ids {
    #[default]
    Any,
    /// Of so many characters at most.
    UpTo(usize),
    /// Of nine letters and digits.
    Nine,
}

impl Wants {
    fn of(url: &str, model: &str) -> Self {
        let (url, model) = (url.to_ascii_lowercase(), model.to_ascii_lowercase());
        let at = |hosts: &[&str]| hosts.iter().any(|host| url.contains(host));
        let is_mistral = [
            "mistral",
            "ministral",
            "magistral",
            "mixtral",
            "codestral",
            "devstral",
            "pixtral",
        ]
        .iter()
        .any(|name| model.contains(name));
        let is_at_mistral = at(&[".mistral.ai/"]);
        Self {
            signatures: at(&[".googleapis.com/"]) && wants_signatures(&model),
            answers: is_mistral || is_at_mistral,
            no_stream_options: is_at_mistral,
            ids: if is_mistral || is_at_mistral {
                Ids::Nine
            } else if at(&OPENAI) {
                Ids::UpTo(LONGEST_ID)
            } else {
                Ids::Any
            },
            thoughts: at(&[
                ".deepseek.com/",
                ".moonshot.ai/",
                ".moonshot.cn/",
                ".kimi.com/",
            ]),
        }
    }

    /// The id as the server takes it; two ids that differ go on to differ.
    fn id<'a>(self, id: &'a str) -> Cow<'a, str> {
        match self.ids {
            Ids::Any => Cow::Borrowed(id),
            Ids::UpTo(longest) => short_id(id, longest),
            Ids::Nine => {
                let fits =
                    id.len() == MISTRAL_ID && id.bytes().all(|it| it.is_ascii_alphanumeric());
                if fits {
                    return Cow::Borrowed(id);
                }
                Cow::Owned(mark_of(id).chars().take(MISTRAL_ID).collect())
            }
        }
    }
}

/// A call's id of the length that is allowed; another provider's may be longer, and two ids that
/// differ must go on to differ.
pub(crate) fn short_id(id: &str, longest: usize) -> Cow<'_, str> {
    if id.chars().count() <= longest {
        return Cow::Borrowed(id);
    }
    let mark = format!("_{}", mark_of(id));
    let head = id.chars().take(longest - mark.len());
    Cow::Owned(head.chain(mark.chars()).collect())
}

/// Sixteen digits that are nearly always others for another id.
fn mark_of(id: &str) -> String {
    let mut hasher = DefaultHasher::new();
    id.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

pub(super) fn request(
    endpoint: &Endpoint,
    chat: &ChatRequest<'_>,
) -> Result<WireRequest, LlmError> {
    let url = endpoint.url("/chat/completions")?;
    let model = endpoint.model()?;
    let key = endpoint.key()?.map(|key| format!("Bearer {key}"));
    let own: Vec<_> = key.into_iter().map(|key| ("authorization", key)).collect();
    let options = &endpoint.options;
    let wants = Wants::of(&url, model);
    let body = Writer::document(|w| {
        w.text_field("model", model);
        w.key("messages").array(|w| messages(w, chat, wants));
        // Some servers refuse an empty list, and a choice without a list.
        if !chat.tools.is_empty() {
            w.key("tools").array(|w| {
                chat.tools.iter().for_each(|tool| write_tool(w, tool));
            });
            w.text_field("tool_choice", "auto");
            if !can(options.can.parallel_tools) {
                w.raw_field("parallel_tool_calls", "false");
            }
        }
        w.raw_field("stream", "true");
        if !wants.no_stream_options {
            w.raw_field("stream_options", r#"{"include_usage":true}"#);
        }
        // Brokers hand on only what was asked for; nobody else has a model that makes images.
        if options.can.image_output == Capability::Yes {
            w.raw_field("modalities", r#"["image","text"]"#);
        }
        w.hundredths_field("temperature", options.temperature);
        w.count_field(limit_name(&url), options.output_limit);
        if can(options.can.thinking)
            && let Some(effort) = options.reasoning
        {
            w.text_field("reasoning_effort", effort_name(effort));
        }
    });
    Ok(WireRequest {
        headers: endpoint.headers(&own)?,
        url,
        body,
    })
}

/// Where the maker's own models are.
const OPENAI: [&str; 2] = [".openai.com/", ".openai.azure.com/"];

/// The maker of the format has renamed the field and refuses the old name; everybody else knows the
/// old one.
fn limit_name(url: &str) -> &'static str {
    if OPENAI.iter().any(|host| url.contains(host)) {
        "max_completion_tokens"
    } else {
        "max_tokens"
    }
}

/// OpenAI's word for it.
pub(crate) fn effort_name(effort: ReasoningEffort) -> &'static str {
    match effort {
        ReasoningEffort::Off => "none",
        ReasoningEffort::Minimal => "minimal",
        ReasoningEffort::Low => "low",
        ReasoningEffort::Medium => "medium",
        ReasoningEffort::High => "high",
    }
}

/// A tool in the form that others have taken over.
pub(crate) fn write_tool(w: &mut Writer, tool: &ToolSpec) {
    w.object(|w| {
        w.text_field("type", "function");
        w.key("function").object(|w| {
            w.text_field("name", &tool.name);
            w.text_field("description", &tool.description);
            w.value_field("parameters", &tool.schema);
        });
    });
}

fn messages(w: &mut Writer, chat: &ChatRequest<'_>, wants: Wants) {
    if !chat.system.trim().is_empty() {
        w.object(|w| {
            w.text_field("role", "system");
            w.text_field("content", chat.system);
        });
    }
    let mut late = LateImages::new();
    let mut is_after_result = false;
    for message in chat.messages {
        match message {
            Message::User { parts } => {
                write_seen(w, wants.answers && is_after_result);
                write_user(w, &late.before(parts));
            }
            Message::Assistant {
                text,
                thinking: _,
                calls,
                opaque,
            } => {
                // The results before it had images, and no word of the person came in between.
                if !late.is_empty() {
                    write_seen(w, wants.answers);
                    write_user(w, &late.before(&[]));
                }
                w.object(|w| {
                    w.text_field("role", "assistant");
                    // A message of calls only has no content; an empty one is refused by some.
                    match text.as_str() {
                        "" => w.raw_field("content", "null"),
                        text => w.text_field("content", text),
                    }
                    if !calls.is_empty() {
                        w.key("tool_calls").array(|w| {
                            let is_signed = |it: &AssistantCall| it.opaque.get(SIGNATURE).is_some();
                            let mut unsigned = wants.signatures && !calls.iter().any(is_signed);
                            for call in calls {
                                write_call(w, call, wants, unsigned);
                                unsigned = false;
                            }
                        });
                    }
                    write_kept(w, opaque, wants);
                });
            }
            Message::ToolResult {
                call_id,
                tool,
                text,
                images,
                is_error: _,
            } => {
                late.keep(tool, images);
                w.object(|w| {
                    w.text_field("role", "tool");
                    w.text_field("tool_call_id", &wants.id(call_id));
                    w.text_field("content", text);
                });
            }
        }
        is_after_result = matches!(message, Message::ToolResult { .. });
    }
    if !late.is_empty() {
        write_seen(w, wants.answers);
        write_user(w, &late.before(&[]));
    }
}

/// The model's word on results, where one is wanted.
fn write_seen(w: &mut Writer, wanted: bool) {
    if wanted {
        w.object(|w| {
            w.text_field("role", "assistant");
            w.text_field("content", SEEN);
        });
    }
}

/// One string where there are texts only: every server takes that. With images a list of parts.
fn write_user(w: &mut Writer, parts: &[Shown<'_>]) {
    let texts: Vec<_> = parts.iter().filter_map(Shown::text).collect();
    w.object(|w| {
        w.text_field("role", "user");
        if texts.len() == parts.len() {
            w.text_field("content", &texts.join("\n\n"));
            return;
        }
        w.key("content").array(|w| {
            for part in parts {
                w.object(|w| write_part(w, part));
            }
        });
    });
}

fn write_part(w: &mut Writer, part: &Shown<'_>) {
    match part {
        Shown::Text(_) | Shown::ImagesOf(_) => {
            w.text_field("type", "text");
            w.text_field("text", &part.text().unwrap_or_default());
        }
        Shown::Image(image) => {
            w.text_field("type", "image_url");
            w.key("image_url")
                .object(|w| w.text_field("url", &image.data_url()));
        }
    }
}

/// What the server sent beside a message, and a thought where it wants one.
fn write_kept(w: &mut Writer, opaque: &Value, wants: Wants) {
    const THOUGHT: &str = "reasoning_content";
    if !wants.thoughts {
        return write_fields(w, opaque);
    }
    let mut thought = NO_THOUGHT;
    for (name, value) in fields(opaque) {
        if name != THOUGHT {
            w.raw_field(name, value.get());
        } else if value.get() != r#""""# {
            thought = value.get();
        }
    }
    w.raw_field(THOUGHT, thought);
}

fn write_call(w: &mut Writer, call: &AssistantCall, wants: Wants, unsigned: bool) {
    w.object(|w| {
        w.text_field("id", &wants.id(&call.id));
        w.text_field("type", "function");
        w.key("function").object(|w| {
            w.text_field("name", &call.name);
            // Some read it before they show it to the model.
            w.text_field("arguments", &legal(&call.arguments));
        });
        write_fields(w, &call.opaque);
        if unsigned {
            w.key(SIGNATURE).object(|w| {
                w.key("google")
                    .object(|w| w.text_field("thought_signature", NO_SIGNATURE));
            });
        }
    });
}

//! Trying a model out: what is sent is what the agent sends, in a few small requests, and what comes
//! back says what the model can do, what is wrong, and what would work.
//!
//! No I/O of its own: whoever examines a model hands in how it is asked.

use futures::future::LocalBoxFuture;
use tabwright_llm::{Answer, Image, Message, Part, ProviderError, ProviderErrorKind};
use tabwright_protocol::{
    Capabilities, Capability, ModelDraft, ModelReport, ModelVerdict, ProviderKind, Usage,
};

/// The tool that the model is asked to call; nothing runs.
const CALLED: &str = "list_tabs";
/// Another, for calls side by side.
const CALLED_TOO: &str = "list_tasks";
/// Red, 32 by 32 pixels.
const RED: &str = "iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAIAAAD8GO2jAAAAJ0lEQVR42u3NsQkAAAjAsP7/tF7hIASyp6lTCQQCgUAgEAgEgi/BAjLD/C5w/SM9AAAAAElFTkSuQmCC";
/// Where a server that counts tokens is on this computer, so many bytes are sent to see that it
/// reads them all: some are set up to read a few thousand tokens, and drop the beginning unsaid.
const LONG_BYTES: usize = 24_000;
/// No tokenizer makes fewer tokens of English text than a byte's sixth.
const MOST_BYTES_A_TOKEN: u64 = 6;
/// A model that reads less at once, in tokens, has no room for the agent's tools.
const ENOUGH_TOKENS: u64 = 8_000;

/// Asks a model: the record as it stands, the messages, and whether it is offered the agent's tools.
pub type Ask<'a> = dyn Fn(&ModelDraft, Vec<Message>, bool) -> LocalBoxFuture<'static, Result<Answer, ProviderError>>
    + 'a;

/// A record that was tried out, with what was put right in it.
pub struct Examined {
    /// The record now.
    pub draft: ModelDraft,
    /// What came of it.
    pub report: ModelReport,
    /// What the model was used for meanwhile.
    pub usage: Usage,
}

/// Tries a record out. `is_local` says that its server is on this computer.
pub async fn examine(ask: &Ask<'_>, draft: ModelDraft, is_local: bool) -> Examined {
    let before = draft.options.clone();
    let mut examination = Examination {
        ask,
        // These show themselves or not: what nobody sees stays as the person has set it.
        can: Capabilities {
            parallel_tools: before.can.parallel_tools,
            thinking: before.can.thinking,
            image_output: before.can.image_output,
            ..Capabilities::default()
        },
        mended: Vec::new(),
        usage: Usage::default(),
        draft,
    };
    let (verdict, message) = match examination.first_answer().await {
        Ok(answer) => examination.go_on(answer, is_local).await,
        Err(error) => (ModelVerdict::Fails, told(&error)),
    };
    match verdict {
        ModelVerdict::Works | ModelVerdict::ChatOnly => {
            examination.draft.options.can = examination.can;
        }
        // A wrong key says nothing of what the model can do.
        ModelVerdict::Fails => examination.draft.options = before,
    }
    Examined {
        report: ModelReport {
            verdict,
            message,
            mended: examination.mended,
            can: examination.can,
        },
        draft: examination.draft,
        usage: examination.usage,
    }
}

struct Examination<'a> {
    ask: &'a Ask<'a>,
    draft: ModelDraft,
    can: Capabilities,
    mended: Vec<String>,
    usage: Usage,
}

impl Examination<'_> {
    async fn asked(&mut self, parts: Vec<Part>, with_tools: bool) -> Result<Answer, ProviderError> {
        let answer = (self.ask)(&self.draft, vec![Message::User { parts }], with_tools).await?;
        self.usage += answer.usage;
        if !answer.thinking.trim().is_empty() {
            self.can.thinking = Capability::Yes;
        }
        if !answer.images.is_empty() {
            self.can.image_output = Capability::Yes;
        }
        Ok(answer)
    }

    async fn call_asked(&mut self) -> Result<Answer, ProviderError> {
        let text = format!(
            "This is a test of the connection. Call the tool {CALLED} once, without arguments, and write nothing."
        );
        self.asked(vec![Part::Text(text)], true).await
    }

    /// The first answer of all, after putting right what keeps it from coming.
    async fn first_answer(&mut self) -> Result<Answer, ProviderError> {
        // What was found out before may have changed: everything is tried again.
        self.draft.options.can = Capabilities::default();
        self.draft.options.text_calls = false;
        let error = match self.call_asked().await {
            Ok(answer) => return Ok(answer),
            Err(error) => error,
        };
        let is_elsewhere = matches!(
            error.kind,
            ProviderErrorKind::NotFound | ProviderErrorKind::Malformed
        );
        if is_elsewhere {
            self.with_version(error).await
        } else if asks_too_much(&error) {
            // Some servers refuse a request that offers tools to a model that has none.
            self.without_tools(error).await
        } else {
            Err(error)
        }
    }

    /// The base address of many servers ends with `/v1`, which is easily left out.
    async fn with_version(&mut self, error: ProviderError) -> Result<Answer, ProviderError> {
        let before = self.draft.address.clone();
        let base = before.trim().trim_end_matches('/');
        let takes_version = match self.draft.provider {
            ProviderKind::OpenAiChat | ProviderKind::OpenAiResponses => true,
            // They put it there by themselves.
            ProviderKind::Anthropic
            | ProviderKind::Gemini
            | ProviderKind::Ollama
            | ProviderKind::ChromeBuiltIn => false,
        };
        if !takes_version || base.contains("/v1") || base.contains('?') {
            return Err(error);
        }
        self.draft.address = format!("{base}/v1");
        let said = self.call_asked().await;
        let said = match said {
            Ok(answer) => Ok(answer),
            Err(said) => match said.kind {
                // Only what answers requests says so: the address is right now.
                ProviderErrorKind::Auth
                | ProviderErrorKind::Quota
                | ProviderErrorKind::RateLimited
                | ProviderErrorKind::Overloaded => Err(said),
                ProviderErrorKind::BadRequest => self.without_tools(said).await,
                ProviderErrorKind::Forbidden
                | ProviderErrorKind::NotFound
                | ProviderErrorKind::Unavailable
                | ProviderErrorKind::ContextOverflow
                | ProviderErrorKind::Server
                | ProviderErrorKind::Network
                | ProviderErrorKind::Cut
                | ProviderErrorKind::Malformed
                | ProviderErrorKind::Refused => {
                    self.draft.address = before;
                    return Err(error);
                }
            },
        };
        self.mended.push(format!(
            "The address now ends with /v1: {}.",
            self.draft.address
        ));
        said
    }

    async fn without_tools(&mut self, error: ProviderError) -> Result<Answer, ProviderError> {
        self.draft.options.can.tools = Capability::No;
        let answer = self.call_asked().await;
        match answer {
            Ok(answer) => {
                self.can.tools = Capability::No;
                Ok(answer)
            }
            Err(_) => {
                self.draft.options.can.tools = Capability::Unknown;
                Err(error)
            }
        }
    }

    async fn go_on(&mut self, first: Answer, is_local: bool) -> (ModelVerdict, String) {
        let calls = match self.finds_calls(first).await {
            Ok(calls) => calls,
            Err(error) => return (ModelVerdict::Fails, told(&error)),
        };
        self.draft.options.can.tools = self.can.tools;
        if calls {
            self.try_parallel().await;
        }
        self.try_image().await;
        self.try_image_output().await;
        if let Some(tokens) = self.reads_only(is_local).await {
            return (ModelVerdict::Fails, reads_too_little(tokens));
        }
        if !calls {
            let does = match self.can.image_output {
                Capability::Yes => "talk and make images",
                Capability::Unknown | Capability::No => "talk",
            };
            let message = format!(
                "It answers, but did not call a tool when it was asked to: it can {does}, and do nothing in the browser. Choose a model that is made to call tools."
            );
            return (ModelVerdict::ChatOnly, message);
        }
        (ModelVerdict::Works, self.works())
    }

    /// Whether it calls tools, in the way of its format or in its text. A server that does not answer
    /// in between says nothing of that.
    async fn finds_calls(&mut self, first: Answer) -> Result<bool, ProviderError> {
        if self.can.tools != Capability::No && calls(&first, CALLED) {
            self.can.tools = Capability::Yes;
            return Ok(true);
        }
        self.draft.options.text_calls = true;
        // First as it is, then told of the tools in words.
        let as_it_is = [Capability::Unknown, Capability::No];
        let ways = if self.can.tools == Capability::No {
            &as_it_is[1..]
        } else {
            &as_it_is[..]
        };
        for way in ways {
            self.draft.options.can.tools = *way;
            let does = match self.call_asked().await {
                Ok(answer) => calls(&answer, CALLED),
                Err(error) if asks_too_much(&error) => false,
                Err(error) => return Err(error),
            };
            if does {
                self.can.tools = *way;
                self.mended.push(
                    "It writes its calls into its text, so they are looked for there.".to_owned(),
                );
                return Ok(true);
            }
        }
        self.draft.options.text_calls = false;
        self.can.tools = Capability::No;
        Ok(false)
    }

    async fn try_parallel(&mut self) {
        let text = format!(
            "This is a test of the connection. Call the tools {CALLED} and {CALLED_TOO} in one answer, both without arguments, and write nothing."
        );
        // One that does one after the other may only have chosen to.
        if self
            .asked(vec![Part::Text(text)], true)
            .await
            .is_ok_and(|answer| calls(&answer, CALLED) && calls(&answer, CALLED_TOO))
        {
            self.can.parallel_tools = Capability::Yes;
        }
    }

    async fn try_image(&mut self) {
        let image = Part::Image(Image {
            media_type: "image/png".to_owned(),
            data: RED.to_owned(),
        });
        let text = "Which colour is this picture? Answer with the name of the colour only. If you see no picture, answer: none.";
        let answer = self
            .asked(vec![Part::Text(text.to_owned()), image], false)
            .await;
        self.can.vision = match answer {
            Ok(answer) if says(&answer, "red") => Capability::Yes,
            Ok(_) => Capability::No,
            Err(error) if asks_too_much(&error) => Capability::No,
            Err(_) => Capability::Unknown,
        };
    }

    /// Whether it makes images. Making one costs more than all the rest of the examination together,
    /// so only a model that is said to be made for it is asked.
    async fn try_image_output(&mut self) {
        let is_set = self.can.image_output == Capability::Yes;
        if !is_set && !self.draft.model.to_ascii_lowercase().contains("image") {
            return;
        }
        self.draft.options.can.image_output = Capability::Yes;
        let text =
            "This is a test of the connection. Make a picture of a red square, and write nothing.";
        let answer = self.asked(vec![Part::Text(text.to_owned())], false).await;
        // What the person has set is not taken back for one answer without an image.
        if !is_set && answer.is_ok_and(|answer| answer.images.is_empty()) {
            self.can.image_output = Capability::No;
        }
    }

    /// How many tokens a server on this computer reads at once, if it drops the rest unsaid and has
    /// no room for the agent.
    async fn reads_only(&mut self, is_local: bool) -> Option<u64> {
        let is_told = match self.draft.provider {
            // Told with each request how much it shall read; Chrome's says it by itself.
            ProviderKind::Ollama | ProviderKind::ChromeBuiltIn => true,
            ProviderKind::OpenAiChat
            | ProviderKind::OpenAiResponses
            | ProviderKind::Anthropic
            | ProviderKind::Gemini => false,
        };
        if is_told || !is_local {
            return None;
        }
        let words = "one two three four five six seven eight nine ten ";
        let long = words.repeat(LONG_BYTES / words.len());
        let text = format!("{long}\nThis is a test of the connection. Answer with: ok.");
        let answer = self.asked(vec![Part::Text(text)], false).await.ok()?;
        let read = answer.usage.input;
        let least = LONG_BYTES as u64 / MOST_BYTES_A_TOKEN;
        (read > 0 && read < least && read < ENOUGH_TOKENS).then_some(read)
    }

    fn works(&self) -> String {
        let mut does = vec!["calls tools"];
        if self.can.parallel_tools == Capability::Yes {
            does.push("makes several calls at once");
        }
        if self.can.vision == Capability::Yes {
            does.push("sees images");
        }
        if self.can.thinking == Capability::Yes {
            does.push("thinks before it answers");
        }
        if self.can.image_output == Capability::Yes {
            does.push("makes images");
        }
        let last = does.pop().unwrap_or_default();
        if does.is_empty() {
            return format!("It works: it {last}.");
        }
        format!("It works: it {} and {last}.", does.join(", "))
    }
}

/// An error and what to do about it.
fn told(error: &ProviderError) -> String {
    format!("{} {}", error.message, error.advice())
}

/// Whether a server that answers like this may take a request that asks for less.
fn asks_too_much(error: &ProviderError) -> bool {
    matches!(
        error.kind,
        ProviderErrorKind::BadRequest | ProviderErrorKind::NotFound | ProviderErrorKind::Server
    )
}

/// Whether an answer has a whole call of that tool.
fn calls(answer: &Answer, tool: &str) -> bool {
    answer
        .calls
        .iter()
        .any(|call| call.complete && call.name == tool)
}

/// Whether an answer has that word.
fn says(answer: &Answer, word: &str) -> bool {
    let mut words = answer.text.split(|c: char| !c.is_alphanumeric());
    words.any(|it| it.eq_ignore_ascii_case(word))
}

fn reads_too_little(tokens: u64) -> String {
    format!(
        "Its server reads only about {tokens} tokens at once and drops the beginning of what is longer, so the agent's instructions would be lost. Start it with a longer context ({ENOUGH_TOKENS} tokens or more); for Ollama choose the provider “Ollama”, which sets it with each request."
    )
}

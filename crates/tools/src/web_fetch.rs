//! `web_fetch`: a page of the web as text, without a tab.

use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use tabwright_host::LocalBoxFuture;
use url::Url;

use crate::boundary::RESULT_LIMIT;
use crate::fetch::{Content, download, fetch_address, read};
use crate::shrink::{char_length, json_length};
use crate::tool::ToolResult;
use crate::{Access, Declaration, Effects, Replay, Tool, ToolContext, ToolError, ToolOutput};

/// For the whole of it.
const LIMIT: Duration = Duration::from_secs(30);
/// What is taken: pages first, then what else is text.
const ACCEPT: &str = "text/html,application/xhtml+xml,application/json;q=0.9,text/markdown;q=0.9,text/plain;q=0.8,*/*;q=0.5";
/// Room in a result for the numbers and the word on where to go on.
const NOTE_ROOM: usize = 300;
/// A cut is moved back to the end of a line if one is within this part of what fits.
const LAST_PART: usize = 5;

/// The tool.
pub struct WebFetch;

/// Its arguments.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct WebFetchInput {
    /// http(s) address.
    pub url: String,
    /// Characters of content wanted. Default: as many as fit, about 49,000.
    #[schemars(range(min = 1))]
    pub max_length: Option<u32>,
    /// First character, from 0: to read on.
    pub offset: Option<u32>,
}

impl Tool for WebFetch {
    type Input = WebFetchInput;

    fn declaration(&self, schema: Value) -> Declaration {
        Declaration {
            name: "web_fetch".into(),
            title: "Read a web page".into(),
            description: "Read a page without a tab and without the person's sign-ins: its main content as Markdown; JSON and text as they are. For pages that need scripts or a sign-in use a tab.".into(),
            schema,
            access: Access::Read,
            replay: Replay::Pure,
            concurrent: true,
            effects: Effects::NETWORK,
            untrusted: true,
        }
    }

    fn run(&self, cx: ToolContext, input: WebFetchInput) -> LocalBoxFuture<'static, ToolResult> {
        Box::pin(async move {
            let url = fetch_address(&input.url)?;
            let answer = download(&cx.host, url, ACCEPT, LIMIT).await?;
            let final_url = answer.url.clone();
            let content = read(&cx.host, answer).await?;
            result(&input, &final_url, &content)
        })
    }
}

fn result(input: &WebFetchInput, final_url: &Url, content: &Content) -> ToolResult {
    let total = content.text.chars().count();
    let mut result = Map::new();
    result.insert("url".into(), json!(input.url));
    result.insert("final_url".into(), json!(final_url.as_str()));
    result.insert("content_type".into(), json!(content.mime));
    for (name, said) in [
        ("title", &content.title),
        ("byline", &content.byline),
        ("published", &content.published),
        ("site", &content.site),
    ] {
        if let Some(said) = said {
            result.insert(name.into(), json!(said));
        }
    }
    let around = json_length(&Value::Object(result.clone()));
    let room = RESULT_LIMIT.saturating_sub(around + NOTE_ROOM);
    let offset = number(input.offset).unwrap_or(0);
    if offset > total {
        return Err(ToolError::reply(
            "offset_past_end",
            format!("The content has {total} characters, so it cannot be read from {offset} on."),
        ));
    }
    let wanted = number(input.max_length).unwrap_or(usize::MAX);
    let part = part(&content.text, offset, wanted, room);
    let next = offset + part.chars().count();
    result.insert("content".into(), json!(part));
    result.insert("truncated".into(), json!(next < total || content.cut));
    if next < total {
        result.insert("total_length".into(), json!(total));
        result.insert("next_offset".into(), json!(next));
    }
    if let Some(hint) = hint(content, total, next) {
        result.insert("hint".into(), json!(hint));
    }
    Ok(ToolOutput {
        value: Value::Object(result),
    })
}

fn hint(content: &Content, total: usize, next: usize) -> Option<String> {
    if next < total {
        return Some(format!("Go on with offset {next}."));
    }
    if total == 0 {
        return Some(
            "Nothing is in it without scripts or a sign-in. Open it in a tab if it should say more."
                .to_owned(),
        );
    }
    content
        .cut
        .then(|| "The page is too large to be read to its end.".to_owned())
}

/// What is wanted of the text, and has room inside a JSON string; at the end of a line if one is near.
fn part(text: &str, offset: usize, wanted: usize, room: usize) -> &str {
    let start = text
        .char_indices()
        .nth(offset)
        .map_or(text.len(), |(at, _)| at);
    let rest = text.get(start..).unwrap_or_default();
    let mut taken = 0;
    let cut = rest
        .char_indices()
        .enumerate()
        .find_map(|(count, (at, c))| {
            taken += char_length(c);
            (count >= wanted || taken > room).then_some(at)
        });
    let Some(cut) = cut else {
        return rest;
    };
    let fits = rest.get(..cut).unwrap_or_default();
    let line = fits.rfind('\n').map(|at| at + 1);
    line.filter(|line| cut - line < cut / LAST_PART)
        .and_then(|line| fits.get(..line))
        .unwrap_or(fits)
}

/// A number that is too large for this machine is past the end anyway.
fn number(given: Option<u32>) -> Option<usize> {
    given.map(|n| usize::try_from(n).unwrap_or(usize::MAX))
}

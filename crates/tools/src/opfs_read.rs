//! `opfs_read`: a file of the workspace, as lines of text or as an address.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use tabwright_host::{FileHead, Host, LocalBoxFuture};

use crate::boundary::RESULT_LIMIT;
use crate::file_type::{SAMPLE, is_text, mime_type};
use crate::shrink::json_length;
use crate::text_page::{Lines, Page, Wanted};
use crate::tool::ToolResult;
use crate::workspace_path::file_path;
use crate::{Access, Declaration, Effects, Replay, Tool, ToolContext, ToolError, ToolOutput};

/// As many lines are given to who asks for no part of the text.
const MAX_LINES: usize = 200;
/// The largest file that is read as text, in bytes: it must fit into the core's memory.
const MAX_TEXT: u64 = 20_000_000;
/// Room in a result for its numbers and the word on where to go on.
const NOTE_ROOM: usize = 300;

/// The tool.
pub struct OpfsRead;

/// Its arguments.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct OpfsReadInput {
    /// The file.
    pub path: String,
    /// Default auto: by content.
    pub mode: Option<ReadMode>,
    /// First line, from 1.
    #[schemars(range(min = 1))]
    pub offset: Option<u32>,
    /// How many lines.
    #[schemars(range(min = 1))]
    pub limit: Option<u32>,
    /// First character of that line, from 1: to go on in a line that was cut.
    #[schemars(range(min = 1))]
    pub column: Option<u32>,
}

/// As what a file is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReadMode {
    /// Lines.
    Text,
    /// An address.
    Blob,
    /// Whichever fits the content.
    #[default]
    Auto,
}

impl Tool for OpfsRead {
    type Input = OpfsReadInput;

    fn declaration(&self, schema: Value) -> Declaration {
        Declaration {
            name: "opfs_read".into(),
            title: "Read a file".into(),
            description: "Read a file of the workspace: text as lines (more than 200 only with offset or limit), binary as a blob URL, which web pages cannot open.".into(),
            schema,
            access: Access::Read,
            replay: Replay::Pure,
            concurrent: true,
            effects: Effects::FILES,
            untrusted: true,
        }
    }

    fn run(&self, cx: ToolContext, input: OpfsReadInput) -> LocalBoxFuture<'static, ToolResult> {
        Box::pin(async move {
            let path = file_path(&input.path)?;
            let head = cx.host.files.head(&path, SAMPLE).await?;
            let is_all = head.size <= u64::from(SAMPLE);
            let as_text = match input.mode.unwrap_or_default() {
                ReadMode::Text => true,
                ReadMode::Blob => false,
                ReadMode::Auto => is_text(&head.bytes, is_all),
            };
            if !as_text {
                return blob(&cx.host, &path, &head).await;
            }
            let bytes = whole(&cx.host, &path, head).await?;
            // What is text at its beginning may be something else further on.
            let is_really_text = is_text(&bytes, true);
            if input.mode.unwrap_or_default() == ReadMode::Auto && !is_really_text {
                let size = bytes.len() as u64;
                return blob(&cx.host, &path, &FileHead { bytes, size }).await;
            }
            text(&path, &bytes, is_really_text, &input)
        })
    }
}

/// All bytes of a file that is to be text.
async fn whole(host: &Host, path: &str, head: FileHead) -> Result<Vec<u8>, ToolError> {
    if head.size > MAX_TEXT {
        return Err(ToolError::reply(
            "too_large",
            format!(
                "`{path}` is {} bytes long; text is read up to {MAX_TEXT} bytes. Read it with mode `blob`.",
                head.size
            ),
        ));
    }
    if head.bytes.len() as u64 == head.size {
        return Ok(head.bytes);
    }
    Ok(host.files.read(path).await?)
}

async fn blob(host: &Host, path: &str, head: &FileHead) -> ToolResult {
    let is_all = head.bytes.len() as u64 == head.size;
    let mime = mime_type(path, &head.bytes, is_text(&head.bytes, is_all));
    let url = host.files.blob_url(path, mime).await?;
    Ok(ToolOutput {
        value: json!({
            "path": path,
            "blobUrl": url,
            "size": head.size,
            "mimeType": mime,
            "type": "binary",
        }),
    })
}

fn text(path: &str, bytes: &[u8], is_text: bool, input: &OpfsReadInput) -> ToolResult {
    let mime = mime_type(path, bytes, is_text);
    let text = String::from_utf8_lossy(bytes);
    let lines = Lines::new(&text);
    let count = lines.count();
    if count > MAX_LINES && input.offset.is_none() && input.limit.is_none() {
        return Err(ToolError::reply(
            "too_many_lines",
            format!(
                "`{path}` has {count} lines; more than {MAX_LINES} are given only in pages. Read it with `offset` and `limit`, first with offset 1 and limit {MAX_LINES}."
            ),
        ));
    }
    let mut result = Map::new();
    result.insert("path".into(), json!(path));
    result.insert("totalLines".into(), json!(count));
    result.insert("mimeType".into(), json!(mime));
    result.insert("type".into(), json!("text"));
    let around = json_length(&Value::Object(result.clone()));
    let room = RESULT_LIMIT.saturating_sub(around + NOTE_ROOM);
    let page = lines.page(wanted(input), room)?;
    describe(&page, &mut result);
    Ok(ToolOutput {
        value: Value::Object(result),
    })
}

fn describe(page: &Page<'_>, result: &mut Map<String, Value>) {
    result.insert("content".into(), json!(page.content));
    result.insert("startLine".into(), json!(page.start_line));
    result.insert("endLine".into(), json!(page.end_line));
    let Some(next) = &page.next else {
        return;
    };
    let hint = match next.column {
        1 => format!("Go on with offset {}.", next.line),
        column => format!(
            "Line {} is long: go on with offset {0} and column {column}.",
            next.line
        ),
    };
    result.insert("truncated".into(), json!(true));
    result.insert("hint".into(), json!(hint));
}

fn wanted(input: &OpfsReadInput) -> Wanted {
    // A number that is too large for this machine is past the end anyway.
    let number = |given: Option<u32>| given.map(|n| usize::try_from(n).unwrap_or(usize::MAX));
    Wanted {
        offset: number(input.offset),
        limit: number(input.limit),
        column: number(input.column),
    }
}

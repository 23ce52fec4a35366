//! What a server answered, as text for a model.

use tabwright_host::{Host, PageText};
use tabwright_html::charset;

use super::{Download, json};
use crate::ToolError;
use crate::file_type::is_text;

/// Text, and what is known of it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Content {
    /// The MIME type.
    pub(crate) mime: String,
    /// The text: of a page its content as Markdown.
    pub(crate) text: String,
    /// What a page says of itself.
    pub(crate) title: Option<String>,
    /// Who wrote it.
    pub(crate) byline: Option<String>,
    /// When it was published.
    pub(crate) published: Option<String>,
    /// The site's name.
    pub(crate) site: Option<String>,
    /// Whether something was left out because the page is too large or too deep.
    pub(crate) cut: bool,
}

/// How an answer is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Page,
    Json,
    Text,
}

/// The answer as text. An answer that is none is an error.
pub(crate) async fn read(host: &Host, answer: Download) -> Result<Content, ToolError> {
    let mime = essence(&answer.content_type);
    let (mime, form) = match form_of(&mime) {
        Some(form) => (mime, form),
        None => by_looks(&answer.body).ok_or_else(|| not_text(&mime, answer.body.len()))?,
    };
    if form == Form::Page {
        let Download {
            url,
            content_type,
            body,
        } = answer;
        let page = host.reader.page(body, &content_type, url.as_str()).await?;
        return Ok(page_content(mime, page));
    }
    let text = decoded(host, &answer)?;
    Ok(match form {
        Form::Json => Content {
            mime,
            text: json::pretty(&text).unwrap_or(text),
            ..Content::default()
        },
        Form::Page | Form::Text => Content {
            mime,
            text,
            ..Content::default()
        },
    })
}

fn page_content(mime: String, page: PageText) -> Content {
    Content {
        mime,
        text: page.markdown,
        title: page.title,
        byline: page.byline,
        published: page.published,
        site: page.site_name,
        cut: page.truncated,
    }
}

/// The type without its parameters.
fn essence(content_type: &str) -> String {
    let essence = content_type.split(';').next().unwrap_or_default();
    essence.trim().to_ascii_lowercase()
}

/// How a type is read; none when only the bytes can tell, or when it is not read.
fn form_of(mime: &str) -> Option<Form> {
    match mime {
        "text/html" | "application/xhtml+xml" => Some(Form::Page),
        "application/json" | "text/json" => Some(Form::Json),
        _ if mime.ends_with("+json") => Some(Form::Json),
        _ if mime.ends_with("+xml") || mime.starts_with("text/") => Some(Form::Text),
        "application/xml"
        | "application/javascript"
        | "application/ecmascript"
        | "application/x-javascript"
        | "application/yaml"
        | "application/x-yaml"
        | "application/toml"
        | "application/sql"
        | "application/graphql"
        | "application/x-sh"
        | "application/x-ndjson"
        | "application/jsonl"
        | "application/x-www-form-urlencoded"
        | "application/x-subrip"
        | "application/x-tex" => Some(Form::Text),
        _ => None,
    }
}

/// A type that says nothing, or nothing that is known: text is read, other bytes are not.
fn by_looks(body: &[u8]) -> Option<(String, Form)> {
    if !is_text(body, true) {
        return None;
    }
    let start = body.trim_ascii_start();
    let start = start.get(..15).unwrap_or(start).to_ascii_lowercase();
    let is_page = start.starts_with(b"<!doctype html") || start.starts_with(b"<html");
    Some(if is_page {
        ("text/html".to_owned(), Form::Page)
    } else {
        ("text/plain".to_owned(), Form::Text)
    })
}

fn decoded(host: &Host, answer: &Download) -> Result<String, ToolError> {
    let declared = charset::charset_of(&answer.content_type);
    let label = charset::detect(&answer.body, declared);
    Ok(host.texts.decode(label, &answer.body)?)
}

fn not_text(mime: &str, bytes: usize) -> ToolError {
    let named: String = mime.chars().take(100).collect();
    let what = if named.is_empty() {
        "something that is not text".to_owned()
    } else {
        format!("`{named}`, which is not text")
    };
    ToolError::outside(
        "not_text",
        format!(
            "The server answered with {what} ({bytes} bytes). Open it in a tab to show it to the person."
        ),
    )
}

//! Code blocks: their text without line numbers, and their language.

use super::look::{self, Look};
use crate::dom::{Document, Edge, Kind, NodeId};

/// Classes of the places where line numbers and buttons stand.
const GUTTERS: [&str; 17] = [
    "gutter",
    "rouge-gutter",
    "linenos",
    "lineno",
    "linenodiv",
    "lineNumbers",
    "line-numbers-rows",
    "linenumber",
    "line-number",
    "react-syntax-highlighter-line-number",
    "hljs-ln-numbers",
    "hljs-ln-line-number",
    "blob-num",
    "crayon-nums",
    "lnt",
    "copy-button",
    "copybtn",
];

/// Ancestors of a code block that may name its language.
const WRAPPERS: usize = 4;

/// Whether an element holds line numbers.
pub(super) fn is_gutter(document: &Document, id: NodeId) -> bool {
    look::classes(document, id).any(|class| GUTTERS.contains(&class))
        || document.is(id, "button")
        || document.is(id, "td") && document.has_attr(id, "data-line-number")
}

/// The text of a code block, without blank lines at its ends.
pub(super) fn text(document: &Document, root: NodeId, skip: impl Fn(NodeId) -> bool) -> String {
    let mut lines = Lines::default();
    let mut walk = document.traverse(root);
    while let Some(edge) = walk.next() {
        match edge {
            Edge::Open(id) => match document.kind(id) {
                Kind::Text(text) => lines.text(text),
                Kind::Element(_) if id == root => {}
                Kind::Element(_) if is_left_out(document, id) || skip(id) => walk.skip_children(id),
                Kind::Element(name) if name == "br" => lines.text("\n"),
                Kind::Element(name) if is_line(name) => lines.begin(),
                Kind::Element(_) | Kind::Root => {}
            },
            Edge::Close(id) if id == root || is_left_out(document, id) || skip(id) => {}
            Edge::Close(id) if is_line(document.name(id)) => lines.end(),
            Edge::Close(_) => {}
        }
    }
    let text = lines.text.replace('\u{a0}', " ").replace('\r', "");
    let end = text.trim_end().len();
    let blank = |line: &&str| line.trim().is_empty();
    let start: usize = text[..end]
        .split_inclusive('\n')
        .take_while(blank)
        .map(str::len)
        .sum();
    text[start..end].to_owned()
}

/// Text that grows by lines, some of which are elements.
#[derive(Default)]
struct Lines {
    text: String,
    /// Where the open elements that are lines began.
    begun: Vec<usize>,
    /// A line break is due before more text.
    due: bool,
}

impl Lines {
    fn text(&mut self, text: &str) {
        if self.due && !text.is_empty() {
            if !text.starts_with('\n') {
                self.text.push('\n');
            }
            self.due = false;
        }
        self.text.push_str(text);
    }

    fn begin(&mut self) {
        if self.due || !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
        self.due = false;
        self.begun.push(self.text.len());
    }

    fn end(&mut self) {
        let begun = self.begun.pop().unwrap_or_default();
        // A line break at the end of a line is that line's.
        self.due |= self.text.len() == begun || !self.text.ends_with('\n');
    }
}

fn is_left_out(document: &Document, id: NodeId) -> bool {
    let is_unseen = document.is_any(id, &["script", "style", "template", "noscript"]);
    is_unseen || is_gutter(document, id) || Look::of(document, id).hidden
}

fn is_line(name: &str) -> bool {
    matches!(name, "div" | "p" | "li" | "tr")
}

/// The language of a code block as its page names it; empty if it does not.
pub(super) fn language(document: &Document, pre: NodeId) -> String {
    let inner = document
        .descendants(pre)
        .take(4)
        .find(|&id| document.is(id, "code"));
    let own = [inner, Some(pre)]
        .into_iter()
        .flatten()
        .find_map(|id| named(document, id, true));
    let language = own.or_else(|| {
        document
            .ancestors(pre)
            .take(WRAPPERS)
            .find_map(|id| named(document, id, false))
    });
    language
        .map(|language| language.trim_end_matches("-basic").to_ascii_lowercase())
        .filter(|language| !means_none(language))
        .unwrap_or_default()
}

/// What an element says about the language of the code in it. Of a wrapper only what is meant for
/// code is believed.
fn named(document: &Document, id: NodeId, is_own: bool) -> Option<&str> {
    if let Some(brush) = document.attr(id, "data-syntaxhighlighter-params")
        && let Some(language) = brush
            .trim()
            .strip_prefix("brush:")
            .and_then(|rest| clean(rest.trim()))
    {
        return Some(language);
    }
    for name in ["data-lang", "data-language", "data-code-language"] {
        if let Some(language) = document.attr(id, name).and_then(clean) {
            return Some(language);
        }
    }
    let classes = || look::classes(document, id);
    for (at, class) in classes().enumerate() {
        for prefix in [
            "language-",
            "lang-",
            "highlight-source-",
            "highlight-text-",
            "mw-highlight-lang-",
            "brush:",
            "sourceCode-",
        ] {
            if let Some(language) = class.strip_prefix(prefix) {
                let next = classes().nth(at + 1);
                let language = if language.is_empty() { next? } else { language };
                if let Some(language) = clean(language.trim_end_matches(';')) {
                    return Some(language);
                }
            }
        }
        // Sphinx: `highlight-python notranslate`.
        if let Some(language) = class.strip_prefix("highlight-").and_then(clean)
            && (classes().any(|other| other == "notranslate" || other == "highlight"))
        {
            return Some(language);
        }
    }
    let is_highlighter = |class: &str| {
        matches!(
            class,
            "hljs"
                | "sourceCode"
                | "syntaxhighlighter"
                | "prettyprint"
                | "shiki"
                | "highlight"
                | "codehilite"
        )
    };
    if classes().any(is_highlighter)
        && let Some(language) = classes().find(|class| !is_highlighter(class) && is_known(class))
    {
        return Some(language);
    }
    if !is_own {
        return None;
    }
    classes()
        .find(|class| is_known(class))
        .or_else(|| document.attr(id, "lang").filter(|lang| is_known(lang)))
}

/// A word that can stand after a fence.
fn clean(language: &str) -> Option<&str> {
    let language = &language[..language.floor_char_boundary(64)];
    let language = language.split([',', ';', '{', ' ']).next()?;
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '#' | '-' | '_' | '.');
    let fits = (1..=24).contains(&language.len()) && language.chars().all(allowed);
    fits.then_some(language)
}

fn means_none(language: &str) -> bool {
    matches!(
        language,
        "none"
            | "text"
            | "plain"
            | "plaintext"
            | "txt"
            | "default"
            | "nohighlight"
            | "no-highlight"
            | "undefined"
    )
}

/// Whether a class by itself names a language: only names that are hardly used for anything else.
fn is_known(class: &str) -> bool {
    let class = &class[..class.floor_char_boundary(16)];
    matches!(
        class.to_ascii_lowercase().as_str(),
        "bash"
            | "sh"
            | "shell"
            | "zsh"
            | "console"
            | "powershell"
            | "c"
            | "cpp"
            | "c++"
            | "csharp"
            | "cs"
            | "css"
            | "scss"
            | "less"
            | "dart"
            | "diff"
            | "docker"
            | "dockerfile"
            | "elixir"
            | "erlang"
            | "fsharp"
            | "go"
            | "golang"
            | "graphql"
            | "groovy"
            | "haskell"
            | "html"
            | "http"
            | "ini"
            | "java"
            | "javascript"
            | "js"
            | "json"
            | "jsx"
            | "julia"
            | "kotlin"
            | "latex"
            | "lisp"
            | "lua"
            | "makefile"
            | "markdown"
            | "matlab"
            | "nginx"
            | "objectivec"
            | "ocaml"
            | "perl"
            | "php"
            | "protobuf"
            | "python"
            | "py"
            | "python3"
            | "r"
            | "ruby"
            | "rb"
            | "rust"
            | "rs"
            | "scala"
            | "scheme"
            | "sql"
            | "swift"
            | "toml"
            | "tsx"
            | "typescript"
            | "ts"
            | "vb"
            | "vim"
            | "xml"
            | "yaml"
            | "yml"
            | "zig"
            | "asm"
            | "clojure"
            | "cmake"
            | "fortran"
            | "terraform"
            | "hcl"
            | "nix"
            | "pascal"
            | "solidity"
            | "svelte"
            | "vue"
            | "wasm"
    )
}

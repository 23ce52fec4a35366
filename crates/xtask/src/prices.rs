//! `cargo xtask prices FILE`: writes the list of what is known of models from the price list that the
//! Python package `litellm` carries (`model_prices_and_context_window_backup.json`, MIT licence).

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use crate::{failure::Failure, files, workspace::Workspace};

const PATH: &str = "crates/llm/src/prices.txt";
const HEAD: &str = "\
# What is known of models at their makers' own servers: host, model, then in millionths of a US
# dollar for a million tokens the prices of input, output, input read from the cache and input
# written to it, and how many tokens it reads at once; `-` for what is not known. Prices for very
# long requests are not in it. Written by `cargo xtask prices` from the price list of litellm.
";

/// The list's name of a maker, and the host of its server.
const HOSTS: [(&str, &str); 9] = [
    ("anthropic", "api.anthropic.com"),
    ("dashscope", "dashscope-intl.aliyuncs.com"),
    ("deepseek", "api.deepseek.com"),
    ("gemini", "generativelanguage.googleapis.com"),
    ("groq", "api.groq.com"),
    ("mistral", "api.mistral.ai"),
    ("moonshot", "api.moonshot.ai"),
    ("openai", "api.openai.com"),
    ("xai", "api.x.ai"),
];

/// Writes the list.
pub fn write(workspace: &Workspace, source: &str) -> Result<(), Failure> {
    let text = files::read_text(Path::new(source))?;
    let list: BTreeMap<String, Value> = serde_json::from_str(&text)
        .map_err(|error| Failure::new(format!("{source} is not the expected list: {error}")))?;
    let written = lines(&list);
    files::write_if_changed(&workspace.path(PATH), written.as_bytes())
}

fn lines(list: &BTreeMap<String, Value>) -> String {
    let mut rows = BTreeMap::new();
    for (name, entry) in list {
        if let Some((host, model, facts)) = row(name, entry) {
            rows.insert((host, model), facts);
        }
    }
    let mut text = HEAD.to_owned();
    for ((host, model), facts) in &rows {
        // A dated name that says nothing new is found by the plain one.
        let plain = tabwright_protocol::undated(model);
        let same = plain != model && rows.get(&(host, plain.to_owned())) == Some(facts);
        if !same {
            text.push_str(&format!("{host} {model} {facts}\n"));
        }
    }
    text
}

fn row(name: &str, entry: &Value) -> Option<(&'static str, String, String)> {
    let maker = entry.get("litellm_provider")?.as_str()?;
    let (_, host) = HOSTS.iter().find(|(it, _)| *it == maker)?;
    let model = name.strip_prefix(&format!("{maker}/")).unwrap_or(name);
    let talks = matches!(entry.get("mode")?.as_str()?, "chat" | "responses");
    if !talks || model.contains(char::is_whitespace) || model.starts_with("ft:") {
        return None;
    }
    let price = |field: &str| {
        let dollars = entry.get(field)?.as_f64()?;
        Some((dollars * 1e12).round()).filter(|price| *price >= 0.0)
    };
    let input = price("input_cost_per_token")?;
    let output = price("output_cost_per_token")?;
    let shown = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |it| format!("{it:.0}"));
    // Some entries have a price of nothing for what the maker does not know at all.
    let cached = price("cache_read_input_token_cost").filter(|it| *it > 0.0 || input == 0.0);
    let written = price("cache_creation_input_token_cost").filter(|it| *it > 0.0);
    let window = entry.get("max_input_tokens").and_then(Value::as_f64);
    let facts = format!(
        "{input:.0} {output:.0} {} {} {}",
        shown(cached),
        shown(written),
        shown(window)
    );
    Some((host, model.to_owned(), facts))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_list_becomes_lines_without_what_says_nothing_new() {
        let entry = |input: f64, window: u32| {
            json!({"litellm_provider": "openai", "mode": "chat", "input_cost_per_token": input,
                "output_cost_per_token": 1e-05, "cache_read_input_token_cost": 1.25e-06, "max_input_tokens": window})
        };
        let list = BTreeMap::from([
            ("gpt-9".to_owned(), entry(2.5e-06, 400_000)),
            (
                "openai/gpt-9-2027-01-02".to_owned(),
                entry(2.5e-06, 400_000),
            ),
            ("gpt-9-latest".to_owned(), entry(3e-06, 400_000)),
            ("ft:gpt-9".to_owned(), entry(2.5e-06, 1)),
            (
                "elsewhere/m".to_owned(),
                json!({"litellm_provider": "elsewhere", "mode": "chat"}),
            ),
        ]);
        let written = lines(&list);
        let rows: Vec<&str> = written.lines().filter(|it| !it.starts_with('#')).collect();
        assert_eq!(
            rows,
            [
                "api.openai.com gpt-9 2500000 10000000 1250000 - 400000",
                "api.openai.com gpt-9-latest 3000000 10000000 1250000 - 400000",
            ]
        );
    }
}

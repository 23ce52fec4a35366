//! A tab as a result shows it.

use serde_json::Value;
use tabwright_protocol::Tab;

use crate::{ToolError, ToolOutput};

/// The longest address or title that is given whole, in Unicode scalar values: a page whose address
/// is its content must not hide the tabs after it.
const MAX_TEXT: usize = 2_000;

/// The tab with the promised keys but for those of `leave_out`, and `truncated` where a text of it
/// was cut.
pub(crate) fn tab_row(mut tab: Tab, leave_out: &[&str]) -> Result<Value, ToolError> {
    let url_cut = cut(&mut tab.url);
    let title_cut = cut(&mut tab.title);
    let mut value = ToolOutput::new(tab)?.value;
    if let Value::Object(map) = &mut value {
        for key in leave_out {
            map.remove(*key);
        }
        if url_cut || title_cut {
            map.insert("truncated".into(), Value::Bool(true));
        }
    }
    Ok(value)
}

/// Shortens the text; true when it was too long.
fn cut(text: &mut String) -> bool {
    let Some((end, _)) = text.char_indices().nth(MAX_TEXT) else {
        return false;
    };
    text.truncate(end);
    text.push('…');
    true
}

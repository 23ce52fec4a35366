//! Paths in the workspace.
//!
//! Invariant: what passes cannot leave the workspace, and every file system takes its names.

use crate::ToolError;

/// The longest path, in Unicode scalar values.
const MAX_PATH: usize = 1_000;
/// The longest name in it, in bytes: the limit of the usual file systems.
const MAX_NAME: usize = 255;

/// The path of a file or directory from the workspace's root; the root is the empty path.
pub(crate) fn workspace_path(path: &str) -> Result<String, ToolError> {
    let path = path.trim_start_matches('/');
    // A directory may be written with its slash.
    let path = path.strip_suffix('/').unwrap_or(path);
    if path.chars().nth(MAX_PATH).is_some() {
        return Err(invalid(format!(
            "`path` is longer than {MAX_PATH} characters. Use a shorter one."
        )));
    }
    if path.is_empty() {
        return Ok(String::new());
    }
    for name in path.split('/') {
        if let Some(problem) = problem_of(name) {
            let quoted: String = path.chars().take(100).collect();
            return Err(invalid(format!("The path {quoted:?} {problem}")));
        }
    }
    Ok(path.to_owned())
}

/// The path of a file.
pub(crate) fn file_path(path: &str) -> Result<String, ToolError> {
    let checked = workspace_path(path)?;
    if checked.is_empty() || path.ends_with('/') {
        return Err(invalid(
            "`path` names no file. Give one such as notes/today.md.".into(),
        ));
    }
    Ok(checked)
}

fn problem_of(name: &str) -> Option<String> {
    let problem = match name {
        "" => "has an empty part: write one `/` between two names.",
        "." => "has `.` as a part: leave it out, paths begin at the workspace.",
        ".." => "has `..` as a part: a path cannot leave the workspace.",
        _ if name.contains('\\') => "has a backslash: write `/` between two names.",
        _ if name.chars().any(char::is_control) => "has a control character: leave it out.",
        _ if name.len() > MAX_NAME => {
            return Some(format!(
                "has a name of {} bytes: at most {MAX_NAME} are taken.",
                name.len()
            ));
        }
        _ => return None,
    };
    Some(problem.to_owned())
}

fn invalid(message: String) -> ToolError {
    ToolError::reply("invalid_path", message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn takes(path: &str, expected: &str) {
        assert_eq!(workspace_path(path), Ok(expected.to_owned()), "{path:?}");
    }

    #[track_caller]
    fn refuses(path: &str, part: &str) {
        let message = match file_path(path) {
            Ok(path) => panic!("{path:?} passes"),
            Err(error) => error.to_string(),
        };
        assert!(message.contains(part), "{path:?}: {message}");
    }

    #[test]
    fn a_path_begins_at_the_workspace() {
        takes("", "");
        takes("/", "");
        takes("a", "a");
        takes("/a/b.txt", "a/b.txt");
        takes("///a", "a");
        takes("a/", "a");
        takes("ä/日本 語/.hidden/...", "ä/日本 語/.hidden/...");
        takes("a..b/c:d*?", "a..b/c:d*?");
        takes(&"é".repeat(127), &"é".repeat(127));
    }

    #[test]
    fn what_cannot_be_a_path_is_refused_and_says_why() {
        for path in ["..", "/..", "../a", "a/../b", "a/..", "a/b/.."] {
            refuses(path, "a path cannot leave the workspace");
        }
        refuses("a//b", "has an empty part");
        refuses("a//", "has an empty part");
        refuses("./a", "has `.` as a part");
        refuses("a\\..\\b", "has a backslash");
        refuses("a\nb", "has a control character");
        refuses("a/\0", "has a control character");
        refuses("a\u{85}b", "has a control character");
        refuses(
            &format!("a/{}", "x".repeat(256)),
            "a name of 256 bytes: at most 255",
        );
        refuses(&"é".repeat(128), "a name of 256 bytes");
        refuses(&"x/".repeat(600), "longer than 1000 characters");
    }

    #[test]
    fn a_file_has_a_name() {
        for path in ["", "/", "a/", "//"] {
            refuses(path, "names no file");
        }
    }
}

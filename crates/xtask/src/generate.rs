//! `cargo xtask gen`: the TypeScript side of the protocol crate.

use crate::{failure::Failure, files, workspace::Workspace};

const PATH: &str = "www/generated/protocol.ts";

/// Writes the generated types.
pub fn write(workspace: &Workspace) -> Result<(), Failure> {
    let text = tabwright_protocol::typescript();
    files::write_if_changed(&workspace.path(PATH), text.as_bytes())
}

/// Fails when the generated types are not what the protocol crate says.
pub fn check(workspace: &Workspace) -> Result<(), Failure> {
    let found = files::read_text(&workspace.path(PATH)).unwrap_or_default();
    compare(&found, &tabwright_protocol::typescript())
}

fn compare(found: &str, wanted: &str) -> Result<(), Failure> {
    if found == wanted {
        return Ok(());
    }
    let line = found
        .lines()
        .zip(wanted.lines())
        .position(|(found, wanted)| found != wanted)
        .unwrap_or_else(|| found.lines().count().min(wanted.lines().count()));
    Err(Failure::new(format!(
        "{PATH} differs from crates/protocol at line {}. Run: cargo xtask gen",
        line + 1
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(found: &str, wanted: &str, line: Option<&str>) {
        let message = compare(found, wanted).err().map(|f| f.to_string());
        assert_eq!(message.is_some(), line.is_some());
        assert!(
            message
                .unwrap_or_default()
                .contains(line.unwrap_or_default())
        );
    }

    #[test]
    fn drift_is_found_with_its_line() {
        check("a\nb\n", "a\nb\n", None);
        check("a\nb\n", "a\nc\n", Some("at line 2."));
        check("a\n", "a\nb\n", Some("at line 2."));
        check("", "a\n", Some("at line 1."));
    }

    #[test]
    fn the_protocol_has_types() {
        assert!(tabwright_protocol::typescript().contains("export type Op "));
    }
}

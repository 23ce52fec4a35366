//! Running other programs. Invariant: a program that fails is a [`Failure`] that quotes the command
//! as a person would type it.

use std::{
    io::{BufRead, BufReader, Write},
    process::{Command, ExitStatus, Stdio},
};

use crate::failure::Failure;

/// How a program ended, and all that it printed.
pub struct Captured {
    /// Whether the exit code was 0.
    pub success: bool,
    /// Standard output.
    pub stdout: String,
    /// Standard error; empty when the person saw it already.
    pub stderr: String,
}

impl Captured {
    /// All of it, for a person.
    pub fn text(&self) -> String {
        format!("{}{}", self.stdout, self.stderr)
    }
}

/// The command as a person would type it.
pub fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words
        .map(|word| quoted(&word.to_string_lossy()))
        .collect::<Vec<_>>()
        .join(" ")
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=./:+,@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// Runs it with our own terminal and answers its exit code.
pub fn exit_code(command: &mut Command) -> Result<i32, Failure> {
    let status = command
        .status()
        .map_err(|error| not_started(command, &error))?;
    // A program that a signal ended has no code; shells say 128 and more, and so do we.
    Ok(status.code().unwrap_or(128))
}

/// Says what it runs, runs it with our own terminal, and fails when it does.
pub fn run(command: &mut Command) -> Result<(), Failure> {
    eprintln!("$ {}", shown(command));
    match exit_code(command)? {
        0 => Ok(()),
        code => Err(Failure::new(format!(
            "`{}` failed with exit code {code}.",
            shown(command)
        ))),
    }
}

/// Runs it silently; answers its standard output, or fails with its standard error.
pub fn output(command: &mut Command) -> Result<String, Failure> {
    let output = command
        .output()
        .map_err(|error| not_started(command, &error))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    Err(Failure::new(format!(
        "`{}` failed ({}):\n{}",
        shown(command),
        ending(output.status),
        String::from_utf8_lossy(&output.stderr).trim_end()
    )))
}

/// Runs it silently and keeps both of its outputs, to be shown only if it fails.
pub fn capture(command: &mut Command) -> Result<Captured, Failure> {
    let output = command
        .output()
        .map_err(|error| not_started(command, &error))?;
    Ok(Captured {
        success: output.status.success(),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    })
}

/// Runs it in the open and keeps its standard output too, to read the counts from.
pub fn tee(command: &mut Command) -> Result<Captured, Failure> {
    eprintln!("$ {}", shown(command));
    // Colours would be in the way of reading the output.
    command
        .env("CARGO_TERM_COLOR", "never")
        .env_remove("FORCE_COLOR");
    let mut child = command
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| not_started(command, &error))?;
    let mut text = String::new();
    if let Some(stdout) = child.stdout.take() {
        let mut reader = BufReader::new(stdout);
        let mut line = Vec::new();
        while reader
            .read_until(b'\n', &mut line)
            .map_err(|error| unreadable(command, &error))?
            > 0
        {
            let shown_line = String::from_utf8_lossy(&line);
            print!("{shown_line}");
            text.push_str(&shown_line);
            line.clear();
        }
    }
    // Nobody reads our own output any more when this fails, so there is nobody to tell.
    let _ = std::io::stdout().flush();
    let status = child.wait().map_err(|error| unreadable(command, &error))?;
    Ok(Captured {
        success: status.success(),
        stdout: text,
        stderr: String::new(),
    })
}

/// Whether a program of this name is on the search path and answers `--version`.
pub fn exists(program: &str) -> bool {
    Command::new(program)
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .stdin(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

fn ending(status: ExitStatus) -> String {
    match status.code() {
        Some(code) => format!("exit code {code}"),
        None => "ended by a signal".to_owned(),
    }
}

fn not_started(command: &Command, error: &std::io::Error) -> Failure {
    Failure::new(format!(
        "`{}` could not be started: {error}. `cargo xtask setup` says what is missing.",
        shown(command)
    ))
}

fn unreadable(command: &Command, error: &std::io::Error) -> Failure {
    Failure::new(format!(
        "The output of `{}` could not be read: {error}.",
        shown(command)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_shown_as_it_would_be_typed() {
        let mut command = Command::new("node");
        command.args(["--test", "a b", "it's", "", "www/a.test.ts"]);
        assert_eq!(
            shown(&command),
            r"node --test 'a b' 'it'\''s' '' www/a.test.ts"
        );
    }

    #[test]
    fn a_failing_command_is_quoted_with_its_exit_code() {
        let failure = run(Command::new("sh").args(["-c", "exit 7"])).unwrap_err();
        assert_eq!(
            failure.to_string(),
            "`sh -c 'exit 7'` failed with exit code 7."
        );
    }

    #[test]
    fn a_missing_program_points_to_setup() {
        let failure = run(&mut Command::new("tabwright-no-such-program")).unwrap_err();
        assert!(failure.to_string().contains("cargo xtask setup"));
    }

    #[test]
    fn tee_keeps_what_it_shows() {
        let captured = tee(Command::new("sh").args(["-c", "printf 'one\\ntwo'; exit 1"])).unwrap();
        assert_eq!(captured.stdout, "one\ntwo");
        assert!(!captured.success);
    }
}

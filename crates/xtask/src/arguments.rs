//! The command line, parsed. Invariant: a word that no command knows is an error, before anything
//! slow starts.

use crate::failure::Failure;

/// What `cargo xtask help` prints.
pub const USAGE: &str = "\
cargo xtask COMMAND

  setup [--install]    check what is needed, and install what needs no question
  build [--fast]       build the extension into dist/ (--fast: quicker to build, bigger, slower)
  watch                build --fast again whenever a source file changes
  run [--headless] [--ask TEXT] [--model ADDRESS] [--model-id ID] [--keep-profile DIR]
      [--screenshot FILE] [--reload]
                       start Chromium with the extension; --ask sends one message and prints the answer
  call TOOL JSON [--url ADDRESS]
                       call one tool in Chromium and print its result
  test [--only rust|ts|browser] [FILTER]
                       build, run every test, and check
  bench [NAME]         measure: one of tests/bench, or all of them
  extract [--wasm] DIR print the content of each page in a folder as Markdown, a line of JSON each,
                       natively or by the reader as it is shipped
  kill [--points N] [--ways sw,panel,worker,browser]
                       take something away in the middle of turns, and check what is left
  real-server [llama|litellm]
                       model servers of other makers: what they show; installs them from PyPI
  sim [--matrix [--scenarios N] [--every-write]] [--seeds N [--from K]]
      [--seed S] [--scenario S [--death B]]
                       simulate whole runs with faults and deaths: a death at every moment of
                       short runs, many longer runs, or one run in full
  check [--fix]        format, lints, types, arrows, sizes, licences
  planted [NAME]       plant bugs in a copy of the source and say which test catches each
  deps                 dependency arrows only
  size                 size budgets only
  licences             licences of what we ship only
  gen [--check]        write (or compare) www/generated/protocol.ts
  prices FILE          write crates/llm/src/prices.txt from litellm's price list
  dist                 release build, packed as target/tabwright-VERSION.zip
";

/// Which tests to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Only {
    /// `cargo test`.
    Rust,
    /// The TypeScript unit tests.
    Ts,
    /// The tests in real Chromium.
    Browser,
}

/// One command with its options.
#[derive(Debug, PartialEq, Eq)]
pub enum Command {
    /// Print the usage.
    Help,
    /// Check what is needed.
    Setup {
        /// Install system packages without being root already.
        install: bool,
    },
    /// Build `dist/`.
    Build {
        /// With the profile that builds quickly.
        fast: bool,
    },
    /// Build on every change.
    Watch,
    /// Start Chromium with the extension.
    Run {
        /// Options for the rig, checked.
        rest: Vec<String>,
    },
    /// Call one tool in Chromium.
    Call {
        /// Tool, arguments and options for the rig, checked.
        rest: Vec<String>,
    },
    /// Run tests.
    Test {
        /// Only one kind; everything, and the checks, when absent.
        only: Option<Only>,
        /// Only tests whose name contains this.
        filter: Option<String>,
    },
    /// Measure.
    Bench {
        /// Which; all when absent.
        name: Option<String>,
    },
    /// Print the content of pages.
    Extract {
        /// By the reader as it is shipped.
        wasm: bool,
        /// Where the pages are.
        folder: String,
    },
    /// Take something away in the middle of turns.
    Kill {
        /// Options for the matrix, checked.
        rest: Vec<String>,
    },
    /// Ask model servers of other makers.
    RealServer {
        /// Which; all when absent.
        rest: Vec<String>,
    },
    /// Simulate whole runs with faults and deaths.
    Sim {
        /// Options for the simulation, checked.
        rest: Vec<String>,
    },
    /// Run the checks.
    Check {
        /// Mend what can be mended mechanically.
        fix: bool,
    },
    /// Write the list of models' prices.
    Prices {
        /// The price list.
        source: String,
    },
    /// Plant bugs and see whether the tests notice.
    Planted {
        /// Only bugs whose name contains this.
        filter: Option<String>,
    },
    /// Check the dependency arrows.
    Deps,
    /// Check the size budgets.
    Size,
    /// Check the licences.
    Licences,
    /// Write the generated types.
    Gen {
        /// Compare instead of writing.
        check: bool,
    },
    /// Pack the release.
    Dist,
}

/// An option of a command: its name, and what its value is called if it takes one.
type Known = (&'static str, Option<&'static str>);

const RUN: &[Known] = &[
    ("--headless", None),
    ("--reload", None),
    ("--ask", Some("TEXT")),
    ("--model", Some("ADDRESS")),
    ("--model-id", Some("ID")),
    ("--keep-profile", Some("DIR")),
    ("--screenshot", Some("FILE")),
];
const CALL: &[Known] = &[("--url", Some("ADDRESS"))];
const TEST: &[Known] = &[("--only", Some("rust|ts|browser"))];
const KILL: &[Known] = &[
    ("--points", Some("N")),
    ("--ways", Some("sw,panel,worker,browser")),
];

const SIM: &[Known] = &[
    ("--matrix", None),
    ("--scenarios", Some("N")),
    ("--every-write", None),
    ("--seeds", Some("N")),
    ("--from", Some("K")),
    ("--seed", Some("S")),
    ("--scenario", Some("S")),
    ("--death", Some("B")),
];

/// The command that these words mean.
pub fn parse(words: &[String]) -> Result<Command, Failure> {
    let Some((name, rest)) = words.split_first() else {
        return Ok(Command::Help);
    };
    if rest.iter().any(|word| word == "--help" || word == "-h") {
        return Ok(Command::Help);
    }
    let command = match name.as_str() {
        "help" | "--help" | "-h" => Command::Help,
        "setup" => Command::Setup {
            install: switch(name, rest, Some("--install"))?,
        },
        "build" => Command::Build {
            fast: switch(name, rest, Some("--fast"))?,
        },
        "run" => {
            Words::check(name, rest, RUN, &[])?;
            Command::Run {
                rest: rest.to_vec(),
            }
        }
        "call" => {
            let given = Words::check(name, rest, CALL, &["TOOL", "JSON"])?;
            if given.plain.len() < 2 {
                return Err(Failure::new(
                    "`cargo xtask call` needs a tool and its arguments, such as: cargo xtask call list_tabs '{}'",
                ));
            }
            Command::Call {
                rest: rest.to_vec(),
            }
        }
        "test" => {
            let given = Words::check(name, rest, TEST, &["FILTER"])?;
            Command::Test {
                only: given.value("--only").map(only).transpose()?,
                filter: given.plain.first().cloned(),
            }
        }
        "bench" => Command::Bench {
            name: Words::check(name, rest, &[], &["NAME"])?
                .plain
                .first()
                .cloned(),
        },
        "planted" => Command::Planted {
            filter: Words::check(name, rest, &[], &["NAME"])?
                .plain
                .first()
                .cloned(),
        },
        "extract" => {
            let given = Words::check(name, rest, &[("--wasm", None)], &["DIR"])?;
            let wasm = given.value("--wasm").is_some();
            let Some(folder) = given.plain.into_iter().next() else {
                return Err(Failure::new(
                    "`cargo xtask extract` needs the folder with the pages: cargo xtask extract DIR",
                ));
            };
            Command::Extract { wasm, folder }
        }
        "kill" => {
            Words::check(name, rest, KILL, &[])?;
            Command::Kill {
                rest: rest.to_vec(),
            }
        }
        "real-server" => Command::RealServer {
            rest: Words::check(name, rest, &[], &["NAME"])?.plain,
        },
        "sim" => {
            Words::check(name, rest, SIM, &[])?;
            Command::Sim {
                rest: rest.to_vec(),
            }
        }
        "prices" => {
            let given = Words::check(name, rest, &[], &["FILE"])?;
            match given.plain.first() {
                Some(source) => Command::Prices {
                    source: source.clone(),
                },
                None => {
                    return Err(Failure::new(
                        "`cargo xtask prices` needs the price list, a file of the Python package litellm.",
                    ));
                }
            }
        }
        "check" => Command::Check {
            fix: switch(name, rest, Some("--fix"))?,
        },
        "gen" => Command::Gen {
            check: switch(name, rest, Some("--check"))?,
        },
        "watch" => nothing(name, rest, Command::Watch)?,
        "deps" => nothing(name, rest, Command::Deps)?,
        "size" => nothing(name, rest, Command::Size)?,
        "licences" => nothing(name, rest, Command::Licences)?,
        "dist" => nothing(name, rest, Command::Dist)?,
        other => {
            return Err(Failure::new(format!(
                "There is no command `{other}`. `cargo xtask help` lists them."
            )));
        }
    };
    Ok(command)
}

fn only(value: &str) -> Result<Only, Failure> {
    match value {
        "rust" => Ok(Only::Rust),
        "ts" => Ok(Only::Ts),
        "browser" => Ok(Only::Browser),
        other => Err(Failure::new(format!(
            "`--only {other}` is unknown: it is rust, ts or browser."
        ))),
    }
}

fn nothing(name: &str, rest: &[String], command: Command) -> Result<Command, Failure> {
    switch(name, rest, None)?;
    Ok(command)
}

/// Whether the one switch that the command has was given.
fn switch(name: &str, rest: &[String], known: Option<&'static str>) -> Result<bool, Failure> {
    let known: Vec<Known> = known.into_iter().map(|option| (option, None)).collect();
    Words::check(name, rest, &known, &[])?;
    Ok(!rest.is_empty())
}

/// The words after a command's name, sorted.
struct Words {
    plain: Vec<String>,
    options: Vec<(String, String)>,
}

impl Words {
    fn check(
        name: &str,
        rest: &[String],
        known: &[Known],
        plain_names: &[&str],
    ) -> Result<Self, Failure> {
        let mut plain = Vec::new();
        let mut options = Vec::new();
        let mut words = rest.iter();
        while let Some(word) = words.next() {
            let option = known.iter().find(|(option, _)| option == word);
            match option {
                Some((_, None)) => options.push((word.clone(), String::new())),
                Some((_, Some(value_name))) => match words.next() {
                    Some(value) => options.push((word.clone(), value.clone())),
                    None => {
                        return Err(Failure::new(format!(
                            "`{word}` needs a value: {word} {value_name}"
                        )));
                    }
                },
                None if word.starts_with("--") => {
                    return Err(Failure::new(format!(
                        "`cargo xtask {name}` has no option `{word}`. `cargo xtask help` lists them."
                    )));
                }
                None if plain.len() == plain_names.len() => {
                    return Err(Failure::new(format!(
                        "`cargo xtask {name}` does not know what to do with `{word}`. `cargo xtask help` shows how it is called."
                    )));
                }
                None => plain.push(word.clone()),
            }
        }
        Ok(Self { plain, options })
    }

    fn value(&self, option: &str) -> Option<&str> {
        let found = self.options.iter().find(|(name, _)| name == option);
        found.map(|(_, value)| value.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split_whitespace().map(str::to_owned).collect()
    }

    #[track_caller]
    fn check(line: &str, expected: Command) {
        assert_eq!(parse(&words(line)), Ok(expected), "{line}");
    }

    #[track_caller]
    fn check_error(line: &str, expected: &str) {
        let message = parse(&words(line)).unwrap_err().to_string();
        assert!(message.contains(expected), "{line}: {message}");
    }

    #[test]
    fn commands_without_options() {
        check("", Command::Help);
        check("help", Command::Help);
        check("build --help", Command::Help);
        check("watch", Command::Watch);
        check("deps", Command::Deps);
        check("size", Command::Size);
        check("licences", Command::Licences);
        check("dist", Command::Dist);
    }

    #[test]
    fn switches() {
        check("setup", Command::Setup { install: false });
        check("setup --install", Command::Setup { install: true });
        check("build --fast", Command::Build { fast: true });
        check("check --fix", Command::Check { fix: true });
        check("bench", Command::Bench { name: None });
        check(
            "bench start",
            Command::Bench {
                name: Some("start".into()),
            },
        );
        check("gen --check", Command::Gen { check: true });
    }

    #[test]
    fn run_and_call_pass_their_words_on() {
        let line = "run --headless --ask hello --model-id m --keep-profile d";
        check(
            line,
            Command::Run {
                rest: words(line)[1..].to_vec(),
            },
        );
        let line = "call list_tabs {} --url about:blank";
        check(
            line,
            Command::Call {
                rest: words(line)[1..].to_vec(),
            },
        );
    }

    #[test]
    fn kill_passes_its_words_on() {
        let line = "kill --points 8 --ways sw,browser";
        check(
            line,
            Command::Kill {
                rest: words(line)[1..].to_vec(),
            },
        );
        check("kill", Command::Kill { rest: Vec::new() });
    }

    #[test]
    fn sim_passes_its_words_on() {
        let line = "sim --matrix --scenarios 3 --seeds 10 --from 5";
        check(
            line,
            Command::Sim {
                rest: words(line)[1..].to_vec(),
            },
        );
        check_error("sim --seeds", "--seeds N");
    }

    #[test]
    fn test_takes_one_kind_and_one_filter() {
        check(
            "test",
            Command::Test {
                only: None,
                filter: None,
            },
        );
        check(
            "test --only ts panel",
            Command::Test {
                only: Some(Only::Ts),
                filter: Some("panel".into()),
            },
        );
    }

    #[test]
    fn mistakes_are_named() {
        check_error("biuld", "no command `biuld`");
        check_error("build --quick", "no option `--quick`");
        check_error("build now", "`now`");
        check_error("run --ask", "--ask TEXT");
        check_error("run about:blank", "`about:blank`");
        check_error("call list_tabs", "needs a tool and its arguments");
        check_error("test --only wasm", "rust, ts or browser");
        check_error("test a b", "`b`");
        check_error("watch --fast", "no option `--fast`");
        check_error("kill --points", "--points N");
        check_error("kill sw", "`sw`");
    }
}

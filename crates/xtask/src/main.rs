//! Builds, runs, tests and checks Tabwright: the one front door, called as `cargo xtask`.
//!
//! Each command is one file. Commands talk to the person on standard error and leave standard
//! output to what was asked for (a tool's result, a table). Every failure is a [`Failure`]: one
//! or two sentences that say what was wrong and what would mend it.

mod arguments;
mod arrows;
mod bench;
mod build_core;
mod build_extension;
mod bundle;
mod check;
mod dist;
mod extract;
mod failure;
mod files;
mod generate;
mod kill;
mod licence_expression;
mod licences;
mod metadata;
mod planted;
mod prices;
mod run;
mod scan;
mod setup;
mod shell;
mod sim;
mod size;
mod summary;
mod test;
mod tools;
mod watch;
mod workspace;

use std::process::ExitCode;

use arguments::{Command, USAGE};
use build_extension::Profile;
use failure::Failure;
use setup::Need;
use workspace::Workspace;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments::parse(&arguments).and_then(execute) {
        Ok(code) => code,
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::FAILURE
        }
    }
}

fn execute(command: Command) -> Result<ExitCode, Failure> {
    let workspace = Workspace::find()?;
    match command {
        Command::Help => println!("{USAGE}"),
        Command::Setup { install } => {
            setup::setup(&workspace, Need::ALL, install)?;
            eprintln!("Everything that Tabwright needs is here.");
        }
        Command::Build { fast } => {
            let profile = if fast {
                Profile::Fast
            } else {
                Profile::Release
            };
            let tools = setup::setup(&workspace, Need::BUILD, false)?;
            build_extension::build(&workspace, &tools, profile)?;
            if profile == Profile::Release {
                eprint!("{}", size::table(&size::measure(&workspace.dist())?));
            }
        }
        Command::Watch => {
            let tools = setup::setup(&workspace, Need::BUILD, false)?;
            watch::watch(&workspace, &tools)?;
        }
        Command::Run { rest } => {
            let tools = setup::setup(&workspace, Need::ALL, false)?;
            return run::rig(&workspace, &tools, "run", &rest);
        }
        Command::Call { rest } => {
            let tools = setup::setup(&workspace, Need::ALL, false)?;
            return run::rig(&workspace, &tools, "call", &rest);
        }
        Command::Test { only, filter } => {
            return test::test(&workspace, only, filter.as_deref());
        }
        Command::Bench { name } => {
            let tools = setup::setup(&workspace, Need::ALL, false)?;
            return bench::bench(&workspace, &tools, name.as_deref());
        }
        Command::Extract { wasm, folder } => {
            let tools = setup::setup(&workspace, Need::BUILD, false)?;
            return extract::extract(&workspace, &tools, &folder, wasm);
        }
        Command::Kill { rest } => {
            let tools = setup::setup(&workspace, Need::ALL, false)?;
            return kill::kill(&workspace, &tools, &rest);
        }
        Command::RealServer { rest } => {
            let tools = setup::setup(&workspace, Need::ALL, false)?;
            return kill::real_server(&workspace, &tools, &rest);
        }
        Command::Sim { rest } => return sim::sim(&workspace, &rest),
        Command::Check { fix } => {
            let tools = setup::setup(&workspace, Need::BUILD, false)?;
            let report = check::check(&workspace, &tools, fix);
            return Ok(report.print());
        }
        Command::Planted { filter } => {
            return planted::planted(&workspace, filter.as_deref());
        }
        Command::Prices { source } => prices::write(&workspace, &source)?,
        Command::Deps => {
            arrows::check(&workspace)?;
            scan::check(&workspace)?;
            eprintln!("Every dependency arrow points down.");
        }
        Command::Size => {
            let tools = setup::setup(&workspace, Need::BUILD, false)?;
            build_extension::build(&workspace, &tools, Profile::Release)?;
            let measured = size::measure(&workspace.dist())?;
            print!("{}", size::table(&measured));
            size::judge(&measured)?;
        }
        Command::Licences => {
            let tools = setup::setup(&workspace, Need::BUILD, false)?;
            build_extension::build(&workspace, &tools, Profile::Release)?;
            licences::check(&workspace)?;
            eprintln!("Every licence of what we ship is on the list.");
        }
        Command::Gen { check: true } => generate::check(&workspace)?,
        Command::Gen { check: false } => generate::write(&workspace)?,
        Command::Dist => {
            let tools = setup::setup(&workspace, Need::BUILD, false)?;
            build_extension::build(&workspace, &tools, Profile::Release)?;
            dist::pack(&workspace)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

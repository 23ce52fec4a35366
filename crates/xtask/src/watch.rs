//! `cargo xtask watch`: build again whenever a source changes. A browser that `cargo xtask run
//! --reload` started sees the new `dist/` and reloads the extension by itself.

use std::{
    collections::BTreeMap,
    path::PathBuf,
    thread,
    time::{Duration, SystemTime},
};

use crate::{
    build_core::{self, Modules},
    build_extension::{self, Profile},
    failure::Failure,
    files,
    setup::Tools,
    workspace::Workspace,
};

/// Short enough to feel immediate, long enough to cost nothing.
const PAUSE: Duration = Duration::from_millis(300);
/// What a build reads.
const SOURCES: &[&str] = &["crates", "extension", "www", "_locales"];
const SOURCE_FILES: &[&str] = &["Cargo.toml", "Cargo.lock", "manifest.json"];

/// When each source was last changed.
type Times = BTreeMap<PathBuf, SystemTime>;

/// What has to be built again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stale {
    Nothing,
    Pages,
    Core,
}

/// Builds on every change until the person stops it.
pub fn watch(workspace: &Workspace, tools: &Tools) -> Result<(), Failure> {
    let mut seen = times(workspace)?;
    let mut modules = rebuild(workspace, tools, None);
    eprintln!("Watching for changes. Ctrl-C stops.");
    loop {
        thread::sleep(PAUSE);
        let now = times(workspace)?;
        let kept = match stale(&seen, &now) {
            Stale::Nothing => continue,
            Stale::Pages => modules.take(),
            Stale::Core => None,
        };
        modules = rebuild(workspace, tools, kept);
        seen = now;
    }
}

/// Builds, and tells how it went: a mistake in a source is no reason to stop watching. Answers the
/// modules, which the next build may keep.
fn rebuild(workspace: &Workspace, tools: &Tools, kept: Option<Modules>) -> Option<Modules> {
    let modules = match kept {
        Some(modules) => Ok(modules),
        None => build_core::build(workspace, tools, Profile::Fast),
    };
    let modules = match modules {
        Ok(modules) => modules,
        Err(failure) => {
            eprintln!("error: {failure}");
            return None;
        }
    };
    match build_extension::build_around(workspace, modules.clone()) {
        Ok(()) => eprintln!("dist/ is up to date."),
        Err(failure) => eprintln!("error: {failure}"),
    }
    Some(modules)
}

fn times(workspace: &Workspace) -> Result<Times, Failure> {
    let mut paths: Vec<PathBuf> = SOURCE_FILES
        .iter()
        .map(|file| workspace.path(file))
        .collect();
    for folder in SOURCES {
        paths.extend(files::walk(&workspace.path(folder))?);
    }
    // A file that was removed meanwhile is simply not in the list.
    let modified = |path: PathBuf| Some((path.clone(), path.metadata().ok()?.modified().ok()?));
    Ok(paths.into_iter().filter_map(modified).collect())
}

fn stale(before: &Times, now: &Times) -> Stale {
    let changed = now
        .iter()
        .filter(|(path, time)| before.get(*path) != Some(time))
        .map(|(path, _)| path);
    let removed = before.keys().filter(|path| !now.contains_key(*path));
    let mut paths = changed.chain(removed).peekable();
    if paths.peek().is_none() {
        return Stale::Nothing;
    }
    let of_core = |path: &PathBuf| {
        let ending = path.extension().and_then(|ending| ending.to_str());
        matches!(ending, Some("rs" | "toml" | "lock" | "sql"))
    };
    if paths.any(of_core) {
        Stale::Core
    } else {
        Stale::Pages
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(files: &[(&str, u64)]) -> Times {
        files
            .iter()
            .map(|(path, seconds)| {
                let time = SystemTime::UNIX_EPOCH + Duration::from_secs(*seconds);
                (PathBuf::from(path), time)
            })
            .collect()
    }

    #[track_caller]
    fn check(now: &[(&str, u64)], expected: Stale) {
        let before = times(&[("crates/a.rs", 1), ("www/b.tsx", 1)]);
        assert_eq!(stale(&before, &times(now)), expected);
    }

    #[test]
    fn only_what_a_change_touches_is_built() {
        check(&[("crates/a.rs", 1), ("www/b.tsx", 1)], Stale::Nothing);
        check(&[("crates/a.rs", 1), ("www/b.tsx", 2)], Stale::Pages);
        check(&[("crates/a.rs", 2), ("www/b.tsx", 2)], Stale::Core);
    }

    #[test]
    fn new_and_removed_files_are_changes() {
        check(&[("crates/a.rs", 1)], Stale::Pages);
        check(&[("www/b.tsx", 1)], Stale::Core);
        check(
            &[("crates/a.rs", 1), ("www/b.tsx", 1), ("www/c.css", 1)],
            Stale::Pages,
        );
    }
}

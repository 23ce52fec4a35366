//! A tree of files and directories in memory.
//!
//! Invariant: every node but the root has its parent in the tree, and that parent is a directory.

use std::collections::BTreeMap;

use crate::{Entry, EntryKind, HostError, HostErrorKind};

/// A tree of files and directories, by path. The root is the empty path and always there.
#[derive(Default)]
pub(super) struct Tree(BTreeMap<String, Node>);

enum Node {
    File(Vec<u8>),
    Directory,
}

impl Tree {
    pub(super) fn read(&self, path: &str) -> Result<Vec<u8>, HostError> {
        match self.0.get(path) {
            Some(Node::File(bytes)) => Ok(bytes.clone()),
            Some(Node::Directory) => Err(not_a("files.read", path, "file")),
            None => Err(missing("files.read", path)),
        }
    }

    pub(super) fn write(&mut self, path: &str, bytes: Vec<u8>) -> Result<(), HostError> {
        if path.split('/').any(str::is_empty) {
            return Err(HostError::new(
                "files.write",
                HostErrorKind::Invalid,
                format!("`{path}` is no path of a file"),
            ));
        }
        if let Some(Node::Directory) = self.0.get(path) {
            return Err(not_a("files.write", path, "file"));
        }
        for parent in parents(path) {
            if let Some(Node::File(_)) = self.0.get(parent) {
                return Err(not_a("files.write", parent, "directory"));
            }
        }
        for parent in parents(path) {
            self.0.entry(parent.to_owned()).or_insert(Node::Directory);
        }
        self.0.insert(path.to_owned(), Node::File(bytes));
        Ok(())
    }

    pub(super) fn list(&self, path: &str) -> Result<Vec<Entry>, HostError> {
        match self.0.get(path) {
            Some(Node::Directory) => {}
            Some(Node::File(_)) => return Err(not_a("files.list", path, "directory")),
            None if path.is_empty() => {}
            None => return Err(missing("files.list", path)),
        }
        let mut entries: Vec<_> = self
            .0
            .iter()
            .filter_map(|(key, node)| {
                let name = below(path, key)?;
                (!name.contains('/')).then(|| Entry {
                    name: name.to_owned(),
                    kind: node.kind(),
                })
            })
            .collect();
        entries.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(entries)
    }

    pub(super) fn remove(&mut self, path: &str) -> Result<(), HostError> {
        if !self.0.contains_key(path) {
            return Err(missing("files.remove", path));
        }
        self.0
            .retain(|key, _| key != path && below(path, key).is_none());
        Ok(())
    }

    /// The file itself, or every file that a directory holds, however deep.
    pub(super) fn files_under(&self, path: &str) -> Vec<String> {
        self.0
            .iter()
            .filter(|(key, _)| *key == path || below(path, key).is_some())
            .filter(|(_, node)| matches!(node, Node::File(_)))
            .map(|(key, _)| key.clone())
            .collect()
    }
}

impl Node {
    fn kind(&self) -> EntryKind {
        match self {
            Self::File(bytes) => EntryKind::File {
                size: bytes.len() as u64,
            },
            Self::Directory => EntryKind::Directory,
        }
    }
}

/// `key` as seen from the directory `path`, if it is in there.
fn below<'a>(path: &str, key: &'a str) -> Option<&'a str> {
    if path.is_empty() {
        return Some(key);
    }
    key.strip_prefix(path)?.strip_prefix('/')
}

/// `a/b/c` has the parents `a` and `a/b`.
fn parents(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('/').map(|(at, _)| &path[..at])
}

fn missing(call: &'static str, path: &str) -> HostError {
    HostError::new(
        call,
        HostErrorKind::NotFound,
        format!("there is no `{path}`"),
    )
}

fn not_a(call: &'static str, path: &str, wanted: &str) -> HostError {
    HostError::new(
        call,
        HostErrorKind::Invalid,
        format!("`{path}` is not a {wanted}"),
    )
}

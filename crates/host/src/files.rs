//! The workspace's files.

use futures::future::LocalBoxFuture;

use crate::HostError;

/// What a directory holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name, without the path.
    pub name: String,
    /// What it is.
    pub kind: EntryKind,
}

/// What an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// A file of that many bytes.
    File {
        /// Its length in bytes.
        size: u64,
    },
    /// A directory.
    Directory,
}

/// The beginning of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileHead {
    /// Its first bytes.
    pub bytes: Vec<u8>,
    /// The length of the whole file in bytes.
    pub size: u64,
}

/// The workspace's files. Paths are relative, with `/` between the parts, and checked by the caller.
pub trait Files {
    /// The bytes of a file.
    fn read(&self, path: &str) -> LocalBoxFuture<'static, Result<Vec<u8>, HostError>>;

    /// The first bytes of a file, at most that many.
    fn head(
        &self,
        path: &str,
        max_bytes: u32,
    ) -> LocalBoxFuture<'static, Result<FileHead, HostError>>;

    /// An address under which the extension's own pages can read a file. It holds until the file is
    /// next written or removed, or the core ends.
    fn blob_url(
        &self,
        path: &str,
        mime_type: &str,
    ) -> LocalBoxFuture<'static, Result<String, HostError>>;

    /// Writes a whole file, making its parents. All or nothing: after a crash at any point the file
    /// holds the old or the new bytes.
    fn write(&self, path: &str, bytes: Vec<u8>) -> LocalBoxFuture<'static, Result<(), HostError>>;

    /// What a directory holds, sorted by name. The root is the empty path.
    fn list(&self, path: &str) -> LocalBoxFuture<'static, Result<Vec<Entry>, HostError>>;

    /// Removes a file, or a directory and all it holds.
    fn remove(&self, path: &str) -> LocalBoxFuture<'static, Result<(), HostError>>;
}

/// No workspace.
pub struct NullFiles;

impl Files for NullFiles {
    fn read(&self, _: &str) -> LocalBoxFuture<'static, Result<Vec<u8>, HostError>> {
        Box::pin(async { Err(HostError::absent("files.read")) })
    }

    fn head(&self, _: &str, _: u32) -> LocalBoxFuture<'static, Result<FileHead, HostError>> {
        Box::pin(async { Err(HostError::absent("files.head")) })
    }

    fn blob_url(&self, _: &str, _: &str) -> LocalBoxFuture<'static, Result<String, HostError>> {
        Box::pin(async { Err(HostError::absent("files.blob_url")) })
    }

    fn write(&self, _: &str, _: Vec<u8>) -> LocalBoxFuture<'static, Result<(), HostError>> {
        Box::pin(async { Err(HostError::absent("files.write")) })
    }

    fn list(&self, _: &str) -> LocalBoxFuture<'static, Result<Vec<Entry>, HostError>> {
        Box::pin(async { Err(HostError::absent("files.list")) })
    }

    fn remove(&self, _: &str) -> LocalBoxFuture<'static, Result<(), HostError>> {
        Box::pin(async { Err(HostError::absent("files.remove")) })
    }
}

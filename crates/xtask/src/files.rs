//! Reading and writing files, with the path in every error.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use crate::failure::Failure;

/// The bytes of a file.
pub fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(path).map_err(|error| failed("read", path, &error))
}

/// The text of a file.
pub fn read_text(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path).map_err(|error| failed("read", path, &error))
}

/// Writes a file and the folders above it, unless it holds these bytes already: an untouched time
/// stamp keeps whoever watches it from working for nothing.
pub fn write_if_changed(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    if fs::read(path).is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|error| failed("create", folder, &error))?;
    }
    fs::write(path, bytes).map_err(|error| failed("write", path, &error))
}

/// Removes a file.
pub fn remove(path: &Path) -> Result<(), Failure> {
    fs::remove_file(path).map_err(|error| failed("remove", path, &error))
}

/// Every file below a folder, sorted; none when the folder does not exist.
pub fn walk(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        let entries = match fs::read_dir(&next) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(failed("list", &next, &error)),
        };
        for entry in entries {
            let entry = entry.map_err(|error| failed("list", &next, &error))?;
            let kind = entry
                .file_type()
                .map_err(|error| failed("look at", &entry.path(), &error))?;
            if kind.is_dir() {
                if entry.file_name() != "node_modules" {
                    folders.push(entry.path());
                }
            } else {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    Ok(found)
}

/// The path below a folder, with `/` between its parts on every system.
pub fn relative(path: &Path, folder: &Path) -> String {
    let parts = path.strip_prefix(folder).unwrap_or(path).components();
    parts
        .map(|part| part.as_os_str().to_string_lossy())
        .collect::<Vec<_>>()
        .join("/")
}

fn failed(verb: &str, path: &Path, error: &io::Error) -> Failure {
    Failure::new(format!("Could not {verb} {}: {error}.", path.display()))
}

/// A folder for one test, removed with everything in it when the test ends.
#[cfg(test)]
pub struct TestFolder(pub PathBuf);

#[cfg(test)]
impl TestFolder {
    /// An empty folder; the name has to be unique among the tests.
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("tabwright-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// Writes a file in it.
    pub fn write(&self, relative: &str, text: &str) {
        write_if_changed(&self.0.join(relative), text.as_bytes()).unwrap();
    }
}

#[cfg(test)]
impl Drop for TestFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unchanged_file_keeps_its_time_stamp() {
        let folder = TestFolder::new("unchanged");
        let file = folder.0.join("a/b.txt");
        write_if_changed(&file, b"same").unwrap();
        let old = std::time::SystemTime::UNIX_EPOCH;
        fs::File::open(&file).unwrap().set_modified(old).unwrap();
        write_if_changed(&file, b"same").unwrap();
        assert_eq!(fs::metadata(&file).unwrap().modified().unwrap(), old);
        write_if_changed(&file, b"other").unwrap();
        assert_ne!(fs::metadata(&file).unwrap().modified().unwrap(), old);
    }

    #[test]
    fn walk_lists_files_sorted_and_leaves_out_node_modules() {
        let folder = TestFolder::new("walk");
        for name in ["b.ts", "a/c.ts", "node_modules/x.ts"] {
            folder.write(name, "");
        }
        let found = walk(&folder.0).unwrap();
        let names: Vec<_> = found.iter().map(|f| relative(f, &folder.0)).collect();
        assert_eq!(names, ["a/c.ts", "b.ts"]);
        assert!(walk(&folder.0.join("none")).unwrap().is_empty());
    }
}

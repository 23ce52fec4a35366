//! `cargo xtask dist`: the release as one archive, byte for byte the same from the same `dist/`.

use std::{fs::File, io::Write, path::Path};

use zip::{CompressionMethod, DateTime, ZipWriter, write::SimpleFileOptions};

use crate::{
    failure::Failure,
    files,
    workspace::{VERSION, Workspace},
};

/// Packs `dist/`, and prints where and how big.
pub fn pack(workspace: &Workspace) -> Result<(), Failure> {
    let archive = workspace.path(&format!("target/tabwright-{VERSION}.zip"));
    pack_folder(&workspace.dist(), &archive)?;
    let size = files::read(&archive)?.len();
    println!(
        "{} {size} bytes",
        files::relative(&archive, workspace.root())
    );
    Ok(())
}

fn pack_folder(dist: &Path, archive: &Path) -> Result<(), Failure> {
    let found = files::walk(dist)?;
    let strange: Vec<String> = found
        .iter()
        .map(|file| files::relative(file, dist))
        .filter(|path| !is_shipped(path))
        .collect();
    if !strange.is_empty() {
        return Err(Failure::new(format!(
            "dist/ holds what nobody should get: {}. Keep it out of the build, or allow it in crates/xtask/src/dist.rs.",
            strange.join(", ")
        )));
    }
    let failed = |error: &dyn std::fmt::Display| {
        Failure::new(format!("Could not write {}: {error}.", archive.display()))
    };
    let file = File::create(archive).map_err(|error| failed(&error))?;
    let mut zip = ZipWriter::new(file);
    // `walk` sorts, and the rest of what could differ is fixed here.
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .compression_level(Some(9))
        .last_modified_time(DateTime::default())
        .unix_permissions(0o644);
    for path in found {
        zip.start_file(files::relative(&path, dist), options)
            .map_err(|error| failed(&error))?;
        zip.write_all(&files::read(&path)?)
            .map_err(|error| failed(&error))?;
    }
    zip.finish().map_err(|error| failed(&error))?;
    Ok(())
}

/// Whether a file belongs in the extension. The list is closed, so a new kind is a decision.
fn is_shipped(path: &str) -> bool {
    let parts: Vec<&str> = path.split('/').collect();
    match parts.as_slice() {
        ["manifest.json" | "core.wasm" | "reader.wasm"] => true,
        [
            "sw.js" | "offscreen.js" | "core.worker.js" | "reader.worker.js" | "panel.js"
            | "options.js",
        ] => true,
        ["panel.css" | "options.css"] => true,
        [page] => page.ends_with(".html"),
        ["icons", icon] => icon.ends_with(".png"),
        ["_locales", _, "messages.json"] => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::TestFolder;

    #[test]
    fn only_what_the_extension_is_made_of_is_shipped() {
        for path in [
            "manifest.json",
            "core.wasm",
            "core.worker.js",
            "reader.wasm",
            "reader.worker.js",
            "panel.css",
            "offscreen.html",
            "icons/128.png",
            "_locales/en/messages.json",
        ] {
            assert!(is_shipped(path), "{path}");
        }
        for path in [
            "sw.js.map",
            "panel.test.js",
            "tests/e2e/run.js",
            "core_bg.wasm",
            "icons/logo.svg",
            ".env",
            "_locales/en/notes.txt",
        ] {
            assert!(!is_shipped(path), "{path}");
        }
    }

    #[test]
    fn a_strange_file_stops_the_release() {
        let folder = TestFolder::new("dist-strange");
        folder.write("dist/sw.js", "");
        folder.write("dist/sw.js.map", "");
        let archive = folder.0.join("a.zip");
        let failure = pack_folder(&folder.0.join("dist"), &archive).unwrap_err();
        assert!(failure.to_string().contains("sw.js.map"));
        assert!(!archive.exists());
    }

    #[test]
    fn the_same_folder_gives_the_same_bytes() {
        let folder = TestFolder::new("dist-same");
        let dist = folder.0.join("dist");
        let pack = |name: &str| {
            let archive = folder.0.join(name);
            pack_folder(&dist, &archive).unwrap();
            files::read(&archive).unwrap()
        };
        folder.write("dist/sw.js", &"let x;".repeat(100));
        folder.write("dist/manifest.json", "{}");
        let first = pack("a.zip");
        files::remove(&dist.join("manifest.json")).unwrap();
        folder.write("dist/manifest.json", "{}");
        assert_eq!(first, pack("b.zip"));
        folder.write("dist/manifest.json", "{ }");
        assert_ne!(first, pack("c.zip"));
    }
}

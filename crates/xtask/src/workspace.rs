//! Where things are. Invariant: every path of the project that this program uses starts here.

use std::path::{Path, PathBuf};

use crate::{failure::Failure, metadata};

/// The version of every crate and of the extension: the one in the root `Cargo.toml`.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The checkout this program works on.
pub struct Workspace {
    root: PathBuf,
}

impl Workspace {
    /// The checkout that holds this crate. `cargo run` tells where it is, so a moved checkout is
    /// found without compiling again.
    pub fn find() -> Result<Self, Failure> {
        let manifest_dir = std::env::var("CARGO_MANIFEST_DIR")
            .unwrap_or_else(|_| env!("CARGO_MANIFEST_DIR").to_owned());
        match Path::new(&manifest_dir).ancestors().nth(2) {
            Some(root) if root.join("Cargo.toml").is_file() => Ok(Self {
                root: root.to_owned(),
            }),
            Some(_) | None => Err(Failure::new(format!(
                "{manifest_dir} is not inside a Tabwright checkout. Call this program as `cargo xtask` in one."
            ))),
        }
    }

    /// The top folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// A path below the top folder.
    pub fn path(&self, relative: &str) -> PathBuf {
        self.root.join(relative)
    }

    /// The unpacked extension, as Chrome loads it.
    pub fn dist(&self) -> PathBuf {
        self.path("dist")
    }

    /// A program that npm installed, as the script that Node runs. (`npx` is slower, and is another
    /// file on Windows.)
    pub fn node_program(&self, script: &str) -> PathBuf {
        self.path("node_modules").join(script)
    }

    /// Cargo's target folder, which a person may have moved with `CARGO_TARGET_DIR`.
    pub fn cargo_target(&self) -> Result<PathBuf, Failure> {
        let metadata = metadata::load(self, &["--no-deps"])?;
        match metadata["target_directory"].as_str() {
            Some(path) => Ok(PathBuf::from(path)),
            None => Err(Failure::new(
                "`cargo metadata` named no target directory. Try `cargo metadata --no-deps` by hand.",
            )),
        }
    }
}

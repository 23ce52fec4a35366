//! The database: SQLite over OPFS's synchronous handles, which only a dedicated worker has.

use futures::future::LocalBoxFuture;
use sqlite_wasm_rs::WasmOsCallback;
use sqlite_wasm_vfs::sahpool::{OpfsSAHPoolCfgBuilder, install};
use tabwright_store::{Location, Store, StoreError};

/// Where the pool of files lives in the extension's OPFS. Never change it: it is where people's
/// conversations are.
const DIRECTORY: &str = "tabwright/database";
/// The database's name in the pool.
const NAME: &str = "tabwright.db";
/// The name under which SQLite knows the pool.
const VFS: &str = "tabwright-opfs";
/// Database, write-ahead log, the journal while the database is made, and one to spare.
const FILES: usize = 4;

/// Opens the database. Locked is an answer of its own: after a crash Chrome can hold the files for
/// some seconds.
pub fn open() -> LocalBoxFuture<'static, Result<Store, StoreError>> {
    Box::pin(async {
        let pool = OpfsSAHPoolCfgBuilder::new()
            .vfs_name(VFS)
            .directory(DIRECTORY)
            .initial_capacity(FILES)
            .build();
        if let Err(error) = install::<WasmOsCallback>(&pool, false).await {
            return Err(refused(&error.to_string()));
        }
        Store::open(Location::Vfs {
            name: NAME.into(),
            vfs: VFS.into(),
        })
    })
}

fn refused(detail: &str) -> StoreError {
    let location = NAME.to_owned();
    if detail.contains("NoModificationAllowedError") {
        StoreError::Locked { location }
    } else {
        StoreError::Io {
            location,
            detail: detail.to_owned(),
        }
    }
}

//! A run with a temporary folder for tests of tools that work in it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use engine::{FileContents, RunFolder, ToolContext};
use kernel::{Code, Error, Hash, Phrase};
use tempfile::TempDir;

/// An in-memory store of contents.
#[derive(Default)]
struct Contents(Mutex<HashMap<Hash, Vec<u8>>>);

impl FileContents for Contents {
    fn keep(&self, content: &[u8]) -> Result<Hash, Error> {
        let hash = Hash::of(content);
        self.0.lock().unwrap().insert(hash.clone(), content.to_vec());
        Ok(hash)
    }

    fn content(&self, hash: &Hash) -> Result<Vec<u8>, Error> {
        self.0
            .lock()
            .unwrap()
            .get(hash)
            .cloned()
            .ok_or_else(|| Error::new(Code::NotFound, Phrase::verbatim("not kept")))
    }
}

/// A run with a folder, next to which a secret file lies.
pub(crate) struct TestRun {
    pub(crate) outside: TempDir,
    pub(crate) context: ToolContext,
}

impl TestRun {
    pub(crate) fn new() -> TestRun {
        let outside = tempfile::tempdir().unwrap();
        std::fs::write(outside.path().join("secret"), "secret").unwrap();
        std::fs::create_dir(outside.path().join("run")).unwrap();
        let dir = Dir::open_ambient_dir(outside.path().join("run"), ambient_authority()).unwrap();
        let folder = RunFolder { dir: Arc::new(dir), contents: Arc::new(Contents::default()) };
        let context = ToolContext { folder: Some(folder), ..ToolContext::default() };
        TestRun { outside, context }
    }

    pub(crate) fn on_disk(&self, path: &str) -> std::path::PathBuf {
        self.outside.path().join("run").join(path)
    }
}

//! Stands where `desk` will stand, with the same names, so that the shell can be built and tried before it.

use std::path::PathBuf;

use futures::{Stream, StreamExt, stream};
use serde::Serialize;
use serde_json::{Value, json};

#[derive(Clone, Debug, Serialize)]
pub(crate) struct ApiError {
    pub(crate) code: String,
    pub(crate) message: String,
}

#[derive(Default)]
pub(crate) struct Options {
    pub(crate) data_dir: Option<PathBuf>,
    pub(crate) _more: (),
}

#[derive(Clone)]
pub(crate) struct Desk {
    folder: PathBuf,
}

impl Desk {
    pub(crate) async fn open(options: Options) -> Result<Self, ApiError> {
        let folder = options.data_dir.unwrap_or_default();
        std::fs::create_dir_all(&folder).map_err(|error| ApiError {
            code: "store".into(),
            message: format!(
                "the data folder {} cannot be made: {error}; choose another with --data-dir",
                folder.display()
            ),
        })?;
        Ok(Self { folder })
    }

    pub(crate) async fn rpc(&self, cmd: &str, payload: Value) -> Result<Value, ApiError> {
        match cmd {
            "echo" => Ok(json!({ "echo": payload, "folder": self.folder.display().to_string() })),
            _ => Err(ApiError {
                code: "unknown_command".into(),
                message: format!("there is no command {cmd}"),
            }),
        }
    }

    pub(crate) fn watch(
        &self,
        run: Option<String>,
        from_seq: u32,
    ) -> impl Stream<Item = Value> + Send + 'static {
        stream::iter(from_seq..from_seq + 3).map(move |seq| json!({ "run": run, "seq": seq }))
    }
}

pub(crate) fn data_folder(asked: Option<PathBuf>) -> Result<PathBuf, ApiError> {
    asked.or_else(|| std::env::var_os("GALLEY_DATA_DIR").map(PathBuf::from)).ok_or_else(|| ApiError {
        code: "store".into(),
        message: "no data folder is known; name one with --data-dir".into(),
    })
}

pub(crate) fn interrupted() -> ApiError {
    ApiError { code: "internal".into(), message: "the program is closing".into() }
}

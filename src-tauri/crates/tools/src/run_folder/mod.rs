//! The folder of a run on disk, and the operations on its files. All of them block, except [`Folder::work`].
//!
//! Each folder of a path is opened relative to its parent, so that a folder that is replaced by a link meanwhile leads
//! nowhere else: a `Dir` never leaves itself. Links and special files are refused, and opening them never blocks. A
//! file is written under a temporary name and then renamed, so that a partial file is never visible.

pub(crate) mod path;
#[cfg(test)]
pub(crate) mod test_run;

use std::borrow::Cow;
use std::io::{self, Read as _, Write as _};
use std::sync::{Arc, Mutex, PoisonError};

use cap_std::fs::{Dir, Metadata, OpenOptions};
use engine::{FileContents, RunFolder, ToolContext};
use kernel::{Code, Error, Phrase, RunFile, phrase};
use schemars::JsonSchema;
use serde::Serialize;

use path::{DEEPEST, RunPath, UNFINISHED, name};

/// The largest file in bytes that any tool writes.
pub(crate) const LARGEST_FILE: u64 = 50 << 20;

/// The most bytes of all files of a run together.
pub const MOST_BYTES: u64 = 256 << 20;
/// The most files and folders of a run.
pub const MOST_FILES: usize = 10_000;

/// The most entries in a list.
const MOST_LISTED: usize = 1_000;

/// Serializes the work: concurrent appends must not lose data, and all writes share one temporary name.
static WORK: Mutex<()> = Mutex::new(());

/// The folder of a run.
pub(crate) struct Folder {
    dir: Arc<Dir>,
    contents: Arc<dyn FileContents>,
    /// The largest file that is written, or read as text, in bytes.
    largest: u64,
    most_bytes: u64,
}

/// A file or folder in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FileEntry {
    /// Its path as seen from the folder of the run.
    pub path: String,
    /// What it is.
    pub kind: FileKind,
    /// The bytes of a file.
    pub bytes: u64,
}

/// Whether something is a file or a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FileKind {
    File,
    Folder,
}

/// How a write treats an existing file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Existing {
    /// An existing file is an error, unless its content is the same.
    Refused,
    /// An existing file is replaced.
    Replaced,
    /// The content is appended to an existing file.
    Continued,
}

impl Folder {
    /// The folder of a tool, for files of at most `largest` bytes.
    ///
    /// # Errors
    /// `tool_failed` outside a run.
    pub(crate) fn of(tool: &str, context: &ToolContext, largest: u64) -> Result<Folder, Error> {
        let Some(RunFolder { dir, contents }) = context.folder.clone() else {
            let message = phrase!("`{tool}` works only in a run, which has a folder of its own", tool);
            return Err(Error::new(Code::ToolFailed, message));
        };
        Ok(Folder { dir, contents, largest, most_bytes: MOST_BYTES })
    }

    /// Runs `work` in the folder while no other work does, unless the run was cancelled.
    ///
    /// # Errors
    /// `cancelled`, or the error of `work`.
    pub(crate) async fn work<T: Send + 'static>(
        self,
        context: &ToolContext,
        work: impl FnOnce(&Folder) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let cancel = context.cancel.clone();
        let alone = move || {
            let _one_at_a_time = WORK.lock().unwrap_or_else(PoisonError::into_inner);
            if cancel.is_cancelled() {
                return Err(Error::new(
                    Code::Cancelled,
                    phrase!("The run was stopped before the file was touched"),
                ));
            }
            work(&self)
        };
        let stopped = |_| Error::new(Code::Internal, phrase!("The work on a file of the run broke off"));
        tokio::task::spawn_blocking(alone).await.map_err(stopped)?
    }

    /// The same folder with another limit.
    #[cfg(test)]
    pub(crate) fn capped(self, most_bytes: u64) -> Folder {
        Folder { most_bytes, ..self }
    }

    /// The text of a file.
    pub(crate) fn read(&self, path: &RunPath) -> Result<String, Error> {
        let (folders, file) = path.split();
        let parent = self.open(folders, false).map_err(|error| of_io(path, error))?;
        let bytes = read(&parent, file, self.largest).map_err(|error| of_io(path, error))?;
        let bytes = bytes.ok_or_else(|| of_io(path, io::ErrorKind::NotFound.into()))?;
        String::from_utf8(bytes).map_err(|_| refused(path, phrase!("it is no text in UTF-8")))
    }

    /// Writes a file and stores its content for the journal; missing folders are created.
    pub(crate) fn write(&self, path: &RunPath, content: &[u8], existing: Existing) -> Result<RunFile, Error> {
        let io = |error| of_io(path, error);
        let (folders, file) = path.split();
        let parent = self.open(folders, true).map_err(io)?;
        let before = read(&parent, file, LARGEST_FILE).map_err(io)?;
        let content = match (&before, existing) {
            (Some(before), Existing::Continued) => Cow::Owned([before.as_slice(), content].concat()),
            (Some(before), Existing::Refused) if before.as_slice() != content => {
                let why =
                    phrase!("the file exists; choose another name, or replace it with `overwrite_file`");
                return Err(refused(path, why));
            }
            _ => Cow::Borrowed(content),
        };
        let bytes = content.len() as u64;
        if bytes > self.largest {
            return Err(refused(
                path,
                phrase!("it would have more than {most} bytes; use several files", most = self.largest),
            ));
        }
        let is_changed = before.as_deref() != Some(content.as_ref());
        if is_changed {
            let mut used = FolderUsage::default();
            used.count(&self.dir, 0).map_err(io)?;
            let grown = bytes.saturating_sub(before.as_ref().map_or(0, |before| before.len() as u64));
            if used.bytes + grown > self.most_bytes || used.files >= MOST_FILES {
                return Err(refused(
                    path,
                    phrase!(
                        "the run has as many files as it may ({bytes} bytes, {files} files); delete some first",
                        bytes = self.most_bytes,
                        files = MOST_FILES
                    ),
                ));
            }
        }
        // Content is stored only after the write was accepted.
        let hash = self.contents.keep(&content)?;
        if is_changed {
            replace(&parent, file, &content).map_err(io)?;
        }
        Ok(RunFile { path: path.to_string(), hash: Some(hash), bytes })
    }

    /// Deletes a file and returns its size if it existed.
    pub(crate) fn delete(&self, path: &RunPath) -> Result<Option<u64>, Error> {
        let removed = || -> io::Result<u64> {
            let (folders, file) = path.split();
            let parent = self.open(folders, false)?;
            let bytes = ordinary(&parent.symlink_metadata(file)?)?.len();
            parent.remove_file(file)?;
            Ok(bytes)
        };
        match removed() {
            Ok(bytes) => Ok(Some(bytes)),
            // A repeated deletion after a crash succeeds.
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(of_io(path, error)),
        }
    }

    /// The files and folders below a folder up to this depth, by their paths, and whether there are more.
    pub(crate) fn list(&self, path: &RunPath, depth: usize) -> Result<(Vec<FileEntry>, bool), Error> {
        let folder = self.open(path.parts(), false).map_err(|error| of_io(path, error))?;
        let mut entries = Vec::new();
        let before = if path.parts().is_empty() { String::new() } else { format!("{path}/") };
        let is_whole =
            list(&folder, &before, depth.min(DEEPEST), &mut entries).map_err(|error| of_io(path, error))?;
        entries.sort_by(|a, b| a.path.cmp(&b.path));
        Ok((entries, !is_whole))
    }

    /// Opens the folder with this path below the run's folder.
    fn open(&self, folders: &[String], makes: bool) -> io::Result<Dir> {
        let mut dir = self.dir.try_clone()?;
        for folder in folders {
            match dir.symlink_metadata(folder) {
                Ok(found) if found.is_dir() => {}
                Ok(found) if found.is_symlink() => return Err(other(phrase!("a link is on its path"))),
                Ok(_) => return Err(other(phrase!("a file stands where its path has a folder"))),
                Err(error) if makes && error.kind() == io::ErrorKind::NotFound => dir.create_dir(folder)?,
                Err(error) => return Err(error),
            }
            dir = dir.open_dir(folder)?;
        }
        Ok(dir)
    }
}

/// The size and number of a run's files.
#[derive(Default)]
struct FolderUsage {
    bytes: u64,
    files: usize,
}

impl FolderUsage {
    fn count(&mut self, dir: &Dir, depth: usize) -> io::Result<()> {
        for entry in dir.entries()? {
            let found = entry?;
            let about = found.metadata()?;
            self.files += 1;
            if about.is_dir() && depth <= DEEPEST && self.files < MOST_FILES {
                self.count(&found.open_dir()?, depth + 1)?;
            } else if about.is_file() {
                self.bytes += about.len();
            }
        }
        Ok(())
    }
}

/// Lists a folder; false when it has more entries than the limit. Names that a path cannot express are left out.
fn list(dir: &Dir, before: &str, depth: usize, entries: &mut Vec<FileEntry>) -> io::Result<bool> {
    for entry in dir.entries()? {
        let entry = entry?;
        let Some(own) =
            entry.file_name().to_str().filter(|own| name(own).as_deref() == Ok(own)).map(str::to_owned)
        else {
            continue;
        };
        let about = entry.metadata()?;
        let path = format!("{before}{own}");
        let (kind, bytes) = match (about.is_dir(), about.is_file()) {
            (true, _) => (FileKind::Folder, 0),
            (_, true) => (FileKind::File, about.len()),
            _ => continue,
        };
        if entries.len() == MOST_LISTED {
            return Ok(false);
        }
        entries.push(FileEntry { path: path.clone(), kind, bytes });
        if kind == FileKind::Folder
            && depth > 1
            && !list(&entry.open_dir()?, &format!("{path}/"), depth - 1, entries)?
        {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The content of an ordinary file, at most `most` bytes; `None` if there is no file.
fn read(parent: &Dir, file: &str, most: u64) -> io::Result<Option<Vec<u8>>> {
    match parent.symlink_metadata(file) {
        Ok(about) => ordinary(&about)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let mut options = OpenOptions::new();
    options.read(true);
    // The file may have been replaced meanwhile; opening a pipe would block.
    #[cfg(unix)]
    {
        use cap_std::fs::OpenOptionsExt as _;
        use rustix::fs::OFlags;

        options.custom_flags((OFlags::NONBLOCK | OFlags::NOFOLLOW).bits().cast_signed());
    }
    let opened = parent.open_with(file, &options)?;
    ordinary(&opened.metadata()?)?;
    let mut bytes = Vec::new();
    opened.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(other(phrase!("it has more than {most} bytes", most)));
    }
    Ok(Some(bytes))
}

/// Replaces the file of this name with this content.
fn replace(parent: &Dir, file: &str, content: &[u8]) -> io::Result<()> {
    match parent.remove_file(UNFINISHED) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        // The leftover of a process that ended during a write.
        _ => {}
    }
    let mut options = OpenOptions::new();
    let written = parent
        .open_with(UNFINISHED, options.write(true).create_new(true))
        .and_then(|mut unfinished| unfinished.write_all(content))
        .and_then(|()| parent.rename(UNFINISHED, parent, file));
    if written.is_err() {
        // The first error is the one reported.
        let _ = parent.remove_file(UNFINISHED);
    }
    written
}

fn ordinary(about: &Metadata) -> io::Result<&Metadata> {
    if about.is_file() {
        Ok(about)
    } else if about.is_dir() {
        Err(other(phrase!("it is a folder; name a file")))
    } else if about.is_symlink() {
        Err(other(phrase!("it is a link, which is not followed")))
    } else {
        Err(other(phrase!("it is no ordinary file")))
    }
}

/// Carries our own error message through functions that return I/O errors.
#[derive(Debug)]
struct Reason(Phrase);

impl std::fmt::Display for Reason {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(formatter)
    }
}

impl std::error::Error for Reason {}

fn other(reason: Phrase) -> io::Error {
    io::Error::other(Reason(reason))
}

fn refused(path: &RunPath, why: Phrase) -> Error {
    failed(Code::ToolFailed, path, why)
}

fn failed(code: Code, path: &RunPath, why: Phrase) -> Error {
    Error::new(code, phrase!("`{path}` in the folder of the run: {why}", path = path.to_string(), why))
}

fn of_io(path: &RunPath, error: io::Error) -> Error {
    let code = match error.kind() {
        io::ErrorKind::NotFound => {
            let why = phrase!("there is no such file or folder; `list_files` shows what is there");
            return failed(Code::NotFound, path, why);
        }
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Code::DiskFull,
        io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::PermissionDenied => Code::ReadOnly,
        _ => Code::ToolFailed,
    };
    let own = error.get_ref().and_then(|inner| inner.downcast_ref::<Reason>()).map(|reason| reason.0.clone());
    failed(code, path, own.unwrap_or_else(|| Phrase::verbatim(error.to_string())))
}

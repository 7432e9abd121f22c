//! The folder of a run on the disk: what can be done with its files. All of it blocks but [`Folder::work`].
//!
//! Each folder on a path is opened from the one before it, so that exchanging a folder for a link while this works leads
//! nowhere else: a `Dir` never leads out of itself. Links and whatever is no ordinary file are refused, and are opened without
//! waiting where they take a file's place. A file is written under another name and then renamed, so that nobody sees half of it.

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

/// What all files of a run may have together, in bytes.
pub const MOST_BYTES: u64 = 256 << 20;
/// So many files and folders a run may have.
pub const MOST_FILES: usize = 10_000;

/// Entries that are listed.
const MOST_LISTED: usize = 1_000;

/// One piece of work at a time: two that add to the same file must not lose one, and all write under one unfinished name.
static WORK: Mutex<()> = Mutex::new(());

/// The folder of a run.
pub(crate) struct Folder {
    dir: Arc<Dir>,
    contents: Arc<dyn FileContents>,
    /// The largest file that is written, and read as a text.
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

/// Whether a file may be there already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Existing {
    /// It may not, unless its content is the same.
    Refused,
    /// It is replaced.
    Replaced,
    /// The content is added at its end.
    Continued,
}

impl Folder {
    /// The folder that a tool is given, for files of at most so many bytes.
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

    /// Works in the folder while nothing else does, unless the run was stopped.
    ///
    /// # Errors
    /// `cancelled`, or what the work fails with.
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

    /// The same with another cap.
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

    /// Writes a file and keeps its content; folders on the way are made.
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
            let mut used = Used::default();
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
        // What is refused is not kept either.
        let hash = self.contents.keep(&content)?;
        if is_changed {
            replace(&parent, file, &content).map_err(io)?;
        }
        Ok(RunFile { path: path.to_string(), hash: Some(hash), bytes })
    }

    /// Removes a file; its bytes where there was one.
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
            // Once more after a crash is the same as once.
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(of_io(path, error)),
        }
    }

    /// The files and folders below a folder to this depth, by their paths, and whether there are more.
    pub(crate) fn list(&self, path: &RunPath, depth: usize) -> Result<(Vec<FileEntry>, bool), Error> {
        let folder = self.open(path.parts(), false).map_err(|error| of_io(path, error))?;
        let mut entries = Vec::new();
        let before = if path.parts().is_empty() { String::new() } else { format!("{path}/") };
        let is_whole =
            list(&folder, &before, depth.min(DEEPEST), &mut entries).map_err(|error| of_io(path, error))?;
        entries.sort_by(|a, b| a.path.cmp(&b.path));
        Ok((entries, !is_whole))
    }

    /// The folder below the one of the run that these names lead to.
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

/// What the files of a run take.
#[derive(Default)]
struct Used {
    bytes: u64,
    files: usize,
}

impl Used {
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

/// Takes what is in a folder; false when there is more than is listed. What has no name that could be asked for is left out.
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

/// The bytes of an ordinary file, at most so many; nothing where there is none.
fn read(parent: &Dir, file: &str, most: u64) -> io::Result<Option<Vec<u8>>> {
    match parent.symlink_metadata(file) {
        Ok(about) => ordinary(&about)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let mut options = OpenOptions::new();
    options.read(true);
    // Something else may have taken its place by now: a pipe would be waited for.
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

/// Puts a file of this content in the place of what has this name.
fn replace(parent: &Dir, file: &str, content: &[u8]) -> io::Result<()> {
    match parent.remove_file(UNFINISHED) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        // Left by a process that ended while it wrote.
        _ => {}
    }
    let mut options = OpenOptions::new();
    let written = parent
        .open_with(UNFINISHED, options.write(true).create_new(true))
        .and_then(|mut unfinished| unfinished.write_all(content))
        .and_then(|()| parent.rename(UNFINISHED, parent, file));
    if written.is_err() {
        // The first error says why.
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

/// A reason of our own, on its way through functions that fail as the system does.
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

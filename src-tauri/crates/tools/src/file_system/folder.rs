//! The folder of a run on the disk: what can be done with its files. All of it blocks.
//!
//! Each folder on a path is opened from the one before it, so that exchanging a folder for a link while this works leads
//! nowhere else: a `Dir` never leads out of itself. Links and whatever is no ordinary file are refused, and are opened without
//! waiting where they take a file's place. A file is written under another name and then renamed, so that nobody sees half of it.

use std::io::{self, Read as _, Write as _};
use std::sync::Arc;

use cap_std::fs::{Dir, Metadata, OpenOptions};
use engine::{FileContents, RunFolder};
use kernel::{Code, Error, Phrase, RunFile, phrase};

use super::path::{DEEPEST, RunPath, UNFINISHED, name};
use super::{FileEntry, FileKind};

/// The largest file in bytes.
pub(super) const LARGEST_FILE: u64 = 4 << 20;

/// What all files of a run may have together in bytes, and how many files and folders there may be.
const MOST_BYTES: u64 = 256 << 20;
const MOST_FILES: usize = 10_000;

/// Entries that are listed.
pub(super) const MOST_LISTED: usize = 1_000;

/// The folder of a run.
pub(super) struct Folder {
    dir: Arc<Dir>,
    contents: Arc<dyn FileContents>,
    most_bytes: u64,
}

/// Whether a file may be there already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Existing {
    /// It may not, unless its content is the same.
    Refused,
    /// It is replaced.
    Replaced,
    /// The content is added at its end.
    Continued,
}

impl Folder {
    pub(super) fn of(folder: &RunFolder) -> Folder {
        Folder { dir: folder.dir.clone(), contents: folder.contents.clone(), most_bytes: MOST_BYTES }
    }

    /// The same with another cap.
    #[cfg(test)]
    pub(super) fn capped(self, most_bytes: u64) -> Folder {
        Folder { most_bytes, ..self }
    }

    /// The text of a file.
    pub(super) fn read(&self, path: &RunPath) -> Result<String, Error> {
        let (folders, file) = path.split();
        let parent = self.open(folders, false).map_err(|error| of_io(path, error))?;
        let bytes = read(&parent, file).map_err(|error| of_io(path, error))?;
        let bytes = bytes.ok_or_else(|| of_io(path, io::ErrorKind::NotFound.into()))?;
        String::from_utf8(bytes).map_err(|_| refused(path, phrase!("it is no text in UTF-8")))
    }

    /// Writes a file and keeps its content; folders on the way are made.
    pub(super) fn write(&self, path: &RunPath, content: &[u8], existing: Existing) -> Result<RunFile, Error> {
        let io = |error| of_io(path, error);
        let (folders, file) = path.split();
        let parent = self.open(folders, true).map_err(io)?;
        let before = read(&parent, file).map_err(io)?;
        let content = match (&before, existing) {
            (Some(before), Existing::Continued) => [before.as_slice(), content].concat(),
            (Some(before), Existing::Refused) if before.as_slice() != content => {
                return Err(refused(path, phrase!("the file exists; to replace it use `overwrite_file`")));
            }
            _ => content.to_vec(),
        };
        let bytes = content.len() as u64;
        if bytes > LARGEST_FILE {
            return Err(refused(
                path,
                phrase!("it would have more than {most} bytes; use several files", most = LARGEST_FILE),
            ));
        }
        let hash = self.contents.keep(&content)?;
        if before.as_ref() != Some(&content) {
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
            replace(&parent, file, &content).map_err(io)?;
        }
        Ok(RunFile { path: path.to_string(), hash: Some(hash), bytes })
    }

    /// Removes a file; its bytes where there was one.
    pub(super) fn delete(&self, path: &RunPath) -> Result<Option<u64>, Error> {
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
    pub(super) fn list(&self, path: &RunPath, depth: usize) -> Result<(Vec<FileEntry>, bool), Error> {
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

/// The bytes of an ordinary file; nothing where there is none.
fn read(parent: &Dir, file: &str) -> io::Result<Option<Vec<u8>>> {
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
    opened.take(LARGEST_FILE + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST_FILE {
        return Err(other(phrase!("it has more than {most} bytes", most = LARGEST_FILE)));
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

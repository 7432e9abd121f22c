//! The folders for the files of runs: `runs/RUN/files` in the data folder, and beside it `contents`, every version of
//! such a file by its hash. Erasing a run deletes one folder.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use cap_std::ambient_authority;
use cap_std::fs::Dir;
use engine::{FileContents, RunFiles, RunFolder};
use export::{FileTexts, LARGEST_RUN_FILE};
use kernel::{Code, Error, Event, Hash, RunFile, RunId, phrase};
use tools::{MOST_BYTES_OF_RUN, MOST_FILES_OF_RUN};

use crate::{ApiError, interrupted};

/// The folders of runs in a data folder.
pub(crate) struct RunFolders {
    folder: PathBuf,
}

impl RunFolders {
    pub(crate) fn of(folder: &Path) -> RunFolders {
        RunFolders { folder: folder.join("runs") }
    }

    /// The runs with a folder.
    pub(crate) fn runs(&self) -> Vec<RunId> {
        let entries = std::fs::read_dir(&self.folder).into_iter().flatten().flatten();
        entries.filter_map(|entry| entry.file_name().into_string().ok()).map(RunId).collect()
    }

    /// Whether tools of a run may have written files.
    pub(crate) fn has_folder(&self, run: &RunId) -> bool {
        self.folder.join(&run.0).is_dir()
    }

    /// The contents of a run's files, all versions, as far as they are stored here and fit into an export.
    ///
    /// # Errors
    /// The program is closing.
    pub(crate) async fn contents_of(&self, run: &RunId, events: &[Event]) -> Result<FileTexts, ApiError> {
        let written: BTreeSet<Hash> =
            events.iter().flat_map(Event::files).filter_map(|file| file.hash).collect();
        let contents = self.contents(run);
        let event_bytes: usize =
            events.iter().map(|event| serde_json::to_vec_pretty(event).map_or(0, |text| text.len())).sum();
        let read = move || {
            // The import refuses a larger file. The events may take twice their size, since the export escapes `<`;
            // Base64 turns three bytes into four.
            let mut room = LARGEST_RUN_FILE.saturating_sub(2 * event_bytes as u64) / 3 * 2;
            let kept = written.into_iter().filter_map(|hash| Some((contents.content(&hash).ok()?, hash)));
            let fitting = kept.filter(|(content, _)| {
                let bytes = content.len() as u64;
                let fits = bytes <= room;
                room -= if fits { bytes } else { 0 };
                fits
            });
            fitting.map(|(content, hash)| (hash.0, STANDARD.encode(content))).collect()
        };
        tokio::task::spawn_blocking(read).await.map_err(|_| interrupted())
    }

    /// Stores contents of a run's files.
    ///
    /// # Errors
    /// The contents cannot be written.
    pub(crate) async fn keep(&self, run: &RunId, files: Vec<Vec<u8>>) -> Result<(), ApiError> {
        let contents = self.contents(run);
        let keep = move || files.iter().try_for_each(|content| contents.keep(content).map(|_| ()));
        tokio::task::spawn_blocking(keep).await.map_err(|_| interrupted())?
    }

    /// The content of a run's file.
    ///
    /// # Errors
    /// The content is not stored here.
    pub(crate) fn content(&self, run: &RunId, hash: &Hash) -> Result<Vec<u8>, Error> {
        self.contents(run).content(hash)
    }

    /// The present path of a run's file; the folder itself where the path leads outside, which is possible in an
    /// imported run.
    pub(crate) fn place(&self, run: &RunId, path: &str) -> PathBuf {
        let folder = self.folder.join(&run.0).join("files");
        let is_below = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
        if is_below { folder.join(path) } else { folder }
    }

    fn contents(&self, run: &RunId) -> Contents {
        Contents { own: self.folder.join(&run.0).join("contents"), runs: self.folder.clone() }
    }

    /// Deletes the folder of an erased run. A failure is retried at the next start.
    pub(crate) fn erase(&self, run: &RunId) {
        let place = self.folder.join(&run.0);
        if let Err(error) = std::fs::remove_dir_all(&place)
            && error.kind() != ErrorKind::NotFound
        {
            tracing::warn!(%error, "the files of a run that was erased are still there");
        }
    }
}

#[async_trait]
impl RunFiles for RunFolders {
    async fn folder(&self, run: &RunId, files: Vec<RunFile>) -> Result<RunFolder, Error> {
        let (contents, place) = (self.contents(run), self.folder.join(&run.0));
        let opened = tokio::task::spawn_blocking(move || {
            let contents = Arc::new(contents);
            let aside = Aside { folder: place.join("set-aside") };
            let place = place.join("files");
            std::fs::create_dir_all(&place).map_err(|error| unwritable(&place, &error))?;
            let dir = opened(&place)?;
            // Files may differ from the records: an earlier process wrote them before their event, a person put them
            // there, or a fork has its parent's files.
            let is_as_recorded = |path: &Path, dir: &Dir, name: &OsStr| {
                let recorded = files.iter().find(|file| Path::new(&file.path) == path);
                recorded.is_some_and(|file| {
                    dir.read(name).is_ok_and(|content| file.hash == Some(Hash::of(&content)))
                })
            };
            aside
                .take_others(&dir, Path::new(""), &is_as_recorded)
                .map_err(|error| unwritable(&place, &error))?;
            write_all_anew(&dir, &files, &contents)?;
            Ok(RunFolder { dir: Arc::new(dir), contents })
        });
        opened.await.unwrap_or_else(|_| {
            Err(Error::new(Code::Internal, phrase!("The folder of the run could not be opened")))
        })
    }
}

/// The folder for files without a record. They may belong to the person, so they are moved instead of deleted.
struct Aside {
    folder: PathBuf,
}

impl Aside {
    /// Moves files that differ from the records into the first free numbered folder.
    fn take_others(
        &self,
        dir: &Dir,
        below: &Path,
        is_as_recorded: &dyn Fn(&Path, &Dir, &OsStr) -> bool,
    ) -> std::io::Result<()> {
        for entry in dir.entries()? {
            let entry = entry?;
            let name = entry.file_name();
            let path = below.join(&name);
            if entry.file_type()?.is_dir() {
                self.take_others(&entry.open_dir()?, &path, is_as_recorded)?;
            } else if !is_as_recorded(&path, dir, &name) {
                let numbered = (1..).map(|number: u32| self.folder.join(number.to_string()));
                let free = numbered.map(|folder| folder.join(&path)).find(|place| !place.exists());
                let Some(place) = free else { continue };
                let folder = place.parent().unwrap_or(&self.folder);
                std::fs::create_dir_all(folder)?;
                let folder = Dir::open_ambient_dir(folder, ambient_authority())?;
                dir.rename(&name, &folder, &name)?;
            }
        }
        Ok(())
    }
}

fn opened(place: &Path) -> Result<Dir, Error> {
    Dir::open_ambient_dir(place, ambient_authority()).map_err(|error| unwritable(place, &error))
}

/// Writes all recorded files. They may come from an imported run, so the limits of tools apply.
fn write_all_anew(dir: &Dir, files: &[RunFile], contents: &Contents) -> Result<(), Error> {
    let mut bytes: u64 = 0;
    for (count, file) in (1..).zip(files) {
        let Some(hash) = &file.hash else { continue };
        bytes += contents.content(hash)?.len() as u64;
        if count > MOST_FILES_OF_RUN || bytes > MOST_BYTES_OF_RUN {
            let message = phrase!(
                "The run has more files than its folder may hold: at most {most} with {megabytes} MB",
                most = MOST_FILES_OF_RUN,
                megabytes = MOST_BYTES_OF_RUN >> 20
            );
            return Err(Error::new(Code::BadInput, message));
        }
        write_anew(dir, file, contents)?;
    }
    Ok(())
}

/// Writes a recorded file, unless it exists unchanged.
fn write_anew(dir: &Dir, file: &RunFile, contents: &Contents) -> Result<(), Error> {
    let Some(hash) = &file.hash else { return Ok(()) };
    if dir.read(&file.path).is_ok_and(|content| Hash::of(&content) == *hash) {
        return Ok(());
    }
    let content = contents.content(hash)?;
    contents.keep(&content)?;
    let path = Path::new(&file.path);
    let written = path.parent().map_or(Ok(()), |above| dir.create_dir_all(above));
    written.and_then(|()| dir.write(path, content)).map_err(|error| unwritable(path, &error))
}

/// The contents of a run's files by hash.
struct Contents {
    own: PathBuf,
    /// The folder of all runs: a fork uses the contents of its parent.
    runs: PathBuf,
}

impl FileContents for Contents {
    fn keep(&self, content: &[u8]) -> Result<Hash, Error> {
        let hash = Hash::of(content);
        let place = self.own.join(&hash.0);
        if !place.exists() {
            let made = std::fs::create_dir_all(&self.own);
            made.and_then(|()| disk::write_private(&place, content))
                .map_err(|error| unwritable(&place, &error))?;
        }
        Ok(hash)
    }

    fn content(&self, hash: &Hash) -> Result<Vec<u8>, Error> {
        // The hash may come from an imported log and must not lead out of the folder.
        let is_hash = hash.0.len() == 64 && hash.0.bytes().all(|byte| byte.is_ascii_hexdigit());
        let of_others = || std::fs::read_dir(&self.runs).into_iter().flatten().flatten();
        let places = std::iter::once(self.own.clone())
            .chain(of_others().map(|entry| entry.path().join("contents")))
            .map(|contents| contents.join(&hash.0));
        let mut whole = places
            .take_while(|_| is_hash)
            .filter_map(|place| std::fs::read(place).ok())
            .filter(|content| Hash::of(content) == *hash);
        whole.next().ok_or_else(|| {
            let message = phrase!("The content {hash} of a file of this run is not kept here", hash = hash.0);
            Error::new(Code::NotFound, message)
        })
    }
}

fn unwritable(place: &Path, error: &std::io::Error) -> Error {
    let code = match error.kind() {
        std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded => Code::DiskFull,
        _ => Code::ReadOnly,
    };
    let (file, error) = (place.display().to_string(), error.to_string());
    Error::new(code, phrase!("{file} cannot be written: {error}", file, error))
}

//! Reads every readable file below a folder in the order of names, with caps on depth, files and text. Hidden files,
//! links and special files are skipped silently.

use kernel::phrase;
use std::io;
use std::path::{Path, PathBuf};

use super::{OnProgress, Progress, ReadError, Strictness, Take, hand_on, read_file};

const MOST_FILES: usize = 5_000;
const DEEPEST: usize = 32;

pub(crate) fn read_folder(
    folder: &Path,
    on: &mut OnProgress<'_>,
    take: &mut Take<'_>,
) -> Result<(), ReadError> {
    let shown = folder.display().to_string();
    let mut files = Vec::new();
    let mut closed = Vec::new();
    let is_whole =
        gather(folder, 0, &mut files, &mut closed).map_err(|error| ReadError::of_io(&shown, &error))?;
    for (inner, error) in closed {
        let file = inner.display().to_string();
        let _ = on(Progress::Skipped { reason: ReadError::of_io(&file, &error).reason(), file });
    }
    if !is_whole {
        let note = phrase!(
            "it has more than {files} files or is deeper than {folders} folders; the rest was left out",
            files = MOST_FILES,
            folders = DEEPEST
        );
        let _ = on(Progress::Noted { file: shown.clone(), note });
    }
    let total = files.len();
    let mut is_empty = true;
    for (index, file) in files.iter().enumerate() {
        let name = file.display().to_string();
        if on(Progress::Reading { file: name.clone(), index: index + 1, total }).is_break() {
            break;
        }
        match read_file(file, &below(folder, file), Strictness::Found, take) {
            Ok(reading) => {
                is_empty &= reading.count() == 0;
                if hand_on(&name, reading, on, take).is_break() {
                    return Ok(());
                }
            }
            Err(error) => {
                let _ = on(Progress::Skipped { file: name, reason: error.reason() });
            }
        }
    }
    if is_empty { Err(ReadError::NothingToRead { file: shown }) } else { Ok(()) }
}

/// Adds the files of a folder, then those of its subfolders; false when a cap was reached. Subfolders that cannot be
/// opened go to `closed`.
fn gather(
    folder: &Path,
    depth: usize,
    files: &mut Vec<PathBuf>,
    closed: &mut Vec<(PathBuf, io::Error)>,
) -> io::Result<bool> {
    if depth > DEEPEST {
        return Ok(false);
    }
    let mut folders = Vec::new();
    let mut here = Vec::new();
    for entry in std::fs::read_dir(folder)?.flatten() {
        let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
        // The type of the entry itself: links are skipped.
        let Ok(kind) = entry.file_type() else { continue };
        if !is_hidden && kind.is_dir() {
            folders.push(entry.path());
        } else if !is_hidden && kind.is_file() {
            here.push(entry.path());
        }
    }
    here.sort();
    folders.sort();
    let mut is_whole = here.len() <= MOST_FILES - files.len();
    files.extend(here.into_iter().take(MOST_FILES - files.len()));
    for inner in folders {
        if files.len() >= MOST_FILES {
            return Ok(false);
        }
        match gather(&inner, depth + 1, files, closed) {
            Ok(is_inner_whole) => is_whole &= is_inner_whole,
            Err(error) => closed.push((inner, error)),
        }
    }
    Ok(is_whole)
}

/// The path of a file below the folder, with slashes.
fn below(folder: &Path, file: &Path) -> String {
    let relative = file.strip_prefix(folder).unwrap_or(file);
    let parts: Vec<String> = relative.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    parts.join("/")
}

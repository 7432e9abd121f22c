//! The logging of a host: to standard error with `RUST_LOG`, and to a file of the data folder with the setting
//! `log.level`. Both take a level (`info`), or levels by crate (`engine=debug,store=info`).
//!
//! Only our own crates log: dependencies would log requests, which may contain private data.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt::layer;
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;

use crate::program::data_folder::data_folder;
use crate::program::terminal::PrintableError;
use crate::settings::{LOG_LEVEL, Settings};

const VARIABLE: &str = "RUST_LOG";
/// The log file in the data folder, and the name of a long one after the next start.
const LOG_FILE: &str = "galley.log";
const FORMER_FILE: &str = "galley.log.1";
const LONGEST_FILE: u64 = 8 * 1024 * 1024;
const OWN: [&str; 11] = [
    "bridge",
    "desk",
    "engine",
    "export",
    "galley",
    "galley_desktop",
    "mcp",
    "models",
    "pipelines",
    "store",
    "tools",
];

/// Starts logging if configured; a host calls it once. `data_dir` is the folder that the host was given.
///
/// # Errors
/// A sentence when a level cannot be parsed or the file cannot be written; the remaining targets are logged.
pub fn log_if_asked(data_dir: Option<PathBuf>) -> Result<(), String> {
    let (to_terminal, of_terminal) = parted(of_terminal());
    let (to_file, of_file) = parted(of_file(data_dir));
    let lines =
        to_terminal.map(|levels| layer().with_ansi(false).with_writer(|| PrintableError).with_filter(levels));
    let file = to_file
        .map(|(levels, file)| layer().with_ansi(false).with_writer(Mutex::new(file)).with_filter(levels));
    if lines.is_some() || file.is_some() {
        tracing_subscriber::registry().with(lines).with(file).init();
    }
    of_terminal.or(of_file).map_or(Ok(()), Err)
}

fn parted<T>(asked: Result<Option<T>, String>) -> (Option<T>, Option<String>) {
    match asked {
        Ok(asked) => (asked, None),
        Err(sentence) => (None, Some(sentence)),
    }
}

fn of_terminal() -> Result<Option<Targets>, String> {
    let asked = std::env::var(VARIABLE).ok().filter(|asked| !asked.trim().is_empty());
    asked.map(|asked| levels(&asked).ok_or_else(|| not_understood(VARIABLE))).transpose()
}

fn of_file(data_dir: Option<PathBuf>) -> Result<Option<(Targets, File)>, String> {
    // Unreadable settings are reported when the desk opens them.
    let Ok(folder) = data_folder(data_dir) else { return Ok(None) };
    let Ok(level) = Settings::open(&folder).and_then(|settings| settings.get(LOG_LEVEL)) else {
        return Ok(None);
    };
    if level.is_empty() {
        return Ok(None);
    }
    let levels = levels(&level).ok_or_else(|| not_understood(LOG_LEVEL))?;
    let file = log_file(&folder).map_err(|error| {
        format!(
            "The log {} cannot be written: {error}; nothing is logged there",
            folder.join(LOG_FILE).display()
        )
    })?;
    Ok(Some((levels, file)))
}

/// Opens the log file for appending; a long one is renamed first.
fn log_file(folder: &Path) -> io::Result<File> {
    let path = folder.join(LOG_FILE);
    if std::fs::symlink_metadata(&path).is_ok_and(|found| found.len() > LONGEST_FILE) {
        std::fs::rename(&path, folder.join(FORMER_FILE))?;
    }
    disk::append_private(&path)
}

fn not_understood(asked: &str) -> String {
    format!(
        "{asked} is not understood and nothing is logged for it; set it to error, warn, info, debug or trace, or to CRATE=LEVEL,…"
    )
}

/// Whether a level, or levels by crate, can be parsed.
pub(crate) fn is_level(asked: &str) -> bool {
    levels(asked).is_some()
}

fn levels(asked: &str) -> Option<Targets> {
    if let Ok(level) = asked.trim().parse::<LevelFilter>() {
        return Some(Targets::new().with_targets(OWN.map(|name| (name, level))));
    }
    let asked: Targets = asked.parse().ok()?;
    let is_own = |target: &str| OWN.iter().any(|own| target.split("::").next() == Some(own));
    let own: Vec<_> = asked.into_iter().filter(|(target, _)| is_own(target)).collect();
    (!own.is_empty()).then(|| own.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn only_our_own_crates_can_log() {
        for asked in ["trace", "hyper=trace,engine=debug"] {
            let levels = levels(asked).unwrap();
            assert!(levels.would_enable("engine::llm", &tracing::Level::DEBUG), "{asked}");
            assert!(!levels.would_enable("hyper::client", &tracing::Level::ERROR), "{asked}");
        }
        assert!(levels("engine=loud").is_none() && levels("loudly").is_none());
    }

    #[test]
    fn a_long_log_is_renamed_and_a_short_one_is_appended_to() {
        let folder = tempfile::tempdir().unwrap();
        let lines = || std::fs::read_to_string(folder.path().join(LOG_FILE)).unwrap();
        for _ in 0..2 {
            log_file(folder.path()).unwrap().write_all(b"a line\n").unwrap();
        }
        assert_eq!(lines(), "a line\na line\n");
        let long = usize::try_from(LONGEST_FILE).unwrap() + 1;
        std::fs::write(folder.path().join(LOG_FILE), vec![b'x'; long]).unwrap();
        log_file(folder.path()).unwrap().write_all(b"a new one\n").unwrap();
        assert_eq!(lines(), "a new one\n");
        assert_eq!(std::fs::metadata(folder.path().join(FORMER_FILE)).unwrap().len(), LONGEST_FILE + 1);
    }
}

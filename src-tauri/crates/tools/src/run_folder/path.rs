//! A path in the folder of a run, as a model writes it. Ambiguous or deceptive paths are refused; letters of all
//! scripts are allowed. Not in here: links, which are checked on disk.

use std::fmt;

use unicode_normalization::UnicodeNormalization;

/// The longest name of a file or folder that most systems allow, in bytes.
const LONGEST_NAME: usize = 255;

/// The most levels of a path, including the file.
pub(super) const DEEPEST: usize = 16;

/// The temporary name of a file while it is written.
pub(super) const UNFINISHED: &str = ".galley-unfinished";

/// Characters that some systems do not allow in names.
const FORBIDDEN: [char; 8] = ['\\', '<', '>', ':', '"', '|', '?', '*'];

/// The longest extension that is kept when a name is cut, in bytes.
const LONGEST_EXTENSION: usize = 16;

/// Device names on Windows, reserved with any extension.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];

/// Device names that are followed by a digit.
const NUMBERED_DEVICES: [&str; 2] = ["com", "lpt"];

/// A path relative to the run's folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RunPath {
    /// The names of its folders and of the file; empty for the run's folder itself.
    parts: Vec<String>,
}

impl RunPath {
    /// Parses the path of a file.
    ///
    /// # Errors
    /// The reason why the path is refused.
    pub(crate) fn of_file(path: &str) -> Result<RunPath, String> {
        if path.is_empty() {
            return Err("it is empty; name a file such as `notes/plan.md`".to_owned());
        }
        if path.starts_with('/') {
            return Err(
                "it begins with `/`; write it as seen from the folder of the run: `notes/plan.md`".to_owned()
            );
        }
        // `.` and empty parts before the name are dropped: models write `./plan.md` and `notes//plan.md`.
        let (folders, file) = path.rsplit_once('/').unwrap_or(("", path));
        let folders = folders.split('/').filter(|folder| !folder.is_empty() && *folder != ".");
        let parts = folders.chain([file]).map(name).collect::<Result<Vec<String>, String>>()?;
        if parts.len() > DEEPEST {
            return Err(format!("it is more than {DEEPEST} folders deep"));
        }
        Ok(RunPath { parts })
    }

    /// Parses the path of a folder; `.` or an empty text is the run's folder.
    ///
    /// # Errors
    /// The reason why the path is refused.
    pub(crate) fn of_folder(path: &str) -> Result<RunPath, String> {
        match path.strip_suffix('/').unwrap_or(path) {
            "" if path.starts_with('/') => RunPath::of_file(path),
            "" | "." => Ok(RunPath { parts: Vec::new() }),
            path => RunPath::of_file(path),
        }
    }

    /// The parent folders and the last name.
    pub(super) fn split(&self) -> (&[String], &str) {
        self.parts.split_last().map_or((&[], "."), |(name, folders)| (folders, name))
    }

    /// The path of a file with this name in this folder.
    ///
    /// # Errors
    /// The reason why the path is refused.
    pub(crate) fn join(&self, name: &str) -> Result<RunPath, String> {
        let folders = self.parts.iter().map(String::as_str);
        RunPath::of_file(&folders.chain([name]).collect::<Vec<&str>>().join("/"))
    }

    /// The name of the file or folder itself.
    pub(crate) fn name(&self) -> &str {
        self.split().1
    }

    pub(super) fn parts(&self) -> &[String] {
        &self.parts
    }
}

impl fmt::Display for RunPath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(if self.parts.is_empty() { "." } else { "" })?;
        formatter.write_str(&self.parts.join("/"))
    }
}

/// A name in its normalized form.
///
/// # Errors
/// The reason why the name is refused.
pub(super) fn name(written: &str) -> Result<String, String> {
    let name: String = written.nfc().collect();
    if let Some(hidden) = name.chars().find(|c| is_invisible(*c)) {
        let code = u32::from(hidden);
        return Err(format!("it has the character U+{code:04X}, which cannot be seen; leave it out"));
    }
    let refusal = match name.as_str() {
        "" => "a name in it is empty",
        "." | ".." => "`.` and `..` lead elsewhere; name each folder",
        UNFINISHED => "this name is kept for files that are being written",
        _ if name.contains(FORBIDDEN) => {
            "it has one of the characters \\ < > : \" | ? *, which not every system takes; leave it out"
        }
        _ if name.len() > LONGEST_NAME => "a name in it is longer than 255 bytes",
        _ if name.ends_with(['.', ' ']) => "a name in it ends with a dot or a blank",
        _ if is_device(&name) => "a name in it is one of a device on Windows; choose another",
        _ => return Ok(name),
    };
    Err(refusal.to_owned())
}

/// A valid file name made from an untrusted one: only the last part of a path is used, and what [`name`] refuses is
/// removed or replaced. `None` when no name is left.
pub(crate) fn safe_name(given: &str) -> Option<String> {
    let last = given.rsplit(['/', '\\']).next().unwrap_or_default();
    let seen = last.nfc().filter(|c| !is_invisible(*c));
    let seen: String = seen.map(|c| if FORBIDDEN.contains(&c) { '_' } else { c }).collect();
    // A leading dot hides a file.
    let is_edge = |c: char| c == '.' || c.is_whitespace();
    let bare = seen.trim_matches(is_edge);
    let apart = if is_device(bare) { format!("_{bare}") } else { bare.to_owned() };
    let (stem, extension) = match apart.rsplit_once('.') {
        Some((_, extension)) if extension.len() < LONGEST_EXTENSION => {
            apart.split_at(apart.len() - extension.len() - 1)
        }
        _ => (apart.as_str(), ""),
    };
    let end = stem.floor_char_boundary(LONGEST_NAME - extension.len());
    let short = format!("{}{extension}", stem[..end].trim_end_matches(is_edge));
    name(&short).ok()
}

/// A path for the journal, also a refused one.
pub(crate) fn journal_text(path: &str) -> String {
    let visible = |c: char| if is_invisible(c) { char::REPLACEMENT_CHARACTER } else { c };
    path.chars().take(120).map(visible).collect()
}

/// Whether a character is invisible or changes the display order: with these, two names look alike, or a name appears
/// to have another extension.
fn is_invisible(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
            | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}')
}

fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().trim_end().to_lowercase();
    let is_number = |number: &str| {
        number.chars().count() == 1 && number.chars().all(|c| c.is_ascii_digit() || "¹²³".contains(c))
    };
    let is_numbered = |device: &str| stem.strip_prefix(device).is_some_and(is_number);
    DEVICES.contains(&stem.as_str()) || NUMBERED_DEVICES.into_iter().any(is_numbered)
}

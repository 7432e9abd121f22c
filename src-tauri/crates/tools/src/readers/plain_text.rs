//! Reads a text file: metadata lines are used; the title is its first line if that is short and stands alone, else the
//! file's name.

use super::head_day::day_in_head;
use super::{ReadError, Reading, Source, encoding, head_lines, one_line};

/// A longer first line is a sentence and not a title.
const LONGEST_TITLE: usize = 120;

pub(crate) fn read(file: &Source<'_>, bytes: &[u8]) -> Result<Reading, ReadError> {
    let text = encoding::decode(bytes, None).ok_or_else(|| file.undecodable())?;
    let (lines, text) = head_lines::split(&text, false);
    let text = text.trim();
    if text.is_empty() {
        return Err(file.empty());
    }
    let mut document = file.document(lines.title.or_else(|| title(text)), text.to_owned());
    document.url = lines.url;
    document.published = lines.published.or_else(|| day_in_head(text));
    document.source = lines.source.unwrap_or(document.source);
    document.authors = lines.authors;
    Ok(Reading::of(document))
}

/// The first line if it is a title.
pub(super) fn title(text: &str) -> Option<String> {
    let text = text.trim_start();
    let (kicker, below) = text.split_once('\n').unwrap_or((text, ""));
    // A word in capitals above the title is the kind of article ("ANALYSIS").
    let is_kicker = kicker.trim().len() > 3
        && !kicker.trim().contains(' ')
        && kicker.trim().bytes().all(|byte| byte.is_ascii_uppercase())
        && below.lines().next().is_some_and(|line| !line.trim().is_empty());
    let mut lines = if is_kicker { below } else { text }.lines();
    let first = lines.next()?.trim();
    let stands_alone = lines.next().is_some_and(|second| {
        let second = second.trim();
        second.is_empty() || second.chars().all(|c| "=-*_".contains(c))
    });
    let is_title =
        stands_alone && first.chars().count() <= LONGEST_TITLE && !first.ends_with(['.', '。', ',']);
    one_line(first).filter(|_| is_title)
}

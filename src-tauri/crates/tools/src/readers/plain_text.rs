//! Reads a text file: its first line is its title when it stands alone and is short, else its name is.

use super::dates::day_in_head;
use super::{ReadError, Reading, Source, encoding, one_line};

/// Longer first lines are sentences, not titles.
const LONGEST_TITLE: usize = 120;

pub(crate) fn read(file: &Source<'_>, bytes: &[u8]) -> Result<Reading, ReadError> {
    let text = encoding::decode(bytes, None).ok_or_else(|| file.undecodable())?;
    let text = text.trim();
    if text.is_empty() {
        return Err(file.empty());
    }
    let mut document = file.document(title(text), text.to_owned());
    document.published = day_in_head(text);
    Ok(Reading::of(document))
}

fn title(text: &str) -> Option<String> {
    let mut lines = text.trim_start().lines();
    let first = lines.next()?.trim();
    let stands_alone = lines.next().is_some_and(|second| {
        let second = second.trim();
        second.is_empty() || second.chars().all(|c| "=-*_".contains(c))
    });
    let is_title =
        stands_alone && first.chars().count() <= LONGEST_TITLE && !first.ends_with(['.', '。', ',']);
    one_line(first).filter(|_| is_title)
}

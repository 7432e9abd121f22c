//! Text for people: columns that align also with double-width characters, and local times.

use desk::printable;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use unicode_width::UnicodeWidthChar;
use unicode_width::UnicodeWidthStr;

/// Rows of cells under a head; the last column is not padded.
pub(crate) fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    let head: Vec<String> = head.iter().map(|&cell| cell.to_owned()).collect();
    let mut widths: Vec<usize> = head.iter().map(|cell| cell.width()).collect();
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.width());
        }
    }
    let mut text = String::new();
    for row in std::iter::once(&head).chain(rows) {
        let last = row.len().saturating_sub(1);
        for (index, (cell, width)) in row.iter().zip(&widths).enumerate() {
            text.push_str(cell);
            if index < last {
                text.push_str(&" ".repeat(width.saturating_sub(cell.width()) + 2));
            }
        }
        text.truncate(text.trim_end_matches(' ').len());
        text.push('\n');
    }
    text
}

/// One line of at most `columns` columns, without control characters.
pub(crate) fn cell(text: &str, columns: usize) -> String {
    let plain = one_line(text);
    if plain.width() <= columns {
        return plain;
    }
    let mut cut = String::new();
    let mut width = 0;
    for character in plain.chars() {
        width += character.width().unwrap_or(0);
        if width >= columns {
            break;
        }
        cut.push(character);
    }
    cut.push('…');
    cut
}

/// A text on one line, without control sequences.
pub(crate) fn one_line(text: &str) -> String {
    let spaced: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    printable(&spaced).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A local date and time, to the minute.
pub(crate) fn minute(at_ms: i64) -> String {
    shown(at_ms, "%Y-%m-%d %H:%M")
}

/// The local time of day, to the millisecond.
pub(crate) fn moment(at_ms: i64) -> String {
    shown(at_ms, "%H:%M:%S%.3f")
}

fn shown(at_ms: i64, format: &str) -> String {
    let Ok(at) = Timestamp::from_millisecond(at_ms) else { return "?".to_owned() };
    at.to_zoned(TimeZone::system()).strftime(format).to_string()
}

/// A duration in milliseconds for display.
pub(crate) fn duration(ms: u64) -> String {
    match ms {
        0..1_000 => format!("{ms} ms"),
        1_000..60_000 => format!("{:.1} s", ms as f64 / 1_000.0),
        _ => format!("{} min {} s", ms / 60_000, ms % 60_000 / 1_000),
    }
}

/// An amount of US dollars; `+` where calls of unknown price come beside.
pub(crate) fn money(cost: Option<f64>, unpriced_calls: u32) -> String {
    let more = if unpriced_calls > 0 { "+" } else { "" };
    match cost {
        None if unpriced_calls > 0 => "?".to_owned(),
        None => "–".to_owned(),
        Some(cost) => format!("${cost:.4}{more}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_align_with_double_width_characters() {
        let rows = [vec!["聖地".to_owned(), "x".to_owned()], vec!["abc".to_owned(), "y".to_owned()]];
        assert_eq!(table(&["ID", "TITLE"], &rows), "ID    TITLE\n聖地  x\nabc   y\n");
    }

    #[test]
    fn a_cell_is_cut_by_columns_and_has_no_control_characters() {
        assert_eq!(cell("聖地巡礼", 5), "聖地…");
        assert_eq!(cell("a\u{1b}[2Jb\nc", 20), "a [2Jb c");
        assert_eq!(cell("a\u{202e}b", 20), "ab");
    }
}

//! Finds inline numeric citations: `[1]`, `[1][2]`, `[1, 2]`, `[1-3]`.
//!
//! Links `[1](address)`, footnotes `[^1]`, link definitions, escaped brackets and code are not citations.

use crate::markup::{Mark, scan};
use serde::Serialize;

/// One cited number with the byte range of its bracket.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Citation {
    /// The number as written: 1 is the first source, and 0 names none.
    pub number: usize,
    /// Offset of the opening bracket.
    pub start: usize,
    /// Offset one past the closing bracket.
    pub end: usize,
}

/// Largest difference between the ends of a range that is expanded; a wider range cites only its ends.
const WIDEST_RANGE: usize = 50;

/// Every citation of a Markdown text, in order; `[1-3]` gives three with the same byte range.
pub fn citations(markdown: &str) -> Vec<Citation> {
    let mut found = Vec::new();
    scan(markdown, |mark, start, end| {
        if mark == Mark::Citation {
            read_numbers(&markdown[start..end], |number| found.push(Citation { number, start, end }));
        }
    });
    found
}

/// A text without its inline citations: in another text they would name other sources.
pub fn without_citations(markdown: &str) -> String {
    let mut out = String::with_capacity(markdown.len());
    let mut from = 0;
    for citation in citations(markdown) {
        // A range gives several citations with one bracket.
        if citation.start >= from {
            out.push_str(markdown[from..citation.start].trim_end());
            from = citation.end;
        }
    }
    out.push_str(&markdown[from..]);
    out
}

/// The 0-based indices of the cited sources, sorted, each once.
pub fn sources_used(markdown: &str) -> Vec<usize> {
    let mut sources: Vec<usize> =
        citations(markdown).iter().filter_map(|citation| citation.number.checked_sub(1)).collect();
    sources.sort_unstable();
    sources.dedup();
    sources
}

/// The cited numbers, as written, that are not in `1..=n_sources`; sorted, each once.
pub fn out_of_range(markdown: &str, n_sources: usize) -> Vec<usize> {
    let mut wrong: Vec<usize> = citations(markdown)
        .iter()
        .map(|citation| citation.number)
        .filter(|number| *number == 0 || *number > n_sources)
        .collect();
    wrong.sort_unstable();
    wrong.dedup();
    wrong
}

fn read_numbers(bracket: &str, mut visit: impl FnMut(usize)) {
    let mut last: Option<usize> = None;
    let mut is_range = false;
    let mut digits = None;
    for character in bracket.chars() {
        match character {
            '0'..='9' => {
                let digit = character as usize - '0' as usize;
                let number: usize = digits.unwrap_or(0);
                digits = Some(number.saturating_mul(10).saturating_add(digit));
                continue;
            }
            '-' | '–' if digits.is_some() || last.is_some() => is_range = true,
            ',' | ';' if digits.is_none() => is_range = false,
            _ => {}
        }
        if let Some(number) = digits.take() {
            let was_range = is_range && character != '-' && character != '–';
            match last {
                Some(first) if was_range && number > first && number - first <= WIDEST_RANGE => {
                    (first + 1..=number).for_each(&mut visit);
                }
                _ => visit(number),
            }
            if was_range {
                is_range = false;
            }
            last = Some(number);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{citations, out_of_range, sources_used};

    fn numbers(markdown: &str) -> Vec<usize> {
        citations(markdown).iter().map(|citation| citation.number).collect()
    }

    #[test]
    fn numeric_brackets_are_citations_in_every_usual_form() {
        assert_eq!(
            numbers("A [1]. B [2][3], C [1, 4] and D [5; 6] and [7-9] and [2–3]."),
            [1, 2, 3, 1, 4, 5, 6, 7, 8, 9, 2, 3]
        );
        assert_eq!(numbers("[1 - 3, 5]"), [1, 2, 3, 5]);
        assert_eq!(numbers("[1-900000000]"), [1, 900_000_000]);
    }

    #[test]
    fn links_notes_definitions_escapes_and_code_are_not_citations() {
        let text =
            "[1](https://a.b) [^2] \\[3\\] `x[4]` [a] [5a] []\n```\n[6]\n```\n[7]: https://a.b\n![8](c.png)";
        assert_eq!(numbers(text), []);
    }

    #[test]
    fn a_citation_has_the_byte_range_of_its_bracket() {
        let text = "é [12].";
        let found = citations(text);
        assert_eq!(&text[found[0].start..found[0].end], "[12]");
    }

    #[test]
    fn sources_used_is_zero_based_and_out_of_range_returns_numbers_as_written() {
        let text = "B [3]. A [1][3]. None [0]. Far [9].";
        assert_eq!(sources_used(text), [0, 2, 8]);
        assert_eq!(out_of_range(text, 3), [0, 9]);
    }
}

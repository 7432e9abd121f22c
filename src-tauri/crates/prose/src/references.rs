//! Rewrites the citation forms that models use to `[1]`, and removes the list of sources from a text.
//!
//! Code is not changed. A number without a source keeps its form, so that the check of citations finds it.

use std::cell::Cell;

use crate::citations::citations;
use crate::markup::{Mark, scan};

/// Largest difference between the ends of a range such as `[1-3]` that is expanded.
const WIDEST_RANGE: usize = 50;
/// Words that may precede the number in a bracket: "[Article 1]".
const NUMBER_PREFIXES: &[&str] = &[
    "article",
    "articles",
    "source",
    "sources",
    "ref",
    "refs",
    "reference",
    "references",
    "hit",
    "cite",
    "citation",
    "citations",
    "no",
    "文献",
    "出典",
    "来源",
];

/// The text with every citation of one of `sources` sources as `[1]`; several in one bracket become `[1][2]`.
pub fn normalize_citations(markdown: &str, sources: usize) -> String {
    let notes = defined_footnotes(markdown);
    let is_note = |rest: &str| notes.iter().any(|note| rest.starts_with(note.as_str()));
    let bracketed = rewrite(markdown, |rest, before| match is_note(rest) {
        true => None,
        false => read_bracket(rest, before, sources),
    });
    if !citations(&bracketed).is_empty() {
        return bracketed;
    }
    // "(1)" is a citation only in a text without square-bracket citations, if no such number starts a list item
    // and at least one ends a clause.
    let (ends_sentence, counts_points) = (Cell::new(false), Cell::new(false));
    let rounded = rewrite(&bracketed, |rest, before| {
        let (taken, numbers) = read_round_bracket(rest, sources)?;
        let is_behind = |c: char| c.is_alphanumeric() || "\"”'’.%)。」".contains(c);
        counts_points.set(counts_points.get() || !before.trim_end_matches(' ').ends_with(is_behind));
        let after = rest[taken..].chars().next();
        ends_sentence.set(ends_sentence.get() || after.is_none_or(|c| "\n.,;:!?。，、；".contains(c)));
        Some((taken, numbers))
    });
    if ends_sentence.get() && !counts_points.get() { rounded } else { bracketed }
}

/// The markers of footnotes that the text defines with words; a footnote with an address is a source instead.
fn defined_footnotes(markdown: &str) -> Vec<String> {
    let defined = markdown.lines().filter_map(|line| {
        let (mark, words) = line.trim_start().strip_prefix("[^")?.split_once("]:")?;
        (!words.contains("://") && !words.trim().is_empty()).then(|| format!("[^{mark}]"))
    });
    defined.collect()
}

/// Replaces what `read` recognises outside of code. `read` takes the text from a position on and the text before it,
/// and returns the number of bytes to replace and the cited numbers.
fn rewrite(markdown: &str, read: impl Fn(&str, &str) -> Option<(usize, Vec<usize>)>) -> String {
    let mut code = Vec::new();
    scan(markdown, |mark, start, end| {
        if mark == Mark::Code {
            code.push(start..end);
        }
    });
    let mut written = String::with_capacity(markdown.len());
    let mut code = code.into_iter().peekable();
    let mut at = 0;
    let may_open = |byte: u8| matches!(byte, b'[' | b'\\' | b'(' | b'<') || !byte.is_ascii();
    while at < markdown.len() {
        while code.next_if(|range| range.end <= at).is_some() {}
        if let Some(range) = code.peek().filter(|range| range.contains(&at)) {
            written.push_str(&markdown[at..range.end]);
            at = range.end;
            continue;
        }
        let until = code.peek().map_or(markdown.len(), |range| range.start);
        let plain = markdown[at..until].bytes().position(may_open).unwrap_or(until - at);
        written.push_str(&markdown[at..at + plain]);
        at += plain;
        let Some(character) = markdown[at..until].chars().next() else { continue };
        let found =
            if "[【［\\(<".contains(character) { read(&markdown[at..], &markdown[..at]) } else { None };
        match found {
            Some((taken, numbers)) => {
                numbers.iter().for_each(|number| written.push_str(&format!("[{number}]")));
                at += taken;
            }
            None => {
                written.push(character);
                at += character.len_utf8();
            }
        }
    }
    written
}

/// Reads a citing bracket at the start of `rest`: its length in bytes and the cited numbers.
fn read_bracket(rest: &str, before: &str, sources: usize) -> Option<(usize, Vec<usize>)> {
    if let Some(found) = read_bracketed_link(rest, sources) {
        return Some(found);
    }
    for (open, close) in
        [("<sup>", "</sup>"), ("[[", "]]"), ("\\[", "\\]"), ("【", "】"), ("［", "］"), ("[", "]")]
    {
        let Some(inner) = rest.strip_prefix(open) else { continue };
        // `![1](…)` is an image, and `[1]:` at the start of a line defines a link; neither cites.
        let end = inner.find(close).filter(|end| *end <= 80)?;
        let after = &inner[end + close.len()..];
        let begins_line = before.rsplit('\n').next().is_some_and(|line| line.trim().is_empty());
        if before.ends_with('!') || (begins_line && after.starts_with(':')) {
            return None;
        }
        let inner = inner[..end].trim_start_matches('[').trim_end_matches(']');
        let numbers = source_numbers(inner, sources)?;
        let mut taken = open.len() + end + close.len();
        // The address that follows is dropped: the sources' addresses are known.
        if after.starts_with('(')
            && let Some(close) = after.find(')')
            && is_address(&after[1..close])
        {
            taken += close + 1;
        }
        return Some((taken, numbers));
    }
    None
}

/// Reads a linked number in brackets: `[[1](https://…)]`.
fn read_bracketed_link(rest: &str, sources: usize) -> Option<(usize, Vec<usize>)> {
    const LONGEST: usize = 2048;
    let inner = rest.strip_prefix("[[")?;
    let end = inner.find(")]").filter(|end| *end <= LONGEST)?;
    let (number, address) = inner[..end].split_once("](")?;
    let found = source_numbers(number, sources)?;
    (is_address(address) && !address.contains([' ', '\n'])).then_some((end + 4, found))
}

/// Reads numbers in round brackets: `(1, 2)`.
fn read_round_bracket(rest: &str, sources: usize) -> Option<(usize, Vec<usize>)> {
    let inner = rest.strip_prefix('(')?;
    let end = inner.find(')').filter(|end| *end <= 24)?;
    Some((end + 2, source_numbers(&inner[..end], sources)?))
}

/// The numbers of a bracket if all of them name sources: `1`, `^1`, `Article 1`, `1, 2`, `1-3`, `1†source`.
fn source_numbers(inner: &str, sources: usize) -> Option<Vec<usize>> {
    let inner = inner.split('†').next()?.trim().trim_start_matches(['^', '#']);
    let mut found = Vec::new();
    let inner = inner.replace(" and ", ",");
    for part in inner.split([',', ';', '、', '，', '&']) {
        let part = part.trim().trim_start_matches(['^', '#']).trim_end_matches('^');
        let letters = part.find(|c: char| !c.is_alphabetic()).unwrap_or(part.len());
        let (word, rest) = part.split_at(letters);
        if !word.is_empty() && !NUMBER_PREFIXES.contains(&word.to_lowercase().as_str()) {
            return None;
        }
        let rest = rest.trim_start_matches(['.', ' ', ':', '#', '^']).trim();
        let (first, last) = rest.split_once(['-', '–', '—']).unwrap_or((rest, rest));
        let (first, last): (usize, usize) = (digits(first)?, digits(last)?);
        if first == 0 || last < first || last > sources || last - first > WIDEST_RANGE {
            return None;
        }
        found.extend(first..=last);
    }
    Some(found)
}

fn digits(text: &str) -> Option<usize> {
    let text = text.trim().trim_start_matches(['^', '[']);
    (text.bytes().all(|byte| byte.is_ascii_digit()) && text.len() <= 4).then(|| text.parse().ok())?
}

fn is_address(text: &str) -> bool {
    let text = text.trim();
    text.is_empty() || text.starts_with(['#', '<']) || text.contains("://")
}

/// The text without the list of sources at its end. Such a list has lines that begin with the number of a source, and
/// either a heading ("Sources") or, in every line, the number in brackets and an address.
pub fn without_references(markdown: &str) -> &str {
    let mut end = markdown.trim_end().len();
    let mut has_lines = false;
    let mut has_address = true;
    let mut starts = markdown[..end].rmatch_indices('\n').map(|(at, _)| at + 1).chain([0]);
    loop {
        let Some(start) = starts.next() else { return markdown };
        let line = markdown[start..end].trim();
        if is_reference(line) {
            has_lines = true;
            has_address &= is_bracketed(line) && (line.contains("://") || line.contains("www."));
        } else if is_heading(line) && has_lines {
            return markdown[..start].trim_end();
        } else if !line.is_empty() {
            // The body ends here, so the list has no heading.
            return if has_lines && has_address { &markdown[..end] } else { markdown };
        }
        end = start.saturating_sub(1);
    }
}

/// The text without lists of sources in its middle: a list under its own heading that further text follows.
pub fn without_inner_references(markdown: &str) -> String {
    let lines: Vec<&str> = markdown.split_inclusive('\n').collect();
    let mut kept = String::with_capacity(markdown.len());
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        let is_list = is_heading(line.trim()) && line.chars().any(char::is_alphabetic);
        let rest = lines.get(at + 1..).unwrap_or_default();
        let listed =
            rest.iter().take_while(|line| line.trim().is_empty() || is_reference(line.trim())).count();
        let has_references = rest.iter().take(listed).any(|line| is_reference(line.trim()));
        if is_list && has_references && listed < rest.len() {
            at += 1 + listed;
            continue;
        }
        kept.push_str(line);
        at += 1;
    }
    kept
}

fn is_reference(line: &str) -> bool {
    let line = line.trim_start_matches(['-', '*', '>', ' ']);
    let inner = line.strip_prefix(['[', '【', '［']).unwrap_or(line).trim_start_matches('^');
    let count = inner.bytes().take_while(u8::is_ascii_digit).count();
    let after = &inner[count..];
    (1..=3).contains(&count)
        && after.starts_with([']', '】', '］', '.', ')', ':'])
        && after.chars().nth(1).is_some()
}

/// Whether the number of a reference is in brackets; a plain number may belong to an ordinary numbered list.
fn is_bracketed(line: &str) -> bool {
    line.trim_start_matches(['-', '*', '>', ' ']).starts_with(['[', '【', '［'])
}

fn is_heading(line: &str) -> bool {
    let word = line.trim_matches(|c: char| "#*_-: ：".contains(c)).to_lowercase();
    let names = [
        "sources",
        "references",
        "citations",
        "links",
        "source list",
        "quellen",
        "参考文献",
        "出典",
        "来源",
        "参考资料",
    ];
    names.contains(&word.as_str()) || (!line.is_empty() && word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::{normalize_citations, without_inner_references, without_references};

    #[test]
    fn a_numbered_list_at_the_end_stays_and_a_list_of_sources_in_the_middle_is_removed() {
        let list =
            "# Tools\n\nTry these:\n\n1. Lumen, https://lumen.example\n2. Orrery, https://orrery.example";
        assert_eq!(without_references(list), list);
        let text = "# A\n\nOne [1].\n\n## References\n\n[1] Port, https://a.example\n\n## Outlook\n\nTwo.";
        assert_eq!(without_inner_references(text), "# A\n\nOne [1].\n\n## Outlook\n\nTwo.");
        let tail = "One [1].\n\n## References\n\n[1] Port, https://a.example\n";
        assert_eq!(without_inner_references(tail), tail);
    }

    #[test]
    fn citations_in_the_forms_that_models_write_become_numbers_in_brackets() {
        for (written, normal) in [
            ("A cache forgets [^1].", "A cache forgets [1]."),
            (
                "A cache forgets [^1] [2].\n\n[^1]: Not all do.",
                "A cache forgets [^1] [2].\n\n[^1]: Not all do.",
            ),
            ("A cache forgets [Article 1] and [Source 2].", "A cache forgets [1] and [2]."),
            ("A cache forgets [citation:1] [^2^] [1 and 2].", "A cache forgets [1] [2] [1][2]."),
            ("A cache forgets [[1](https://a.example/x)].", "A cache forgets [1]."),
            ("A cache forgets【1】and【2†source】.", "A cache forgets[1]and[2]."),
            ("A cache forgets [1](https://a.example/x).", "A cache forgets [1]."),
            ("A cache forgets [[1]](https://a.example/x).", "A cache forgets [1]."),
            ("A cache forgets [1, 2] or [1-3] or [1; 3].", "A cache forgets [1][2] or [1][2][3] or [1][3]."),
            ("A cache forgets <sup>1</sup> \\[2\\].", "A cache forgets [1] [2]."),
            (
                "A cache forgets (1). It holds 41 % (2), they say (1, 3).",
                "A cache forgets [1]. It holds 41 % [2], they say [1][3].",
            ),
        ] {
            assert_eq!(normalize_citations(written, 3), normal);
        }
    }

    #[test]
    fn numbers_in_brackets_that_cite_no_source_stay() {
        for text in [
            "It was said in (2024) and in [7].",
            "A cache forgets [1]; the second (2) of three.",
            "Code `a[1, 2]` and ![1](https://a.example/p.png), [the page](https://a.example).",
            "(1) comes first and (2) then.",
            "[1]: https://a.example/x",
            "A cache [that forgets] and [5a].",
        ] {
            assert_eq!(normalize_citations(text, 3), text);
        }
    }

    #[test]
    fn a_list_of_sources_at_the_end_is_removed() {
        let body = "A cache forgets [1].\n\nIt holds [2].";
        for list in [
            "\n\n[1] https://a.example/x\n[2] https://b.example/y",
            "\n\nSources:\n1. A cache that forgets\n2. It holds",
            "\n\n## References\n\n- [1] A cache, https://a.example\n- [2] B, https://b.example\n",
            "\n\n[^1]: https://a.example/x\n[^2]: https://b.example/y",
            "\n\n---\n[1] A cache that forgets (arXiv)\n[2] It holds (Nature)",
        ] {
            assert_eq!(without_references(&format!("{body}{list}")).trim_end(), body, "{list}");
        }
        for whole in [body, "[1] reports a cache that forgets.\n[2] repeats it.", "[1] https://a.example", ""]
        {
            assert_eq!(without_references(whole), whole);
        }
    }
}

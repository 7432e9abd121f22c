//! Splits a text into the parts that can be left out: a sentence, or all sentences of one quotation or of one passage
//! between its omission marks, or a sentence with the list or quotation that it introduces.

use std::ops::Range;

use prose::{Place, Sentence, TextQuote, sentences, sources_used};

use crate::sentence_filter::is_balanced;

/// The opening and the closing marks of quotations.
const MARKS: [(char, char); 6] = [('“', '”'), ('„', '“'), ('"', '"'), ('「', '」'), ('『', '』'), ('«', '»')];

/// What stands in a quotation where something was left out.
const OMISSIONS: [&str; 2] = [" … ", "……"];

/// Parts of a text beyond which the rest stays as it is.
const MOST_PARTS: usize = 600;

/// A range of a text that is kept or left out as a whole.
#[derive(Debug)]
pub(super) struct Part<'a> {
    pub(super) text: &'a str,
    start: usize,
    end: usize,
    /// The index of its section: each heading begins one.
    pub(super) section: usize,
    /// Whether it must stay.
    pub(super) is_fixed: bool,
    /// The 0-based indices of the sources that it cites.
    pub(super) sources: Vec<usize>,
}

impl Part<'_> {
    pub(super) fn range(&self) -> Range<usize> {
        self.start..self.end
    }
}

/// The parts of a text in order. Headings are not parts; they only begin sections.
pub(super) fn parts<'a>(body: &'a str, kept: &[TextQuote]) -> Vec<Part<'a>> {
    let quoted = quotations(body);
    let mut parts: Vec<Part<'a>> = Vec::new();
    let mut section = 0;
    let mut is_led_in = false;
    for sentence in sentences(body) {
        if sentence.place == Place::Heading {
            (section, is_led_in) = (section + 1, false);
            continue;
        }
        let is_same = |part: &Part<'_>| {
            let is_quoted = quoted.iter().any(|range| range.start < part.end && sentence.start < range.end);
            let is_block =
                is_block_quotation(body, part.start) && paragraph(body, part.start).contains(&sentence.start);
            part.section == section && (is_quoted || is_led_in || is_block)
        };
        let is_fixed = sentence.place != Place::Paragraph || !is_whole(body, &sentence, &quoted);
        match parts.last_mut().filter(|part| is_same(part)) {
            Some(part) => {
                (part.end, part.text) = (sentence.end, &body[part.start..sentence.end]);
                part.is_fixed |= is_fixed;
            }
            None => {
                let Sentence { text, start, end, .. } = sentence;
                parts.push(Part { text, start, end, section, is_fixed, sources: Vec::new() });
            }
        }
        // A sentence with a colon forms one part with the whole list or quotation after it.
        let goes_on = is_led_in && is_followed_by_item(body, sentence.end);
        is_led_in = leads_in(sentence.text) || goes_on;
    }
    let mut parts: Vec<Part<'a>> =
        parts.into_iter().flat_map(|part| cut_at_omissions(body, part, &quoted)).take(MOST_PARTS).collect();
    let kept: Vec<(&TextQuote, Option<Range<usize>>)> =
        kept.iter().map(|quote| (quote, quote.find(body))).collect();
    for part in &mut parts {
        let text = part.text;
        part.sources = sources_used(text);
        part.is_fixed |= kept.iter().any(|(quote, at)| {
            text.contains(&quote.exact)
                || quote.exact.contains(text)
                || at.as_ref().is_some_and(|at| at.start < part.end && part.start < at.end)
        });
    }
    parts
}

/// The passages of a quotation between its omission marks as parts of their own, each with the mark before it. The first
/// one stays: it has the words around the quotation. A part without such a quotation stays one.
fn cut_at_omissions<'a>(body: &'a str, part: Part<'a>, quoted: &[Range<usize>]) -> Vec<Part<'a>> {
    let inside = quoted.iter().filter(|quote| part.start <= quote.start && quote.end <= part.end);
    let omissions = |quote: &Range<usize>| -> Vec<usize> {
        let text = &body[quote.clone()];
        let marks = OMISSIONS.iter().flat_map(|mark| text.match_indices(mark));
        let mut marks: Vec<Range<usize>> =
            marks.map(|(at, mark)| quote.start + at..quote.start + at + mark.len()).collect();
        marks.sort_unstable_by_key(|mark| mark.start);
        // Marks that touch are one. Nothing is left out before one that opens the quotation.
        let starts = marks.chunk_by(|one, next| next.start <= one.end).map(|marks| marks[0].start);
        starts.filter(|start| body[quote.start..*start].chars().count() > 1).collect()
    };
    let found = inside.map(|quote| (quote, omissions(quote))).find(|(_, marks)| !marks.is_empty());
    let Some((quote, marks)) = found else { return vec![part] };
    let closes = |last: &char| MARKS.iter().any(|(_, close)| close == last);
    let Some(close) = body[quote.clone()].chars().next_back().filter(closes) else { return vec![part] };
    let ends = marks[1..].iter().copied().chain([quote.end - close.len_utf8()]);
    let passages = marks.iter().zip(ends).map(|(start, end)| {
        let text = body[*start..end].trim_start_matches(|mark: char| mark == '…' || mark.is_whitespace());
        Part { text, start: *start, end, section: part.section, is_fixed: part.is_fixed, sources: Vec::new() }
    });
    let first = Part { end: marks[0], text: &body[part.start..marks[0]], is_fixed: true, ..part };
    std::iter::once(first).chain(passages).collect()
}

/// Whether a sentence can be removed without leaving half a pair of brackets, quotation marks or marks of emphasis.
fn is_whole(body: &str, sentence: &Sentence<'_>, quoted: &[Range<usize>]) -> bool {
    let is_quoted = quoted.iter().any(|range| range.start < sentence.end && sentence.start < range.end);
    let marks = ["**", "`", "~~"].iter().all(|mark| sentence.text.matches(mark).count().is_multiple_of(2));
    let is_alone = body[..sentence.start].ends_with(|before: char| before.is_whitespace() || is_wide(before))
        || sentence.start == 0
        || is_block_quotation(body, sentence.start);
    marks && is_alone && (is_quoted || is_balanced(sentence.text))
}

fn is_wide(character: char) -> bool {
    "。！？”」』）".contains(character)
}

/// Whether a sentence ends with a colon, before its citations if it has any.
fn leads_in(sentence: &str) -> bool {
    let text = sentence.trim_end();
    let text = match text.rfind('[').filter(|_| text.ends_with(']')) {
        Some(at) => text[..at].trim_end(),
        None => text,
    };
    sentence.trim_end().ends_with([':', '：']) || text.ends_with([':', '：'])
}

fn is_followed_by_item(body: &str, at: usize) -> bool {
    let rest = body[at..].trim_start();
    let is_number = rest.trim_start_matches(|digit: char| digit.is_ascii_digit()).starts_with(". ");
    rest.starts_with(['-', '*', '+', '>', '|'])
        || (is_number && rest.starts_with(|first: char| first.is_ascii_digit()))
}

/// The byte range of the paragraph around an offset: up to the empty lines before and after it.
fn paragraph(body: &str, at: usize) -> Range<usize> {
    let start = body[..at].rfind("\n\n").map_or(0, |found| found + 2);
    start..body[at..].find("\n\n").map_or(body.len(), |found| at + found)
}

fn is_block_quotation(body: &str, at: usize) -> bool {
    let line = body[..at].rfind('\n').map_or(0, |found| found + 1);
    body[line..].trim_start().starts_with('>')
}

/// The byte ranges of quotations; an unclosed quotation ends with its paragraph.
fn quotations(body: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut open: Option<(char, usize)> = None;
    let mut at = 0;
    while let Some(character) = body[at..].chars().next() {
        let next = at + character.len_utf8();
        if let Some((close, start)) = open {
            if character == close || body[at..].starts_with("\n\n") {
                found.push(start..next);
                open = None;
            }
        } else if let Some((_, close)) = MARKS.iter().find(|(mark, _)| *mark == character) {
            open = Some((*close, at));
        }
        at = next;
    }
    found.extend(open.map(|(_, start)| start..body.len()));
    found
}

/// The text without these parts and without the paragraphs that they leave empty.
pub(super) fn cut(body: &str, out: &[&Part<'_>]) -> String {
    let is_blank = |mark: char| mark == ' ' || mark == '\n';
    let is_bare = |text: &str| text.chars().all(|mark| mark.is_whitespace() || mark == '>');
    let mut left = String::with_capacity(body.len());
    let mut from = 0;
    for part in out {
        left.push_str(&body[from..part.start]);
        let begins = left.rfind("\n\n").map_or(0, |at| at + 2);
        let last = paragraph(body, part.end).end;
        let is_last = is_bare(&body[part.end..last]);
        let blanks = |rest: &str, marks: fn(char) -> bool| rest.len() - rest.trim_start_matches(marks).len();
        if !is_bare(&left[begins..]) {
            left.truncate(left.trim_end_matches(is_blank).len());
            from = part.end;
        } else if is_last {
            // The whole paragraph is removed, so the empty lines after it are removed, too.
            left.truncate(begins);
            from = last + blanks(&body[last..], |mark| mark == '\n');
        } else {
            from = part.end + blanks(&body[part.end..], |mark| mark == ' ' || mark == '\n');
        }
    }
    left.push_str(&body[from..]);
    left.trim_end().to_owned()
}

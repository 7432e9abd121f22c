//! Rewrites HTML so that its text reads as it looks: formulas once and with their value, superscript digits as powers,
//! spaces between inline blocks. Ruby readings are removed, because they would split the words that users search for.

use std::borrow::Cow;

use html_escape::{decode_html_entities, encode_text};
use quick_xml::Reader;
use quick_xml::events::Event;

use super::formula::{self, Part};
use super::is_ideographic;
use super::tags::{Tag, Tags, attribute, begins_with, find_tag, tags_named};

/// A page without any of these needs no rewriting.
const MARKERS: [&str; 7] = ["<math", "<rt", "<rp", "<sup", "katex", "mathjax", "display"];

/// Display styles that set any element apart.
const SEPARATE_STYLES: [&str; 6] = ["inline-block", "inline-flex", "inline-grid", "block", "flex", "grid"];

/// Classes of rendered formulas, which accompany the formula's source.
const RENDERED_CLASSES: [&str; 7] = [
    "katex-html",
    "MathJax_Preview",
    "MathJax",
    "MathJax_Display",
    "MathJax_SVG",
    "MathJax_CHTML",
    "MathJax_SVG_Display",
];

/// A longer element is not rewritten.
const LONGEST: usize = 64 << 10;

/// The most tags between two words.
const MOST_TAGS_BETWEEN: usize = 4;

/// The page rewritten for text extraction.
pub(crate) fn legible(html: &str) -> Cow<'_, str> {
    let lower = html.to_ascii_lowercase();
    if !MARKERS.iter().any(|sign| lower.contains(sign)) {
        return Cow::Borrowed(html);
    }
    // When the page keeps the formula sources, rendered formulas are dropped.
    let keeps_sources =
        lower.contains("math/tex") && tags_named(html, "script").into_iter().any(is_source_of_formula);
    let mut page = Page {
        tags: Tags::of(html),
        keeps_sources,
        room: 8 * html.len(),
        text: String::new(),
        before: String::new(),
    };
    page.text.reserve(html.len());
    let mut rest = html;
    while let Some(index) = rest.find('<') {
        page.write(&rest[..index]);
        rest = &rest[index..];
        rest = match page.tags.at(rest) {
            Some(tag) => page.element(rest, &tag),
            None => {
                page.text.push('<');
                &rest[1..]
            }
        };
    }
    page.text.push_str(rest);
    Cow::Owned(page.text)
}

struct Page {
    tags: Tags,
    keeps_sources: bool,
    /// Bytes that may still be scanned without a match: unclosed elements would otherwise take quadratic time.
    room: usize,
    text: String,
    /// The last words without tags.
    before: String,
}

impl Page {
    /// Writes an element or only its tag, and returns the rest of the page.
    fn element<'h>(&mut self, rest: &'h str, tag: &Tag<'h>) -> &'h str {
        let (source, after) = rest.split_at(tag.length);
        match (tag.name.as_str(), tag.is_opening) {
            // Scripts and titles are copied unchanged, even where they contain tags.
            ("script" | "style" | "textarea" | "title", true) if !tag.is_closed => {
                let length = find_tag(after, &[&format!("</{}", tag.name)]).unwrap_or(after.len());
                let (inside, behind) = after.split_at(length);
                if is_source_of_formula(source) && !behind.is_empty() {
                    self.write(&encode_text(inside.trim()));
                    return after_tag(behind);
                }
                self.text.push_str(source);
                self.text.push_str(inside);
                return behind;
            }
            ("rt" | "rp" | "rtc", true) => return after_reading(after),
            ("rt" | "rp" | "rtc", false) => return after,
            ("math", true) if !tag.is_closed => {
                if let Some(length) = length_of_formula(after) {
                    let formula = formula_of(&rest[..source.len() + length]);
                    self.write(formula::parted(&self.before, &formula));
                    self.write(&encode_text(&formula));
                    return after_tag(&after[length..]);
                }
            }
            ("span" | "div", true) if is_drawn(source, self.keeps_sources) => {
                if let Some(length) = self.length_of_nested(after, &tag.name) {
                    let drawn = &after[..length];
                    // The only source of a formula may be inside its rendering.
                    if let Some(start) = find_tag(drawn, &["<math"]).filter(|_| !self.keeps_sources) {
                        self.write(&encode_text(&formula_of(&drawn[start..])));
                    }
                    return &after[length..];
                }
            }
            // Some pages hide the MathML element because they show a picture of it.
            ("span", true) if begins_with(after.trim_start(), "<math") => {
                self.text.push_str("<span>");
                return after;
            }
            ("sup", true) => {
                let raised = &after[..after.find('<').unwrap_or(0)];
                let behind = after[raised.len()..].strip_prefix("</sup>").unwrap_or_default();
                if formula::is_power(&self.before, raised) {
                    // The numerator of a fraction is not a power of the number before it.
                    self.text.push(if behind.starts_with(['/', '⁄']) { ' ' } else { '^' });
                }
            }
            (_, true) if self.is_apart(source, after) => self.text.push(' '),
            _ => {}
        }
        self.text.push_str(source);
        after
    }

    fn write(&mut self, words: &str) {
        self.text.push_str(words);
        if !words.is_empty() {
            let start = words.char_indices().nth_back(7).map_or(0, |(start, _)| start);
            words[start..].clone_into(&mut self.before);
        }
    }

    /// Whether an element needs spaces around it. In scripts without spaces an inline block may only keep a phrase
    /// unbroken.
    fn is_apart(&self, source: &str, after: &str) -> bool {
        let Some(display) = display_of(source).filter(|display| SEPARATE_STYLES.contains(display)) else {
            return false;
        };
        let is_phrase = display.starts_with("inline") && self.before.ends_with(is_ideographic);
        !(is_phrase && self.words_of(after).starts_with(is_ideographic))
    }

    /// A text from its first words on.
    fn words_of<'h>(&self, mut text: &'h str) -> &'h str {
        for _ in 0..MOST_TAGS_BETWEEN {
            let Some(tag) = text.starts_with('<').then(|| self.tags.at(text)).flatten() else { break };
            text = &text[tag.length..];
        }
        text
    }

    /// The length of an element in bytes including its end tag and nested elements of the same name.
    fn length_of_nested(&mut self, after: &str, name: &str) -> Option<usize> {
        let ahead = &after[..after.floor_char_boundary(LONGEST.min(self.room))];
        let (mut at, mut depth) = (0, 1_usize);
        while let Some(index) = ahead.get(at..).and_then(|rest| rest.find('<')) {
            at += index;
            let Some(tag) = self.tags.at(&after[at..]) else {
                at += 1;
                continue;
            };
            at += tag.length;
            if tag.name == name {
                depth = if tag.is_opening { depth + 1 } else { depth - 1 };
            }
            if depth == 0 {
                return Some(at);
            }
        }
        // The match is skipped, but the searched bytes were scanned and count.
        self.room = self.room.saturating_sub(at.max(ahead.len()));
        None
    }
}

fn is_drawn(source: &str, keeps_sources: bool) -> bool {
    let mut classes = attribute(source, "class").unwrap_or_default().split_whitespace();
    classes.any(|class| RENDERED_CLASSES.contains(&class) && (keeps_sources || class != "MathJax_Preview"))
}

fn is_source_of_formula(script: &str) -> bool {
    attribute(script, "type").is_some_and(|kind| kind.starts_with("math/tex"))
}

/// The display type in a tag's style.
fn display_of(source: &str) -> Option<&str> {
    let display = attribute(source, "style")?.split(';').find_map(|style| {
        style.trim().strip_prefix("display")?.trim_start().strip_prefix(':').map(str::trim)
    })?;
    Some(display.trim_end_matches("!important").trim())
}

/// The text after a ruby reading, whose end tag may be missing.
fn after_reading(after: &str) -> &str {
    let end = find_tag(within_reach(after), &["</rt", "</rp", "</ruby", "<rt", "<rp", "<rb"]);
    &after[end.unwrap_or(0)..]
}

/// The length of a `math` element in bytes; `None` when another `math` begins inside it.
fn length_of_formula(after: &str) -> Option<usize> {
    find_tag(within_reach(after), &["</math", "<math"]).filter(|end| after[*end..].starts_with("</"))
}

/// The part of the text that an element may span. Nothing is scanned twice: the next element of the kind ends the
/// search.
fn within_reach(after: &str) -> &str {
    &after[..after.floor_char_boundary(LONGEST)]
}

fn after_tag(rest: &str) -> &str {
    rest.find('>').map_or("", |end| &rest[end + 1..])
}

/// The formula of a `math` element in one line: its author's source where the page keeps it, else built from its parts.
fn formula_of(math: &str) -> String {
    if let Some((_, source)) = math.split_once("application/x-tex").and_then(|(_, rest)| rest.split_once('>'))
    {
        return written(source.split("</").next().unwrap_or_default());
    }
    let tag = &math[..math.find('>').unwrap_or(math.len())];
    if let Some(source) = attribute(tag, "alttext") {
        return written(source);
    }
    let mut reader = Reader::from_str(math);
    reader.config_mut().check_end_names = false;
    match reader.read_event() {
        Ok(Event::Start(start)) => Part::read(&mut reader, &start).line(),
        _ => String::new(),
    }
}

/// A TeX formula without the commands that only set sizes.
fn written(source: &str) -> String {
    let source = decode_html_entities(source);
    let source = source.split_whitespace().collect::<Vec<_>>().join(" ");
    let bare = source.strip_prefix("{\\displaystyle ").and_then(|rest| rest.strip_suffix('}'));
    bare.unwrap_or(&source).trim().to_owned()
}

//! Writes out in HTML what would read otherwise than it looks: formulas once and with their value, raised figures as powers,
//! blanks between elements that stand apart.
//! The readings beside East Asian characters are left out: they would part the words that people search for.

use std::borrow::Cow;

use html_escape::{decode_html_entities, encode_text};
use quick_xml::Reader;
use quick_xml::events::Event;

use super::formula::{self, Part};
use super::tags::{Tag, Tags, attribute};

/// What a page must hold to need this.
const SIGNS: [&str; 7] = ["<math", "<rt", "<rp", "<sup", "katex", "mathjax", "display"];

/// Styles of elements that stand apart, whatever they are.
const STYLED_APART: [&str; 6] = ["inline-block", "inline-flex", "inline-grid", "block", "flex", "grid"];

/// Classes of what a script made of a formula for the eye, beside the formula itself.
const DRAWN: [&str; 7] = [
    "katex-html",
    "MathJax_Preview",
    "MathJax",
    "MathJax_Display",
    "MathJax_SVG",
    "MathJax_CHTML",
    "MathJax_SVG_Display",
];

/// An element longer than this is none of these.
const LONGEST: usize = 64 << 10;

/// The same page for a reader of its text.
pub(crate) fn legible(html: &str) -> Cow<'_, str> {
    let lower = html.to_ascii_lowercase();
    if !SIGNS.iter().any(|sign| lower.contains(sign)) {
        return Cow::Borrowed(html);
    }
    // Where a page keeps what its author wrote, nothing that was made of it is needed.
    let keeps_sources = lower.contains("\"math/tex") || lower.contains("'math/tex");
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
    /// Bytes that may still be looked at twice: elements that do not end would take time without bound.
    room: usize,
    text: String,
    /// The last words, without tags.
    before: String,
}

impl Page {
    /// Writes an element or only its tag, and gives what follows.
    fn element<'h>(&mut self, rest: &'h str, tag: &Tag<'h>) -> &'h str {
        let (source, after) = rest.split_at(tag.length);
        match (tag.name.as_str(), tag.is_opening) {
            ("rt" | "rp" | "rtc", true) => return after_reading(self.ahead(after), after),
            ("rt" | "rp" | "rtc", false) => return after,
            ("math", true) if !tag.is_closed && source[5..].starts_with([' ', '>', '\n', '\t']) => {
                if let Some(end) = self.ahead(after).find("</math") {
                    let formula = formula_of(&rest[..source.len() + end]);
                    self.write(formula::parted(&self.before, &formula));
                    self.write(&encode_text(&formula));
                    return after_tag(&after[end..]);
                }
            }
            ("script", true) if source.contains("math/tex") => {
                if let Some(end) = self.ahead(after).find("</script") {
                    self.write(&encode_text(after[..end].trim()));
                    return after_tag(&after[end..]);
                }
            }
            ("span" | "div", true) if is_drawn(source, self.keeps_sources) => {
                if let Some(length) = self.length_of_nested(after, &tag.name) {
                    let drawn = &after[..length];
                    // The only formula that there is may stand inside of what was drawn.
                    if let Some(start) = drawn.find("<math").filter(|_| !self.keeps_sources) {
                        self.write(&encode_text(&formula_of(&drawn[start..])));
                    }
                    return &after[length..];
                }
            }
            // Some pages hide the formula from the eye, as its picture stands beside it.
            ("span", true) if after.trim_start().starts_with("<math") => {
                self.text.push_str("<span>");
                return after;
            }
            ("sup", true) => {
                let raised = &after[..self.ahead(after).find('<').unwrap_or(0)];
                let behind = after[raised.len()..].strip_prefix("</sup>").unwrap_or_default();
                if formula::is_power(&self.before, raised) {
                    // The upper half of a fraction is no power of the number before it.
                    self.text.push(if behind.starts_with(['/', '⁄']) { ' ' } else { '^' });
                }
            }
            (_, true) if is_styled_apart(source) => self.text.push(' '),
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

    /// So much of what follows as may be looked at for the end of an element.
    fn ahead<'h>(&mut self, after: &'h str) -> &'h str {
        let length = after.floor_char_boundary(LONGEST.min(self.room));
        self.room -= length.min(self.room);
        &after[..length]
    }

    /// Bytes of an element up to and with its end, others of its name in it.
    fn length_of_nested(&mut self, after: &str, name: &str) -> Option<usize> {
        let ahead = self.ahead(after);
        let (mut at, mut depth) = (0, 1_usize);
        while let Some(index) = ahead[at..].find('<') {
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
            if at > ahead.len() {
                return None;
            }
        }
        None
    }
}

fn is_drawn(source: &str, keeps_sources: bool) -> bool {
    let mut classes = attribute(source, "class").unwrap_or_default().split_whitespace();
    classes.any(|class| DRAWN.contains(&class) && (keeps_sources || class != "MathJax_Preview"))
}

/// Whether a tag gives its element a place of its own.
fn is_styled_apart(source: &str) -> bool {
    let styles = attribute(source, "style").unwrap_or_default();
    let display = styles.split(';').find_map(|style| {
        style.trim().strip_prefix("display")?.trim_start().strip_prefix(':').map(str::trim)
    });
    display.is_some_and(|display| STYLED_APART.contains(&display.trim_end_matches("!important").trim()))
}

/// What follows a reading, whose end may be left out.
fn after_reading<'h>(ahead: &str, after: &'h str) -> &'h str {
    let ends = ["</rt", "</rp", "</ruby", "<rt", "<rp", "<rb"];
    let end = ends.iter().filter_map(|end| ahead.find(end)).min().unwrap_or(0);
    &after[end..]
}

fn after_tag(rest: &str) -> &str {
    rest.find('>').map_or("", |end| &rest[end + 1..])
}

/// The formula of an element `math` in one line: as its author wrote it where the page keeps that, else made of its parts.
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

/// A formula in the language of TeX, without the words that only say how large it is.
fn written(source: &str) -> String {
    let source = decode_html_entities(source);
    let source = source.split_whitespace().collect::<Vec<_>>().join(" ");
    let bare = source.strip_prefix("{\\displaystyle ").and_then(|rest| rest.strip_suffix('}'));
    bare.unwrap_or(&source).trim().to_owned()
}

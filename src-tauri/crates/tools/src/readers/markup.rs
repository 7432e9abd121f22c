//! Strips the tags from any HTML in one pass: for summaries in feeds, and for pages that the article finder rejects.
//! Not in here: finding the article of a page, formulas (`legible`).

use super::is_ideographic;
use super::legible::legible;
use super::tags::{Tags, after_element, find_tag};

/// Elements whose content is not displayed.
pub(crate) const HIDDEN_ELEMENTS: [&str; 9] =
    ["script", "style", "head", "title", "template", "svg", "noscript", "iframe", "textarea"];

/// Elements that begin and end a line.
const LINES: [&str; 43] = [
    "address",
    "article",
    "aside",
    "blockquote",
    "br",
    "caption",
    "center",
    "dd",
    "details",
    "dialog",
    "dir",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hgroup",
    "hr",
    "legend",
    "li",
    "main",
    "menu",
    "nav",
    "ol",
    "optgroup",
    "option",
    "p",
    "pre",
    "section",
    "summary",
    "table",
    "tr",
    "ul",
];

/// Of these, the ones that follow each other without a blank line.
const ITEMS: [&str; 7] = ["caption", "dd", "dt", "li", "optgroup", "option", "tr"];

/// Elements in a line that are separated by more than a space.
const SEPARATED_ELEMENTS: [&str; 7] = ["button", "input", "label", "meter", "select", "td", "th"];

/// The visible text: one paragraph per line, at most one blank line between blocks.
pub(crate) fn text_of(html: &str) -> String {
    let html = &*legible(html);
    let mut text = String::with_capacity(html.len() / 2);
    let tags = Tags::of(html);
    let (mut has_lines, mut is_kept) = (false, false);
    let mut rest = html;
    while let Some(index) = rest.find(['<', '&']) {
        push_words(&mut text, &rest[..index], is_kept);
        rest = &rest[index..];
        if rest.starts_with('&') {
            rest = push_entity(&mut text, rest);
            continue;
        }
        let Some(tag) = tags.at(rest) else {
            text.push('<');
            rest = &rest[1..];
            continue;
        };
        rest = &rest[tag.length..];
        let name = tag.name.as_str();
        if let Some(raw) = tag.raw {
            text.push_str(raw);
        } else if tag.is_opening && HIDDEN_ELEMENTS.contains(&name) {
            rest = after_element(rest, name);
        } else if LINES.contains(&name) {
            has_lines = true;
            is_kept = if name == "pre" { tag.is_opening } else { is_kept };
            match name {
                _ if ITEMS.contains(&name) => begin_line(&mut text),
                "p" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "hr" | "header" | "hgroup" => {
                    text.push_str("\n\n")
                }
                _ => text.push('\n'),
            }
        } else if SEPARATED_ELEMENTS.contains(&name) {
            text.push(' ');
        }
    }
    push_words(&mut text, rest, is_kept);
    in_lines(&with_breaks(&text, has_lines))
}

/// Marks a line break of the source until it is known whether it is a break of the text.
const SOURCE_BREAK: char = '\u{1}';

/// Ends the current line, if there is one.
fn begin_line(text: &mut String) {
    if !text.trim_end_matches([' ', SOURCE_BREAK]).ends_with('\n') {
        text.push('\n');
    }
}

fn push_words(text: &mut String, words: &str, is_kept: bool) {
    match is_kept || !words.contains('\n') {
        true => text.push_str(words),
        false => text.extend(words.chars().map(|c| if c == '\n' { SOURCE_BREAK } else { c })),
    }
}

/// Text without block elements is plain text and keeps its line breaks; in a page they become spaces, or nothing
/// between characters of scripts without spaces.
fn with_breaks(text: &str, is_page: bool) -> String {
    if !is_page {
        return text.replace(SOURCE_BREAK, "\n");
    }
    let mut whole = String::with_capacity(text.len());
    for part in text.split(SOURCE_BREAK) {
        let bare = part.trim_start_matches(' ');
        let is_dense =
            whole.trim_end_matches(' ').ends_with(is_ideographic) && bare.starts_with(is_ideographic);
        if is_dense {
            whole.truncate(whole.trim_end_matches(' ').len());
            whole.push_str(bare);
        } else {
            whole.push(' ');
            whole.push_str(part);
        }
    }
    whole
}

/// The content of `<title>`.
pub(crate) fn title_of(html: &str) -> Option<String> {
    let start = find_tag(html, &["<title"])?;
    let inside = &html[start..];
    let inside = &inside[inside.find('>')? + 1..];
    let end = find_tag(inside, &["</title"]).unwrap_or(inside.len().min(1_000));
    super::one_line(&text_of(inside.get(..end)?))
}

/// Decodes the entity at the beginning of the text, and returns the rest.
fn push_entity<'h>(text: &mut String, rest: &'h str) -> &'h str {
    let end = rest.bytes().take(12).position(|byte| byte == b';');
    if let Some(end) = end
        && let Some(character) = entity(&rest[1..end])
    {
        text.push(character);
        return &rest[end + 1..];
    }
    text.push('&');
    &rest[1..]
}

/// The character of an entity by name or number.
pub(crate) fn entity(name: &str) -> Option<char> {
    let written = format!("&{name};");
    let read = html_escape::decode_html_entities(&written);
    let mut characters = read.chars();
    let character = characters.next().filter(|_| *read != *written && characters.next().is_none())?;
    (!character.is_control() || matches!(character, '\n' | '\t')).then_some(character)
}

/// Joins spaces, trims lines, and keeps one blank line between blocks.
pub(crate) fn in_lines(text: &str) -> String {
    let mut tidy = String::with_capacity(text.len());
    let mut blanks = 0;
    for line in text.lines() {
        let mut words = line.split_whitespace().peekable();
        if words.peek().is_none() {
            blanks += 1;
            continue;
        }
        if !tidy.is_empty() {
            tidy.push_str(if blanks > 0 { "\n\n" } else { "\n" });
        }
        blanks = 0;
        tidy.push_str(words.next().unwrap_or_default());
        for word in words {
            tidy.push(' ');
            tidy.push_str(word);
        }
    }
    tidy
}

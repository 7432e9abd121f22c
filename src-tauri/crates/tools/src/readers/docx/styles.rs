//! The styles of a Word document: which paragraphs are headings or list items, and which words are superscript.

use std::collections::HashMap;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::lists::{ListPlace, Lists};
use super::words::Height;

/// Markdown has six heading levels.
const DEEPEST_HEADING: u8 = 6;

/// Styles inherit from others; a longer chain is a cycle.
const LONGEST_CHAIN: usize = 16;

#[derive(Default)]
struct Style {
    heading: Option<u8>,
    list: Option<String>,
    level: Option<u8>,
    height: Option<Height>,
    base: Option<String>,
}

/// The styles by their ids, and the lists.
#[derive(Default)]
pub(super) struct Styles {
    styles: HashMap<String, Style>,
    pub(super) lists: Lists,
}

impl Styles {
    /// Parses the style and numbering parts; unknown elements are ignored.
    pub(super) fn of(styles: &str, lists: &str) -> Styles {
        let mut found = Styles::default();
        found.read_styles(styles);
        let mut lists = Lists::of(lists);
        lists.follow_links(|style| found.list(style));
        Styles { lists, ..found }
    }

    /// The heading level of paragraphs with this style, from 1.
    pub(super) fn heading(&self, style: &str) -> Option<u8> {
        self.chain(style).find_map(|style| style.heading)
    }

    /// The list and level that this style sets.
    pub(super) fn list(&self, style: &str) -> Option<ListPlace> {
        let list = self.chain(style).find_map(|style| style.list.clone())?;
        Some((list, self.chain(style).find_map(|style| style.level).unwrap_or(0)))
    }

    /// The vertical position that this style sets.
    pub(super) fn height(&self, style: &str) -> Height {
        self.chain(style).find_map(|style| style.height).unwrap_or_default()
    }

    /// The style and the styles it inherits from.
    fn chain(&self, style: &str) -> impl Iterator<Item = &Style> {
        let base = |style: &&Style| style.base.as_ref().and_then(|base| self.styles.get(base));
        std::iter::successors(self.styles.get(style), base).take(LONGEST_CHAIN)
    }

    fn read_styles(&mut self, part: &str) {
        let mut id = String::new();
        let mut style = Style::default();
        let mut reader = Reader::from_str(part);
        while let Ok(event) = reader.read_event() {
            match event {
                Event::Start(tag) | Event::Empty(tag) => match tag.local_name().as_ref() {
                    "style" => {
                        id = attribute(&tag, "styleId").unwrap_or_default();
                        style = Style::default();
                    }
                    "name" => {
                        style.heading = value(&tag).as_deref().and_then(heading_named).or(style.heading)
                    }
                    "basedOn" => style.base = value(&tag),
                    "outlineLvl" => {
                        style.heading = style.heading.or(value(&tag).and_then(|level| heading_of(&level)))
                    }
                    "numId" => style.list = value(&tag),
                    "ilvl" => style.level = value(&tag).and_then(|level| level.parse().ok()),
                    "vertAlign" => style.height = value(&tag).map(|name| Height::named(&name)),
                    _ => {}
                },
                Event::End(tag) if tag.local_name().as_ref() == "style" => {
                    self.styles.insert(std::mem::take(&mut id), std::mem::take(&mut style));
                }
                Event::Eof => return,
                _ => {}
            }
        }
    }
}

/// The heading level of an outline level, which counts from 0; 9 is body text.
pub(super) fn heading_of(level: &str) -> Option<u8> {
    let level: u8 = level.parse().ok()?;
    (level < 9).then(|| (level + 1).min(DEEPEST_HEADING))
}

/// The heading level of a style name, which is English in the file in every language of Word.
fn heading_named(name: &str) -> Option<u8> {
    let name = name.to_ascii_lowercase();
    if name == "title" {
        return Some(1);
    }
    let depth: u8 = name.strip_prefix("heading ")?.parse().ok()?;
    (1..=9).contains(&depth).then(|| depth.min(DEEPEST_HEADING))
}

/// The attribute `val`, which holds the value of most elements.
pub(super) fn value(tag: &BytesStart<'_>) -> Option<String> {
    attribute(tag, "val")
}

pub(super) fn attribute(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    let found = tag.attributes().flatten().find(|attribute| attribute.key.local_name().as_ref() == name)?;
    Some(found.value.to_string())
}

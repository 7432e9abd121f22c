//! The lists of a Word document: which are numbered, and the number of each item.

use std::collections::{HashMap, HashSet};

use quick_xml::Reader;
use quick_xml::events::Event;

use super::styles::{attribute, value};

/// A list number, and the level in it from 0.
pub(super) type ListPlace = (String, u8);

/// A level of an abstract list definition.
#[derive(Debug, Clone)]
struct Level {
    is_numbered: bool,
    start: usize,
}

impl Default for Level {
    fn default() -> Level {
        Level { is_numbered: false, start: 1 }
    }
}

/// The lists of a document. Lists with the same definition continue its numbering unless one restarts it.
#[derive(Default)]
pub(super) struct Lists {
    kinds: HashMap<String, String>,
    levels: HashMap<(String, u8), Level>,
    /// Definitions that refer to the list of a style.
    links: HashMap<String, String>,
    /// Levels that a list overrides, and where it restarts its numbering.
    own_levels: HashMap<ListPlace, Level>,
    own_starts: HashMap<ListPlace, usize>,
}

/// The current numbers.
#[derive(Default)]
pub(super) struct Counts {
    /// By list definition and level.
    last: HashMap<(String, u8), usize>,
    begun: HashSet<ListPlace>,
}

impl Lists {
    /// Parses the numbering part; unknown elements are ignored.
    pub(super) fn of(part: &str) -> Lists {
        let mut lists = Lists::default();
        // The definition or list being read, and its level.
        let (mut kind, mut list, mut place) = (None, None, 0);
        let mut level = Level::default();
        let mut reader = Reader::from_str(part);
        while let Ok(event) = reader.read_event() {
            match event {
                Event::Start(tag) | Event::Empty(tag) => match tag.local_name().as_ref() {
                    "abstractNum" => (kind, list) = (attribute(&tag, "abstractNumId"), None),
                    "num" => (kind, list) = (None, attribute(&tag, "numId")),
                    "abstractNumId" => {
                        if let (Some(list), Some(kind)) = (&list, value(&tag)) {
                            lists.kinds.insert(list.clone(), kind);
                        }
                    }
                    "numStyleLink" => {
                        if let (Some(kind), Some(style)) = (&kind, value(&tag)) {
                            lists.links.insert(kind.clone(), style);
                        }
                    }
                    "lvl" | "lvlOverride" => {
                        place = attribute(&tag, "ilvl").and_then(|level| level.parse().ok()).unwrap_or(place);
                        level = Level::default();
                    }
                    "start" => level.start = number(value(&tag)).unwrap_or(1),
                    "numFmt" => {
                        level.is_numbered =
                            value(&tag).is_some_and(|format| format != "bullet" && format != "none");
                    }
                    "startOverride" => {
                        if let (Some(list), Some(start)) = (&list, number(value(&tag))) {
                            lists.own_starts.insert((list.clone(), place), start);
                        }
                    }
                    _ => {}
                },
                Event::End(tag) if tag.local_name().as_ref() == "lvl" => {
                    let level = std::mem::take(&mut level);
                    if let Some(list) = &list {
                        lists.own_starts.entry((list.clone(), place)).or_insert(level.start);
                        lists.own_levels.insert((list.clone(), place), level);
                    } else if let Some(kind) = &kind {
                        lists.levels.insert((kind.clone(), place), level);
                    }
                }
                Event::Eof => break,
                _ => {}
            }
        }
        lists
    }

    /// Resolves definitions that refer to a style to the definition of that style's list.
    pub(super) fn follow_links(&mut self, list_of: impl Fn(&str) -> Option<ListPlace>) {
        for (kind, style) in &self.links {
            let meant = list_of(style).and_then(|(list, _)| self.kinds.get(&list).cloned());
            let Some(meant) = meant else { continue };
            self.kinds.values_mut().filter(|known| *known == kind).for_each(|known| known.clone_from(&meant));
        }
    }

    /// The number of the next item at this place; `None` when its list is not numbered.
    pub(super) fn count(&self, place: &ListPlace, counts: &mut Counts) -> Option<usize> {
        let (list, depth) = place;
        let kind = self.kinds.get(list).unwrap_or(list);
        let level = self.own_levels.get(place).or_else(|| self.levels.get(&(kind.clone(), *depth)))?;
        // Deeper levels restart below the next item, also in bulleted lists.
        counts.last.retain(|(other, deeper), _| other != kind || deeper <= depth);
        let is_first = counts.begun.insert(place.clone());
        let last = counts.last.get(&(kind.clone(), *depth)).map(|last| last + 1);
        let own = self.own_starts.get(place).copied().filter(|_| is_first);
        let count = own.or(last).unwrap_or(level.start);
        counts.last.insert((kind.clone(), *depth), count);
        level.is_numbered.then_some(count)
    }
}

/// A valid start number of a list.
fn number(text: Option<String>) -> Option<usize> {
    text?.parse().ok().filter(|number| *number < 1_000_000)
}

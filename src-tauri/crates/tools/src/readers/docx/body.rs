//! Turns the text of a Word document into blocks of Markdown: headings, paragraphs, lists, tables.

use std::collections::HashMap;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::styles::{ListPlace, Styles, heading_of, value};
use crate::readers::markup::entity;

/// Elements whose text is not part of the document: a second form of a drawing, and text that was moved away.
const PASSED_OVER: [&str; 2] = ["Fallback", "moveFrom"];

/// Deeper lists are written at this level.
const DEEPEST_LIST: u8 = 8;

/// Hands over the document block by block until `on` gives false.
pub(super) fn blocks(part: &str, styles: &Styles, on: &mut dyn FnMut(String) -> bool) {
    let mut body = Body {
        styles,
        paragraphs: Vec::new(),
        tables: Vec::new(),
        list: String::new(),
        counts: HashMap::new(),
    };
    let mut reader = Reader::from_str(part);
    let (mut is_text, mut passed_over) = (false, 0_usize);
    while let Ok(event) = reader.read_event() {
        let block = match event {
            Event::Start(tag) if PASSED_OVER.contains(&tag.local_name().as_ref()) => {
                passed_over += 1;
                None
            }
            Event::End(tag) if PASSED_OVER.contains(&tag.local_name().as_ref()) => {
                passed_over = passed_over.saturating_sub(1);
                None
            }
            Event::Eof => break,
            _ if passed_over > 0 => None,
            Event::Start(tag) => {
                is_text = tag.local_name().as_ref() == "t";
                body.begin(&tag)
            }
            Event::Empty(tag) => body.mark(&tag),
            Event::End(tag) => {
                is_text = false;
                body.end(tag.local_name().as_ref())
            }
            Event::Text(text) if is_text => body.write(&text),
            Event::CData(text) if is_text => body.write(&text),
            Event::GeneralRef(name) if is_text => match entity(&name) {
                Some(character) => body.write(character.encode_utf8(&mut [0; 4])),
                None => None,
            },
            _ => None,
        };
        if block.is_some_and(|block| !on(block)) {
            return;
        }
    }
    // What an unsound file left open is worth as much.
    while let Some(paragraph) = body.paragraphs.pop() {
        let block = body.finish(paragraph);
        if block.is_some_and(|block| !on(block)) {
            return;
        }
    }
    let table = body.tables.drain(..).next().and_then(Table::into_markdown);
    for block in
        [(!body.list.is_empty()).then(|| std::mem::take(&mut body.list)), table].into_iter().flatten()
    {
        if !on(block) {
            return;
        }
    }
}

#[derive(Default)]
struct Paragraph {
    text: String,
    heading: Option<u8>,
    /// None: as its style says. A list numbered 0 is none.
    list: Option<String>,
    level: Option<u8>,
    style: Option<String>,
}

#[derive(Default)]
struct Table {
    rows: Vec<Vec<String>>,
}

struct Body<'s> {
    styles: &'s Styles,
    /// The open ones: a text box stands inside a paragraph and holds others.
    paragraphs: Vec<Paragraph>,
    tables: Vec<Table>,
    /// Items that were written below each other.
    list: String,
    counts: HashMap<ListPlace, usize>,
}

impl Body<'_> {
    fn begin(&mut self, tag: &BytesStart<'_>) -> Option<String> {
        match tag.local_name().as_ref() {
            "p" => self.paragraphs.push(Paragraph::default()),
            "tbl" => {
                self.tables.push(Table::default());
                return (self.tables.len() == 1).then(|| self.take_list()).flatten();
            }
            "tr" => {
                if let Some(table) = self.tables.last_mut() {
                    table.rows.push(Vec::new());
                }
            }
            "tc" => {
                if let Some(row) = self.tables.last_mut().and_then(|table| table.rows.last_mut()) {
                    row.push(String::new());
                }
            }
            _ => return self.mark(tag),
        }
        None
    }

    /// An element that says something of its paragraph, or stands for a character.
    fn mark(&mut self, tag: &BytesStart<'_>) -> Option<String> {
        let paragraph = self.paragraphs.last_mut()?;
        match tag.local_name().as_ref() {
            "pStyle" => paragraph.style = value(tag),
            "outlineLvl" => paragraph.heading = value(tag).as_deref().and_then(heading_of),
            "numId" => paragraph.list = value(tag),
            "ilvl" => paragraph.level = value(tag).and_then(|level| level.parse().ok()),
            "tab" if !paragraph.text.is_empty() => paragraph.text.push(' '),
            "br" | "cr" => paragraph.text.push('\n'),
            "noBreakHyphen" => paragraph.text.push('-'),
            _ => {}
        }
        None
    }

    fn write(&mut self, words: &str) -> Option<String> {
        if let Some(paragraph) = self.paragraphs.last_mut() {
            paragraph.text.push_str(words);
        }
        None
    }

    fn end(&mut self, name: &str) -> Option<String> {
        match name {
            "p" => {
                let paragraph = self.paragraphs.pop()?;
                self.finish(paragraph)
            }
            "tbl" => {
                let table = self.tables.pop()?;
                match self.tables.last_mut().and_then(|outer| outer.rows.last_mut()?.last_mut()) {
                    Some(cell) => {
                        add_words(cell, &table.rows.concat().join(" "));
                        None
                    }
                    None => table.into_markdown(),
                }
            }
            _ => None,
        }
    }

    /// The block that is complete with the end of this paragraph: the list before it goes with it.
    fn finish(&mut self, paragraph: Paragraph) -> Option<String> {
        let text = paragraph.text.trim();
        if text.is_empty() {
            return None;
        }
        if let Some(cell) = self.tables.last_mut().and_then(|table| table.rows.last_mut()?.last_mut()) {
            add_words(cell, text);
            return None;
        }
        let style = paragraph.style.as_deref().unwrap_or_default();
        let list = match &paragraph.list {
            Some(list) => Some((list.clone(), paragraph.level.unwrap_or(0))),
            None => self.styles.list(style),
        };
        let heading = paragraph.heading.or_else(|| self.styles.heading(style));
        match (heading, list.filter(|(list, _)| list != "0")) {
            (Some(depth), _) => {
                let heading = format!("{} {}", "#".repeat(usize::from(depth)), in_one_line(text));
                Some(self.after_list(heading))
            }
            (None, Some(place)) => {
                self.add_item(place, text);
                None
            }
            (None, None) => Some(self.after_list(text.to_owned())),
        }
    }

    fn add_item(&mut self, place: ListPlace, text: &str) {
        let level = place.1.min(DEEPEST_LIST);
        let mark = if self.styles.is_numbered(&place) {
            self.counts.retain(|(list, level), _| *list != place.0 || *level <= place.1);
            let count = self.counts.entry(place).or_default();
            *count += 1;
            format!("{count}.")
        } else {
            "-".to_owned()
        };
        if !self.list.is_empty() {
            self.list.push('\n');
        }
        self.list.push_str(&"   ".repeat(usize::from(level)));
        self.list.push_str(&format!("{mark} {}", in_one_line(text)));
    }

    fn take_list(&mut self) -> Option<String> {
        (!self.list.is_empty()).then(|| std::mem::take(&mut self.list))
    }

    fn after_list(&mut self, block: String) -> String {
        match self.take_list() {
            Some(list) => format!("{list}\n\n{block}"),
            None => block,
        }
    }
}

impl Table {
    /// A table of Markdown, whose first row is its head; none without any words.
    fn into_markdown(self) -> Option<String> {
        let rows: Vec<Vec<String>> =
            self.rows.into_iter().filter(|row| row.iter().any(|cell| !cell.is_empty())).collect();
        let columns = rows.iter().map(Vec::len).max()?;
        let mut text = String::new();
        for (index, row) in rows.iter().enumerate() {
            for column in 0..columns {
                let cell = row.get(column).map(String::as_str).unwrap_or_default();
                text.push_str(&format!("| {} ", cell.replace('|', "\\|")));
            }
            text.push_str("|\n");
            if index == 0 {
                text.push_str(&"| --- ".repeat(columns));
                text.push_str("|\n");
            }
        }
        Some(text.trim_end().to_owned())
    }
}

fn add_words(cell: &mut String, words: &str) {
    if !cell.is_empty() {
        cell.push(' ');
    }
    cell.push_str(&in_one_line(words));
}

fn in_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

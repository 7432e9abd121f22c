//! Turns the text of a Word document into blocks of Markdown: headings, paragraphs, lists, tables.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::lists::{Counts, ListPlace};
use super::styles::{Styles, attribute, heading_of, value};
use super::symbols::{in_letters, symbol};
use super::words::{Height, Words};
use crate::readers::formula::Part;
use crate::readers::markup::entity;

/// Skipped elements: the fallback of a drawing, moved-away text, formatting before a change, and ruby readings of East
/// Asian characters, which would split the words that users search for.
const SKIPPED: [&str; 5] = ["Fallback", "moveFrom", "pPrChange", "rPrChange", "rt"];

/// Deeper lists are written at this level.
const DEEPEST_LIST: u8 = 8;

/// Passes the document to `on` block by block until `on` returns false.
pub(super) fn blocks(part: &str, styles: &Styles, on: &mut dyn FnMut(String) -> bool) {
    let mut body = Body {
        styles,
        paragraphs: Vec::new(),
        tables: Vec::new(),
        list: String::new(),
        counts: Counts::default(),
        run: Run::default(),
        carried: String::new(),
        is_of_mark: false,
    };
    let mut reader = Reader::from_str(part);
    let (mut is_text, mut passed_over) = (false, 0_usize);
    while let Ok(event) = reader.read_event() {
        let block = match event {
            Event::Start(tag) if SKIPPED.contains(&tag.local_name().as_ref()) => {
                passed_over += 1;
                None
            }
            Event::End(tag) if SKIPPED.contains(&tag.local_name().as_ref()) => {
                passed_over = passed_over.saturating_sub(1);
                None
            }
            Event::Eof => break,
            _ if passed_over > 0 => None,
            Event::Start(tag) if tag.local_name().as_ref() == "oMath" => {
                let formula = Part::read(&mut reader, &tag).line();
                body.write_formula(&formula);
                None
            }
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
    let carried = body.end_carried();
    if carried.is_some_and(|block| !on(block)) {
        return;
    }
    // Paragraphs that a malformed file left open are finished as well.
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
    words: Words,
    heading: Option<u8>,
    /// The list number; `None` follows the style, and 0 means no list.
    list: Option<String>,
    level: Option<u8>,
    style: Option<String>,
    /// Its paragraph mark was deleted: it continues in the next paragraph.
    is_open: bool,
}

/// The formatting of the words being read.
#[derive(Default)]
struct Run {
    font: String,
    height: Height,
}

#[derive(Default)]
struct Table {
    rows: Vec<Vec<String>>,
}

impl Paragraph {
    /// A paragraph that continues after this text.
    fn behind(text: String) -> Paragraph {
        Paragraph { words: Words::behind(text), ..Paragraph::default() }
    }
}

struct Body<'s> {
    styles: &'s Styles,
    /// Open paragraphs: a text box inside a paragraph holds paragraphs of its own.
    paragraphs: Vec<Paragraph>,
    tables: Vec<Table>,
    /// List items collected so far, one per line.
    list: String,
    counts: Counts,
    run: Run,
    /// The text of a paragraph whose mark was deleted.
    carried: String,
    /// Whether the current properties belong to the paragraph mark and not to the words.
    is_of_mark: bool,
}

impl Body<'_> {
    fn begin(&mut self, tag: &BytesStart<'_>) -> Option<String> {
        match tag.local_name().as_ref() {
            "p" => {
                let carried = std::mem::take(&mut self.carried);
                self.paragraphs.push(Paragraph::behind(carried));
            }
            "pPr" => self.is_of_mark = true,
            "r" => self.run = Run::default(),
            "tbl" => {
                let carried = self.end_carried();
                self.tables.push(Table::default());
                let list = (self.tables.len() == 1).then(|| self.take_list()).flatten();
                // The pending list is emitted together with the paragraph.
                return carried.or(list);
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

    /// Handles an element that sets a property of its paragraph or stands for a character.
    fn mark(&mut self, tag: &BytesStart<'_>) -> Option<String> {
        let paragraph = self.paragraphs.last_mut()?;
        match tag.local_name().as_ref() {
            "pStyle" => paragraph.style = value(tag),
            "outlineLvl" => paragraph.heading = value(tag).as_deref().and_then(heading_of),
            "numId" => paragraph.list = value(tag),
            "ilvl" => paragraph.level = value(tag).and_then(|level| level.parse().ok()),
            "del" | "moveFrom" if self.is_of_mark => paragraph.is_open = true,
            "rFonts" => {
                self.run.font =
                    attribute(tag, "ascii").or_else(|| attribute(tag, "hAnsi")).unwrap_or_default();
            }
            "rStyle" => self.run.height = self.styles.height(&value(tag).unwrap_or_default()),
            "vertAlign" => self.run.height = Height::named(&value(tag).unwrap_or_default()),
            "sym" => {
                let font = attribute(tag, "font").unwrap_or_default();
                let place = attribute(tag, "char").and_then(|place| u32::from_str_radix(&place, 16).ok());
                let character = place.map_or(char::REPLACEMENT_CHARACTER, |place| symbol(&font, place));
                paragraph.words.write(character.encode_utf8(&mut [0; 4]), self.run.height);
            }
            "tab" | "ptab" => paragraph.words.tab(),
            "br" | "cr" => paragraph.words.write("\n", Height::Line),
            "noBreakHyphen" => paragraph.words.write("-", self.run.height),
            _ => {}
        }
        None
    }

    fn write(&mut self, words: &str) -> Option<String> {
        if let Some(paragraph) = self.paragraphs.last_mut() {
            paragraph.words.write(&in_letters(words, &self.run.font), self.run.height);
        }
        None
    }

    fn write_formula(&mut self, formula: &str) {
        if let Some(paragraph) = self.paragraphs.last_mut() {
            paragraph.words.write_formula(formula);
        }
    }

    /// The block of a last paragraph whose mark was deleted.
    fn end_carried(&mut self) -> Option<String> {
        let carried = std::mem::take(&mut self.carried);
        self.finish(Paragraph::behind(carried))
    }

    fn end(&mut self, name: &str) -> Option<String> {
        match name {
            "p" => {
                let mut paragraph = self.paragraphs.pop()?;
                if paragraph.is_open {
                    self.carried = std::mem::take(&mut paragraph.words).into_text();
                }
                self.finish(paragraph)
            }
            "pPr" => {
                self.is_of_mark = false;
                None
            }
            "tc" => self.end_carried(),
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

    /// The block that this paragraph completes, with the list before it.
    fn finish(&mut self, paragraph: Paragraph) -> Option<String> {
        let text = paragraph.words.into_text();
        let text = text.trim();
        if text.is_empty() {
            return None;
        }
        if let Some(cell) = self.tables.last_mut().and_then(|table| table.rows.last_mut()?.last_mut()) {
            add_words(cell, text);
            return None;
        }
        let style = paragraph.style.as_deref().unwrap_or_default();
        // A paragraph may set only its list or only its level; its style sets the other.
        let of_style = self.styles.list(style);
        let list = paragraph.list.or_else(|| of_style.as_ref().map(|(list, _)| list.clone()));
        let level = paragraph.level.or(of_style.map(|(_, level)| level)).unwrap_or(0);
        let list = list.map(|list| (list, level));
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
        let count = self.styles.lists.count(&place, &mut self.counts);
        let mark = count.map_or_else(|| "-".to_owned(), |count| format!("{count}."));
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
    /// The table as Markdown with its first row as header; `None` when it has no words.
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

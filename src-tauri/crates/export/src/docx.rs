//! Writes a document as a Word file.

mod package;
mod styles;
mod table;

use docx_rs::{
    AlignmentType, BreakType, Docx, Footer, Footnote, Hyperlink, HyperlinkData, IndentLevel, LevelOverride,
    LineSpacing, Numbering, NumberingId, PageMargin, PageNum, Paragraph, Run, RunFonts, SpecialIndentType,
    Table,
};
use kernel::{Code, Error, phrase};

use crate::document::{Block, Document, Inline, Language, List, words};

/// Indentation of lists and quotations per level, in twentieths of a point.
const STEP: i32 = 360;
/// Levels of a list that Word supports.
const MOST_LEVELS: usize = 9;
/// The numbering of bullets; those of ordered lists have higher ids.
const BULLETS: usize = styles::BULLETED;
/// An A4 page with margins of 2.5 cm, in twentieths of a point.
const PAGE: (u32, u32) = (11_906, 16_838);
const MARGIN: i32 = 1_417;

/// The Word file.
///
/// # Errors
/// `internal` if the file cannot be written.
pub(crate) fn write(document: &Document) -> Result<Vec<u8>, Error> {
    let mut writer = Writer { document, body: Vec::new(), ordered: Vec::new(), links: 0 };
    writer.blocks(&document.blocks, &Place::default());
    let Writer { body, ordered, .. } = writer;
    let (width, height) = PAGE;
    let margin =
        PageMargin { top: MARGIN, left: MARGIN, bottom: MARGIN, right: MARGIN, ..PageMargin::default() };
    let number = Paragraph::new().align(AlignmentType::Center).add_page_num(PageNum::new());
    let mut file = styles::add(Docx::new(), document.east_asian)
        .created_at(&document.changed_at)
        .updated_at(&document.changed_at)
        .page_size(width, height)
        .page_margin(margin)
        .footer(Footer::new().add_paragraph(number))
        .add_numbering(Numbering::new(BULLETS, styles::BULLETED));
    for (index, OrderedList { level, start }) in ordered.into_iter().enumerate() {
        let restart = LevelOverride::new(level).start(start);
        file =
            file.add_numbering(Numbering::new(BULLETS + 1 + index, styles::NUMBERED).add_override(restart));
    }
    for piece in body {
        file = match piece {
            Piece::Paragraph(paragraph) => file.add_paragraph(*paragraph),
            Piece::Table(table) => file.add_table(*table),
        };
    }
    package::pack(file, document).map_err(|error| {
        Error::new(Code::Internal, phrase!("The Word document cannot be put together: {error}", error))
    })
}

enum Piece {
    Paragraph(Box<Paragraph>),
    Table(Box<Table>),
}

/// A numbered list with its own numbering.
struct OrderedList {
    level: usize,
    start: usize,
}

/// The position of a block.
#[derive(Clone, Default)]
struct Place {
    /// How many lists contain it.
    level: usize,
    /// How many quotations contain it.
    quotes: usize,
}

impl Place {
    fn indent(&self) -> i32 {
        STEP * i32::try_from(self.level + self.quotes).unwrap_or(0)
    }
}

/// The formatting of text.
#[derive(Clone, Default)]
struct Look {
    is_strong: bool,
    is_emphasized: bool,
    is_struck: bool,
    is_link: bool,
    /// An East Asian language other than the document's, which needs other fonts.
    language: Option<Language>,
}

struct Writer<'d> {
    document: &'d Document,
    body: Vec<Piece>,
    ordered: Vec<OrderedList>,
    links: usize,
}

impl Writer<'_> {
    fn blocks(&mut self, blocks: &[Block], place: &Place) {
        blocks.iter().for_each(|block| self.block(block, place, None));
    }

    /// `number` is the numbering of the list item that begins with this block.
    fn block(&mut self, block: &Block, place: &Place, number: Option<usize>) {
        match block {
            Block::Heading { level, text } => {
                self.push(styled(&format!("Heading{level}")), text, place, number)
            }
            Block::Paragraph(text) if place.quotes > 0 => self.push(styled("Quote"), text, place, number),
            Block::Paragraph(text) if place.level > 0 => {
                self.push(styled("ListParagraph"), text, place, number)
            }
            Block::Paragraph(text) => self.push(Paragraph::new(), text, place, number),
            Block::Quote(blocks) => {
                let mut quoted = place.clone();
                quoted.quotes += 1;
                self.blocks(blocks, &quoted);
            }
            Block::Code { text } => {
                let paragraph = indented(styled("HTMLPreformatted"), place, number).add_run(code_lines(text));
                self.body.push(Piece::Paragraph(Box::new(paragraph)));
            }
            Block::Rule => self.push(styled("HorizontalLine"), &[], &Place::default(), None),
            Block::List(list) => self.list(list, place),
            Block::Table(table) => {
                let table = self.table(table);
                self.body.push(Piece::Table(Box::new(table)));
                // Word joins two tables without a paragraph between them.
                self.body.push(Piece::Paragraph(Box::new(Paragraph::new())));
            }
        }
    }

    fn push(&mut self, paragraph: Paragraph, line: &[Inline], place: &Place, number: Option<usize>) {
        let paragraph = self.line(indented(paragraph, place, number), line, true);
        self.body.push(Piece::Paragraph(Box::new(paragraph)));
    }

    fn list(&mut self, list: &List, place: &Place) {
        let number = match list.start {
            None => BULLETS,
            Some(start) => {
                self.ordered.push(OrderedList { level: place.level.min(MOST_LEVELS - 1), start });
                BULLETS + self.ordered.len()
            }
        };
        let mut inner = place.clone();
        inner.level += 1;
        for blocks in &list.items {
            let (first, rest) = match blocks.split_first() {
                Some((first @ (Block::Paragraph(_) | Block::Code { .. }), rest)) => (first, rest),
                _ => (&Block::Paragraph(Vec::new()), blocks.as_slice()),
            };
            self.block(first, &inner, Some(number));
            self.blocks(rest, &inner);
        }
    }

    /// Appends a line to a paragraph. `may_note` is false inside a note, which cannot have notes of its own.
    fn line(&mut self, mut paragraph: Paragraph, line: &[Inline], may_note: bool) -> Paragraph {
        let language = self.document.language_of(line).filter(|language| language.is_east_asian());
        let language = language.filter(|language| Some(*language) != self.document.east_asian);
        let look = Look { language, ..Look::default() };
        for inline in line {
            paragraph = self.inline(paragraph, inline, &look, may_note);
        }
        paragraph
    }

    fn inline(&mut self, paragraph: Paragraph, inline: &Inline, look: &Look, may_note: bool) -> Paragraph {
        match inline {
            // A link in a note cannot be stored in the package, so its address is written out.
            Inline::Link { address, text } if !may_note => {
                let words = words(text);
                let written = if words == *address { words } else { format!("{words} ({address})") };
                paragraph.add_run(run(&written, look))
            }
            Inline::Link { address, text } => {
                self.links += 1;
                let (rid, path) = (format!("rIdLink{}", self.links), styles::escaped(address));
                let link = HyperlinkData::External { rid, path };
                let mut link = Hyperlink { link, history: None, children: Vec::new() };
                let look = Look { is_link: true, ..look.clone() };
                for inline in text.iter().filter(|inline| !matches!(inline, Inline::Note { .. })) {
                    runs(inline, &look, &mut |run| link = link.clone().add_run(run));
                }
                // A note cannot be inside a link.
                let notes = text.iter().filter_map(|inline| match inline {
                    Inline::Note { number, is_first } => Some((*number, *is_first)),
                    _ => None,
                });
                let paragraph = paragraph.add_hyperlink(link);
                notes
                    .fold(paragraph, |paragraph, (number, first)| paragraph.add_run(self.note(number, first)))
            }
            // A note within a note is written in brackets, because Word does not support it.
            Inline::Note { number, is_first: true } if !may_note => {
                let blocks = number.checked_sub(1).and_then(|index| self.document.notes.get(index));
                let note_lines: Vec<String> =
                    lines(blocks.map_or(&[], Vec::as_slice)).iter().map(|line| words(line)).collect();
                paragraph.add_run(run(&format!(" ({})", note_lines.join(" ")), look))
            }
            Inline::Note { number, is_first } => paragraph.add_run(self.note(*number, *is_first && may_note)),
            Inline::Emphasis(inner) | Inline::Strong(inner) | Inline::Struck(inner) => {
                let look = within(inline, look);
                inner
                    .iter()
                    .fold(paragraph, |paragraph, inline| self.inline(paragraph, inline, &look, may_note))
            }
            Inline::Text(_) | Inline::Code(_) | Inline::Break => {
                let mut made = Some(paragraph);
                runs(inline, look, &mut |run| made = made.take().map(|paragraph| paragraph.add_run(run)));
                made.unwrap_or_default()
            }
        }
    }

    /// A reference to a note. Further references to the same note are only its number: each of Word's notes has one
    /// position.
    fn note(&mut self, number: usize, is_first: bool) -> Run {
        let document = self.document;
        let blocks = number.checked_sub(1).and_then(|index| document.notes.get(index));
        let Some(blocks) = blocks.filter(|_| is_first) else {
            return Run::new().style("FootnoteReference").add_text(number.to_string());
        };
        let mut content = Vec::new();
        for line in lines(blocks) {
            let paragraph = styled("FootnoteText");
            let paragraph = match content.is_empty() {
                true => {
                    paragraph.add_run(Run::new().style("FootnoteReference")).add_run(Run::new().add_text(" "))
                }
                false => paragraph,
            };
            content.push(self.line(paragraph, &line, false));
        }
        if content.is_empty() {
            content.push(styled("FootnoteText").add_run(Run::new().style("FootnoteReference")));
        }
        Run::new().add_footnote_reference(Footnote { id: number, content })
    }
}

/// The lines of blocks, for positions that only allow paragraphs.
fn lines(blocks: &[Block]) -> Vec<Vec<Inline>> {
    let mut all = Vec::new();
    for block in blocks {
        match block {
            Block::Heading { text, .. } | Block::Paragraph(text) => all.push(text.clone()),
            Block::Quote(blocks) => all.extend(lines(blocks)),
            Block::List(list) => all.extend(list.items.iter().flat_map(|item| lines(item))),
            Block::Table(table) => {
                let rows = std::iter::once(&table.head).chain(&table.rows);
                let row = |row: &Vec<Vec<Inline>>| {
                    let cells: Vec<String> = row.iter().map(|cell| words(cell)).collect();
                    vec![Inline::Text(cells.join(" · "))]
                };
                all.extend(rows.map(row));
            }
            Block::Code { text } => all.extend(text.lines().map(|line| vec![Inline::Code(line.to_owned())])),
            Block::Rule => {}
        }
    }
    all
}

fn styled(style: &str) -> Paragraph {
    Paragraph::new().style(style)
}

/// Indents a paragraph at its position. The first one of an item gets the number, the others align with its text.
fn indented(paragraph: Paragraph, place: &Place, number: Option<usize>) -> Paragraph {
    let spaced = LineSpacing::new().after(60);
    match number {
        Some(number) => {
            let level = place.level.saturating_sub(1).min(MOST_LEVELS - 1);
            let hanging = Some(SpecialIndentType::Hanging(STEP));
            paragraph
                .numbering(NumberingId::new(number), IndentLevel::new(level))
                .indent(Some(place.indent()), hanging, None, None)
                .line_spacing(spaced)
        }
        None if place.indent() > 0 => paragraph.indent(Some(place.indent()), None, None, None),
        None => paragraph,
    }
}

fn within(inline: &Inline, look: &Look) -> Look {
    let mut look = look.clone();
    match inline {
        Inline::Strong(_) => look.is_strong = true,
        Inline::Emphasis(_) => look.is_emphasized = true,
        Inline::Struck(_) => look.is_struck = true,
        _ => {}
    }
    look
}

/// The runs of an inline, without links and notes.
fn runs(inline: &Inline, look: &Look, add: &mut dyn FnMut(Run)) {
    match inline {
        Inline::Text(text) => add(run(text, look)),
        Inline::Code(text) => add(run(text, look).style("HTMLCode")),
        Inline::Break => add(Run::new().add_break(BreakType::TextWrapping)),
        Inline::Note { number, .. } => {
            add(Run::new().style("FootnoteReference").add_text(number.to_string()));
        }
        Inline::Emphasis(inner) | Inline::Strong(inner) | Inline::Struck(inner) => {
            let look = within(inline, look);
            inner.iter().for_each(|inline| runs(inline, &look, add));
        }
        Inline::Link { text, .. } => text.iter().for_each(|inline| runs(inline, look, add)),
    }
}

fn run(text: &str, look: &Look) -> Run {
    let mut run = Run::new().add_text(printable(text));
    if look.is_link {
        run = run.style("Hyperlink");
    }
    if look.is_strong {
        run = run.bold();
    }
    if look.is_emphasized {
        run = run.italic();
    }
    if look.is_struck {
        run = run.strike();
    }
    match look.language.map(styles::font) {
        Some(font) => run.fonts(RunFonts::new().east_asia(font)),
        None => run,
    }
}

fn code_lines(text: &str) -> Run {
    let mut run = Run::new();
    for (index, line) in text.lines().enumerate() {
        if index > 0 {
            run = run.add_break(BreakType::TextWrapping);
        }
        run = run.add_text(printable(&line.replace('\t', "    ")));
    }
    run
}

/// Removes characters that XML cannot contain.
fn printable(text: &str) -> String {
    let is_held = |c: &char| !c.is_control() && !matches!(*c, '\u{FFFE}' | '\u{FFFF}');
    text.chars().map(|c| if c == '\t' || c == '\n' { ' ' } else { c }).filter(is_held).collect()
}

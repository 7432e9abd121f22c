//! Parses a document from Markdown.

use comrak::nodes::{AstNode, ListType, NodeValue, TableAlignment};
use comrak::{Arena, parse_document};

use super::{Alignment, Block, Document, Inline, List, Table, language_of, words};
use crate::inert::{is_link, parser_options};
use crate::journal::moment;

/// Deepest nesting of blocks and inlines; deeper ones become plain text.
pub(super) const DEEPEST: usize = 24;

impl Document {
    /// Parses a Markdown text. `sources` are the addresses of the sources in the order of their numbers: a citation
    /// becomes a link to its source. `changed_at` is the time of the last change in milliseconds since 1970 UTC.
    pub(crate) fn read(markdown: &str, sources: &[String], changed_at: i64) -> Document {
        let arena = Arena::new();
        let root = parse_document(&arena, markdown, &parser_options());
        let reader = Reader { sources };
        let is_note =
            |node: &&AstNode<'_>| matches!(node.data.borrow().value, NodeValue::FootnoteDefinition(_));
        let blocks = root.children().filter(|node| !is_note(node)).flat_map(|node| reader.block(node, 0));
        let blocks: Vec<Block> = blocks.collect();
        // Notes are at the end, in the order of their numbers.
        let notes = root.children().filter(is_note).map(|note| reader.blocks(note, 1));
        let title = blocks.iter().find_map(|block| match block {
            Block::Heading { text, .. } => Some(words(text)),
            _ => None,
        });
        let language = language_of(&words_of(root));
        let of_lines =
            || root.descendants().filter(|node| is_line(node)).map(|node| language_of(&words_of(node)));
        let of_whole = std::iter::once(language);
        let east_asian = of_whole.chain(of_lines()).flatten().find(|language| language.is_east_asian());
        Document {
            title: title.unwrap_or_default(),
            changed_at: moment(changed_at),
            language,
            east_asian,
            notes: notes.collect(),
            blocks,
        }
    }
}

struct Reader<'s> {
    sources: &'s [String],
}

impl Reader<'_> {
    fn blocks<'a>(&self, node: &'a AstNode<'a>, depth: usize) -> Vec<Block> {
        node.children().flat_map(|child| self.block(child, depth)).collect()
    }

    fn block<'a>(&self, node: &'a AstNode<'a>, depth: usize) -> Option<Block> {
        let data = node.data.borrow();
        if depth > DEEPEST {
            return Some(Block::Paragraph(vec![Inline::Text(words_of(node))]));
        }
        Some(match &data.value {
            NodeValue::Heading(heading) => Block::Heading { level: heading.level, text: self.line(node) },
            NodeValue::BlockQuote => Block::Quote(self.blocks(node, depth + 1)),
            NodeValue::CodeBlock(code) => {
                Block::Code { text: code.literal.trim_end_matches('\n').to_owned() }
            }
            NodeValue::ThematicBreak => Block::Rule,
            NodeValue::List(list) => Block::List(List {
                start: (list.list_type == ListType::Ordered).then_some(list.start),
                is_tight: list.tight,
                items: node.children().map(|item| self.item(item, depth + 1)).collect(),
            }),
            NodeValue::Table(table) => {
                let columns: Vec<Alignment> = table.alignments.iter().copied().map(alignment).collect();
                let mut rows = node.children().map(|row| {
                    let mut cells: Vec<Vec<Inline>> = row.children().map(|cell| self.line(cell)).collect();
                    cells.resize(columns.len(), Vec::new());
                    cells
                });
                let head = rows.next().unwrap_or_default();
                let rows = rows.collect();
                Block::Table(Table { columns, head, rows })
            }
            // Active HTML is reduced to its text.
            NodeValue::HtmlBlock(html) => {
                Block::Code { text: html.literal.trim_end_matches('\n').to_owned() }
            }
            NodeValue::FootnoteDefinition(_) => return None,
            _ => Block::Paragraph(self.line(node)),
        })
    }

    fn item<'a>(&self, node: &'a AstNode<'a>, depth: usize) -> Vec<Block> {
        let mut blocks = self.blocks(node, depth);
        if let NodeValue::TaskItem(task) = &node.data.borrow().value {
            let mark = Inline::Text(if task.symbol.is_some() { "☑ " } else { "☐ " }.to_owned());
            match blocks.first_mut() {
                Some(Block::Paragraph(line)) => line.insert(0, mark),
                _ => blocks.insert(0, Block::Paragraph(vec![mark])),
            }
        }
        blocks
    }

    fn line<'a>(&self, node: &'a AstNode<'a>) -> Vec<Inline> {
        self.inlines(node, 0, true)
    }

    /// `may_cite`: whether citations become links, which is not the case within a link.
    fn inlines<'a>(&self, node: &'a AstNode<'a>, depth: usize, may_cite: bool) -> Vec<Inline> {
        let mut line = Vec::new();
        for child in node.children() {
            let data = child.data.borrow();
            let inner = |may_cite: bool| match depth < DEEPEST {
                true => self.inlines(child, depth + 1, may_cite),
                false => vec![Inline::Text(words_of(child))],
            };
            let inline = match &data.value {
                NodeValue::Text(text) => Inline::Text(text.clone().into_owned()),
                NodeValue::SoftBreak => Inline::Text(" ".to_owned()),
                NodeValue::LineBreak => Inline::Break,
                NodeValue::Code(code) => Inline::Code(code.literal.clone()),
                NodeValue::Emph => Inline::Emphasis(inner(may_cite)),
                NodeValue::Strong => Inline::Strong(inner(may_cite)),
                NodeValue::Strikethrough => Inline::Struck(inner(may_cite)),
                NodeValue::Link(link) if is_link(&link.url) => {
                    Inline::Link { address: link.url.clone(), text: inner(false) }
                }
                NodeValue::FootnoteReference(note) => Inline::Note {
                    number: usize::try_from(note.ix).unwrap_or(usize::MAX),
                    is_first: note.ref_num <= 1,
                },
                NodeValue::HtmlInline(html) => Inline::Text(html.clone()),
                // A picture, or a link to no external address, becomes its text.
                _ => Inline::Text(words_of(child)),
            };
            match (inline, line.last_mut()) {
                (Inline::Text(more), Some(Inline::Text(text))) => text.push_str(&more),
                (inline, _) => line.push(inline),
            }
        }
        let is_space = |inline: &Inline| matches!(inline, Inline::Text(text) if text.is_empty());
        line.retain(|inline| !is_space(inline));
        if may_cite && !self.sources.is_empty() { self.cited(line) } else { line }
    }

    /// The same line with citations as links.
    fn cited(&self, line: Vec<Inline>) -> Vec<Inline> {
        let mut made = Vec::new();
        for inline in line {
            let Inline::Text(text) = inline else {
                made.push(inline);
                continue;
            };
            let mut at = 0;
            for citation in prose::citations(&text) {
                let source = citation.number.checked_sub(1).and_then(|index| self.sources.get(index));
                let Some(address) = source.filter(|address| is_link(address)) else { continue };
                // If one bracket has several numbers, the first one carries the link.
                if citation.start < at {
                    continue;
                }
                if citation.start > at {
                    made.push(Inline::Text(text[at..citation.start].to_owned()));
                }
                let number = vec![Inline::Text(text[citation.start..citation.end].to_owned())];
                made.push(Inline::Link { address: address.clone(), text: number });
                at = citation.end;
            }
            if at < text.len() {
                made.push(Inline::Text(text[at..].to_owned()));
            }
        }
        made
    }
}

fn alignment(of: TableAlignment) -> Alignment {
    match of {
        TableAlignment::None | TableAlignment::Left => Alignment::Start,
        TableAlignment::Center => Alignment::Center,
        TableAlignment::Right => Alignment::End,
    }
}

fn is_line(node: &AstNode<'_>) -> bool {
    matches!(node.data.borrow().value, NodeValue::Paragraph | NodeValue::Heading(_) | NodeValue::TableCell)
}

/// The text below a node, with spaces between its blocks and lines.
fn words_of<'a>(node: &'a AstNode<'a>) -> String {
    let mut text = String::new();
    for inner in node.descendants() {
        match &inner.data.borrow().value {
            NodeValue::Text(words) => text.push_str(words),
            NodeValue::Code(code) => text.push_str(&code.literal),
            NodeValue::CodeBlock(code) => text.push_str(&code.literal),
            NodeValue::HtmlInline(html) => text.push_str(html),
            NodeValue::HtmlBlock(html) => text.push_str(&html.literal),
            NodeValue::SoftBreak | NodeValue::LineBreak => text.push(' '),
            value if value.block() && !text.is_empty() && !text.ends_with(' ') => text.push(' '),
            _ => {}
        }
    }
    text
}

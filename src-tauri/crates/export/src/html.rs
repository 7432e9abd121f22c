//! Writes a document as a self-contained web page: no script, no picture, no request.

use std::fmt::Write;

use crate::document::{Alignment, Block, Document, Inline};

/// Forbids loading and running anything, even if active content got into the page.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

const STYLE: &str = include_str!("html/page.css");

/// The web page.
pub(crate) fn page(document: &Document) -> String {
    let mut page = Page { html: String::new(), document };
    let language =
        document.language.map(|language| format!(" lang=\"{}\"", language.tag())).unwrap_or_default();
    page.add(&format!("<!doctype html>\n<html{language}>\n<head>\n<meta charset=\"utf-8\">\n"));
    page.add(&format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n"));
    page.add("<meta name=\"referrer\" content=\"no-referrer\">\n");
    page.add("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>");
    page.text(&document.title);
    page.add(&format!("</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n"));
    page.blocks(&document.blocks);
    if !document.notes.is_empty() {
        page.add("<section class=\"notes\">\n<hr>\n<ol>\n");
        for (index, note) in document.notes.iter().enumerate() {
            let number = index + 1;
            page.add(&format!("<li id=\"note-{number}\">\n"));
            page.blocks(note);
            page.add(&format!("<a href=\"#note-{number}-from\" aria-label=\"{number}\">↩</a></li>\n"));
        }
        page.add("</ol>\n</section>\n");
    }
    page.add("</main>\n</body>\n</html>\n");
    page.html
}

/// Escapes text for HTML, also for use in an attribute.
pub(crate) fn escaped(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            // HTML cannot contain other control characters.
            _ if character.is_control() && !matches!(character, '\n' | '\t') => {}
            _ => html.push(character),
        }
    }
    html
}

struct Page<'d> {
    html: String,
    document: &'d Document,
}

impl Page<'_> {
    /// Appends our own markup.
    fn add(&mut self, markup: &str) {
        self.html.push_str(markup);
    }

    /// Appends escaped text.
    fn text(&mut self, text: &str) {
        self.html.push_str(&escaped(text));
    }

    fn blocks(&mut self, blocks: &[Block]) {
        blocks.iter().for_each(|block| self.block(block));
    }

    /// The language attribute of a block whose language differs from the document's.
    fn language(&self, line: &[Inline]) -> String {
        let whole = self.document.language;
        let language = self.document.language_of(line).filter(|language| Some(*language) != whole);
        language.map(|language| format!(" lang=\"{}\"", language.tag())).unwrap_or_default()
    }

    fn block(&mut self, block: &Block) {
        match block {
            Block::Heading { level, text } => {
                let language = self.language(text);
                self.add(&format!("<h{level}{language}>"));
                self.line(text);
                self.add(&format!("</h{level}>\n"));
            }
            Block::Paragraph(text) => {
                let language = self.language(text);
                self.add(&format!("<p{language}>"));
                self.line(text);
                self.add("</p>\n");
            }
            Block::Quote(blocks) => {
                self.add("<blockquote>\n");
                self.blocks(blocks);
                self.add("</blockquote>\n");
            }
            Block::Code { text } => {
                self.add("<pre><code>");
                self.text(text);
                self.add("</code></pre>\n");
            }
            Block::Rule => self.add("<hr>\n"),
            Block::List(list) => {
                let (open, close) = match list.start {
                    None => ("<ul>\n".to_owned(), "</ul>\n"),
                    Some(1) => ("<ol>\n".to_owned(), "</ol>\n"),
                    Some(start) => (format!("<ol start=\"{start}\">\n"), "</ol>\n"),
                };
                self.add(&open);
                list.items.iter().for_each(|item| self.item(item, list.is_tight));
                self.add(close);
            }
            Block::Table(table) => {
                let rows =
                    std::iter::once((&table.head, "th")).chain(table.rows.iter().map(|row| (row, "td")));
                // A wide table scrolls on its own.
                self.add("<div class=\"table\"><table>\n");
                for (row, cell) in rows {
                    self.add("<tr>");
                    for (text, alignment) in row.iter().zip(&table.columns) {
                        let class = match alignment {
                            Alignment::Start => "",
                            Alignment::Center => " class=\"center\"",
                            Alignment::End => " class=\"end\"",
                        };
                        let language = self.language(text);
                        self.add(&format!("<{cell}{class}{language}>"));
                        self.line(text);
                        self.add(&format!("</{cell}>"));
                    }
                    self.add("</tr>\n");
                }
                self.add("</table></div>\n");
            }
        }
    }

    fn item(&mut self, item: &[Block], is_tight: bool) {
        self.add("<li>");
        for block in item {
            match block {
                Block::Paragraph(text) if is_tight => self.line(text),
                block => self.block(block),
            }
        }
        self.add("</li>\n");
    }

    fn line(&mut self, line: &[Inline]) {
        for inline in line {
            match inline {
                Inline::Text(text) => self.text(text),
                Inline::Code(text) => {
                    self.add("<code>");
                    self.text(text);
                    self.add("</code>");
                }
                Inline::Emphasis(text) => self.within("em", text),
                Inline::Strong(text) => self.within("strong", text),
                Inline::Struck(text) => self.within("del", text),
                Inline::Link { address, text } => {
                    self.add("<a rel=\"noopener noreferrer\" href=\"");
                    self.text(address);
                    self.add("\">");
                    self.line(text);
                    self.add("</a>");
                }
                Inline::Note { number, is_first } => {
                    let id = if *is_first { format!(" id=\"note-{number}-from\"") } else { String::new() };
                    // Writing into a string cannot fail.
                    let _ = write!(self.html, "<sup><a{id} href=\"#note-{number}\">{number}</a></sup>");
                }
                Inline::Break => self.add("<br>\n"),
            }
        }
    }

    fn within(&mut self, tag: &str, text: &[Inline]) {
        self.add(&format!("<{tag}>"));
        self.line(text);
        self.add(&format!("</{tag}>"));
    }
}

//! Typesets a document on pages.

use kernel::Error;
use pdf::Pages;
use serde_json::{Value, json};

use crate::document::{Alignment, Block, Document, Inline, Language};

/// The document on pages.
///
/// # Errors
/// As for [`Pages::set`].
pub(crate) fn pages(document: &Document) -> Result<Pages, Error> {
    let setter = Setter { document };
    let language = document.language;
    Pages::set(&json!({
        "title": document.title,
        // An undetected language must not be declared.
        "lang": language.map_or("und", lang),
        "region": language.and_then(region),
        "script": script(document.east_asian),
        "blocks": setter.blocks(&document.blocks, 0),
        "notes": document.notes.iter().map(|note| setter.blocks(note, 1)).collect::<Vec<_>>(),
    }))
}

fn lang(language: Language) -> &'static str {
    match language {
        Language::English => "en",
        Language::Japanese => "ja",
        Language::SimplifiedChinese | Language::TraditionalChinese => "zh",
        Language::Korean => "ko",
    }
}

fn region(language: Language) -> Option<&'static str> {
    match language {
        Language::SimplifiedChinese => Some("CN"),
        Language::TraditionalChinese => Some("TW"),
        Language::English | Language::Japanese | Language::Korean => None,
    }
}

/// The script that fonts use for ideographs.
fn script(language: Option<Language>) -> &'static str {
    match language {
        Some(Language::Japanese) => "JP",
        Some(Language::TraditionalChinese) => "TC",
        Some(Language::Korean) => "KR",
        Some(Language::SimplifiedChinese | Language::English) | None => "SC",
    }
}

/// Deepest nesting of blocks on a page, less than in a document because a page is narrow; deeper blocks are set at this
/// depth.
const DEEPEST: usize = 8;

struct Setter<'d> {
    document: &'d Document,
}

impl Setter<'_> {
    fn blocks(&self, blocks: &[Block], depth: usize) -> Vec<Value> {
        blocks.iter().flat_map(|block| self.block(block, depth)).collect()
    }

    fn block(&self, block: &Block, depth: usize) -> Vec<Value> {
        vec![match block {
            Block::Quote(inner) if depth >= DEEPEST => return self.blocks(inner, depth),
            Block::List(list) if depth >= DEEPEST => {
                return list.items.iter().flat_map(|item| self.blocks(item, depth)).collect();
            }
            Block::Quote(inner) => json!({"kind": "quote", "blocks": self.blocks(inner, depth + 1)}),
            Block::List(list) => json!({
                "kind": "list",
                "start": list.start,
                "tight": list.is_tight,
                "items": list.items.iter().map(|item| self.blocks(item, depth + 1)).collect::<Vec<_>>(),
            }),
            Block::Heading { level, text } => {
                json!({"kind": "heading", "level": level, "line": self.line(text)})
            }
            Block::Paragraph(text) => json!({"kind": "paragraph", "line": self.line(text)}),
            Block::Code { text } => json!({"kind": "code", "text": text}),
            Block::Rule => json!({"kind": "rule"}),
            Block::Table(table) => json!({
                "kind": "table",
                "columns": table.columns.iter().copied().map(side).collect::<Vec<_>>(),
                "head": self.row(&table.head),
                "rows": table.rows.iter().map(|row| self.row(row)).collect::<Vec<_>>(),
            }),
        }]
    }

    fn row(&self, cells: &[Vec<Inline>]) -> Vec<Value> {
        cells.iter().map(|cell| self.line(cell)).collect()
    }

    fn line(&self, line: &[Inline]) -> Value {
        let whole = self.document;
        let language = whole.language_of(line).filter(|language| Some(*language) != whole.language);
        json!({
            "lang": language.map(lang),
            "region": language.and_then(region),
            "script": script(language.filter(|language| language.is_east_asian()).or(whole.east_asian)),
            "parts": parts(line),
        })
    }
}

fn side(alignment: Alignment) -> &'static str {
    match alignment {
        Alignment::Start => "start",
        Alignment::Center => "center",
        Alignment::End => "end",
    }
}

fn parts(line: &[Inline]) -> Vec<Value> {
    line.iter().map(part).collect()
}

fn part(inline: &Inline) -> Value {
    match inline {
        Inline::Text(text) => json!({"kind": "text", "text": text}),
        Inline::Code(text) => json!({"kind": "code", "text": text}),
        Inline::Emphasis(inner) => json!({"kind": "emphasis", "parts": parts(inner)}),
        Inline::Strong(inner) => json!({"kind": "strong", "parts": parts(inner)}),
        Inline::Struck(inner) => json!({"kind": "struck", "parts": parts(inner)}),
        Inline::Link { address, text } => json!({"kind": "link", "address": address, "parts": parts(text)}),
        Inline::Note { number, is_first } => json!({"kind": "note", "number": number, "first": is_first}),
        Inline::Break => json!({"kind": "break"}),
    }
}

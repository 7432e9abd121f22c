//! Reads the text of a PDF file, its title, authors and date.
//!
//! `hayro` reads it: of the three maintained parsers under a compatible licence that were tried, only it read every
//! Chinese and Japanese file, rejected or survived most hostile ones, and stayed small (`lopdf` lost text of fonts
//! without a character map; `pdf_oxide` reads as well but brings 170 crates and 450,000 lines). A crash affects only
//! its own process (`process`). Not in here: OCR of scanned pages.

mod brackets;
mod direction;
mod layout;

use kernel::phrase;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use hayro_interpret::hayro_syntax::object::DateTime;
use hayro_interpret::hayro_syntax::page::Page;
use hayro_interpret::hayro_syntax::{LoadPdfError, Pdf};
use hayro_interpret::kurbo::{Affine, Rect};
use hayro_interpret::{Context, InterpreterCache, InterpreterSettings, interpret_page};
use unicode_normalization::UnicodeNormalization;

use super::head_day::day_in_head;
use super::process::{About, DocumentKind, Message, extract};
use super::{LONGEST_TEXT, ReadError, Reading, Source, markup, one_line};
use layout::PageText;

const MOST_PAGES: usize = 2_000;

/// After this time no further page is read.
const TIME_LIMIT: Duration = Duration::from_secs(15);

pub(crate) fn read(file: &Source<'_>, bytes: &[u8]) -> Result<Reading, ReadError> {
    let extracted = extract(DocumentKind::Pdf, file.shown, bytes)?;
    let text = markup::in_lines(&with_plain_letters(&extracted.text));
    if text.is_empty() {
        return Err(match extracted.damaged {
            0 => file
                .malformed(phrase!("it has no text; if its pages are pictures, have them recognised first")),
            _ => ReadError::Crashed { file: file.shown.to_owned() },
        });
    }
    let title = extracted.about.title.clone().or_else(|| first_line(&text));
    let notes = extracted.notes();
    // The printed date is the date of the text; a file's date changes whenever it is saved.
    let printed = day_in_head(&text);
    let mut document = extracted.document(file, title, text);
    document.published = printed.or(document.published);
    Ok(Reading { notes, documents: vec![document], ..Reading::default() })
}

/// Sends the metadata of the file, then the text of each page.
pub(super) fn emit(bytes: Vec<u8>, on: &mut dyn FnMut(Message)) -> Result<(), String> {
    let pdf = Pdf::new(bytes).map_err(|error| match error {
        LoadPdfError::Decryption(_) => "it is locked with a password; save it without one".to_owned(),
        LoadPdfError::Invalid => "it is no sound PDF file".to_owned(),
    })?;
    let about = pdf.metadata();
    on(Message::About(About {
        title: about.title.as_deref().map(words_of).filter(|title| is_worded(title)),
        authors: about.author.as_deref().map(|line| people(&words_of(line))).unwrap_or_default(),
        published: about.creation_date.as_ref().map(written),
        ..About::default()
    }));
    let begun = Instant::now();
    let total = pdf.pages().len();
    let mut room = LONGEST_TEXT + 1;
    let mut fonts = InterpreterCache::new();
    for (index, page) in pdf.pages().iter().enumerate() {
        if room == 0 || index == MOST_PAGES || begun.elapsed() > TIME_LIMIT {
            on(Message::Omitted(total - index));
            break;
        }
        // State after a panic is discarded.
        match catch_unwind(AssertUnwindSafe(|| page_text(page, &fonts, room))) {
            Ok(text) => {
                room = room.saturating_sub(text.len());
                on(Message::Text(text));
            }
            Err(_) => {
                fonts = InterpreterCache::new();
                on(Message::Damaged);
            }
        }
    }
    Ok(())
}

fn page_text<'p>(page: &Page<'p>, fonts: &InterpreterCache<'p>, room: usize) -> String {
    let everywhere = Rect::new(-1e6, -1e6, 1e6, 1e6);
    let settings = InterpreterSettings::default();
    let mut context = Context::new(Affine::IDENTITY, everywhere, fonts, page.xref(), settings);
    let mut text = PageText::new(room);
    interpret_page(page, &mut context, &mut text);
    text.into_text()
}

/// The day of a time in its own zone.
fn written(at: &DateTime) -> String {
    format!("{:04}-{:02}-{:02}", at.year, at.month, at.day)
}

/// Decodes UTF-16 with its byte order mark, else UTF-8, else Latin-1, which PDFDocEncoding resembles.
fn words_of(bytes: &[u8]) -> String {
    match bytes.strip_prefix(&[0xfe, 0xff]) {
        Some(wide) => {
            let units = wide.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]]));
            char::decode_utf16(units).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
        }
        None => match std::str::from_utf8(bytes) {
            Ok(text) => text.to_owned(),
            Err(_) => bytes.iter().map(|byte| char::from(*byte)).collect(),
        },
    }
}

/// Whether a title is meaningful: programs write the document's file name or a placeholder into it.
fn is_worded(title: &str) -> bool {
    let lower = title.to_lowercase();
    let is_file =
        [".doc", ".docx", ".tex", ".dvi", ".pdf", ".indd", ".qxd"].iter().any(|end| lower.ends_with(end));
    !is_file && !lower.starts_with("untitled") && !lower.starts_with("microsoft word")
}

fn people(line: &str) -> Vec<String> {
    line.split([',', ';']).flat_map(|part| part.split(" and ")).filter_map(one_line).take(50).collect()
}

/// The first line, if it is no sentence; papers begin with their title.
fn first_line(text: &str) -> Option<String> {
    let line = text.lines().next()?;
    let is_title = (4..=120).contains(&line.chars().count()) && !line.ends_with(['.', ',', '。', '-']);
    one_line(line).filter(|_| is_title)
}

/// Replaces ligatures, radicals, Hebrew and Arabic presentation forms and vertical forms with the characters that users
/// search for.
fn with_plain_letters(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\u{fb00}'..='\u{fdff}'
            | '\u{2f00}'..='\u{2fd5}'
            | '\u{fe10}'..='\u{fe4f}'
            | '\u{fe70}'..='\u{fefc}' => {
                plain.extend(std::iter::once(character).nfkc());
            }
            '\u{2e80}'..='\u{2ef3}' => plain.push(radical(character)),
            _ if character.is_control() && character != '\n' => plain.push(' '),
            _ => plain.push(character),
        }
    }
    plain
}

/// The character of a radical that fonts use for both; the standard mapping lacks the newer radicals.
fn radical(character: char) -> char {
    const RADICALS: [(char, char); 24] = [
        ('⺝', '月'),
        ('⺟', '母'),
        ('⺠', '民'),
        ('⻄', '西'),
        ('⻅', '见'),
        ('⻆', '角'),
        ('⻉', '贝'),
        ('⻋', '车'),
        ('⻑', '長'),
        ('⻓', '长'),
        ('⻔', '门'),
        ('⻘', '青'),
        ('⻚', '页'),
        ('⻛', '风'),
        ('⻜', '飞'),
        ('⻝', '食'),
        ('⻢', '马'),
        ('⻣', '骨'),
        ('⻤', '鬼'),
        ('⻥', '鱼'),
        ('⻦', '鸟'),
        ('⻩', '黄'),
        ('⻭', '歯'),
        ('⻲', '亀'),
    ];
    RADICALS.iter().find(|(radical, _)| *radical == character).map_or(character, |(_, plain)| *plain)
}

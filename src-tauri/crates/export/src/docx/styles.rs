//! The styles and numberings of a Word file, under Word's own names.

use docx_rs::{
    AbstractNumbering, BorderType, Docx, Level, LevelJc, LevelText, LineSpacing, LineSpacingType,
    NumberFormat, ParagraphBorder, ParagraphBorderPosition, ParagraphBorders, RunFonts, Shading, ShdType,
    SpecialIndentType, Start, Style, StyleType, VertAlignType,
};

use super::{MOST_LEVELS, STEP};
use crate::document::Language;

/// The numbering of bulleted lists; the library defines one before it.
pub(super) const BULLETED: usize = 2;
/// The numbering of numbered lists.
pub(super) const NUMBERED: usize = 3;

const LATIN: &str = "Calibri";
const FIXED: &str = "Consolas";
/// Font sizes of headings by level, in half points.
const HEADINGS: [usize; 6] = [36, 30, 26, 24, 22, 22];
const TEXT_SIZE: usize = 22;

/// The font for a language.
pub(super) fn font(language: Language) -> &'static str {
    match language {
        Language::English => LATIN,
        Language::Japanese => "Yu Gothic",
        Language::SimplifiedChinese => "Microsoft YaHei",
        Language::TraditionalChinese => "Microsoft JhengHei",
        Language::Korean => "Malgun Gothic",
    }
}

/// Adds styles and numberings to the file.
pub(super) fn add(file: Docx, east_asian: Option<Language>) -> Docx {
    let fonts = RunFonts::new().ascii(LATIN).hi_ansi(LATIN).cs(LATIN);
    let fonts = match east_asian {
        Some(language) => fonts.east_asia(font(language)),
        None => fonts,
    };
    let mut file = file
        .default_fonts(fonts)
        .default_size(TEXT_SIZE)
        .default_line_spacing(LineSpacing::new().line_rule(LineSpacingType::Auto).line(276).after(140))
        .add_abstract_numbering(levels(BULLETED))
        .add_abstract_numbering(levels(NUMBERED));
    for (index, size) in HEADINGS.into_iter().enumerate() {
        let level = index + 1;
        let mut heading =
            paragraph(&format!("Heading{level}"), &format!("heading {level}")).size(size).bold();
        heading.paragraph_property = heading
            .paragraph_property
            .keep_next(true)
            .outline_lvl(index)
            .line_spacing(LineSpacing::new().before(280).after(100));
        file = file.add_style(heading.next("Normal"));
    }
    let mut quote = paragraph("Quote", "Quote").italic();
    quote.paragraph_property =
        quote.paragraph_property.set_borders(border(ParagraphBorderPosition::Left, 12, 8));
    let fixed = || RunFonts::new().ascii(FIXED).hi_ansi(FIXED).cs(FIXED);
    let mut code = paragraph("HTMLPreformatted", "HTML Preformatted").size(18);
    code.run_property = code.run_property.fonts(fixed());
    code.paragraph_property = code.paragraph_property.shading(wash());
    let mut rule = paragraph("HorizontalLine", "Horizontal Line");
    rule.paragraph_property =
        rule.paragraph_property.set_borders(border(ParagraphBorderPosition::Bottom, 6, 1));
    let mut cell = paragraph("TableContents", "Table Contents");
    cell.paragraph_property = cell.paragraph_property.line_spacing(LineSpacing::new().before(40).after(40));
    let mut note = character("FootnoteReference", "footnote reference");
    note.run_property = note.run_property.vert_align(VertAlignType::SuperScript);
    let mut inline_code = character("HTMLCode", "HTML Code").size(20);
    inline_code.run_property = inline_code.run_property.fonts(fixed()).shading(wash());
    let mut link = character("Hyperlink", "Hyperlink").color("0563C1");
    link.run_property = link.run_property.underline("single");
    let others = [
        paragraph("ListParagraph", "List Paragraph"),
        quote,
        code,
        rule,
        cell,
        paragraph("FootnoteText", "footnote text").size(18),
        note,
        inline_code,
        link,
    ];
    others.into_iter().fold(file, Docx::add_style)
}

fn paragraph(id: &str, name: &str) -> Style {
    Style::new(id, StyleType::Paragraph).name(name).based_on("Normal")
}

fn character(id: &str, name: &str) -> Style {
    Style::new(id, StyleType::Character).name(name)
}

fn wash() -> Shading {
    Shading::new().shd_type(ShdType::Clear).color("auto").fill("F3F4F6")
}

/// `size` in eighths of a point, `space` in points.
fn border(position: ParagraphBorderPosition, size: usize, space: usize) -> ParagraphBorders {
    let border =
        ParagraphBorder::new(position).val(BorderType::Single).size(size).space(space).color("C0C4C9");
    // By default the library draws all four borders.
    ParagraphBorders::with_empty().set(border)
}

/// The levels of a numbering, with bullets or numbers.
fn levels(id: usize) -> AbstractNumbering {
    (0..MOST_LEVELS).fold(AbstractNumbering::new(id), |numbering, index| {
        let place = format!("%{}.", index + 1);
        let (format, text) = match (id == BULLETED, index % 3) {
            (true, 0) => ("bullet", "•"),
            (true, 1) => ("bullet", "◦"),
            (true, _) => ("bullet", "▪"),
            (false, _) => ("decimal", place.as_str()),
        };
        let level = Level::new(
            index,
            Start::new(1),
            NumberFormat::new(format),
            LevelText::new(text),
            LevelJc::new("left"),
        );
        let indent = STEP * i32::try_from(index + 1).unwrap_or(1);
        numbering.add_level(level.indent(Some(indent), Some(SpecialIndentType::Hanging(STEP)), None, None))
    })
}

/// Text with all XML characters escaped.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&apos;"),
            _ if character.is_control() => {}
            _ => escaped.push(character),
        }
    }
    escaped
}

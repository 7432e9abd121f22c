//! PDF files written by hand. Hostile ones are read by the real program (`tests/it/terminal/documents.rs`), because
//! here they would crash the tests.

use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;

use super::{error_text, one};

/// A file with these objects, numbered from 1; the first is the catalog, the last may be the document information.
fn pdf(objects: &[Vec<u8>]) -> Vec<u8> {
    let mut file = b"%PDF-1.4\n".to_vec();
    let mut places = Vec::new();
    for (index, object) in objects.iter().enumerate() {
        places.push(file.len());
        file.extend(format!("{} 0 obj\n", index + 1).bytes());
        file.extend(object);
        file.extend(b"\nendobj\n");
    }
    let table = file.len();
    file.extend(format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1).bytes());
    for place in places {
        file.extend(format!("{place:010} 00000 n \n").bytes());
    }
    let count = objects.len();
    file.extend(
        format!(
            "trailer\n<< /Size {} /Root 1 0 R /Info {count} 0 R >>\nstartxref\n{table}\n%%EOF\n",
            count + 1
        )
        .bytes(),
    );
    file
}

fn stream(fields: &str, content: &[u8]) -> Vec<u8> {
    let mut object = format!("<< {fields} /Length {} >>\nstream\n", content.len()).into_bytes();
    object.extend(content);
    object.extend(b"\nendstream");
    object
}

fn packed(content: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

fn words(text: &str) -> Vec<u8> {
    format!("BT /F1 12 Tf 72 700 Td ({text}) Tj ET").into_bytes()
}

const FONT: &str = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>";

/// Catalog, page tree, a page and its content for each of `contents`, the font, then `more` and the document
/// information. Page `n` is object `3 + 2n`; the font comes after all pages, then the objects of `more`.
fn pages(contents: &[Vec<u8>], resources: &str, more: Vec<Vec<u8>>) -> Vec<u8> {
    // The second font is added to the same resources.
    let (fonts, resources) = match resources {
        "/Font << /F2 6 0 R >>" => ("/F2 6 0 R", ""),
        other => ("", other),
    };
    let font = 3 + 2 * contents.len();
    let kids: Vec<String> = (0..contents.len()).map(|page| format!("{} 0 R", 3 + 2 * page)).collect();
    let mut objects = vec![
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        format!("<< /Type /Pages /Kids [{}] /Count {} >>", kids.join(" "), kids.len()).into_bytes(),
    ];
    for (page, content) in contents.iter().enumerate() {
        let page = format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {} 0 R /Resources << /Font << /F1 {font} 0 R {fonts} >> {resources} >> >>",
            4 + 2 * page
        );
        objects.push(page.into_bytes());
        objects.push(content.clone());
    }
    objects.push(FONT.as_bytes().to_vec());
    objects.extend(more);
    objects.push(
        b"<< /Title (Retrieval in practice) /Author (Ann Lee, Bo Chen) /CreationDate (D:20260612083000Z) >>"
            .to_vec(),
    );
    pdf(&objects)
}

#[test]
fn a_file_gives_the_text_of_its_pages_and_its_metadata() {
    let contents = [
        stream("", &words("Retrieval helps models")),
        stream("/Filter /FlateDecode", &packed(&words("and so do tools"))),
    ];
    let document = one("paper.pdf", &pages(&contents, "", vec![]));
    assert_eq!(document.title, "Retrieval in practice");
    assert_eq!(document.authors, ["Ann Lee", "Bo Chen"]);
    assert_eq!(document.published.as_deref(), Some("2026-06-12"));
    assert_eq!(document.text, "Retrieval helps models\n\nand so do tools");
    assert_eq!(one("no-extension", &pages(&contents, "", vec![])).text, document.text);
}

#[test]
fn files_that_are_no_pdf_or_have_no_text_give_an_error_message() {
    assert!(error_text("cut.pdf", b"%PDF-1.7\n1 0 obj\n<< /Type").contains("no sound PDF"));
    assert!(error_text("words.pdf", b"not a pdf at all").contains("no sound PDF"));
    assert!(
        error_text("scan.pdf", &pages(&[stream("", b"0 0 m 10 10 l S")], "", vec![])).contains("has no text")
    );
}

#[test]
fn text_in_forms_is_read_and_lines_and_paragraphs_are_kept() {
    let form = stream(
        "/Type /XObject /Subtype /Form /BBox [0 0 600 800]",
        b"BT /F1 9 Tf 72 600 Td (in a form) Tj ET",
    );
    let content = stream(
        "",
        b"BT /F1 12 Tf 72 700 Td [(Two w) 20 (ords) -400 (here) ] TJ 0 -14 Td (next line) Tj 0 -60 Td (next paragraph) Tj ET /X Do",
    );
    let sound = pages(&[content], "/XObject << /X 6 0 R >>", vec![form]);
    assert_eq!(one("sound.pdf", &sound).text, "Two words here\nnext line\n\nnext paragraph\n\nin a form");
}

/// A font of an East Asian program: it is not embedded, and has no character map.
fn east_asian(encoding: &str, ordering: &str) -> Vec<Vec<u8>> {
    let font = format!(
        "<< /Type /Font /Subtype /Type0 /BaseFont /X /Encoding /{encoding} /DescendantFonts [7 0 R] >>"
    );
    let inner = format!(
        "<< /Type /Font /Subtype /CIDFontType0 /BaseFont /X /DW 1000 /CIDSystemInfo << /Registry (Adobe) /Ordering ({ordering}) /Supplement 2 >> >>"
    );
    vec![font.into_bytes(), inner.into_bytes()]
}

fn hexadecimal(bytes: impl IntoIterator<Item = u8>) -> String {
    bytes.into_iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn chinese_and_japanese_are_read_without_a_character_map_and_across_lines() {
    let wide = |text: &str| hexadecimal(text.encode_utf16().flat_map(u16::to_be_bytes));
    let japanese = ["本研究は聖地巡礼の経路を最適化する手法を提案し、歩", "行距離が短くなった。"];
    let chinese = ["研究人员提出了一个新的检索增强生成基准，覆盖中文医", "疗问答。"];
    let shift_jis = |text: &str| hexadecimal(encoding_rs::SHIFT_JIS.encode(text).0.into_owned());
    for (encoding, ordering, [first, second], coded) in [
        ("UniJIS-UCS2-H", "Japan1", japanese, &wide as &dyn Fn(&str) -> String),
        ("90ms-RKSJ-H", "Japan1", japanese, &shift_jis),
        ("UniGB-UCS2-H", "GB1", chinese, &wide),
    ] {
        let content = format!(
            "BT /F2 12 Tf 72 700 Td <{}> Tj 0 -16 Td <{}> Tj 0 -80 Td <{}> Tj ET",
            coded(first),
            coded(second),
            coded(second)
        );
        let file =
            pages(&[stream("", content.as_bytes())], "/Font << /F2 6 0 R >>", east_asian(encoding, ordering));
        assert_eq!(one("east.pdf", &file).text, format!("{first}{second}\n\n{second}"), "{encoding}");
    }
    let vertical =
        format!("BT /F2 12 Tf 500 700 Td <{}> Tj -20 0 Td <{}> Tj ET", wide(japanese[0]), wide(japanese[1]));
    let file = pages(
        &[stream("", vertical.as_bytes())],
        "/Font << /F2 6 0 R >>",
        east_asian("UniJIS-UCS2-V", "Japan1"),
    );
    assert_eq!(one("vertical.pdf", &file).text, japanese.concat());
}

#[test]
fn ligatures_and_radicals_become_searchable_characters() {
    let table = b"1 begincodespacerange <00> <ff> endcodespacerange 4 beginbfchar <61> <FB01> <62> <2F8F> <63> <2ED1> <64> <FE12> endbfchar";
    let font =
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding /ToUnicode 7 0 R >>";
    let content = stream("", b"BT /F2 12 Tf 72 700 Td (abcd) Tj ET");
    let file = pages(&[content], "/Font << /F2 6 0 R >>", vec![font.to_vec(), stream("", table)]);
    assert_eq!(one("letters.pdf", &file).text, "fi行長。");
}

/// A page with this content in a font whose letters `a` to `e`, `g` and `h` are Hebrew.
fn hebrew(content: &str) -> Vec<u8> {
    let letters = ["05E9", "05DC", "05D5", "05DD", "05E2", "05D1", "05EA"];
    let named = "abcdegh".bytes().zip(letters).map(|(code, letter)| format!("<{code:02x}> <{letter}> "));
    let table = format!(
        "1 begincodespacerange <00> <ff> endcodespacerange {} beginbfchar {} endbfchar",
        letters.len(),
        named.collect::<String>()
    );
    let font =
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding /ToUnicode 7 0 R >>";
    let content = stream("", format!("BT /F2 12 Tf {content} ET").as_bytes());
    pages(&[content], "/Font << /F2 6 0 R >>", vec![font.to_vec(), stream("", table.as_bytes())])
}

#[test]
fn right_to_left_text_is_read_in_order_however_it_was_drawn() {
    // In visual order, from left to right.
    let lines =
        "72 700 Td (hga 2026 ,dbce dcba) Tj 0 -14 Td (\\(dcba\\) 1,5) Tj 0 -14 Td (\\)dcba\\( 12/6) Tj";
    assert_eq!(one("seen.pdf", &hebrew(lines)).text, "שלום עולם, 2026 שבת\n1,5 (שלום)\n12/6 (שלום)");
    // The same positions, one glyph at a time from right to left.
    let seen = "hga 2026 dbce dcba";
    let placed: String = seen
        .char_indices()
        .rev()
        .map(|(at, letter)| format!("1 0 0 1 {} 700 Tm ({letter}) Tj ", 72 + 7 * at))
        .collect();
    assert_eq!(one("placed.pdf", &hebrew(&placed)).text, "שלום עולם 2026 שבת");
}

#[test]
fn a_mixed_line_has_the_base_direction_of_its_page() {
    let mixed = "(.abc THE LORD OF RIGS dcba) Tj";
    // Visual order in a right-to-left and in a left-to-right line.
    let from_right = format!("72 700 Td (hga dbce dcba) Tj 0 -14 Td (dcba dbce) Tj 0 -14 Td {mixed}");
    let text = one("right.pdf", &hebrew(&from_right)).text;
    assert_eq!(text.lines().last(), Some("שלום THE LORD OF RIGS ולש."));
    let from_left = format!("72 700 Td (THE FIRST LINE) Tj 0 -14 Td (SECOND) Tj 0 -14 Td {mixed}");
    let text = one("left.pdf", &hebrew(&from_left)).text;
    assert_eq!(text.lines().last(), Some(".ולש THE LORD OF RIGS שלום"));
    assert_eq!(one("alone.pdf", &hebrew("72 700 Td (THW dcba US) Tj")).text, "THW שלום US");
}

#[test]
fn each_bracket_of_a_right_to_left_line_is_corrected_by_itself() {
    let page = "72 700 Td (hga dbce dcba) Tj 0 -14 Td (dcba dbce) Tj 0 -14 Td";
    for (seen, read) in [
        // One bracket is drawn with the Latin words, the other one is mirrored.
        ("dcba (OST 2.0 (NEW", "OST 2.0 (NEW) שלום"),
        ("dcba )OST 2.0 (NEW", "OST 2.0 (NEW) שלום"),
        ("(dcba) [hga] abc", "ולש [שבת] (שלום)"),
        (")dcba( ]hga[ abc", "ולש [שבת] (שלום)"),
        ("((dcba) hga)", "(שבת (שלום))"),
        (")dcba (hga", "שבת) שלום)"),
        // Either sign is possible, so it stays as it is.
        ("3 < 5 dcba", "שלום 5 < 3"),
    ] {
        let escaped = seen.replace('(', "\\(").replace(')', "\\)");
        let text = one("a.pdf", &hebrew(&format!("{page} ({escaped}) Tj"))).text;
        assert_eq!(text.lines().last(), Some(read), "{seen}");
    }
}

#[test]
fn a_superscript_in_a_right_to_left_line_is_a_power() {
    let up = |words: &str| format!("/F2 8 Tf 4 Ts ({words}) Tj /F2 12 Tf 0 Ts");
    let content = format!("72 700 Td (dcba 10) Tj {} ( hga) Tj", up("12"));
    assert_eq!(one("power.pdf", &hebrew(&content)).text, "שבת 10^12 שלום");
    let content = format!("72 700 Td (dcba 10) Tj {} ( hga) Tj", up("-6"));
    assert_eq!(one("power.pdf", &hebrew(&content)).text, "שבת 10^-6 שלום");
}

#[test]
fn a_superscript_is_a_power() {
    let content = b"BT /F1 12 Tf 72 700 Td (About 10) Tj /F1 8 Tf 4 Ts (12) Tj /F1 12 Tf 0 Ts ( cells were seen) Tj /F1 8 Tf 4 Ts (1) Tj ET";
    assert_eq!(
        one("power.pdf", &pages(&[stream("", content)], "", vec![])).text,
        "About 10^12 cells were seen1"
    );
    let small = b"BT /F1 12 Tf 72 700 Td (About 10) Tj /F1 8 Tf 4 Ts (-9) Tj /F1 12 Tf 0 Ts ( m) Tj ET";
    assert_eq!(one("power.pdf", &pages(&[stream("", small)], "", vec![])).text, "About 10^-9 m");
}

/// A PDF with these words on its only page, for tests of other modules.
pub(crate) fn sample_pdf(text: &str) -> Vec<u8> {
    pages(&[stream("", &words(text))], "", vec![])
}

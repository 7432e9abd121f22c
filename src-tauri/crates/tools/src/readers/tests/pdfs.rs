//! PDF files written by hand, whole and hostile.

use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;

use super::{complaint, folder, notes, one, read};

/// A file of these objects, numbered from 1; the first is the catalog, the last may be its description.
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

/// Catalog, tree, then a page with its content for each of these, the font, more objects, the description.
/// Page `n` is object `3 + 2n`; the font comes after all pages, then the objects of `more`.
fn pages(contents: &[Vec<u8>], resources: &str, more: Vec<Vec<u8>>) -> Vec<u8> {
    let font = 3 + 2 * contents.len();
    let kids: Vec<String> = (0..contents.len()).map(|page| format!("{} 0 R", 3 + 2 * page)).collect();
    let mut objects = vec![
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        format!("<< /Type /Pages /Kids [{}] /Count {} >>", kids.join(" "), kids.len()).into_bytes(),
    ];
    for (page, content) in contents.iter().enumerate() {
        let page = format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {} 0 R /Resources << /Font << /F1 {font} 0 R >> {resources} >> >>",
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
fn a_file_gives_the_text_of_its_pages_and_what_it_says_of_itself() {
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
fn a_page_that_stops_its_reader_is_left_out_and_that_is_said() {
    let contents = [stream("", &words("A sound page")), stream("", b"BT /Gone 12 Tf (x) Tj ET")];
    let folder = folder(&[("half.pdf", &pages(&contents, "", vec![]))]);
    let (documents, told) = read(&folder.path().join("half.pdf"));
    assert_eq!(documents.unwrap()[0].text, "A sound page");
    assert_eq!(notes(&told), ["1 of its pages are damaged and were left out"]);
}

#[test]
fn files_that_are_no_pdf_or_have_no_text_are_refused_in_words() {
    assert!(complaint("cut.pdf", b"%PDF-1.7\n1 0 obj\n<< /Type").contains("no sound PDF"));
    assert!(complaint("words.pdf", b"not a pdf at all").contains("no sound PDF"));
    assert!(
        complaint("scan.pdf", &pages(&[stream("", b"0 0 m 10 10 l S")], "", vec![])).contains("has no text")
    );
    assert!(
        complaint("odd.pdf", &pages(&[stream("", b"BT /Gone 1 Tf (x) Tj ET")], "", vec![]))
            .contains("damaged")
    );
}

#[test]
fn pages_and_forms_that_contain_themselves_do_not_overflow() {
    // The page's parent is the page: looking for inherited resources would never end.
    let own_parent = pdf(&[
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_vec(),
        b"<< /Type /Page /Parent 3 0 R /Contents 4 0 R >>".to_vec(),
        stream("", &words("x")),
        b"<< >>".to_vec(),
    ]);
    assert!(complaint("parent.pdf", &own_parent).contains("damaged"));

    let form = |content: &str| stream("/Type /XObject /Subtype /Form /BBox [0 0 9 9]", content.as_bytes());
    let endless = pages(&[stream("", b"/X Do")], "/XObject << /X 6 0 R >>", vec![form("/X Do")]);
    assert!(complaint("form.pdf", &endless).contains("damaged"));

    // Each of ten forms draws the next one ten times: ten thousand million drawings.
    let names: Vec<String> = (0..10).map(|index| format!("/X{index} {} 0 R", 6 + index)).collect();
    let forms = (0..10).map(|index| form(&format!("/X{} Do ", index + 1).repeat(10))).collect();
    let laughs = pages(&[stream("", b"/X0 Do")], &format!("/XObject << {} >>", names.join(" ")), forms);
    assert!(complaint("laughs.pdf", &laughs).contains("damaged"));

    let sound = pages(
        &[stream("", b"/X Do")],
        "/XObject << /X 6 0 R >>",
        vec![form("BT /F1 9 Tf (in a form) Tj ET")],
    );
    assert_eq!(one("sound.pdf", &sound).text, "in a form");
}

#[test]
fn what_unpacks_without_end_is_refused() {
    let bomb = packed(&vec![b' '; 130 << 20]);
    assert!(bomb.len() < 1 << 20);
    let page = pages(&[stream("/Filter /FlateDecode", &bomb)], "", vec![]);
    assert!(complaint("bomb.pdf", &page).contains("too large to unpack"));
    let twice = pages(&[stream("/Filter [/FlateDecode /FlateDecode]", &packed(&packed(b"x")))], "", vec![]);
    assert!(complaint("twice.pdf", &twice).contains("damaged"));
}

#[test]
fn a_font_table_without_end_costs_the_table_not_the_program() {
    let font = |table: usize| {
        format!("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding /ToUnicode {table} 0 R >>").into_bytes()
    };
    let wide = stream("", b"1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfrange <00000000> <ffffffff> <00000041> endbfrange");
    let deep = stream("", "[".repeat(2_000_000).as_bytes());
    for table in [wide, deep] {
        let content = stream("", b"BT /F2 12 Tf (still here) Tj ET");
        let file = pages(&[content], "/Font << /F2 6 0 R >>", vec![font(7), table]);
        assert_eq!(one("font.pdf", &file).text, "still here");
    }
}

//! PDF files, read by poppler.

use std::io::Write;

use super::{ARTICLE, Sample};

/// The output of a poppler program for a PDF file.
pub(crate) fn poppler(program: &str, pdf: &[u8], arguments: &[&str]) -> String {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(pdf).unwrap();
    let output = std::process::Command::new(program).arg(file.path()).args(arguments).output().unwrap();
    assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
    // A heading in another script is printed as it is stored.
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn a_pdf_file_has_its_fonts_links_headings_and_languages() {
    let pdf = Sample::of(ARTICLE).export("pdf").bytes;
    let text = poppler("pdftotext", &pdf, &["-"]);
    let joined: String = text.split_whitespace().collect();
    for words in [
        "検索拡張生成は、外部の文書を参照しながら",
        "检索增强生成是这个领域的重要方法",
        "🙂",
        "Itssecondparagraph",
    ] {
        assert!(joined.contains(words), "{words}: {text}");
    }
    let fonts = poppler("pdffonts", &pdf, &[]);
    let rows: Vec<&str> = fonts.lines().skip(2).collect();
    let embedded = |row: &&str| row.split_whitespace().rev().nth(4) == Some("yes");
    assert!(rows.len() > 5 && rows.iter().all(embedded), "{fonts}");
    for font in ["NotoSerifCJKjp", "NotoSerifCJKsc", "LibertinusSerif", "DejaVuSansMono"] {
        assert!(fonts.contains(font), "{font}: {fonts}");
    }
    let about = poppler("pdfinfo", &pdf, &["-url"]);
    for address in
        ["https://example.org/first?a=1&b=2", "mailto:someone@example.org", "https://example.org/note"]
    {
        assert!(about.contains(address), "{address}: {about}");
    }
    assert!(!about.contains("javascript") && !about.contains("spy.example"), "{about}");
    let tags = poppler("pdfinfo", &pdf, &["-struct"]);
    for tag in ["H1", "H3", "Table", "TH", "L ", "Link", "Note", "Code"] {
        assert!(tags.contains(tag), "{tag}: {tags}");
    }
    assert!(poppler("pdfinfo", &pdf, &[]).contains("Retrieval & generation"));
}

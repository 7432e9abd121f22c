//! Files as inputs: whatever kind a document is of, its text is what the run gets.

use std::io::Write;

use super::galley::Galley;

/// A Word file with these paragraphs.
fn word_file(paragraphs: &[&str]) -> Vec<u8> {
    let body: String =
        paragraphs.iter().map(|text| format!("<w:p><w:r><w:t>{text}</w:t></w:r></w:p>")).collect();
    let document = format!(
        "<?xml version=\"1.0\"?><w:document xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\"><w:body>{body}</w:body></w:document>"
    );
    let mut file = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let parts = [
        (
            "[Content_Types].xml",
            "<?xml version=\"1.0\"?><Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\"><Override PartName=\"/word/document.xml\" ContentType=\"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml\"/></Types>".to_owned(),
        ),
        ("word/document.xml", document),
    ];
    for (name, content) in parts {
        file.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        file.write_all(content.as_bytes()).unwrap();
    }
    file.finish().unwrap().into_inner()
}

/// The template and the summary as the run got them from these files.
fn given(galley: &Galley, template: &str, summary: &str) -> (String, String) {
    let template = format!("template=@{template}");
    let summary = format!("reviewed_summary=@{summary}");
    let words =
        ["run", "template", "--input", &template, "--input", &summary, "--profile", "built-in", "--json"];
    let result = galley.run(words).ok().result();
    let text = |key: &str| result["state"][key].as_str().unwrap_or_default().to_owned();
    (text("template"), text("reviewed_summary"))
}

#[test]
fn a_word_file_and_a_web_page_are_given_as_template_and_summary() {
    let galley = Galley::new();
    let template =
        galley.file("report.docx", word_file(&["The trial had {number} patients.", "It ended in {month}."]));
    let page = "<!doctype html><html><body><article><p>The trial had 48 patients &amp; two centres.</p><p>It ended in May.</p></article></body></html>";
    let summary = galley.file("summary.html", page.as_bytes());
    let (template, summary) = given(&galley, &template, &summary);
    assert!(template.contains("The trial had {number} patients."), "{template}");
    assert!(summary.contains("48 patients & two centres") && !summary.contains('<'), "{summary}");
}

#[test]
fn a_markdown_file_is_given_as_it_stands_and_a_japanese_encoding_is_read() {
    let galley = Galley::new();
    let template =
        galley.file("a.md", "---\nkind: report\n---\n\n# 報告\n\n患者は{人数}名でした。\n".as_bytes());
    let (encoded, _, _) = encoding_rs::SHIFT_JIS.encode("試験の患者は48名でした。期間は六か月でした。");
    let summary = galley.file("b.txt", encoded);
    let (template, summary) = given(&galley, &template, &summary);
    assert!(template.starts_with("---\nkind: report\n---\n\n# 報告"), "{template}");
    assert_eq!(summary.trim(), "試験の患者は48名でした。期間は六か月でした。");
}

//! Word documents, put together from their parts.

use std::io::{Cursor, Write};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::{error_text, one};

fn archive(parts: &[(&str, &str)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in parts {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(content.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn document(body: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?><w:document xmlns:w=\"w\" xmlns:mc=\"m\"><w:body>{body}</w:body></w:document>"
    )
}

fn paragraph(properties: &str, text: &str) -> String {
    format!("<w:p><w:pPr>{properties}</w:pPr><w:r><w:t xml:space=\"preserve\">{text}</w:t></w:r></w:p>")
}

const STYLES: &str = "<w:styles><w:style w:styleId=\"1\"><w:name w:val=\"heading 1\"/></w:style>\
    <w:style w:styleId=\"a\"><w:basedOn w:val=\"1\"/><w:name w:val=\"mine\"/></w:style>\
    <w:style w:styleId=\"L\"><w:name w:val=\"List\"/><w:pPr><w:numPr><w:numId w:val=\"2\"/></w:numPr></w:pPr></w:style>\
    <w:style w:styleId=\"r\"><w:name w:val=\"round\"/><w:basedOn w:val=\"r\"/></w:style></w:styles>";
const LISTS: &str = "<w:numbering><w:abstractNum w:abstractNumId=\"7\"><w:lvl w:ilvl=\"0\"><w:numFmt w:val=\"decimal\"/></w:lvl></w:abstractNum>\
    <w:abstractNum w:abstractNumId=\"8\"><w:lvl w:ilvl=\"0\"><w:numFmt w:val=\"bullet\"/></w:lvl></w:abstractNum>\
    <w:num w:numId=\"1\"><w:abstractNumId w:val=\"7\"/></w:num><w:num w:numId=\"2\"><w:abstractNumId w:val=\"8\"/></w:num></w:numbering>";
const ABOUT: &str = "<cp:coreProperties><dc:title>検索 &amp; 生成</dc:title><dc:creator>山田 花子; Bo Chen</dc:creator>\
    <dcterms:created>2026-06-12T08:30:00Z</dcterms:created></cp:coreProperties>";

#[test]
fn a_document_gives_its_headings_lists_and_tables_as_markdown() {
    let numbered = "<w:numPr><w:ilvl w:val=\"0\"/><w:numId w:val=\"1\"/></w:numPr>";
    let cell = |text: &str| format!("<w:tc>{}</w:tc>", paragraph("", text));
    let body = [
        paragraph("<w:pStyle w:val=\"a\"/>", "見出し"),
        paragraph("<w:pStyle w:val=\"r\"/>", "A &lt;b&gt; paragraph,</w:t><w:tab/><w:t>with a tab"),
        paragraph("<w:outlineLvl w:val=\"1\"/>", "Second"),
        paragraph(numbered, "one"),
        paragraph(numbered, "two"),
        paragraph("<w:pStyle w:val=\"L\"/>", "three"),
        format!("<w:tbl><w:tr>{}{}</w:tr><w:tr>{}{}</w:tr></w:tbl>", cell("名前"), cell("値"), cell("a|b"), cell("12.5")),
        "<w:p><w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:moveFrom><w:r><w:t>moved</w:t></w:r></w:moveFrom>\
         <w:r><mc:AlternateContent><mc:Choice><w:t>once</w:t></mc:Choice><mc:Fallback><w:t>twice</w:t></mc:Fallback></mc:AlternateContent></w:r></w:p>"
            .to_owned(),
    ];
    let file = archive(&[
        ("[Content_Types].xml", "<Types/>"),
        ("word/document.xml", &document(&body.concat())),
        ("word/styles.xml", STYLES),
        ("word/numbering.xml", LISTS),
        ("docProps/core.xml", ABOUT),
    ]);
    for name in ["report.docx", "no-extension"] {
        let document = one(name, &file);
        assert_eq!(document.title, "検索 & 生成");
        assert_eq!(document.authors, ["山田 花子", "Bo Chen"]);
        assert_eq!(document.published.as_deref(), Some("2026-06-12"));
        assert_eq!(
            document.text,
            "# 見出し\n\nA <b> paragraph, with a tab\n\n## Second\n\n1. one\n2. two\n- three\n\n\
             | 名前 | 値 |\n| --- | --- |\n| a\\|b | 12.5 |\n\nonce"
        );
    }
}

#[test]
fn what_is_no_word_document_is_refused_in_words() {
    assert!(error_text("torn.docx", b"PK\x03\x04word/ and nothing more").contains("no sound Word document"));
    assert!(error_text("words.docx", b"only words").contains("no sound Word document"));
    let other = archive(&[("word/other.xml", "<a/>")]);
    assert!(error_text("other.docx", &other).contains("without the text of a Word document"));
    assert!(error_text("blank.docx", &archive(&[("word/document.xml", &document(""))])).contains("is empty"));
    assert!(error_text("any.zip", &archive(&[("a.txt", "words")])).contains("of a kind"));
}

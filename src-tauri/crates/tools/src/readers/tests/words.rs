//! Word documents assembled from their parts.

use std::io::{Cursor, Write};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::{error_text, one};

pub(super) fn archive(parts: &[(&str, &str)]) -> Vec<u8> {
    let parts: Vec<(&str, &[u8])> = parts.iter().map(|(name, content)| (*name, content.as_bytes())).collect();
    archive_of_bytes(&parts)
}

fn archive_of_bytes(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in parts {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

pub(super) fn document(body: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?><w:document xmlns:w=\"w\" xmlns:mc=\"m\"><w:body>{body}</w:body></w:document>"
    )
}

pub(super) fn paragraph(properties: &str, text: &str) -> String {
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

/// The text of a document with this body and this numbering part.
pub(super) fn text_of(body: &str, lists: &str) -> String {
    one("a.docx", &archive(&[("word/document.xml", &document(body)), ("word/numbering.xml", lists)])).text
}

pub(super) fn run(properties: &str, text: &str) -> String {
    format!("<w:r><w:rPr>{properties}</w:rPr><w:t xml:space=\"preserve\">{text}</w:t></w:r>")
}

pub(super) fn part(name: &str, text: &str) -> String {
    format!("<m:{name}><m:r><m:t>{text}</m:t></m:r></m:{name}>")
}

#[test]
fn formulas_and_superscripts_keep_their_value() {
    let formula = |inside: &str| format!("<m:oMath>{inside}</m:oMath>");
    let fraction = formula(&format!("<m:f>{}{}</m:f>", part("num", "3"), part("den", "8")));
    let power = formula(&format!("<m:sSup>{}{}</m:sSup>", part("e", "10"), part("sup", "9")));
    let sum = format!(
        "<m:nary><m:naryPr><m:chr m:val=\"∑\"/></m:naryPr>{}{}{}</m:nary>",
        part("sub", "i=1"),
        part("sup", "n"),
        part("e", "x")
    );
    let brackets = format!(
        "<m:d><m:dPr><m:begChr m:val=\"[\"/><m:endChr m:val=\"]\"/></m:dPr>{}</m:d>",
        part("e", "a+b")
    );
    let raised = run("<w:vertAlign w:val=\"superscript\"/>", "6");
    for (body, expected) in [
        (format!("{}{fraction}{}", run("", "A share of "), run("", " is left.")), "A share of 3/8 is left."),
        (format!("{}{fraction}{}", run("", "It takes 2"), run("", "hours")), "It takes 2 3/8 hours"),
        (format!("{}{power}{}", run("", "約"), run("", "個")), "約10^9個"),
        (formula(&format!("<m:r><m:t>y=</m:t></m:r>{sum}{brackets}")), "y=∑_(i=1)^n x[a+b]"),
        (formula(&format!("<m:rad><m:deg/>{}</m:rad>", part("e", "x+1"))), "√(x+1)"),
        (format!("{}{raised}{}", run("", "About 10"), run("", " cells")), "About 10^6 cells"),
        (format!("{}{raised}{}", run("", "As was shown"), run("", " there")), "As was shown6 there"),
    ] {
        assert_eq!(text_of(&format!("<w:p>{body}</w:p>"), ""), expected);
    }
}

#[test]
fn lists_number_as_defined_and_continue_after_other_paragraphs() {
    let lists = "<w:numbering><w:abstractNum w:abstractNumId=\"0\"><w:lvl w:ilvl=\"0\"><w:start w:val=\"4\"/><w:numFmt w:val=\"decimal\"/></w:lvl>\
        <w:lvl w:ilvl=\"1\"><w:start w:val=\"1\"/><w:numFmt w:val=\"lowerLetter\"/></w:lvl></w:abstractNum>\
        <w:num w:numId=\"1\"><w:abstractNumId w:val=\"0\"/></w:num><w:num w:numId=\"2\"><w:abstractNumId w:val=\"0\"/></w:num>\
        <w:num w:numId=\"3\"><w:abstractNumId w:val=\"0\"/><w:lvlOverride w:ilvl=\"0\"><w:startOverride w:val=\"1\"/></w:lvlOverride></w:num></w:numbering>";
    let item = |list: u8, level: u8, text: &str| {
        paragraph(&format!("<w:numPr><w:ilvl w:val=\"{level}\"/><w:numId w:val=\"{list}\"/></w:numPr>"), text)
    };
    let body = [
        item(1, 0, "four"),
        item(1, 1, "inner"),
        item(1, 1, "inner"),
        item(1, 0, "five"),
        item(1, 1, "anew"),
        paragraph("", "Between."),
        item(1, 0, "six"),
        item(2, 0, "seven, of another list of the kind"),
        item(3, 0, "one"),
        item(3, 0, "two"),
    ];
    assert_eq!(
        text_of(&body.concat(), lists),
        "4. four\n   1. inner\n   2. inner\n5. five\n   1. anew\n\nBetween.\n\n\
         6. six\n7. seven, of another list of the kind\n1. one\n2. two"
    );
}

#[test]
fn a_list_with_the_style_of_another_is_numbered_like_it() {
    let styles = "<w:styles><w:style w:type=\"numbering\" w:styleId=\"S\"><w:pPr><w:numPr><w:numId w:val=\"5\"/></w:numPr></w:pPr></w:style></w:styles>";
    let lists = "<w:numbering><w:abstractNum w:abstractNumId=\"1\"><w:numStyleLink w:val=\"S\"/></w:abstractNum>\
        <w:abstractNum w:abstractNumId=\"2\"><w:styleLink w:val=\"S\"/><w:lvl w:ilvl=\"0\"><w:start w:val=\"3\"/><w:numFmt w:val=\"decimal\"/></w:lvl></w:abstractNum>\
        <w:num w:numId=\"4\"><w:abstractNumId w:val=\"1\"/></w:num><w:num w:numId=\"5\"><w:abstractNumId w:val=\"2\"/></w:num></w:numbering>";
    let body = paragraph("<w:numPr><w:ilvl w:val=\"0\"/><w:numId w:val=\"4\"/></w:numPr>", "item");
    let file = archive(&[
        ("word/document.xml", &document(&body)),
        ("word/styles.xml", styles),
        ("word/numbering.xml", lists),
    ]);
    assert_eq!(one("a.docx", &file).text, "3. item");
}

#[test]
fn symbols_tabs_and_deleted_paragraph_marks_are_read_as_displayed() {
    let symbol =
        |font: &str, place: &str| format!("<w:r><w:sym w:font=\"{font}\" w:char=\"{place}\"/></w:r>");
    let body = format!(
        "<w:p>{}{}{}{}{}{}</w:p>",
        run("", "At "),
        symbol("Symbol", "F0A3"),
        run("", " 12 "),
        symbol("Symbol", "F06D"),
        run("<w:rFonts w:ascii=\"Wingdings\"/>", "g \u{f0fc}"),
        symbol("Odd", "F041")
    );
    assert_eq!(text_of(&body, ""), "At ≤ 12 μg ✓\u{fffd}");
    let placed = format!(
        "<w:p>{}<w:r><w:ptab w:relativeTo=\"margin\"/></w:r>{}</w:p>",
        run("", "Name"),
        run("", "Day")
    );
    assert_eq!(text_of(&placed, ""), "Name Day");
    let deleted = "<w:rPr><w:del w:id=\"1\"/></w:rPr>";
    let body = [paragraph(deleted, "The ferry "), paragraph("", "left."), paragraph(deleted, "The last")];
    assert_eq!(text_of(&body.concat(), ""), "The ferry left.\n\nThe last");
    let ruby = "<w:p><w:r><w:t>海は</w:t></w:r><w:r><w:ruby><w:rt><w:r><w:t>しず</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>静</w:t></w:r></w:rubyBase></w:ruby></w:r><w:r><w:t>かだ。</w:t></w:r></w:p>";
    assert_eq!(text_of(ruby, ""), "海は静かだ。");
    let changed = "<w:p><w:pPr><w:pPrChange><w:pPr><w:outlineLvl w:val=\"0\"/></w:pPr></w:pPrChange></w:pPr><w:r><w:t>No heading any more.</w:t></w:r></w:p>";
    assert_eq!(text_of(changed, ""), "No heading any more.");
}

fn relations(parts: &[(&str, &str)]) -> String {
    let of = |(kind, target): &(&str, &str)| {
        format!(
            "<Relationship Id=\"r\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/{kind}\" Target=\"{target}\"/>"
        )
    };
    format!("<Relationships>{}</Relationships>", parts.iter().map(of).collect::<String>())
}

#[test]
fn the_archive_names_its_text_part() {
    let package =
        relations(&[("extended-properties", "docProps/app.xml"), ("officeDocument", "/word/document2.xml")]);
    let own = relations(&[("styles", "styles2.xml"), ("numbering", "/word/numbering2.xml")]);
    let file = archive(&[
        ("_rels/.rels", &package),
        ("word/_rels/document2.xml.rels", &own),
        (
            "word/document2.xml",
            &document(
                &[
                    paragraph("<w:pStyle w:val=\"1\"/>", "Online"),
                    paragraph("<w:pStyle w:val=\"L\"/>", "item"),
                ]
                .concat(),
            ),
        ),
        ("word/document.xml", &document(&paragraph("", "An old part."))),
        ("word/styles2.xml", STYLES),
        ("word/numbering2.xml", LISTS),
    ]);
    assert_eq!(one("online.docx", &file).text, "# Online\n\n- item");
}

#[test]
fn the_text_part_is_found_under_any_name() {
    let body = document(&paragraph("<w:pStyle w:val=\"1\"/>", "Harbour"));
    for (target, styles, name, name_of_styles) in [
        ("./word/document.xml", "./styles.xml", "word/document.xml", "word/styles.xml"),
        ("word/../text/main.xml", "../styles/all.xml", "text/main.xml", "styles/all.xml"),
        ("word/my%20text.xml", "my%20styles.xml", "word/my text.xml", "word/my styles.xml"),
        ("word/my%20text.xml", "my%20styles.xml", "word/my%20text.xml", "word/my%20styles.xml"),
        ("Word/Document.xml", "Styles.XML", "word/document.xml", "word/styles.xml"),
        ("word/gone.xml", "gone.xml", "word/document.xml", "word/styles.xml"),
    ] {
        let (folder, file) = name.rsplit_once('/').unwrap();
        let file = archive(&[
            ("_rels/.rels", &relations(&[("officeDocument", target)])),
            (name, &body),
            (&format!("{folder}/_rels/{file}.rels"), &relations(&[("styles", styles)])),
            (name_of_styles, STYLES),
        ]);
        assert_eq!(one("a.docx", &file).text, "# Harbour", "{target}");
    }
}

#[test]
fn parts_in_other_encodings_are_read() {
    let body = document(&paragraph("", "港は静か")).replace("?>", " encoding=\"UTF-16\"?>");
    let wide = |order: fn(u16) -> [u8; 2]| body.encode_utf16().flat_map(order).collect::<Vec<u8>>();
    let japanese = document(&paragraph("", "港は静か")).replace("?>", " encoding=\"Shift_JIS\"?>");
    for content in [
        [b"\xff\xfe".to_vec(), wide(u16::to_le_bytes)].concat(),
        [b"\xfe\xff".to_vec(), wide(u16::to_be_bytes)].concat(),
        wide(u16::to_le_bytes),
        wide(u16::to_be_bytes),
        encoding_rs::SHIFT_JIS.encode(&japanese).0.into_owned(),
        // A wrong declaration, which is readable as bytes.
        body.clone().into_bytes(),
    ] {
        let file = archive_of_bytes(&[("word/document.xml", &content)]);
        assert_eq!(one("a.docx", &file).text, "港は静か");
    }
}

#[test]
fn files_that_are_no_word_document_give_an_error_message() {
    assert!(error_text("torn.docx", b"PK\x03\x04word/ and nothing more").contains("no sound Word document"));
    assert!(error_text("words.docx", b"only words").contains("no sound Word document"));
    let other = archive(&[("word/other.xml", "<a/>")]);
    assert!(error_text("other.docx", &other).contains("without the text of a Word document"));
    assert!(error_text("blank.docx", &archive(&[("word/document.xml", &document(""))])).contains("is empty"));
    assert!(error_text("any.zip", &archive(&[("a.txt", "words")])).contains("of a kind"));
}

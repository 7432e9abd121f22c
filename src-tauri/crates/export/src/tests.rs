//! Exports, read back by independent parsers.

use std::collections::BTreeSet;
use std::io::{Cursor, Read};

use kernel::{Event, KeyDeclaration, Role, Start};
use quick_xml::Reader;
use quick_xml::events::Event as Xml;
use serde_json::{Value, json};

use super::*;

pub(crate) mod paper;
mod programs;

pub(crate) const ARTICLE: &str = include_str!("tests/article.md");

/// A run with this text as its draft and two sources.
pub(crate) struct Sample {
    start: Start,
    events: Vec<Event>,
    keys: Vec<KeyDeclaration>,
    files: crate::FileTexts,
}

fn key(name: &str, role: Role) -> KeyDeclaration {
    KeyDeclaration { name: name.to_owned(), title: name.to_owned(), role, schema: kernel::Json(json!({})) }
}

impl Sample {
    pub(crate) fn of(text: &str) -> Sample {
        let start = json!({
            "run": "run-1", "session": "session-1", "at_ms": 1_750_000_000_000_i64, "inputs": {}, "origin": null,
            "definition": {
                "pipeline": "sample", "title": "A sample", "agents": {}, "limits": {}, "as_of": null,
                "allowed_tools": [], "already_done": [], "outline": {
                    "name": "writer", "title": "", "agent": { "kind": "custom" }, "stream": null, "children": [],
                    "calls": { "least": 0, "most": 0 }, "contract": { "reads": [], "may_read": [], "writes": [] }
                }
            }
        });
        let sources = json!({ "items": [
            { "title": "First", "url": "https://example.org/first?a=1&b=2" },
            { "title": "Second", "url": "javascript:alert(1)" },
        ]});
        let set = |key: &str, value: Value| json!({ "kind": "state_changed", "delta": { "set": { key: value }, "removed": [] } });
        let call = json!({
            "effect": "tool", "call": { "tool": "search", "input": { "query": "x" }, "class": "pure",
            "title": { "id": "=HYPERLINK(\"https://spy.example\")", "parameters": {} } }
        });
        let facts = [
            ("user", set("topic", json!("検索"))),
            ("writer", json!({ "kind": "effect_asked", "effect": call, "reads": [] })),
            (
                "writer",
                json!({
                    "kind": "effect_answered", "asked": 2, "answer": { "status": "done", "result": ["found"] },
                    "took_ms": 5, "waited_ms": 0, "retries": []
                }),
            ),
            ("writer", set("sources", sources)),
            (
                "writer",
                json!({ "kind": "state_changed", "delta": { "set": { "post": text }, "removed": ["topic"] } }),
            ),
            (
                "=1+1",
                json!({ "kind": "agent_ended", "ended": "done", "exits_loop": true, "reads": [], "took_ms": 1 }),
            ),
        ];
        let events = facts.into_iter().enumerate().map(|(index, (author, fact))| {
            json!({
                "v": kernel::EVENT_VERSION, "seq": index + 1, "at_ms": 1_750_000_000_000_i64 + index as i64,
                "author": author, "path": "writer", "n": index + 1, "surface": index == 4, "fact": fact
            })
        });
        Sample {
            files: crate::FileTexts::default(),
            start: serde_json::from_value(start).unwrap(),
            events: events.map(|event| serde_json::from_value(event).unwrap()).collect(),
            keys: vec![
                key("topic", Role::Input),
                key("sources", Role::Sources { items: "items".into() }),
                key("post", Role::Final),
            ],
        }
    }

    /// The same run with this value also in a key of this role.
    pub(crate) fn with(mut self, name: &str, role: Role, value: &Value) -> Sample {
        let mut last = self.events[self.events.len() - 1].clone();
        last.fact = serde_json::from_value(
            json!({ "kind": "state_changed", "delta": { "set": { name: value }, "removed": [] } }),
        )
        .unwrap();
        last.seq += 1;
        self.events.push(last);
        self.keys.push(key(name, role));
        self
    }

    pub(crate) fn run(&self) -> Exportable<'_> {
        Exportable { start: &self.start, events: &self.events, keys: &self.keys, files: &self.files }
    }

    pub(crate) fn export(&self, id: &str) -> Export {
        export(&self.run(), format(id).unwrap(), &Omissions::default()).unwrap()
    }
}

/// The tags of one of our pages with their attributes: other `<` are escaped.
fn tags(html: &str) -> Vec<(String, Vec<(String, String)>)> {
    let body = &html[html.find("<body>").unwrap()..];
    let tag = |text: &str| {
        let (tag, _) = text.split_once('>').unwrap();
        let (name, rest) = tag.split_once(' ').unwrap_or((tag, ""));
        let mut attributes = Vec::new();
        let mut rest = rest.trim_start();
        while let Some((name, value)) = rest.split_once("=\"") {
            let (value, more) = value.split_once('"').unwrap();
            attributes.push((name.trim().to_owned(), value.to_owned()));
            rest = more;
        }
        (name.trim_start_matches('/').to_owned(), attributes)
    };
    body.split('<').skip(1).map(tag).collect()
}

/// Asserts that a page has no active content and makes no requests.
fn assert_inert(html: &str) {
    const TAGS: [&str; 30] = [
        "body",
        "main",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "p",
        "blockquote",
        "pre",
        "code",
        "hr",
        "ul",
        "ol",
        "li",
        "div",
        "table",
        "tr",
        "th",
        "td",
        "em",
        "strong",
        "del",
        "a",
        "sup",
        "br",
        "section",
        "html",
        "tbody",
    ];
    for (tag, attributes) in tags(html) {
        assert!(TAGS.contains(&tag.as_str()), "<{tag}> in {html}");
        for (name, value) in attributes {
            let is_known =
                ["class", "lang", "id", "href", "rel", "start", "aria-label"].contains(&name.as_str());
            assert!(is_known, "{name} of <{tag}> in {html}");
            let leads_out =
                ["https://", "http://", "mailto:", "#note-"].iter().any(|begin| value.starts_with(begin));
            assert!(name != "href" || leads_out, "{value} in {html}");
        }
    }
}

/// The parts of a package by name. Each XML part is parsed to its end.
fn parts(docx: &[u8]) -> Vec<(String, String)> {
    let mut archive = zip::ZipArchive::new(Cursor::new(docx)).unwrap();
    let mut parts = Vec::new();
    for index in 0..archive.len() {
        let mut file = archive.by_index(index).unwrap();
        let (name, mut text) = (file.name().unwrap().into_owned(), String::new());
        file.read_to_string(&mut text).unwrap();
        let mut reader = Reader::from_str(&text);
        while name.ends_with(".xml") && !matches!(reader.read_event().unwrap(), Xml::Eof) {}
        parts.push((name, text));
    }
    parts
}

fn part<'p>(parts: &'p [(String, String)], name: &str) -> &'p str {
    &parts.iter().find(|(known, _)| known == name).unwrap_or_else(|| panic!("no {name}")).1
}

#[test]
fn a_run_offers_the_formats_that_can_be_written() {
    let ids = |run: &Sample| offered(&run.run()).iter().map(|format| format.id).collect::<Vec<_>>();
    let all: Vec<&str> = FORMATS.iter().map(|format| format.id).collect();
    let without_trips = FORMATS.iter().filter(|format| format.holds != Holds::Trip);
    assert_eq!(ids(&Sample::of(ARTICLE)), without_trips.map(|format| format.id).collect::<Vec<_>>());
    assert_eq!(BTreeSet::from_iter(&all).len(), all.len(), "each id once");
    let empty = Sample::of(" ");
    assert_eq!(ids(&empty), ["report", "json", "csv", "adk", "seed"]);
    let refused = export(&empty.run(), format("docx").unwrap(), &Omissions::default()).unwrap_err();
    assert!(
        refused.message.contains("no text") && refused.message.contains("Word document"),
        "{}",
        refused.message
    );
}

#[test]
fn a_web_page_shows_the_whole_text_without_active_content() {
    let page = Sample::of(ARTICLE).export("html").text;
    assert_inert(&page);
    for expected in [
        "<html lang=\"en\">",
        "<title>Retrieval &amp; generation</title>",
        "<h2>Tables</h2>",
        "<h3 lang=\"ja\">検索拡張生成</h3>",
        "<p lang=\"zh-Hans\">检索增强生成",
        "<td class=\"end\">1,024</td>",
        "<td class=\"center\" lang=\"ja\">日本語の文</td>",
        "<pre><code>fn main() {\n    println!(&quot;&lt;b&gt;&quot;);\n}</code></pre>",
        "<li><p>outer</p>\n<ol start=\"3\">\n<li><p>third</p>\n<ul>\n<li>innermost</li>",
        "<li><p>☑ done</p>\n</li>",
        "<del>struck</del>",
        "<sup><a id=\"note-1-from\" href=\"#note-1\">1</a></sup>",
        "<li id=\"note-1\">\n<p>The note with <em>emphasis</em>.</p>",
        "<a rel=\"noopener noreferrer\" href=\"https://example.org/first?a=1&amp;b=2\">[1]</a>",
        "&lt;script&gt;alert(1)&lt;/script&gt;",
        "emoji 🙂👩‍👩‍👧 too",
    ] {
        assert!(page.contains(expected), "{expected} is not in {page}");
    }
    assert!(!page.contains("href=\"javascript"), "{page}");
    assert!(page.contains("default-src 'none'"));
}

#[test]
fn a_word_file_has_styles_lists_tables_links_and_notes_and_valid_xml() {
    let export = Sample::of(ARTICLE).export("docx");
    assert!(export.text.starts_with("# Retrieval"), "what is copied is the Markdown");
    let parts = parts(&export.bytes);
    let (document, styles) = (part(&parts, "word/document.xml"), part(&parts, "word/styles.xml"));
    for expected in [
        "<w:pStyle w:val=\"Heading1\" />",
        "<w:pStyle w:val=\"Heading3\" />",
        "<w:pStyle w:val=\"HTMLPreformatted\" />",
        "<w:pStyle w:val=\"Quote\" />",
        "<w:rStyle w:val=\"HTMLCode\" />",
        "<w:ilvl w:val=\"2\" />",
        "<w:tblHeader />",
        "<w:footnoteReference w:id=\"1\" />",
        "&lt;script&gt;alert(1)",
        "検索拡張生成",
        "🙂👩‍👩‍👧",
        "<w:rFonts w:eastAsia=\"Microsoft YaHei\" />",
    ] {
        assert!(document.contains(expected), "{expected} is not in {document}");
    }
    for expected in ["w:val=\"heading 1\"", "w:val=\"HTML Preformatted\"", "<w:outlineLvl w:val=\"0\" />"] {
        assert!(styles.contains(expected), "{expected} is not in {styles}");
    }
    assert!(styles.contains("<w:lang w:val=\"en-US\" w:eastAsia=\"ja-JP\" />"), "{styles}");
    let numbering = part(&parts, "word/numbering.xml");
    assert!(numbering.contains("<w:startOverride w:val=\"3\" />"), "{numbering}");
    // If a numbering is defined twice, Word uses the first: bullets would become numbers.
    let numberings = |tag: &str| numbering.matches(tag).collect::<Vec<_>>();
    for id in ["<w:abstractNum w:abstractNumId=\"2\"", "<w:num w:numId=\"2\""] {
        assert_eq!(numberings(id).len(), 1, "{numbering}");
    }
    let links = part(&parts, "word/_rels/document.xml.rels");
    assert!(links.contains("Target=\"https://example.org/first?a=1&amp;b=2\""), "{links}");
    assert!(!links.contains("javascript"), "{links}");
    let notes = part(&parts, "word/footnotes.xml");
    assert!(notes.contains("<w:footnoteRef />") && notes.contains("The note with"), "{notes}");
    let about = part(&parts, "docProps/core.xml");
    for expected in
        ["<dc:title>Retrieval &amp; generation</dc:title>", ">2025-06-15T15:06:40.005Z<", ">Galley<"]
    {
        assert!(about.contains(expected), "{expected} is not in {about}");
    }
}

#[test]
fn emphasis_ends_beside_full_width_punctuation_in_every_language() {
    let text = "含**「重点」**内容。**提示（Important）：**请看。\n\n日本語の**強調。**次の*『文』*です。한국어**(강조)**는 ~~（消）~~後。\n\nIn 2 ** 3 and a** b nothing is strong.";
    let sample = Sample::of(text);
    let page = sample.export("html").text;
    for strong in ["「重点」", "提示（Important）：", "強調。", "(강조)"] {
        assert!(page.contains(&format!("<strong>{strong}</strong>")), "{strong} in {page}");
    }
    assert!(page.contains("<em>『文』</em>") && page.contains("<del>（消）</del>"), "{page}");
    let parts = parts(&sample.export("docx").bytes);
    for whole in [page.as_str(), part(&parts, "word/document.xml")] {
        assert_eq!(whole.matches("**").count(), 2, "{whole}");
    }
}

#[test]
fn any_text_of_a_model_becomes_an_inert_page_and_a_readable_word_file() {
    const PARTS: [&str; 30] = [
        "![a](http://e/p)",
        "[a](javascript:b)",
        "[a](https://e/\"onx=)",
        "<img src=x>",
        "</p>",
        "<!--",
        "-->",
        "`",
        "``",
        "```\n",
        "\n\n",
        "\n> ",
        "\n- ",
        "\n1. ",
        "\n    ",
        "\\",
        "![",
        "](",
        "[^1]",
        "\n\n[^1]: note\n",
        "**",
        "| a | b |\n|--|--|\n",
        "| x |",
        "\t",
        "文",
        "🙂",
        "\r",
        "\u{b}",
        "\u{0}",
        "&lt;script>",
    ];
    let mut seed = 20_261_125_u64;
    for round in 0..600 {
        let mut text = String::from("a");
        for _ in 0..14 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            text.push_str(PARTS[usize::try_from(seed >> 33).unwrap() % PARTS.len()]);
        }
        let sample = Sample::of(&text);
        assert_inert(&sample.export("html").text);
        if round % 30 == 0 {
            sample.export("pdf");
        }
        if round % 6 == 0 {
            let parts = parts(&sample.export("docx").bytes);
            assert!(!part(&parts, "word/_rels/document.xml.rels").contains("javascript"), "{text:?}");
        }
    }
    let deep = format!("{}deep {}", "> ".repeat(5_000), "*a **b ".repeat(2_000));
    assert_inert(&Sample::of(&deep).export("html").text);
    parts(&Sample::of(&deep).export("docx").bytes);
    Sample::of(&deep).export("pdf");
}

#[test]
fn a_citation_links_to_the_source_in_the_texts_own_list() {
    let listed = "Said [2] and [1].\n\n## References\n\n- [1] One. https://example.org/one.\n- [2] [Two](https://example.org/two)\n";
    let page = Sample::of(listed).export("html").text;
    assert!(
        page.contains("Said <a rel=\"noopener noreferrer\" href=\"https://example.org/two\">[2]</a>"),
        "{page}"
    );
    assert!(page.contains("href=\"https://example.org/one\">[1]</a>"), "{page}");
}

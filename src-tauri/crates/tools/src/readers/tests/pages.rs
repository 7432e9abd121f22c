//! Saved web pages.

use std::time::Instant;

use encoding_rs::SHIFT_JIS;

use super::super::{document_text, markup};
use super::{error_text, folder, notes, one, read};

const PARAGRAPH: &str = "Retrieval-augmented generation lets a model read documents before it answers, so that the answer can be checked against its sources, sentence by sentence, by anyone who cares to look.";

fn page(body: &str) -> String {
    format!(
        "<!DOCTYPE html><html><head><title>How retrieval works - Example News</title>\
         <meta charset=\"utf-8\"><meta property=\"og:site_name\" content=\"Example News\">\
         <meta property=\"article:published_time\" content=\"2026-06-12T22:30:00-05:00\">\
         <meta name=\"author\" content=\"Ann Lee and Bo Chen\">\
         <link rel=\"canonical\" href=\"https://example.com/retrieval\"></head><body>\
         <nav><a href=\"/\">Home</a><a href=\"/about\">About us</a></nav>\
         <script>var secret = '<p>not text</p>';</script><article><h1>How retrieval works</h1>{body}</article>\
         <footer>Copyright of nobody</footer></body></html>"
    )
}

#[test]
fn a_page_gives_its_article_with_title_day_authors_and_address() {
    let body =
        format!("<p>{PARAGRAPH}</p><p>日本語の段落も読めます。{PARAGRAPH}</p><p>{PARAGRAPH} &amp; more.</p>");
    let document = one("saved.html", page(&body).as_bytes());
    assert!(document.title.starts_with("How retrieval works"), "{}", document.title);
    assert_eq!(document.published.as_deref(), Some("2026-06-12"));
    assert_eq!(document.authors, ["Ann Lee", "Bo Chen"]);
    assert_eq!(document.url.as_deref(), Some("https://example.com/retrieval"));
    assert_eq!(document.source, "Example News");
    assert!(document.text.contains("日本語の段落も読めます。") && document.text.contains("& more."));
    for other in ["About us", "secret", "Copyright", "<p>"] {
        assert!(!document.text.contains(other), "{other} is no part of the article: {}", document.text);
    }
}

#[test]
fn a_page_in_another_encoding_is_read_as_it_declares() {
    let text = "<html><head><meta http-equiv=\"Content-Type\" content=\"text/html; charset=Shift_JIS\"><title>短信</title></head><body><p>新しい手法の発表。</p></body></html>";
    let document = one("page.htm", &SHIFT_JIS.encode(text).0);
    assert_eq!((document.title.as_str(), document.text.as_str()), ("短信", "新しい手法の発表。"));
    let latin = b"<html><head><meta charset=iso-8859-1><title>Caf\xe9</title></head><body><p>Na\xefve.</p></body></html>";
    assert_eq!(one("page.htm", latin).title, "Café");
}

#[test]
fn a_page_without_an_article_gives_all_its_text() {
    let document = one(
        "list.html",
        b"<title>A list</title><ul><li>One<li>Two &ndash; three</ul><table><tr><td>a<td>b</table>",
    );
    assert_eq!((document.title.as_str(), document.text.as_str()), ("A list", "One\nTwo – three\n\na b"));
    assert!(
        error_text("bare.html", b"<html><body><script>only()</script></body></html>").contains("is empty")
    );
}

#[test]
fn a_form_keeps_its_headings_lists_tables_and_placeholders() {
    let html = "<html><head><title>Audit</title><style>p{}</style></head><body><nav>Site 1</nav>\
        <h1>Audit of {company_name}</h1><p>Held on [date] by <b>{auditor}</b>.</p>\
        <ul><li>Sites: {n_sites}</li><li>All/most/some were open.</li></ul>\
        <table><tr><th>Site</th><th>Result</th></tr><tr><td>[site_1]</td><td>{result_1}</td></tr></table>\
        <ol><li>3 * 4 = {product}</li></ol><script>var x;</script></body></html>";
    let folder = folder(&[("form.html", html.as_bytes())]);
    let text = document_text(&folder.path().join("form.html")).unwrap();
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    for line in ["# Audit of {company_name}", "Held on [date] by **{auditor}**.", "- Sites: {n_sites}"] {
        assert!(lines.contains(&line), "{line}: {text}");
    }
    assert!(
        lines
            .iter()
            .any(|line| line.starts_with('|') && line.contains("[site_1]") && line.contains("{result_1}")),
        "{text}"
    );
    assert!(!text.contains("var x") && !text.contains("p{}"), "{text}");
}

#[test]
fn a_page_nested_without_end_is_read_at_once_and_without_its_article() {
    for tag in ["<div>", "<div/>", "<div></b>", "<section /></p>", "<p><b><div>", "<div><i></div>"] {
        let deep = format!("<html><title>Deep</title>{}<p>{PARAGRAPH}", tag.repeat(50_000));
        let folder = folder(&[("deep.html", deep.as_bytes())]);
        let (documents, told) = read(&folder.path().join("deep.html"));
        let document = &documents.unwrap()[0];
        assert_eq!(document.title, "Deep");
        assert_eq!(document.text, PARAGRAPH, "{tag}");
        assert!(notes(&told)[0].contains("too large or too deep"), "{tag}");
    }
    assert!(markup::is_deeper(&"<svg><foreignObject><section/>".repeat(1_000), 400));
    // Long, but flat.
    let drawing = "<svg><g><circle r=1/><rect/></g></svg>".repeat(1_000);
    let flat = format!("<div><p>a<p>b<br/><li>c<b>d</b></div>{drawing}").repeat(3);
    assert!(!markup::is_deeper(&flat, 20));
}

#[test]
fn taking_tags_out_takes_time_in_proportion_to_the_text() {
    let seconds = |text: &str| {
        let started = Instant::now();
        let _text = markup::text_of(text);
        let _depth = (markup::nesting(text), markup::is_deeper(text, 400));
        started.elapsed().as_secs_f64()
    };
    for hostile in ["<a '", "<", "<!--", "<![CDATA[", "&#", "<script>", "</", "<a x=\">", "&amp", "<p><"] {
        let text = hostile.repeat(200_000);
        // The floor, on this machine at this moment: words without a tag. A search begun anew at each tag takes thousands of times as long.
        let floor = seconds(&"w ".repeat(text.len() / 2));
        for text in [format!("{text}>"), text] {
            let times = seconds(&text) / floor;
            assert!(times < 200.0, "{hostile:?} takes {times} times as long as words");
        }
    }
    assert_eq!(
        markup::text_of("a < b && c &lt; d &#x65E5;&#26412; &unknown; &#0;"),
        "a < b && c < d 日本 &unknown; &#0;"
    );
    assert_eq!(
        markup::text_of("<style>p{}</style>x<SCRIPT>1<2</SCRIPT >y<br/>z<![CDATA[<raw>]]><!-- n -->"),
        "xy\nz<raw>"
    );
}

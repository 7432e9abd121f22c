//! Saved web pages.

use std::time::Instant;

use super::super::nesting::{is_deeper, nesting};
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
fn the_day_of_an_article_is_its_publication_date() {
    let data = |json: &str| format!("<script type=\"application/ld+json\">{json}</script>");
    let published = "\"datePublished\":\"2026-05-04T08:00:00Z\",\"dateModified\":\"2026-09-01\"";
    let today = "<header>Today is <time datetime=\"2026-11-28\">28 November 2026</time></header><aside><article><a href=/x>Other</a> <time datetime=\"2026-10-10\">10 October</time></article></aside>";
    let own = "<time datetime=\"PT5M\">5 min</time> <time datetime=\"2026-05-04\">4 May</time> <time class=updated datetime=\"2026-09-01\">1 September</time>";
    for (head, before, inside) in [
        (data(&format!("{{\"@type\":\"NewsArticle\",{published}}}")), today, ""),
        (
            data(&format!(
                "{{\"@graph\":[{{\"@type\":\"WebSite\"}},{{\"@type\":[\"BlogPosting\"],{published}}}]}}"
            )),
            today,
            "",
        ),
        (
            data(&format!(
                "[{{\"@type\":\"ItemList\",\"itemListElement\":[{{\"@type\":\"Article\",\"datePublished\":\"2026-10-10\"}}]}},{{\"@type\":\"WebPage\",{published}}}]"
            )),
            today,
            "",
        ),
        (
            format!(
                "<meta property=\"article:modified_time\" content=\"2026-09-01\"><meta name=date content=\"2026-11-28\">{}",
                data(&format!("{{\"@type\":\"Article\",{published}}}"))
            ),
            "",
            own,
        ),
        (
            data(&format!(
                "[{{\"@type\":\"NewsArticle\",\"headline\":\"Another\",\"datePublished\":\"2026-10-10\"}},{{\"@type\":\"NewsArticle\",\"headline\":\"Hall opens\",{published}}}]"
            )),
            "",
            "",
        ),
        (data(&format!("<!-- {{\"@type\":\"Article\",{published}}} -->")), "", ""),
        (String::new(), today, own),
        (
            String::new(),
            "<div class=\"related-stories\"><time datetime=\"2026-10-10\">10 October</time></div>",
            own,
        ),
        (
            String::new(),
            "",
            "<time class=updated datetime=\"2026-09-01\">1 September</time><time>May 4, 2026</time>",
        ),
        (
            String::new(),
            "<meta itemprop=\"dateModified\" content=\"2026-09-01\">",
            "<span itemprop=\"datePublished\" content=\"2026-05-04\">in May</span>",
        ),
    ] {
        let page = format!(
            "<html><head><title>Hall opens</title>{head}</head><body>{before}<article><h1>Hall opens</h1><p>{inside}</p><p>{PARAGRAPH} {PARAGRAPH}</p></article></body></html>"
        );
        assert_eq!(
            one("page.html", page.as_bytes()).published.as_deref(),
            Some("2026-05-04"),
            "{head}{before}{inside}"
        );
    }
    let page = format!(
        "<html><head><title>Hall opens</title></head><body>{today}<article><h1>Hall opens</h1><p>{PARAGRAPH} {PARAGRAPH}</p></article></body></html>"
    );
    assert_eq!(
        one("page.html", page.as_bytes()).published,
        None,
        "a day of today and of another article is none"
    );
}

/// A page about a bridge with this in its head and above its text, without elements that mark the article.
fn day_of_page(head: &str, body: &str) -> Option<String> {
    let page = format!(
        "<html><head><title>Bridge closed</title>{head}</head><body><div>{body}<p>{PARAGRAPH} {PARAGRAPH}</p></div></body></html>"
    );
    one("page.html", page.as_bytes()).published
}

#[test]
fn the_day_of_publication_is_read_from_a_meta_of_either_attribute() {
    let today = "<div>Today: <time datetime=\"2026-11-28\">28 November</time></div>";
    for attribute in ["name", "property"] {
        let head = format!("<meta {attribute}=\"article:published_time\" content=\"2026-05-04T09:00:00Z\">");
        assert_eq!(day_of_page(&head, today).as_deref(), Some("2026-05-04"), "{attribute}");
    }
}

#[test]
fn a_time_marked_published_outranks_updated_and_unmarked_times() {
    let updated = "<span class=\"date updated\">Updated <time datetime=2026-09-01>then</time></span>";
    for times in [
        format!("{updated} <time class=\"entry-date published updated\" datetime=2026-05-04>4 May</time>"),
        format!("{updated} <time datetime=2026-05-04>4 May</time>"),
        "<time datetime=2026-11-28>28 November</time> <time itemprop=datePublished datetime=2026-05-04>4 May</time>"
            .to_owned(),
        "<time datetime=2026-11-28>today</time> <p class=published-on><time datetime=2026-05-04>4 May</time></p>"
            .to_owned(),
        "<div class=published><time class=updated datetime=2026-09-01>now</time> <time datetime=2026-05-04>4 May</time></div>"
            .to_owned(),
        // Times without a label count if all are the same day.
        "<time datetime=2026-05-04>4 May</time> <time datetime=2026-05-04T10:00>10 am</time> <time datetime=PT5M>5 min</time>"
            .to_owned(),
    ] {
        assert_eq!(day_of_page("", &times).as_deref(), Some("2026-05-04"), "{times}");
        let article = format!("<article><h1>Bridge closed</h1>{times}<p>{PARAGRAPH}</p></article>");
        assert_eq!(day_of_page("", &article).as_deref(), Some("2026-05-04"), "{times}");
    }
}

#[test]
fn different_unmarked_times_give_no_day() {
    for times in [
        "<div>Now <time datetime=2026-11-28>28 November</time></div><div>Seen <time datetime=2026-05-04>in May</time></div>",
        "<div><time class=published datetime=2026-11-28>a</time></div><div><time class=published datetime=2026-05-04>b</time></div>",
        "<span class=updated>Updated <time datetime=2026-09-01>then</time></span>",
    ] {
        assert_eq!(day_of_page("", times), None, "{times}");
    }
}

#[test]
fn text_next_to_buttons_and_selects_is_separated() {
    let steps = "Press<button>Start</button>or<select><option>Red<option>Blue</select>then<input name=a>wait";
    let page = format!(
        "<html><head><title>Steps</title></head><body><article><h1>Steps</h1><p>{PARAGRAPH} {PARAGRAPH}</p><p>{PARAGRAPH} {steps}.</p></article></body></html>"
    );
    let folder = folder(&[("steps.html", page.as_bytes())]);
    let path = folder.path().join("steps.html");
    let article = read(&path).0.unwrap().remove(0).text;
    for text in [article, document_text(&path).unwrap(), markup::text_of(&page)] {
        let words: Vec<&str> = text.split_whitespace().collect();
        for word in ["Press", "or", "then", "wait."] {
            assert!(words.contains(&word), "{word} in {text}");
        }
    }
}

#[test]
fn adjacent_elements_are_separated() {
    let blocks = "<ul><li><b>eins</b></li><li>zwei</li></ul><dl><dt>drei</dt><dd>vier</dd></dl><table><tr><td>acht</td><td>neun</td></tr></table>\
        <div>zehn<h4>elf</h4>zwölf<figure>a<figcaption>vierzehn</figcaption></figure></div>fünfzehn<br>sechzehn<select><option>siebzehn</option><option>achtzehn</option></select>\
        <span style=\"display: inline-block\">neunzehn</span><span style=\"display:inline-block\">zwanzig</span><button>ja</button><button>nein</button>";
    let page = format!(
        "<html><head><title>T</title></head><body><article><h1>T</h1><p>{PARAGRAPH} {PARAGRAPH}</p>{blocks}<p>{PARAGRAPH} {PARAGRAPH}</p></article></body></html>"
    );
    let article = one("page.html", page.as_bytes()).text;
    for text in [article.as_str(), &markup::text_of(blocks)] {
        let words: Vec<&str> = text.split_whitespace().collect();
        for word in
            ["eins", "zwei", "drei", "vier", "acht", "neun", "zehn", "elf", "zwölf", "fünfzehn", "sechzehn"]
        {
            assert!(words.contains(&word), "{word} in {text}");
        }
    }
    let all = markup::text_of(blocks);
    for word in ["vierzehn", "siebzehn", "achtzehn", "neunzehn", "zwanzig", "ja", "nein"] {
        assert!(all.split_whitespace().any(|known| known == word), "{word} in {all}");
    }
    let folder = folder(&[("form.html", format!("<html><body>{blocks}</body></html>").as_bytes())]);
    let whole = document_text(&folder.path().join("form.html")).unwrap();
    for word in all.split_whitespace() {
        assert!(
            whole.split_whitespace().any(|known| known.trim_matches(['*', '|']) == word),
            "{word} in {whole}"
        );
    }
    // Metadata lines are removed from the text, except one that reads like a sentence.
    assert_eq!(
        markup::text_of("<p>One\n sentence.</p>\n<p>日本\n  語の文</p><pre>a\nb</pre>"),
        "One sentence.\n\n日本語の文\n\na\nb"
    );
    assert_eq!(markup::text_of("Plain\nwords &amp; lines"), "Plain\nwords & lines");
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
fn a_deeply_nested_page_is_read_quickly_as_plain_text() {
    for tag in ["<div>", "<div/>", "<div></b>", "<section /></p>", "<p><b><div>", "<div><i></div>"] {
        let deep = format!("<html><title>Deep</title>{}<p>{PARAGRAPH}", tag.repeat(50_000));
        let folder = folder(&[("deep.html", deep.as_bytes())]);
        let (documents, reported) = read(&folder.path().join("deep.html"));
        let document = &documents.unwrap()[0];
        assert_eq!(document.title, "Deep");
        assert_eq!(document.text, PARAGRAPH, "{tag}");
        assert!(notes(&reported)[0].contains("too large or too deep"), "{tag}");
    }
    assert!(is_deeper(&"<svg><foreignObject><section/>".repeat(1_000), 400));
    // Long but not nested.
    let drawing = "<svg><g><circle r=1/><rect/></g></svg>".repeat(1_000);
    let flat = format!("<div><p>a<p>b<br/><li>c<b>d</b></div>{drawing}").repeat(3);
    assert!(!is_deeper(&flat, 20));
}

#[test]
fn stripping_tags_takes_linear_time() {
    let seconds = |text: &str| {
        let started = Instant::now();
        let _text = markup::text_of(text);
        let _depth = (nesting(text), is_deeper(text, 400));
        started.elapsed().as_secs_f64()
    };
    for hostile in [
        "<a '",
        "<",
        "<rt>",
        "<math>",
        "<sup>1",
        "<span class=katex-html>",
        "<span style=display:flex>",
        "港<span style=display:inline-block><b>",
        "<script type=math/tex>",
        "<span class=katex-html><!--",
        "<!--",
        "<![CDATA[",
        "&#",
        "<script>",
        "</",
        "<a x=\">",
        "&amp",
        "<p><",
    ] {
        let text = hostile.repeat(200_000);
        // The baseline on this machine: words without tags. A search restarted at each tag would take thousands of
        // times as long.
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

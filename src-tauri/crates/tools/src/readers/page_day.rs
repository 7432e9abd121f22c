//! Finds the publication date of a web page's article in the page's metadata and text.
//!
//! Pages contain other dates, too: today's, that of a modification, those of related articles, and invalid ones. So
//! machine-readable data outranks visible text, and of visible text only the article itself counts.

use dom_query::{Document, NodeRef};
use serde_json::Value;

use super::dates::day;
use super::fields::{day_of, names};

/// The metadata that a page provides for links to it.
const CERTAIN_METADATA: [&str; 3] = [
    "meta[property='article:published_time']",
    "meta[name='article:published_time']",
    "meta[name='citation_publication_date']",
];

/// Other names of the date with a less certain meaning.
const OTHER_METADATA: [&str; 10] = [
    "[itemprop='datePublished']",
    "[property='datePublished']",
    "meta[name='citation_online_date']",
    "meta[name='dcterms.issued']",
    "meta[name='DC.date.issued']",
    "meta[name='publish-date']",
    "meta[name='pubdate']",
    "meta[name='date']",
    "meta[name='DC.date']",
    "meta[name='dcterms.created']",
];

/// Parts of names that mark an element as unrelated to the article.
const UNRELATED: [&str; 8] =
    ["related", "sidebar", "recommend", "popular", "latest", "comment", "teaser", "breaking"];

/// Elements around the whole article, whose names say nothing about a part of it.
const WRAPPERS: [&str; 4] = ["html", "body", "main", "article"];

/// Only this many times at the start of a page are examined.
const MOST_TIMES: usize = 100;

/// Objects nested deeper are ignored.
const DEEPEST: usize = 8;

/// The publication date as `YYYY-MM-DD`.
pub(super) fn page_day(page: &Document) -> Option<String> {
    let of_all = |selectors: &[&str]| selectors.iter().find_map(|selector| of_elements(page, selector));
    of_all(&CERTAIN_METADATA)
        .or_else(|| of_linked_data(page))
        .or_else(|| of_all(&OTHER_METADATA))
        .or_else(|| of_times(page))
}

/// The date of the first element that has one in an attribute or in its text.
fn of_elements(page: &Document, selector: &str) -> Option<String> {
    let found = page.select(selector);
    found.nodes().iter().find_map(said_by)
}

fn said_by(node: &NodeRef<'_>) -> Option<String> {
    let attributes = ["content", "datetime", "title"].into_iter().filter_map(|name| node.attr(name));
    attributes.map(|value| value.to_string()).chain([node.text().to_string()]).find_map(|text| day(&text))
}

/// The date in the JSON-LD metadata: of the article with the page's title first, then of any article, then of the page.
fn of_linked_data(page: &Document) -> Option<String> {
    let (mut articles, mut pages) = (Vec::new(), Vec::new());
    for script in page.select("script[type='application/ld+json']").nodes() {
        let text = script.text();
        // Comment marks date from browsers that displayed unknown elements.
        let text = text.trim().trim_start_matches("<!--").trim_end_matches("-->").trim();
        if let Some(value) = net::nearly_json(text.as_bytes()) {
            gather(&value, &mut articles, &mut pages, 0);
        }
    }
    let title = page.select("title").text().to_lowercase();
    let is_of_title = |article: &&DatedObject| !article.name.is_empty() && title.contains(&article.name);
    let best = articles.iter().find(is_of_title).or(articles.first()).or(pages.first());
    best.map(|best| best.day.clone())
}

/// An object with a publication date, and its name in lower case.
struct DatedObject {
    name: String,
    day: String,
}

/// Collects the dated objects; lists of other articles are skipped.
fn gather(value: &Value, articles: &mut Vec<DatedObject>, pages: &mut Vec<DatedObject>, depth: usize) {
    if depth > DEEPEST {
        return;
    }
    match value {
        Value::Array(list) => list.iter().for_each(|value| gather(value, articles, pages, depth + 1)),
        Value::Object(object) => {
            let kinds = object.get("@type").map(names).unwrap_or_default();
            let is_one =
                |parts: &[&str]| kinds.iter().any(|kind| parts.iter().any(|part| kind.contains(part)));
            let name =
                ["headline", "name"].iter().find_map(|key| object.get(*key)?.as_str()).unwrap_or_default();
            if let Some(day) = object.get("datePublished").and_then(day_of) {
                let dated = DatedObject { name: name.trim().to_lowercase(), day };
                if is_one(&["Article", "Posting", "Report"]) {
                    articles.push(dated);
                } else if is_one(&["Page", "CreativeWork"]) {
                    pages.push(dated);
                }
            }
            for inner in
                ["@graph", "mainEntity", "mainEntityOfPage"].iter().filter_map(|key| object.get(*key))
            {
                gather(inner, articles, pages, depth + 1);
            }
        }
        _ => {}
    }
}

/// The date of the times shown in the article. A page without an article has unrelated times: they count only if all
/// are the same day.
fn of_times(page: &Document) -> Option<String> {
    let times = page.select("time");
    let own: Vec<&NodeRef<'_>> =
        times.nodes().iter().take(MOST_TIMES).filter(|time| !is_beside(time)).collect();
    let is_article = |node: &NodeRef<'_>| is_named(node, &["article"]) && has_heading(node);
    let is_main = |node: &NodeRef<'_>| {
        is_named(node, &["article", "main"]) || node.attr("role").is_some_and(|role| &*role == "main")
    };
    let first = |is_it: &dyn Fn(&NodeRef<'_>) -> bool| {
        let inside = own.iter().copied().filter(|time| time.ancestors(None).iter().any(is_it));
        days_of(inside.collect()).into_iter().next()
    };
    first(&is_article).or_else(|| first(&is_main)).or_else(|| {
        let mut days = days_of(own.clone());
        days.dedup();
        if days.len() == 1 { days.pop() } else { None }
    })
}

/// The days of the times marked as publication; if none is marked, of all.
fn days_of(times: Vec<&NodeRef<'_>>) -> Vec<String> {
    let published: Vec<String> =
        times.iter().filter(|time| is_published(time)).filter_map(|time| said_by(time)).collect();
    if published.is_empty() { times.into_iter().filter_map(said_by).collect() } else { published }
}

fn is_published(time: &NodeRef<'_>) -> bool {
    names_of(time).contains("publi") || names_around(time).contains("publi")
}

/// Whether a time is a modification time. A label beside it is named on the element around both.
fn is_modified(time: &NodeRef<'_>) -> bool {
    let is_of_change =
        |names: &str| (names.contains("modif") || names.contains("updat")) && !names.contains("publi");
    let own = names_of(time);
    is_of_change(&own) || (is_of_change(&names_around(time)) && !own.contains("publi"))
}

/// The class, id and similar names of an element, in lower case.
fn names_of(node: &NodeRef<'_>) -> String {
    let names = ["class", "id", "itemprop"].into_iter().filter_map(|name| node.attr(name));
    names.map(|value| value.to_lowercase()).collect::<Vec<_>>().join(" ")
}

/// The same of the element around this one.
fn names_around(node: &NodeRef<'_>) -> String {
    node.parent()
        .filter(|parent| !is_named(parent, &WRAPPERS))
        .map(|parent| names_of(&parent))
        .unwrap_or_default()
}

fn has_heading(part: &NodeRef<'_>) -> bool {
    part.descendants_it().any(|node| is_named(&node, &["h1"]))
}

/// Whether a time belongs to something else: a modification, the page's frame, a related article.
fn is_beside(time: &NodeRef<'_>) -> bool {
    let around = time.ancestors(None);
    let is_in_article = around.iter().any(|node| is_named(node, &["article", "main"]));
    is_modified(time)
        || around.iter().any(|node| {
            is_named(node, &["aside", "nav"])
                || (!is_in_article && is_named(node, &["header", "footer"]) && !has_heading(node))
                || (!is_named(node, &WRAPPERS) && UNRELATED.iter().any(|word| names_of(node).contains(word)))
        })
}

fn is_named(node: &NodeRef<'_>, names: &[&str]) -> bool {
    node.node_name().is_some_and(|name| names.contains(&&*name))
}

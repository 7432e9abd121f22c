//! Reads a web page that was saved to a file: its article, title, day, authors and address.
//!
//! The article is found by a port of Readability, which never crashed but is quadratic in nesting; so pages that are
//! too large or too deep for it, and those it rejects, give all their text instead. Not in here: fetching pages.

use std::time::Duration;

use dom_smoothie::{Config, Readability, TextMode};

use super::dates::day;
use super::{ReadError, Reading, Source, decode, isolated, markup, one_line, web_address};

const LARGEST_PAGE: usize = 4 << 20;
const DEEPEST_PAGE: usize = 400;
const MOST_ELEMENTS: usize = 60_000;
const DEADLINE: Duration = Duration::from_secs(20);

/// A found article shorter than this is doubted when the page has much more text.
const SHORT_ARTICLE: usize = 300;

/// Where pages write their day, the most certain first.
const DAYS: [(&str, &str); 9] = [
    ("meta[property='article:published_time']", "content"),
    ("meta[name='citation_publication_date']", "content"),
    ("meta[name='date']", "content"),
    ("meta[name='DC.date']", "content"),
    ("meta[name='dcterms.created']", "content"),
    ("meta[name='pubdate']", "content"),
    ("meta[name='publish-date']", "content"),
    ("meta[itemprop='datePublished']", "content"),
    ("time[datetime]", "datetime"),
];

const ADDRESSES: [(&str, &str); 2] =
    [("link[rel='canonical']", "href"), ("meta[property='og:url']", "content")];

#[derive(Default)]
struct Page {
    title: Option<String>,
    url: Option<String>,
    source: Option<String>,
    published: Option<String>,
    text: String,
    authors: Vec<String>,
}

pub(crate) fn read(file: &Source<'_>, bytes: Vec<u8>) -> Result<Reading, ReadError> {
    read_as(file, bytes, None)
}

/// The same for a page whose server named its encoding, which counts more than what the page says of itself.
pub(crate) fn read_as(
    file: &Source<'_>,
    bytes: Vec<u8>,
    charset: Option<&str>,
) -> Result<Reading, ReadError> {
    let declared = charset.map(str::to_owned).or_else(|| declared_encoding(&bytes));
    let html = decode::decode(&bytes, declared.as_deref()).ok_or_else(|| file.undecodable())?;
    let whole = markup::text_of(&html);
    let title = markup::title_of(&html);
    let elements = html.bytes().filter(|byte| *byte == b'<').count();
    let is_large =
        html.len() > LARGEST_PAGE || elements > 2 * MOST_ELEMENTS || markup::nesting(&html) > DEEPEST_PAGE;
    let mut notes = Vec::new();
    let page = if is_large {
        notes.push(
            "the page is too large or too deep to find its article in; all its text was taken".to_owned(),
        );
        None
    } else {
        match isolated::run(file.shown, DEADLINE, move || article(&html)) {
            Ok(page) => page,
            Err(_) => {
                notes.push("the article of the page could not be found; all its text was taken".to_owned());
                None
            }
        }
    };
    let mut page = page.unwrap_or_default();
    let doubted = page.text.len() < SHORT_ARTICLE && whole.len() > 2 * page.text.len();
    if doubted {
        page.text = whole;
    }
    // Icons are letters of fonts that only the page has.
    page.text.retain(|character| !('\u{e000}'..='\u{f8ff}').contains(&character));
    if page.text.trim().is_empty() {
        return Err(file.empty());
    }
    let mut document = file.document(page.title.or(title), page.text);
    let host = page.url.as_deref().and_then(host_of);
    document.source = page.source.or(host).unwrap_or(document.source);
    document.url = page.url;
    document.published = page.published;
    document.authors = page.authors;
    Ok(Reading { documents: vec![document], notes })
}

/// What Readability makes of the page; none when it finds no article and the page names nothing.
fn article(html: &str) -> Option<Page> {
    let config =
        Config { max_elements_to_parse: MOST_ELEMENTS, text_mode: TextMode::Formatted, ..Config::default() };
    let mut readability = Readability::new(html, None, Some(config)).ok()?;
    let first = |places: &[(&str, &str)], read: fn(&str) -> Option<String>| {
        places.iter().find_map(|(selector, attribute)| {
            read(&readability.doc.select(selector).first().attr(attribute)?)
        })
    };
    let published = first(&DAYS, day);
    let url = first(&ADDRESSES, web_address);
    let Ok(article) = readability.parse() else {
        return Some(Page { published, url, ..Page::default() });
    };
    Some(Page {
        title: one_line(&article.title),
        url: url.or(article.url.as_deref().and_then(web_address)),
        source: article.site_name.as_deref().and_then(one_line),
        published: published.or(article.published_time.as_deref().and_then(day)),
        text: markup::in_lines(&article.text_content),
        authors: article.byline.as_deref().map(people).unwrap_or_default(),
    })
}

/// The people of a line like "By Ann Lee, Bo Chen and 山田".
fn people(byline: &str) -> Vec<String> {
    let line = byline.trim().trim_start_matches("By ").trim_start_matches("by ");
    let names = line.split([',', ';', '、', '|']).flat_map(|part| part.split(" and "));
    names.filter_map(one_line).filter(|name| !name.contains("://")).take(20).collect()
}

fn host_of(url: &str) -> Option<String> {
    let host = url.split("://").nth(1)?.split(['/', '?', '#', ':']).next()?;
    let host = host.strip_prefix("www.").unwrap_or(host);
    (!host.is_empty()).then(|| host.to_lowercase())
}

/// The encoding that the page's head names.
fn declared_encoding(bytes: &[u8]) -> Option<String> {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(2_048)]).to_lowercase();
    let after = head.split("charset=").nth(1).or_else(|| head.split("encoding=").nth(1))?;
    let label = after.trim_start_matches(['"', '\'']).split(|c: char| "\"'/>; ?\n".contains(c)).next()?;
    (!label.is_empty()).then(|| label.to_owned())
}

//! Reads a saved web page: its article, title, date, authors and address.
//!
//! The article is found by a port of Readability, which is quadratic in nesting depth, so it runs in a separate process
//! (`process`). Pages that are too large or too deep for it, and those it rejects, give all their text. Not in here:
//! fetching pages.

use dom_query::Document;
use dom_smoothie::{Config, Readability};
use kernel::{Phrase, form};

use super::dates::day;
use super::head_day::day_in_head;
use super::legible::legible;
use super::nesting::is_deeper;
use super::page_day::page_day;
use super::process::{About, DocumentKind, Extracted, Message, extract};
use super::tags::{attribute, tags_named};
use super::{ReadError, Reading, Source, encoding, is_ideographic, markup, one_line, web_address};

const LARGEST_PAGE: usize = 4 << 20;
const DEEPEST_PAGE: usize = 400;
const MOST_ELEMENTS: usize = 60_000;

/// A shorter article is doubted when the page has much more text.
const SHORT_ARTICLE: usize = 300;

/// A page with scripts and fewer letters than this shows only a name or a notice before they ran.
const FEW_LETTERS: usize = 200;

/// The number of alphabetic letters that one Chinese or Japanese character counts as.
const LETTERS_OF_IDEOGRAPH: usize = 3;

/// Block elements, and inline blocks that Markdown has no syntax for.
const BLOCKS: &str = "address, aside, center, details, dialog, dir, dd, dl, dt, fieldset, figcaption, figure, footer, form, header, hgroup, legend, main, menu, nav, optgroup, option, summary";
const INLINE_BLOCKS: &str = "button, input, label, meter, select";

/// The bytes in which a page must declare its encoding.
const DECLARATION_BYTES: usize = 4 << 10;

const ADDRESSES: [(&str, &str); 2] =
    [("link[rel='canonical']", "href"), ("meta[property='og:url']", "content")];

pub(crate) fn read(file: &Source<'_>, bytes: Vec<u8>) -> Result<Reading, ReadError> {
    read_as(file, bytes, None)
}

/// The same for a page with an encoding from the server, which outranks the page's own declaration.
pub(crate) fn read_as(
    file: &Source<'_>,
    bytes: Vec<u8>,
    charset: Option<&str>,
) -> Result<Reading, ReadError> {
    let declared = charset.map(str::to_owned).or_else(|| declared_encoding(&bytes));
    let html = encoding::decode(&bytes, declared.as_deref()).ok_or_else(|| file.undecodable())?;
    let html = legible(&html);
    let whole = markup::text_of(&html);
    let title = markup::title_of(&html);
    let article = if is_large(&html) {
        Err(form!("the page is too large or too deep to find its article in; all its text was taken"))
    } else {
        extract(DocumentKind::Html, file.shown, html.as_bytes())
            .map_err(|_| form!("the article of the page could not be found; all its text was taken"))
    };
    let notes = article.as_ref().err().map(|note| Phrase::from(*note)).into_iter().collect();
    let page: Extracted = article.unwrap_or_default();
    let is_doubted = page.text.len() < SHORT_ARTICLE && whole.len() > 2 * page.text.len();
    let title = page.about.title.clone().or(title);
    // Text above the title belongs to the page and not to the article.
    let below = title.as_deref().and_then(|title| below_title(&whole, title)).unwrap_or(&whole);
    let printed = day_in_head(&page.text).or_else(|| day_in_head(below));
    let mut text = if is_doubted { whole } else { page.text.clone() };
    // Icons are private-use characters of fonts that only the page has.
    text.retain(|character| !('\u{e000}'..='\u{f8ff}').contains(&character));
    if text.trim().is_empty() {
        return Err(file.empty());
    }
    let host = page.about.url.as_deref().and_then(host_of);
    let mut document = page.document(file, title, text);
    document.published = document.published.or(printed);
    if document.source == file.origin {
        document.source = host.unwrap_or(document.source);
    }
    Ok(Reading { documents: vec![document], notes, ..Reading::default() })
}

/// Whether a page has scripts and almost no text, so that only a browser can show it.
pub(super) fn needs_browser(bytes: &[u8], charset: Option<&str>) -> bool {
    let declared = charset.map(str::to_owned).or_else(|| declared_encoding(bytes));
    encoding::decode(bytes, declared.as_deref()).is_some_and(|html| {
        tags_named(&html, "script").into_iter().any(is_program)
            && letters_of(&markup::text_of(&html)) < FEW_LETTERS
    })
}

/// Whether a script is executable code and not data.
fn is_program(script: &str) -> bool {
    let kind = attribute(script, "type").unwrap_or_default().trim().to_ascii_lowercase();
    kind.is_empty() || kind == "module" || kind.ends_with("javascript") || kind.ends_with("ecmascript")
}

/// The amount of text, in alphabetic letters.
fn letters_of(text: &str) -> usize {
    let letters = text.chars().filter(|c| c.is_alphanumeric());
    letters.map(|letter| if is_ideographic(letter) { LETTERS_OF_IDEOGRAPH } else { 1 }).sum()
}

/// The whole page as Markdown with headings, lists and tables. A page that is too large or too deep for that gives
/// plain text.
pub(crate) fn read_whole(file: &Source<'_>, bytes: &[u8]) -> Result<String, ReadError> {
    let html =
        encoding::decode(bytes, declared_encoding(bytes).as_deref()).ok_or_else(|| file.undecodable())?;
    let html = legible(&html);
    let read = (!is_large(&html)).then(|| extract(DocumentKind::WholePage, file.shown, html.as_bytes()));
    let markdown = read.and_then(Result::ok).map(|page| page.text).filter(|text| !text.trim().is_empty());
    Ok(markdown.unwrap_or_else(|| markup::text_of(&html)))
}

/// Whether a page is too large or too deep to parse into a tree.
fn is_large(html: &str) -> bool {
    let elements = html.bytes().filter(|byte| *byte == b'<').count();
    html.len() > LARGEST_PAGE || elements > 2 * MOST_ELEMENTS || is_deeper(html, DEEPEST_PAGE)
}

/// Sends the whole page as Markdown.
pub(super) fn emit_whole(bytes: Vec<u8>, on: &mut dyn FnMut(Message)) -> Result<(), String> {
    let html = String::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())?;
    let page = Readability::new(html.as_str(), None, None).map_err(|error| error.to_string())?;
    // Without this the words of adjacent elements would be joined.
    page.doc.select(BLOCKS).rename("div");
    set_apart(&page.doc);
    on(Message::Text(without_escapes(&page.doc.md(Some(&markup::HIDDEN_ELEMENTS)))));
    Ok(())
}

/// Adds spaces around inline blocks, before some of them are removed with their content.
fn set_apart(page: &Document) {
    let apart = page.select(INLINE_BLOCKS);
    apart.before_html(" ");
    apart.after_html(" ");
}

/// Removes the backslashes before marks that the text itself uses: `[date]`, `company_name`.
fn without_escapes(markdown: &str) -> String {
    let mut text = String::with_capacity(markdown.len());
    let mut rest = markdown;
    while let Some(at) = rest.find('\\') {
        text.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        if !rest.starts_with(['_', '[', ']', '<', '~', '.', '(', ')', '-', '+', '#', '>']) {
            text.push('\\');
            text.extend(rest.chars().next());
            rest = rest.get(rest.chars().next().map_or(0, char::len_utf8)..).unwrap_or_default();
        }
    }
    text.push_str(rest);
    text
}

/// Sends the metadata of the page, and its article when Readability finds one.
pub(super) fn emit(bytes: Vec<u8>, on: &mut dyn FnMut(Message)) -> Result<(), String> {
    let html = String::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())?;
    let config = Config { max_elements_to_parse: MOST_ELEMENTS, ..Config::default() };
    let mut readability =
        Readability::new(html.as_str(), None, Some(config)).map_err(|error| error.to_string())?;
    let first = |places: &[(&str, &str)], read: fn(&str) -> Option<String>| {
        places.iter().find_map(|(selector, attribute)| {
            read(&readability.doc.select(selector).first().attr(attribute)?)
        })
    };
    let published = page_day(&readability.doc);
    let url = first(&ADDRESSES, web_address);
    set_apart(&readability.doc);
    let Ok(article) = readability.parse() else {
        on(Message::About(About { published, url, ..About::default() }));
        return Ok(());
    };
    on(Message::About(About {
        title: one_line(&article.title),
        url: url.or(article.url.as_deref().and_then(web_address)),
        source: article.site_name.as_deref().and_then(one_line),
        published: published.or(article.published_time.as_deref().and_then(day)),
        authors: article.byline.as_deref().map(people).unwrap_or_default(),
    }));
    on(Message::Text(markup::text_of(&article.content)));
    Ok(())
}

/// The names in a byline such as "By Ann Lee, Bo Chen and 山田".
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

/// The text below the last line that equals the title or its beginning: sites append their own name to it.
fn below_title<'t>(text: &'t str, title: &str) -> Option<&'t str> {
    let mut at = 0;
    let mut below = None;
    for line in text.split_inclusive('\n') {
        at += line.len();
        let bare = line.trim();
        if bare.chars().count() > 3 && title.starts_with(bare) {
            below = Some(&text[at..]);
        }
    }
    below
}

/// The encoding that the page declares, in its XML declaration or in a `meta` element of its head, searched as browsers
/// do.
pub(super) fn declared_encoding(bytes: &[u8]) -> Option<String> {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(DECLARATION_BYTES)]);
    if let Some(prolog) = head.trim_start().strip_prefix("<?xml") {
        let label = attribute(prolog.split("?>").next()?, "encoding");
        return label.map(str::to_owned);
    }
    tags_named(&head, "meta").into_iter().find_map(|meta| {
        let content = || {
            let content = attribute(meta, "content")?.to_ascii_lowercase();
            let (_, label) = content.split_once("charset")?;
            let label = label.trim_start().strip_prefix('=')?.trim_start().trim_start_matches(['"', '\'']);
            Some(label.split(|c: char| "\"' ;,".contains(c)).next()?.to_owned())
        };
        let own = attribute(meta, "charset").filter(|label| !label.is_empty()).map(str::to_owned);
        own.or_else(content)
    })
}

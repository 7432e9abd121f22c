//! Finds the links of a page from its tags alone, without building a tree, however deep the page is.

use std::collections::HashSet;

use html_escape::decode_html_entities;
use net::Url;

use super::html::declared_encoding;
use super::tags::{attribute, find_tag, tags_named};
use super::{encoding, markup, one_line, web_address};

/// The most links that are examined.
const MOST_EXAMINED: usize = 5_000;

/// The bytes after a link's tag in which its words are searched.
const LONGEST: usize = 4 << 10;

/// A link of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PageLink {
    /// Its words.
    pub(crate) text: String,
    /// Its address without the fragment.
    pub(crate) url: String,
}

/// The links of a page with this address: each address once, only with words, and not to the page itself.
pub(crate) fn page_links(bytes: &[u8], charset: Option<&str>, address: &Url) -> Vec<PageLink> {
    let declared = charset.map(str::to_owned).or_else(|| declared_encoding(bytes));
    let Some(html) = encoding::decode(bytes, declared.as_deref()) else { return Vec::new() };
    let target = |tag: &str, base: &Url| {
        let mut url = base.join(decode_html_entities(attribute(tag, "href")?).trim()).ok()?;
        url.set_fragment(None);
        Some(url)
    };
    let bases = tags_named(&html, "base");
    let base = bases.into_iter().find_map(|tag| target(tag, address)).unwrap_or_else(|| address.clone());
    let mut own = address.clone();
    own.set_fragment(None);
    let mut known = HashSet::from([own.to_string()]);
    let mut links = Vec::new();
    for tag in tags_named(&html, "a").into_iter().take(MOST_EXAMINED) {
        let Some(url) = target(tag, &base).and_then(|url| web_address(url.as_str())) else { continue };
        // The tag is a slice of the page, so the rest begins at its end.
        let begins = tag.as_ptr().addr() - html.as_ptr().addr() + tag.len();
        let after = &html[begins..];
        let after = &after[..after.floor_char_boundary(LONGEST)];
        let ends = find_tag(after, &["</a>", "</a ", "<a "]).unwrap_or(after.len());
        let Some(text) = one_line(&markup::text_of(&after[..ends])) else { continue };
        if known.insert(url.clone()) {
            links.push(PageLink { text, url });
        }
    }
    links
}

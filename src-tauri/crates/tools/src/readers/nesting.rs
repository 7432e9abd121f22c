//! Measures the nesting depth of a page or a feed without parsing it into a tree.

use super::tags::{Tag, Tags, after_element};

/// Elements that may stay unclosed and so do not count.
const OPTIONAL_END: [&str; 24] = [
    "area", "base", "br", "col", "dd", "dt", "embed", "hr", "img", "input", "li", "link", "meta", "option",
    "p", "param", "path", "source", "tbody", "td", "th", "tr", "track", "wbr",
];

/// Formatting elements that continue after the end of their parent.
const FORMATTING: [&str; 14] =
    ["a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u"];

/// Elements of drawings, with and without content.
const DRAWING_GROUPS: [&str; 10] = [
    "clippath",
    "defs",
    "filter",
    "g",
    "lineargradient",
    "marker",
    "mask",
    "pattern",
    "radialgradient",
    "symbol",
];
const DRAWN: [&str; 8] = ["circle", "ellipse", "line", "polygon", "polyline", "rect", "stop", "use"];

/// The deepest nesting of elements in a feed.
pub(super) fn nesting(xml: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    for_each_tag(xml, |tag| {
        if !tag.is_opening {
            depth = depth.saturating_sub(1);
        } else if !tag.is_closed {
            depth += 1;
            deepest = deepest.max(depth);
        }
        true
    });
    deepest
}

/// Whether the elements of a page are nested deeper than this in a browser: `<div/>` opens an element, an end tag
/// without a start tag is ignored, and an unclosed `<b>` continues in what follows.
pub(super) fn is_deeper(html: &str, limit: usize) -> bool {
    let mut open: Vec<String> = Vec::new();
    let mut carried: Vec<String> = Vec::new();
    for_each_tag(html, |tag| {
        if tag.is_opening {
            if !(tag.is_closed && is_drawing(&open, &tag.name)) {
                open.push(tag.name);
            }
        } else if let Some(place) = open.iter().rposition(|name| *name == tag.name) {
            let closed = open.split_off(place).into_iter().skip(1);
            carried.extend(closed.filter(|name| FORMATTING.contains(&name.as_str())));
        } else if let Some(place) = carried.iter().rposition(|name| *name == tag.name) {
            carried.remove(place);
        }
        open.len() + carried.len() <= limit
    });
    open.len() + carried.len() > limit
}

/// Whether a tag is inside a drawing, where `/>` closes an element.
fn is_drawing(open: &[String], name: &str) -> bool {
    let outside = open.iter().rev().find(|name| !DRAWING_GROUPS.contains(&name.as_str()));
    outside.is_some_and(|name| name == "svg") && (DRAWN.contains(&name) || DRAWING_GROUPS.contains(&name))
}

/// Passes the tags that need an end tag to `on` until it returns false.
fn for_each_tag(html: &str, mut on: impl FnMut(Tag<'_>) -> bool) {
    let tags = Tags::of(html);
    let mut rest = html;
    while let Some(index) = rest.find('<') {
        rest = &rest[index..];
        let Some(tag) = tags.at(rest) else {
            rest = &rest[1..];
            continue;
        };
        rest = &rest[tag.length..];
        if tag.raw.is_some() || tag.name.is_empty() || OPTIONAL_END.contains(&tag.name.as_str()) {
            continue;
        }
        if tag.is_opening && !tag.is_closed && matches!(tag.name.as_str(), "script" | "style") {
            rest = after_element(rest, &tag.name);
            continue;
        }
        if !on(tag) {
            return;
        }
    }
}

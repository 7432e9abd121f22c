//! Takes the tags out of HTML in one pass, whatever the HTML is like: for summaries in feeds, and for pages that the
//! article finder rejects. Not in here: deciding which part of a page is its article.

/// Elements whose content no person reads.
pub(crate) const UNREAD: [&str; 9] =
    ["script", "style", "head", "title", "template", "svg", "noscript", "iframe", "textarea"];

/// Elements that begin a line.
const LINES: [&str; 26] = [
    "address",
    "article",
    "aside",
    "blockquote",
    "br",
    "dd",
    "div",
    "dl",
    "dt",
    "figure",
    "footer",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hr",
    "li",
    "main",
    "ol",
    "p",
    "pre",
    "section",
    "tr",
];

/// Elements that may stay open, so they say nothing of nesting.
const OFTEN_OPEN: [&str; 24] = [
    "area", "base", "br", "col", "dd", "dt", "embed", "hr", "img", "input", "li", "link", "meta", "option",
    "p", "param", "path", "source", "tbody", "td", "th", "tr", "track", "wbr",
];

/// Elements that go on behind the end of the element they stand in.
const CARRIED: [&str; 14] =
    ["a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u"];

/// Elements of drawings, with content and without.
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

/// A tag longer than this is broken, and its quotes are not believed.
const LONGEST_TAG: usize = 64 << 10;

/// What a reader would see, one paragraph a line, blank lines between blocks at most one.
pub(crate) fn text_of(html: &str) -> String {
    let mut text = String::with_capacity(html.len() / 2);
    let tags = Tags::of(html);
    let mut rest = html;
    while let Some(index) = rest.find(['<', '&']) {
        text.push_str(&rest[..index]);
        rest = &rest[index..];
        if rest.starts_with('&') {
            rest = push_entity(&mut text, rest);
            continue;
        }
        let Some(tag) = tags.at(rest) else {
            text.push('<');
            rest = &rest[1..];
            continue;
        };
        rest = &rest[tag.length..];
        if let Some(raw) = tag.raw {
            text.push_str(raw);
        } else if tag.is_opening && UNREAD.contains(&tag.name.as_str()) {
            rest = after_element(rest, &tag.name);
        } else if LINES.contains(&tag.name.as_str()) {
            text.push_str(if tag.name == "p" || tag.name.starts_with('h') { "\n\n" } else { "\n" });
        } else if matches!(tag.name.as_str(), "td" | "th") {
            text.push(' ');
        }
    }
    text.push_str(rest);
    in_lines(&text)
}

/// The deepest nesting of elements of a feed that have to be closed.
pub(crate) fn nesting(xml: &str) -> usize {
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

/// Whether elements of a page stand deeper inside each other than this, as a browser would nest them: `<div/>` opens
/// an element, an end without a beginning closes nothing, and an unclosed `<b>` goes on in what follows.
pub(crate) fn is_deeper(html: &str, limit: usize) -> bool {
    let mut open: Vec<String> = Vec::new();
    let mut carried: Vec<String> = Vec::new();
    for_each_tag(html, |tag| {
        if tag.is_opening {
            if !(tag.is_closed && is_drawing(&open, &tag.name)) {
                open.push(tag.name);
            }
        } else if let Some(place) = open.iter().rposition(|name| *name == tag.name) {
            let closed = open.split_off(place).into_iter().skip(1);
            carried.extend(closed.filter(|name| CARRIED.contains(&name.as_str())));
        } else if let Some(place) = carried.iter().rposition(|name| *name == tag.name) {
            carried.remove(place);
        }
        open.len() + carried.len() <= limit
    });
    open.len() + carried.len() > limit
}

/// Whether a tag stands in a drawing, where `/>` closes an element.
fn is_drawing(open: &[String], name: &str) -> bool {
    let outside = open.iter().rev().find(|name| !DRAWING_GROUPS.contains(&name.as_str()));
    outside.is_some_and(|name| name == "svg") && (DRAWN.contains(&name) || DRAWING_GROUPS.contains(&name))
}

/// Hands over the tags that have to be closed until `on` gives false.
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
        if tag.raw.is_some() || tag.name.is_empty() || OFTEN_OPEN.contains(&tag.name.as_str()) {
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

/// What stands between `<title>` and its end.
pub(crate) fn title_of(html: &str) -> Option<String> {
    let start = find_ignoring_case(html, "<title")?;
    let inside = &html[start..];
    let inside = &inside[inside.find('>')? + 1..];
    let end = find_ignoring_case(inside, "</title").unwrap_or(inside.len().min(1_000));
    super::one_line(&text_of(inside.get(..end)?))
}

/// Knows where the last tag ends: beyond it nothing is searched for an end, which would take time without bound.
struct Tags {
    /// Bytes of the text that follow the last `>`, with it.
    after_last: usize,
}

impl Tags {
    fn of(html: &str) -> Self {
        Self { after_last: html.rfind('>').map_or(usize::MAX, |last| html.len() - last) }
    }

    /// The tag at the beginning of this rest of the text.
    fn at<'h>(&self, rest: &'h str) -> Option<Tag<'h>> {
        if rest.len() > self.after_last { Tag::at(rest) } else { None }
    }
}

struct Tag<'h> {
    /// In lower case; empty for comments, instructions and the like.
    name: String,
    is_opening: bool,
    /// `<br/>`
    is_closed: bool,
    /// The content of a CDATA section.
    raw: Option<&'h str>,
    /// Bytes that it takes.
    length: usize,
}

impl<'h> Tag<'h> {
    /// The tag at the beginning of the text, if one is there and ends.
    fn at(text: &'h str) -> Option<Self> {
        let none = |length| {
            Some(Tag { name: String::new(), is_opening: false, is_closed: false, raw: None, length })
        };
        if let Some(comment) = text.strip_prefix("<!--") {
            return none(comment.find("-->").map_or(text.len(), |end| end + 7));
        }
        if let Some(data) = text.strip_prefix("<![CDATA[") {
            let end = data.find("]]>");
            let raw = Some(&data[..end.unwrap_or(data.len())]);
            return Some(Tag { raw, ..none(end.map_or(text.len(), |end| end + 12))? });
        }
        if text.starts_with("<!") || text.starts_with("<?") {
            return none(text.find('>')? + 1);
        }
        let inside = text[1..].strip_prefix('/').unwrap_or(&text[1..]);
        if !inside.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return None;
        }
        let length = end_of_tag(text)?;
        let name: String = inside
            .chars()
            .take_while(|c| c.is_ascii_alphanumeric())
            .take(32)
            .collect::<String>()
            .to_ascii_lowercase();
        let is_closed = text[..length].ends_with("/>");
        Some(Tag { name, is_opening: !text.starts_with("</"), is_closed, raw: None, length })
    }
}

/// Bytes up to and with the `>` that stands in no quotes.
fn end_of_tag(text: &str) -> Option<usize> {
    let mut quote = None;
    for (index, byte) in text.bytes().enumerate().take(LONGEST_TAG) {
        match (quote, byte) {
            (None, b'>') => return Some(index + 1),
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), _) if open == byte => quote = None,
            _ => {}
        }
    }
    text.find('>').map(|index| index + 1)
}

/// What follows the end of an element whose content is passed over.
fn after_element<'h>(rest: &'h str, name: &str) -> &'h str {
    let Some(end) = find_ignoring_case(rest, &format!("</{name}")) else { return "" };
    let closing = &rest[end..];
    closing.find('>').map_or("", |index| &closing[index + 1..])
}

fn find_ignoring_case(text: &str, wanted: &str) -> Option<usize> {
    let wanted = wanted.as_bytes();
    text.as_bytes().windows(wanted.len()).position(|window| window.eq_ignore_ascii_case(wanted))
}

/// Writes the character of the entity at the beginning of the text, and gives what follows.
fn push_entity<'h>(text: &mut String, rest: &'h str) -> &'h str {
    let end = rest.bytes().take(12).position(|byte| byte == b';');
    if let Some(end) = end
        && let Some(character) = entity(&rest[1..end])
    {
        text.push(character);
        return &rest[end + 1..];
    }
    text.push('&');
    &rest[1..]
}

/// The character of a numeric entity, or of a named one that is common in running text.
pub(crate) fn entity(name: &str) -> Option<char> {
    if let Some(number) = name.strip_prefix('#') {
        let code = match number.strip_prefix(['x', 'X']) {
            Some(hexadecimal) => u32::from_str_radix(hexadecimal, 16).ok()?,
            None => number.parse().ok()?,
        };
        return char::from_u32(code).filter(|c| !c.is_control() || *c == '\n' || *c == '\t');
    }
    Some(match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        "nbsp" | "ensp" | "emsp" | "thinsp" => ' ',
        "ndash" => '–',
        "mdash" => '—',
        "lsquo" => '‘',
        "rsquo" => '’',
        "ldquo" => '“',
        "rdquo" => '”',
        "laquo" => '«',
        "raquo" => '»',
        "hellip" => '…',
        "bull" => '•',
        "middot" => '·',
        "times" => '×',
        "deg" => '°',
        "copy" => '©',
        "reg" => '®',
        "trade" => '™',
        "eacute" => 'é',
        "egrave" => 'è',
        "agrave" => 'à',
        "auml" => 'ä',
        "ouml" => 'ö',
        "uuml" => 'ü',
        "szlig" => 'ß',
        "ccedil" => 'ç',
        "ntilde" => 'ñ',
        "euro" => '€',
        _ => return None,
    })
}

/// Spaces joined, lines trimmed, one blank line between blocks.
pub(crate) fn in_lines(text: &str) -> String {
    let mut tidy = String::with_capacity(text.len());
    let mut blanks = 0;
    for line in text.lines() {
        let mut words = line.split_whitespace().peekable();
        if words.peek().is_none() {
            blanks += 1;
            continue;
        }
        if !tidy.is_empty() {
            tidy.push_str(if blanks > 0 { "\n\n" } else { "\n" });
        }
        blanks = 0;
        tidy.push_str(words.next().unwrap_or_default());
        for word in words {
            tidy.push(' ');
            tidy.push_str(word);
        }
    }
    tidy
}

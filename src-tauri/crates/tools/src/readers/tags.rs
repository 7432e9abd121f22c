//! Splits HTML and XML, also malformed, into tags and text.

/// A longer tag is treated as malformed, and its quotes are ignored.
const LONGEST_TAG: usize = 64 << 10;

/// The complete tags of elements with this name, except in comments, scripts and styles.
pub(super) fn tags_named<'h>(html: &'h str, name: &str) -> Vec<&'h str> {
    let tags = Tags::of(html);
    let (mut found, mut rest) = (Vec::new(), html);
    while let Some(index) = rest.find('<') {
        rest = &rest[index..];
        let Some(tag) = tags.at(rest) else {
            rest = &rest[1..];
            continue;
        };
        let (source, after) = rest.split_at(tag.length);
        rest = match tag.name.as_str() {
            "script" | "style" if tag.is_opening => after_element(after, &tag.name),
            _ => after,
        };
        if tag.is_opening && tag.name == name {
            found.push(source);
        }
    }
    found
}

/// Knows where the last tag ends: text after it is not searched for an end, which would take quadratic time.
pub(super) struct Tags {
    /// The length of the text from the last `>` on, in bytes.
    after_last: usize,
}

impl Tags {
    pub(super) fn of(html: &str) -> Self {
        Self { after_last: html.rfind('>').map_or(usize::MAX, |last| html.len() - last) }
    }

    /// The tag at the beginning of `rest`.
    pub(super) fn at<'h>(&self, rest: &'h str) -> Option<Tag<'h>> {
        if rest.len() > self.after_last { Tag::at(rest) } else { None }
    }
}

pub(super) struct Tag<'h> {
    /// In lower case; empty for comments, instructions and the like.
    pub(super) name: String,
    pub(super) is_opening: bool,
    /// Self-closing: `<br/>`.
    pub(super) is_closed: bool,
    /// The content of a CDATA section.
    pub(super) raw: Option<&'h str>,
    /// Its length in bytes.
    pub(super) length: usize,
}

impl<'h> Tag<'h> {
    /// The tag at the beginning of the text, if it is complete.
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
            // `<rt-text>` is a custom element and no `<rt>`.
            .take_while(|c| c.is_ascii_alphanumeric() || *c == '-')
            .take(32)
            .collect::<String>()
            .to_ascii_lowercase();
        let is_closed = text[..length].ends_with("/>");
        Some(Tag { name, is_opening: !text.starts_with("</"), is_closed, raw: None, length })
    }
}

/// The bytes up to and including the `>` outside quotes.
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

/// The text after the end of an element whose content is skipped.
pub(super) fn after_element<'h>(rest: &'h str, name: &str) -> &'h str {
    let Some(end) = find_tag(rest, &[&format!("</{name}")]) else { return "" };
    let closing = &rest[end..];
    closing.find('>').map_or("", |index| &closing[index + 1..])
}

/// The position of the first tag that begins with one of these, ignoring case.
pub(super) fn find_tag(text: &str, beginnings: &[&str]) -> Option<usize> {
    let mut places = text.match_indices('<').map(|(place, _)| place);
    places.find(|place| beginnings.iter().any(|wanted| begins_with(&text[*place..], wanted)))
}

/// Whether a text begins with this, ignoring case.
pub(super) fn begins_with(text: &str, wanted: &str) -> bool {
    text.as_bytes().get(..wanted.len()).is_some_and(|start| start.eq_ignore_ascii_case(wanted.as_bytes()))
}

/// The value of an attribute in a tag without its quotes; entities are not decoded.
pub(super) fn attribute<'t>(tag: &'t str, name: &str) -> Option<&'t str> {
    let is_blank = |c: char| c.is_ascii_whitespace() || c == '/';
    let mut rest = tag.trim_start_matches('<').trim_start_matches(|c: char| !is_blank(c));
    loop {
        rest = rest.trim_start_matches(is_blank);
        let end = rest.find(|c: char| is_blank(c) || matches!(c, '=' | '>'))?;
        let (known, behind) = rest.split_at(end);
        let Some(value) = behind.trim_start().strip_prefix('=').map(str::trim_start) else {
            rest = if known.is_empty() { behind.get(1..)? } else { behind };
            continue;
        };
        let (value, after) = match value.chars().next()? {
            quote @ ('"' | '\'') => value[1..].split_once(quote)?,
            _ => value
                .split_at(value.find(|c: char| c.is_ascii_whitespace() || c == '>').unwrap_or(value.len())),
        };
        if known.eq_ignore_ascii_case(name) {
            return Some(value);
        }
        rest = after;
    }
}

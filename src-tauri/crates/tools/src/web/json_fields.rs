//! Reads the JSON of services tolerantly: numbers as text, text as numbers, missing fields, control characters in
//! strings, HTML in titles.

use kernel::{Code, Error, phrase};
use serde_json::Value;

use crate::readers::day;
use crate::readers::markup;

/// The longest text that is kept of a hit, in characters.
const LONGEST_TEXT: usize = 4_000;
/// The longest title, in characters.
const LONGEST_TITLE: usize = 300;

/// Parses the body as JSON.
pub(crate) fn json(service: &str, body: &[u8]) -> Result<Value, Error> {
    net::nearly_json(body).ok_or_else(|| unreadable(service))
}

/// The error for an answer that cannot be parsed.
pub(crate) fn unreadable(service: &str) -> Error {
    let message = phrase!(
        "{service} sent an answer that cannot be read; try again, and if it stays so, check its base URL",
        service
    );
    Error::new(Code::Overloaded, message)
}

/// A field as text; a number is converted; empty when it is neither.
pub(crate) fn text<'v>(value: &'v Value, field: &str) -> std::borrow::Cow<'v, str> {
    match value.get(field) {
        Some(Value::String(text)) => text.as_str().into(),
        Some(Value::Number(number)) => number.to_string().into(),
        _ => "".into(),
    }
}

/// A field as a finite number; a numeric text is converted.
pub(crate) fn number(value: &Value, field: &str) -> Option<f64> {
    number_in(value.get(field)?)
}

/// The number in a value that is a number or a numeric text.
pub(crate) fn number_in(value: &Value) -> Option<f64> {
    let number = match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    number.filter(|number: &f64| number.is_finite())
}

/// The list in a field; empty when it is missing or no list.
pub(crate) fn list<'v>(value: &'v Value, field: &str) -> &'v [Value] {
    value.get(field).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

/// The day of the first of these fields with a date or seconds since 1970.
pub(crate) fn day_of(value: &Value, fields: &[&str]) -> String {
    fields.iter().find_map(|field| day(&text(value, field))).unwrap_or_default()
}

/// The plain text of possible HTML, cut to the limit.
pub(crate) fn plain(html: &str) -> String {
    let start: String = html.chars().take(8 * LONGEST_TEXT).collect();
    let text = markup::text_of(&start);
    text.chars().take(LONGEST_TEXT).collect::<String>().trim().to_owned()
}

/// A text, cut to the limit of a hit.
pub(crate) fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST_TEXT) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text.trim().to_owned(),
    }
}

/// The entries of a feed, parsed on a blocking thread because that may take long.
pub(crate) async fn entries(name: &str, answer: net::Answer) -> Result<Vec<crate::readers::Document>, Error> {
    let (owned, unread, charset) = (name.to_owned(), unreadable(name), answer.charset());
    match tokio::task::spawn_blocking(move || {
        crate::readers::feed_entries(&owned, answer.body, charset.as_deref())
    })
    .await
    {
        Ok(Ok(entries)) => Ok(entries),
        Ok(Err(error)) => Err(Error::new(
            Code::ToolFailed,
            phrase!("{name} sent no feed: {why}", name, why = error.phrase()),
        )),
        Err(_) => Err(unread),
    }
}

/// Removes characters that move a terminal's cursor or change the text direction.
pub(crate) fn harmless(text: &str) -> String {
    let is_harmful = |character: char| {
        (character.is_control() && character != '\n')
            || matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    text.chars().map(|c| if c == '\t' { ' ' } else { c }).filter(|c| !is_harmful(*c)).collect()
}

/// A title in one line, without HTML.
pub(crate) fn title(html: &str) -> String {
    let start: String = html.chars().take(8 * LONGEST_TITLE).collect();
    markup::text_of(&start)
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .chars()
        .take(LONGEST_TITLE)
        .collect()
}

/// The host of an address without `www.`, as the publisher when none is named.
pub(crate) fn host_of(url: &str) -> String {
    let host =
        net::Url::parse(url).ok().and_then(|url| url.host_str().map(str::to_owned)).unwrap_or_default();
    host.strip_prefix("www.").unwrap_or(&host).to_owned()
}

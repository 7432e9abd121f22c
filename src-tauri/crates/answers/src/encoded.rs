//! Texts that encode the text with the JSON: escaped, quoted, with entities, without the first brace.

use std::borrow::Cow;

use crate::Rung;
use crate::labelled::plain;
use crate::scanner::is_quote;

/// The texts that this one may encode, each with the repairs to report if it is used.
pub(crate) fn copies(text: &str) -> impl Iterator<Item = (Cow<'_, str>, Rung)> {
    let decoded = [json_text, unescaped, with_entities, quoted_lines].into_iter();
    let decoded = decoded.filter_map(|decode| decode(text)).map(|copy| (Cow::Owned(copy), Rung::JsonInText));
    decoded.chain(without_brace(text).map(|copy| (Cow::Owned(copy), Rung::Lenient)))
}

/// A JSON string, also in a fence.
fn json_text(text: &str) -> Option<String> {
    let text = text.trim();
    let inner =
        text.strip_prefix("```").and_then(|rest| rest.split_once('\n')).map_or(text, |(_, rest)| rest);
    let inner = inner.trim_end().trim_end_matches('`').trim();
    let mut text: String = serde_json::from_str(inner).ok()?;
    // Some models encode twice.
    while let Ok(inner) = serde_json::from_str::<String>(text.trim()) {
        text = inner;
    }
    Some(text)
}

/// An object with every quote escaped, as inside a string.
fn unescaped(text: &str) -> Option<String> {
    let escaped = text.find("\\\"")?;
    let start = text[..escaped].rfind(['{', '['])?;
    let body = text[start..].trim_end().trim_end_matches(['"', '`']).trim_end().trim_end_matches('"');
    let body = body.replace('\n', "\\n").replace('\t', "\\t").replace('\r', "");
    serde_json::from_str(&format!("\"{body}\"")).ok()
}

fn with_entities(text: &str) -> Option<String> {
    (text.contains("{&quot;") || text.contains("&quot;:") || text.contains("{&#34;")).then(|| plain(text))
}

/// JSON with every quote doubled, as in CSV.
pub(crate) fn with_doubled_marks(text: &str) -> Option<String> {
    text.contains("{\"\"").then(|| text.replace("\"\"", "\""))
}

/// Lines quoted as in an e-mail.
fn quoted_lines(text: &str) -> Option<String> {
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let inner: Option<Vec<&str>> = lines.map(|line| line.trim_start().strip_prefix('>')).collect();
    inner.filter(|lines| !lines.is_empty()).map(|lines| lines.join("\n"))
}

/// Fields without the opening brace of their object.
fn without_brace(text: &str) -> Option<String> {
    let text = text.trim();
    let body = text.strip_prefix("```").and_then(|rest| rest.split_once('\n')).map_or(text, |(_, rest)| rest);
    let body = body.trim_end().trim_end_matches('`').trim();
    let name = body.strip_prefix(is_quote)?;
    let end = name.find(is_quote)?;
    let after = name[end..].trim_start_matches(is_quote).trim_start();
    after.starts_with(':').then(|| format!("{{{body}"))
}

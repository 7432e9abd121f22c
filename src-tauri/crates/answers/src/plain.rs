//! Plain text as an answer of which one text is all that is needed.

use crate::visible::{inside_element, without_marks};

/// The text without what a model puts around it: marks, a fence, the sentence that announces it, what is offered after.
pub(crate) fn body(visible: &str) -> Option<&str> {
    let mut text = without_marks(visible.trim_start_matches('\u{feff}'));
    text = inside_element(text).unwrap_or(text);
    text = fenced(text).unwrap_or(text);
    text = without_announcement(text);
    text = without_offer(text);
    text = unquoted(text);
    let is_literal = ["null", "true", "false", "none", "undefined"].contains(&text.to_lowercase().as_str());
    let is_text =
        text.chars().any(char::is_alphabetic) && !is_literal && !is_page(text) && !text.starts_with("```");
    is_text.then_some(text)
}

fn is_page(text: &str) -> bool {
    let start: String = text.chars().take(16).collect::<String>().to_lowercase();
    ["<!doctype", "<html", "<?xml"].iter().any(|page| start.starts_with(page))
}

/// The inside of the only fence, when what stands around it is short.
fn fenced(text: &str) -> Option<&str> {
    const MOST_AROUND: usize = 200;
    let open = text.find("```")?;
    let close = text.rfind("```").filter(|close| *close > open)?;
    if text[open + 3..close].contains("\n```") {
        return None;
    }
    let (info, inner) = text[open + 3..close].split_once('\n')?;
    let is_text = ["", "markdown", "md", "text", "txt", "plaintext", "json"]
        .contains(&info.trim().to_lowercase().as_str());
    let around = open + text.len() - close - 3;
    (is_text && around <= MOST_AROUND && !inner.trim().is_empty()).then(|| inner.trim())
}

/// Without a first line that only announces what follows.
fn without_announcement(text: &str) -> &str {
    let Some((first, rest)) = text.split_once('\n') else { return text };
    let first = first.trim().trim_matches('*');
    let announces = first.ends_with([':', '：']) && !first.contains('[') && !first.starts_with('#');
    let is_apart = rest.lines().next().is_none_or(|line| line.trim().is_empty() || is_rule(line));
    let body = rest.trim();
    if announces && is_apart && !body.is_empty() { without_rule(body) } else { without_rule(text) }
}

fn without_rule(text: &str) -> &str {
    match text.split_once('\n') {
        Some((first, rest)) if is_rule(first) => rest.trim(),
        _ => text,
    }
}

/// Without what follows the last rule, when it cites nothing.
fn without_offer(text: &str) -> &str {
    let mut end = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if is_rule(line) && at > 0 {
            end = Some((at, at + line.len()));
        }
        at += line.len();
    }
    match end {
        Some((end, after)) if !text[after..].contains('[') => text[..end].trim(),
        _ => text,
    }
}

fn is_rule(line: &str) -> bool {
    let line = line.trim();
    line.len() >= 3 && ["-", "*", "_"].iter().any(|mark| line.replace(mark, "").is_empty())
}

/// Without the quotation marks around the whole.
fn unquoted(text: &str) -> &str {
    for (open, close) in [('"', '"'), ('“', '”')] {
        let inner = text.strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
        if let Some(inner) = inner.filter(|inner| !inner.contains([open, close])) {
            return inner.trim();
        }
    }
    text
}

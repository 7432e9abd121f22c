//! Plain text as an answer of which one text is all that is needed.

use crate::visible::{inside_element, without_marks};

/// The text without what a model puts around it: marks, a fence, the sentence that announces it, what is offered after.
pub(crate) fn body(visible: &str) -> Option<&str> {
    let mut text = without_marks(visible.trim_start_matches('\u{feff}'));
    text = inside_element(text).unwrap_or(text);
    text = fenced(text).unwrap_or(text);
    text = without_announcement(text);
    text = without_offer(text);
    text = without_remark(text);
    text = unquoted(text);
    let is_literal = ["null", "true", "false", "none", "undefined"].contains(&text.to_lowercase().as_str());
    let is_text = !is_refusal(text)
        && !ends_as_json(text)
        && text.chars().any(char::is_alphabetic)
        && !is_literal
        && !is_page(text)
        && !text.starts_with("```");
    is_text.then_some(text)
}

/// Whether a short text without a citation says that there will be none, or asks back.
fn is_refusal(text: &str) -> bool {
    const LONGEST: usize = 300;
    const WORDS: &[&str] = &[
        "i'm sorry",
        "i am sorry",
        "sorry, ",
        "i can't ",
        "i cannot ",
        "i'm unable",
        "i am unable",
        "as an ai ",
        "please provide ",
        "抱歉",
        "对不起",
        "我无法",
        "申し訳",
    ];
    let small = text.to_lowercase().replace('’', "'");
    text.len() <= LONGEST && !text.contains('[') && WORDS.iter().any(|word| small.contains(word))
}

/// Whether it ends as a piece of JSON that was torn off its beginning.
fn ends_as_json(text: &str) -> bool {
    let inner = text.trim_end_matches(|c: char| "}],".contains(c) || c.is_whitespace());
    text.ends_with(['}', ']']) && inner.ends_with('"')
}

fn is_page(text: &str) -> bool {
    let start: String = text.chars().take(16).collect::<String>().to_lowercase();
    ["<!doctype", "<html", "<?xml"].iter().any(|page| start.starts_with(page))
}

/// The inside of the only fence, when what stands around it is short.
fn fenced(text: &str) -> Option<&str> {
    const MOST_AROUND: usize = 200;
    let open = text.find("```")?;
    let ticks = text[open..].len() - text[open..].trim_start_matches('`').len();
    let fence = &text[open..open + ticks];
    let begin = open + ticks;
    let close = begin + text[begin..].rfind(fence)?;
    if text[begin..close].contains(&format!("\n{fence}")) {
        return None;
    }
    let (info, inner) = text[begin..close].split_once('\n')?;
    let is_text = ["", "markdown", "md", "text", "txt", "plaintext", "json"]
        .contains(&info.trim().to_lowercase().as_str());
    let around = open + text.len() - close - ticks;
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

/// Without the JSON that a model puts under its text: counts, sources.
fn without_remark(text: &str) -> &str {
    let start = text.rfind("\n{").filter(|_| text.ends_with('}'));
    let is_json = |at: &usize| serde_json::from_str::<serde::de::IgnoredAny>(text[*at..].trim()).is_ok();
    start.filter(is_json).map_or(text, |at| text[..at].trim())
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

//! Plain text as an answer whose schema requires only one text.

use crate::chatter::{announces_only, is_talk};
use crate::text_features::{cites, ends_with_a_text, is_nothing, is_refusal, is_rule};
use crate::visible::{inside_element, without_marks};

/// The text without what a model adds around it: marks, a fence, an announcement, an offer at the end.
pub(crate) fn body(visible: &str) -> Option<&str> {
    let mut text = without_marks(visible.trim_start_matches('\u{feff}'));
    text = inside_element(text).unwrap_or(text);
    text = fenced(text).unwrap_or(text);
    text = without_announcement(text);
    text = without_offer(text);
    text = without_remark(text);
    text = unquoted(text);
    let is_literal =
        ["true", "false", "undefined"].contains(&text.to_lowercase().as_str()) || is_nothing(text);
    let is_text = !is_refusal(text)
        && !is_promise(text)
        && !ends_as_json(text)
        && text.chars().any(char::is_alphabetic)
        && !is_literal
        && !is_page(text)
        && !text.starts_with("```");
    is_text.then_some(text)
}

/// Whether a short text without a citation only says that the model is about to begin, or has understood.
fn is_promise(text: &str) -> bool {
    const LONGEST: usize = 300;
    const ALONE: &[&str] = &[
        "ok",
        "okay",
        "sure",
        "done",
        "understood",
        "certainly",
        "of course",
        "got it",
        "will do",
        "ready",
        "i understand",
        "好的",
        "明白了",
        "了解しました",
        "承知しました",
    ];
    const STARTS: &[&str] = &[
        "i will ",
        "i'll ",
        "let me ",
        "let's ",
        "i am going to ",
        "i'm going to ",
        "understood. ",
        "understood, ",
        "got it. ",
    ];
    let small = text.to_lowercase().replace('’', "'");
    let word = small.trim_end_matches(['.', '!', '。', '！']);
    ALONE.contains(&word)
        || (text.len() <= LONGEST
            && !text.contains('[')
            && STARTS.iter().any(|start| small.starts_with(start)))
}

/// Whether it ends like JSON without its beginning.
fn ends_as_json(text: &str) -> bool {
    let inner = text.trim_end_matches(|c: char| "}],".contains(c) || c.is_whitespace());
    text.ends_with(['}', ']']) && inner.ends_with('"')
}

fn is_page(text: &str) -> bool {
    let start: String = text.chars().take(16).collect::<String>().to_lowercase();
    ["<!doctype", "<html", "<?xml"].iter().any(|page| start.starts_with(page))
}

/// The content of the only fence, if the text around it is short and cites nothing.
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
    let (before, after) = (&text[..open], &text[close + ticks..]);
    let is_around = before.len() + after.len() <= MOST_AROUND && !cites(before) && !cites(after);
    (is_text && is_around && !inner.trim().is_empty()).then(|| inner.trim())
}

/// Removes a first line that only announces the text.
fn without_announcement(text: &str) -> &str {
    let Some((first, rest)) = text.split_once('\n') else { return text };
    let is_apart = rest.lines().next().is_none_or(|line| line.trim().is_empty() || is_rule(line));
    let body = rest.trim();
    if is_announcement(first) && is_apart && !body.is_empty() {
        without_rule(body)
    } else {
        without_rule(text)
    }
}

/// Whether a line ends in a colon and announces the following text, or is its label.
fn is_announcement(line: &str) -> bool {
    const ALONE: &[&str] = &["sure", "certainly", "of course", "okay", "ok", "absolutely", "got it"];
    // A longer line that ends with a word for a text may be content about texts.
    const MOST_OF_LABEL: usize = 3;
    const LONGEST_LABEL: usize = 24;
    let line = line.trim().trim_matches('*').trim();
    let Some(named) =
        line.strip_suffix([':', '：']).filter(|line| !line.contains('[') && !line.starts_with('#'))
    else {
        return false;
    };
    let is_label = named.split_whitespace().count() <= MOST_OF_LABEL
        && named.len() <= LONGEST_LABEL
        && ends_with_a_text(named);
    ALONE.contains(&named.to_lowercase().trim_end_matches(['!', ',', '.']))
        || is_label
        || announces_only(line, false)
}

fn without_rule(text: &str) -> &str {
    match text.split_once('\n') {
        Some((first, rest)) if is_rule(first) => rest.trim(),
        _ => text,
    }
}

/// Removes the part after the last rule, if it talks about the text.
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
        Some((end, after)) if is_talk(&text[after..]) => text[..end].trim(),
        _ => text,
    }
}

/// Removes JSON that a model adds below its text, such as counts and sources.
fn without_remark(text: &str) -> &str {
    let start = text.rfind("\n{").filter(|_| text.ends_with('}'));
    let is_json = |at: &usize| serde_json::from_str::<serde::de::IgnoredAny>(text[*at..].trim()).is_ok();
    start.filter(is_json).map_or(text, |at| text[..at].trim())
}

/// Removes quotation marks around the whole text.
fn unquoted(text: &str) -> &str {
    for (open, close) in [('"', '"'), ('“', '”')] {
        let inner = text.strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
        if let Some(inner) = inner.filter(|inner| !inner.contains([open, close])) {
            return inner.trim();
        }
    }
    text
}

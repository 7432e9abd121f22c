//! Tool names in the form that model servers accept: letters, digits, `_` and `-`, at most 64 of them. The name of an
//! MCP tool is prefixed with its server, and may be longer.

use std::borrow::Cow;

use kernel::{Hash, ModelRequest, ToolRequest};

/// The longest name that every server accepts.
const LONGEST: usize = 64;
/// Characters of the hash that makes a shortened name unique.
const HASH_SIGNS: usize = 16;

/// A name in the form in which it is sent.
fn sent(name: &str) -> Cow<'_, str> {
    let is_sign = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let begins = |c: char| c.is_ascii_alphabetic() || c == '_';
    if name.len() <= LONGEST && name.chars().all(is_sign) && name.starts_with(begins) {
        return Cow::Borrowed(name);
    }
    let signs: String = name.chars().map(|c| if is_sign(c) { c } else { '_' }).collect();
    let hash = Hash::of(name.as_bytes()).0;
    // Gemini rejects names that begin with a digit.
    let kept: String = signs.chars().take(LONGEST - HASH_SIGNS - 3).collect();
    let kept = if kept.starts_with(begins) { kept } else { format!("t_{kept}") };
    Cow::Owned(format!("{kept}_{}", hash.chars().take(HASH_SIGNS).collect::<String>()))
}

/// Whether a tool of the request has a name that must be changed.
pub(crate) fn differ(request: &ModelRequest) -> bool {
    let called = request.messages.iter().flat_map(|message| &message.tool_requests).map(|call| &call.tool);
    request
        .tools
        .iter()
        .map(|offer| &offer.name)
        .chain(called)
        .any(|name| matches!(sent(name), Cow::Owned(_)))
}

/// Renames the tools of a request to the sent form.
pub(crate) fn rename(request: &mut ModelRequest) {
    let called = request.messages.iter_mut().flat_map(|message| &mut message.tool_requests);
    let called = called.map(|call| &mut call.tool);
    for name in request.tools.iter_mut().map(|offer| &mut offer.name).chain(called) {
        if let Cow::Owned(other) = sent(name) {
            *name = other;
        }
    }
}

/// Renames the tools that a model called to the names in the request.
pub(crate) fn rename_back(calls: &mut [ToolRequest], request: &ModelRequest) {
    for call in calls {
        let offered = request.tools.iter().find(|offer| sent(&offer.name) == call.tool);
        if let Some(offer) = offered {
            call.tool.clone_from(&offer.name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_names_are_sent_as_distinct_valid_ones() {
        let long = format!("files/{}", "x".repeat(90));
        let names = ["files/read.file", "files/read_file", "files_read_file", long.as_str(), "calculator"];
        let mut sent: Vec<String> = names.iter().map(|name| super::sent(name).into_owned()).collect();
        assert_eq!(sent[4], "calculator");
        assert!(sent.iter().all(|name| name.len() <= LONGEST && !name.contains(['/', '.'])), "{sent:?}");
        sent.sort();
        sent.dedup();
        assert_eq!(sent.len(), names.len());
    }
}

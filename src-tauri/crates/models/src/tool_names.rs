//! The names of tools as servers of models take them: letters, digits, `_` and `-`, at most 64 of them. That of a foreign tool
//! has its server before it, and may be longer.

use std::borrow::Cow;

use kernel::{Hash, ModelRequest, ToolRequest};

/// The longest name that every server takes.
const LONGEST: usize = 64;
/// So many signs of its hash tell a shortened name from others.
const HASH_SIGNS: usize = 16;

/// A name as it is sent.
fn sent(name: &str) -> Cow<'_, str> {
    let is_sign = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let begins = |c: char| c.is_ascii_alphabetic() || c == '_';
    if name.len() <= LONGEST && name.chars().all(is_sign) && name.starts_with(begins) {
        return Cow::Borrowed(name);
    }
    let signs: String = name.chars().map(|c| if is_sign(c) { c } else { '_' }).collect();
    let hash = Hash::of(name.as_bytes()).0;
    // Gemini takes no name that begins with a digit.
    let kept: String = signs.chars().take(LONGEST - HASH_SIGNS - 3).collect();
    let kept = if kept.starts_with(begins) { kept } else { format!("t_{kept}") };
    Cow::Owned(format!("{kept}_{}", hash.chars().take(HASH_SIGNS).collect::<String>()))
}

/// Whether a request names a tool otherwise than it is sent.
pub(crate) fn differ(request: &ModelRequest) -> bool {
    let called = request.messages.iter().flat_map(|message| &message.tool_requests).map(|call| &call.tool);
    request
        .tools
        .iter()
        .map(|offer| &offer.name)
        .chain(called)
        .any(|name| matches!(sent(name), Cow::Owned(_)))
}

/// Names the tools of a request as they are sent.
pub(crate) fn rename(request: &mut ModelRequest) {
    let called = request.messages.iter_mut().flat_map(|message| &mut message.tool_requests);
    let called = called.map(|call| &mut call.tool);
    for name in request.tools.iter_mut().map(|offer| &mut offer.name).chain(called) {
        if let Cow::Owned(other) = sent(name) {
            *name = other;
        }
    }
}

/// Names the tools that a model called as the request names them.
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
    fn names_that_no_server_takes_are_sent_as_others_that_differ() {
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

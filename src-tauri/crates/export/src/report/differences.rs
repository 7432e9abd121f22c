//! The differences between two versions of a text as markup.

use prose::TextChange;

use crate::html::escaped;

/// The later text as markup, with insertions and deletions.
pub(super) fn marked(before: &str, after: &str) -> String {
    let part = |(change, text): (TextChange, String)| match change {
        TextChange::Same => escaped(&text),
        TextChange::Removed => format!("<del>{}</del>", escaped(&text)),
        TextChange::Added => format!("<ins>{}</ins>", escaped(&text)),
    };
    prose::differences(before, after).into_iter().map(part).collect()
}

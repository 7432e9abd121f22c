//! The result text of a run, which is judged, exported and rewritten.

use crate::{KeyDeclaration, Role, State};

/// The result text of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultText {
    /// The key of the text.
    pub key: String,
    /// The text, which is not blank.
    pub text: String,
}

/// The result of a state: the published text, or the last draft where none is published or a remark accompanies it,
/// since a rejected text is replaced by a sentence. `None` where there is no text yet.
pub fn result_text(keys: &[KeyDeclaration], state: &State) -> Option<ResultText> {
    let of_role = |fits: fn(&Role) -> bool| keys.iter().filter(move |key| fits(&key.role));
    let text = |key: &KeyDeclaration| {
        let value = state.get(&key.name)?.json_or_null();
        let text = match &key.role {
            Role::Draft { edit, .. } if !edit.is_empty() => value.get(edit.as_ref())?.as_str()?,
            _ => value.as_str()?,
        };
        (!text.trim().is_empty()).then(|| ResultText { key: key.name.clone(), text: text.to_owned() })
    };
    let published = of_role(|role| *role == Role::Final).find_map(text);
    let draft = || of_role(|role| matches!(role, Role::Draft { .. })).filter_map(text).next_back();
    let is_remarked = of_role(|role| *role == Role::Remark)
        .any(|key| state.get(&key.name).is_some_and(|remark| !remark.json_or_null().is_null()));
    if is_remarked { draft().or(published) } else { published.or_else(draft) }
}

//! Which text of a run stands for it: what is judged, exported and written again.

use crate::{KeyDeclaration, Role, State};

/// The text of a run that a person reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultText {
    /// The key that holds it.
    pub key: String,
    /// The text, which is not blank.
    pub text: String,
}

/// The text that a state has come to: the published one, or the last draft where nothing was published or a remark stands
/// beside it, since what a review rejects is followed by a sentence in its place. Nothing where there is no text yet.
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

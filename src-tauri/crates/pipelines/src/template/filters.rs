//! Filters that a template names. The library looks for a filter only when it comes to it, which may be in the middle of
//! a run; here a name is looked for before.

use std::collections::BTreeSet;

use kernel::phrase;
use minijinja::{Environment, ErrorKind};

use super::TemplateError;

/// The filters that are not the library's own.
pub(super) const OWN_FILTERS: [&str; 5] = ["data", "days_before", "numbered", "plain", "sentences"];

/// Refuses a template that names a filter which there is not.
///
/// # Errors
/// [`TemplateError`] with the name of the filter.
pub(super) fn check_filters(environment: &Environment<'_>, source: &str) -> Result<(), TemplateError> {
    let is_unknown = |filter: &&str| {
        let tried = environment.render_str(&format!("{{{{ '' | {filter} }}}}"), ());
        tried.is_err_and(|error| error.kind() == ErrorKind::UnknownFilter)
    };
    match filters_of(source).into_iter().find(is_unknown) {
        None => Ok(()),
        Some(filter) => Err(TemplateError {
            reason: phrase!(
                "there is no filter `{filter}`; there is {own}, and those of Jinja",
                filter,
                own = OWN_FILTERS
            ),
        }),
    }
}

/// The names behind a `|` inside the tags of a template, outside of texts in quotation marks.
fn filters_of(source: &str) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    // What stands between these two is printed as it is.
    if source.contains("endraw") {
        return found;
    }
    for (open, close) in [("{{", "}}"), ("{%", "%}")] {
        for tag in source.split(open).skip(1).filter_map(|rest| rest.split(close).next()) {
            let mut quote = None;
            for (index, character) in tag.char_indices() {
                match quote {
                    Some(mark) => quote = (character != mark).then_some(mark),
                    None if matches!(character, '"' | '\'') => quote = Some(character),
                    None if character == '|' => {
                        let rest = tag[index + 1..].trim_start();
                        let is_of_name = |character: char| character.is_alphanumeric() || character == '_';
                        let end = rest.find(|character| !is_of_name(character)).unwrap_or(rest.len());
                        found.insert(&rest[..end]);
                    }
                    None => {}
                }
            }
        }
    }
    found.remove("");
    found
}

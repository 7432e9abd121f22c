//! Checks the filters that a template names. The library looks up a filter only when it is reached, which may be in the
//! middle of a run.

use std::collections::BTreeSet;

use kernel::phrase;
use minijinja::{Environment, ErrorKind};

use super::TemplateError;

/// The filters that are not the library's own.
pub(super) const OWN_FILTERS: [&str; 5] = ["data", "days_before", "numbered", "plain", "sentences"];

/// Rejects a template that names an unknown filter.
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

/// The names after a `|` inside the tags of a template, outside of string literals.
fn filters_of(source: &str) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    let mut rest = source;
    while let Some(start) = rest.find('{') {
        rest = &rest[start..];
        let end = match rest.get(..2) {
            Some("{#") => rest.find("#}").map(|end| end + 2),
            Some(open @ ("{{" | "{%")) => {
                let close = if open == "{{" { "}}" } else { "%}" };
                let end = names_in_tag(&rest[2..], close, &mut found) + 2;
                let is_raw = open == "{%" && rest[2..end].trim_matches(['-', ' ']) == "raw";
                // The text between these two tags is printed unchanged.
                if is_raw { rest.find("endraw") } else { Some(end) }
            }
            _ => Some(1),
        };
        rest = end.and_then(|end| rest.get(end..)).unwrap_or_default();
    }
    found.remove("");
    found
}

/// Collects the names after each `|` of a tag, and returns the end of the tag.
fn names_in_tag<'a>(tag: &'a str, close: &str, found: &mut BTreeSet<&'a str>) -> usize {
    let name_at = |at: usize| {
        let rest = tag[at..].trim_start();
        let is_of_name = |character: char| character.is_alphanumeric() || character == '_';
        &rest[..rest.find(|character| !is_of_name(character)).unwrap_or(rest.len())]
    };
    if let Some(filter) = tag.trim_start_matches(['-', ' ']).strip_prefix("filter ") {
        found.insert(name_at(tag.len() - filter.len()));
    }
    let mut quote = None;
    let mut characters = tag.char_indices();
    while let Some((at, character)) = characters.next() {
        match quote {
            Some(_) if character == '\\' => _ = characters.next(),
            Some(mark) => quote = (character != mark).then_some(mark),
            None if tag[at..].starts_with(close) => return at,
            None if matches!(character, '"' | '\'') => quote = Some(character),
            None if character == '|' => _ = found.insert(name_at(at + 1)),
            None => {}
        }
    }
    tag.len()
}

#[cfg(test)]
mod tests {
    use super::filters_of;

    #[test]
    fn filters_are_found_only_in_tags() {
        for (source, filters) in [
            ("a | b {{ c | upper | data(\"| x\") }} | d", vec!["data", "upper"]),
            ("{# {{ x | foo }} #}{{ 'a\\'| foo' }}", vec![]),
            ("{% filter trim %} a {% endfilter %}{% if a | length > 1 %}{% endif %}", vec!["length", "trim"]),
            ("{{ \"}}\" | last }}", vec!["last"]),
            ("{% raw %}{{ x | foo }}{% endraw %}{{ y | first }}", vec!["first"]),
            ("{{ { 'a': {} } | items }} {", vec!["items"]),
        ] {
            assert_eq!(filters_of(source).into_iter().collect::<Vec<_>>(), filters, "{source}");
        }
    }
}

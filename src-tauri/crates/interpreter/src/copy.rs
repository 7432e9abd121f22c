//! Copies the text of a pipeline: everything except the id and the title stays unchanged.

use toml_edit::{DocumentMut, Item, TableLike, Value};

use crate::file::{DefinitionFault, read_document};

/// The initial text of a new pipeline.
pub const MINIMAL: &str = include_str!("minimal.toml");

/// The number for the first copy of an id: 2 for `ai-news`, 3 for `ai-news-2`.
pub fn next_number(id: &str) -> u64 {
    parted(id, '-').1.map_or(2, |number| number.saturating_add(1))
}

/// The id and the text of a copy with this number; the first one has no number.
///
/// # Errors
/// The text is no TOML or has no id.
pub fn copy(text: &str, number: u64) -> Result<(String, String), Vec<DefinitionFault>> {
    let mut document = read_document(text)?;
    let own = |document: &DocumentMut, name: &str| {
        document.get(name).and_then(Item::as_str).unwrap_or_default().to_owned()
    };
    let (id, title) = (own(&document, "id"), own(&document, "title"));
    let numbered = |name: &str, sign: char| match number {
        ..=1 => parted(name, sign).0.to_owned(),
        _ => format!("{}{sign}{number}", parted(name, sign).0),
    };
    let (new_id, new_title) = (numbered(&id, '-'), numbered(&title, ' '));
    let languages = document.get_mut("translations").and_then(Item::as_table_like_mut);
    for (_, words) in languages.into_iter().flat_map(TableLike::iter_mut) {
        let Some(words) = words.as_table_like_mut() else { continue };
        if let Some(theirs) = words.get(&title).and_then(Item::as_str).map(|theirs| numbered(theirs, ' ')) {
            words.insert(&new_title, toml_edit::value(theirs));
        }
    }
    put(&mut document, "id", new_id.clone());
    if !title.is_empty() {
        put(&mut document, "title", new_title);
    }
    Ok((new_id, document.to_string()))
}

/// Sets a text and keeps the comment after it.
fn put(document: &mut DocumentMut, name: &str, text: String) {
    match document.get_mut(name).and_then(Item::as_value_mut) {
        Some(value) => {
            let decor = value.decor().clone();
            *value = Value::from(text);
            *value.decor_mut() = decor;
        }
        None => document[name] = toml_edit::value(text),
    }
}

/// A name and the number after it, if there is one.
fn parted(name: &str, sign: char) -> (&str, Option<u64>) {
    let parts = name.rsplit_once(sign).and_then(|(stem, number)| Some((stem, number.parse().ok()?)));
    parts.map_or((name, None), |(stem, number)| (stem, Some(number)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_has_its_own_id_and_title_and_is_otherwise_unchanged() {
        let text = "# Mine.\nid = \"evening\" # the name of the file\ntitle = \"Evening\"\n\n[input.day]\n\n[translations.ja]\n\"Evening\" = \"夕刊\"\n";
        let (id, copied) = copy(text, next_number("evening")).unwrap();
        assert_eq!(id, "evening-2");
        let expected = text
            .replace("\"evening\"", "\"evening-2\"")
            .replace("title = \"Evening\"", "title = \"Evening 2\"")
            + "\"Evening 2\" = \"夕刊 2\"\n";
        assert_eq!(copied, expected);
        let (id, again) = copy(&copied, next_number(&id)).unwrap();
        assert_eq!(id, "evening-3");
        assert!(
            again.contains("title = \"Evening 3\"\n") && again.contains("\"Evening 3\" = \"夕刊 3\"\n"),
            "{again}"
        );
    }

    #[test]
    fn invalid_toml_is_not_copied_and_its_line_is_reported() {
        assert_eq!(copy("id = \"a\"\ntitle = \n", 2).unwrap_err()[0].line, 2);
    }
}

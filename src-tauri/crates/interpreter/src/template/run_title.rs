//! Renders the title of a run from its inputs.

use std::collections::BTreeMap;

use kernel::phrase;

use super::{PLAIN, TemplateError, Values, bounds, value};

/// The title of a run: a template over its inputs, on one line of at most 80 characters.
pub(crate) fn run_title(
    template: &str,
    inputs: &BTreeMap<String, kernel::Value>,
) -> Result<String, kernel::Error> {
    let values: Values =
        inputs.iter().map(|(key, given)| (key.clone(), value(given.clone(), true))).collect();
    let rendered = PLAIN.template_from_str(template).map_err(TemplateError::from);
    let text = rendered.and_then(|template| bounds::render(&template, &values, |_| "")).map_err(|error| {
        kernel::Error::new(
            kernel::Code::BadInput,
            phrase!("The title of a run cannot be made: {why}", why = error.reason),
        )
    })?;
    Ok(one_line(&text))
}

/// A text on one line of at most 80 characters.
pub fn one_line(text: &str) -> String {
    let line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut title: String = line.chars().take(80).collect();
    if title.len() < line.len() {
        title.push('…');
    }
    title
}

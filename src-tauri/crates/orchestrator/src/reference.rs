//! References in a plan: `@{outputs.STEP.FIELD}` is replaced by a result of an earlier step, alone or within a text.

use std::sync::LazyLock;

use engine::marked_as_data;
use kernel::{Phrase, StepRecord, phrase};
use regex::Regex;
use serde_json::Value;

/// A whole reference: the step, the field, and the path below it.
static REFERENCE: LazyLock<Regex> = LazyLock::new(|| {
    let pattern =
        r"@\{outputs\.([A-Za-z0-9_-]+)\.(result_data|processed_result_data)((?:\.[A-Za-z0-9_-]+)*)\}";
    Regex::new(pattern).unwrap_or_else(|error| unreachable!("the pattern of references: {error}"))
});

/// The beginning of a reference, also of a malformed one.
static BEGINNING: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"@\{\s*\w+\s*\.").unwrap_or_else(|error| unreachable!("the pattern of references: {error}"))
});

/// Which value of a step a reference means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// The unchanged result.
    Result,
    /// The summary of a long result, else the result.
    Processed,
}

/// A parsed reference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// The id of the step.
    pub step: String,
    /// Which of its values is meant.
    pub field: Field,
    /// Field names and item indices below the value.
    pub way: Vec<String>,
}

impl Reference {
    fn of(found: &regex::Captures<'_>) -> Reference {
        Reference {
            step: found[1].to_owned(),
            field: if &found[2] == "result_data" { Field::Result } else { Field::Processed },
            way: found[3].split('.').filter(|part| !part.is_empty()).map(str::to_owned).collect(),
        }
    }

    /// The value of the reference.
    ///
    /// # Errors
    /// The step was not executed or did not complete, or has no such field.
    fn find<'a>(&self, records: &'a [StepRecord]) -> Result<&'a Value, Phrase> {
        let step = &self.step;
        let record = records.iter().find(|record| record.step.step_id == *step);
        let Some(record) = record.filter(|record| record.is_done()) else {
            return Err(phrase!("the step `{step}`, to which it refers, did not complete", step));
        };
        let processed = record.processed_result_data.as_ref().filter(|_| self.field == Field::Processed);
        self.way.iter().try_fold(&processed.unwrap_or(&record.result_data).0, |value, part| {
            let below = match value {
                Value::Array(items) => part.parse().ok().and_then(|number: usize| items.get(number)),
                value => value.get(part),
            };
            below.ok_or_else(|| phrase!("the result of `{step}` has no field `{part}`", step, part))
        })
    }
}

/// All references in a value, and the texts with a malformed one.
pub fn references(value: &Value) -> (Vec<Reference>, Vec<String>) {
    let (mut found, mut malformed) = (Vec::new(), Vec::new());
    gather(value, &mut found, &mut malformed);
    (found, malformed)
}

fn gather(value: &Value, found: &mut Vec<Reference>, malformed: &mut Vec<String>) {
    match value {
        Value::String(text) => {
            let here: Vec<Reference> =
                REFERENCE.captures_iter(text).map(|found| Reference::of(&found)).collect();
            if BEGINNING.find_iter(text).count() > here.len() {
                malformed.push(text.clone());
            }
            found.extend(here);
        }
        Value::Array(items) => items.iter().for_each(|item| gather(item, found, malformed)),
        Value::Object(fields) => fields.values().for_each(|field| gather(field, found, malformed)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Whether a text is a single reference, whose value keeps its type.
pub(crate) fn is_alone(text: &str) -> bool {
    REFERENCE.find(text).is_some_and(|found| found.range() == (0..text.len()))
}

/// Replaces the references of a value. With `for_model`, the inserted texts are marked as data.
///
/// # Errors
/// A reference cannot be resolved.
pub fn resolve(value: &Value, records: &[StepRecord], for_model: bool) -> Result<Value, Phrase> {
    let inner = |value: &Value| resolve(value, records, for_model);
    Ok(match value {
        Value::String(text) => text_with(text, records, for_model)?,
        Value::Array(items) => Value::Array(items.iter().map(inner).collect::<Result<_, _>>()?),
        Value::Object(fields) => {
            let resolved = fields.iter().map(|(name, field)| Ok((name.clone(), inner(field)?)));
            Value::Object(resolved.collect::<Result<_, Phrase>>()?)
        }
        other => other.clone(),
    })
}

/// Longest text after the replacement, in bytes.
const LONGEST: usize = 4 << 20;

fn text_with(text: &str, records: &[StepRecord], for_model: bool) -> Result<Value, Phrase> {
    let (mut whole, mut end) = (String::new(), 0);
    for found in REFERENCE.captures_iter(text) {
        let place = found.get_match().range();
        let value = Reference::of(&found).find(records)?;
        if place == (0..text.len()) && !for_model {
            return Ok(value.clone());
        }
        whole.push_str(&text[end..place.start]);
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        whole.push_str(&if for_model { marked_as_data(&value) } else { value });
        end = place.end;
        if whole.len() > LONGEST {
            return Err(phrase!(
                "what its references stand for has more than {most} MB together",
                most = LONGEST >> 20
            ));
        }
    }
    whole.push_str(&text[end..]);
    Ok(Value::String(whole))
}

#[cfg(test)]
mod tests;

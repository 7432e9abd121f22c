//! Functions that work without a model: extracting sentences, ranking sources, filling forms and reviewing a draft.

use extractive::{Article, Document, extract, post, rank};
use kernel::{CheckResult, Output, Phrase, Role, form, phrase};
use prose::{sentences, support};
use serde_json::{Map, Value, json};

use super::undated::UNDATED;
use interpreter::draft;
use interpreter::{FunctionContext, Registry, SourceItem, WithoutModel};

/// Longest extract in words, if nothing else limits it.
const EXTRACT_WORDS: usize = 120;
/// Most sources that a ranking keeps.
const MOST_SOURCES: usize = 5;

pub(super) fn register(registry: &mut Registry) {
    registry.without_model.extend([
        ("extract", extract_sentences as WithoutModel),
        ("summarise", extract_sentences),
        ("summarise_with_citations", summarise_with_citations),
        ("rank", rank_sources),
        ("fill", fill_fields),
        ("check", judge_by_checks),
    ]);
}

/// Extracts the sentences from the agent's material that say most about its inputs, in their order.
fn extract_sentences(context: &FunctionContext<'_>) -> Result<Value, Phrase> {
    let most = match context.answer_role() {
        Some(Role::Draft { word_limit, .. }) if *word_limit > 0 => *word_limit as usize,
        _ => EXTRACT_WORDS,
    };
    let text = extract(&context.material(), &context.topic(), most);
    if text.is_empty() {
        return Err(phrase!("there is no text to take sentences from"));
    }
    Ok(json!({ context.text_field(): text }))
}

/// Writes a post that quotes sentences of the sources, each with its citation.
fn summarise_with_citations(context: &FunctionContext<'_>) -> Result<Value, Phrase> {
    let sources = context.sources();
    if sources.is_empty() {
        return Err(phrase!("there are no sources to write about"));
    }
    let most = match context.answer_role() {
        Some(Role::Draft { word_limit, .. }) if *word_limit > 0 => *word_limit as usize,
        _ => EXTRACT_WORDS,
    };
    // Leaves room for the sentences that mark undated sources.
    let most = most.saturating_sub(sources.iter().filter(|source| source.published == UNDATED).count());
    let articles: Vec<Article<'_>> = sources
        .iter()
        .map(|source| Article {
            title: &source.title,
            source: &source.source,
            published: &source.published,
            text: source.body(),
        })
        .collect();
    Ok(json!({ context.text_field(): post(&context.topic(), &articles, most) }))
}

/// Ranks the sources by how well they fit the inputs.
fn rank_sources(context: &FunctionContext<'_>) -> Result<Value, Phrase> {
    let Some(Role::Sources { items }) = context.answer_role() else {
        return Err(phrase!("`rank` belongs to an agent that writes sources"));
    };
    let sources = context.sources();
    let documents: Vec<Document<'_>> =
        sources.iter().map(|source| Document { title: &source.title, body: source.body() }).collect();
    let places = rank(&context.topic(), &documents).into_iter().take(MOST_SOURCES);
    let best: Vec<&SourceItem> = places.filter_map(|(place, _)| sources.get(place)).collect();
    Ok(json!({ items.as_ref(): best }))
}

/// Fills a form. A text field gets the best sentence of the agent's material among those that share a word with its
/// name or description; any other field gets its default. Fails if nothing is found for a required field.
fn fill_fields(context: &FunctionContext<'_>) -> Result<Value, Phrase> {
    let declared = context.declaration().ok_or(form!("only an agent can fill a form"))?;
    let Output::Schema(schema) = &declared.output else {
        return Err(phrase!("`fill` belongs to an agent whose `output` is a JSON Schema"));
    };
    let material = context.material();
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    let mut form = Map::new();
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        let about =
            format!("{} {}", name.replace('_', " "), field["description"].as_str().unwrap_or_default());
        let found = match (field.get("default"), field["type"].as_str()) {
            (Some(default), _) => Some(default.clone()),
            (None, Some("string")) => {
                Some(sentences_about(&material, &about)).filter(|text| !text.is_empty()).map(Value::from)
            }
            (None, Some("array")) => Some(json!([])),
            _ => None,
        };
        match found {
            Some(value) => _ = form.insert(name.clone(), value),
            None if required.iter().any(|known| known == name) => {
                return Err(phrase!("nothing that was read fills `{name}`", name));
            }
            None => {}
        }
    }
    Ok(Value::Object(form))
}

/// The best of the sentences that share a word with `about`. A sentence without one would be a guess.
fn sentences_about(material: &str, about: &str) -> String {
    const MOST_WORDS: usize = 40;
    let fitting = sentences(material).into_iter().map(|sentence| sentence.text);
    let fitting: Vec<&str> = fitting.filter(|sentence| support(about, sentence) > 0.0).collect();
    extract(&fitting.join("\n"), about, MOST_WORDS)
}

/// Reviews a draft by the checks alone.
fn judge_by_checks(context: &FunctionContext<'_>) -> Result<Value, Phrase> {
    let Some(Role::Review { notes, issues, ready }) = context.answer_role() else {
        return Err(phrase!("`check` belongs to an agent that writes a review"));
    };
    let key = draft::checks_key(context.definition).ok_or(form!("there is no key of checks"))?;
    let found: Vec<CheckResult> = context.read(key).ok_or(form!("there are no checks yet"))?;
    let open: Vec<&str> =
        found.iter().filter(|check| !check.passed).map(|check| check.detail.as_str()).collect();
    let passed = found.len() - open.len();
    let sentence = match open.is_empty() {
        true => format!("All {passed} checks pass. This review was made by checks alone, without a model."),
        false => format!("{passed} of {} checks pass. Open: {}.", found.len(), open.join("; ")),
    };
    let mut review =
        json!({ notes.as_ref(): sentence, issues.as_ref(): open, ready.as_ref(): open.is_empty() });
    // The other fields of the answer get the defaults of its schema.
    if let Some(Output::Schema(schema)) = context.declaration().map(|agent| &agent.output) {
        for (field, of_field) in schema["properties"].as_object().into_iter().flatten() {
            if let Some(default) = of_field.get("default").filter(|_| review.get(field).is_none()) {
                review[field] = default.clone();
            }
        }
    }
    Ok(review)
}

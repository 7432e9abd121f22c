//! Work that needs no model: what sources say, which of them fit, what a form asks for, and whether a draft holds.

use kernel::{CheckResult, Output, Phrase, Role, form, phrase};
use prose::{ArticleText, Document, compose_post, extract, rank, sentences, support};
use serde_json::{Map, Value, json};

use super::undated::UNDATED;
use interpreter::draft;
use interpreter::{FunctionContext, Registry, SourceItem, WithoutModel};

/// Words of an extract where nothing says how long it may be.
const EXTRACT_WORDS: usize = 120;
/// Sources that a ranking keeps.
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

/// The sentences of what the agent reads that say most about its inputs, in their order.
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

/// A text made of sentences of the sources, each with its citation.
fn summarise_with_citations(context: &FunctionContext<'_>) -> Result<Value, Phrase> {
    let sources = context.sources();
    if sources.is_empty() {
        return Err(phrase!("there are no sources to write about"));
    }
    let most = match context.answer_role() {
        Some(Role::Draft { word_limit, .. }) if *word_limit > 0 => *word_limit as usize,
        _ => EXTRACT_WORDS,
    };
    // Room for what is said of those without a day.
    let most = most.saturating_sub(sources.iter().filter(|source| source.published == UNDATED).count());
    let articles: Vec<ArticleText<'_>> = sources
        .iter()
        .map(|source| ArticleText {
            title: &source.title,
            source: &source.source,
            published: &source.published,
            text: source.body(),
        })
        .collect();
    Ok(json!({ context.text_field(): compose_post(&context.topic(), &articles, most) }))
}

/// The sources that fit the inputs best.
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

/// A form: of each text field the best sentence of what the agent reads among those that have a word of its name or
/// description; of any other field its default. A required field for which nothing is found is a reason to stop.
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

/// The best of the sentences that have a word of `about`; a sentence without one would be a guess.
fn sentences_about(material: &str, about: &str) -> String {
    const MOST_WORDS: usize = 40;
    let fitting = sentences(material).into_iter().map(|sentence| sentence.text);
    let fitting: Vec<&str> = fitting.filter(|sentence| support(about, sentence) > 0.0).collect();
    extract(&fitting.join("\n"), about, MOST_WORDS)
}

/// A review made by the checks alone.
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
    // What else the agent answers is as its schema says where nothing is said.
    if let Some(Output::Schema(schema)) = context.declaration().map(|agent| &agent.output) {
        for (field, of_field) in schema["properties"].as_object().into_iter().flatten() {
            if let Some(default) = of_field.get("default").filter(|_| review.get(field).is_none()) {
                review[field] = default.clone();
            }
        }
    }
    Ok(review)
}

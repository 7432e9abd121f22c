//! The inputs of a run: their form, and their checks before the run starts.

use std::collections::BTreeMap;

use interpreter::Pipeline;
use kernel::{Code, InputDeclaration, InputKind, Phrase, Value, phrase};
use serde_json::{Value as Json, json};

use crate::ApiError;
use crate::api::{InputField, StartRun};

/// An input in a form; `None` where the program fills it.
pub(crate) fn input_field((key, declaration): (&String, &InputDeclaration)) -> Option<InputField> {
    Some(InputField {
        key: key.clone(),
        title: declaration.title.clone(),
        help: declaration.help.clone(),
        kind: match declaration.kind {
            InputKind::Line | InputKind::Run => "text",
            InputKind::LongText | InputKind::List => "long_text",
            InputKind::Document => "document",
            InputKind::Number => "number",
            InputKind::Choice => "choice",
            InputKind::Date => "date",
            InputKind::Time => "time",
            InputKind::YesNo => "yes_no",
            InputKind::Session | InputKind::OwnFiles => return None,
        }
        .to_owned(),
        is_required: !declaration.optional && declaration.default.is_none(),
        choices: declaration.choices.clone(),
        example: declaration.example.clone(),
        more_examples: declaration.more_examples.clone(),
        max_bytes: declaration.max_bytes,
        default: declaration.default.clone().map(kernel::Json),
        least: declaration.least,
        most: declaration.most,
    })
}

/// Checks the inputs of a run. A missing one takes the value of an earlier run, or its default.
///
/// # Errors
/// `bad_input` when one is missing, unknown, too long or of another kind.
pub(crate) fn inputs(
    pipeline: &Pipeline,
    request: &StartRun,
    earlier: &BTreeMap<String, Value>,
) -> Result<BTreeMap<String, Value>, ApiError> {
    let definition = pipeline.definition();
    let known: Vec<&str> = definition.inputs.keys().map(String::as_str).collect();
    let is_alias = |key: &String| definition.inputs.values().any(|input| input.aliases.contains(key));
    if let Some(key) = request.inputs.keys().find(|key| !known.contains(&key.as_str()) && !is_alias(key)) {
        return bad(phrase!(
            "`{pipeline}` has no input `{key}`; it has {known}",
            pipeline = definition.id,
            key,
            known
        ));
    }
    let mut values = BTreeMap::new();
    for (key, declaration) in &definition.inputs {
        let names = std::iter::once(key).chain(&declaration.aliases);
        let mut all = names.filter_map(|name| Some((name, &request.inputs.get(name)?.0)));
        let (first, second) = (all.next(), all.next());
        if let (Some((one, _)), Some((other, _))) = (first, second) {
            return bad(phrase!(
                "The input `{key}` is given as `{one}` and as `{other}`; give it once",
                key,
                one,
                other
            ));
        }
        let given = first.map(|(_, given)| given);
        let is_blank =
            |given: &&Json| given.is_null() || given.as_str().is_some_and(|text| text.trim().is_empty());
        if declaration.kind.is_filled() && given.is_none() {
            continue;
        }
        let value = match (given.filter(|given| !is_blank(given)), &declaration.default) {
            (Some(given), _) => of_kind(key, declaration, given)?,
            (None, _) if earlier.contains_key(key) => earlier[key].json_or_null().clone(),
            (None, Some(default)) => default.clone(),
            (None, None) if declaration.optional => continue,
            (None, None) if given.is_some() => {
                let message = phrase!(
                    "The input `{key}` is empty; say for example “{example}”",
                    key,
                    example = declaration.example
                );
                return bad(message);
            }
            (None, None) => {
                let example = format!("--input {key}=\"{}\"", declaration.example);
                return bad(phrase!(
                    "`{pipeline}` needs the input `{key}`; for example {example}",
                    pipeline = definition.id,
                    key,
                    example
                ));
            }
        };
        values.insert(key.clone(), value.into());
    }
    Ok(values)
}

fn bad<T>(message: Phrase) -> Result<T, ApiError> {
    Err(ApiError::new(Code::BadInput, message))
}

/// Converts a value to the kind of its input. The terminal sends only texts.
fn of_kind(key: &str, declaration: &InputDeclaration, given: &Json) -> Result<Json, ApiError> {
    let text = given.as_str().map(str::trim);
    let most = declaration.max_bytes as usize;
    let bytes = given.as_str().map_or_else(|| given.to_string().len(), str::len);
    if bytes > most {
        return bad(phrase!(
            "The input `{key}` has {bytes} bytes; at most {most} are allowed, so shorten it",
            key,
            bytes,
            most
        ));
    }
    match declaration.kind {
        InputKind::Line | InputKind::LongText | InputKind::Document | InputKind::Run => match text {
            Some(text) => Ok(json!(text)),
            None => bad(phrase!("The input `{key}` must be a text", key)),
        },
        InputKind::Number => number(key, declaration, given),
        InputKind::Choice => match text.filter(|text| declaration.choices.iter().any(|one| one == text)) {
            Some(text) => Ok(json!(text)),
            None => bad(phrase!("The input `{key}` is one of {known}", key, known = declaration.choices)),
        },
        InputKind::Date => match text.filter(|text| text.len() == 10).map(str::parse::<jiff::civil::Date>) {
            Some(Ok(day)) => Ok(json!(day.to_string())),
            _ => bad(phrase!("The input `{key}` is a day, written as YYYY-MM-DD", key)),
        },
        InputKind::Time => match text.map(|text| jiff::civil::Time::strptime("%H:%M", text)) {
            Some(Ok(time)) => Ok(json!(time.strftime("%H:%M").to_string())),
            _ => bad(phrase!("The input `{key}` is a time of a day, written as HH:MM", key)),
        },
        InputKind::YesNo => match (given, text) {
            (Json::Bool(flag), _) => Ok(json!(flag)),
            (_, Some("yes" | "true")) => Ok(json!(true)),
            (_, Some("no" | "false")) => Ok(json!(false)),
            _ => bad(phrase!("The input `{key}` is yes or no", key)),
        },
        InputKind::Session => bad(phrase!("The input `{key}` is taken from the session; leave it out", key)),
        InputKind::OwnFiles => {
            bad(phrase!("The input `{key}` is filled from the data folder; leave it out", key))
        }
        InputKind::List => match (given, text) {
            (Json::Array(items), _) if items.iter().all(Json::is_string) => Ok(given.clone()),
            (_, Some(text)) => {
                let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
                Ok(json!(lines.collect::<Vec<_>>()))
            }
            _ => bad(phrase!("The input `{key}` is a list of texts, one a line", key)),
        },
    }
}

fn number(key: &str, declaration: &InputDeclaration, given: &Json) -> Result<Json, ApiError> {
    let number: Option<serde_json::Number> = match given {
        Json::Number(number) => Some(number.clone()),
        Json::String(text) => serde_json::from_str(text.trim()).ok(),
        _ => None,
    };
    let value = number.as_ref().and_then(serde_json::Number::as_f64);
    let is_within = |value: &f64| {
        declaration.least.is_none_or(|least| *value >= least)
            && declaration.most.is_none_or(|most| *value <= most)
    };
    match (number, value.filter(is_within)) {
        (Some(number), Some(_)) => Ok(Json::Number(number)),
        _ => {
            let least =
                declaration.least.map(|least| phrase!(" of at least {least}", least)).unwrap_or_default();
            let most = declaration.most.map(|most| phrase!(" and at most {most}", most)).unwrap_or_default();
            bad(phrase!("The input `{key}` is a number{least}{most}", key, least, most))
        }
    }
}

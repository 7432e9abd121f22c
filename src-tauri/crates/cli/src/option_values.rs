//! Parses option values such as `KEY=VALUE` or `KEY=@FILE` for the desk.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{ErrorKind, Read};
use std::path::Path;

use desk::api::{AgentSettings, Json, SlotCard};
use desk::{ApiError, ErrorCode, EventKind, Gate, LimitName, Phrase, Redaction, read_file, text_of_document};
use serde::Deserialize;
use serde::de::IntoDeserializer;

use crate::arguments::{Changes, OnFailure};

/// Largest file that is read as a text, in bytes.
const MOST_BYTES: u64 = 16 * 1024 * 1024;

pub(crate) fn refused(message: impl Into<String>) -> ApiError {
    ApiError::new(ErrorCode::BadInput, Phrase::verbatim(message))
}

/// Splits `KEY=VALUE`; `option` and `shape` are for the error message.
pub(crate) fn parted<'a>(option: &str, shape: &str, given: &'a str) -> Result<(&'a str, &'a str), ApiError> {
    let parts = given.split_once('=').map(|(key, value)| (key.trim(), value));
    parts.filter(|(key, _)| !key.is_empty()).ok_or_else(|| {
        refused(format!("`{option} {}` cannot be read; write it as {option} {shape}", shortened(given)))
    })
}

/// The omissions of an export: kinds of events, and words for content of a whole run.
pub(crate) fn omissions(given: &[String]) -> Result<(Vec<EventKind>, Vec<String>), ApiError> {
    let (mut kinds, mut things) = (Vec::new(), Vec::new());
    for word in given {
        let kind: Result<EventKind, serde::de::value::Error> =
            EventKind::deserialize(word.as_str().into_deserializer());
        match kind {
            Ok(kind) => kinds.push(kind),
            Err(_) if Redaction::of(word).is_some() => things.push(word.clone()),
            Err(_) => {
                let known = Redaction::ALL.map(Redaction::word).join(", ");
                return Err(refused(format!(
                    "There is no kind `{}`; of events there is run, stage, state, asked, answered, note, of a whole run {known}",
                    shortened(word)
                )));
            }
        }
    }
    Ok((kinds, things))
}

fn shortened(text: &str) -> String {
    let start: String = text.chars().take(60).collect();
    if start.len() < text.len() { format!("{start}…") } else { start }
}

/// A value as it is, or the text of a file for `@FILE`; `@@` begins a text with `@`.
pub(crate) fn value(given: &str) -> Result<String, ApiError> {
    match given.strip_prefix('@') {
        None => Ok(given.to_owned()),
        Some(text) if text.starts_with('@') => Ok(text.to_owned()),
        Some(file) => text_of(file, ", or write @@ for a text that begins with @"),
    }
}

/// Standard input without the final line break; `what` names it in an error.
pub(crate) fn standard_input(what: &str) -> Result<String, ApiError> {
    let mut text = String::new();
    let read = std::io::stdin().take(1 << 16).read_to_string(&mut text);
    read.map_err(|error| refused(format!("The {what} cannot be read from standard input: {error}")))?;
    Ok(text.trim().to_owned())
}

/// The text of a file; `other` is what else may have been meant if it cannot be read.
pub(crate) fn text_of(file: &str, other: &str) -> Result<String, ApiError> {
    let bytes = read_file(Path::new(file), MOST_BYTES).map_err(|error| match error.kind() {
        ErrorKind::FileTooLarge => {
            refused(format!("The file `{file}` is larger than 16 MB; give a shorter one"))
        }
        _ => refused(format!("The file `{file}` cannot be read: {error}; name another{other}")),
    })?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        refused(format!("The file `{file}` is not UTF-8 text (byte {at}); convert it to UTF-8 first"))
    })?;
    match text.strip_prefix('\u{feff}') {
        Some(rest) => Ok(rest.to_owned()),
        None => Ok(text),
    }
}

/// Parses every pair; a duplicate key is rejected, because one of the two values would be lost.
fn pairs(
    option: &str,
    shape: &str,
    given: &[String],
    read: fn(&str) -> Result<String, ApiError>,
) -> Result<BTreeMap<String, String>, ApiError> {
    let mut pairs = BTreeMap::new();
    for pair in given {
        let (key, text) = parted(option, shape, pair)?;
        if pairs.insert(key.to_owned(), read(text)?).is_some() {
            return Err(refused(format!("`{option} {key}=…` is given twice; give it once")));
        }
    }
    Ok(pairs)
}

/// Whether a file is data for a program, which is read unchanged rather than as a document.
fn is_data(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ending == "json")
}

/// A value as it is, or the text of a document for `@FILE`.
fn input(given: &str) -> Result<String, ApiError> {
    match given.strip_prefix('@') {
        // A path that is no regular file fails like any other unreadable file.
        Some(file) if !file.starts_with('@') && Path::new(file).is_file() && !is_data(Path::new(file)) => {
            text_of_document(Path::new(file)).map_err(|error| {
                refused(format!(
                    "{}; or write @@ for a text that begins with @",
                    error.message.trim_end_matches('.')
                ))
            })
        }
        _ => value(given),
    }
}

/// `--input`.
pub(crate) fn inputs(given: &[String]) -> Result<BTreeMap<String, Json>, ApiError> {
    let pairs = pairs("--input", "KEY=VALUE or KEY=@FILE", given, input)?;
    Ok(pairs.into_iter().map(|(key, text)| (key, Json(text.into()))).collect())
}

/// `--tool` and `--source`: the tool of each slot. A source is used by every slot that supports it, and by none if the
/// pipeline has no slots.
pub(crate) fn tools(
    given: &[String],
    source: Option<&str>,
    slots: &[SlotCard],
) -> Result<BTreeMap<String, String>, ApiError> {
    let mut tools = pairs("--tool", "SLOT=NAME", given, value)?;
    let Some(source) = source.filter(|_| !slots.is_empty()) else { return Ok(tools) };
    let fitting: Vec<&SlotCard> =
        slots.iter().filter(|slot| slot.choices.iter().any(|choice| choice.id == source)).collect();
    if fitting.is_empty() {
        let known: BTreeSet<&str> =
            slots.iter().flat_map(|slot| &slot.choices).map(|choice| choice.id.as_str()).collect();
        let known = known.into_iter().collect::<Vec<_>>().join(", ");
        return Err(refused(format!("There is no search source `{source}`; there is {known}")));
    }
    for slot in fitting {
        tools.entry(slot.name.clone()).or_insert_with(|| source.to_owned());
    }
    Ok(tools)
}

/// The settings for all agents, and for single ones.
#[derive(Debug, Default)]
pub(crate) struct RunSettings {
    pub(crate) temperature: Option<f64>,
    pub(crate) limits: ByName,
    pub(crate) agents: BTreeMap<String, AgentSettings>,
}

/// `--instruction`, `--model`, `--agent-profile`, `--temperature` and `--limit`.
pub(crate) fn run_settings(given: &Changes, limits: &[String]) -> Result<RunSettings, ApiError> {
    let mut settings = RunSettings::default();
    let agents = &mut settings.agents;
    for (agent, text) in pairs("--instruction", "AGENT=@FILE", &given.instruction, value)? {
        agents.entry(agent).or_default().instruction = Some(text);
    }
    for pair in &given.model {
        let (agent, model) = parted("--model", "AGENT=MODEL", pair)?;
        agents.entry(agent.to_owned()).or_default().model = Some(model.to_owned());
    }
    for pair in &given.agent_profile {
        let (agent, profile) = parted("--agent-profile", "AGENT=PROFILE", pair)?;
        agents.entry(agent.to_owned()).or_default().profile = Some(profile.to_owned());
    }
    for value in &given.temperature {
        match agent_temperature(value)? {
            (None, number) => settings.temperature = Some(number),
            (Some(agent), number) => agents.entry(agent.to_owned()).or_default().temperature = Some(number),
        }
    }
    let limits = self::limits(limits)?;
    settings.limits = limits.of_run;
    for (agent, own) in limits.of_agents {
        agents.entry(agent).or_default().limits = own;
    }
    Ok(settings)
}

/// One value of `--temperature`: a number, for one agent or for all.
pub(crate) fn agent_temperature(value: &str) -> Result<(Option<&str>, f64), ApiError> {
    let (agent, number) = match value.split_once('=') {
        Some((agent, number)) => (Some(agent), number),
        None => (None, value),
    };
    let number = number.trim().parse::<f64>().map_err(|_| {
        refused(format!("The temperature cannot be `{}`; give a number from 0 to 2", shortened(number)))
    })?;
    Ok((agent, number))
}

/// Limits by name; `None` lifts one.
type ByName = BTreeMap<LimitName, Option<f64>>;

/// The values of `--limit`.
#[derive(Debug, Default)]
pub(crate) struct GivenLimits {
    pub(crate) of_run: ByName,
    /// By agent.
    pub(crate) of_agents: BTreeMap<String, ByName>,
}

/// `--set`.
pub(crate) fn values(given: &[String]) -> Result<BTreeMap<String, Json>, ApiError> {
    let read = |(key, text): (String, String)| {
        let json = serde_json::from_str(&text).map_err(|error| {
            refused(format!(
                "The value of `{key}` is not JSON: {error}; a text stands in quotes: --set {key}='\"…\"'"
            ))
        })?;
        Ok((key, Json(json)))
    };
    pairs("--set", "KEY=JSON or KEY=@FILE", given, value)?.into_iter().map(read).collect()
}

/// `--result`.
pub(crate) fn result(given: &str) -> Result<Json, ApiError> {
    let json = serde_json::from_str(&value(given)?).map_err(|error| {
        refused(format!("The result is not JSON: {error}; a text stands in quotes: --result '\"…\"'"))
    })?;
    Ok(Json(json))
}

/// `--fallback`.
pub(crate) fn on_failure(given: OnFailure) -> Result<Option<desk::OnFailure>, ApiError> {
    given.fallback.as_deref().map(desk::on_failure).transpose()
}

/// `--limit`; `none` lifts one.
pub(crate) fn limits(given: &[String]) -> Result<GivenLimits, ApiError> {
    let mut limits = GivenLimits::default();
    for pair in given {
        let (name, most) = limit(pair)?;
        let (own, name) = match name.rsplit_once('.') {
            None => (&mut limits.of_run, name),
            Some((agent, name)) => (limits.of_agents.entry(agent.to_owned()).or_default(), name),
        };
        own.insert(limit_name(name)?, most);
    }
    Ok(limits)
}

/// `--limit` of a profile.
pub(crate) fn limits_of_profile(given: &[String]) -> Result<BTreeMap<LimitName, f64>, ApiError> {
    let read = |pair: &String| match limit(pair)? {
        (name, Some(most)) => Ok((limit_name(name)?, most)),
        (name, None) => Err(refused(format!(
            "A profile cannot lift the limit `{}`; leave it out, and lift it for a run: galley run … --limit {}=none",
            shortened(name),
            shortened(name)
        ))),
    };
    given.iter().map(read).collect()
}

/// Splits a limit at its `=`.
fn limit(pair: &str) -> Result<(&str, Option<f64>), ApiError> {
    let (name, number) = parted("--limit", "NAME=N", pair)?;
    let most = match number.trim() {
        "none" => None,
        text => Some(text.parse::<f64>().map_err(|_| {
            refused(format!(
                "The limit `{}` cannot be `{}`; give a number from 0 on, or `none` for no limit",
                shortened(name),
                shortened(number)
            ))
        })?),
    };
    Ok((name, most))
}

fn limit_name(name: &str) -> Result<LimitName, ApiError> {
    LimitName::ALL.into_iter().find(|limit| limit.word() == name).ok_or_else(|| {
        let names: Vec<&str> = LimitName::ALL.iter().map(|limit| limit.word()).collect();
        refused(format!("There is no limit `{}`; there is {}", shortened(name), names.join(", ")))
    })
}

/// `--model` of a profile: models by role, a bare name for the role `default`.
pub(crate) fn models_by_role(given: &[String]) -> BTreeMap<String, String> {
    let by_role = given.iter().map(|pair| match pair.split_once('=') {
        Some((role, model)) => (role.trim().to_owned(), model.trim().to_owned()),
        None => ("default".to_owned(), pair.trim().to_owned()),
    });
    by_role.collect()
}

/// The gates of a run: before the first agents, after the others.
pub(crate) fn gates(before: &[String], after: &[String]) -> BTreeMap<String, Gate> {
    let places = before.iter().chain(after);
    let gate = |place: &String| Gate { before: before.contains(place), after: after.contains(place) };
    places.map(|place| (place.clone(), gate(place))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_may_contain_the_separators() {
        let read = inputs(&["user_topic=a=b".to_owned(), "other=@@home".to_owned()]).unwrap();
        assert_eq!(read["user_topic"].0, "a=b");
        assert_eq!(read["other"].0, "@home");
    }

    #[test]
    fn an_invalid_value_is_rejected_with_a_sentence_that_says_what_to_do() {
        let sentence = |result: Result<BTreeMap<String, Json>, ApiError>| result.unwrap_err().message;
        assert!(sentence(inputs(&["topic".to_owned()])).contains("KEY=VALUE"));
        assert!(sentence(inputs(&["a=1".to_owned(), "a=2".to_owned()])).contains("twice"));
        assert!(sentence(inputs(&["a=@/no/such/file".to_owned()])).contains("/no/such/file"));
        assert!(sentence(values(&["a=plain".to_owned()])).contains("not JSON"));
        assert!(limits(&["max_calls=3".to_owned()]).unwrap_err().message.contains("max_llm_calls"));
        assert!(limits(&["max_cost=much".to_owned()]).unwrap_err().message.contains("number"));
        assert_eq!(limits(&["max_cost=none".to_owned()]).unwrap().of_run[&LimitName::MaxCost], None);
        let own = limits(&["writer.max_llm_calls=2".to_owned()]).unwrap();
        assert_eq!(own.of_agents["writer"], [(LimitName::MaxLlmCalls, Some(2.0))].into());
        assert!(
            limits_of_profile(&["max_cost=none".to_owned()]).unwrap_err().message.contains("cannot lift")
        );
    }
}

//! Finds tools by name: in a fixed list, or in one that changes while the program runs.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use jsonschema::error::ValidationErrorKind;
use jsonschema::{ValidationError, Validator};
use kernel::{Code, Error, phrase};
use serde_json::Value;
use tokio::sync::watch;

use crate::tool::{Tool, bad_input};

/// The available tools. Those of a server come and go with it.
pub trait ToolDirectory: Send + Sync + 'static {
    /// All tools by name.
    fn tools(&self) -> Vec<Arc<dyn Tool>>;
    /// The tool of this name.
    fn tool(&self, name: &str) -> Option<Arc<dyn Tool>>;
    /// Notifies whenever a tool is added, removed or changed.
    fn changes(&self) -> watch::Receiver<()>;
}

/// A fixed list of tools.
pub struct FixedTools {
    by_name: BTreeMap<String, Arc<dyn Tool>>,
    changes: watch::Sender<()>,
}

impl FixedTools {
    /// Makes the list.
    ///
    /// # Errors
    /// Two tools have the same name, or the schema of an input is invalid.
    pub fn new(tools: impl IntoIterator<Item = Arc<dyn Tool>>) -> Result<FixedTools, Error> {
        let mut by_name: BTreeMap<String, Arc<dyn Tool>> = BTreeMap::new();
        for tool in tools {
            let description = tool.describe();
            let name = description.name.clone();
            validator(&name, &description.input.0)?;
            if let Some(other) = by_name.insert(name.clone(), tool) {
                let message = phrase!(
                    "Two tools are called `{name}`: “{one}” and “{other}”. Rename one of them",
                    name,
                    one = other.describe().description,
                    other = description.description
                );
                return Err(Error::new(Code::BadInput, message));
            }
        }
        Ok(FixedTools { by_name, changes: watch::Sender::new(()) })
    }
}

impl ToolDirectory for FixedTools {
    fn tools(&self) -> Vec<Arc<dyn Tool>> {
        self.by_name.values().cloned().collect()
    }

    fn tool(&self, name: &str) -> Option<Arc<dyn Tool>> {
        self.by_name.get(name).cloned()
    }

    fn changes(&self) -> watch::Receiver<()> {
        self.changes.subscribe()
    }
}

pub(crate) fn validator(tool: &str, schema: &Value) -> Result<Validator, Error> {
    jsonschema::validator_for(schema).map_err(|error| {
        let why = error.to_string();
        Error::new(Code::BadInput, phrase!("The schema of `{tool}` is none: {why}", tool, why))
    })
}

/// The validator of a schema, compiled once for the schemas that were used last: compiling costs more than a short call.
fn known_validator(tool: &str, schema: &Value) -> Result<Arc<Validator>, Error> {
    type Compiled = VecDeque<(Value, Arc<Validator>)>;
    static COMPILED: Mutex<Compiled> = Mutex::new(VecDeque::new());
    let known = |compiled: &Compiled| {
        compiled.iter().find(|(of, _)| of == schema).map(|(_, validator)| validator.clone())
    };
    let compiled = || COMPILED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(validator) = known(&compiled()) {
        return Ok(validator);
    }
    let validator = Arc::new(validator(tool, schema)?);
    let mut compiled = compiled();
    compiled.truncate(MOST_COMPILED - 1);
    compiled.push_front((schema.clone(), validator.clone()));
    Ok(validator)
}

/// Most validators that are kept.
const MOST_COMPILED: usize = 32;

/// Most places of an error that are reported at once.
const MOST_FAULTS: usize = 4;

/// Most characters of a wrong value that are reported.
const LONGEST_GIVEN: usize = 60;

/// Checks an input against a tool's schema.
///
/// # Errors
/// `bad_input` with the first place that does not fit; its message lists the later ones too.
pub(crate) fn fits(tool: &str, schema: &Value, input: &Value) -> Result<(), Error> {
    match faults(&*known_validator(tool, schema)?, input) {
        None => Ok(()),
        Some(faults) => Err(bad_input(tool, &faults.place, &faults.why)),
    }
}

/// The places where a value does not fit its schema.
pub(crate) struct Faults {
    /// The first place, as a JSON pointer.
    place: String,
    /// All places, worded for people.
    pub(crate) why: String,
}

/// The places where a value does not fit; `None` where it fits.
pub(crate) fn faults(validator: &Validator, value: &Value) -> Option<Faults> {
    let mut errors = validator.iter_errors(value).take(MOST_FAULTS);
    let first = errors.next()?;
    let more = errors.map(|error| match error.instance_path().as_str() {
        "" => format!("; {}", error_text(&error)),
        place => format!("; at `{place}`: {}", error_text(&error)),
    });
    let why = more.fold(error_text(&first), |why, more| why + &more);
    Some(Faults { place: first.instance_path().as_str().to_owned(), why })
}

/// The message for one error. It lists all allowed values, of which the library leaves out those after the second.
fn error_text(error: &ValidationError<'_>) -> String {
    match (error.kind(), error.instance().as_str()) {
        (ValidationErrorKind::Enum { options }, Some(given)) => {
            let given: String = given.chars().take(LONGEST_GIVEN).collect();
            let options: Vec<String> =
                options.as_array().into_iter().flatten().map(Value::to_string).collect();
            format!("\"{given}\" is none of {}", options.join(", "))
        }
        _ => error.to_string(),
    }
}

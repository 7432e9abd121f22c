//! Where tools are found by name: a list that is fixed when the program starts, or one that changes while it runs.

use std::collections::BTreeMap;
use std::sync::Arc;

use jsonschema::error::ValidationErrorKind;
use jsonschema::{ValidationError, Validator};
use kernel::{Code, Error, phrase};
use serde_json::Value;
use tokio::sync::watch;

use crate::tool::{Tool, bad_input};

/// The tools that there are. They may change: those of a server come and go with it.
pub trait ToolDirectory: Send + Sync + 'static {
    /// All of them, by name.
    fn tools(&self) -> Vec<Arc<dyn Tool>>;
    /// The tool of this name.
    fn tool(&self, name: &str) -> Option<Arc<dyn Tool>>;
    /// Changes whenever one comes, goes or becomes another.
    fn changes(&self) -> watch::Receiver<()>;
}

/// Tools that are there from the start to the end.
pub struct FixedTools {
    by_name: BTreeMap<String, Arc<dyn Tool>>,
    changes: watch::Sender<()>,
}

impl FixedTools {
    /// These tools.
    ///
    /// # Errors
    /// Two of them have one name, or the schema of an input is none.
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

/// So many places that do not fit are told at once.
const MOST_FAULTS: usize = 4;

/// So much of a wrong value is told, in characters.
const LONGEST_GIVEN: usize = 60;

/// Whether an input fits a tool's schema.
///
/// # Errors
/// `bad_input` with the first place that does not fit, and in words with those after it.
pub(crate) fn fits(tool: &str, schema: &Value, input: &Value) -> Result<(), Error> {
    match faults(&validator(tool, schema)?, input) {
        None => Ok(()),
        Some(faults) => Err(bad_input(tool, &faults.place, &faults.why)),
    }
}

/// Where a value does not fit its schema.
pub(crate) struct Faults {
    /// The first place, as a JSON pointer.
    place: String,
    /// All places in words.
    pub(crate) why: String,
}

/// Where a value does not fit; nothing where it does.
pub(crate) fn faults(validator: &Validator, value: &Value) -> Option<Faults> {
    let mut errors = validator.iter_errors(value).take(MOST_FAULTS);
    let first = errors.next()?;
    let more = errors.map(|error| match error.instance_path().as_str() {
        "" => format!("; {}", said(&error)),
        place => format!("; at `{place}`: {}", said(&error)),
    });
    let why = more.fold(said(&first), |why, more| why + &more);
    Some(Faults { place: first.instance_path().as_str().to_owned(), why })
}

/// What does not fit. All values that would are named: the library leaves out what is behind the second.
fn said(error: &ValidationError<'_>) -> String {
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

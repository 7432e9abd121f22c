//! An agent that asks the person for a listed answer, an item of a list in the state, or a text.

use engine::{AgentError, Cx, Flow};
use kernel::{
    Choice, Code, Delta, Error, Phrase, PipelineDefinition, Question, QuestionDeclaration, QuestionKind,
    phrase,
};
use serde_json::{Value, json};

use crate::prompt_values::{bad, values};
use crate::template::{Filling, TemplateError};

/// Characters of the details of an item that are shown.
const LONGEST_DETAILS: usize = 400;

/// The question of an agent.
pub(crate) struct DeclaredQuestion {
    text: Filling,
    choices: Choices,
    default: String,
    is_free: bool,
    /// The key for the answer.
    key: String,
}

enum Choices {
    Fixed(Vec<String>),
    /// The items of a list.
    From(Filling),
}

impl DeclaredQuestion {
    pub(crate) fn new(
        question: &QuestionDeclaration,
        key: String,
    ) -> Result<DeclaredQuestion, TemplateError> {
        let choices = match &question.choices_from {
            Some(list) => Choices::From(Filling::new(&list_of(list))?),
            None => Choices::Fixed(question.choices.clone()),
        };
        Ok(DeclaredQuestion {
            text: Filling::new(&json!(question.text))?,
            choices,
            default: question.default.clone(),
            is_free: question.is_free,
            key,
        })
    }

    /// Asks, and writes the answer.
    ///
    /// # Errors
    /// The list is none or empty, the run was stopped, or the person is not available.
    pub(crate) async fn ask(&self, cx: &mut Cx, definition: &PipelineDefinition) -> Result<Flow, AgentError> {
        let filled = |cx: &Cx, filling: &Filling| {
            let values = values(definition, cx, &filling.reads())?;
            filling.fill(&values).map_err(|error| AgentError::from(bad(cx.name(), &error)))
        };
        let text = filled(cx, &self.text)?;
        let items = match &self.choices {
            Choices::Fixed(choices) => choices.iter().map(|choice| json!(choice)).collect(),
            Choices::From(list) => match filled(cx, list)? {
                Value::Array(items) if !items.is_empty() => items,
                _ => return Err(nothing_to_choose(cx.name()).into()),
            },
        };
        let is_list = matches!(self.choices, Choices::From(_));
        let choices: Vec<Choice> = items.iter().zip(1..).map(|(item, number)| choice(item, number)).collect();
        let first = choices.first().map(|choice| choice.value.clone()).unwrap_or_default();
        // If the default is beyond the end of the list, the first item is the default.
        let has_default = choices.iter().any(|choice| choice.value == self.default);
        let default = if is_list && !has_default { first } else { self.default.clone() };
        let question = Question {
            kind: QuestionKind::Agent,
            text: Phrase::verbatim(text.as_str().unwrap_or_default()),
            choices,
            default,
            is_free: self.is_free,
            details: Value::Null.into(),
        };
        let asked = question.choices.clone();
        let answer = cx.ask_user(question).await?;
        let place = asked.iter().position(|choice| choice.value == answer);
        let chosen = place.and_then(|place| items.get(place)).cloned().unwrap_or_else(|| json!(answer));
        cx.change(Delta::of(&self.key, chosen)).await?;
        Ok(Flow::Continue)
    }
}

/// The list that a question names, as a template value.
pub(crate) fn list_of(list: &str) -> Value {
    json!(format!("{{{{ {list} }}}}"))
}

/// An item as a choice: a text is its own value, anything else is chosen by its number.
fn choice(item: &Value, number: usize) -> Choice {
    let field = |name: &str| item.get(name).and_then(Value::as_str).filter(|text| !text.trim().is_empty());
    match item.as_str() {
        Some(text) => Choice::new(text, Phrase::verbatim(text)),
        None => {
            let title = field("title").map_or_else(|| item.to_string(), str::to_owned);
            let details = field("details").map(|details| details.chars().take(LONGEST_DETAILS).collect());
            let picture = field("picture").map(str::to_owned);
            Choice { details, picture, ..Choice::new(&number.to_string(), Phrase::verbatim(title)) }
        }
    }
}

fn nothing_to_choose(agent: &str) -> Error {
    Error::new(Code::BadInput, phrase!("`{agent}` has nothing to choose from: its list is empty", agent))
}

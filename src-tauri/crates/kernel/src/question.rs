//! Questions to the person: their reasons, choices and valid answers.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{
    Code, Error, GateAnswer, GateSide, PermissionAnswer, Phrase, Reached, Rule, ServerAnswer, ServerQuestion,
    ToolCall, ToolOffer, Value, amount, phrase,
};

/// Why a question is asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum QuestionKind {
    /// An agent wants a choice, an approval or a text.
    Agent,
    /// A limit was reached: add, finish or stop.
    Limit {
        /// Which limit.
        limit: crate::LimitName,
    },
    /// An effect that may be done only once was in flight, or was already done before a fork.
    Repeat,
    /// A profile's key, credit or rate failed and no other profile stands in: mend it, take another, or stop.
    Profile {
        /// The profile.
        profile: String,
        /// What of it failed.
        code: Code,
    },
    /// The issues of a review are to be decided before the draft is rewritten: every issue goes unless it is dismissed.
    Issues,
    /// The answer of a model cannot be used, also when it was asked again: ask once more, do the stage without a model, or
    /// stop.
    Malformed,
    /// The run stops around an agent: go on, ask for changes, or stop. Beside it stands a [`GateQuestion`]; its answer is a
    /// [`GateAnswer`](crate::GateAnswer).
    Gate {
        /// The agent.
        agent: String,
        /// At which side of it.
        side: GateSide,
    },
    /// Whether a tool may be called, which nothing decides yet. Beside it stands an [`AskedPermission`]; its answer is a
    /// [`PermissionAnswer`](crate::PermissionAnswer).
    Permission {
        /// The tool.
        tool: String,
    },
    /// The server of a tool asks something before it goes on with a call. Beside it stands a
    /// [`ServerQuestion`](crate::ServerQuestion); its answer is a [`ServerAnswer`](crate::ServerAnswer).
    ToolServer {
        /// The tool.
        tool: String,
    },
}

/// What is shown beside the question at a gate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct GateQuestion {
    /// The keys to look at: what the agent will read, or what it wrote.
    pub keys: Vec<String>,
    /// Whether it can be asked for changes.
    pub takes_changes: bool,
    /// JSON Schema of the output of an instance, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub output: Option<Value>,
    /// What an instance is to work on, before it begins: no other event tells it yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub item: Option<Value>,
    /// JSON Schema of that item, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub input: Option<Value>,
}

/// What is shown beside the question whether a tool may be called.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct AskedPermission {
    /// The call with all its input.
    pub call: ToolCall,
    /// What it will do, in one plain sentence.
    pub intent: Phrase,
    /// What is allowed from then on where more than this call is.
    pub rule: Rule,
    /// JSON Schema of the tool's input, for changing it.
    pub schema: Value,
    /// What the server of a foreign tool says of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub description: Option<String>,
    /// The tool as its server described it when the person allowed it always, where that was otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub allowed_before: Option<ToolOffer>,
}

/// One thing that can be chosen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Choice {
    /// What is recorded when it is chosen.
    pub value: String,
    /// What the person reads.
    pub label: Phrase,
    /// What is to be known of it, in a sentence or two.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub details: Option<String>,
    /// The address of a picture of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub picture: Option<String>,
}

impl Choice {
    /// A choice with this label.
    pub fn new(value: &str, label: impl Into<Phrase>) -> Choice {
        Choice { value: value.to_owned(), label: label.into(), details: None, picture: None }
    }
}

/// A question to the person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Question {
    /// Why it is asked.
    pub kind: QuestionKind,
    /// The question in words.
    pub text: Phrase,
    /// What can be chosen; empty for a free text.
    pub choices: Vec<Choice>,
    /// The answer that is taken when the person says “go on” (`--yes`).
    pub default: String,
    /// Whether an answer outside the choices is allowed.
    pub is_free: bool,
    /// What it is about, shown beside it.
    #[serde(default)]
    pub details: Value,
}

impl Question {
    /// Checks an answer: one of the choices, or another value that the question allows. For a limit that is a number
    /// above zero, which is added; for a permission a [`PermissionAnswer`].
    ///
    /// # Errors
    /// `bad_input` with the choices.
    pub fn admits(&self, answer: &Value) -> Result<(), Error> {
        let said = answer.as_str();
        let is_chosen = match said {
            Some(said) => self.choices.is_empty() || self.choices.iter().any(|choice| choice.value == said),
            None => false,
        };
        let fits = match &self.kind {
            QuestionKind::Permission { .. } => {
                let answer = PermissionAnswer::deserialize(answer.json_or_null());
                answer.is_ok_and(|answer| answer != PermissionAnswer::Nobody)
            }
            QuestionKind::ToolServer { .. } => {
                let answer = ServerAnswer::deserialize(answer.json_or_null());
                let asked = self.of_server();
                answer.ok().zip(asked).is_some_and(|(answer, asked)| asked.takes(&answer))
            }
            QuestionKind::Gate { .. } => match GateAnswer::deserialize(answer.json_or_null()) {
                Ok(GateAnswer::AskForChanges(words)) => self.takes_changes() && !words.trim().is_empty(),
                Ok(_) => true,
                Err(_) => false,
            },
            QuestionKind::Limit { .. } => is_chosen || (self.is_free && said.and_then(amount).is_some()),
            _ => is_chosen || (self.is_free && said.is_some()),
        };
        if fits {
            return Ok(());
        }
        let choices: Vec<&str> = self.choices.iter().map(|choice| choice.value.as_str()).collect();
        let text = &self.text;
        let answer = said.map_or_else(|| answer.written(), str::to_owned);
        let phrase = if matches!(self.kind, QuestionKind::Limit { .. }) && self.is_free {
            phrase!(
                "`{answer}` does not answer “{text}”; choose one of {choices}, or a number to add",
                answer,
                text,
                choices
            )
        } else {
            phrase!("`{answer}` does not answer “{text}”; choose one of {choices}", answer, text, choices)
        };
        Err(Error::new(Code::BadInput, phrase))
    }
}

impl Question {
    /// Whether it is asked at a gate where the person can ask for changes.
    pub fn takes_changes(&self) -> bool {
        self.at_gate().is_some_and(|asked| asked.takes_changes)
    }

    /// The details of a question at a gate.
    pub fn at_gate(&self) -> Option<GateQuestion> {
        let is_gate = matches!(self.kind, QuestionKind::Gate { .. });
        is_gate.then(|| GateQuestion::deserialize(self.details.json_or_null()).ok()).flatten()
    }

    /// The question of a tool's server, if it is one.
    pub fn of_server(&self) -> Option<ServerQuestion> {
        let is_of_server = matches!(self.kind, QuestionKind::ToolServer { .. });
        is_of_server.then(|| ServerQuestion::deserialize(self.details.json_or_null()).ok()).flatten()
    }

    /// The limit that it is about, if any.
    pub fn limit_reached(&self) -> Option<Reached> {
        match self.kind {
            QuestionKind::Limit { .. } => Reached::deserialize(self.details.json_or_null()).ok(),
            _ => None,
        }
    }
}

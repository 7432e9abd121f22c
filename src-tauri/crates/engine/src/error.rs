//! The errors of agents, and which of them no agent may handle.

use kernel::{Answer, Code, Error, Form, Interruption, LimitName, Phrase, Reached, Seq, form, phrase};

use crate::{LogError, limits};

/// The first difference between a re-execution and its records.
#[derive(Debug, Clone, PartialEq)]
pub struct Divergence {
    /// The number of the recorded event; where none is recorded, of the last event before.
    pub seq: Seq,
    /// The place in the tree.
    pub path: String,
    /// The recorded fact; null when there is none.
    pub recorded: serde_json::Value,
    /// The fact that the re-execution produced; null when there is none.
    pub produced: serde_json::Value,
}

impl Divergence {
    /// The difference in one sentence, with the next step.
    pub fn phrase(&self) -> Phrase {
        let what = match (&self.recorded, &self.produced) {
            (serde_json::Value::Null, _) => form!("does something that is not recorded"),
            (_, serde_json::Value::Null) => form!("does not do what is recorded"),
            _ => form!("does something else than recorded"),
        };
        phrase!(
            "At event {seq} `{path}` {what}; the program or a definition changed since. Fork the run there to go on with what is new",
            seq = self.seq,
            path = self.path,
            what
        )
    }
}

/// Why an agent could not do its work.
#[derive(Debug, Clone, thiserror::Error)]
pub enum AgentError {
    /// An effect or the agent itself failed for good.
    #[error("{0}")]
    Failed(Error),
    /// The answer could not be used, not even after the model was asked to repair it.
    #[error("{0}")]
    Malformed(Error),
    /// A tool failed for good.
    #[error("{0}")]
    Tool(Error),
    /// A limit was reached, and the person, or the default without a person, chose to finish with the best result so
    /// far.
    #[error("{error}")]
    Limit {
        /// The limit, with its message.
        error: Error,
    },
    /// Branches failed, each with the name of its agent.
    #[error("{}", joined(.0))]
    Parallel(Vec<(String, AgentError)>),
    /// The person stopped the run.
    #[error("the run was stopped")]
    Cancelled,
    /// A question has no answer yet.
    #[error("the run waits for an answer: {0}")]
    Waiting(Phrase),
    /// The re-execution does not follow its records.
    #[error("{}", .0.phrase())]
    Diverged(Box<Divergence>),
    /// The records end here: an effect was requested and has no answer.
    #[error("the records end here")]
    RecordsEnd,
    /// The log could not be written.
    #[error("{0}")]
    Log(LogError),
}

fn joined(failures: &[(String, AgentError)]) -> Phrase {
    let each = |(name, error): &(String, AgentError)| phrase!("{name}: {why}", name, why = error.to_error());
    Phrase::clauses(failures.iter().map(each))
}

impl AgentError {
    /// Whether this error stops the whole run: agents pass it on and never handle it.
    pub fn stops_run(&self) -> bool {
        match self {
            AgentError::Cancelled
            | AgentError::Waiting(_)
            | AgentError::Diverged(_)
            | AgentError::RecordsEnd
            | AgentError::Log(_) => true,
            AgentError::Failed(_)
            | AgentError::Tool(_)
            | AgentError::Malformed(_)
            | AgentError::Limit { .. }
            | AgentError::Parallel(_) => false,
        }
    }

    /// Whether a limit of the whole run was reached.
    pub(crate) fn is_limit_of_run(&self) -> bool {
        match self {
            AgentError::Limit { error } => error.limit.as_ref().is_none_or(|reached| reached.agent.is_none()),
            AgentError::Parallel(failures) => failures.iter().any(|(_, error)| error.is_limit_of_run()),
            _ => false,
        }
    }

    /// Whether unusable answers are the only failures.
    pub fn is_malformed(&self) -> bool {
        match self {
            AgentError::Malformed(_) => true,
            AgentError::Parallel(failures) => failures.iter().all(|(_, error)| error.is_malformed()),
            _ => false,
        }
    }

    /// Whether tools are the only failures.
    pub fn is_of_tool(&self) -> bool {
        match self {
            AgentError::Tool(_) => true,
            AgentError::Parallel(failures) => failures.iter().all(|(_, error)| error.is_of_tool()),
            _ => false,
        }
    }

    /// The error as it is recorded.
    pub fn to_error(&self) -> Error {
        match self {
            AgentError::Failed(error)
            | AgentError::Tool(error)
            | AgentError::Malformed(error)
            | AgentError::Limit { error, .. } => error.clone(),
            AgentError::Parallel(failures) => {
                let first = failures.first().map_or(Code::Internal, |(_, error)| error.to_error().code);
                Error::new(first, joined(failures))
            }
            AgentError::Cancelled => {
                Error::new(Code::Cancelled, phrase!("You stopped the run; resume it to go on"))
            }
            AgentError::Waiting(question) => {
                Error::new(Code::Waiting, phrase!("The run waits for your answer: {question}", question))
            }
            AgentError::Diverged(divergence) => Error::new(Code::ReplayDiffers, divergence.phrase()),
            AgentError::RecordsEnd => {
                Error::new(Code::Internal, phrase!("The records of this run break off here"))
            }
            AgentError::Log(error) => error.clone().into(),
        }
    }
}

impl From<Error> for AgentError {
    fn from(error: Error) -> AgentError {
        AgentError::Failed(error)
    }
}

impl From<LogError> for AgentError {
    fn from(error: LogError) -> AgentError {
        AgentError::Log(error)
    }
}

impl From<Divergence> for AgentError {
    fn from(divergence: Divergence) -> AgentError {
        AgentError::Diverged(Box::new(divergence))
    }
}

/// The error that decides: one that stops the run precedes one of an agent; a limit alone stays a limit.
pub(crate) fn worst(mut failures: Vec<(String, AgentError)>) -> Option<AgentError> {
    if let Some(index) = failures.iter().position(|(_, error)| matches!(error, AgentError::Waiting(_)))
        && failures.iter().all(|(_, error)| matches!(error, AgentError::Waiting(_)) || !error.stops_run())
    {
        return Some(failures.swap_remove(index).1);
    }
    if let Some(index) =
        failures.iter().position(|(_, error)| error.stops_run() && !matches!(error, AgentError::Waiting(_)))
    {
        return Some(failures.swap_remove(index).1);
    }
    if !failures.is_empty() && failures.iter().all(|(_, error)| matches!(error, AgentError::Limit { .. })) {
        return failures.pop().map(|(_, error)| error);
    }
    (!failures.is_empty()).then_some(AgentError::Parallel(failures))
}

/// The error of an effect whose answer is not `done`.
pub(crate) fn unanswered(answer: Answer) -> AgentError {
    match answer {
        Answer::Interrupted { reason: Interruption::Cancelled, .. } => AgentError::Cancelled,
        Answer::Interrupted { reason: Interruption::TimeUsedUp { most, agent }, .. } => {
            let of_run = Reached::of_run(LimitName::MaxExecutionTimeS, most);
            limits::reached_error(Reached { agent, ..of_run }).into()
        }
        Answer::Failed { error } => error.into(),
        Answer::Done { .. } => {
            Error::new(Code::Internal, phrase!("An answer was taken for a failure")).into()
        }
    }
}

/// Why a key could not be read or set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StateError {
    /// The key is not there.
    Missing {
        /// The agent that reads it.
        agent: String,
        /// The key.
        key: String,
    },
    /// The value has another shape than the key declares.
    Shape {
        /// The agent that reads it.
        agent: String,
        /// The key.
        key: String,
        /// The reason why the value does not fit.
        reason: String,
    },
    /// The contract does not allow the access.
    Undeclared {
        /// The agent.
        agent: String,
        /// The key.
        key: String,
        /// `reads` or `writes`.
        verb: Form,
    },
}

impl StateError {
    /// The message for people.
    pub fn phrase(&self) -> Phrase {
        match self {
            StateError::Missing { agent, key } => {
                phrase!("`{agent}` needs `{key}`, which is not set", agent, key)
            }
            StateError::Shape { key, agent, reason } => phrase!(
                "`{key}` does not have the shape that `{agent}` expects: {reason}",
                key,
                agent,
                reason
            ),
            StateError::Undeclared { agent, verb, key } => {
                phrase!("`{agent}` {verb} `{key}`, which its contract does not declare", agent, verb, key)
            }
        }
    }
}

impl std::fmt::Display for StateError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.phrase().fmt(f)
    }
}

impl std::error::Error for StateError {}

impl From<StateError> for AgentError {
    fn from(error: StateError) -> AgentError {
        let code = match error {
            StateError::Undeclared { .. } => Code::ContractBroken,
            StateError::Missing { .. } | StateError::Shape { .. } => Code::BadInput,
        };
        AgentError::Failed(Error::new(code, error.phrase()))
    }
}

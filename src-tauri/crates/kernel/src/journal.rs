//! The journal: each event as an English sentence.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{
    AgentOutcome, Answer, BUILT_IN, Code, Effect, Event, Fact, Interruption, Note, NoteTexts, Outcome,
    QuestionKind, Value, words,
};

/// The kind of an event, for filters and icons.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum EventKind {
    /// The run began, goes on, ended.
    Run,
    /// An agent began, it or a round of it ended.
    Stage,
    /// The state changed.
    State,
    /// An agent asked the world.
    Asked,
    /// The world answered.
    Answered,
    /// A note, or what became of a request before it was answered.
    Note,
}

/// The kind of an event.
pub fn kind(fact: &Fact) -> EventKind {
    match fact {
        Fact::RunStarted { .. } | Fact::RunResumed { .. } | Fact::RunEnded { .. } => EventKind::Run,
        Fact::GatesSet { .. }
        | Fact::AgentStarted { .. }
        | Fact::AgentEnded { .. }
        | Fact::RoundEnded { .. } => EventKind::Stage,
        Fact::StateChanged { .. } => EventKind::State,
        Fact::EffectAsked { .. } => EventKind::Asked,
        Fact::EffectAnswered { .. } => EventKind::Answered,
        Fact::RequestFailed { .. }
        | Fact::RequestSent { .. }
        | Fact::FellBack { .. }
        | Fact::Noted { .. } => EventKind::Note,
    }
}

/// Whether an event reports a problem.
pub fn is_trouble(fact: &Fact) -> bool {
    match fact {
        Fact::AgentEnded { outcome, .. } => matches!(outcome, AgentOutcome::Failed { .. }),
        Fact::EffectAnswered { answer, .. } => {
            matches!(answer, Answer::Failed { error } if !error.asks_first())
        }
        Fact::RequestFailed { .. } | Fact::FellBack { .. } => true,
        Fact::Noted { note } => matches!(note, Note::Malformed { .. } | Note::WithoutModel),
        Fact::RunEnded { outcome, .. } => *outcome == Outcome::Failed,
        Fact::RunStarted { .. }
        | Fact::RunResumed { .. }
        | Fact::GatesSet { .. }
        | Fact::AgentStarted { .. }
        | Fact::RoundEnded { .. }
        | Fact::StateChanged { .. }
        | Fact::EffectAsked { .. }
        | Fact::RequestSent { .. } => false,
    }
}

/// The English sentence of an event; `texts` are the notes of the run's pipeline.
pub fn sentence(event: &Event, texts: &NoteTexts) -> String {
    let author = &event.author;
    match &event.fact {
        Fact::RunStarted { pipeline, origin: None, .. } => format!("The run of `{pipeline}` began"),
        Fact::RunStarted { pipeline, origin: Some(origin), .. } => {
            format!("The run of `{pipeline}` began as a fork of {} at event {}", origin.run, origin.seq)
        }
        Fact::RunResumed { drops, overrides, .. } => {
            let changed = overrides.agents.len() + overrides.limits.len();
            match (drops.len(), changed) {
                (0, 0) => "The run goes on".to_owned(),
                (0, _) => "The run goes on with changes".to_owned(),
                (dropped, _) => format!("The run goes on; {dropped} events no longer hold"),
            }
        }
        Fact::GatesSet { gates } => {
            let places: Vec<&str> = gates.keys().map(String::as_str).collect();
            format!("You set where the run stops: {}", places.join(", "))
        }
        Fact::AgentStarted { instance: Some(instance), .. } => {
            format!("{author} started for item {}: {}", event.path.ordinal(), excerpt(&instance.input))
        }
        Fact::AgentStarted { instance: None, .. } => match event.path.innermost_round() {
            Some(round) => format!("{author} started, round {round}"),
            None => format!("{author} started"),
        },
        Fact::AgentEnded { outcome: AgentOutcome::Done { exits_loop: true }, .. } => {
            format!("{author} finished and ended the loop")
        }
        Fact::AgentEnded { outcome: AgentOutcome::Done { .. }, .. } => format!("{author} finished"),
        Fact::AgentEnded { outcome: AgentOutcome::Failed { error }, .. } => {
            format!("{author} failed: {}", error.message)
        }
        Fact::RoundEnded { round, exit, best } => round.english(exit, *best, author, str::to_owned),
        Fact::StateChanged { delta } => {
            let keys: Vec<&str> = delta.set.keys().map(String::as_str).collect();
            match (keys.is_empty(), delta.removed.is_empty()) {
                (false, _) => format!("{author} wrote {}", keys.join(", ")),
                (true, _) => format!("{author} removed {}", delta.removed.join(", ")),
            }
        }
        Fact::EffectAsked { effect, .. } => match effect {
            Effect::Model { request } if request.profile == BUILT_IN => {
                format!("{author} works without a model")
            }
            Effect::Model { request } => format!("{author} asked {}", request.model),
            Effect::Tool { call } => format!("{author}: {}", call.title),
            Effect::Clock => format!("{author} looked at the clock"),
            Effect::Id => format!("{author} drew an id"),
            Effect::Question { question } => match question.kind {
                QuestionKind::Limit { .. } | QuestionKind::Profile { .. } | QuestionKind::Malformed => {
                    format!("The run paused: {}", question.text)
                }
                QuestionKind::Agent
                | QuestionKind::Issues
                | QuestionKind::Repeat
                | QuestionKind::Gate { .. }
                | QuestionKind::Permission { .. }
                | QuestionKind::ToolServer { .. } => {
                    format!("{author} asked you: {}", question.text)
                }
            },
        },
        Fact::RequestFailed { error, .. } => words::request_failed(author, error),
        Fact::RequestSent { attempt, .. } => words::request_sent(author, *attempt),
        Fact::EffectAnswered { answer, took_ms, summary, .. } => match answer {
            Answer::Done { .. } => match &summary.tool_summary {
                Some(sentence) => format!("{author}: {sentence}"),
                None => format!("{author} got an answer after {}", seconds(*took_ms)),
            },
            Answer::Failed { error } if error.asks_first() => format!("{author}: {}", error.message),
            Answer::Failed { error } => format!("{author} got no answer: {}", error.message),
            Answer::Interrupted { reason: Interruption::Cancelled, .. } => {
                format!("{author} was stopped by you")
            }
            Answer::Interrupted { reason: Interruption::TimeUsedUp { .. }, .. } => {
                format!("{author} ran out of time")
            }
        },
        Fact::FellBack { from, to, error } => words::fell_back(author, from, to, error),
        Fact::Noted { note } => note.english(author, texts),
        Fact::RunEnded { outcome, error } => {
            let words = match outcome {
                Outcome::Finished => "The run finished",
                Outcome::Failed => "The run failed",
                Outcome::Limited => "A limit ended the run",
                Outcome::Waiting => "The run waits for your answer",
                Outcome::Cancelled => "You stopped the run",
            };
            match error {
                // The messages of these errors are whole sentences.
                Some(error) if matches!(error.code, Code::Cancelled | Code::Waiting) => error.message.clone(),
                Some(error) => format!("{words}: {}", error.message),
                None => words.to_owned(),
            }
        }
    }
}

/// Most characters of a value in a sentence.
const EXCERPT: usize = 60;

fn excerpt(value: &Value) -> String {
    let text = value.as_str().map_or_else(|| value.written(), str::to_owned);
    let cut: String = text.chars().take(EXCERPT).collect();
    if cut.len() < text.len() { format!("{cut}…") } else { cut }
}

fn seconds(ms: u64) -> String {
    format!("{:.1} s", ms as f64 / 1000.0)
}

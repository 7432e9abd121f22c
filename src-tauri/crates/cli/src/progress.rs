//! The progress of a run on a terminal: a line for everything that ended or was remarked, and an animated one.

use std::collections::HashMap;
use std::time::Duration;

use desk::api::RunPage;
use desk::{AgentOutcome, Answer, Effect, ErrorCode, Event, Fact, NoteTexts, Outline};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::output;
use crate::table::{duration, one_line};

const TICK: Duration = Duration::from_millis(120);

/// The display names of a run's agents.
pub(crate) struct StageTitles(HashMap<String, String>);

impl StageTitles {
    /// Reads the titles from an outline; without one, agents are shown by their names.
    pub(crate) fn of(outline: Option<&Outline>) -> StageTitles {
        let agents = outline.map(Outline::walk).unwrap_or_default();
        StageTitles(agents.into_iter().map(|agent| (agent.name.clone(), agent.title.clone())).collect())
    }

    /// The display name of an agent.
    fn title<'a>(&'a self, agent: &'a str) -> &'a str {
        self.0.get(agent).filter(|title| !title.is_empty()).map_or(agent, String::as_str)
    }

    /// The stage that an event begins, with its round and the number of its call if there are several.
    pub(crate) fn begun(&self, event: &Event) -> Option<String> {
        let begins = is_stage(event) && matches!(event.fact, Fact::AgentStarted { .. });
        begins.then(|| format!("{}{}", self.title(&event.author), place(event)))
    }
}

pub(crate) struct Progress {
    moving: ProgressBar,
    titles: StageTitles,
    notes: NoteTexts,
}

impl Progress {
    /// Progress with the titles and the notes of a run.
    pub(crate) fn new(page: Option<RunPage>) -> Progress {
        let titles = StageTitles::of(page.as_ref().map(|page| &page.outline));
        let notes = page.map(|page| page.notes).unwrap_or_default();
        let progress = Progress { moving: ProgressBar::new_spinner(), titles, notes };
        let style = ProgressStyle::with_template("{spinner} {wide_msg} {elapsed}");
        progress.moving.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
        progress.moving.enable_steady_tick(TICK);
        progress
    }

    /// Shows an event.
    pub(crate) fn show(&self, event: &Event) {
        if let Some(words) = self.titles.begun(event) {
            return self.now(&words);
        }
        let title = self.titles.title(&event.author);
        let is_stage = is_stage(event);
        match &event.fact {
            Fact::AgentEnded { outcome: AgentOutcome::Done { .. }, took_ms, .. } if is_stage => {
                self.line(&format!("✓ {title}{}  {}", place(event), duration(*took_ms)));
            }
            Fact::AgentEnded { outcome: AgentOutcome::Failed { error }, .. } if is_stage => {
                self.line(&format!("✗ {title}{}: {}", place(event), error.message));
            }
            Fact::EffectAsked { effect: Effect::Model { request }, .. }
                if request.profile != desk::BUILT_IN =>
            {
                self.now(&format!("{title}{} asks {}", place(event), request.model));
            }
            Fact::EffectAsked { effect: Effect::Tool { call }, .. } => {
                self.now(&format!("{title}: {}", call.title))
            }
            Fact::EffectAnswered { answer, .. } => {
                // Retries were shown when they happened. A limit or a tool server asks a question or ends the run,
                // which explains more than this line would.
                if let Answer::Failed { error } = answer
                    && error.code != ErrorCode::LimitReached
                    && !error.asks_first()
                {
                    self.line(&format!("✗ {title}: {}", error.message));
                }
            }
            Fact::RequestFailed { error, .. } => {
                self.line(&format!("· {}", desk::request_failed(title, error)))
            }
            Fact::RequestSent { attempt, .. } => {
                self.line(&format!("· {}", desk::request_sent(title, *attempt)))
            }
            Fact::FellBack { from, to, error } => {
                self.line(&format!("· {}", desk::fell_back(title, from, to, error)));
            }
            Fact::Noted { note } => self.line(&format!("· {}", note.english(title, &self.notes))),
            Fact::RoundEnded { round, exit, best } => {
                let name = |agent: &str| self.titles.title(agent).to_owned();
                self.line(&format!("· {}", round.english(exit, *best, title, name)));
            }
            Fact::RunStarted { .. }
            | Fact::RunResumed { .. }
            | Fact::GatesSet { .. }
            | Fact::AgentStarted { .. }
            | Fact::AgentEnded { .. }
            | Fact::StateChanged { .. }
            | Fact::EffectAsked { .. }
            | Fact::RunEnded { .. } => {}
        }
    }

    /// Hides the animated line while the person types.
    pub(crate) fn pause(&self) {
        self.moving.disable_steady_tick();
        self.moving.set_draw_target(ProgressDrawTarget::hidden());
        output::erase_line();
    }

    /// Continues after [`Progress::pause`].
    pub(crate) fn go_on(&self) {
        self.moving.set_draw_target(ProgressDrawTarget::stderr());
        self.moving.enable_steady_tick(TICK);
    }

    /// Ends the animation and keeps the lines.
    pub(crate) fn end(self) {
        self.moving.finish_and_clear();
    }

    fn now(&self, words: &str) {
        self.moving.set_message(one_line(words));
    }

    fn line(&self, words: &str) {
        self.moving.println(one_line(words));
    }
}

/// Whether an event belongs to a part of the run, and not to the run as a whole.
fn is_stage(event: &Event) -> bool {
    event.path.as_str().contains(['/', '|'])
}

/// The round of the loop and the number of the call in it, if there are several.
fn place(event: &Event) -> String {
    let call = event.path.as_str().rsplit_once('#').and_then(|(_, call)| call.parse::<u32>().ok());
    let round = event.path.innermost_round().map(|round| format!(", round {round}"));
    let again = call.filter(|call| *call > 1).map(|call| format!(", time {call}"));
    format!("{}{}", round.unwrap_or_default(), again.unwrap_or_default())
}

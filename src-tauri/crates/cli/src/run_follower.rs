//! Follows a running run to its end: its events in order, its questions, and signals to stop.

use std::time::Duration;

use desk::api::{JournalPage, ReadEvents};
use desk::{
    ApiError, Desk, Effect, ErrorCode, Event, Fact, Phrase, Question, RunEnd, RunHandle, Seq, UserAnswer,
};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{mpsc, oneshot};

use crate::desk_client::ask;
use crate::output;
use crate::progress::Progress;
use crate::question_prompt::{self, PendingQuestion};
use crate::results::write_event;

/// Timeout for storing the end of a stopped run.
const STOPPING: Duration = Duration::from_secs(2);
const MOST_EVENTS: u32 = 500;

/// The recipients of a run's events.
pub(crate) struct Audience {
    pub(crate) is_json: bool,
    pub(crate) progress: Option<Progress>,
    /// The first event that is shown as progress: events that a fork took over are not new.
    pub(crate) progress_from: Seq,
}

impl Audience {
    fn wants_events(&self) -> bool {
        self.is_json || self.progress.is_some()
    }

    fn show(&self, event: &Event) -> Result<(), ApiError> {
        if self.is_json {
            write_event(event)?;
        }
        if let Some(progress) = self.progress.as_ref().filter(|_| event.seq >= self.progress_from) {
            progress.show(event);
        }
        Ok(())
    }
}

/// The signals that end a run: Ctrl-C and SIGTERM.
pub(crate) struct Stop {
    #[cfg(unix)]
    signals: [tokio::signal::unix::Signal; 2],
}

impl Stop {
    /// Takes over the signals, so that from here on they stop the run instead of the process.
    pub(crate) fn new() -> Result<Stop, ApiError> {
        #[cfg(unix)]
        {
            use tokio::signal::unix::{SignalKind, signal};
            let refused = |error: std::io::Error| {
                ApiError::new(
                    ErrorCode::Internal,
                    Phrase::verbatim(format!("The system lets no signals be handled: {error}")),
                )
            };
            let interrupt = signal(SignalKind::interrupt()).map_err(refused)?;
            let terminate = signal(SignalKind::terminate()).map_err(refused)?;
            Ok(Stop { signals: [interrupt, terminate] })
        }
        #[cfg(not(unix))]
        Ok(Stop {})
    }

    /// Waits for one of them.
    pub(crate) async fn requested(&mut self) {
        #[cfg(unix)]
        {
            let [interrupt, terminate] = &mut self.signals;
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
        }
        #[cfg(not(unix))]
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

/// The result of waiting for a line.
enum TypedLine {
    /// A line, or `None` at the end of input.
    Line(Option<String>),
    /// The answer is no longer needed: the question was resolved otherwise.
    NotNeeded,
}

struct Prompt {
    asked: PendingQuestion,
    line: oneshot::Receiver<Option<String>>,
}

/// How following a run ended.
pub(crate) struct FollowResult {
    /// Its end; `None` if it was stopped and its end was not stored in time.
    pub(crate) end: Option<RunEnd>,
    /// Why its events could not be shown; the run continued without them.
    pub(crate) error: Option<ApiError>,
}

/// Follows a run from an event to its end. An error here does not end the run.
pub(crate) async fn follow(
    desk: &Desk,
    handle: &RunHandle,
    from: Seq,
    audience: &Audience,
    questions: &mut mpsc::Receiver<PendingQuestion>,
    stop: &mut Stop,
) -> FollowResult {
    // Subscribed before the log is read, so that no event is missed.
    let mut live = audience.wants_events().then(|| handle.follow());
    let mut shown = EventDisplay { desk, run: handle.run().0.as_str(), audience, next: from, error: None };
    if live.is_some() {
        shown.catch_up(None).await;
    }
    let mut ended = std::pin::pin!(handle.ended());
    let mut refused = handle.refused();
    let mut is_refused = false;
    let mut prompt: Option<Prompt> = None;
    // A read of the terminal cannot be cancelled: the next question gets the line.
    let mut left_open = None;
    // Kept, because a question that is dropped counts as answered by default.
    let mut unanswered: Option<PendingQuestion> = None;
    let end = loop {
        let is_quiet = prompt.is_none();
        let event = async {
            match &mut live {
                Some(live) => live.recv().await,
                None => std::future::pending().await,
            }
        };
        let line = async {
            match &mut prompt {
                Some(Prompt { asked, line }) => tokio::select! {
                    biased;
                    line = &mut *line => TypedLine::Line(line.unwrap_or(None)),
                    () = asked.reply.closed() => TypedLine::NotNeeded,
                },
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            end = &mut ended => break Some(end),
            () = stop.requested() => {
                handle.cancel();
                tokio::select! {
                    end = &mut ended => break Some(end),
                    () = tokio::time::sleep(STOPPING) => break None,
                    // On a second signal, stored data is safe, and nothing else is waited for.
                    () = stop.requested() => std::process::exit(130),
                }
            }
            event = event => match event {
                Ok(event) => shown.take(&event).await,
                Err(RecvError::Lagged(_)) => shown.catch_up(None).await,
                Err(RecvError::Closed) => live = None,
            },
            Ok(()) = refused.changed() => {
                let why = refused.borrow_and_update().clone();
                if why.is_some() != is_refused {
                    is_refused = why.is_some();
                    output::tell(&disk_words(why.as_ref()));
                }
            }
            Some(asked) = questions.recv(), if is_quiet => {
                if let Some(progress) = &audience.progress {
                    progress.pause();
                }
                output::tell(&question_prompt::shown(&asked.question));
                prompt = Some(Prompt { asked, line: left_open.take().unwrap_or_else(question_prompt::read_line) });
            }
            typed = line => {
                match (prompt.take(), typed) {
                    // A stopped run needs no answer and reports that it stopped.
                    (Some(prompt), TypedLine::NotNeeded) => left_open = Some(prompt.line),
                    // The terminal was closed during the question: nothing is decided, and it can be answered later.
                    (Some(Prompt { asked, .. }), TypedLine::Line(None)) if !output::can_ask() => {
                        unanswered = Some(asked);
                        handle.cancel();
                    }
                    (Some(Prompt { asked, .. }), TypedLine::Line(line)) => prompt = answered(asked, line),
                    (None, _) => {}
                }
                if let Some(progress) = audience.progress.as_ref().filter(|_| prompt.is_none()) {
                    progress.go_on();
                }
            }
        }
    };
    drop(unanswered);
    if audience.wants_events() && end.is_some() {
        shown.catch_up(None).await;
    }
    FollowResult { end, error: shown.error }
}

/// The message when the disk rejects writes, and when it accepts them again.
pub(crate) fn disk_words(refused: Option<&ApiError>) -> String {
    match refused {
        Some(error) => {
            format!("The run waits for the disk and goes on by itself once it can write: {}", error.message)
        }
        None => "The disk takes what the run had in hand; the run goes on".to_owned(),
    }
}

/// Passes a typed line to the agent that asked, or asks once more. At the end of input the default applies.
fn answered(asked: PendingQuestion, line: Option<String>) -> Option<Prompt> {
    let reply = match line.map(|line| question_prompt::chosen(&asked.question, &line)) {
        None => UserAnswer::NobodyThere,
        Some(Ok(chosen)) => UserAnswer::Chosen(chosen.into()),
        Some(Err(sentence)) => {
            output::tell(&sentence);
            return Some(Prompt { asked, line: question_prompt::read_line() });
        }
    };
    // Fails only if the run was stopped meanwhile.
    let _ = asked.reply.send(reply);
    None
}

/// Shows the events of a run in order, each once.
struct EventDisplay<'a> {
    desk: &'a Desk,
    run: &'a str,
    audience: &'a Audience,
    /// The number of the next event.
    next: Seq,
    /// Why events are no longer shown.
    error: Option<ApiError>,
}

impl EventDisplay<'_> {
    /// Shows an event, after those before it.
    async fn take(&mut self, event: &Event) {
        if event.seq > self.next {
            self.catch_up(Some(event.seq)).await;
        }
        if event.seq >= self.next && self.error.is_none() {
            self.error = self.audience.show(event).err();
            self.next = event.seq + 1;
        }
    }

    /// Shows the stored events before `until`.
    async fn catch_up(&mut self, until: Option<Seq>) {
        if self.error.is_none() {
            self.error = self.show_stored(until).await.err();
        }
    }

    async fn show_stored(&mut self, until: Option<Seq>) -> Result<(), ApiError> {
        loop {
            let events = stored(self.desk, self.run, self.next, self.audience.is_json).await?;
            if events.is_empty() {
                return Ok(());
            }
            for event in events {
                if until.is_some_and(|until| event.seq >= until) {
                    return Ok(());
                }
                self.audience.show(&event)?;
                self.next = event.seq + 1;
            }
        }
    }
}

/// Some events from a number on; empty at the end. Large values are hashes unless `is_whole` is set.
pub(crate) async fn stored(
    desk: &Desk,
    run: &str,
    from: Seq,
    is_whole: bool,
) -> Result<Vec<Event>, ApiError> {
    let request = ReadEvents { run: run.to_owned(), from_seq: from, limit: MOST_EVENTS, is_whole };
    let page: JournalPage = ask(desk, "read_events", request).await?;
    Ok(page.entries.into_iter().map(|entry| entry.event).collect())
}

/// The question that a run waits for: the last one asked.
pub(crate) async fn open_question(desk: &Desk, run: &str, last: Seq) -> Result<Option<Question>, ApiError> {
    let events = stored(desk, run, last.saturating_sub(100).max(1), true).await?;
    Ok(events.into_iter().rev().find_map(|event| match event.fact {
        Fact::EffectAsked { effect: Effect::Question { question }, .. } => Some(question),
        _ => None,
    }))
}

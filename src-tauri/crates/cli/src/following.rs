//! A living run followed to its end: its events in order and whole, its questions, the wish to stop.

use std::time::Duration;

use desk::api::{ExportRun, Exported, JournalPage, ReadEvents};
use desk::{ApiError, Desk, ErrorCode, Event, Reply, RunEnd, RunHandle, Seq};
use serde::Deserialize;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{mpsc, oneshot};

use crate::asking::{self, Asked};
use crate::progress::Progress;
use crate::results::write_event;
use crate::{ask, output};

/// How long a stopped run may take until its end is stored.
const STOPPING: Duration = Duration::from_secs(2);
const MOST_EVENTS: u32 = 500;

/// What is done with events, in their order.
pub(crate) struct Audience {
    pub(crate) is_json: bool,
    pub(crate) progress: Option<Progress>,
    /// Progress is shown from here on: what a fork took over is not new.
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

/// The signals that end a run: Ctrl-C and the one of `kill`.
pub(crate) struct Stop {
    #[cfg(unix)]
    signals: [tokio::signal::unix::Signal; 2],
}

impl Stop {
    /// Takes the signals over, so that from here on they stop the run instead of the process.
    pub(crate) fn new() -> Result<Stop, ApiError> {
        #[cfg(unix)]
        {
            use tokio::signal::unix::{SignalKind, signal};
            let refused = |error: std::io::Error| {
                ApiError::new(ErrorCode::Internal, format!("The system lets no signals be handled: {error}"))
            };
            let interrupt = signal(SignalKind::interrupt()).map_err(refused)?;
            let terminate = signal(SignalKind::terminate()).map_err(refused)?;
            Ok(Stop { signals: [interrupt, terminate] })
        }
        #[cfg(not(unix))]
        Ok(Stop {})
    }

    async fn asked(&mut self) {
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

struct Prompt {
    asked: Asked,
    line: oneshot::Receiver<Option<String>>,
}

/// Follows a run from an event on to its end. `None` when it was stopped and its end did not come in time.
pub(crate) async fn follow(
    desk: &Desk,
    handle: &RunHandle,
    from: Seq,
    audience: &Audience,
    questions: &mut mpsc::Receiver<Asked>,
    stop: &mut Stop,
) -> Result<Option<RunEnd>, ApiError> {
    let run = handle.run().0.as_str();
    let mut next = from;
    // Followed before the log is read, so that nothing is missed in between.
    let mut live = audience.wants_events().then(|| handle.follow());
    if live.is_some() {
        next = show_stored(desk, run, next, None, audience).await?;
    }
    let mut ended = std::pin::pin!(handle.ended());
    let mut prompt: Option<Prompt> = None;
    // Kept, for a question that is dropped is answered with “nobody is there”.
    let mut unanswered: Option<Asked> = None;
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
                Some(prompt) => (&mut prompt.line).await.unwrap_or(None),
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            end = &mut ended => break Some(end),
            () = stop.asked() => {
                handle.cancel();
                tokio::select! {
                    end = &mut ended => break Some(end),
                    () = tokio::time::sleep(STOPPING) => break None,
                    // Asked twice: what is stored is stored, nothing else is waited for.
                    () = stop.asked() => std::process::exit(130),
                }
            }
            event = event => match event {
                Ok(event) if event.seq < next => {}
                Ok(event) => {
                    if event.seq > next {
                        show_stored(desk, run, next, Some(event.seq), audience).await?;
                    }
                    audience.show(&event)?;
                    next = event.seq + 1;
                }
                Err(RecvError::Lagged(_)) => next = show_stored(desk, run, next, None, audience).await?,
                Err(RecvError::Closed) => live = None,
            },
            Some(asked) = questions.recv(), if is_quiet => {
                if let Some(progress) = &audience.progress {
                    progress.pause();
                }
                output::tell(&asking::shown(&asked.question));
                prompt = Some(Prompt { asked, line: asking::read_line() });
            }
            line = line => {
                match prompt.take() {
                    // The terminal was closed over the question: nothing is decided, it can be answered later.
                    Some(Prompt { asked, .. }) if line.is_none() && !output::can_ask() => {
                        unanswered = Some(asked);
                        handle.cancel();
                    }
                    Some(Prompt { asked, .. }) => prompt = answered(asked, line),
                    None => {}
                }
                if let Some(progress) = audience.progress.as_ref().filter(|_| prompt.is_none()) {
                    progress.go_on();
                }
            }
        }
    };
    drop(unanswered);
    if audience.wants_events() && end.is_some() {
        show_stored(desk, run, next, None, audience).await?;
    }
    Ok(end)
}

/// Hands a typed line to the agent that asked, or asks once more. The end of input means that nobody is there.
fn answered(asked: Asked, line: Option<String>) -> Option<Prompt> {
    let reply = match line.map(|line| asking::chosen(&asked.question, &line)) {
        None => Reply::NobodyThere,
        Some(Ok(chosen)) => Reply::Chosen(chosen),
        Some(Err(sentence)) => {
            output::tell(&sentence);
            return Some(Prompt { asked, line: asking::read_line() });
        }
    };
    // Refused only when the run was stopped meanwhile.
    let _ = asked.reply.send(reply);
    None
}

/// Shows what is stored from `next` up to before `until`; gives the number after the last one shown.
async fn show_stored(
    desk: &Desk,
    run: &str,
    mut next: Seq,
    until: Option<Seq>,
    audience: &Audience,
) -> Result<Seq, ApiError> {
    loop {
        let events = stored(desk, run, next, audience.is_json).await?;
        if events.is_empty() {
            return Ok(next);
        }
        for event in events {
            if until.is_some_and(|until| event.seq >= until) {
                return Ok(next);
            }
            audience.show(&event)?;
            next = event.seq + 1;
        }
    }
}

/// Some events from a number on; none at the end. Large values stand by their hash unless they are wanted whole.
pub(crate) async fn stored(
    desk: &Desk,
    run: &str,
    from: Seq,
    is_whole: bool,
) -> Result<Vec<Event>, ApiError> {
    let request = ReadEvents { run: run.to_owned(), from_seq: from, limit: MOST_EVENTS };
    let page: JournalPage = ask(desk, "read_events", request).await?;
    let mut events: Vec<Event> = page.entries.into_iter().map(|entry| entry.event).collect();
    let mut values = events.iter_mut().flat_map(|event| event.values_mut());
    if is_whole && values.any(|value| value.is_stored()) {
        // The export is the one place that has every value whole.
        let exported: Exported =
            ask(desk, "export_run", ExportRun { run: run.to_owned(), format: "json".to_owned() }).await?;
        let whole: Whole = serde_json::from_str(&exported.content).map_err(|error| {
            ApiError::new(
                ErrorCode::Internal,
                format!("The events of run {run} cannot be read back: {error}"),
            )
        })?;
        events = whole.events.into_iter().filter(|event| event.seq >= from).collect();
    }
    Ok(events)
}

#[derive(Deserialize)]
struct Whole {
    events: Vec<Event>,
}

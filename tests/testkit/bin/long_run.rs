//! Writes a run of many events into a data folder, for what is measured and proved of long runs: the shortest finished
//! run is the pattern, and what its agents did is done again and again at new places, through the log that the engine writes
//! to. So pipeline, keys and outline are real, and snapshots come about as they do in a run. It prints the id of the run.
//!
//! Not in it: a run that could be replayed; nobody asked a model for these answers.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Parser;
use engine::{Durability, Log as _, LogError, Recorded};
use kernel::{Code, Delta, Event, Fact, Outcome, Path, RunId, Seq, Value};
use store::Store;

/// Events that are appended at once.
const BATCH: usize = 256;
/// Texts of so many characters and more say in which round they were written, so that two moments differ.
const TEXT: usize = 200;

/// Writes a long run after the pattern of the shortest finished one.
#[derive(Parser)]
struct Arguments {
    /// The data folder; it must hold a finished run.
    #[arg(long, env = "GALLEY_DATA_DIR")]
    data_dir: PathBuf,
    /// How many events the run has; whole rounds of the pattern are written, so it is this many or a few less.
    #[arg(long, default_value_t = 100_000)]
    events: Seq,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    match write(Arguments::parse()).await {
        Ok(run) => {
            say(&run);
            ExitCode::SUCCESS
        }
        Err(error) => {
            complain(&error);
            ExitCode::FAILURE
        }
    }
}

async fn write(arguments: Arguments) -> Result<RunId, LogError> {
    let store = Store::open(&arguments.data_dir)?;
    let runs = store.list_runs(None, 100).await?;
    // A long one that was written before is no pattern.
    let finished = runs.into_iter().filter(|run| run.outcome == Some(Outcome::Finished));
    let pattern = finished.min_by_key(|run| run.last_seq).ok_or_else(|| {
        LogError::new(
            Code::NotFound,
            kernel::Phrase::verbatim(
                "There is no finished run in this data folder to repeat. Run a pipeline first.",
            ),
        )
    })?;
    let Recorded { mut start, events } = store.load(&pattern.run).await?;
    start.run = RunId(engine::new_id().to_string());
    start.origin = None;
    let mut long = Repetition::of(events, arguments.events).ok_or_else(|| {
        LogError::new(
            Code::BadInput,
            kernel::Phrase::verbatim(format!(
                "No agent did anything in run {}. Run a pipeline with agents first.",
                pattern.run
            )),
        )
    })?;
    if let Some(Fact::RunStarted { run, origin, .. }) = long.before.first_mut().map(|event| &mut event.fact) {
        *run = start.run.clone();
        *origin = None;
    }
    let run = start.run.clone();
    store.create(&start, std::mem::take(&mut long.before)).await?;
    let mut batch = Vec::with_capacity(BATCH);
    for event in long.rest() {
        batch.push(Arc::new(event));
        if batch.len() == BATCH {
            store.append(&run, std::mem::take(&mut batch), Durability::Committed).await?;
        }
    }
    store.append(&run, batch, Durability::Committed).await?;
    store.release(&run).await?;
    store.close().await;
    Ok(run)
}

/// A run whose middle is done several times.
struct Repetition {
    before: Vec<Event>,
    /// What the agents below the root did.
    round: Vec<Event>,
    after: Vec<Event>,
    rounds: u32,
    /// The number of the first event of the first round.
    first: Seq,
}

impl Repetition {
    /// `None` for a run in which nothing happened below the root.
    fn of(mut before: Vec<Event>, events: Seq) -> Option<Repetition> {
        let root = before.iter().find(|event| !event.is_outside())?.path.clone();
        let below = |event: &Event| event.path.is_below(&root) && event.path != root;
        let begin = before.iter().position(below)?;
        let end = before.iter().rposition(below)? + 1;
        let after = before.split_off(end);
        let mut round = before.split_off(begin);
        round.retain(below);
        let (around, of_round) = (before.len() + after.len(), round.len());
        let rounds = (events as usize).saturating_sub(around) / of_round;
        let rounds = u32::try_from(rounds).unwrap_or(u32::MAX).max(1);
        let first = Seq::try_from(before.len()).unwrap_or(Seq::MAX).saturating_add(1);
        Some(Repetition { before, round, after, rounds, first })
    }

    /// All rounds and the end, numbered.
    fn rest(&self) -> impl Iterator<Item = Event> + '_ {
        let times = self.round.first().zip(self.round.last()).map(|(first, last)| last.at_ms - first.at_ms);
        let lasts = times.unwrap_or_default() + 1;
        let calls =
            self.round.iter().filter_map(|event| ordinal(event.path.as_str())).map(|(_, n, _)| n).max();
        let calls = calls.unwrap_or(1);
        let rounds = (0..self.rounds).flat_map(move |number| {
            self.round.iter().map(move |event| {
                let mut event = event.clone();
                event.path = again(&event.path, calls.saturating_mul(number));
                event.at_ms += lasts * i64::from(number);
                if let Fact::StateChanged { delta } = &mut event.fact {
                    tell_round(delta, number + 1);
                }
                event
            })
        });
        let after = self.after.iter().map(move |event| {
            let mut event = event.clone();
            event.at_ms += lasts * i64::from(self.rounds - 1);
            event
        });
        rounds.chain(after).zip(self.first..).map(|(mut event, seq)| {
            event.seq = seq;
            event
        })
    }
}

/// The same place after so many more calls of the part of the root that it belongs to.
fn again(path: &Path, calls: u32) -> Path {
    let Some((before, ordinal, rest)) = ordinal(path.as_str()) else { return path.clone() };
    Path::root(&format!("{before}#{}{rest}", ordinal.saturating_add(calls)))
}

/// The first ordinal of a place, and what stands before and behind it.
fn ordinal(place: &str) -> Option<(&str, u32, &str)> {
    let (before, rest) = place.split_once('#')?;
    let (digits, rest) =
        rest.split_at(rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len()));
    Some((before, digits.parse().ok()?, rest))
}

fn tell_round(delta: &mut Delta, round: u32) {
    for value in delta.set.values_mut() {
        let mut json = value.json_or_null().clone();
        tell_round_in(&mut json, round);
        *value = Value::new(json);
    }
}

fn tell_round_in(json: &mut serde_json::Value, round: u32) {
    match json {
        serde_json::Value::String(text) if text.len() >= TEXT => {
            text.push_str(&format!("\n\nWritten in round {round}."));
        }
        serde_json::Value::Array(items) => items.iter_mut().for_each(|item| tell_round_in(item, round)),
        serde_json::Value::Object(fields) => {
            fields.values_mut().for_each(|field| tell_round_in(field, round))
        }
        _ => {}
    }
}

#[expect(clippy::print_stdout, reason = "the id on standard output is this program's interface")]
fn say(run: &RunId) {
    println!("{run}");
}

#[expect(clippy::print_stderr, reason = "a program says on standard error why it did nothing")]
fn complain(error: &LogError) {
    eprintln!("long-run: {error}");
}

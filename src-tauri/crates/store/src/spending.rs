//! The ledger of model usage and costs: derived from the log, and recorded directly for usage outside of runs.

use std::collections::{BTreeMap, HashMap};

use engine::LogError;
use kernel::{Answer, Code, Effect, Event, Fact, Path, RunId, Seq, Speed};

use crate::read_context::ReadContext;
use crate::table::spending::{self, UncountedRun};
use crate::{PastCall, Spent, Store};

/// The runs per transaction.
const RUNS_PER_TRANSACTION: u32 = 64;
/// The events per query.
const WINDOW: Seq = 4096;

impl Store {
    /// The usage and costs of model calls, of all runs or of one: a line for each month, profile, model and agent. Also
    /// the runs among them that are damaged, whose usage is unknown.
    ///
    /// # Errors
    /// When the database cannot be read or is damaged.
    pub async fn ledger(&self, run: Option<&RunId>) -> Result<(Vec<Spent>, Vec<RunId>), LogError> {
        let mut unread = self.total_usage().await?;
        if let Some(run) = run {
            unread.retain(|damaged| damaged == run);
        }
        let run = run.cloned();
        let lines = self.read(move |context| {
            let row = run.map(|run| context.standing(&run).map(|standing| standing.id)).transpose()?;
            context.of(spending::lines(context.connection, row))
        });
        Ok((lines.await?, unread))
    }

    /// The cost of each run in US dollars; `None` when no call of it has a known price. Runs without model calls are
    /// left out.
    ///
    /// # Errors
    /// When the database cannot be read or is damaged.
    pub async fn run_costs(&self) -> Result<BTreeMap<RunId, Option<f64>>, LogError> {
        self.total_usage().await?;
        let costs = self.read(|context| context.of(spending::run_costs(context.connection))).await?;
        Ok(costs.into_iter().map(|(run, cost)| (RunId(run), cost)).collect())
    }

    /// Records usage outside of runs at a time in milliseconds since 1970. The calls in `settled` are removed from the
    /// open and unpriced calls recorded before.
    ///
    /// # Errors
    /// When it cannot be stored.
    pub async fn note_spent(&self, at_ms: i64, settled: Spent, spent: Spent) -> Result<(), LogError> {
        let spent = Spent { month: month(at_ms), ..spent };
        self.write(false, move |writing| {
            spending::add_outside(writing.connection, &settled, &spent)
                .map_err(|error| writing.explain(&error))
        })
        .await
    }

    /// The usage of answered calls in earlier runs, averaged over the calls of a run: for each profile, model and agent
    /// the maximum of all runs.
    ///
    /// # Errors
    /// When the database cannot be read or is damaged.
    pub async fn past_calls(&self) -> Result<Vec<PastCall>, LogError> {
        self.total_usage().await?;
        self.read(|context| context.of(spending::past_calls(context.connection))).await
    }

    /// The speed of the answers in earlier runs, by profile and model.
    ///
    /// # Errors
    /// As [`Store::ledger`].
    pub async fn past_speeds(&self) -> Result<BTreeMap<(String, String), Speed>, LogError> {
        self.total_usage().await?;
        self.read(|context| context.of(spending::past_speeds(context.connection))).await
    }

    /// Adds up the runs with new events; returns those that could not be read. Their earlier totals stay.
    pub(crate) async fn total_usage(&self) -> Result<Vec<RunId>, LogError> {
        let (mut unread, mut after) = (Vec::new(), 0);
        loop {
            let (looked_at, found, damaged) = self
                .read(move |context| {
                    let runs = context.of(spending::not_added_up(
                        context.connection,
                        after,
                        RUNS_PER_TRANSACTION,
                    ))?;
                    let (mut found, mut damaged) = (Vec::new(), Vec::new());
                    for UncountedRun { row, run, seq, repeated } in &runs {
                        match spent(context, *row, *seq, *repeated) {
                            Ok(lines) => found.push((*row, *seq, lines)),
                            // A damaged run must not prevent adding up the others.
                            Err(error) => {
                                tracing::warn!(%error, run, "what a run cost cannot be read");
                                damaged.push(RunId(run.clone()));
                            }
                        }
                    }
                    Ok((runs.last().map(|last| last.row), found, damaged))
                })
                .await?;
            unread.extend(damaged);
            let Some(last) = looked_at else { return Ok(unread) };
            after = last;
            if found.is_empty() {
                continue;
            }
            self.write(false, move |writing| {
                for (run, seq, lines) in &found {
                    spending::replace(writing.connection, *run, *seq, lines)
                        .map_err(|error| writing.explain(&error))?;
                }
                Ok(())
            })
            .await?;
        }
    }
}

/// The usage of a run. Events up to `repeated` were inherited from its parent and counted there.
fn spent(context: &ReadContext<'_>, run: i64, last: Seq, repeated: Seq) -> Result<Vec<Spent>, LogError> {
    let mut calls = Calls::default();
    let mut from = repeated + 1;
    while from <= last {
        let until = last.min(from.saturating_add(WINDOW - 1));
        for event in context.source().every(run, from, until)? {
            calls.take(&event);
        }
        from = until + 1;
    }
    Ok(calls.lines())
}

/// Month, profile, model, agent.
type LedgerKey = (String, String, String, String);

/// A request without an answer yet.
struct Open {
    whose: LedgerKey,
    /// How often it was sent.
    sent: u32,
    /// How often it failed so far.
    failed: u32,
}

#[derive(Default)]
struct Calls {
    /// By path and ordinal.
    in_flight: HashMap<(Path, u32), Open>,
    lines: BTreeMap<LedgerKey, Spent>,
}

impl Calls {
    fn take(&mut self, event: &Event) {
        match &event.fact {
            Fact::EffectAsked { effect, .. } => {
                let Some((profile, model)) = effect.asks() else { return };
                let whose = (
                    month(event.at_ms),
                    profile.to_owned(),
                    model.to_owned(),
                    agent(event, effect).to_owned(),
                );
                self.in_flight.insert((event.path.clone(), event.n), Open { whose, sent: 1, failed: 0 });
            }
            // A request is logged when it is sent and when it fails: both count, even without an answer.
            Fact::RequestFailed { asked, .. } => {
                let Some(open) = self.in_flight.get_mut(&(event.path.clone(), *asked)) else { return };
                open.failed += 1;
            }
            Fact::RequestSent { asked, .. } => {
                let Some(open) = self.in_flight.get_mut(&(event.path.clone(), *asked)) else { return };
                open.sent += 1;
            }
            Fact::EffectAnswered { asked, answer, retries, summary, took_ms, waited_ms } => {
                let Some(open) = self.in_flight.remove(&(event.path.clone(), *asked)) else { return };
                let was_never_sent =
                    matches!(answer, Answer::Failed { error } if error.code == Code::LimitReached);
                let tried = u32::try_from(retries.len()).unwrap_or(u32::MAX);
                let sent = summary.sent.unwrap_or_else(|| tried.saturating_add(1));
                if was_never_sent || sent == 0 {
                    return;
                }
                let line = self.lines.entry(open.whose).or_default();
                line.speed.add(Speed::of(answer, summary, *took_ms, *waited_ms).unwrap_or_default());
                line.calls += sent;
                line.failed_calls += sent - u32::from(answer.is_done()).min(sent);
                let Some(tokens) = summary.tokens else { return };
                line.input_tokens += u64::from(tokens.input_tokens);
                line.output_tokens += u64::from(tokens.output_tokens);
                line.cached_tokens += u64::from(tokens.cached_tokens);
                match summary.cost {
                    Some(cost) => line.cost = Some(line.cost.unwrap_or(0.0) + cost),
                    None => line.unpriced_calls += 1,
                }
            }
            Fact::RunResumed { .. } => {
                // Requests in flight when the program died were sent, and may have been charged.
                for (_, open) in self.in_flight.drain() {
                    let line = self.lines.entry(open.whose).or_default();
                    line.calls += open.sent;
                    line.failed_calls += open.sent;
                    line.unpriced_calls += u32::from(open.sent > open.failed);
                }
            }
            Fact::RunStarted { .. }
            | Fact::GatesSet { .. }
            | Fact::AgentStarted { .. }
            | Fact::AgentEnded { .. }
            | Fact::RoundEnded { .. }
            | Fact::StateChanged { .. }
            | Fact::FellBack { .. }
            | Fact::Noted { .. }
            | Fact::RunEnded { .. } => {}
        }
    }

    fn lines(mut self) -> Vec<Spent> {
        for (_, open) in self.in_flight.drain() {
            let line = self.lines.entry(open.whose).or_default();
            line.calls += open.sent;
            line.failed_calls += open.failed.min(open.sent);
            line.open_calls += open.sent.saturating_sub(open.failed);
            line.unpriced_calls += u32::from(open.sent > open.failed);
        }
        let name = |((month, profile, model, agent), spent)| Spent { month, profile, model, agent, ..spent };
        self.lines.into_iter().map(name).collect()
    }
}

/// The stage that makes the request; for a tool, the agent that called it.
fn agent<'a>(event: &'a Event, effect: &'a Effect) -> &'a str {
    match effect {
        Effect::Model { request } => &request.agent,
        _ => &event.author,
    }
}

/// The month of a time, in UTC.
fn month(at_ms: i64) -> String {
    let at = jiff::Timestamp::from_millisecond(at_ms).unwrap_or_default();
    at.strftime("%Y-%m").to_string()
}

//! The usage and cost of calls, summed from the answers in the log by month, profile, model and agent. Runs that
//! continued are added when the ledger is read. Only the test of a profile, which belongs to no run, is recorded when
//! it happens.

use kernel::TokenUsage;
use models::Trial;
use store::Spent;

use crate::ApiError;
use crate::accounts::AccountService;
use crate::api::{Ledger, LedgerLine, Nothing, ProfileCard, RunCosts, TotalUsage};

/// The agent name for the test of a profile.
const TRIAL: &str = "profile test";

/// Whether the cost of this provider's models depends on tokens only.
fn costs_tokens_alone(provider: &str) -> bool {
    !models::providers().iter().any(|known| known.id == provider && known.searches_itself)
}

fn of_trial(profile: &str, model: &str) -> Spent {
    Spent {
        profile: profile.to_owned(),
        model: model.to_owned(),
        agent: TRIAL.to_owned(),
        ..Spent::default()
    }
}

impl AccountService {
    /// Records a test before it is sent, so that a crash does not lose it.
    pub(crate) async fn note_trial_sent(&self, at_ms: i64, profile: &str, model: &str) {
        let spent = Spent { calls: 1, open_calls: 1, unpriced_calls: 1, ..of_trial(profile, model) };
        self.note(at_ms, Spent::default(), spent).await;
    }

    /// Records the usage of a test.
    pub(crate) async fn note_trial_result(&self, at_ms: i64, profile: &str, model: &str, trial: &Trial) {
        let is_counted = trial.is_uncounted || trial.tokens != TokenUsage::default();
        let spent = Spent {
            failed_calls: u32::from(trial.outcome.is_err()),
            input_tokens: u64::from(trial.tokens.input_tokens),
            output_tokens: u64::from(trial.tokens.output_tokens),
            cached_tokens: u64::from(trial.tokens.cached_tokens),
            cost: trial.cost,
            unpriced_calls: u32::from(is_counted && trial.cost.is_none()),
            ..of_trial(profile, model)
        };
        self.note(at_ms, Spent { open_calls: 1, unpriced_calls: 1, ..Spent::default() }, spent).await;
    }

    /// A database that cannot be written does not fail the test.
    async fn note(&self, at_ms: i64, settled: Spent, spent: Spent) {
        if let Err(error) = self.store.note_spent(at_ms, settled, spent).await {
            tracing::warn!(%error, "what the trial of a profile used is not in the ledger");
        }
    }

    pub(crate) async fn run_costs(&self, _: Nothing) -> Result<RunCosts, ApiError> {
        let costs = self.store.run_costs().await?;
        Ok(RunCosts { costs: costs.into_iter().map(|(run, cost)| (run.0, cost)).collect() })
    }

    pub(crate) async fn total_usage(&self, request: TotalUsage) -> Result<Ledger, ApiError> {
        let run = match request.run.as_deref() {
            Some(run) => Some(self.store.resolve_run(run).await?),
            None => None,
        };
        let (lines, damaged) = self.store.ledger(run.as_ref()).await?;
        let is_wanted =
            |wanted: &Option<String>, found: &str| wanted.as_ref().is_none_or(|wanted| wanted == found);
        let lines = lines
            .into_iter()
            .filter(|line| {
                is_wanted(&request.profile, &line.profile) && is_wanted(&request.month, &line.month)
            })
            .map(|line| LedgerLine {
                month: line.month,
                profile: line.profile,
                model: line.model,
                agent: line.agent,
                calls: line.calls,
                failed_calls: line.failed_calls,
                open_calls: line.open_calls,
                input_tokens: line.input_tokens,
                output_tokens: line.output_tokens,
                cost: line.cost,
                unpriced_calls: line.unpriced_calls,
                cached_tokens: line.cached_tokens,
                is_priced_later: false,
            });
        let mut lines: Vec<LedgerLine> = lines.collect();
        self.price_later(&mut lines);
        Ok(Ledger { lines: together(lines), damaged_runs: damaged.into_iter().map(|run| run.0).collect() })
    }

    /// Adds the present price to calls that had none when they were answered. After failed calls the sum is a lower
    /// bound, since some usage may never have been counted. A line with some priced calls stays, because its tokens
    /// cannot be separated, and so does one of a model that may have searched, which costs more than its tokens.
    fn price_later(&self, lines: &mut [LedgerLine]) {
        let profiles = self.settings.profiles().unwrap_or_default();
        let prices = self.prices.current();
        let tokens = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        for line in
            lines.iter_mut().filter(|line| line.cost.is_none() && line.unpriced_calls > line.open_calls)
        {
            let used = TokenUsage {
                input_tokens: tokens(line.input_tokens),
                output_tokens: tokens(line.output_tokens),
                cached_tokens: tokens(line.cached_tokens),
            };
            let of = |card: &ProfileCard| prices.cost(&card.provider, &line.model, used);
            let card =
                profiles.iter().find(|card| card.name == line.profile && costs_tokens_alone(&card.provider));
            let Some(cost) = card.and_then(of).filter(|_| used != TokenUsage::default()) else { continue };
            line.cost = Some(cost);
            line.is_priced_later = true;
            if line.failed_calls == 0 && line.unpriced_calls == line.calls {
                line.unpriced_calls = line.open_calls;
            }
        }
    }
}

/// Merges lines that differ only in whether they have a price.
fn together(lines: Vec<LedgerLine>) -> Vec<LedgerLine> {
    let mut all: Vec<LedgerLine> = Vec::new();
    let is_same = |one: &LedgerLine, other: &LedgerLine| {
        (&one.month, &one.profile, &one.model, &one.agent)
            == (&other.month, &other.profile, &other.model, &other.agent)
    };
    for line in lines {
        let Some(known) = all.last_mut().filter(|known| is_same(known, &line)) else {
            all.push(line);
            continue;
        };
        known.calls += line.calls;
        known.failed_calls += line.failed_calls;
        known.open_calls += line.open_calls;
        known.input_tokens += line.input_tokens;
        known.output_tokens += line.output_tokens;
        known.cached_tokens += line.cached_tokens;
        known.unpriced_calls += line.unpriced_calls;
        known.is_priced_later |= line.is_priced_later;
        known.cost = known.cost.map_or(line.cost, |cost| Some(cost + line.cost.unwrap_or(0.0)));
    }
    all
}

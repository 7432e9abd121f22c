//! What calls used and cost: added up from the answers in the log, by month, profile, model and agent. Runs that went on
//! are taken in when somebody asks. Only what belongs to no run, the trial of a profile, is noted when it happens.

use kernel::TokenUsage;
use models::Trial;
use store::Spent;

use crate::api::{AddUp, Ledger, LedgerLine};
use crate::{ApiError, Desk};

/// Who asks when a profile is tried.
const TRIAL: &str = "profile test";

impl Desk {
    /// Notes what a trial used. A database that cannot be written takes nothing from what the trial told.
    pub(crate) async fn note_trial(&self, at_ms: i64, profile: &str, model: String, trial: &Trial) {
        let is_counted = trial.tokens != TokenUsage::default();
        let spent = Spent {
            profile: profile.to_owned(),
            model,
            agent: TRIAL.to_owned(),
            calls: 1,
            failed_calls: u32::from(trial.told.is_err()),
            input_tokens: u64::from(trial.tokens.input_tokens),
            output_tokens: u64::from(trial.tokens.output_tokens),
            cached_tokens: u64::from(trial.tokens.cached_tokens),
            cost: trial.cost,
            unpriced_calls: u32::from(is_counted && trial.cost.is_none()),
            ..Spent::default()
        };
        if let Err(fault) = self.inner.store.note_spent(at_ms, spent).await {
            tracing::warn!(%fault, "what the trial of a profile used is not in the ledger");
        }
    }

    pub(crate) async fn add_up(&self, request: AddUp) -> Result<Ledger, ApiError> {
        let run = match request.run.as_deref() {
            Some(run) => Some(self.run_id(run).await?),
            None => None,
        };
        let lines = self.inner.store.ledger(run.as_ref()).await?;
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
            });
        Ok(Ledger { lines: lines.collect() })
    }
}

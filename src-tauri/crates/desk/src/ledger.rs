//! What calls used and cost: added up from the answers in the log, by month, profile, model and agent. Nothing is kept
//! beside the log; runs that went on are taken in when somebody asks.

use crate::api::{AddUp, Ledger, LedgerLine};
use crate::{ApiError, Desk};

impl Desk {
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

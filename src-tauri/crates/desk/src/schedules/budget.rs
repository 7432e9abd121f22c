//! The budget of a schedule: what its runs may use in a month.

use kernel::{Code, LimitName, phrase};

use crate::ApiError;
use crate::api::StartRun;
use crate::schedules::ScheduleService;
use crate::schedules::setup::Schedule;

/// What the runs of a schedule used in the present month.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct MonthUsage {
    /// US dollars of the calls with a known price.
    pub(crate) cost: f64,
    pub(crate) tokens: u64,
}

impl ScheduleService {
    /// The usage of the month of the schedule's zone.
    pub(crate) async fn month_usage(&self, schedule: &Schedule) -> Result<MonthUsage, ApiError> {
        let since = schedule.zone.month_begin_ms(self.now_ms());
        let (cost, tokens) = self.store.schedule_usage(schedule.stored.id, since).await?;
        Ok(MonthUsage { cost, tokens })
    }
}

/// The reason why nothing may begin in this month, if there is one.
pub(crate) fn used_up(schedule: &Schedule, used: MonthUsage) -> Option<ApiError> {
    let setup = &schedule.setup;
    let message = if let Some(most) = setup.monthly_cost.filter(|most| used.cost >= *most) {
        phrase!(
            "The budget of this month is used up: ${used} of ${most}",
            used = format!("{:.2}", used.cost),
            most = format!("{most:.2}")
        )
    } else if let Some(most) = setup.monthly_tokens.filter(|most| used.tokens >= *most) {
        phrase!("The budget of this month is used up: {used} of {most} tokens", used = used.tokens, most)
    } else {
        return None;
    };
    Some(ApiError::new(Code::LimitReached, message))
}

/// The request of a run that may use no more than what is left of the month.
pub(crate) fn within_month(schedule: &Schedule, used: MonthUsage) -> StartRun {
    let setup = &schedule.setup;
    let mut request = setup.request.clone();
    let mut at_most = |name: LimitName, left: f64| {
        let own = request.limits.get(&name).copied().flatten();
        request.limits.insert(name, Some(own.map_or(left, |own| own.min(left))));
    };
    if let Some(most) = setup.monthly_cost {
        at_most(LimitName::MaxCost, (most - used.cost).max(0.0));
    }
    if let Some(most) = setup.monthly_tokens {
        at_most(LimitName::MaxTotalTokens, most.saturating_sub(used.tokens) as f64);
    }
    request
}

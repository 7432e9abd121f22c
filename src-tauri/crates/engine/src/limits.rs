//! Whether a limit stands in the way of an effect, and how much time is left.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use kernel::{Answer, Code, Effect, Error, Interruption, LimitName, Reached, ToolCall};

use crate::Cx;
use crate::run_shared::Shared;

/// What the calls in flight cost at the least, in US dollars: the usage knows of them when they are answered.
#[derive(Default)]
pub(crate) struct InFlight(Mutex<f64>);

/// An effect that no limit forbids. What it costs at the least counts as in flight until this is dropped.
pub(crate) struct Admitted {
    shared: Arc<Shared>,
    least: f64,
    in_flight: f64,
}

impl Admitted {
    /// Counts one more sending, or tells the limit of money that it would pass. One that failed may have cost something, too.
    pub(crate) fn send(&mut self, most: Option<f64>) -> Result<(), Error> {
        let Some(most) = most.filter(|_| self.least > 0.0) else { return Ok(()) };
        let mut in_flight = self.shared.in_flight.0.lock().unwrap_or_else(PoisonError::into_inner);
        // A call that was made and cost an unknown sum counts as the least that the coming one costs.
        let spent = self
            .shared
            .writer
            .used(|usage| usage.cost.unwrap_or(0.0) + self.least * f64::from(usage.unpriced_calls));
        if spent + *in_flight + self.least > most {
            return Err(reached_error(Reached::of_run(LimitName::MaxCost, most)));
        }
        *in_flight += self.least;
        self.in_flight += self.least;
        Ok(())
    }
}

impl Drop for Admitted {
    fn drop(&mut self) {
        *self.shared.in_flight.0.lock().unwrap_or_else(PoisonError::into_inner) -= self.in_flight;
    }
}

/// Lets this effect begin, which already counts as begun.
///
/// # Errors
/// The limit that forbids it.
pub(crate) fn admit(cx: &Cx, effect: &Effect) -> Result<Admitted, Error> {
    let definition = cx.definition();
    let limits = &definition.limits;
    let over = |limit: LimitName, used: f64| {
        limits.get(limit).filter(|most| used > *most).map(|most| reached_error(Reached::of_run(limit, most)))
    };
    let time = || {
        let (left, most) = remaining(cx, 0)?;
        left.is_zero().then(|| reached_error(Reached::of_run(LimitName::MaxExecutionTimeS, most)))
    };
    let free = || Admitted { shared: cx.shared.clone(), least: 0.0, in_flight: 0.0 };
    let of_model = || {
        let agent = match effect {
            Effect::Model { request } => &request.agent,
            _ => &cx.author,
        };
        let own = definition.agents.get(agent).and_then(|agent| agent.limits.max_llm_calls);
        cx.shared.writer.used(|usage| {
            let begun = usage.agent_calls.get(agent).copied().unwrap_or(0);
            over(LimitName::MaxLlmCalls, f64::from(usage.calls))
                .or_else(|| {
                    let own = own.filter(|most| begun > *most)?;
                    let of_run = Reached::of_run(LimitName::MaxLlmCalls, f64::from(own));
                    Some(reached_error(Reached { agent: Some(agent.clone()), ..of_run }))
                })
                // The tokens of the coming call are unknown: the limit is reached when nothing is left.
                .or_else(|| over(LimitName::MaxTotalTokens, usage.total_tokens() as f64 + 1.0))
        })
    };
    let of_tool = |call: &ToolCall| {
        let begun = cx.shared.writer.used(|usage| usage.tool_calls.get(&call.tool).copied().unwrap_or(0));
        over(LimitName::MaxToolCalls, f64::from(begun))
    };
    let counted = match effect {
        Effect::Model { .. } => None,
        Effect::Tool { call } => of_tool(call),
        Effect::Clock | Effect::Id | Effect::Question { .. } => return Ok(free()),
    };
    let asks = effect.asks();
    if let Some(error) = counted.or_else(|| asks.and_then(|_| of_model())) {
        return Err(error);
    }
    let mut admitted = free();
    if let (Some((_, model)), Some(most), Some(world)) = (asks, limits.max_cost, &cx.shared.world) {
        // What is not sent costs nothing: a call that must pass the limit is refused before, and so is one that may.
        admitted.least = world.models.least_cost(effect).ok_or_else(|| {
            let unpriced = Some(model.to_owned());
            reached_error(Reached { unpriced, ..Reached::of_run(LimitName::MaxCost, most) })
        })?;
        admitted.send(Some(most))?;
    }
    time().map_or(Ok(admitted), Err)
}

/// Active time left of the run, and what the limit allows, in seconds; `None` without a limit.
/// `waited_ms` of the effect in flight were waiting that a provider ordered.
pub(crate) fn remaining(cx: &Cx, waited_ms: u64) -> Option<(Duration, f64)> {
    let definition = cx.definition();
    let ran_ms = cx.shared.clock.ran_ms();
    let (most, used_ms) = cx.shared.writer.used(|usage| {
        (definition.time_limit(&usage.speeds), usage.active_ms_until(ran_ms).saturating_sub(waited_ms))
    });
    let most = most?;
    let allowed = Duration::try_from_secs_f64(most.max(0.0)).unwrap_or(Duration::MAX);
    Some((allowed.saturating_sub(Duration::from_millis(used_ms)), most))
}

/// The limit that an answer tells of, if it does, in words.
pub(crate) fn told_by(answer: &Answer) -> Option<(Reached, Error)> {
    let error = match answer {
        Answer::Failed { error } => error.clone(),
        Answer::Interrupted { reason: Interruption::TimeUsedUp { most }, .. } => {
            reached_error(Reached::of_run(LimitName::MaxExecutionTimeS, *most))
        }
        Answer::Interrupted { reason: Interruption::Cancelled, .. } | Answer::Done { .. } => return None,
    };
    Some((*error.limit.clone()?, error))
}

/// What a limit allowed, as a person says it.
pub(crate) fn used_up(reached: &Reached) -> String {
    let Reached { name, most, unpriced, .. } = reached;
    if let Some(model) = unpriced {
        return format!(
            "the price of `{model}` is not known, so it is not asked while cost is limited to ${most}"
        );
    }
    match name {
        LimitName::MaxLlmCalls => format!("{most} model calls are used up"),
        LimitName::MaxTotalTokens => format!("{most} tokens are used up"),
        LimitName::MaxToolCalls => format!("{most} calls of this tool are used up"),
        LimitName::MaxExecutionTimeS => format!("{most} seconds of active time are used up"),
        LimitName::MaxOutputTokens => format!("{most} tokens of output are used up"),
        LimitName::MaxCost => format!("${most} are used up, or the next call would pass them"),
    }
}

/// The limit in words.
pub(crate) fn reached_error(reached: Reached) -> Error {
    let next = match reached.unpriced {
        None => "Resume the run with a higher limit to go on",
        Some(_) => {
            "Put the price into `prices.toml` in the data folder (0 where nobody is paid) and resume the run, or resume it \
             with --limit max_cost=none"
        }
    };
    let message = format!("The limit `{}` is reached: {}. {next}", reached.name.word(), used_up(&reached));
    Error { limit: Some(Box::new(reached)), ..Error::new(Code::LimitReached, message) }
}

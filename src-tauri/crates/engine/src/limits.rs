//! Whether a limit stands in the way of an effect, and how much time is left.

use std::time::Duration;

use kernel::{Answer, Code, Effect, Error, Interruption, LimitName, Phrase, Reached, ToolCall, form, phrase};

use crate::Cx;

/// The limit that forbids this effect, if one does. The effect itself already counts as begun.
pub(crate) fn reached(cx: &Cx, effect: &Effect) -> Option<Error> {
    let definition = cx.definition();
    let limits = &definition.limits;
    let over = |limit: LimitName, used: f64| {
        limits.get(limit).filter(|most| used > *most).map(|most| reached_error(Reached::of_run(limit, most)))
    };
    let time = || {
        let (left, most) = remaining(cx, 0)?;
        left.is_zero().then(|| reached_error(Reached::of_run(LimitName::MaxExecutionTimeS, most)))
    };
    // What is not sent costs nothing: a call that must pass the limit is refused before, and so is one that may.
    // A call that was made and cost an unknown sum counts as the least that the coming one costs.
    let of_money = |spent: Option<f64>, unknown: u32| {
        let most = limits.max_cost?;
        let world = cx.shared.world.as_ref()?;
        let Some(least) = world.models.least_cost(effect) else {
            let unpriced = effect.asks().map(|(_, model)| model.to_owned());
            return Some(reached_error(Reached { unpriced, ..Reached::of_run(LimitName::MaxCost, most) }));
        };
        over(LimitName::MaxCost, spent.unwrap_or(0.0) + least * f64::from(unknown.saturating_add(1)))
    };
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
                .or_else(|| of_money(usage.cost, usage.unpriced_calls))
        })
    };
    let of_tool = |call: &ToolCall| {
        let begun = cx.shared.writer.used(|usage| usage.tool_calls.get(&call.tool).copied().unwrap_or(0));
        over(LimitName::MaxToolCalls, f64::from(begun))
    };
    let counted = match effect {
        Effect::Model { .. } => None,
        Effect::Tool { call } => of_tool(call),
        Effect::Clock | Effect::Id | Effect::Question { .. } => return None,
    };
    counted.or_else(|| effect.asks().and_then(|_| of_model())).or_else(time)
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
pub(crate) fn used_up(reached: &Reached) -> Phrase {
    let Reached { name, most, unpriced, .. } = reached;
    if let Some(model) = unpriced {
        return phrase!(
            "the price of `{model}` is not known, so it is not asked while cost is limited to ${most}",
            model,
            most
        );
    }
    match name {
        LimitName::MaxLlmCalls => phrase!("{most} model calls are used up", most),
        LimitName::MaxTotalTokens => phrase!("{most} tokens are used up", most),
        LimitName::MaxToolCalls => phrase!("{most} calls of this tool are used up", most),
        LimitName::MaxExecutionTimeS => phrase!("{most} seconds of active time are used up", most),
        LimitName::MaxOutputTokens => phrase!("{most} tokens of output are used up", most),
        LimitName::MaxCost => phrase!("${most} are used up, or the next call would pass them", most),
    }
}

/// The limit in words.
pub(crate) fn reached_error(reached: Reached) -> Error {
    let next = match reached.unpriced {
        None => form!("Resume the run with a higher limit to go on"),
        Some(_) => form!(
            "Put the price into `prices.toml` in the data folder (0 where nobody is paid) and resume the run, or resume it \
             with --limit max_cost=none"
        ),
    };
    let message = phrase!(
        "The limit `{limit}` is reached: {what}. {next}",
        limit = reached.name.word(),
        what = used_up(&reached),
        next
    );
    Error { limit: Some(Box::new(reached)), ..Error::new(Code::LimitReached, message) }
}

//! Admits an effect within the limits, and computes the time that is left.

use std::sync::Arc;
use std::time::Duration;

use kernel::{Definition, Effect, Error, LimitName, Path, Reached};

use crate::Cx;
use crate::limits::{Bound, Whose, reached_error};
use crate::run_shared::Shared;

/// An effect that no limit forbids. Its least cost counts as in flight until this is dropped.
pub(crate) struct Admitted {
    shared: Arc<Shared>,
    agent: String,
    place: Path,
    least: f64,
    /// The owners whose limits it counts against, once for each attempt.
    counted: Vec<Whose>,
}

impl Admitted {
    /// Counts one more attempt, or returns the limit of money that it would exceed. A failed attempt may have cost
    /// something, too.
    pub(crate) fn send(&mut self, definition: &Definition) -> Result<(), Error> {
        if self.least == 0.0 {
            return Ok(());
        }
        let bounds: Vec<Bound<'_>> = Bound::all(definition, &self.agent, &self.place).collect();
        let (writer, least) = (&self.shared.writer, self.least);
        let spent = |bound: &Bound<'_>| writer.used(|usage| bound.spent(usage, least));
        self.counted.extend(self.shared.in_flight.add(&bounds, least, spent)?);
        Ok(())
    }
}

impl Drop for Admitted {
    fn drop(&mut self) {
        self.shared.in_flight.remove(&self.counted, self.least);
    }
}

/// Admits this effect, which the usage already counts as begun.
///
/// # Errors
/// The limit that forbids the effect.
pub(crate) fn admit(cx: &Cx, effect: &Effect) -> Result<Admitted, Error> {
    let definition = cx.definition();
    let agent = match effect {
        Effect::Model { request } => &request.agent,
        _ => &cx.author,
    };
    let mut admitted = Admitted {
        shared: cx.shared.clone(),
        agent: agent.clone(),
        place: cx.path.clone(),
        least: 0.0,
        counted: Vec::new(),
    };
    let call = match effect {
        Effect::Model { .. } => None,
        Effect::Tool { call } => Some(call),
        Effect::Clock | Effect::Id | Effect::Question { .. } => return Ok(admitted),
    };
    let asked = effect.asks().map(|(_, model)| model);
    let passed = cx.shared.writer.used(|usage| {
        Bound::all(&definition, agent, &cx.path).find_map(|bound| {
            let of_tool = call.and_then(|call| bound.of_tool(usage, call));
            of_tool.or_else(|| asked.and_then(|_| bound.of_model(usage)))
        })
    });
    if let Some(error) = passed {
        return Err(error);
    }
    let bound = Bound::all(&definition, agent, &cx.path).find(|bound| bound.limits.max_cost.is_some());
    if let (Some(model), Some(bound), Some(world)) = (asked, bound, &cx.shared.world) {
        // A call whose price is unknown may exceed the limit, so it is refused before it is sent.
        admitted.least = world.models.least_cost(effect).ok_or_else(|| {
            let most = bound.limits.max_cost.unwrap_or_default();
            let unpriced = Some(model.to_owned());
            reached_error(Reached { unpriced, ..bound.reached(LimitName::MaxCost, most) })
        })?;
        admitted.send(&definition)?;
    }
    match remaining(cx, 0) {
        Some((left, reached)) if left.is_zero() => Err(reached_error(reached)),
        _ => Ok(admitted),
    }
}

/// The active time that is left, and the limit that ends it, of the run or the agent; `None` without a limit.
/// `waited_ms` is the time that the effect in flight waited at a provider's request.
pub(crate) fn remaining(cx: &Cx, waited_ms: u64) -> Option<(Duration, Reached)> {
    let definition = cx.definition();
    let ran_ms = cx.shared.clock.ran_ms();
    let left = |bound: Bound<'_>| {
        let (most, used_ms) = cx.shared.writer.used(|usage| match bound.agent {
            None => (definition.time_limit(&usage.speeds), usage.active_ms_until(ran_ms)),
            Some((agent, _)) => {
                let used = bound.counted(usage).map_or(0, |usage| usage.agent_active_ms_until(agent, ran_ms));
                (bound.limits.max_execution_time_s, used)
            }
        });
        let most = most?;
        let allowed = Duration::try_from_secs_f64(most.max(0.0)).unwrap_or(Duration::MAX);
        let used = Duration::from_millis(used_ms.saturating_sub(waited_ms));
        Some((allowed.saturating_sub(used), bound.reached(LimitName::MaxExecutionTimeS, most)))
    };
    Bound::all(&definition, &cx.author, &cx.path).filter_map(left).min_by_key(|(left, _)| *left)
}

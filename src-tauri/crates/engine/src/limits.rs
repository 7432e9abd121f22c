//! Checks the limits before an effect, and computes the time that is left.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use kernel::{
    AgentUsage, Answer, Code, Definition, Effect, Error, Interruption, LimitName, Limits, Path, Phrase,
    Reached, ToolCall, Usage, form, phrase,
};

use crate::Cx;
use crate::run_shared::Shared;

/// The least cost of the calls in flight, in US dollars, by the limits that they count against. The usage includes a
/// call only when it is answered.
#[derive(Default)]
pub(crate) struct InFlight(Mutex<HashMap<Whose, Sendings>>);

/// Calls that were sent and are not answered.
#[derive(Default)]
struct Sendings {
    count: u32,
    least: f64,
}

/// The owner of limits: the run, or an agent by its name or path, with its instance.
type Whose = Option<(Option<Path>, String)>;

/// Limits with their owner.
struct Bound<'a> {
    limits: &'a Limits,
    /// The agent that owns them, and the name or path under which they are declared; `None`: the run owns them. Agents
    /// below it count too.
    agent: Option<(&'a str, &'a str)>,
    /// The instance of an agent that runs as one: its limits are counted separately in each instance.
    instance: Option<Path>,
}

impl<'a> Bound<'a> {
    /// The limits that hold for the requests of an agent: the run's, its own, and those of the agents above it.
    fn all(definition: &'a Definition, agent: &'a str, place: &'a Path) -> impl Iterator<Item = Bound<'a>> {
        let own = definition.agent(agent, place).map(|(key, own)| Bound {
            limits: &own.limits,
            agent: Some((agent, key)),
            instance: place.own_instance(),
        });
        let places = std::iter::successors(Some(place.as_str()), |place| Path::above(place)).map(Path::root);
        let mut known = BTreeSet::new();
        let above = places.filter_map(move |place| {
            let (key, limits) = definition.limits_below(&place)?;
            // Rounds of a loop share their limits, and so does an agent nested in itself.
            let instance = place.own_instance();
            known.insert((instance.clone(), key)).then_some(Bound {
                limits,
                agent: Some((Path::name_of(key), key)),
                instance,
            })
        });
        std::iter::once(Bound { limits: &definition.limits, agent: None, instance: None })
            .chain(own)
            .chain(above)
    }

    /// The usage that counts against these limits; `None` where there is none yet.
    fn counted<'u>(&self, usage: &'u Usage) -> Option<&'u Usage> {
        self.instance.as_ref().map_or(Some(usage), |instance| usage.instances.get(instance))
    }

    /// The usage of the agent that owns the limits; `None` for the run.
    fn own<'u>(&self, counted: &'u Usage) -> Option<&'u AgentUsage> {
        counted.agents.get(self.agent?.0)
    }

    fn whose(&self) -> Whose {
        self.agent.map(|(_, key)| (self.instance.clone(), key.to_owned()))
    }

    fn reached(&self, name: LimitName, most: f64) -> Reached {
        Reached { agent: self.agent.map(|(_, key)| key.to_owned()), ..Reached::of_run(name, most) }
    }

    fn over(&self, name: LimitName, used: f64) -> Option<Error> {
        let most = self.limits.get(name).filter(|most| used > *most)?;
        Some(reached_error(self.reached(name, most)))
    }

    /// The limit of calls or tokens that a model request would exceed.
    fn of_model(&self, usage: &Usage) -> Option<Error> {
        let usage = self.counted(usage)?;
        let (calls, tokens) = match self.agent {
            None => (usage.calls, usage.total_tokens()),
            Some(_) => self.own(usage).map_or((0, 0), |own| (own.calls, own.tokens)),
        };
        // The tokens of the next call are unknown, so the limit is reached when none are left.
        self.over(LimitName::MaxLlmCalls, f64::from(calls))
            .or_else(|| self.over(LimitName::MaxTotalTokens, tokens as f64 + 1.0))
    }

    fn of_tool(&self, usage: &Usage, call: &ToolCall) -> Option<Error> {
        let usage = self.counted(usage)?;
        let counts = match self.agent {
            None => Some(&usage.tool_calls),
            Some(_) => self.own(usage).map(|own| &own.tool_calls),
        };
        let begun = counts.and_then(|counts| counts.get(&call.tool)).copied().unwrap_or(0);
        self.over(LimitName::MaxToolCalls, f64::from(begun))
    }

    /// The money spent. A call of unknown cost counts as the least cost of the next one.
    fn spent(&self, usage: &Usage, least: f64) -> f64 {
        let Some(usage) = self.counted(usage) else { return 0.0 };
        let (known, unknown) = match self.agent {
            None => (usage.cost.unwrap_or_default(), usage.unpriced_calls),
            Some(_) => self.own(usage).map_or((0.0, 0), |own| (own.cost, own.unpriced_calls)),
        };
        known + least * f64::from(unknown)
    }
}

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
        let mut in_flight = self.shared.in_flight.0.lock().unwrap_or_else(PoisonError::into_inner);
        for bound in Bound::all(definition, &self.agent, &self.place) {
            let spent = self.shared.writer.used(|usage| bound.spent(usage, self.least));
            let under_way = in_flight.get(&bound.whose()).map_or(0.0, |sendings| sendings.least);
            if let Some(error) = bound.over(LimitName::MaxCost, spent + under_way + self.least) {
                return Err(error);
            }
        }
        for bound in Bound::all(definition, &self.agent, &self.place) {
            let whose = bound.whose();
            let sendings = in_flight.entry(whose.clone()).or_default();
            sendings.count += 1;
            sendings.least += self.least;
            self.counted.push(whose);
        }
        Ok(())
    }
}

impl Drop for Admitted {
    fn drop(&mut self) {
        let mut in_flight = self.shared.in_flight.0.lock().unwrap_or_else(PoisonError::into_inner);
        for whose in &self.counted {
            if let Some(sendings) = in_flight.get_mut(whose) {
                sendings.count = sendings.count.saturating_sub(1);
                sendings.least -= self.least;
            }
        }
        // Rounding errors of many small sums would remain as money.
        in_flight.retain(|_, sendings| sendings.count > 0);
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

/// The limit that ended an effect, if one did, with its error.
pub(crate) fn limit_of(answer: &Answer) -> Option<(Reached, Error)> {
    let error = match answer {
        Answer::Failed { error } => error.clone(),
        Answer::Interrupted { reason: Interruption::TimeUsedUp { most, agent }, .. } => {
            reached_error(Reached {
                agent: agent.clone(),
                ..Reached::of_run(LimitName::MaxExecutionTimeS, *most)
            })
        }
        Answer::Interrupted { reason: Interruption::Cancelled, .. } | Answer::Done { .. } => return None,
    };
    Some((*error.limit.clone()?, error))
}

/// The amount that a limit allowed, worded for people.
pub(crate) fn used_up(reached: &Reached) -> Phrase {
    let Reached { name, most, unpriced, agent } = reached;
    if let Some(agent) = agent {
        let of_run = used_up(&Reached { agent: None, ..reached.clone() });
        return phrase!("`{agent}`: {used_up}", agent, used_up = of_run);
    }
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

/// The error of a reached limit.
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

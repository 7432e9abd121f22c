//! The limits of the run and its agents: what counts against each, and the error when one is reached.
//!
//! Not here: the check before an effect (`admission`).

use std::collections::{BTreeSet, HashMap};
use std::sync::{Mutex, PoisonError};

use kernel::{
    AgentUsage, Answer, Code, Definition, Error, Interruption, LimitName, Limits, Path, Phrase, Reached,
    ToolCall, Usage, form, phrase,
};

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

impl InFlight {
    /// Counts one more call against all these limits, or returns the limit of money that it would exceed. `spent` is
    /// the money spent so far that counts against a limit.
    ///
    /// # Errors
    /// The reached limit.
    pub(crate) fn add(
        &self,
        bounds: &[Bound<'_>],
        least: f64,
        spent: impl Fn(&Bound<'_>) -> f64,
    ) -> Result<Vec<Whose>, Error> {
        let mut in_flight = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for bound in bounds {
            let under_way = in_flight.get(&bound.whose()).map_or(0.0, |sendings| sendings.least);
            if let Some(error) = bound.over(LimitName::MaxCost, spent(bound) + under_way + least) {
                return Err(error);
            }
        }
        let counted: Vec<Whose> = bounds.iter().map(Bound::whose).collect();
        for whose in &counted {
            let sendings = in_flight.entry(whose.clone()).or_default();
            sendings.count += 1;
            sendings.least += least;
        }
        Ok(counted)
    }

    /// Removes calls that were answered, each by the owner whose limits it counted against.
    pub(crate) fn remove(&self, counted: &[Whose], least: f64) {
        let mut in_flight = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for whose in counted {
            if let Some(sendings) = in_flight.get_mut(whose) {
                sendings.count = sendings.count.saturating_sub(1);
                sendings.least -= least;
            }
        }
        // Rounding errors of many small sums would remain as money.
        in_flight.retain(|_, sendings| sendings.count > 0);
    }
}

/// The owner of limits: the run, or an agent by its name or path, with its instance.
pub(crate) type Whose = Option<(Option<Path>, String)>;

/// Limits with their owner.
pub(crate) struct Bound<'a> {
    pub(crate) limits: &'a Limits,
    /// The agent that owns them, and the name or path under which they are declared; `None`: the run owns them. Agents
    /// below it count too.
    pub(crate) agent: Option<(&'a str, &'a str)>,
    /// The instance of an agent that runs as one: its limits are counted separately in each instance.
    instance: Option<Path>,
}

impl<'a> Bound<'a> {
    /// The limits that hold for the requests of an agent: the run's, its own, and those of the agents above it.
    pub(crate) fn all(
        definition: &'a Definition,
        agent: &'a str,
        place: &'a Path,
    ) -> impl Iterator<Item = Bound<'a>> {
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
    pub(crate) fn counted<'u>(&self, usage: &'u Usage) -> Option<&'u Usage> {
        self.instance.as_ref().map_or(Some(usage), |instance| usage.instances.get(instance))
    }

    /// The usage of the agent that owns the limits; `None` for the run.
    fn own<'u>(&self, counted: &'u Usage) -> Option<&'u AgentUsage> {
        counted.agents.get(self.agent?.0)
    }

    fn whose(&self) -> Whose {
        self.agent.map(|(_, key)| (self.instance.clone(), key.to_owned()))
    }

    pub(crate) fn reached(&self, name: LimitName, most: f64) -> Reached {
        Reached { agent: self.agent.map(|(_, key)| key.to_owned()), ..Reached::of_run(name, most) }
    }

    fn over(&self, name: LimitName, used: f64) -> Option<Error> {
        let most = self.limits.get(name).filter(|most| used > *most)?;
        Some(reached_error(self.reached(name, most)))
    }

    /// The limit of calls or tokens that a model request would exceed.
    pub(crate) fn of_model(&self, usage: &Usage) -> Option<Error> {
        let usage = self.counted(usage)?;
        let (calls, tokens) = match self.agent {
            None => (usage.calls, usage.total_tokens()),
            Some(_) => self.own(usage).map_or((0, 0), |own| (own.calls, own.tokens)),
        };
        // The tokens of the next call are unknown, so the limit is reached when none are left.
        self.over(LimitName::MaxLlmCalls, f64::from(calls))
            .or_else(|| self.over(LimitName::MaxTotalTokens, tokens as f64 + 1.0))
    }

    pub(crate) fn of_tool(&self, usage: &Usage, call: &ToolCall) -> Option<Error> {
        let usage = self.counted(usage)?;
        let counts = match self.agent {
            None => Some(&usage.tool_calls),
            Some(_) => self.own(usage).map(|own| &own.tool_calls),
        };
        let begun = counts.and_then(|counts| counts.get(&call.tool)).copied().unwrap_or(0);
        self.over(LimitName::MaxToolCalls, f64::from(begun))
    }

    /// The money spent. A call of unknown cost counts as the least cost of the next one.
    pub(crate) fn spent(&self, usage: &Usage, least: f64) -> f64 {
        let Some(usage) = self.counted(usage) else { return 0.0 };
        let (known, unknown) = match self.agent {
            None => (usage.cost.unwrap_or_default(), usage.unpriced_calls),
            Some(_) => self.own(usage).map_or((0.0, 0), |own| (own.cost, own.unpriced_calls)),
        };
        known + least * f64::from(unknown)
    }
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

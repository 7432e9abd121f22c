//! The usage of a run: a fold of its events, so that a resumed run has it.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{Answer, Code, Effect, Event, Fact, Path, Speed};

/// What a run has used up.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, TS)]
pub struct Usage {
    /// Requests to a model that were answered, failed for good, are in flight, or were so at a crash. Those of tools
    /// that ask a model are among them.
    pub calls: u32,
    /// Tokens of the requests.
    #[ts(type = "number")]
    pub input_tokens: u64,
    /// Tokens of the answers.
    #[ts(type = "number")]
    pub output_tokens: u64,
    /// Money in US dollars, of the calls whose price is known; `None` when none is.
    pub cost: Option<f64>,
    /// Calls whose price is not known, or whose answer never came: they cost something beside.
    #[serde(default)]
    pub unpriced_calls: u32,
    /// Calls by tool.
    pub tool_calls: BTreeMap<String, u32>,
    /// Calls by agent.
    pub agent_calls: BTreeMap<String, u32>,
    /// Active time in milliseconds: without waiting for the person, without waiting a provider
    /// ordered, without time in which the program did not run.
    #[ts(type = "number")]
    pub active_ms: u64,
    /// What each agent used up, with all that runs below it.
    #[serde(skip)]
    #[ts(skip)]
    pub agents: BTreeMap<String, AgentUsage>,
    /// What each instance of an agent on demand used up, with all below it.
    #[serde(skip)]
    #[ts(skip)]
    pub instances: BTreeMap<Path, Usage>,
    /// How fast the models behind each profile answered in this run.
    #[serde(skip)]
    #[ts(skip)]
    pub speeds: BTreeMap<String, Speed>,
    #[serde(skip)]
    #[ts(skip)]
    pub(crate) in_flight: BTreeMap<(Path, u32), InFlight>,
    /// Of what is in flight, what was refused and is not sent again yet.
    #[serde(skip)]
    #[ts(skip)]
    pub(crate) refused: BTreeSet<(Path, u32)>,
    #[serde(skip)]
    #[ts(skip)]
    pub(crate) last_ran_ms: u64,
}

/// The stored form of a [`Usage`], with all that it needs to continue.
#[derive(Serialize, Deserialize)]
pub(crate) struct KeptUsage {
    #[serde(rename = "told")]
    usage: Usage,
    agents: BTreeMap<String, AgentUsage>,
    instances: BTreeMap<Path, KeptUsage>,
    speeds: BTreeMap<String, Speed>,
    in_flight: Vec<((Path, u32), InFlight)>,
    refused: BTreeSet<(Path, u32)>,
    last_ran_ms: u64,
}

impl From<Usage> for KeptUsage {
    fn from(mut usage: Usage) -> KeptUsage {
        let instances = std::mem::take(&mut usage.instances).into_iter();
        KeptUsage {
            agents: std::mem::take(&mut usage.agents),
            instances: instances.map(|(place, usage)| (place, usage.into())).collect(),
            speeds: std::mem::take(&mut usage.speeds),
            in_flight: std::mem::take(&mut usage.in_flight).into_iter().collect(),
            refused: std::mem::take(&mut usage.refused),
            last_ran_ms: usage.last_ran_ms,
            usage,
        }
    }
}

impl From<KeptUsage> for Usage {
    fn from(kept: KeptUsage) -> Usage {
        let instances = kept.instances.into_iter();
        Usage {
            agents: kept.agents,
            instances: instances.map(|(place, usage)| (place, usage.into())).collect(),
            speeds: kept.speeds,
            in_flight: kept.in_flight.into_iter().collect(),
            refused: kept.refused,
            last_ran_ms: kept.last_ran_ms,
            ..kept.usage
        }
    }
}

/// What one agent used up, with all that runs below it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, TS)]
pub struct AgentUsage {
    /// Requests to a model.
    pub calls: u32,
    /// Tokens in and out together.
    #[ts(type = "number")]
    pub tokens: u64,
    /// Money in US dollars, of the calls whose price is known.
    pub cost: f64,
    /// Calls whose price is not known.
    pub unpriced_calls: u32,
    /// Calls of each tool.
    pub tool_calls: BTreeMap<String, u32>,
    /// Milliseconds in which models and tools worked for it, also those that worked at the same time.
    #[ts(type = "number")]
    pub active_ms: u64,
}

/// The counters that an effect in flight belongs to.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct InFlight {
    /// The agent that made the request, and the agents above it; empty for what costs nothing.
    agents: Vec<String>,
    asked_ran_ms: u64,
    /// The agent of a model request.
    agent: Option<String>,
    tool: Option<String>,
    /// The profile of the agent's own model request.
    profile: Option<String>,
}

impl Usage {
    /// Adds one more event. Events must come in the order of their numbers.
    pub fn apply(&mut self, event: &Event) {
        self.take(event);
        if matches!(event.fact, Fact::RunResumed { .. }) {
            self.instances.values_mut().for_each(|instance| instance.take(event));
        }
        let mut around = event.path.own_instance();
        while let Some(instance) = around {
            around = Path::above(instance.as_str()).and_then(|above| Path::root(above).own_instance());
            self.instances.entry(instance).or_default().take(event);
        }
    }

    fn take(&mut self, event: &Event) {
        match &event.fact {
            Fact::RunResumed { .. } => {
                self.lose();
                self.last_ran_ms = event.ran_ms;
            }
            Fact::EffectAsked { effect, .. } => {
                self.pass(event.ran_ms, 0);
                let agent = effect.asks().map(|_| match effect {
                    Effect::Model { request } => request.agent.clone(),
                    _ => event.author.clone(),
                });
                let tool = match effect {
                    Effect::Tool { call } => Some(call.tool.clone()),
                    _ => None,
                };
                // Counted at the request, because a crash before the answer does not undo it.
                self.count(&agent, &tool, u32::saturating_add);
                let profile = match effect {
                    Effect::Model { .. } => effect.asks().map(|(profile, _)| profile.to_owned()),
                    _ => None,
                };
                let agents = match effect {
                    Effect::Model { .. } | Effect::Tool { .. } => agents_of(event),
                    Effect::Clock | Effect::Id | Effect::Question { .. } => Vec::new(),
                };
                let asked = InFlight { agents, asked_ran_ms: event.ran_ms, agent, tool, profile };
                self.count_below(&asked, u32::saturating_add);
                self.in_flight.insert((event.path.clone(), event.n), asked);
            }
            Fact::EffectAnswered { asked, answer, took_ms, waited_ms, summary, .. } => {
                self.pass(event.ran_ms, *waited_ms);
                let request = (event.path.clone(), *asked);
                self.refused.remove(&request);
                let asked = self.in_flight.remove(&request);
                let Some(asked) = asked else { return };
                let worked_ms = event.ran_ms.saturating_sub(asked.asked_ran_ms).saturating_sub(*waited_ms);
                self.below(&asked, |own| own.active_ms += worked_ms);
                if let Some(profile) = asked.profile.clone()
                    && let Some(speed) = Speed::of(answer, summary, *took_ms, *waited_ms)
                {
                    self.speeds.entry(profile).or_default().add(speed);
                }
                let is_refused =
                    matches!(answer, Answer::Failed { error } if error.code == Code::LimitReached);
                // A call that was not made counts against no limit.
                let is_unmade = is_refused || summary.sent == Some(0);
                if is_unmade {
                    self.count(&asked.agent, &asked.tool, u32::saturating_sub);
                    self.count_below(&asked, u32::saturating_sub);
                }
                if is_refused {
                    return;
                }
                if let (Some(_), Some(tokens)) = (&asked.agent, summary.tokens) {
                    self.input_tokens += u64::from(tokens.input_tokens);
                    self.output_tokens += u64::from(tokens.output_tokens);
                    match summary.cost {
                        Some(cost) => self.cost = Some(self.cost.unwrap_or(0.0) + cost),
                        None => self.unpriced_calls += 1,
                    }
                    self.below(&asked, |own| {
                        own.tokens += u64::from(tokens.input_tokens) + u64::from(tokens.output_tokens);
                        own.cost += summary.cost.unwrap_or_default();
                        own.unpriced_calls += u32::from(summary.cost.is_none());
                    });
                }
            }
            Fact::RequestFailed { asked, .. } => _ = self.refused.insert((event.path.clone(), *asked)),
            Fact::RequestSent { asked, .. } => _ = self.refused.remove(&(event.path.clone(), *asked)),
            Fact::RunStarted { .. } => self.last_ran_ms = event.ran_ms,
            Fact::RunEnded { .. }
            | Fact::GatesSet { .. }
            | Fact::AgentStarted { .. }
            | Fact::AgentEnded { .. }
            | Fact::RoundEnded { .. }
            | Fact::StateChanged { .. }
            | Fact::FellBack { .. }
            | Fact::Noted { .. } => {}
        }
    }

    /// The usage of a run whose program died.
    pub fn interrupted(mut self) -> Usage {
        self.lose();
        self
    }

    /// Effects that were in flight when the program died stay counted. Their cost is unknown, unless the request was
    /// refused and waited for its retry.
    fn lose(&mut self) {
        let (lost, refused) = (std::mem::take(&mut self.in_flight), std::mem::take(&mut self.refused));
        let lost = lost.iter().filter(|(request, lost)| lost.agent.is_some() && !refused.contains(*request));
        self.unpriced_calls += count(lost);
    }

    /// The usage of a list of events.
    pub fn of<'a>(events: impl IntoIterator<Item = &'a Event>) -> Usage {
        let mut usage = Usage::default();
        for event in events {
            usage.apply(event);
        }
        usage
    }

    /// Tokens in and out together.
    pub fn total_tokens(&self) -> u64 {
        self.input_tokens + self.output_tokens
    }

    /// Active time up to a time of the run's own clock, milliseconds: up to the last event, and since.
    pub fn active_ms_until(&self, ran_ms: u64) -> u64 {
        self.active_ms + ran_ms.saturating_sub(self.last_ran_ms)
    }

    /// Active time of one agent up to a time of the run's own clock, milliseconds.
    pub fn agent_active_ms_until(&self, agent: &str, ran_ms: u64) -> u64 {
        let is_own = |one: &&InFlight| one.agents.iter().any(|name| name == agent);
        let in_flight = self.in_flight.values().filter(is_own);
        let now: u64 = in_flight.map(|one| ran_ms.saturating_sub(one.asked_ran_ms)).sum();
        self.agents.get(agent).map_or(0, |own| own.active_ms) + now
    }

    /// Changes the usage of each agent that an effect in flight belongs to.
    fn below(&mut self, asked: &InFlight, mut change: impl FnMut(&mut AgentUsage)) {
        for name in &asked.agents {
            change(self.agents.entry(name.clone()).or_default());
        }
    }

    fn count_below(&mut self, asked: &InFlight, step: fn(u32, u32) -> u32) {
        self.below(asked, |own| {
            if asked.agent.is_some() {
                own.calls = step(own.calls, 1);
            }
            if let Some(tool) = &asked.tool {
                step_of(&mut own.tool_calls, tool, step);
            }
        });
    }

    fn pass(&mut self, ran_ms: u64, waited_ms: u64) {
        let passed = ran_ms.saturating_sub(self.last_ran_ms);
        self.active_ms += passed.saturating_sub(waited_ms);
        self.last_ran_ms = self.last_ran_ms.max(ran_ms);
    }

    fn count(&mut self, agent: &Option<String>, tool: &Option<String>, step: fn(u32, u32) -> u32) {
        if let Some(agent) = agent {
            self.calls = step(self.calls, 1);
            step_of(&mut self.agent_calls, agent, step);
        }
        if let Some(tool) = tool {
            step_of(&mut self.tool_calls, tool, step);
        }
    }
}

/// The agent of an event and the agents above it, each once.
fn agents_of(event: &Event) -> Vec<String> {
    let mut agents = vec![event.author.clone()];
    let above = std::iter::successors(Path::above(event.path.as_str()), |place| Path::above(place));
    for place in above {
        let name = Path::name_of(place).to_owned();
        if !agents.contains(&name) {
            agents.push(name);
        }
    }
    agents
}

/// Increases or decreases the count of a name; a count of 0 has no entry.
fn step_of(counts: &mut BTreeMap<String, u32>, name: &str, step: fn(u32, u32) -> u32) {
    let count = counts.entry(name.to_owned()).or_default();
    *count = step(*count, 1);
    if *count == 0 {
        counts.remove(name);
    }
}

fn count<T>(items: impl Iterator<Item = T>) -> u32 {
    u32::try_from(items.count()).unwrap_or(u32::MAX)
}

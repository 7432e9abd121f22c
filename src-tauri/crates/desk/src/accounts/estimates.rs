//! Estimates the usage of a run before it starts: the least and the most calls, tokens and money.
//!
//! The numbers are bounds computed from lengths, not predictions of answers:
//! - a token is taken for three bytes at the most of tokens and five at the fewest, which holds for English, Chinese and
//!   Japanese alike; tokenizers differ, so the page says “about”;
//! - the fewest: each agent that asks a model is asked as seldom as the tree allows, reads its instruction and the
//!   inputs and nothing else, and answers one token;
//! - the most: as many calls as the tree and the limit allow, those of the longest messages first and each agent as
//!   often as the pipeline may ask it, with all the material that the pipeline says its message may carry, an earlier answer to be repaired besides, and an answer of full length;
//! - where earlier runs asked the same model for the same agent through the same profile, the most is what they used,
//!   doubled, unless the bound is less; the page says so and names the bound.
//!
//! Hidden reasoning of models is billed too and not included.

use std::collections::BTreeMap;

use interpreter::Pipeline;
use kernel::{
    AgentDefinition, BUILT_IN, CallRange, CredentialRoute, Effect, Limits, Phrase, TokenUsage, Value, phrase,
};
use store::PastCall;

use crate::ApiError;
use crate::accounts::AccountService;
use crate::accounts::prices::Prices;
use crate::accounts::profile_card::find;
use crate::api::Span;
use crate::settings::Settings;

const MOST_BYTES_OF_TOKEN: u64 = 5;
const FEWEST_BYTES_OF_TOKEN: u64 = 3;
/// Earlier runs are known by their average; the longest call may have been this many times as long.
const ABOVE_THE_PAST: u32 = 2;
/// Tokens that a model reads when it searches: the request and the results. Recorded searches used a few hundred.
const MOST_OF_SEARCH: u64 = 4096;
/// Most tokens of its answer, as the request limits them.
const MOST_SAID_OF_SEARCH: u32 = 8192;

/// The estimated usage of a run.
#[derive(Debug)]
pub(crate) struct Estimate {
    pub(crate) calls: CallRange,
    pub(crate) tokens: Span,
    /// `None` where the price of a model is not known.
    pub(crate) cost: Option<Span>,
    pub(crate) unpriced: Vec<String>,
    pub(crate) profiles: Vec<String>,
    pub(crate) models: Vec<String>,
    /// The upper bound of the tokens, whatever earlier runs used.
    pub(crate) bound: f64,
    /// The number of earlier runs behind the estimate; 0 when it is the bound.
    pub(crate) runs: u32,
    /// The agents that are limited to fewer calls than rounds, in sentences.
    short: Vec<Phrase>,
}

/// The setup of a run, as far as it is known before the start.
pub(crate) struct EstimateInput<'a> {
    pub(crate) pipeline: &'a Pipeline,
    pub(crate) agents: &'a BTreeMap<String, AgentDefinition>,
    pub(crate) inputs: &'a BTreeMap<String, Value>,
    /// The route by which the search asks a model, if it does.
    pub(crate) search: Option<&'a CredentialRoute>,
    /// The calls of the agents in the tree.
    pub(crate) of_tree: CallRange,
    /// The run's limit of calls.
    pub(crate) most_calls: Option<u32>,
}

/// The least and the most tokens of one call, with its price where that is known.
struct Call {
    least: TokenUsage,
    most: TokenUsage,
    cost: Option<(f64, f64)>,
    /// How often the call can be made.
    times: u32,
    /// The upper bound of tokens, and the number of earlier runs that used less.
    bound: f64,
    runs: u32,
}

/// The model and the agent of a call; a search has no agent of its own.
struct CallTarget<'a> {
    profile: &'a str,
    provider: &'a str,
    model: &'a str,
    agent: &'a str,
}

impl AccountService {
    /// Estimates the usage of a run. Where the usage of earlier runs cannot be read, a remark says so and the estimate
    /// is the bound.
    pub(crate) async fn estimate(
        &self,
        input: &EstimateInput<'_>,
        remarks: &mut Vec<Phrase>,
    ) -> Result<Estimate, ApiError> {
        let past = self.store.past_calls().await.unwrap_or_else(|error| {
            remarks.push(phrase!("What earlier runs used cannot be read: {why}", why = error.phrase));
            Vec::new()
        });
        estimate(&self.settings, &self.prices.current(), &past, input)
    }
}

/// Computes the estimate.
fn estimate(
    settings: &Settings,
    prices: &Prices,
    past: &[PastCall],
    input: &EstimateInput<'_>,
) -> Result<Estimate, ApiError> {
    let given: u64 = input.inputs.values().map(bytes).sum();
    let (mut calls, mut unpriced) = (Vec::new(), Vec::new());
    let (mut profiles, mut models, mut short) = (Vec::new(), Vec::new(), Vec::new());
    let mut call =
        |target: &CallTarget<'_>, least: TokenUsage, bound: TokenUsage, searches: u32, times: u32| {
            let earlier = past.iter().find(|past| {
                let is_agent = target.agent.is_empty() || past.agent == target.agent;
                is_agent && (&*past.profile, &*past.model) == (target.profile, target.model)
            });
            let most = earlier.map_or(bound, |past| TokenUsage {
                input_tokens: bound.input_tokens.min(past.input_tokens.saturating_mul(ABOVE_THE_PAST)),
                output_tokens: bound.output_tokens.min(past.output_tokens.saturating_mul(ABOVE_THE_PAST)),
                ..bound
            });
            let price = |tokens| prices.cost_of(target.provider, target.model, tokens, searches);
            let cost = price(least).zip(price(most));
            if cost.is_none() {
                unpriced.push(target.model.to_owned());
            }
            profiles.push(target.profile.to_owned());
            models.push(target.model.to_owned());
            Call { least, most, cost, times, bound: total(bound), runs: earlier.map_or(0, |past| past.runs) }
        };
    for setup in input.pipeline.agents() {
        let agent = input.agents.get(&setup.name).filter(|agent| agent.profile != BUILT_IN);
        let Some(agent) = agent else { continue };
        let read = bytes(&agent.instruction) + given;
        let answer = agent.limits.max_output_tokens.unwrap_or(agent.max_output_tokens);
        let least = usage(read / MOST_BYTES_OF_TOKEN, 1);
        let all = (read + u64::from(setup.material_bytes)) / FEWEST_BYTES_OF_TOKEN + u64::from(answer);
        let provider = find(settings, &agent.profile)?.provider;
        let target = CallTarget {
            profile: &agent.profile,
            provider: &provider,
            model: &agent.model,
            agent: &setup.name,
        };
        let allowed = agent.limits.max_llm_calls.unwrap_or(u32::MAX);
        // Half of its calls are repairs.
        let rounds = setup.most_calls / 2;
        if allowed < rounds {
            short.push(phrase!(
                "`{agent}` may be asked {most} times, fewer than the {rounds} rounds in which it works. At its limit the run will pause and ask.",
                agent = setup.name,
                most = allowed,
                rounds
            ));
        }
        calls.push(call(&target, least, usage(all, answer), 0, setup.most_calls.min(allowed)));
    }
    let search = input.search.and_then(|route| Some((route, route.model.as_ref()?)));
    let search = search.map(|(route, model)| {
        let (profile, provider) = (&*route.profile, &*model.provider);
        let target = CallTarget { profile, provider, model: &model.name, agent: "" };
        let all = given / FEWEST_BYTES_OF_TOKEN + MOST_OF_SEARCH;
        call(&target, usage(given / MOST_BYTES_OF_TOKEN, 1), usage(all, MOST_SAID_OF_SEARCH), 1, 1)
    });
    for names in [&mut unpriced, &mut profiles, &mut models] {
        names.sort();
        names.dedup();
    }
    let asked = u32::try_from(calls.len()).unwrap_or(u32::MAX);
    let searches = u32::from(search.is_some());
    let allowed = input.most_calls.unwrap_or(u32::MAX);
    let of_agents = calls.iter().map(|call| call.times).fold(0, u32::saturating_add);
    let most = input.of_tree.most.min(of_agents);
    let range = CallRange {
        least: (input.of_tree.least.min(asked) + searches).min(allowed),
        most: most.saturating_add(searches).min(allowed),
    };
    let by_agents = range.least.saturating_sub(searches);
    // Where the limit allows fewer calls than there are agents, the cheapest agents give the least.
    let least_of = |each: &dyn Fn(&Call) -> f64| {
        let mut of_agents: Vec<f64> = calls.iter().map(each).collect();
        of_agents.sort_by(f64::total_cmp);
        let of_search = search.iter().take(range.least as usize).map(each);
        // An empty sum of floats is -0.0.
        of_agents.into_iter().take(by_agents as usize).chain(of_search).sum::<f64>() + 0.0
    };
    let most_of = |each: &dyn Fn(&Call) -> f64| {
        let mut of_agents: Vec<(f64, u32)> = calls.iter().map(|call| (each(call), call.times)).collect();
        of_agents.sort_by(|(one, _), (other, _)| other.total_cmp(one));
        let mut left = range.most.saturating_sub(searches);
        let of_agents = of_agents.into_iter().map(|(one, times)| {
            let times = times.min(left);
            left -= times;
            f64::from(times) * one
        });
        of_agents.sum::<f64>() + search.iter().take(range.most as usize).map(each).sum::<f64>()
    };
    let tokens = Span { least: least_of(&|call| total(call.least)), most: most_of(&|call| total(call.most)) };
    let cost = unpriced.is_empty().then(|| Span {
        least: least_of(&|call| call.cost.map_or(0.0, |(least, _)| least)),
        most: most_of(&|call| call.cost.map_or(0.0, |(_, most)| most)),
    });
    let bound = most_of(&|call| call.bound);
    let earlier = calls.iter().chain(&search).map(|call| call.runs).min();
    let runs = earlier.filter(|_| tokens.most < bound).unwrap_or(0);
    Ok(Estimate { calls: range, tokens, cost, unpriced, profiles, models, bound, runs, short })
}

/// The least cost of a request: as few tokens as its bytes allow, all but one of them cached by the provider, and an
/// answer of one token. `None` where the price of its model is not known; 0 only where it is free.
pub(crate) fn least_cost(
    prices: &Prices,
    effect: &Effect,
    provider_of: impl Fn(&str) -> Option<String>,
) -> Option<f64> {
    let (provider, model, read, searches) = match effect {
        Effect::Model { request } => {
            let said = request.messages.iter().map(|message| bytes(&message.content));
            let read = bytes(&request.instruction) + said.sum::<u64>();
            (provider_of(&request.profile)?, &request.model, read, 0)
        }
        Effect::Tool { call } => {
            let asked = call.credential_route.as_deref()?.model.as_ref()?;
            (asked.provider.clone(), &asked.name, 0, 1)
        }
        Effect::Clock | Effect::Id | Effect::Question { .. } => return None,
    };
    let least = usage((read / MOST_BYTES_OF_TOKEN).max(1), 1);
    prices.cost_of(&provider, model, TokenUsage { cached_tokens: least.input_tokens - 1, ..least }, searches)
}

impl Estimate {
    /// The limits that are too low for the run, in sentences.
    pub(crate) fn remarks(&self, limits: &Limits) -> Vec<Phrase> {
        let mut remarks = self.short.clone();
        if let Some(most) = limits.max_total_tokens.filter(|most| f64::from(*most) < self.tokens.least) {
            remarks.push(phrase!(
                "With {most} tokens the run cannot come to its end: it needs at least {least}. It will pause and ask.",
                most,
                least = format!("{:.0}", self.tokens.least)
            ));
        }
        let Some(most) = limits.max_cost else { return remarks };
        match self.cost {
            Some(cost) if most < cost.least => remarks.push(phrase!(
                "With ${most} the run cannot come to its end: it costs at least ${least}. It will pause and ask.",
                most,
                least = format!("{:.4}", cost.least)
            )),
            None => remarks.push(phrase!(
                "Under the limit of ${most} nothing is sent to {models}: the price is not known. Put it into `prices.toml` in the \
                 data folder (0 where nobody is paid), or start without this limit. It will pause and ask.",
                most,
                models = self.unpriced
            )),
            Some(_) => {}
        }
        remarks
    }
}

fn bytes(value: &Value) -> u64 {
    value.json().map_or(0, |json| json.as_str().map_or_else(|| json.to_string().len(), str::len) as u64)
}

fn usage(input: u64, output_tokens: u32) -> TokenUsage {
    let input_tokens = u32::try_from(input).unwrap_or(u32::MAX);
    TokenUsage { input_tokens, output_tokens, ..TokenUsage::default() }
}

fn total(tokens: TokenUsage) -> f64 {
    f64::from(tokens.input_tokens) + f64::from(tokens.output_tokens)
}

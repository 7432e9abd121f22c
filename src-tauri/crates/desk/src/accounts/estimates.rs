//! What a run would use, before it begins: calls, tokens and money, from the least to the most.
//!
//! The numbers are bounds made of lengths, not guesses of what a model will say:
//! - a token is taken for three bytes at the most of tokens and five at the fewest, which holds for English, Chinese and
//!   Japanese alike; tokenizers differ, so the page says “about”;
//! - the fewest: each agent that asks a model is asked as seldom as the tree allows, reads its instruction and the
//!   inputs and nothing else, and answers one token;
//! - the most: as many calls as the tree and the limit allow, those of the longest messages first and each agent as
//!   often as the pipeline may ask it, with all the material that the pipeline says its message may carry, an earlier answer to be repaired besides, and an answer of full length;
//! - where earlier runs asked the same model for the same agent through the same profile, the most is what they used,
//!   doubled, unless the bound is less; the page says so and names the bound.
//!
//! What models think beside their visible text is billed too and is in none of it.

use std::collections::BTreeMap;

use interpreter::Pipeline;
use kernel::{
    AgentDefinition, BUILT_IN, CallRange, CredentialRoute, Effect, Limits, Phrase, TokenUsage, Value, phrase,
};
use store::PastCall;

use crate::ApiError;
use crate::accounts::prices::Prices;
use crate::accounts::profile_card::find;
use crate::accounts::settings::Settings;
use crate::api::Span;

const MOST_BYTES_OF_TOKEN: u64 = 5;
const FEWEST_BYTES_OF_TOKEN: u64 = 3;
/// What is known of earlier calls is the average of a run; its longest call may have been so many times as long.
const ABOVE_THE_PAST: u32 = 2;
/// Tokens that a model reads when it searches: what it is asked, and what it finds, of which recorded searches tell a few
/// hundred.
const MOST_OF_SEARCH: u64 = 4096;
/// Tokens that it answers at the most, as it is asked to.
const MOST_SAID_OF_SEARCH: u32 = 8192;

/// What a run would use.
#[derive(Debug)]
pub(crate) struct Estimate {
    pub(crate) calls: CallRange,
    pub(crate) tokens: Span,
    /// Nothing where the price of a model is not known.
    pub(crate) cost: Option<Span>,
    pub(crate) unpriced: Vec<String>,
    pub(crate) profiles: Vec<String>,
    pub(crate) models: Vec<String>,
    /// The tokens that it cannot use more than, whatever earlier runs tell.
    pub(crate) bound: f64,
    /// Earlier runs that the most is taken from; none when it is the bound.
    pub(crate) runs: u32,
    /// Which agents have fewer calls of their own than rounds, in sentences.
    short: Vec<Phrase>,
}

/// What is known before the start of what a run would ask.
pub(crate) struct Asking<'a> {
    pub(crate) pipeline: &'a Pipeline,
    pub(crate) agents: &'a BTreeMap<String, AgentDefinition>,
    pub(crate) inputs: &'a BTreeMap<String, Value>,
    /// Through whom the search asks a model, if it asks one.
    pub(crate) search: Option<&'a CredentialRoute>,
    /// The calls of the tree.
    pub(crate) of_tree: CallRange,
    /// The limit of the run.
    pub(crate) most_calls: Option<u32>,
}

/// One call of an agent, at the least and at the most, with its price where that is known.
struct Call {
    least: TokenUsage,
    most: TokenUsage,
    cost: Option<(f64, f64)>,
    /// How often it can be made.
    times: u32,
    /// The most that cannot be exceeded, and the earlier runs that tell of less.
    bound: f64,
    runs: u32,
}

/// Whom a call asks, and for which agent; the search is for whichever searches.
struct Whom<'a> {
    profile: &'a str,
    provider: &'a str,
    model: &'a str,
    agent: &'a str,
}

/// The estimate of what is asked.
pub(crate) fn estimate(
    settings: &Settings,
    prices: &Prices,
    past: &[PastCall],
    asking: &Asking<'_>,
) -> Result<Estimate, ApiError> {
    let given: u64 = asking.inputs.values().map(bytes).sum();
    let (mut calls, mut unpriced) = (Vec::new(), Vec::new());
    let (mut profiles, mut models, mut short) = (Vec::new(), Vec::new(), Vec::new());
    let mut call = |whom: &Whom<'_>, least: TokenUsage, bound: TokenUsage, searches: u32, times: u32| {
        let earlier = past.iter().find(|past| {
            let is_agent = whom.agent.is_empty() || past.agent == whom.agent;
            is_agent && (&*past.profile, &*past.model) == (whom.profile, whom.model)
        });
        let most = earlier.map_or(bound, |past| TokenUsage {
            input_tokens: bound.input_tokens.min(past.input_tokens.saturating_mul(ABOVE_THE_PAST)),
            output_tokens: bound.output_tokens.min(past.output_tokens.saturating_mul(ABOVE_THE_PAST)),
            ..bound
        });
        let price = |tokens| prices.cost_of(whom.provider, whom.model, tokens, searches);
        let cost = price(least).zip(price(most));
        if cost.is_none() {
            unpriced.push(whom.model.to_owned());
        }
        profiles.push(whom.profile.to_owned());
        models.push(whom.model.to_owned());
        Call { least, most, cost, times, bound: total(bound), runs: earlier.map_or(0, |past| past.runs) }
    };
    for setup in asking.pipeline.agents() {
        let agent = asking.agents.get(&setup.name).filter(|agent| agent.profile != BUILT_IN);
        let Some(agent) = agent else { continue };
        let read = bytes(&agent.instruction) + given;
        let answer = agent.limits.max_output_tokens.unwrap_or(agent.max_output_tokens);
        let least = usage(read / MOST_BYTES_OF_TOKEN, 1);
        let all = (read + u64::from(setup.material_bytes)) / FEWEST_BYTES_OF_TOKEN + u64::from(answer);
        let provider = find(settings, &agent.profile)?.provider;
        let whom =
            Whom { profile: &agent.profile, provider: &provider, model: &agent.model, agent: &setup.name };
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
        calls.push(call(&whom, least, usage(all, answer), 0, setup.most_calls.min(allowed)));
    }
    let search = asking.search.and_then(|route| Some((route, route.model.as_ref()?)));
    let search = search.map(|(route, model)| {
        let (profile, provider) = (&*route.profile, &*model.provider);
        let whom = Whom { profile, provider, model: &model.name, agent: "" };
        let all = given / FEWEST_BYTES_OF_TOKEN + MOST_OF_SEARCH;
        call(&whom, usage(given / MOST_BYTES_OF_TOKEN, 1), usage(all, MOST_SAID_OF_SEARCH), 1, 1)
    });
    for names in [&mut unpriced, &mut profiles, &mut models] {
        names.sort();
        names.dedup();
    }
    let asked = u32::try_from(calls.len()).unwrap_or(u32::MAX);
    let searches = u32::from(search.is_some());
    let allowed = asking.most_calls.unwrap_or(u32::MAX);
    let of_agents = calls.iter().map(|call| call.times).fold(0, u32::saturating_add);
    let most = asking.of_tree.most.min(of_agents);
    let range = CallRange {
        least: (asking.of_tree.least.min(asked) + searches).min(allowed),
        most: most.saturating_add(searches).min(allowed),
    };
    let by_agents = range.least.saturating_sub(searches);
    // Where fewer calls are allowed than there are agents, the cheapest are the least.
    let least_of = |each: &dyn Fn(&Call) -> f64| {
        let mut of_agents: Vec<f64> = calls.iter().map(each).collect();
        of_agents.sort_by(f64::total_cmp);
        let of_search = search.iter().take(range.least as usize).map(each);
        // An empty sum of floats is a negative nothing.
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

/// What a request costs at the least: as few tokens as its bytes can be, all but one of them known to the provider
/// already, answered with one. Nothing where the price of its model is not known; 0 only where it is free.
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
    /// What cannot be met under these limits, and what they cannot hold, in sentences.
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

//! What a run would use, before it begins: calls, tokens and money, from the least to the most.
//!
//! The numbers are bounds made of lengths, not guesses of what a model will say:
//! - a token is taken for three bytes at the most of tokens and five at the fewest, which holds for English, Chinese and
//!   Japanese alike; tokenizers differ, so the page says “about”;
//! - the fewest: each agent that asks a model is asked as seldom as the tree allows, reads its instruction and the
//!   inputs and nothing else, and answers one token;
//! - the most: as many calls as the tree and the limit allow, each like the longest one, with all the material that the
//!   pipeline says its message may carry, an earlier answer to be repaired besides, and an answer of full length.
//!
//! What models think beside their visible text is billed too and is in none of it.

use std::collections::BTreeMap;

use kernel::{AgentDefinition, BUILT_IN, CallRange, TokenUsage, Value};
use pipelines::Pipeline;

use crate::ApiError;
use crate::api::Span;
use crate::prices::Prices;
use crate::profiles::find;
use crate::settings::Settings;

const MOST_BYTES_OF_TOKEN: u64 = 5;
const FEWEST_BYTES_OF_TOKEN: u64 = 3;

/// What a run would use.
#[derive(Debug)]
pub(crate) struct Estimate {
    pub(crate) calls: CallRange,
    pub(crate) tokens: Span,
    /// Nothing where the price of a model is not known.
    pub(crate) cost: Option<Span>,
    pub(crate) unpriced: Vec<String>,
    pub(crate) profiles: Vec<String>,
}

/// One call of an agent, at the least and at the most, with its price where that is known.
struct Call {
    least: TokenUsage,
    most: TokenUsage,
    cost: Option<(f64, f64)>,
}

/// The estimate for a tree that makes so many calls; `most_calls` is the limit of the run.
pub(crate) fn estimate(
    (settings, prices): (&Settings, &Prices),
    pipeline: &dyn Pipeline,
    agents: &BTreeMap<String, AgentDefinition>,
    inputs: &BTreeMap<String, Value>,
    (of_tree, most_calls): (CallRange, Option<u32>),
) -> Result<Estimate, ApiError> {
    let given: u64 = inputs.values().map(bytes).sum();
    let (mut calls, mut unpriced, mut profiles) = (Vec::new(), Vec::new(), Vec::new());
    for setup in &pipeline.describe().agents {
        let Some(agent) = agents.get(setup.name).filter(|agent| agent.profile != BUILT_IN) else { continue };
        let read = bytes(&agent.instruction) + given;
        let answer = agent.max_output_tokens;
        let least = usage(read / MOST_BYTES_OF_TOKEN, 1);
        let all = (read + u64::from(setup.material_bytes)) / FEWEST_BYTES_OF_TOKEN + u64::from(answer);
        let most = usage(all, answer);
        let provider = find(settings, &agent.profile)?.provider;
        let price = |tokens| prices.cost(&provider, &agent.model, tokens);
        let cost = price(least).zip(price(most));
        if cost.is_none() {
            unpriced.push(agent.model.clone());
        }
        profiles.push(agent.profile.clone());
        calls.push(Call { least, most, cost });
    }
    let all = [&mut unpriced, &mut profiles];
    for names in all {
        names.sort();
        names.dedup();
    }
    let asking = u32::try_from(calls.len()).unwrap_or(u32::MAX);
    let most = if asking == 0 { 0 } else { most_calls.map_or(of_tree.most, |most| most.min(of_tree.most)) };
    let range = CallRange { least: of_tree.least.min(asking).min(most), most };
    // Where fewer calls are allowed than there are agents, the cheapest are the least.
    let least_of = |each: &dyn Fn(&Call) -> f64| {
        let mut each: Vec<f64> = calls.iter().map(each).collect();
        each.sort_by(f64::total_cmp);
        // An empty sum of floats is a negative nothing.
        each.iter().take(range.least as usize).sum::<f64>() + 0.0
    };
    let most_of =
        |each: &dyn Fn(&Call) -> f64| f64::from(range.most) * calls.iter().map(each).fold(0.0, f64::max);
    let tokens = Span { least: least_of(&|call| total(call.least)), most: most_of(&|call| total(call.most)) };
    let cost = unpriced.is_empty().then(|| Span {
        least: least_of(&|call| call.cost.map_or(0.0, |(least, _)| least)),
        most: most_of(&|call| call.cost.map_or(0.0, |(_, most)| most)),
    });
    Ok(Estimate { calls: range, tokens, cost, unpriced, profiles })
}

impl Estimate {
    /// What cannot be met under these limits, and what they cannot hold, in sentences.
    pub(crate) fn remarks(&self, limits: &kernel::Limits) -> Vec<String> {
        let mut remarks = Vec::new();
        if let Some(most) = limits.max_total_tokens.filter(|most| f64::from(*most) < self.tokens.least) {
            remarks.push(format!(
                "With {most} tokens the run cannot come to its end: it needs at least {:.0}. It will pause and ask.",
                self.tokens.least
            ));
        }
        let Some(most) = limits.max_cost else { return remarks };
        match self.cost {
            Some(cost) if most < cost.least => remarks.push(format!(
                "With ${most} the run cannot come to its end: it costs at least ${:.4}. It will pause and ask.",
                cost.least
            )),
            None => remarks.push(format!(
                "The limit of ${most} cannot hold: the price of {} is not known, so its calls count for nothing there. \
                 Put the price into `prices.toml` in the data folder, or limit the tokens.",
                self.unpriced.join(", ")
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

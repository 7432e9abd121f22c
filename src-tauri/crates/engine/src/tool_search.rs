//! `find_tool`: where an agent has more tools of servers than fit into each request, the model gets only those that it
//! searches for.
//!
//! The following requests contain the tools that it found. They depend only on the agent's tools and the model's
//! messages, so a replay finds the same ones.

use std::collections::{BTreeMap, BTreeSet};

use kernel::{ToolOffer, ToolRequest};
use serde_json::{Value, json};

use crate::ToolDescription;

/// The tool that searches the tools of the agent.
pub(crate) const FIND_TOOL: &str = "find_tool";
/// The most tokens, estimated, that the descriptions of servers' tools may take in a model request.
pub const MOST_TOOL_TOKENS: usize = 8000;
/// The assumed number of bytes per token.
pub const BYTES_OF_TOKEN: usize = 4;
/// Most tools that a search finds.
const MOST_FOUND: usize = 8;

/// The tools of an agent: those in each request, and those that the model has to search for.
pub(crate) struct AgentTools {
    always: Vec<ToolOffer>,
    searched: Vec<ToolOffer>,
}

/// The tools that a model has found in one conversation, as indices of `searched`, newest first.
pub(crate) type Found = Vec<usize>;

impl AgentTools {
    pub(crate) fn new(tools: Vec<ToolOffer>) -> AgentTools {
        let is_foreign = |offer: &&ToolOffer| ToolDescription::is_foreign(&offer.name);
        let of_servers: usize = tools.iter().filter(is_foreign).map(tool_tokens).sum();
        if of_servers <= MOST_TOOL_TOKENS {
            return AgentTools { always: tools, searched: Vec::new() };
        }
        let (searched, mut always): (Vec<_>, Vec<_>) =
            tools.into_iter().partition(|offer| is_foreign(&offer));
        always.push(ToolOffer {
            name: FIND_TOOL.into(),
            description: format!(
                "Searches {} further tools by what they do. What it finds can be called from then on.",
                searched.len()
            ),
            schema: json!({
                "type": "object", "required": ["query"], "additionalProperties": false,
                "properties": {"query": {"type": "string", "description": "What the tool should do, in a few words."}},
            })
            .into(),
        });
        AgentTools { always, searched }
    }

    /// The tools in the next request, given those found so far.
    pub(crate) fn offered(&self, found: &Found) -> Vec<ToolOffer> {
        let found = found.iter().filter_map(|at| self.searched.get(*at));
        self.always.iter().chain(found).cloned().collect()
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = &ToolOffer> {
        self.always.iter().chain(&self.searched)
    }

    /// Answers a call of `find_tool` and adds the tools that it finds; `None` for a call of another tool.
    pub(crate) fn find(&self, call: &ToolRequest, found: &mut Found) -> Option<Value> {
        if call.tool != FIND_TOOL || self.searched.is_empty() {
            return None;
        }
        let query = call.input.0["query"].as_str().unwrap_or_default();
        let size = |at: &usize| self.searched.get(*at).map_or(0, tool_tokens);
        let (best, large): (Vec<usize>, Vec<usize>) =
            self.best(query).into_iter().partition(|at| size(at) <= MOST_TOOL_TOKENS);
        let name = |at: &usize| self.searched.get(*at).map(|offer| offer.name.clone());
        let large: Vec<String> = large.iter().filter_map(name).collect();
        let mut names: Vec<String> = best.iter().filter_map(name).collect();
        found.retain(|at| !best.contains(at));
        found.splice(0..0, best);
        // The oldest finds are dropped when the space runs out.
        let mut left = MOST_TOOL_TOKENS;
        found.retain(|at| {
            let fits = size(at) <= left;
            left -= if fits { size(at) } else { 0 };
            fits
        });
        names.retain(|name| self.offered(found).iter().any(|offer| offer.name == *name));
        if !large.is_empty() && names.is_empty() {
            return Some(json!({"found": [], "note": format!("Too long to be told: {}.", large.join(", "))}));
        }
        Some(match names.is_empty() {
            true => json!({"found": [], "note": "No tool has these words. Search with others."}),
            false => json!({"found": names, "note": "These can be called now."}),
        })
    }

    /// The tools that fit a query best, weighted by their rare words.
    fn best(&self, query: &str) -> Vec<usize> {
        let documents: Vec<BTreeMap<String, f64>> = self.searched.iter().map(weights).collect();
        let wanted: BTreeSet<String> = words(query).collect();
        let rarity = |word: &String| {
            let having = documents.iter().filter(|document| document.contains_key(word)).count();
            (1.0 + documents.len() as f64 / (1.0 + having as f64)).ln()
        };
        let rarities: BTreeMap<&String, f64> = wanted.iter().map(|word| (word, rarity(word))).collect();
        let score = |document: &BTreeMap<String, f64>| {
            let of_word =
                |(word, rarity): (&&String, &f64)| document.get(*word).map_or(0.0, |weight| weight * rarity);
            rarities.iter().map(of_word).sum::<f64>()
        };
        let mut scored: Vec<(f64, usize)> =
            documents.iter().map(score).enumerate().map(|(at, score)| (score, at)).collect();
        scored.retain(|(score, _)| *score > 0.0);
        scored.sort_by(|(one, first), (other, second)| other.total_cmp(one).then(first.cmp(second)));
        scored.into_iter().take(MOST_FOUND).map(|(_, at)| at).collect()
    }
}

/// The estimated tokens of a tool's description in a model request.
pub fn tool_tokens(offer: &ToolOffer) -> usize {
    (offer.name.len() + offer.description.len() + offer.schema.bytes()) / BYTES_OF_TOKEN
}

/// The weights of a tool's words: one of its name counts more than one of its description.
fn weights(offer: &ToolOffer) -> BTreeMap<String, f64> {
    let mut weights: BTreeMap<String, f64> = words(&offer.description).map(|word| (word, 1.0)).collect();
    weights.extend(words(&offer.name).map(|word| (word, 2.0)));
    weights
}

/// Words in lower case without the plural `s`; names are split: `listIssues`, `list_issues`.
fn words(text: &str) -> impl Iterator<Item = String> {
    let mut apart = String::new();
    let mut before = ' ';
    for c in text.chars() {
        if c.is_uppercase() && before.is_lowercase() {
            apart.push(' ');
        }
        apart.extend(c.to_lowercase());
        before = c;
    }
    let split: Vec<String> = apart
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.chars().count() > 1)
        .map(|word| word.strip_suffix('s').filter(|stem| stem.len() > 2).unwrap_or(word).to_owned())
        .collect();
    split.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offer(name: &str, description: &str) -> ToolOffer {
        let schema = json!({"type": "object", "description": "x".repeat(2000)}).into();
        ToolOffer { name: name.to_owned(), description: description.to_owned(), schema }
    }

    #[test]
    fn few_tools_are_all_offered_and_many_are_offered_once_a_search_finds_them() {
        let few = AgentTools::new(vec![offer("calculator", ""), offer("git/log", "")]);
        assert_eq!(few.offered(&Found::new()).len(), 2);
        let mut tools = vec![offer("calculator", "Calculates.")];
        tools.extend((0..40).map(|at| offer(&format!("git/other{at}"), "Does something else.")));
        tools.push(offer("git/listIssues", "Lists what is to be done."));
        let many = AgentTools::new(tools);
        let names =
            |found: &Found| many.offered(found).into_iter().map(|offer| offer.name).collect::<Vec<_>>();
        let mut found = Found::new();
        assert_eq!(names(&found), ["calculator", FIND_TOOL]);
        let call = |query: &str| ToolRequest {
            id: "1".into(),
            tool: FIND_TOOL.into(),
            input: json!({ "query": query }).into(),
            opaque: None,
        };
        assert_eq!(
            many.find(&call("the open issue"), &mut found).unwrap()["found"],
            json!(["git/listIssues"])
        );
        assert_eq!(names(&found), ["calculator", FIND_TOOL, "git/listIssues"]);
        assert_eq!(many.find(&call("nothing like it"), &mut found).unwrap()["found"], json!([]));
        for _ in 0..3 {
            many.find(&call("something else"), &mut found);
            let tokens: usize = many.offered(&found).iter().map(tool_tokens).sum();
            assert!(tokens <= MOST_TOOL_TOKENS + 200, "{tokens}");
        }
        assert_eq!(found.len(), 9, "what was found before stays while there is room");
    }
}

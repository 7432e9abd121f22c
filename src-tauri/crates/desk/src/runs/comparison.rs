//! Compares two runs: inputs, settings, checks, results, usage.

use std::collections::{BTreeMap, BTreeSet};

use kernel::{
    AgentDefinition, CheckResult, Definition, Json, KeyDeclaration, LimitName, Role, RunFold, Seq, State,
    Value, result_text,
};
use serde::Deserialize;

use crate::ApiError;
use crate::api::{
    AgentSettings, CompareRuns, ComparedAgent, ComparedCheck, ComparedPart, ComparedRun, ComparedText,
    ComparedValue, RunCard, RunComparison,
};
use crate::runs::RunService;

/// A run as far as it is compared.
struct Side {
    card: RunCard,
    definition: Definition,
    inputs: BTreeMap<String, Value>,
    fold: RunFold,
    state: State,
    keys: Vec<KeyDeclaration>,
}

impl RunService {
    pub(crate) async fn compare_runs(&self, request: CompareRuns) -> Result<RunComparison, ApiError> {
        let (one, other) = (self.side(&request.one).await?, self.side(&request.other).await?);
        let (text_key, text) = compared_texts(&one, &other);
        let agents = differing(&one.definition.agents, &other.definition.agents);
        let agents = agents.map(|(agent, [one, other])| ComparedAgent {
            agent: agent.clone(),
            one: one.map(settings),
            other: other.map(settings),
        });
        let limits = LimitName::ALL.into_iter().filter_map(|name| {
            let both = [&one, &other].map(|side| side.definition.limits.get(name));
            (both[0] != both[1]).then_some((name, both))
        });
        let tools = differing(&one.definition.tools, &other.definition.tools);
        let values = [&one, &other].map(|side| {
            let inputs = &side.inputs;
            let others = side.state.iter().filter(|(key, _)| {
                !inputs.contains_key(*key) && !text_key.iter().any(|of_text| of_text == key)
            });
            others.map(|(key, value)| (key.to_owned(), value.clone())).collect::<BTreeMap<_, _>>()
        });
        Ok(RunComparison {
            inputs: compared_values(&one, &other, &one.inputs, &other.inputs),
            agents: agents.collect(),
            limits: limits.collect(),
            tools: tools.map(|(slot, both)| (slot.clone(), both.map(Option::<&String>::cloned))).collect(),
            checks: compared_checks(&one, &other),
            values: compared_values(&one, &other, &values[0], &values[1]),
            text,
            one: one.compared(),
            other: other.compared(),
        })
    }

    async fn side(&self, run: &str) -> Result<Side, ApiError> {
        let id = self.store.resolve_run(run).await?;
        let card = self.card(self.store.run_card(&id).await?);
        let (start, fold) = self.store.standing(&id).await?;
        let state = self.store.state_at(&id, Seq::MAX).await?;
        let keys = self.pipelines.of_run(&start.definition)?.keys().to_vec();
        Ok(Side { card, definition: start.definition, inputs: start.inputs, fold, state, keys })
    }
}

impl Side {
    fn compared(self) -> ComparedRun {
        ComparedRun {
            version: self.definition.declared.as_ref().map(|declared| declared.hash().0).unwrap_or_default(),
            issues: self.issues(),
            outcome: self.fold.outcome,
            error: self.fold.error,
            usage: self.fold.usage,
            card: self.card,
        }
    }

    /// The number of issues in the reviews; `None` without a review.
    fn issues(&self) -> Option<u32> {
        let reviews = self.keys.iter().filter_map(|key| match &key.role {
            Role::Review { issues, .. } => {
                self.state.get(&key.name)?.json()?.get(issues.as_ref())?.as_array()
            }
            _ => None,
        });
        let counts: Vec<usize> = reviews.map(Vec::len).collect();
        let all: usize = counts.iter().sum();
        (!counts.is_empty()).then(|| u32::try_from(all).unwrap_or(u32::MAX))
    }

    fn checks(&self) -> Vec<CheckResult> {
        let keys = self.keys.iter().filter(|key| key.role == Role::Checks);
        let values = keys.filter_map(|key| self.state.get(&key.name)?.json());
        values.filter_map(|value| Vec::deserialize(value).ok()).flatten().collect()
    }

    fn title(&self, key: &str) -> Option<&str> {
        self.keys.iter().find(|known| known.name == key).map(|known| known.title.as_str())
    }
}

/// The entries of two maps that differ.
fn differing<'a, V: PartialEq>(
    one: &'a BTreeMap<String, V>,
    other: &'a BTreeMap<String, V>,
) -> impl Iterator<Item = (&'a String, [Option<&'a V>; 2])> {
    let names: BTreeSet<&String> = one.keys().chain(other.keys()).collect();
    let both = names.into_iter().map(|name| (name, [one.get(name), other.get(name)]));
    both.filter(|(_, [one, other])| one != other)
}

fn compared_values(
    one: &Side,
    other: &Side,
    of_one: &BTreeMap<String, Value>,
    of_other: &BTreeMap<String, Value>,
) -> Vec<ComparedValue> {
    let json = |value: Option<&Value>| value.map(|value| Json(value.json_or_null().clone()));
    let value = |(key, [before, after]): (&String, [Option<&Value>; 2])| ComparedValue {
        key: key.clone(),
        title: one.title(key).or(other.title(key)).unwrap_or(key).to_owned(),
        one: json(before),
        other: json(after),
    };
    differing(of_one, of_other).map(value).collect()
}

/// The keys of the resulting texts, and the differences of the texts.
fn compared_texts(one: &Side, other: &Side) -> (Vec<String>, Vec<ComparedText>) {
    let results = [one, other].map(|side| result_text(&side.keys, &side.state));
    let texts = [0, 1].map(|at| results[at].as_ref().map_or("", |result| result.text.as_str()));
    let parts = prose::differences(texts[0], texts[1]).into_iter().map(|(change, text)| {
        let part = match change {
            prose::TextChange::Same => ComparedPart::Same,
            prose::TextChange::Removed => ComparedPart::Removed,
            prose::TextChange::Added => ComparedPart::Added,
        };
        ComparedText { part, text }
    });
    let parts = parts.collect();
    (results.into_iter().flatten().map(|result| result.key).collect(), parts)
}

fn compared_checks(one: &Side, other: &Side) -> Vec<ComparedCheck> {
    let (before, after) = (one.checks(), other.checks());
    let mut names: Vec<&String> = Vec::new();
    for check in before.iter().chain(&after) {
        if !names.contains(&&check.name) {
            names.push(&check.name);
        }
    }
    let of = |checks: &[CheckResult], name: &String| checks.iter().find(|check| check.name == *name).cloned();
    let compared = names.into_iter().map(|name| ComparedCheck {
        name: name.clone(),
        one: of(&before, name),
        other: of(&after, name),
    });
    compared.collect()
}

fn settings(agent: &AgentDefinition) -> AgentSettings {
    let limits = LimitName::ALL.into_iter().filter_map(|name| Some((name, Some(agent.limits.get(name)?))));
    AgentSettings {
        instruction: Some(agent.instruction.as_str().unwrap_or_default().to_owned()),
        profile: Some(agent.profile.clone()),
        model: Some(agent.model.clone()),
        temperature: Some(agent.temperature),
        limits: limits.collect(),
    }
}

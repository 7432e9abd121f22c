//! The rounds of a loop as facts: the measures at the end of each, why the loop continued or ended, and the best round
//! so far.
//!
//! Not here: when a round ends (`engine`), and how rounds are displayed (`ui`).

use serde::{Deserialize, Serialize};
use serde_json::json;
use ts_rs::TS;

use crate::{KeyDeclaration, Outline, Phrase, Role, State, Value};

/// Why a loop went on after a round, or ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "why", rename_all = "snake_case")]
pub enum LoopExit {
    /// It goes on with the next round.
    WentOn,
    /// The condition that ends it holds.
    ConditionHeld,
    /// The answer of an agent says so in its exit field.
    ExitField {
        /// The agent.
        agent: String,
    },
    /// An agent's model called the tool `exit_loop`.
    ExitTool {
        /// The agent.
        agent: String,
    },
    /// An agent of code asked for the end.
    ExitAgent {
        /// The agent.
        agent: String,
    },
    /// A step of the flow asked for the end.
    ExitStep,
    /// All rounds that it may have are done.
    RoundsUsedUp,
    /// A limit was reached in the round.
    LimitReached,
    /// A step of the round failed.
    Failed,
    /// A step of the round ended the whole run.
    RunEnded,
}

impl LoopExit {
    /// The reason as a phrase; `name` returns the title of an agent.
    pub fn phrase(&self, name: impl Fn(&str) -> String) -> Phrase {
        let mut phrase = Phrase::of_tagged("exit", "why", self);
        for agent in phrase.parameters.values_mut() {
            *agent = json!(name(agent.0.as_str().unwrap_or_default())).into();
        }
        phrase
    }
}

/// How many checks of code passed and failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
pub struct CheckCount {
    /// Checks that passed.
    pub passed: u32,
    /// Checks that failed.
    pub failed: u32,
    /// Places at which they found faults, of those that count them.
    #[serde(default, skip_serializing_if = "is_zero")]
    #[ts(optional, as = "Option<u32>")]
    pub places: u32,
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// What was measured at the end of a round. What the loop does not write, or did not come to, is absent.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, TS)]
pub struct Round {
    /// Its number, from 1.
    pub number: u32,
    /// The key of the draft that the loop works on; its value at this event is the text of the round.
    pub draft: Option<String>,
    /// Words of the draft.
    pub words: Option<u32>,
    /// Checks of the draft.
    pub checks: Option<CheckCount>,
    /// Issues that the review of this round leaves open.
    pub issues: Option<u32>,
    /// What the answers of the round that hold cost, in US dollars; nothing where no price is known.
    pub cost: Option<f64>,
    /// Calls of models in the round whose price is not known.
    pub unpriced_calls: u32,
}

impl Round {
    /// Whether it is better than another: fewer checks fail; then faults are in fewer places; then fewer issues are
    /// open. Missing checks or reviews are worse than existing ones; of equals neither is better.
    pub fn is_better_than(&self, other: &Round) -> bool {
        let merit = |round: &Round| {
            let checks = round.checks.map_or((u32::MAX, 0), |checks| (checks.failed, checks.places));
            (checks, round.issues.unwrap_or(u32::MAX))
        };
        merit(self) < merit(other)
    }

    /// The better one of the best round so far and this one. A round without checks and reviews is not compared, so a
    /// loop without measures has no best round.
    pub fn best<'a>(&'a self, so_far: Option<&'a Round>) -> Option<&'a Round> {
        if self.checks.is_none() && self.issues.is_none() {
            return so_far;
        }
        match so_far {
            Some(best) if !self.is_better_than(best) => Some(best),
            _ => Some(self),
        }
    }

    /// The end of the round as an English sentence; `author` is the title of the loop, `name` returns the title of an
    /// agent.
    pub fn english(
        &self,
        exit: &LoopExit,
        best: Option<u32>,
        author: &str,
        name: impl Fn(&str) -> String,
    ) -> String {
        let measures: Vec<String> = self.phrases(best).iter().map(Phrase::english).collect();
        let id = if measures.is_empty() { "round.ended" } else { "round.ended_measured" };
        let exit = exit.phrase(name).english();
        let filling = json!({ "n": self.number, "who": author, "measures": measures, "exit": exit });
        Phrase::new(id, filling).english()
    }

    /// The measures as phrases.
    fn phrases(&self, best: Option<u32>) -> Vec<Phrase> {
        let checks = self.checks.map(|CheckCount { passed, failed, .. }| {
            Phrase::new("round.checks", json!({ "passed": passed, "all": passed.saturating_add(failed) }))
        });
        let counted = |id: &str, count: Option<u32>| count.map(|n| Phrase::new(id, json!({ "n": n })));
        let is_best = best == Some(self.number);
        let best = is_best.then(|| Phrase::new("round.best", json!({})));
        [checks, counted("round.issues", self.issues), counted("round.words", self.words), best]
            .into_iter()
            .flatten()
            .collect()
    }
}

/// The keys that a loop measures at the end of a round: those with the roles draft, checks and review that are written
/// in it.
#[derive(Debug, Clone, Default)]
pub struct RoundMeasures {
    draft: Option<KeyDeclaration>,
    checks: Vec<String>,
    /// The keys of reviews, each with its field of issues.
    reviews: Vec<(String, String)>,
}

impl RoundMeasures {
    /// The measures of the loop with this outline, from the keys of its pipeline.
    pub fn of(outline: &Outline, keys: &[KeyDeclaration]) -> RoundMeasures {
        let agents = outline.walk();
        let mut measures = RoundMeasures::default();
        for key in keys.iter().filter(|key| agents.iter().any(|agent| agent.contract.allows_write(&key.name)))
        {
            match &key.role {
                Role::Draft { .. } if measures.draft.is_none() => measures.draft = Some(key.clone()),
                Role::Checks => measures.checks.push(key.name.clone()),
                Role::Review { issues, .. } => {
                    measures.reviews.push((key.name.clone(), issues.clone().into_owned()));
                }
                _ => {}
            }
        }
        measures
    }

    /// The keys of the reviews.
    pub fn reviews(&self) -> impl Iterator<Item = &str> {
        self.reviews.iter().map(|(key, _)| key.as_str())
    }

    /// Measures a round that ends with this state. `is_of_round` tells whether a key was written in the round: a review
    /// of an earlier round does not count.
    pub fn measure(&self, number: u32, state: &State, is_of_round: impl Fn(&str) -> bool) -> Round {
        let value = |key: &str| state.get(key).and_then(Value::json);
        let draft =
            self.draft.as_ref().filter(|draft| value(&draft.name).is_some_and(|json| !json.is_null()));
        let words = draft.and_then(|draft| match &draft.role {
            Role::Draft { words, .. } => {
                value(&draft.name)?.get(words.as_ref())?.as_u64().and_then(|words| u32::try_from(words).ok())
            }
            _ => None,
        });
        let mut checks: Option<CheckCount> = None;
        for results in self.checks.iter().filter_map(|key| value(key)?.as_array()) {
            let count = checks.get_or_insert_default();
            for result in results {
                let is_passed = result["passed"] == json!(true);
                let counted = if is_passed { &mut count.passed } else { &mut count.failed };
                *counted = counted.saturating_add(1);
                let places = result["places"].as_u64().filter(|_| !is_passed).unwrap_or_default();
                count.places = count.places.saturating_add(u32::try_from(places).unwrap_or(u32::MAX));
            }
        }
        let reviewed = self.reviews.iter().filter(|(key, _)| is_of_round(key));
        let issues = reviewed.filter_map(|(key, field)| {
            let issues = value(key)?.get(field)?.as_array()?;
            u32::try_from(issues.len()).ok()
        });
        let issues = issues.fold(None, |sum: Option<u32>, more| Some(sum.unwrap_or(0).saturating_add(more)));
        Round {
            number,
            draft: draft.map(|draft| draft.name.clone()),
            words,
            checks,
            issues,
            ..Round::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AgentKind, CallRange, Contract, Delta};

    fn round(number: u32, checks: Option<(u32, u32)>, issues: Option<u32>) -> Round {
        let checks = checks.map(|(passed, failed)| CheckCount { passed, failed, places: 0 });
        Round { number, checks, issues, ..Round::default() }
    }

    fn best(rounds: &[Round]) -> Option<u32> {
        rounds.iter().fold(None, |so_far, round| round.best(so_far)).map(|round| round.number)
    }

    #[test]
    fn the_best_round_fails_fewest_checks_then_has_fewest_issues_and_of_equals_is_the_earlier() {
        assert_eq!(best(&[]), None);
        assert_eq!(best(&[round(1, None, None)]), None);
        assert_eq!(best(&[round(1, Some((4, 1)), Some(0)), round(2, Some((5, 0)), Some(3))]), Some(2));
        assert_eq!(best(&[round(1, Some((5, 0)), Some(2)), round(2, Some((5, 0)), Some(1))]), Some(2));
        assert_eq!(best(&[round(1, Some((5, 0)), Some(1)), round(2, Some((5, 0)), Some(1))]), Some(1));
        let in_places = |number, places| {
            let checks = Some(CheckCount { passed: 4, failed: 1, places });
            Round { checks, ..round(number, None, Some(number)) }
        };
        assert_eq!(best(&[in_places(1, 3), in_places(2, 2)]), Some(2));
        // A rewritten draft without a review does not replace a reviewed one.
        assert_eq!(best(&[round(1, Some((5, 0)), Some(2)), round(2, Some((5, 0)), None)]), Some(1));
    }

    #[test]
    fn a_loop_measures_the_keys_written_inside_it_and_a_review_of_its_own_round_only() {
        let key = |name: &str, role: Role| KeyDeclaration {
            name: name.into(),
            title: name.into(),
            role,
            schema: json!({}).into(),
        };
        let draft =
            |name| key(name, Role::Draft { edit: "text".into(), words: "length".into(), word_limit: 0 });
        let review = Role::Review { notes: "said".into(), issues: "faults".into(), ready: "goes".into() };
        let keys = [draft("before"), draft("draft"), key("checks", Role::Checks), key("review", review)];
        let outline = |name: &str, agent, writes: &[&str], children| Outline {
            name: name.into(),
            title: name.into(),
            agent,
            contract: Contract::new(&[], &[], writes),
            stream: None,
            is_on_demand: false,
            calls: CallRange::default(),
            children,
        };
        let writer = outline("writer", AgentKind::Custom, &["draft", "checks", "review"], Vec::new());
        let own = outline("own", AgentKind::Loop { max_rounds: 2 }, &[], vec![writer]);
        let measures = RoundMeasures::of(&own, &keys);
        let mut state = State::default();
        state.apply(&Delta::of("before", json!({"text": "a b", "length": 2})));
        assert_eq!(measures.measure(1, &state, |_| true), round(1, None, None));
        state.apply(&Delta::of("draft", json!({"text": "a b c", "length": 3})));
        state.apply(&Delta::of(
            "checks",
            json!([{"passed": true}, {"passed": false, "places": 3}, {"passed": "yes"}]),
        ));
        state.apply(&Delta::of("review", json!({"faults": ["one", {"text": "two"}]})));
        let measured = measures.measure(2, &state, |_| true);
        let expected =
            Round { draft: Some("draft".into()), words: Some(3), ..round(2, Some((1, 2)), Some(2)) };
        let checks = Some(CheckCount { passed: 1, failed: 2, places: 3 });
        let expected = Round { checks, ..expected };
        assert_eq!(measured, expected);
        assert_eq!(measures.measure(2, &state, |key| key != "review").issues, None);
        // A round is measured as far as possible, whatever a person edited.
        for value in [json!(null), json!("text"), json!([1]), json!({"length": -1, "faults": {}})] {
            for name in ["draft", "checks", "review"] {
                state.apply(&Delta::of(name, value.clone()));
            }
            let measured = measures.measure(3, &state, |_| true);
            assert_eq!((measured.words, measured.issues), (None, None), "{value}");
        }
    }

    #[test]
    fn every_reason_has_a_text_that_its_fields_fill() {
        let agent = "writer".to_owned();
        let exits = [
            LoopExit::WentOn,
            LoopExit::ConditionHeld,
            LoopExit::ExitField { agent: agent.clone() },
            LoopExit::ExitTool { agent: agent.clone() },
            LoopExit::ExitAgent { agent },
            LoopExit::ExitStep,
            LoopExit::RoundsUsedUp,
            LoopExit::LimitReached,
            LoopExit::Failed,
            LoopExit::RunEnded,
        ];
        for exit in &exits {
            let words = exit.phrase(str::to_uppercase).english();
            assert!(!words.contains(['{', '.']), "{words}");
        }
        let known = crate::ENGLISH.iter().filter(|(id, _)| id.starts_with("exit.")).count();
        assert_eq!(known, exits.len());
        let round = Round { words: Some(180), ..round(2, Some((4, 1)), None) };
        assert_eq!(
            round.english(&LoopExit::RoundsUsedUp, Some(2), "Loop", str::to_owned),
            "Round 2 of Loop ended (checks passed: 4 of 5, words: 180, the best so far): the loop ended, its rounds are used up"
        );
    }
}

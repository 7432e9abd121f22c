//! Judges a run by an expectation.

use kernel::{CheckResult, Json, KeyDeclaration, KeyPath, Phrase, Role, State, phrase, result_text};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

use crate::{Criterion, Expectation};

/// The highest score of a rubric; the lowest is 0.
pub const HIGHEST_SCORE: f64 = 10.0;

/// Whether an expectation holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It holds.
    Held,
    /// It does not hold.
    Failed,
    /// The run or the judging model failed, so it is not known; it counts as not held.
    Unjudged,
}

/// The judgement of one expectation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Judgement {
    /// Whether it holds.
    pub verdict: Verdict,
    /// Why.
    pub reason: Phrase,
    /// The score of a rubric, from 0 to 10.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub score: Option<f64>,
    /// The run of the model that judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub run: Option<String>,
}

impl Judgement {
    fn of(holds: bool, reason: Phrase) -> Judgement {
        let verdict = if holds { Verdict::Held } else { Verdict::Failed };
        Judgement { verdict, reason, score: None, run: None }
    }

    /// The judgement of what could not be judged.
    pub fn unjudged(reason: Phrase) -> Judgement {
        Judgement { verdict: Verdict::Unjudged, reason, score: None, run: None }
    }

    /// Whether the expectation holds.
    pub fn holds(&self) -> bool {
        self.verdict == Verdict::Held
    }
}

/// The end of a run, as far as it is judged.
#[derive(Debug, Clone, Copy)]
pub struct RunResult<'a> {
    /// The keys of its pipeline.
    pub keys: &'a [KeyDeclaration],
    /// Its state at the end, with all values.
    pub state: &'a State,
}

impl RunResult<'_> {
    /// The resulting text; empty without one.
    pub fn text(&self) -> String {
        result_text(self.keys, self.state).map(|result| result.text).unwrap_or_default()
    }

    fn checks(&self) -> Vec<CheckResult> {
        let keys = self.keys.iter().filter(|key| key.role == Role::Checks);
        let values = keys.filter_map(|key| self.state.get(&key.name)?.json());
        values.filter_map(|value| Vec::<CheckResult>::deserialize(value).ok()).flatten().collect()
    }
}

/// The text that an expectation is about: of its key, else the resulting one. A value that is no text is written as
/// JSON.
///
/// # Errors
/// Why there is none.
pub fn text_to_judge(expectation: &Expectation, result: &RunResult<'_>) -> Result<String, Phrase> {
    let Some(key) = &expectation.key else {
        let text = result.text();
        return if text.is_empty() { Err(phrase!("The run has no text")) } else { Ok(text) };
    };
    Ok(match value(key, result)? {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    })
}

fn value<'a>(key: &KeyPath, result: &RunResult<'a>) -> Result<&'a Value, Phrase> {
    key.find(result.state).ok_or_else(|| phrase!("The run has no value `{key}`", key = key.to_string()))
}

/// The judgement of an expectation; `None` of a rubric, which a model judges.
pub fn judge(expectation: &Expectation, result: &RunResult<'_>) -> Option<Judgement> {
    let judged = match &expectation.criterion {
        Criterion::Check(name) => Ok(checked(name, result)),
        Criterion::Contains(text) => text_to_judge(expectation, result).map(|found| {
            let holds = found.contains(text);
            Judgement::of(holds, if holds { stands(text) } else { phrase!("“{text}” is missing", text) })
        }),
        Criterion::Lacks(text) => text_to_judge(expectation, result).map(|found| {
            let holds = !found.contains(text);
            Judgement::of(holds, if holds { phrase!("“{text}” is not there", text) } else { stands(text) })
        }),
        Criterion::Equals(expected) => {
            let key = expectation.key.as_ref()?;
            value(key, result).map(|found| equal(key, found, expected))
        }
        Criterion::Rubric(_) => return None,
    };
    Some(judged.unwrap_or_else(|why| Judgement::of(false, why)))
}

fn stands(text: &str) -> Phrase {
    phrase!("“{text}” is there", text)
}

fn checked(name: &str, result: &RunResult<'_>) -> Judgement {
    let checks = result.checks();
    let Some(check) = checks.iter().find(|check| check.name == name) else {
        let known: Vec<&str> = checks.iter().map(|check| check.name.as_str()).collect();
        let why = match known.is_empty() {
            true => phrase!("The run has no checks"),
            false => phrase!("The run has no check `{name}`; it has {known}", name, known),
        };
        return Judgement::of(false, why);
    };
    let said = check.phrase.clone().unwrap_or_else(|| Phrase::verbatim(check.detail.clone()));
    Judgement::of(check.passed, said)
}

fn equal(key: &KeyPath, found: &Value, expected: &Json) -> Judgement {
    let key = key.to_string();
    if is_same(found, &expected.0) {
        return Judgement::of(true, phrase!("`{key}` is as expected", key));
    }
    let (found, expected) = (shown(found), shown(&expected.0));
    Judgement::of(false, phrase!("`{key}` is {found}, not {expected}", key, found, expected))
}

/// Compares JSON by meaning: 1 and 1.0 are the same number, and the order of fields is of no importance.
fn is_same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one == other || one.as_f64() == other.as_f64(),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| is_same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            let has =
                |(name, value): (&String, &Value)| other.get(name).is_some_and(|other| is_same(value, other));
            one.len() == other.len() && one.iter().all(has)
        }
        _ => one == other,
    }
}

/// Most characters of a value in a reason.
const LONGEST_SHOWN: usize = 120;

fn shown(value: &Value) -> String {
    let text = value.to_string();
    let mut shown: String = text.chars().take(LONGEST_SHOWN).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}

/// The answer of the judging model.
#[derive(Deserialize)]
struct ModelVerdict {
    reason: String,
    score: f64,
    passed: bool,
}

/// The judgement of a rubric by the answer of the model: an object with `reason`, `score` and `passed`.
pub fn judged_by_model(expectation: &Expectation, answer: &Value, run: &str) -> Judgement {
    let Ok(answer) = ModelVerdict::deserialize(answer) else {
        let judgement = Judgement::unjudged(phrase!("The model gave no judgement"));
        return Judgement { run: Some(run.to_owned()), ..judgement };
    };
    let score = answer.score.clamp(0.0, HIGHEST_SCORE);
    let holds = expectation.at_least.map_or(answer.passed, |least| score >= least);
    let judgement = Judgement::of(holds, Phrase::verbatim(answer.reason));
    Judgement { score: Some(score), run: Some(run.to_owned()), ..judgement }
}

#[cfg(test)]
mod tests {
    use kernel::Delta;
    use serde_json::json;

    use super::*;

    fn judged(expectation: Value, state: Value) -> Judgement {
        let mut held = State::default();
        for (key, value) in state.as_object().unwrap() {
            held.apply(&Delta::of(key, value.clone()));
        }
        let key = |name: &str, role| KeyDeclaration {
            name: name.to_owned(),
            title: name.to_owned(),
            role,
            schema: Json::default(),
        };
        let keys = [key("text", Role::Final), key("checks", Role::Checks), key("data", Role::Data)];
        let expectation = crate::read_expectation(&expectation).unwrap();
        judge(&expectation, &RunResult { keys: &keys, state: &held }).unwrap()
    }

    #[test]
    fn texts_are_looked_for_in_the_result_or_in_a_named_value() {
        let state = || json!({ "text": "Paris is the capital.", "data": { "city": "Lyon" } });
        assert!(judged(json!({ "contains": "Paris" }), state()).holds());
        assert_eq!(judged(json!({ "contains": "Lyon" }), state()).reason.english(), "“Lyon” is missing");
        assert!(judged(json!({ "contains": "Lyon", "key": "data.city" }), state()).holds());
        assert!(!judged(json!({ "lacks": "Paris" }), state()).holds());
        // A run without a text does not pass because something is missing from it.
        assert_eq!(judged(json!({ "lacks": "Paris" }), json!({})).reason.english(), "The run has no text");
    }

    #[test]
    fn values_are_compared_by_meaning() {
        let state = || json!({ "data": { "count": 1, "tags": ["a"] } });
        assert!(judged(json!({ "equals": { "tags": ["a"], "count": 1.0 }, "key": "data" }), state()).holds());
        let failed = judged(json!({ "equals": "2", "key": "data.count" }), state());
        assert_eq!(failed.reason.english(), "`data.count` is 1, not \"2\"");
        assert!(!judged(json!({ "equals": null, "key": "data.other" }), state()).holds());
    }

    #[test]
    fn the_checks_of_the_pipeline_are_found_by_name() {
        let checks = json!([{ "name": "length", "passed": false, "detail": "over 5 words (9)" }]);
        let state = || json!({ "checks": checks });
        assert_eq!(judged(json!({ "check": "length" }), state()).reason.english(), "over 5 words (9)");
        let unknown = judged(json!({ "check": "citations" }), state());
        assert_eq!(unknown.reason.english(), "The run has no check `citations`; it has length");
        assert!(!unknown.holds());
    }

    #[test]
    fn a_rubric_holds_by_its_score_or_by_the_model_itself() {
        let answer = json!({ "reason": "mostly", "score": 7, "passed": false });
        let of = |expectation: Value| {
            judged_by_model(&crate::read_expectation(&expectation).unwrap(), &answer, "r")
        };
        assert!(of(json!({ "rubric": "is polite", "at_least": 7 })).holds());
        assert!(!of(json!({ "rubric": "is polite", "at_least": 7.5 })).holds());
        let passed = of(json!({ "rubric": "is polite" }));
        assert_eq!((passed.verdict, passed.score), (Verdict::Failed, Some(7.0)));
        let unread = judged_by_model(&Expectation::of_text(Criterion::Rubric("x".into())), &json!({}), "r");
        assert_eq!((unread.verdict, unread.run.as_deref()), (Verdict::Unjudged, Some("r")));
    }
}

//! The promises of the agents on their texts, checked after every answer and every edit: the pruner only removes
//! sentences, the filler only replaces placeholders, the enricher only adds, and none invents a figure or a name.

use kernel::{CheckResult, Phrase, phrase};
use serde_json::Value;
use templates::{
    Breach, BreachKind, check_enriched, check_filled, check_grounded, check_pruned, filled_values,
    placeholders,
};

use super::{ENRICHED, FILLED, PRUNED, SUMMARY, TEMPLATE};
use interpreter::{Accept, Check, FunctionContext, Registry};

/// The names of the checks of the pruner's, the filler's and the enricher's promise.
pub(super) const PRUNING: &str = "pruning";
pub(super) const FILLING: &str = "filling";
pub(super) const ADDITIONS: &str = "additions";
/// The name of the check that counts open placeholders.
pub(super) const OPEN: &str = "placeholders";
/// Most breaches that are reported for one answer.
const MOST_BREACHES: usize = 8;
/// Most characters of a breach's words that are reported.
const LONGEST_WORDS: usize = 160;

pub(super) fn register(registry: &mut Registry) {
    registry.checks.extend([
        ("pruned_only", pruned_only as Check),
        ("filled_only", filled_only),
        ("added_only", added_only),
        ("figures_and_names_known", figures_and_names_known),
        ("placeholders_filled", placeholders_filled),
    ]);
    registry.accept.extend([
        ("pruned_only", accept_pruned as Accept),
        ("filled_only", accept_filled),
        ("added_only", accept_enriched),
    ]);
}

fn of_pruned(context: &FunctionContext<'_>, text: &str) -> Vec<Phrase> {
    breach_phrases(&check_pruned(context.text(TEMPLATE), text))
}

fn of_filled(context: &FunctionContext<'_>, text: &str) -> Vec<Phrase> {
    let pruned = context.text(PRUNED);
    let breaches = check_filled(pruned, text);
    if !breaches.is_empty() {
        return breach_phrases(&breaches);
    }
    let values = filled_values(pruned, text);
    let emptied = values.iter().filter(|(_, value)| value.is_empty());
    let gone = emptied.map(|(mark, _)| {
        let written = &pruned[mark.place.clone()];
        phrase!("“{written}” is gone without a value; leave it as it is written", written)
    });
    gone.collect()
}

fn of_enriched(context: &FunctionContext<'_>, text: &str) -> Vec<Phrase> {
    breach_phrases(&check_enriched(context.text(FILLED), text))
}

fn invented(context: &FunctionContext<'_>, text: &str) -> Vec<Phrase> {
    breach_phrases(&check_grounded(text, context.text(TEMPLATE), context.text(SUMMARY)))
}

fn breach_phrases(breaches: &[Breach]) -> Vec<Phrase> {
    let cut = |text: &str| {
        let mut words: String = text.chars().take(LONGEST_WORDS).collect();
        if words.len() < text.len() {
            words.push('…');
        }
        words
    };
    let phrase = |breach: &Breach| {
        let (words, sentence) = (cut(&breach.words), cut(&breach.sentence));
        match breach.kind {
            BreachKind::ForeignSentence => {
                phrase!("“{words}” is no sentence of the template, or not at its place", words)
            }
            BreachKind::ChangedWords => {
                phrase!("“{words}” of the pruned template is missing or changed", words)
            }
            BreachKind::ChangedLines => {
                phrase!("“{words}” does not stand on its line behind its mark as in the text before", words)
            }
            BreachKind::LongValue => phrase!("“{words}” is more than a value for a placeholder", words),
            BreachKind::ForeignChoice => phrase!("“{words}” is none of the words to choose from", words),
            BreachKind::LostSentence => {
                phrase!("“{words}” of the filled template is missing, changed or not at its place", words)
            }
            BreachKind::InventedFigure => {
                phrase!(
                    "the figure “{words}” of “{sentence}” stands in no sentence of the summary on the same subject",
                    words,
                    sentence
                )
            }
            BreachKind::InventedName => {
                phrase!(
                    "the name “{words}” of “{sentence}” stands in no sentence of the summary on the same subject",
                    words,
                    sentence
                )
            }
        }
    };
    breaches.iter().take(MOST_BREACHES).map(phrase).collect()
}

fn result(name: &str, broken: Vec<Phrase>, well: fn() -> Phrase) -> CheckResult {
    CheckResult::new(name, (!broken.is_empty()).then(|| Phrase::clauses(broken)), well)
}

fn pruned_only(context: &FunctionContext<'_>) -> CheckResult {
    let text = context.answer_text();
    result(PRUNING, of_pruned(context, text), || {
        phrase!("every sentence is one of the template, in its order")
    })
}

fn filled_only(context: &FunctionContext<'_>) -> CheckResult {
    let text = context.answer_text();
    result(FILLING, of_filled(context, text), || phrase!("only placeholders were replaced"))
}

fn added_only(context: &FunctionContext<'_>) -> CheckResult {
    let text = context.answer_text();
    result(ADDITIONS, of_enriched(context, text), || phrase!("every sentence of the filled template stands"))
}

fn figures_and_names_known(context: &FunctionContext<'_>) -> CheckResult {
    let text = context.answer_text();
    result("figures", invented(context, text), || {
        phrase!("every figure and name stands in a sentence of the summary on the same subject")
    })
}

/// The placeholders that are still open, as they are written.
pub(super) fn open_placeholders(text: &str) -> Vec<String> {
    placeholders(text).iter().map(|mark| text[mark.place.clone()].to_owned()).collect()
}

/// Checks that no placeholder is open. An open one breaks no promise, because the summary may not answer it; it is
/// named and counted.
fn placeholders_filled(context: &FunctionContext<'_>) -> CheckResult {
    let text = context.answer_text();
    let open = open_placeholders(text);
    let fault = (!open.is_empty()).then(|| phrase!("open placeholders: {n} ({open})", n = open.len(), open));
    CheckResult::new(OPEN, fault, || phrase!("no placeholder is open")).with_places(open.len())
}

/// Accepts an answer whose text keeps its promise; otherwise returns the breaches, worded for the model.
fn accepted(
    answer: Value,
    key: &str,
    broken: impl FnOnce(&str) -> Vec<Phrase>,
) -> Result<Value, Vec<String>> {
    let text = answer[key].as_str().unwrap_or_default();
    if text.trim().is_empty() {
        return Err(vec![format!("`{key}` is empty")]);
    }
    let broken = broken(text);
    match broken.is_empty() {
        true => Ok(answer),
        false => Err(broken.iter().map(Phrase::english).collect()),
    }
}

fn accept_pruned(context: &FunctionContext<'_>, answer: Value) -> Result<Value, Vec<String>> {
    accepted(answer, PRUNED, |text| of_pruned(context, text))
}

fn accept_filled(context: &FunctionContext<'_>, answer: Value) -> Result<Value, Vec<String>> {
    accepted(answer, FILLED, |text| [of_filled(context, text), invented(context, text)].concat())
}

fn accept_enriched(context: &FunctionContext<'_>, answer: Value) -> Result<Value, Vec<String>> {
    accepted(answer, ENRICHED, |text| [of_enriched(context, text), invented(context, text)].concat())
}

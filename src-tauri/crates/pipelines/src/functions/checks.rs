//! Checks of a text that an agent wrote: its length, and what it cites of the sources that the agent reads.

use std::sync::{Mutex, PoisonError};

use kernel::{CheckResult, Role};
use prose::{
    SourceTexts, citations, count_words, normalize_citations, out_of_range, sentences, sources_used,
    without_references,
};
use serde_json::{Value, json};

use crate::registry::{Accept, Check, FunctionContext, Registry, SourceItem};

/// Words of a paragraph that leads over and states nothing.
const LONGEST_BARE: usize = 8;
/// Sentences that are named before the check of grounding ends.
const MOST_UNGROUNDED: usize = 4;

pub(super) fn register(registry: &mut Registry) {
    registry.checks.extend([
        ("word_limit", word_limit as Check),
        ("citations_in_range", citations_in_range),
        ("every_paragraph_cites", every_paragraph_cites),
        ("recent", recent),
        ("grounded", grounded),
    ]);
    registry.accept.insert("cited", cited as Accept);
}

/// At most as many words as the draft may have; without a limit only that there are some.
fn word_limit(context: &FunctionContext<'_>, text: &str) -> CheckResult {
    let most = match context.answer_role() {
        Some(Role::Draft { word_limit, .. }) => *word_limit as usize,
        _ => 0,
    };
    let words = count_words(text);
    let problem = if words == 0 {
        Some("the text is empty".to_owned())
    } else {
        (most > 0 && words > most).then(|| format!("over {most} words ({words})"))
    };
    CheckResult::new("length", problem, || match most {
        0 => format!("{words} words"),
        most => format!("{words} of at most {most} words"),
    })
}

/// Something is cited, and each number names a source.
fn citations_in_range(context: &FunctionContext<'_>, text: &str) -> CheckResult {
    let text = without_references(text);
    let count = context.sources().len();
    let used = citations(text).len();
    let wrong: Vec<String> = out_of_range(text, count).iter().map(|number| format!("[{number}]")).collect();
    let problem = if used == 0 {
        Some("nothing is cited".to_owned())
    } else {
        (!wrong.is_empty()).then(|| format!("{} names no source of the {count}", wrong.join(", ")))
    };
    CheckResult::new("citations", problem, || format!("{used} citations, each of a source"))
}

/// Every paragraph that states something cites something.
fn every_paragraph_cites(_: &FunctionContext<'_>, text: &str) -> CheckResult {
    let paragraphs = without_references(text).split("\n\n").map(str::trim);
    let mut bare = paragraphs
        .filter(|paragraph| !paragraph.is_empty() && !paragraph.starts_with('#'))
        .filter(|paragraph| citations(paragraph).is_empty() && count_words(paragraph) > LONGEST_BARE);
    let problem = bare.next().map(|paragraph| {
        let start: String = paragraph.chars().take(60).collect();
        format!("a paragraph cites nothing: “{start}…”")
    });
    CheckResult::new("coverage", problem, || "every paragraph cites what it states".to_owned())
}

/// Every source that is cited is of the days that were searched.
fn recent(context: &FunctionContext<'_>, text: &str) -> CheckResult {
    let Some((from, until)) = context.window() else {
        return CheckResult::new("recency", None, || "no window is known".to_owned());
    };
    let sources = context.sources();
    let mut used = sources_used(text).into_iter().filter_map(|index| sources.get(index));
    let is_old = |source: &&SourceItem| source.published < from || source.published > until;
    let problem = used.find(is_old).map(|source| {
        let day = if source.published.is_empty() { "an unknown day" } else { &source.published };
        format!("“{}” is of {day}, outside {from} to {until}", source.title)
    });
    CheckResult::new("recency", problem, || format!("all cited sources are of {from} to {until}"))
}

/// Each figure and name of a sentence stands in the sources that the sentence cites; of one that cites none, in any.
fn grounded(context: &FunctionContext<'_>, text: &str) -> CheckResult {
    let sources: Vec<SourceTexts> = context.sources().iter().map(|source| prepared(source.whole())).collect();
    let mut problems: Vec<String> = Vec::new();
    for sentence in sentences(without_references(text)) {
        let used = sources_used(sentence.text);
        let cited: Vec<&SourceTexts> = used.iter().filter_map(|index| sources.get(*index)).collect();
        let places = if cited.is_empty() { sources.iter().collect() } else { cited };
        let missing = SourceTexts::joined(places).ungrounded(sentence.text);
        if !missing.is_empty() {
            let claims: Vec<String> = missing.iter().map(|claim| format!("“{}”", claim.text)).collect();
            let place = if used.is_empty() { "no source" } else { "no source that is cited for it" };
            problems.push(format!("{} stands in {place}", claims.join(", ")));
        }
        if problems.len() == MOST_UNGROUNDED {
            break;
        }
    }
    CheckResult::new("grounding", (!problems.is_empty()).then(|| problems.join("; ")), || {
        "every figure and name stands in the source cited for it".to_owned()
    })
}

/// Sources that are kept prepared: of as many runs as are likely to be worked on at once.
const MOST_PREPARED: usize = 80;

/// A source as checks need it. Preparing one costs more than everything else a check does, so the last ones are kept,
/// latest first. Forgetting is always right.
fn prepared(text: String) -> SourceTexts {
    static LATEST: Mutex<Vec<(String, SourceTexts)>> = Mutex::new(Vec::new());
    let latest = || LATEST.lock().unwrap_or_else(PoisonError::into_inner);
    let find = |kept: &mut Vec<(String, SourceTexts)>| {
        let place = kept.iter().position(|(known, _)| *known == text)?;
        kept[..=place].rotate_right(1);
        kept.first().map(|(_, prepared)| prepared.clone())
    };
    if let Some(known) = find(&mut latest()) {
        return known;
    }
    // Made outside the lock: two that make the same at once lose nothing but time.
    let made = SourceTexts::new(&[&text]);
    let mut kept = latest();
    kept.truncate(MOST_PREPARED - 1);
    kept.insert(0, (text, made.clone()));
    made
}

/// A text that cites: its citations in one form, each a number of a source.
fn cited(context: &FunctionContext<'_>, mut answer: Value) -> Result<Value, Vec<String>> {
    let field = context.text_field();
    let text = answer[&field].as_str().unwrap_or_default().trim();
    let text = normalize_citations(text, context.sources().len());
    if text.is_empty() {
        return Err(vec![format!("`{field}` is empty")]);
    }
    if citations(&text).is_empty() {
        return Err(vec![format!("`{field}` cites nothing; cite each statement as [1]")]);
    }
    answer[&field] = json!(text);
    Ok(answer)
}

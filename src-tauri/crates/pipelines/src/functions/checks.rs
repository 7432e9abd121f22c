//! Checks of a text that an agent wrote: its length, and what it cites of the sources that the agent reads.

use kernel::{CheckResult, Role};
use prose::{SourceTexts, citations, count_words, out_of_range, sentences, sources_used, without_references};

use crate::registry::{FunctionContext, Registry};

/// Words of a paragraph that leads over and states nothing.
const LONGEST_BARE: usize = 8;
/// Sentences that are named before the check of grounding ends.
const MOST_UNGROUNDED: usize = 4;

pub(super) fn register(registry: &mut Registry) {
    registry.checks.extend([
        ("word_limit", word_limit as crate::registry::Check),
        ("citations_in_range", citations_in_range),
        ("every_paragraph_cites", every_paragraph_cites),
        ("grounded", grounded),
    ]);
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
    CheckResult::new("word_limit", problem, || match most {
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
    CheckResult::new("citations_in_range", problem, || format!("{used} citations, each of a source"))
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
    CheckResult::new("every_paragraph_cites", problem, || "every paragraph cites what it states".to_owned())
}

/// Each figure and name of a sentence stands in the sources that the sentence cites; of one that cites none, in any.
fn grounded(context: &FunctionContext<'_>, text: &str) -> CheckResult {
    let sources: Vec<SourceTexts> =
        context.sources().iter().map(|source| SourceTexts::new(&[&source.whole()])).collect();
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
    CheckResult::new("grounded", (!problems.is_empty()).then(|| problems.join("; ")), || {
        "every figure and name stands in a source".to_owned()
    })
}

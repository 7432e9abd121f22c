//! Checks of a text that an agent wrote: its length, and its citations of the sources that the agent reads.

use std::sync::Arc;

use kernel::{CheckResult, Phrase, Role, phrase};
use prose::{
    JudgedSentence, Verdict, citations, count_words, normalize_citations, out_of_range, sources_used,
    without_references,
};
use serde_json::{Value, json};

use super::undated::{UNDATED, marked, unmarked};
use interpreter::{Accept, Check, FunctionContext, Latest, Registry, SourceItem, asked, judge};

/// Longest paragraph that may do without a citation, in words: it only leads over to the next one.
const LONGEST_BARE: usize = 8;
/// Most sentences that the check of grounding names.
const MOST_UNGROUNDED: usize = 4;
/// Most characters of a sentence that are quoted to name it.
const LONGEST_NAMED: usize = 80;

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

/// Check results that are cached: four checks use the cache, for as many runs as are likely to be worked on at once.
const MOST_JUDGED: usize = 4 * 16;

/// The cached result of a check, which depends on these arguments alone. The agents that write, review and publish a
/// draft all run the same checks.
fn judged(
    check: &'static str,
    facts: &[&str],
    sources: &Arc<[SourceItem]>,
    text: &str,
    judge: impl FnOnce() -> CheckResult,
) -> CheckResult {
    struct CheckInput {
        check: &'static str,
        facts: Vec<String>,
        sources: Arc<[SourceItem]>,
        text: String,
    }
    static JUDGED: Latest<CheckInput, CheckResult> = Latest::new(MOST_JUDGED);
    let source_bytes = sources.iter().map(SourceItem::bytes).sum::<usize>();
    JUDGED.get_or_make(
        text.len() + source_bytes,
        |known| {
            let is_text = known.check == check && known.text == text && known.facts == facts;
            is_text && (Arc::ptr_eq(&known.sources, sources) || known.sources == *sources)
        },
        || {
            let facts = facts.iter().map(|fact| (*fact).to_owned()).collect();
            (CheckInput { check, facts, sources: sources.clone(), text: text.to_owned() }, judge())
        },
    )
}

/// Checks that the draft has at most as many words as allowed; without a limit, that it has some.
fn word_limit(context: &FunctionContext<'_>) -> CheckResult {
    let text = context.answer_text();
    let most = match context.answer_role() {
        Some(Role::Draft { word_limit, .. }) => *word_limit as usize,
        _ => 0,
    };
    judged("length", &[&most.to_string()], &Arc::default(), text, || length(text, most))
}

fn length(text: &str, most: usize) -> CheckResult {
    let words = count_words(text);
    let problem = if words == 0 {
        Some(phrase!("the text is empty"))
    } else {
        (most > 0 && words > most).then(|| phrase!("over {most} words ({words})", most, words))
    };
    CheckResult::new("length", problem, || match most {
        0 => phrase!("{words} words", words),
        most => phrase!("{words} of at most {most} words", words, most),
    })
}

/// Checks that the text cites something and that each number belongs to a source.
fn citations_in_range(context: &FunctionContext<'_>) -> CheckResult {
    let text = context.answer_text();
    let sources = &context.sources();
    let count = sources.len();
    judged("citations", &[&count.to_string()], &Arc::default(), text, || in_range(text, count))
}

fn in_range(text: &str, count: usize) -> CheckResult {
    let text = without_references(text);
    let used = citations(text).len();
    let wrong: Vec<String> = out_of_range(text, count).iter().map(|number| format!("[{number}]")).collect();
    let problem = if used == 0 {
        // Without sources there is nothing to cite.
        (count > 0).then(|| phrase!("nothing is cited"))
    } else {
        (!wrong.is_empty()).then(|| phrase!("{wrong}: no such source", wrong))
    };
    CheckResult::new("citations", problem, || phrase!("{used} citations, each of a source", used))
}

/// Checks that every paragraph that makes a statement cites something.
fn every_paragraph_cites(context: &FunctionContext<'_>) -> CheckResult {
    let text = context.answer_text();
    judged("coverage", &[], &Arc::default(), text, || coverage(text))
}

fn coverage(text: &str) -> CheckResult {
    let paragraphs = without_references(text).split("\n\n").map(str::trim);
    let mut bare = paragraphs
        .filter(|paragraph| !paragraph.is_empty() && !paragraph.starts_with('#'))
        .filter(|paragraph| citations(paragraph).is_empty() && count_words(paragraph) > LONGEST_BARE);
    let problem = bare.next().map(|paragraph| {
        let start: String = paragraph.chars().take(60).collect();
        phrase!("a paragraph cites nothing: “{start}…”", start)
    });
    CheckResult::new("coverage", problem, || phrase!("every paragraph cites what it states"))
}

/// Checks that every cited source is from the days that were searched.
fn recent(context: &FunctionContext<'_>) -> CheckResult {
    let text = context.answer_text();
    let sources = &context.sources();
    let Some((from, until)) = context.window() else {
        return CheckResult::new("recency", None, || phrase!("no window is known"));
    };
    judged("recency", &[&from, &until], sources, text, || recency(sources, text, &from, &until))
}

fn recency(sources: &[SourceItem], text: &str, from: &str, until: &str) -> CheckResult {
    let mut used = sources_used(text).into_iter().filter_map(|index| sources.get(index));
    let is_undated = |source: &SourceItem| source.published == UNDATED;
    let is_old = |source: &&SourceItem| {
        !is_undated(source) && (source.published.as_str() < from || source.published.as_str() > until)
    };
    let problem = used.find(is_old).map(|source| {
        let day = match source.published.as_str() {
            "" => phrase!("an unknown day"),
            day => Phrase::verbatim(day),
        };
        phrase!("“{title}” is of {day}, outside {from} to {until}", title = source.title, day, from, until)
    });
    let problem = problem.or_else(|| {
        let source = sources.get(*unmarked(text, sources).first()?)?;
        Some(phrase!("“{title}” has no date; call it undated where it is cited", title = source.title))
    });
    let has_undated = sources_used(text).into_iter().filter_map(|index| sources.get(index)).any(is_undated);
    CheckResult::new("recency", problem, || match has_undated {
        true => phrase!("all cited sources are of {from} to {until}, or called undated", from, until),
        false => phrase!("all cited sources are of {from} to {until}", from, until),
    })
}

/// Checks that each citation is supported by its source, and that each figure and name occurs in a source.
fn grounded(context: &FunctionContext<'_>) -> CheckResult {
    let text = context.answer_text();
    let sources = &context.sources();
    if sources.is_empty() {
        return CheckResult::new("grounding", None, || phrase!("there is no source to compare with"));
    }
    let judged = judge(sources, text, &asked(context.definition, context.state));
    let mut unsupported: Vec<&JudgedSentence> =
        judged.sentences.iter().filter(|sentence| sentence.verdict == Verdict::NotFound).collect();
    // A sentence that lacks the same words in each source that it cites is one problem.
    unsupported.dedup_by(|one, other| one.sentence == other.sentence && one.words == other.words);
    let problems: Vec<Phrase> =
        unsupported.iter().take(MOST_UNGROUNDED).map(|one| ungrounded(text, one)).collect();
    CheckResult::new("grounding", (!problems.is_empty()).then(|| Phrase::clauses(problems)), || {
        phrase!("every statement with a citation appears in its cited source")
    })
}

/// States which words of a sentence occur in no source.
fn ungrounded(text: &str, judged: &JudgedSentence) -> Phrase {
    let words: Vec<String> = judged.words.iter().map(|word| format!("“{word}”")).collect();
    let sentence = text.get(judged.sentence.clone()).unwrap_or_default();
    let mut start: String = sentence.chars().take(LONGEST_NAMED).collect();
    if start.len() < sentence.len() {
        start.push('…');
    }
    match judged.number {
        None => phrase!("no source has {words}: “{start}”", words, start),
        Some(number) => phrase!("source [{number}] does not say {words}: “{start}”", number, words, start),
    }
}

/// Brings the citations of a text into one form, each a number of a source.
fn cited(context: &FunctionContext<'_>, mut answer: Value) -> Result<Value, Vec<String>> {
    let field = context.text_field();
    let text = answer[&field].as_str().unwrap_or_default().trim();
    let sources = context.sources();
    let text = marked(&normalize_citations(text, sources.len()), &sources);
    if text.is_empty() {
        return Err(vec![format!("`{field}` is empty")]);
    }
    if citations(&text).is_empty() {
        return Err(vec![format!("`{field}` cites nothing; cite each statement as [1]")]);
    }
    answer[&field] = json!(text);
    Ok(answer)
}

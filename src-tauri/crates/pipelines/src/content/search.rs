//! Selects the sources of the text from the hits of the search. Weak hits are left out.

use engine::Acted;
use extractive::{Document, rank};
use kernel::{Delta, Note};
use prose::{clean, clean_article};
use serde_json::{Value, json};
use tools::{Hit, Hits};

use super::quotations::quoted;
use interpreter::{FunctionContext, Registry, Shape, SourceItem};

/// Characters below which a text says too little to write from.
const THIN: usize = 120;

pub(super) fn register(registry: &mut Registry) {
    registry.shapes.insert("relevant_sources", relevant_sources as Shape);
}

/// The hits that fit the subject and have enough text, best first, at most as many as the person asked for.
fn relevant_sources(context: &FunctionContext<'_>, _: &Value, output: Value) -> Acted {
    let Hits { hits, are_chosen, .. } = serde_json::from_value(output).unwrap_or_default();
    let found = hits.len();
    let sources: Vec<SourceItem> = hits.into_iter().map(source).filter(says_something).collect();
    let most = context.read::<f64>("most_sources").unwrap_or(5.0).clamp(1.0, 20.0) as usize;
    let subject = context.text("text_subject");
    let fitting = fitting(subject, &sources, are_chosen);
    // Sources that can be quoted come first, so that the numbers of the cited sources have no gaps.
    let (mut kept, others): (Vec<&SourceItem>, Vec<&SourceItem>) =
        fitting.into_iter().partition(|source| !quoted(source, subject).is_empty());
    kept.extend(others);
    kept.truncate(most);
    let note = Note::decision("sources_kept", json!({ "kept": kept.len(), "found": found }));
    let delta = Delta::of("search_hits", json!({ "found": found }))
        .with("search_results", json!({ "results": kept }));
    Acted { notes: vec![note], delta, ..Acted::default() }
}

/// The sources that fit the subject, best first. They are ranked by their words unless the search has already ranked
/// them by meaning.
fn fitting<'a>(subject: &str, sources: &'a [SourceItem], are_chosen: bool) -> Vec<&'a SourceItem> {
    if are_chosen {
        return sources.iter().collect();
    }
    let documents: Vec<Document<'_>> =
        sources.iter().map(|source| Document { title: &source.title, body: &source.text }).collect();
    rank(subject, &documents).into_iter().filter_map(|(place, _)| sources.get(place)).collect()
}

fn source(hit: Hit) -> SourceItem {
    let Hit { title, url, source, published, text } = hit;
    SourceItem {
        title: clean(&title),
        url,
        source,
        published,
        summary: String::new(),
        text: clean_article(&text),
    }
}

fn says_something(source: &SourceItem) -> bool {
    source.text.chars().count() >= THIN
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hits_that_were_ranked_by_meaning_are_not_ranked_again_by_words() {
        let source = |title: &str| {
            let text = format!("{title} are quiet. {title} cost less. {title} sail far.");
            SourceItem { title: title.to_owned(), text, ..SourceItem::default() }
        };
        let sources = [source("Lamps for night ferries"), source("Sailing boats")];
        let titles = |are_chosen: bool| -> Vec<String> {
            fitting("sailing boats", &sources, are_chosen).into_iter().map(|one| one.title.clone()).collect()
        };
        assert_eq!(titles(true), ["Lamps for night ferries", "Sailing boats"]);
        assert_eq!(titles(false), ["Sailing boats"]);
    }
}

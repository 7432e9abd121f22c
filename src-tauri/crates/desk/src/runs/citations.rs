//! The ledger of citations of a run, computed from its state: no agent writes it, so none can make it wrong.

use std::collections::HashMap;
use std::sync::Arc;

use interpreter::{Judgement, Pipeline, SourceItem, judge};
use kernel::{KeyDeclaration, Role, Seq, State, result_text};
use prose::Verdict;
use serde_json::Value;

use crate::ApiError;
use crate::api::{CitationEntry, CitationLedger, CitationVerdict, CitedSource, Moment};
use crate::runs::RunService;

impl RunService {
    pub(crate) async fn citations_at(&self, moment: Moment) -> Result<CitationLedger, ApiError> {
        let id = self.store.resolve_run(&moment.run).await?;
        let card = self.store.run_card(&id).await?;
        let pipeline = self.pipeline_of_run(&id, &card.pipeline).await?;
        let keys = pipeline.keys();
        if !keys.iter().any(|key| matches!(key.role, Role::Sources { .. })) {
            return Ok(CitationLedger::default());
        }
        let seq = moment.seq.unwrap_or(card.last_seq).min(card.last_seq);
        let state = self.store.state_at(&id, seq).await?;
        let changes = self.store.shown_at(&id, seq).await?.excerpt.changes;
        let set_at =
            |key: &str| changes.get(key).and_then(|changes| changes.last.clone()).map(|(_, seq)| seq);

        let result = result_text(keys, &state);
        let seq = result.as_ref().and_then(|result| set_at(&result.key)).unwrap_or_default();
        let (sources, brought) = sources_of(pipeline.as_ref(), &state);
        let seqs: Vec<Seq> = brought.iter().filter_map(|key| set_at(key)).collect();
        let times: HashMap<Seq, i64> = match seqs.is_empty() {
            true => HashMap::new(),
            false => {
                let events = self.store.picked_events(&id, seqs).await?;
                events.iter().map(|event| (event.seq, event.at_ms)).collect()
            }
        };
        let fetched =
            brought.iter().map(|key| set_at(key).and_then(|seq| times.get(&seq).copied())).collect();
        // Comparing a long text with hundreds of pages takes a while.
        let text = result.map(|result| result.text).unwrap_or_default();
        let asked = pipeline.asked(&state);
        tokio::task::spawn_blocking(move || ledger((&text, &asked), seq, &sources, fetched))
            .await
            .map_err(|_| crate::interrupted())
    }
}

/// `fetched` is the time for each source at which its text was read.
fn ledger(
    (text, asked): (&str, &str),
    seq: Seq,
    sources: &Arc<[SourceItem]>,
    fetched: Vec<Option<i64>>,
) -> CitationLedger {
    let Judgement { sources: judged, sentences } = judge(sources, text, asked);
    let number = |index: usize| u32::try_from(index + 1).unwrap_or(u32::MAX);
    let citations = sentences.iter().map(|entry| {
        let index = entry.number.and_then(|number| number.checked_sub(1));
        let source = index.and_then(|index| judged.get(index));
        let passage = entry.passage.clone().and_then(|range| source?.text().get(range));
        CitationEntry {
            number: index.map(number),
            sentence: text.get(entry.sentence.clone()).unwrap_or_default().to_owned(),
            verdict: match entry.verdict {
                Verdict::Supported => CitationVerdict::Supported,
                Verdict::Weak => CitationVerdict::Weak,
                Verdict::NotFound => CitationVerdict::NotFound,
                Verdict::OutOfRange => CitationVerdict::OutOfRange,
            },
            words: entry.words.clone(),
            passage: passage.unwrap_or_default().to_owned(),
        }
    });
    let citations = citations.collect();
    let shown = |(index, (source, fetched_at_ms)): (usize, (&SourceItem, Option<i64>))| CitedSource {
        number: number(index),
        title: source.title.clone(),
        url: source.url.clone(),
        source: source.source.clone(),
        published: source.published.clone(),
        fetched_at_ms,
        stored: source.body().to_owned(),
    };
    let sources = sources.iter().zip(fetched).enumerate().map(shown).collect();
    CitationLedger { seq, sources, citations }
}

/// The sources of the texts of a state, each with the key that holds most of its text: the full text is often stored
/// beside an agent's selection.
pub(crate) fn sources_of(pipeline: &Pipeline, state: &State) -> (Arc<[SourceItem]>, Vec<String>) {
    let keys = pipeline.keys();
    let mut stored: HashMap<String, (String, String)> = HashMap::new();
    for key in keys.iter().filter(|key| matches!(key.role, Role::Sources { .. } | Role::Data)) {
        let Some(value) = state.get(&key.name).map(|value| value.json_or_null()) else { continue };
        for item in lists(value) {
            let (place, words) = (place_of(text(item, "url"), text(item, "title")), longest(item));
            if !place.is_empty() && stored.get(&place).is_none_or(|(known, _)| known.len() < words.len()) {
                stored.insert(place, (words.to_owned(), key.name.clone()));
            }
        }
    }
    let sources = pipeline.sources(state).unwrap_or_else(|| listed(keys, state, &stored));
    let brought = sources.iter().map(|source| {
        let stored = stored.get(&place_of(&source.url, &source.title));
        stored.map(|(_, key)| key.clone()).unwrap_or_default()
    });
    let brought = brought.collect();
    (sources, brought)
}

/// The items of all keys of sources, each with its longest stored text.
fn listed(
    keys: &[KeyDeclaration],
    state: &State,
    stored: &HashMap<String, (String, String)>,
) -> Arc<[SourceItem]> {
    let mut sources = Vec::new();
    for key in keys {
        let (Role::Sources { items }, Some(value)) = (&key.role, state.get(&key.name)) else { continue };
        for item in value.json_or_null()[items.as_ref()].as_array().into_iter().flatten() {
            let field = |name: &str| text(item, name).to_owned();
            let place = place_of(text(item, "url"), text(item, "title"));
            let whole =
                stored.get(&place).map_or_else(|| longest(item).to_owned(), |(words, _)| words.clone());
            sources.push(SourceItem {
                title: field("title"),
                url: field("url"),
                source: field("source"),
                published: field("published"),
                text: whole,
                ..SourceItem::default()
            });
        }
    }
    sources.into()
}

/// The identity of a source: its address, or the title of a file without one.
fn place_of(url: &str, title: &str) -> String {
    if url.is_empty() && !title.is_empty() { format!("\n{title}") } else { url.to_owned() }
}

/// The items of every list in a value and in its fields.
fn lists(value: &Value) -> impl Iterator<Item = &Value> {
    let fields = value.as_object().into_iter().flat_map(|fields| fields.values());
    std::iter::once(value).chain(fields).filter_map(Value::as_array).flatten()
}

fn text<'a>(item: &'a Value, field: &str) -> &'a str {
    item[field].as_str().unwrap_or_default()
}

/// The longest text of an item apart from its origin.
fn longest(item: &Value) -> &str {
    let fields = item.as_object().into_iter().flatten();
    let texts = fields
        .filter(|(name, _)| !["title", "url", "source", "published", "id"].contains(&name.as_str()))
        .filter_map(|(_, value)| value.as_str());
    texts.max_by_key(|text| text.len()).unwrap_or_default()
}

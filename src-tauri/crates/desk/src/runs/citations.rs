//! The ledger of citations of a run at a moment, made from its state: no agent writes it, so none can be wrong about it.

use std::collections::HashMap;

use kernel::{KeyDeclaration, Role, Seq, State};
use prose::{Verdict, citation_ledger};
use serde_json::Value;

use crate::api::{CitationEntry, CitationLedger, CitationVerdict, CitedSource, Moment};
use crate::{ApiError, Desk};

impl Desk {
    pub(crate) async fn citations_at(&self, moment: Moment) -> Result<CitationLedger, ApiError> {
        let id = self.run_id(&moment.run).await?;
        let card = self.inner.store.run_card(&id).await?;
        let pipeline = self.pipeline_of_run(&id, &card.pipeline).await?;
        let keys = &pipeline.describe().keys;
        if !keys.iter().any(|key| matches!(key.role, Role::Sources { .. })) {
            return Ok(CitationLedger::default());
        }
        let seq = moment.seq.unwrap_or(card.last_seq).min(card.last_seq);
        let state = self.inner.store.state_at(&id, seq).await?;
        let changes = self.inner.store.shown_at(&id, seq).await?.excerpt.changes;
        let set_at =
            |key: &str| changes.get(key).and_then(|changes| changes.last.clone()).map(|(_, seq)| seq);

        let (text, seq) = standing_text(keys, &state, set_at).unwrap_or_default();
        let (mut sources, brought) = sources_of(keys, &state);
        let seqs: Vec<Seq> = brought.iter().filter_map(|key| set_at(key)).collect();
        let times: HashMap<Seq, i64> = match seqs.is_empty() {
            true => HashMap::new(),
            false => {
                let events = self.inner.store.picked_events(&id, seqs).await?;
                events.iter().map(|event| (event.seq, event.at_ms)).collect()
            }
        };
        for (source, key) in sources.iter_mut().zip(&brought) {
            source.fetched_at_ms = set_at(key).and_then(|seq| times.get(&seq).copied());
        }
        // Hundreds of pages are held against a long text.
        tokio::task::spawn_blocking(move || ledger(&text, seq, sources)).await.map_err(|_| crate::closing())
    }
}

fn ledger(text: &str, seq: Seq, sources: Vec<CitedSource>) -> CitationLedger {
    let whole: Vec<String> = sources
        .iter()
        .map(|CitedSource { title, source, published, stored, .. }| {
            format!("{stored}\n\n{title}\n\n{source}\n\n{published}")
        })
        .collect();
    let texts: Vec<&str> = whole.iter().map(String::as_str).collect();
    let citations = citation_ledger(text, &texts)
        .into_iter()
        .map(|entry| {
            let whole = entry.number.checked_sub(1).and_then(|index| texts.get(index));
            let passage = entry.passage.and_then(|range| whole?.get(range));
            CitationEntry {
                number: u32::try_from(entry.number).unwrap_or(u32::MAX),
                sentence: entry.sentence.to_owned(),
                verdict: match entry.verdict {
                    Verdict::Supported => CitationVerdict::Supported,
                    Verdict::Weak => CitationVerdict::Weak,
                    Verdict::NotFound => CitationVerdict::NotFound,
                    Verdict::OutOfRange => CitationVerdict::OutOfRange,
                },
                words: entry.words,
                passage: passage.unwrap_or_default().to_owned(),
            }
        })
        .collect();
    CitationLedger { seq, sources, citations }
}

/// The text that stands: of the drafts and final texts that are not empty the one that was written last.
fn standing_text(
    keys: &[KeyDeclaration],
    state: &State,
    set_at: impl Fn(&str) -> Option<Seq>,
) -> Option<(String, Seq)> {
    let texts = keys.iter().filter_map(|key| {
        let value = state.get(&key.name)?.json_or_null();
        let text = match &key.role {
            Role::Draft { edit, .. } if !edit.is_empty() => value[edit.as_ref()].as_str()?,
            Role::Draft { .. } | Role::Final => value.as_str()?,
            _ => return None,
        };
        (!text.trim().is_empty()).then(|| (text.to_owned(), set_at(&key.name).unwrap_or_default()))
    });
    texts.max_by_key(|(_, seq)| *seq)
}

/// The numbered sources, and beside each the key whose value has most of its words: what was found is often kept whole
/// beside what an agent chose of it.
pub(crate) fn sources_of(keys: &[KeyDeclaration], state: &State) -> (Vec<CitedSource>, Vec<String>) {
    let mut stored: HashMap<String, (String, String)> = HashMap::new();
    let mut sources = Vec::new();
    let mut brought = Vec::new();
    for key in keys {
        let Some(value) = state.get(&key.name).map(|value| value.json_or_null()) else { continue };
        if matches!(key.role, Role::Sources { .. } | Role::Data) {
            for item in lists(value) {
                let (place, words) = (place_of(text(item, "url"), text(item, "title")), longest(item));
                if !place.is_empty() && stored.get(&place).is_none_or(|(known, _)| known.len() < words.len())
                {
                    stored.insert(place, (words.to_owned(), key.name.clone()));
                }
            }
        }
        if let Role::Sources { items } = &key.role {
            for item in value[items.as_ref()].as_array().into_iter().flatten() {
                sources.push(CitedSource {
                    number: u32::try_from(sources.len() + 1).unwrap_or(u32::MAX),
                    title: text(item, "title").to_owned(),
                    url: text(item, "url").to_owned(),
                    source: text(item, "source").to_owned(),
                    published: text(item, "published").to_owned(),
                    fetched_at_ms: None,
                    stored: longest(item).to_owned(),
                });
                brought.push(key.name.clone());
            }
        }
    }
    for (source, key) in sources.iter_mut().zip(&mut brought) {
        if let Some((words, of)) = stored.get(&place_of(&source.url, &source.title)) {
            (source.stored, *key) = (words.clone(), of.clone());
        }
    }
    (sources, brought)
}

/// By what a source is known again: its address, or, of a file without one, its title.
fn place_of(url: &str, title: &str) -> String {
    if url.is_empty() && !title.is_empty() { format!("\n{title}") } else { url.to_owned() }
}

/// The members of every list in a value, and in the fields of a value.
fn lists(value: &Value) -> impl Iterator<Item = &Value> {
    let fields = value.as_object().into_iter().flat_map(|fields| fields.values());
    std::iter::once(value).chain(fields).filter_map(Value::as_array).flatten()
}

fn text<'a>(item: &'a Value, field: &str) -> &'a str {
    item[field].as_str().unwrap_or_default()
}

/// The longest text of an item that does not say where it is from.
fn longest(item: &Value) -> &str {
    let fields = item.as_object().into_iter().flatten();
    let texts = fields
        .filter(|(name, _)| !["title", "url", "source", "published", "id"].contains(&name.as_str()))
        .filter_map(|(_, value)| value.as_str());
    texts.max_by_key(|text| text.len()).unwrap_or_default()
}

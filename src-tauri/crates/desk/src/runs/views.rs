//! Long runs in windows: the view at a moment, and the index of all events for filters.

use std::collections::BTreeMap;

use kernel::{Definition, Event, EventKind, Json, Path, Role, RunFold, Seq, is_trouble, kind};

use crate::ApiError;
use crate::api::{Budget, EventIndex, HeldValue, KeyChanges, Moment, RunRef, RunView};
use crate::runs::RunService;
use crate::runs::history::entry;

const KINDS: [EventKind; 6] = [
    EventKind::Run,
    EventKind::Stage,
    EventKind::State,
    EventKind::Asked,
    EventKind::Answered,
    EventKind::Note,
];
const TROUBLE: u8 = 128;
/// Events that are read at once for the index.
const WINDOW: u32 = 4096;
/// The number of newest events that are sent completely: the journal shows them and the requests that they answer.
const WHOLE: Seq = 60;
/// In older events, values longer than this many bytes of JSON are replaced by their hash.
const SHORT: usize = 512;

/// Replaces long values of an event by their hashes.
fn shorten(event: &mut Event) {
    for value in event.values_mut().into_iter().filter(|value| value.bytes() > SHORT) {
        *value = value.stored();
    }
}

/// The usage and the limits of a run's agents.
fn budgets(definition: &Definition, fold: &RunFold) -> BTreeMap<String, Budget> {
    let used = fold.usage.agents.iter().map(|(name, used)| (name.clone(), used.clone()));
    let mut budgets: BTreeMap<String, Budget> =
        used.map(|(name, used)| (name, Budget { used, ..Budget::default() })).collect();
    let of_agents = definition.agents.iter().map(|(place, own)| (place, &own.limits));
    for (place, limits) in of_agents.chain(&definition.stage_limits) {
        budgets.entry(place.clone()).or_default().limits = limits.clone();
    }
    for (place, changed) in &fold.own_limits {
        let budget = budgets.entry(place.clone()).or_default();
        changed.iter().for_each(|(name, most)| budget.limits.set(*name, *most));
    }
    for (place, budget) in &mut budgets {
        let instance = fold.usage.instances.get(&Path::root(place));
        if let Some(used) = instance.and_then(|usage| usage.agents.get(Path::name_of(place))) {
            budget.used = used.clone();
        }
    }
    budgets
}

impl RunService {
    pub(crate) async fn view_at(&self, moment: Moment) -> Result<RunView, ApiError> {
        let id = self.store.resolve_run(&moment.run).await?;
        let pipeline = self.store.run_card(&id).await?.pipeline;
        let pipeline = self.pipeline_of_run(&id, &pipeline).await?;
        let keys = pipeline.keys();
        // Versions of other keys are read when their history is opened.
        let has_versions = |name: &str| {
            let role = keys.iter().find(|key| key.name == name).map(|key| &key.role);
            matches!(role, Some(Role::Draft { .. } | Role::Final | Role::Review { .. }))
        };
        let shown = self.store.shown_at(&id, moment.seq.unwrap_or(Seq::MAX)).await?;
        let (fold, excerpt) = (shown.fold, shown.excerpt);
        let mut seqs = excerpt.seqs(has_versions);
        if seqs.last() != Some(&fold.last_seq) {
            seqs.push(fold.last_seq);
        }
        let mut events = self.store.picked_events(&id, seqs).await?;
        let whole_from = fold.last_seq.saturating_sub(WHOLE) + 1;
        // All reviews are read: they tell which issue was resolved in which draft.
        let is_review =
            |name: &str| keys.iter().any(|key| key.name == name && matches!(key.role, Role::Review { .. }));
        for event in events.iter_mut().take_while(|event| event.seq < whole_from) {
            if !event.delta().is_some_and(|delta| delta.keys().any(is_review)) {
                shorten(event);
            }
        }
        let definition = self.store.start(&id).await?.definition;
        let (gates, budgets) = (fold.gates_now(&definition), budgets(&definition, &fold));
        let state = fold.state.iter().map(|(key, value)| {
            let (author, seq) =
                excerpt.changes.get(key).and_then(|changes| changes.last.clone()).unwrap_or_default();
            (
                key.to_owned(),
                HeldValue { value: Json(serde_json::to_value(value).unwrap_or_default()), seq, author },
            )
        });
        let changes: BTreeMap<String, KeyChanges> = excerpt
            .changes
            .iter()
            .filter(|(key, changes)| has_versions(key) && !changes.older.is_empty())
            .map(|(key, changes)| {
                (key.clone(), KeyChanges { versions: changes.versions, older: changes.older.clone() })
            })
            .collect();
        Ok(RunView {
            seq: fold.last_seq,
            at_ms: fold.last_at_ms,
            state: state.collect(),
            // The raw usage: the page continues the fold from here, and counts calls in flight when the run resumes.
            usage: fold.usage,
            profiles: fold.profiles,
            gates,
            budgets,
            entries: events.into_iter().map(entry).collect(),
            whole_from,
            changes,
            touched: excerpt.touched,
            times: excerpt.times,
        })
    }

    pub(crate) async fn index_events(&self, run: RunRef) -> Result<EventIndex, ApiError> {
        let id = self.store.resolve_run(&run.run).await?;
        let mut index =
            EventIndex { authors: Vec::new(), kinds: KINDS.to_vec(), marks: Vec::new(), by: Vec::new() };
        loop {
            let from = u32::try_from(index.marks.len()).unwrap_or(u32::MAX).saturating_add(1);
            let events = self.store.events(&id, from, WINDOW).await?;
            let is_last = events.len() < WINDOW as usize;
            for event in events {
                // In a copy without some events the numbers have gaps.
                index.marks.resize(event.seq as usize, 0);
                index.by.resize(event.seq as usize, 0);
                let author = index.authors.iter().position(|author| *author == event.author);
                let author = author.unwrap_or_else(|| {
                    index.authors.push(event.author.clone());
                    index.authors.len() - 1
                });
                let of_kind = KINDS.iter().position(|each| *each == kind(&event.fact)).unwrap_or_default();
                let place = event.seq as usize - 1;
                index.marks[place] = of_kind as u8 | if is_trouble(&event.fact) { TROUBLE } else { 0 };
                index.by[place] = u32::try_from(author).unwrap_or(u32::MAX);
            }
            if is_last {
                return Ok(index);
            }
        }
    }
}

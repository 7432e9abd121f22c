//! What is already known of a run, place by place; and what of it no longer holds when it goes on.
//!
//! Pure. Re-execution asks for the event at a place and ordinal; a run that goes on first drops the
//! tail that stopped it: the effects that failed, were cut off or never answered, and all that
//! followed from them. What ran beside them keeps its records.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use kernel::{Answer, Effect, EffectClass, Ended, Event, Fact, Path, QuestionKind, Seq};

/// The events that hold, by place and ordinal.
#[derive(Debug, Default)]
pub(crate) struct Records {
    by_place: HashMap<Path, BTreeMap<u32, Event>>,
    occupied: BTreeSet<Seq>,
}

impl Records {
    /// The records of a log: events of the tree that were not dropped.
    pub(crate) fn of(events: Vec<Event>) -> Records {
        let dropped = dropped(&events);
        let mut records = Records::default();
        for event in events {
            records.occupied.insert(event.seq);
            if !event.is_outside() && !dropped.contains(&event.seq) {
                records.by_place.entry(event.path.clone()).or_default().insert(event.n, event);
            }
        }
        records
    }

    pub(crate) fn get(&self, path: &Path, n: u32) -> Option<&Event> {
        self.by_place.get(path)?.get(&n)
    }

    /// The recorded answer to the request at this ordinal.
    pub(crate) fn answer_to(&self, path: &Path, asked_n: u32) -> Option<&Event> {
        self.by_place
            .get(path)?
            .range(asked_n + 1..)
            .map(|(_, event)| event)
            .find(|event| matches!(&event.fact, Fact::EffectAnswered { asked, .. } if *asked == asked_n))
    }

    pub(crate) fn is_occupied(&self, seq: Seq) -> bool {
        self.occupied.contains(&seq)
    }

    /// Events of the tree that hold, in the order of their numbers.
    pub(crate) fn all(&self) -> Vec<&Event> {
        let mut all: Vec<&Event> = self.by_place.values().flat_map(BTreeMap::values).collect();
        all.sort_by_key(|event| event.seq);
        all
    }
}

/// The numbers of all events that a later resumption dropped.
pub fn dropped(events: &[Event]) -> BTreeSet<Seq> {
    events
        .iter()
        .filter_map(|event| match &event.fact {
            Fact::RunResumed { drops, .. } => Some(drops),
            Fact::RunStarted { .. }
            | Fact::AgentStarted { .. }
            | Fact::AgentEnded { .. }
            | Fact::StateChanged { .. }
            | Fact::EffectAsked { .. }
            | Fact::EffectAnswered { .. }
            | Fact::Noted { .. }
            | Fact::RunEnded { .. } => None,
        })
        .flatten()
        .copied()
        .collect()
}

/// What is kept of a question that waits when the run goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpenQuestions {
    /// It is asked again.
    AskAgain,
    /// It stays, its answer follows.
    Keep,
}

/// The numbers of the events that no longer hold when a run goes on from these events.
pub fn drops_to_go_on(events: &[Event], questions: OpenQuestions) -> Vec<Seq> {
    let gone = dropped(events);
    let live: Vec<&Event> = events.iter().filter(|e| !e.is_outside() && !gone.contains(&e.seq)).collect();
    let mut places: HashMap<&Path, Vec<&Event>> = HashMap::new();
    for &event in &live {
        places.entry(&event.path).or_default().push(event);
    }
    let mut seeds: Vec<&Event> =
        live.iter().copied().filter(|event| matches!(event.fact, Fact::RunEnded { .. })).collect();
    for place in places.values() {
        seeds.extend(failed_tail(place, questions));
    }
    let mut drops: BTreeSet<Seq> = seeds.into_iter().flat_map(|seed| following(&live, seed)).collect();
    drop_bare_starts(&live, &mut drops);
    drops.into_iter().collect()
}

/// An event and all that followed from it: everything later but what ran beside it.
fn following(live: &[&Event], seed: &Event) -> Vec<Seq> {
    live.iter()
        .filter(|event| event.seq >= seed.seq && !event.path.is_beside(&seed.path))
        .map(|event| event.seq)
        .collect()
}

/// The numbers of an event and of all that followed from it, of those that hold.
pub(crate) fn followers(events: &[Event], seed: &Event) -> Vec<Seq> {
    let gone = dropped(events);
    let live: Vec<&Event> = events.iter().filter(|e| !e.is_outside() && !gone.contains(&e.seq)).collect();
    following(&live, seed)
}

/// The first event of the tail of a place that stopped it, if its work did not go on from there.
fn failed_tail<'a>(place: &[&'a Event], questions: OpenQuestions) -> Option<&'a Event> {
    let ended_well =
        place.iter().any(|event| matches!(&event.fact, Fact::AgentEnded { ended: Ended::Done { .. }, .. }));
    if ended_well {
        return None;
    }
    let mut first = None;
    for asked in place.iter().rev() {
        let Fact::EffectAsked { effect, .. } = &asked.fact else { continue };
        let answer = place.iter().find_map(|event| match &event.fact {
            Fact::EffectAnswered { asked: n, answer, .. } if *n == asked.n => Some(answer),
            _ => None,
        });
        let is_limit_question = matches!(
            effect,
            Effect::Question { question } if matches!(question.kind, QuestionKind::Limit { .. })
        );
        let is_once = matches!(effect, Effect::Tool { call } if call.class == EffectClass::Once);
        let stops = match answer {
            Some(Answer::Done { .. }) => is_limit_question,
            Some(Answer::Failed { .. } | Answer::Interrupted { .. }) => true,
            // What may be done only once and was in flight stays: the person is asked about it.
            None if is_once => false,
            None if matches!(effect, Effect::Question { .. }) => questions == OpenQuestions::AskAgain,
            None => true,
        };
        if !stops {
            break;
        }
        first = Some(*asked);
    }
    first
}

/// An agent that did nothing yet but start starts anew, so that it sees what changed since.
fn drop_bare_starts(live: &[&Event], drops: &mut BTreeSet<Seq>) {
    loop {
        let kept: Vec<&&Event> = live.iter().filter(|event| !drops.contains(&event.seq)).collect();
        let bare: Vec<Seq> = kept
            .iter()
            .filter(|event| matches!(event.fact, Fact::AgentStarted { .. }))
            .filter(|start| {
                !kept.iter().any(|other| {
                    other.seq != start.seq && (other.path == start.path || other.path.is_below(&start.path))
                })
            })
            .map(|event| event.seq)
            .collect();
        if bare.is_empty() {
            return;
        }
        drops.extend(bare);
    }
}

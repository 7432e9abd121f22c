//! The recorded events of a run by place, and which of them no longer hold when it resumes.
//!
//! Pure functions. Re-execution looks up the event at a path and ordinal. A run that resumes first drops the tail that
//! stopped it: the effects that failed, were cut off or have no answer, and all that followed from them. Concurrent
//! events keep their records.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use kernel::{
    AgentOutcome, Answer, Code, Effect, EffectClass, Error, Event, Fact, GateSide, Path, QuestionKind, Seq,
    ToolFailure,
};

use crate::questions;

/// The events that hold, by path and ordinal.
#[derive(Debug, Default)]
pub(crate) struct Records {
    by_place: HashMap<Path, BTreeMap<u32, Event>>,
    occupied: BTreeSet<Seq>,
}

impl Records {
    /// The records of a log: all events of the tree that were not dropped.
    pub(crate) fn of(events: Vec<Event>) -> Records {
        let dropped = dropped(&events);
        let mut records = Records::default();
        for event in events {
            records.occupied.insert(event.seq);
            if !event.is_outside() && !dropped.contains(&event.seq) {
                records.by_place.entry(event.path.clone()).or_default().insert(event.n, event);
            }
        }
        // A copy of the log may lack dropped events; their numbers stay occupied.
        records.occupied.extend(dropped);
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

    /// The changes made by answers of the person, each with the number of the answer from which it holds.
    pub(crate) fn changes(&self) -> Vec<(Seq, questions::Change)> {
        let mut changes: Vec<(Seq, questions::Change)> = Vec::new();
        for events in self.by_place.values() {
            for asked in events.values() {
                let Fact::EffectAsked { effect: Effect::Question { question }, .. } = &asked.fact else {
                    continue;
                };
                if let Some(answered) = self.answer_to(&asked.path, asked.n)
                    && let Fact::EffectAnswered { answer: Answer::Done { result }, .. } = &answered.fact
                    && let Some(change) = questions::change(question, result)
                {
                    changes.push((answered.seq, change));
                }
            }
        }
        changes.sort_by_key(|(seq, _)| *seq);
        changes
    }

    /// The first free number behind `after`: that of an event that a copy lacks.
    pub(crate) fn free_place(&self, after: Seq) -> Seq {
        let mut place = after + 1;
        while self.occupied.contains(&place) {
            place += 1;
        }
        place
    }

    /// Takes the first free number behind `after`.
    pub(crate) fn take_place(&mut self, after: Seq) -> Seq {
        let place = self.free_place(after);
        self.occupied.insert(place);
        place
    }

    /// The number for the start of an agent, where a copy lacks that start. No time passes between the start and the
    /// first effect, so the number is derived from that effect. `after` does not help beside siblings, whose numbers
    /// mix: it may be a number that was free only behind their events.
    pub(crate) fn place_of_start(&self, path: &Path, after: Seq) -> Seq {
        let is_branch = path.is_beside_others();
        let known =
            self.by_place.iter().filter(|(place, _)| is_branch && (*place == path || place.is_below(path)));
        let first = known.flat_map(|(_, events)| events.values()).map(|event| event.seq);
        first.min().unwrap_or_else(|| self.free_place(after))
    }

    /// The events of the tree that hold, in the order of their numbers.
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
            | Fact::GatesSet { .. }
            | Fact::AgentStarted { .. }
            | Fact::AgentEnded { .. }
            | Fact::RoundEnded { .. }
            | Fact::StateChanged { .. }
            | Fact::EffectAsked { .. }
            | Fact::RequestFailed { .. }
            | Fact::RequestSent { .. }
            | Fact::EffectAnswered { .. }
            | Fact::FellBack { .. }
            | Fact::Noted { .. }
            | Fact::RunEnded { .. } => None,
        })
        .flatten()
        .copied()
        .collect()
}

/// How a resumption treats an open question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpenQuestions {
    /// The question is asked again.
    AskAgain,
    /// The question stays; its answer follows.
    Keep,
}

/// The numbers of the events that no longer hold when a run resumes from these events.
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
        seeds.extend(failed_tail(&live, place, questions));
    }
    let mut drops: BTreeSet<Seq> = seeds.into_iter().flat_map(|seed| following(&live, seed)).collect();
    drop_bare_starts(&live, &mut drops);
    drops.into_iter().collect()
}

/// An event and all that followed from it: all later events that are not concurrent with it.
fn following(live: &[&Event], seed: &Event) -> Vec<Seq> {
    live.iter()
        .filter(|event| event.seq >= seed.seq && !event.path.is_concurrent_with(&seed.path))
        .map(|event| event.seq)
        .collect()
}

/// Of the events that hold, the numbers of one and of all that followed from it.
pub(crate) fn followers(events: &[Event], seed: &Event) -> Vec<Seq> {
    let gone = dropped(events);
    let live: Vec<&Event> = events.iter().filter(|e| !e.is_outside() && !gone.contains(&e.seq)).collect();
    following(&live, seed)
}

/// The first event of the tail that stopped a place, unless the place continued afterwards.
fn failed_tail<'a>(live: &[&'a Event], place: &[&'a Event], questions: OpenQuestions) -> Option<&'a Event> {
    let end = place.iter().find(|event| matches!(event.fact, Fact::AgentEnded { .. }));
    if end.is_some_and(|end| is_settled(live, end)) || is_seen_by_model(live, place) {
        return None;
    }
    let has_ended = live.iter().any(|event| matches!(event.fact, Fact::RunEnded { .. }));
    let mut first = None;
    let mut is_idle = true;
    for (index, asked) in place.iter().enumerate().rev() {
        let Fact::EffectAsked { effect, .. } = &asked.fact else { continue };
        is_idle = false;
        if is_about_lost(place, index) || is_about_time(place, index) {
            continue;
        }
        let answer = answer_in(place, asked.n);
        if matches!(effect, Effect::Tool { .. })
            && place.iter().skip(index + 1).any(|event| asks_model(event))
        {
            // The model has seen the outcome.
            break;
        }
        if matches!(effect, Effect::Tool { call } if call.class == EffectClass::Once) {
            match dropped_of_once(place, index, has_ended, questions) {
                DroppedOnce::Nothing => {}
                DroppedOnce::Effect => {
                    first = Some(*asked);
                    continue;
                }
                DroppedOnce::Rest => first = place.get(index + 1).copied(),
            }
            break;
        }
        let stops = match (answer, effect) {
            (Some(Answer::Done { result }), Effect::Question { question }) => {
                has_ended && questions::is_refusal(question, result)
            }
            (Some(Answer::Done { .. }), _) => false,
            (Some(Answer::Failed { .. } | Answer::Interrupted { .. }), _) => true,
            (None, Effect::Question { .. }) => questions == OpenQuestions::AskAgain,
            (None, _) => true,
        };
        if !stops {
            break;
        }
        first = Some(*asked);
        if matches!((effect, answer), (Effect::Tool { .. }, Some(Answer::Failed { error })) if !is_refused(error))
            && let Some(question) = permission_before(place, index)
        {
            // A permission for one call covers one attempt, so it is asked for again.
            first = Some(question);
            break;
        }
    }
    // An agent that failed before its first effect starts again: the state that it sees may have changed.
    let start = place.first().copied().filter(|start| {
        is_idle
            && end.is_some()
            && !live.iter().any(|event| {
                event.path.is_below(&start.path)
                    && !matches!(event.fact, Fact::RoundEnded { .. })
                    && GateSide::of(&event.path).is_none()
            })
    });
    first.or(start)
}

/// Whether the calls at a path belong to one model turn, made in a branch, and the model has seen their results.
fn is_seen_by_model(live: &[&Event], place: &[&Event]) -> bool {
    let (Some(first), Some(last)) = (place.first(), place.last()) else { return false };
    if matches!(first.fact, Fact::AgentStarted { .. }) {
        return false;
    }
    let Some(above) = first.path.as_str().rfind('|').map(|end| &first.path.as_str()[..end]) else {
        return false;
    };
    live.iter().any(|event| event.seq > last.seq && event.path.as_str() == above && asks_model(event))
}

fn asks_model(event: &Event) -> bool {
    matches!(&event.fact, Fact::EffectAsked { effect: Effect::Model { .. }, .. })
}

/// Whether a call was not made because a rule or the person refused it.
fn is_refused(error: &Error) -> bool {
    matches!(error.tool_failure.as_deref(), Some(ToolFailure::Refused { .. }))
}

/// The question that allowed a call: the effect right before it.
fn permission_before<'a>(place: &[&'a Event], index: usize) -> Option<&'a Event> {
    let before = place.iter().take(index).rfind(|event| matches!(event.fact, Fact::EffectAsked { .. }))?;
    matches!(&before.fact, Fact::EffectAsked { effect: Effect::Question { question }, .. } if matches!(question.kind, QuestionKind::Permission { .. }))
        .then_some(*before)
}

/// Whether an agent ended well, or an agent above it continued after its failure. A limit of the run is never settled:
/// the result after it is only the best so far.
fn is_settled(live: &[&Event], end: &Event) -> bool {
    match &end.fact {
        Fact::AgentEnded { outcome: AgentOutcome::Done { .. }, .. } => true,
        Fact::AgentEnded { outcome: AgentOutcome::Failed { error }, .. }
            if error.code != Code::LimitReached
                || error.limit.as_ref().is_some_and(|reached| reached.agent.is_some()) =>
        {
            live.iter().any(|event| {
                let goes_on = matches!(
                    event.fact,
                    Fact::AgentStarted { .. } | Fact::AgentEnded { outcome: AgentOutcome::Done { .. }, .. }
                );
                goes_on && event.seq > end.seq && !event.path.is_concurrent_with(&end.path)
            })
        }
        _ => false,
    }
}

fn answer_in<'a>(place: &[&'a Event], asked_n: u32) -> Option<&'a Answer> {
    place.iter().find_map(|event| match &event.fact {
        Fact::EffectAsked { .. } => None,
        Fact::EffectAnswered { asked, answer, .. } if *asked == asked_n => Some(answer),
        _ => None,
    })
}

/// Whether the event asks about the effect right before it, which was lost in flight.
fn is_about_lost(place: &[&Event], index: usize) -> bool {
    let is_repeat = |event: &&Event| matches!(&event.fact, Fact::EffectAsked { effect: Effect::Question { question }, .. } if question.kind == QuestionKind::Repeat);
    let is_tool =
        |event: &&Event| matches!(&event.fact, Fact::EffectAsked { effect: Effect::Tool { .. }, .. });
    place.get(index).is_some_and(is_repeat)
        && index.checked_sub(1).and_then(|before| place.get(before)).is_some_and(is_tool)
}

/// Whether the event asks for more time while an effect before it is in flight.
fn is_about_time(place: &[&Event], index: usize) -> bool {
    let is_question = |event: &Event| match &event.fact {
        Fact::EffectAsked { effect: Effect::Question { question }, .. } => {
            Some(question.limit_reached().is_some())
        }
        Fact::EffectAsked { .. } => Some(false),
        _ => None,
    };
    let (before, rest) = place.split_at(index.min(place.len()));
    if rest.first().and_then(|event| is_question(event)) != Some(true) {
        return false;
    }
    let effect = before.iter().rfind(|event| is_question(event) == Some(false));
    effect.is_some_and(|effect| answer_in(before, effect.n).is_none())
}

/// The part of an effect that may be executed only once which a resumption drops.
enum DroppedOnce {
    /// Nothing.
    Nothing,
    /// All of it: it failed and is requested again.
    Effect,
    /// Everything behind the request: the effect may have happened, so the person decides.
    Rest,
}

fn dropped_of_once(place: &[&Event], index: usize, has_ended: bool, questions: OpenQuestions) -> DroppedOnce {
    let question = place.get(index + 1).filter(|_| is_about_lost(place, index + 1));
    let answer = place.get(index).and_then(|asked| answer_in(place, asked.n));
    let decision = question.and_then(|question| answer_in(place, question.n));
    match (answer, question, decision) {
        (Some(Answer::Done { .. }), ..) => DroppedOnce::Nothing,
        // The call has begun and waits for answers to its server's questions.
        (Some(Answer::Failed { error }), ..) if error.asks_first() => DroppedOnce::Nothing,
        // It is unknown whether the effect happened: the person decides whether to repeat it.
        (Some(Answer::Failed { error }), None, _) if is_unknown(error) => match has_ended {
            true => DroppedOnce::Rest,
            false => DroppedOnce::Nothing,
        },
        (Some(Answer::Failed { .. }), None, _) => DroppedOnce::Effect,
        (Some(Answer::Failed { .. }), Some(_), _) if !has_ended => DroppedOnce::Nothing,
        (Some(_), ..) => DroppedOnce::Rest,
        (None, None, _) if is_about_time(place, index + 1) => DroppedOnce::Rest,
        (None, None, _) => DroppedOnce::Nothing,
        (None, Some(_), None) if questions == OpenQuestions::Keep => DroppedOnce::Nothing,
        // A repetition was in flight again. A refusal to repeat it holds.
        (None, Some(_), Some(Answer::Done { result })) if result.as_str() != Some(questions::REPEAT) => {
            DroppedOnce::Nothing
        }
        (None, Some(_), _) => DroppedOnce::Rest,
    }
}

/// Whether it is unknown if a call happened.
fn is_unknown(error: &Error) -> bool {
    error.tool_failure.as_deref() == Some(&ToolFailure::OutcomeUnknown)
}

/// An agent that has started and done nothing else starts again, so that it sees later changes.
fn drop_bare_starts(live: &[&Event], drops: &mut BTreeSet<Seq>) {
    loop {
        let kept: Vec<&&Event> = live.iter().filter(|event| !drops.contains(&event.seq)).collect();
        let mut events_within: HashMap<&str, usize> = HashMap::new();
        for event in &kept {
            let place = event.path.as_str();
            // A gate before or behind the agent is no work of its own.
            let mut above = match GateSide::of(&event.path) {
                Some(_) => kernel::Path::above(place).and_then(kernel::Path::above),
                None => Some(place),
            };
            while let Some(place) = above {
                *events_within.entry(place).or_default() += 1;
                above = kernel::Path::above(place);
            }
        }
        let bare: Vec<Seq> = kept
            .iter()
            .filter(|event| matches!(event.fact, Fact::AgentStarted { .. }))
            .filter(|start| events_within.get(start.path.as_str()) == Some(&1))
            .map(|event| event.seq)
            .collect();
        if bare.is_empty() {
            return;
        }
        drops.extend(bare);
    }
}

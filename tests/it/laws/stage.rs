//! One run under test over all its processes, and what must hold of any log whatever happened.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use engine::{
    Agent, Continuation, Fork, Log, Recorded, Replayed, Reply, RunEnd, RunHandle, dropped, fork, go_on,
    replay, start,
};
use kernel::{
    Answer, Definition, Delta, Effect, Error, Event, Fact, Gate, ITEM, Limits, Note, RESULT, RunFold, RunId,
    Seq, SessionId, Start, State, USER, USER_WORDS, Value,
};
use proptest::test_runner::Config;

use super::agents::{SEEN, hash_of, told_to_be};
use super::log::{Death, Disk, MemoryLog};
use super::rounds::assert_rounds;
use super::tree::Tree;
use super::world::{Touched, spot_of, world};

/// So many generated cases; nothing is left behind.
pub(crate) fn cases(count: u32) -> Config {
    Config { cases: count, failure_persistence: None, max_shrink_iters: 200, ..Config::default() }
}

/// Runs a test's future on one thread, so that it goes the same way each time.
pub(crate) fn on_one_thread<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(work)
}

pub(crate) struct Stage {
    pub(crate) root: Arc<dyn Agent>,
    pub(crate) disk: Arc<Disk>,
    pub(crate) touched: Arc<Touched>,
    pub(crate) limits: Limits,
    pub(crate) gates: BTreeMap<String, Gate>,
    pub(crate) inputs: BTreeMap<String, Value>,
}

impl Stage {
    pub(crate) fn of(tree: &Tree) -> Stage {
        Stage::with(tree.build(), |_| {})
    }

    /// A stage with gates around every third agent.
    pub(crate) fn gated(tree: &Tree) -> Stage {
        let stage = Stage::of(tree);
        let names = stage.root.outline().walk().into_iter().map(|agent| agent.name.clone());
        let gates = names.enumerate().filter_map(|(index, name)| match index % 3 {
            1 => Some((name, Gate { before: true, after: index % 2 == 0 })),
            2 => Some((name, Gate { before: index % 2 == 1, after: true })),
            _ => None,
        });
        Stage { gates: gates.collect(), ..stage }
    }

    /// Its log is kept in memory alone, for a law that runs hundreds of processes.
    pub(crate) fn in_memory(self) -> Stage {
        let disk = Arc::new(Disk::default());
        let mut touched = Arc::into_inner(self.touched).unwrap();
        touched.disk = disk.clone();
        Stage { touched: Arc::new(touched), disk, ..self }
    }

    /// A stage for a root of any kind, its world arranged by the test.
    pub(crate) fn with(root: Arc<dyn Agent>, arrange: impl FnOnce(&mut Touched)) -> Stage {
        let disk = Arc::new(Disk::with_database());
        let inputs = BTreeMap::from([("topic".into(), Value::text("first topic"))]);
        let mut touched = Touched::new(disk.clone());
        arrange(&mut touched);
        Stage {
            root,
            disk,
            touched: Arc::new(touched),
            limits: Limits::default(),
            gates: BTreeMap::new(),
            inputs,
        }
    }

    pub(crate) fn definition(&self) -> Definition {
        let outline = self.root.outline().clone();
        let agents = outline.walk().into_iter().map(|agent| (agent.name.clone(), told_to_be(&agent.name)));
        Definition {
            pipeline: "laws".into(),
            declared: None,
            title: "laws".into(),
            agents: agents.collect(),
            outline,
            limits: self.limits.clone(),
            tools: Default::default(),
            foreign_tools: Default::default(),
            as_of: None,
            allowed_tools: vec!["act".parse().unwrap()],
            gates: self.gates.clone(),
            replies: Vec::new(),
            given_instructions: Vec::new(),
            notes: kernel::NoteTexts::new(),
            already_done: Vec::new(),
            local_tokens: BTreeMap::new(),
            on_failure: Default::default(),
            decides_issues: false,
            stage_limits: BTreeMap::new(),
            is_rewrite: false,
            taken_over: Vec::new(),
            is_lost: false,
        }
    }

    pub(crate) async fn begin(&self, death: Option<Death>) -> Result<(RunHandle, Arc<MemoryLog>), Error> {
        self.begin_with(self.definition(), death).await
    }

    async fn begin_with(
        &self,
        definition: Definition,
        death: Option<Death>,
    ) -> Result<(RunHandle, Arc<MemoryLog>), Error> {
        self.begin_in(definition, MemoryLog::open(self.disk.clone(), death)).await
    }

    /// Begins in a process of this log.
    pub(crate) async fn begin_in(
        &self,
        definition: Definition,
        log: Arc<MemoryLog>,
    ) -> Result<(RunHandle, Arc<MemoryLog>), Error> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
        let start_of_run = Start {
            run: RunId("run".into()),
            session: SessionId("session".into()),
            at_ms: i64::try_from(now.as_millis()).unwrap(),
            definition,
            inputs: self.inputs.clone(),
            origin: None,
        };
        let handle = start(world(&self.touched, log.clone()), self.root.clone(), start_of_run).await?;
        Ok((handle, log))
    }

    pub(crate) async fn run(&self) -> RunEnd {
        self.begin(None).await.unwrap().0.ended().await
    }

    /// Runs with a changed definition.
    pub(crate) async fn run_changed(&self, change: impl FnOnce(&mut Definition)) -> RunEnd {
        let mut definition = self.definition();
        change(&mut definition);
        self.begin_with(definition, None).await.unwrap().0.ended().await
    }

    pub(crate) async fn resume(
        &self,
        continuation: Continuation,
        death: Option<Death>,
    ) -> Result<(RunHandle, Arc<MemoryLog>), Error> {
        let log = MemoryLog::open(self.disk.clone(), death);
        log.hold(&RunId("run".into())).await?;
        let world = world(&self.touched, log.clone());
        let handle = go_on(world, self.root.clone(), self.recorded(), continuation).await?;
        Ok((handle, log))
    }

    pub(crate) async fn go_on(&self, continuation: Continuation) -> RunEnd {
        self.resume(continuation, None).await.unwrap().0.ended().await
    }

    /// Forks into a stage of its own, which counts anew.
    pub(crate) async fn fork(&self, how: Fork, arrange: impl FnOnce(&mut Touched)) -> (Stage, RunEnd) {
        let fork_stage = Stage::with(self.root.clone(), arrange);
        let fork_stage = if self.disk.has_database() { fork_stage } else { fork_stage.in_memory() };
        let log = MemoryLog::open(fork_stage.disk.clone(), None);
        let world = world(&fork_stage.touched, log);
        let handle = fork(world, self.root.clone(), self.recorded(), how).await.unwrap();
        let end = handle.ended().await;
        (fork_stage, end)
    }

    /// Waits until something stands in the log.
    pub(crate) async fn until(&self, stands: impl Fn(&[Event]) -> bool) {
        for _ in 0..10_000 {
            if stands(&self.events()) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        panic!("it never stood in the log: {:#?}", self.events());
    }

    pub(crate) fn recorded(&self) -> Recorded {
        self.disk.recorded().unwrap()
    }

    pub(crate) fn events(&self) -> Vec<Event> {
        self.disk.events()
    }

    /// An answer to one of the questions that are open: the `turn`-th, counted round and round.
    pub(crate) fn reply(&self, value: &str, turn: usize) -> Option<Reply> {
        let events = self.events();
        let open = engine::open_questions(&events);
        let asked = open.get(turn.checked_rem(open.len())?)?;
        Some(Reply { question: Some(asked.seq), value: value.into() })
    }

    pub(crate) async fn replayed(&self, events: Vec<Event>) -> Replayed {
        let start = self.recorded().start;
        let definition = start.definition.clone();
        replay(self.root.clone(), Recorded { start, events }, definition).await
    }

    /// A replay of these events gives the events of the log, one by one, and asks nobody.
    pub(crate) async fn assert_replays(&self, events: Vec<Event>) -> Replayed {
        let asked = self.touched.asked();
        let replayed = self.replayed(events).await;
        assert_eq!(replayed.divergence, None);
        assert_same(&replayed.events, &self.events());
        assert_eq!(self.touched.asked(), asked);
        replayed
    }

    /// What holds of every log at every moment.
    pub(crate) async fn assert_sound(&self) {
        self.disk.assert_stored().await;
        assert_eq!(self.touched.errors(), Vec::<String>::new());
        let events = self.events();
        let gone = dropped(&events);
        let mut ordinals: BTreeMap<&str, u32> = BTreeMap::new();
        let mut state = State::default();
        for (index, event) in events.iter().enumerate() {
            assert_eq!(event.seq as usize, index + 1, "numbers without gaps");
            if gone.contains(&event.seq) {
                continue;
            }
            let ordinal = ordinals.entry(event.path.as_str()).or_default();
            *ordinal += 1;
            assert_eq!(event.n, *ordinal, "ordinals without gaps at {}", event.path);
            if matches!(event.fact, Fact::StateChanged { .. })
                && let Some(delta) = event.delta()
            {
                state.apply(delta);
            }
        }
        assert_rounds(&events);
        assert_eq!(
            RunFold::of(&events).state,
            state,
            "a resumption folds to the state without what it dropped"
        );
    }
}

/// The spot of each answer that is done and holds, with its number.
pub(crate) fn done_spots(events: &[Event]) -> Vec<(String, Seq)> {
    let gone = dropped(events);
    let live: Vec<&Event> = events.iter().filter(|event| !gone.contains(&event.seq)).collect();
    let spot_asked = |path: &kernel::Path, n: u32| {
        live.iter().find_map(|event| match &event.fact {
            Fact::EffectAsked { effect, .. } if event.path == *path && event.n == n => match effect {
                Effect::Model { request } => Some(spot_of(request)),
                Effect::Tool { call } => call.input.json_or_null()["spot"].as_str().map(str::to_owned),
                Effect::Question { question } => Some(question.text.english()),
                Effect::Clock | Effect::Id => None,
            },
            _ => None,
        })
    };
    let answers = live.iter().filter_map(|event| match &event.fact {
        Fact::EffectAnswered { asked, answer: Answer::Done { .. }, .. } => {
            Some((spot_asked(&event.path, *asked)?, event.seq))
        }
        _ => None,
    });
    answers.collect()
}

/// A copy without anything that follows from the effects and from what came from outside.
pub(crate) fn effects_alone(events: &[Event]) -> Vec<Event> {
    let is_kept = |event: &&Event| {
        event.is_outside() || matches!(event.fact, Fact::EffectAsked { .. } | Fact::EffectAnswered { .. })
    };
    events.iter().filter(is_kept).cloned().collect()
}

/// The events that hold, or came from outside.
pub(crate) fn holding(events: &[Event]) -> Vec<Event> {
    let gone = dropped(events);
    events.iter().filter(|event| !gone.contains(&event.seq)).cloned().collect()
}

/// The same events place by place, as far as siblings leave them in order.
pub(crate) fn by_place(events: &[Event]) -> BTreeMap<(String, u32), (String, Fact)> {
    let entry =
        |event: &Event| ((event.path.to_string(), event.n), (event.author.clone(), event.fact.clone()));
    events.iter().filter(|event| !event.is_outside()).map(entry).collect()
}

/// The same events in every field; the first that differs is told, not all.
pub(crate) fn assert_same(some: &[Event], others: &[Event]) {
    for (one, other) in some.iter().zip(others) {
        assert_eq!(one, other);
    }
    assert_eq!(some.len(), others.len());
}

/// Whether the last that is stored is a request that has no answer yet.
pub(crate) fn is_in_flight(events: &[Event]) -> bool {
    events.last().is_some_and(|event| matches!(event.fact, Fact::EffectAsked { .. }))
}

/// What the person set a key to, with the number of each event.
pub(crate) fn edits_of(events: &[Event], key: &str) -> Vec<(Seq, Value)> {
    let edits = events.iter().filter(|event| event.author == USER).filter_map(|event| match &event.fact {
        Fact::StateChanged { delta } => Some((event.seq, delta.set.get(key)?.clone())),
        _ => None,
    });
    edits.collect()
}

/// The topic and the words that each telling of a leaf saw, against the last ones before its agent started.
pub(crate) fn assert_edits_seen(events: &[Event]) {
    let edits = ["topic", USER_WORDS].map(|key| (key, edits_of(events, key)));
    let mut starts: BTreeMap<&str, Seq> = BTreeMap::new();
    let gone: BTreeSet<Seq> = dropped(events);
    for event in events.iter().filter(|event| !gone.contains(&event.seq) && !event.is_outside()) {
        match &event.fact {
            Fact::AgentStarted { sees, .. } => {
                starts.insert(event.path.as_str(), event.seq);
                let outside = events.iter().filter(|other| other.is_outside() && other.seq < event.seq);
                assert_eq!(outside.map(|other| other.seq).max(), Some(*sees), "what {} sees", event.path);
            }
            Fact::StateChanged { delta } => {
                let started = starts[event.path.as_str()];
                // A composed agent sees what its children saw when they started.
                let told = delta.set.iter().filter(|(key, _)| key.starts_with("key_")).map(|(_, told)| told);
                for (told, (key, edits)) in told.flat_map(|told| edits.iter().map(move |edits| (told, edits)))
                {
                    let last = edits.iter().rev().find(|(seq, _)| *seq < started);
                    let last = last.map_or(&serde_json::Value::Null, |(_, value)| value.json_or_null());
                    assert_eq!(&told.json_or_null()[key], last, "at {}", event.path);
                }
            }
            _ => {}
        }
    }
}

/// At its start each agent saw the fold of the log up to there, without what was dropped and without what ran beside it.
pub(crate) fn assert_views(events: &[Event]) {
    let gone = dropped(events);
    let live: Vec<&Event> = events.iter().filter(|event| !gone.contains(&event.seq)).collect();
    let is_alone = !live.iter().any(|event| event.path.is_beside_others());
    for told in &live {
        let Fact::Noted { note: Note::Decision(note) } = &told.fact else { continue };
        if note.id != SEEN {
            continue;
        }
        let is_start =
            |event: &&&Event| event.path == told.path && matches!(event.fact, Fact::AgentStarted { .. });
        let start = live.iter().find(is_start).unwrap();
        let past =
            live.iter().filter(|event| event.seq < start.seq && !event.path.is_concurrent_with(&start.path));
        let mut view = State::default();
        for event in past {
            apply_within(&mut view, event, &start.path);
        }
        apply_within(&mut view, start, &start.path);
        assert_eq!(
            note.parameters["state"].0,
            hash_of(&view),
            "what {} sees at its start, event {}",
            start.path,
            start.seq
        );
        if is_alone {
            let fold = kernel::fold_state(events.iter().filter(|event| event.seq < start.seq));
            assert_eq!(fold, view, "the fold of the log before event {}", start.seq);
        }
    }
}

/// What an event does to what is seen at a place: what an instance writes, and what it was started with, only within it.
pub(crate) fn apply_within(view: &mut State, event: &Event, place: &kernel::Path) {
    let is_within = |instance: &kernel::Path| place == instance || place.is_below(instance);
    match &event.fact {
        Fact::StateChanged { delta } if event.path.own_instance().is_none_or(|own| is_within(&own)) => {
            view.apply(delta);
        }
        Fact::AgentStarted { instance: Some(instance), .. } if is_within(&event.path) => {
            let set = [(ITEM.to_owned(), instance.input.clone())].into();
            view.apply(&Delta { set, removed: vec![RESULT.to_owned()] });
        }
        _ => {}
    }
}

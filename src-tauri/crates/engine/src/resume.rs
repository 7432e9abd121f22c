//! The events that start, resume or fork a run. Pure functions apart from the clock.
//!
//! Not here: which records no longer hold (`records`), and the execution (`runner`).

use kernel::{
    Answer, AnswerSummary, Code, Delta, Effect, EffectClass, Error, Event, Fact, Hash, Json, ModelReply,
    OnceDone, Overrides, Question, QuestionKind, Seq, Start, State, ToolResult, USER, Value, fold_state,
    phrase,
};
use serde_json::json;

use crate::clock::{Moment, now_ms};
use crate::outside::{next_outside_ordinal, outside_event};
use crate::questions;
use crate::records::{OpenQuestions, dropped, drops_to_go_on, followers};

/// An answer of the person to an open question.
#[derive(Debug, Clone)]
pub struct Reply {
    /// The number of the event with the question; `None`: the only open question.
    pub question: Option<Seq>,
    /// The answer.
    pub value: Value,
}

/// The first two events of a run follow from its start alone.
pub(crate) fn first_events(start: &Start) -> Vec<Event> {
    let definition = kernel::compact(&start.definition).map(|text| Hash::of(text.as_bytes()));
    let started = Fact::RunStarted {
        run: start.run.clone(),
        session: start.session.clone(),
        pipeline: start.definition.pipeline.clone(),
        definition: definition.unwrap_or_else(|_| Hash::of(b"")),
        origin: start.origin.clone(),
    };
    let delta = Delta { set: start.inputs.clone(), removed: Vec::new() };
    let at = Moment { at_ms: start.at_ms, ran_ms: 0 };
    vec![outside_event(1, 1, at, started), outside_event(2, 2, at, Fact::StateChanged { delta })]
}

/// The event that resumes a run: lists the dropped events and the resulting change of the state.
pub(crate) fn resumption(events: &[Event], drops: Vec<Seq>, overrides: Overrides) -> Event {
    let mut gone = dropped(events);
    gone.extend(drops.iter().copied());
    let mut kept = State::default();
    for event in events {
        if matches!(event.fact, Fact::StateChanged { .. })
            && let Some(delta) = event.delta()
            && !gone.contains(&event.seq)
        {
            kept.apply(delta);
        }
    }
    let delta = fold_state(events).difference(&kept);
    let seq = events.last().map_or(0, |event| event.seq) + 1;
    outside_event(
        seq,
        next_outside_ordinal(events),
        Moment::behind(events),
        Fact::RunResumed { drops, delta, overrides },
    )
}

/// The open questions, in the order in which they were asked.
pub fn open_questions(events: &[Event]) -> Vec<&Event> {
    let gone = dropped(events);
    let mut open: Vec<&Event> = Vec::new();
    for event in events.iter().filter(|event| !gone.contains(&event.seq)) {
        match &event.fact {
            Fact::EffectAsked { effect: Effect::Question { .. }, .. } => open.push(event),
            Fact::EffectAnswered { asked, .. } => {
                open.retain(|question| question.path != event.path || question.n != *asked);
            }
            _ => {}
        }
    }
    open
}

/// The question that a reply answers: the one that it names, or its repetition after a resumption; without a name the
/// only open question.
///
/// # Errors
/// `bad_input` where the question was answered already or never asked, or where several are open and the reply names
/// none.
pub fn asked_question(events: &[Event], named: Option<Seq>) -> Result<(&Event, &Question), Error> {
    let open = open_questions(events);
    let asked = match (named, open.as_slice()) {
        (Some(id), _) => {
            let gone = dropped(events);
            let named = events.iter().find(|event| event.seq == id && gone.contains(&id));
            open.iter()
                .find(|event| event.seq == id || named.is_some_and(|named| asks_again(event, named)))
                .copied()
        }
        (None, [only]) => Some(*only),
        (None, []) => None,
        (None, several) => {
            let ids: Vec<String> = several.iter().map(|event| event.seq.to_string()).collect();
            let message = phrase!(
                "This run asks several questions: {ids}. Say which one is answered; `galley show RUN --questions` lists them",
                ids
            );
            return Err(Error::new(Code::BadInput, message));
        }
    };
    match asked.map(|event| (event, &event.fact)) {
        Some((event, Fact::EffectAsked { effect: Effect::Question { question }, .. })) => {
            Ok((event, question))
        }
        _ => Err(not_open(events, named)),
    }
}

/// Whether a question repeats an earlier one at the same path.
fn asks_again(later: &Event, earlier: &Event) -> bool {
    later.seq > earlier.seq
        && later.path == earlier.path
        && match (&later.fact, &earlier.fact) {
            (
                Fact::EffectAsked { effect: Effect::Question { question }, .. },
                Fact::EffectAsked { effect: Effect::Question { question: before }, .. },
            ) => question == before,
            _ => false,
        }
}

/// The last event up to `at` before the first permission or tool call that is not done yet. In an imported run, another
/// person gave that permission.
pub fn decided_until(events: &[Event], at: Seq) -> Seq {
    let gone = dropped(events);
    let live: Vec<&Event> =
        events.iter().filter(|event| event.seq <= at && !gone.contains(&event.seq)).collect();
    let is_done = |call: &Event| {
        live.iter().any(|event| {
            event.path == call.path
                && matches!(&event.fact, Fact::EffectAnswered { asked, .. } if *asked == call.n)
        })
    };
    let is_call =
        |event: &Event| matches!(&event.fact, Fact::EffectAsked { effect: Effect::Tool { .. }, .. });
    let undecided = live.iter().find(|event| match &event.fact {
        Fact::EffectAsked { effect: Effect::Tool { .. }, .. } => !is_done(event),
        Fact::EffectAsked { effect: Effect::Question { question }, .. } => {
            let follows = |later: &&&Event| later.path == event.path && later.n > event.n && is_call(later);
            questions::asked_permission(question).is_some()
                && !live.iter().find(follows).is_some_and(|call| is_done(call))
        }
        _ => false,
    });
    undecided.map_or(at, |event| event.seq - 1)
}

/// The event with the person's answer to an open question.
pub(crate) fn answered_question(events: &[Event], reply: &Reply) -> Result<Event, Error> {
    let (asked, question) = asked_question(events, reply.question)?;
    questions::admits(question, &reply.value)?;
    let waited_ms = u64::try_from(now_ms() - asked.at_ms).unwrap_or(0);
    let answer = Answer::Done { result: reply.value.clone() };
    let fact = Fact::EffectAnswered {
        asked: asked.n,
        summary: AnswerSummary::of(&answer),
        answer,
        took_ms: waited_ms,
        waited_ms,
        retries: Vec::new(),
    };
    let Moment { at_ms, ran_ms } = Moment::behind(events);
    Ok(Event { n: asked.n + 1, at_ms, ran_ms, author: USER.to_owned(), fact, ..asked.clone() })
}

/// The error for a question that was answered before or never asked.
fn not_open(events: &[Event], id: Option<Seq>) -> Error {
    let asked = id.and_then(|id| events.iter().find(|event| event.seq == id));
    let answer = asked.and_then(|asked| {
        events.iter().find_map(|event| match &event.fact {
            Fact::EffectAnswered { asked: n, answer: Answer::Done { result }, .. }
                if event.path == asked.path && *n == asked.n && event.seq > asked.seq =>
            {
                Some(result.as_str().map_or_else(|| result.written(), str::to_owned))
            }
            _ => None,
        })
    });
    let message = match (id, answer) {
        (Some(id), Some(answer)) => phrase!(
            "Question {id} was answered already: `{answer}`. Fork the run there to answer it in another way",
            id,
            answer
        ),
        (Some(id), None) => phrase!(
            "This run does not ask question {id}; `galley show RUN --questions` lists what it asks",
            id
        ),
        (None, _) => phrase!("This run waits for no answer; `galley show RUN` tells how it stands"),
    };
    Error::new(Code::BadInput, message)
}

/// The event that replaces the answer at `seq`, and the numbers of all events that followed from that answer. `result`
/// is the output of a tool, the text of a model's reply, or the person's answer to an agent's question.
///
/// # Errors
/// `bad_input` where the event is none of these, or the question does not allow the answer.
pub(crate) fn replaced_answer(
    events: &[Event],
    seq: Seq,
    result: serde_json::Value,
) -> Result<(Event, Vec<Seq>), Error> {
    let gone = dropped(events);
    let answered = events.iter().find(|event| event.seq == seq && !gone.contains(&seq));
    let asked_and_answered = answered.and_then(|event| {
        let Fact::EffectAnswered { asked, answer, .. } = &event.fact else { return None };
        let is_request =
            |other: &&Event| other.path == event.path && other.n == *asked && !gone.contains(&other.seq);
        let Fact::EffectAsked { effect, .. } = &events.iter().find(is_request)?.fact else { return None };
        Some((effect, answer))
    });
    let in_place = match asked_and_answered {
        Some((effect, answer)) => in_place_of(effect, answer, result)?,
        None => None,
    };
    let replaced = answered.zip(in_place).and_then(|(event, in_place)| {
        let Fact::EffectAnswered { asked, retries, summary, .. } = &event.fact else { return None };
        let answer = Answer::Done { result: Value::new(in_place) };
        let summary = AnswerSummary { sent: summary.sent, ..AnswerSummary::of(&answer) };
        let (asked, retries) = (*asked, retries.clone());
        let fact = Fact::EffectAnswered { asked, summary, answer, took_ms: 0, waited_ms: 0, retries };
        let Moment { at_ms, ran_ms } = Moment::behind(events);
        let by_person = Event { at_ms, ran_ms, author: USER.to_owned(), fact, ..event.clone() };
        Some((by_person, followers(events, event)))
    });
    replaced.ok_or_else(|| {
        Error::new(
            Code::BadInput,
            phrase!(
                "Event {seq} is no result of a tool with a value of this kind, no text of a model and no answer to an agent's question; choose one that is",
                seq
            ),
        )
    })
}

/// As [`replaced_answer`], in the run itself, for a model's reply or a text of a tool. Answers of the person can be
/// replaced only in a fork.
///
/// # Errors
/// Those of [`replaced_answer`], and `bad_input` where the event is the answer to a question.
pub(crate) fn corrected_answer(events: &[Event], seq: Seq, text: &str) -> Result<(Event, Vec<Seq>), Error> {
    let answered = events.iter().find(|event| event.seq == seq);
    let is_of_person = answered.is_some_and(|answered| {
        let Fact::EffectAnswered { asked, .. } = &answered.fact else { return false };
        events.iter().any(|event| {
            event.path == answered.path
                && event.n == *asked
                && matches!(&event.fact, Fact::EffectAsked { effect: Effect::Question { .. }, .. })
        })
    });
    if is_of_person {
        let message =
            phrase!("Event {seq} is an answer of the person; fork the run there to answer differently", seq);
        return Err(Error::new(Code::BadInput, message));
    }
    replaced_answer(events, seq, text.into())
}

/// The events before `at` that no longer hold in a fork, with the replaced answer at `at`.
pub(crate) fn drops_of_fork(events: &[Event], at: Seq, replaced: Option<&(Event, Vec<Seq>)>) -> Vec<Seq> {
    let Some((by_person, followers)) = replaced else {
        return drops_to_go_on(events, OpenQuestions::AskAgain);
    };
    // A replaced failure does not stop the run any more.
    let with_it = events.iter().map(|event| if event.seq == at { by_person } else { event });
    let mut drops = drops_to_go_on(&with_it.cloned().collect::<Vec<_>>(), OpenQuestions::AskAgain);
    drops.extend(followers);
    drops
}

/// The replacement of an answer to this effect; `None` where it cannot be written by hand.
///
/// # Errors
/// `bad_input` where the question does not allow the answer.
fn in_place_of(
    effect: &Effect,
    before: &Answer,
    result: serde_json::Value,
) -> Result<Option<serde_json::Value>, Error> {
    let before = match before {
        Answer::Done { result } => result.json_or_null().clone(),
        Answer::Failed { .. } | Answer::Interrupted { .. } => serde_json::Value::Null,
    };
    let in_place = match (effect, result) {
        (Effect::Tool { .. }, output) => {
            // Later steps read the replacement as an output of the tool, so it must have the same shape.
            let is_other = |before: &serde_json::Value| {
                std::mem::discriminant(before) != std::mem::discriminant(&output)
            };
            if before.get("output").is_some_and(is_other) {
                return Ok(None);
            }
            // The changes that the tool made to the files of the run remain.
            let files =
                serde_json::from_value::<ToolResult>(before).map_or(Vec::new(), |before| before.files);
            let summary = phrase!("replaced by hand");
            json!(ToolResult { output: Json(output), summary, files })
        }
        (Effect::Model { .. }, serde_json::Value::String(text)) => {
            let Ok(mut reply) = serde_json::from_value::<ModelReply>(before) else { return Ok(None) };
            reply.text = text;
            reply.stop = "corrected".into();
            // The tokens were counted when the model answered; a correction costs nothing.
            reply.usage = kernel::TokenUsage::default();
            reply.cost = None;
            json!(reply)
        }
        // Questions of the engine itself, about a limit or a tool, were decided for that moment.
        (Effect::Question { question }, answer) if question.kind == QuestionKind::Agent => {
            questions::admits(question, &Value::new(answer.clone()))?;
            answer
        }
        _ => return Ok(None),
    };
    Ok(Some(in_place))
}

/// The effects behind a cut that may be executed only once and were executed: each request with its outcome. Includes
/// those that an earlier cut noted, when that note is behind the cut too.
pub(crate) fn done_once(events: &[Event], is_cut: impl Fn(Seq) -> bool) -> (Vec<Event>, Vec<OnceDone>) {
    let gone = dropped(events);
    let (mut requests, mut done) = (Vec::new(), Vec::new());
    for event in events.iter().filter(|event| is_cut(event.seq)) {
        match &event.fact {
            Fact::RunResumed { overrides, .. } => done.extend(overrides.already_done.iter().cloned()),
            Fact::EffectAnswered { asked, answer: Answer::Done { result }, .. }
                if !gone.contains(&event.seq) =>
            {
                let request = events.iter().find(|request| {
                    request.path == event.path && request.n == *asked && !gone.contains(&request.seq)
                });
                if let Some(request) = request
                    && let Fact::EffectAsked { effect: Effect::Tool { call }, .. } = &request.fact
                    && call.class == EffectClass::Once
                {
                    let (tool, input) = (call.tool.clone(), call.input.clone());
                    done.push(OnceDone { tool, input, result: result.clone() });
                    requests.push(request.clone());
                }
            }
            _ => {}
        }
    }
    (requests, done)
}

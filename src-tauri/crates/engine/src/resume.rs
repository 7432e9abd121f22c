//! The events with which a run begins, goes on or forks. Pure but for the time they carry.
//!
//! Not here: what of the records no longer holds (`records`), and the run itself (`runner`).

use kernel::{
    Answer, AnswerSummary, Code, Delta, Effect, EffectClass, Error, Event, Fact, Hash, ModelReply, OnceDone,
    Overrides, Seq, Start, State, USER, Value, fold_state, phrase,
};
use serde_json::json;

use crate::clock::{Moment, now_ms};
use crate::records::{dropped, followers};
use crate::writer::{next_outside_ordinal, outside_event};

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

pub(crate) fn outside_count(events: &[Event]) -> u32 {
    let outside: Vec<Event> = events.iter().filter(|event| event.is_outside()).cloned().collect();
    next_outside_ordinal(&outside)
}

/// The event with which a run goes on: what no longer holds, and what leads to the state without it.
pub(crate) fn resumption(events: &[Event], drops: Vec<Seq>, overrides: Overrides) -> Event {
    let mut gone = dropped(events);
    gone.extend(drops.iter().copied());
    let mut kept = State::default();
    for event in events {
        if let Fact::StateChanged { delta } = &event.fact
            && !gone.contains(&event.seq)
        {
            kept.apply(delta);
        }
    }
    let delta = fold_state(events).difference(&kept);
    let seq = events.last().map_or(0, |event| event.seq) + 1;
    outside_event(
        seq,
        outside_count(events),
        Moment::behind(events),
        Fact::RunResumed { drops, delta, overrides },
    )
}

/// The answer of the person to the question that is open.
pub(crate) fn answered_question(events: &[Event], answer: &str) -> Result<Event, Error> {
    let gone = dropped(events);
    let live: Vec<&Event> = events.iter().filter(|event| !gone.contains(&event.seq)).collect();
    let is_answered = |question: &Event| {
        live.iter().any(|event| {
            event.path == question.path
                && matches!(&event.fact, Fact::EffectAnswered { asked, .. } if *asked == question.n)
        })
    };
    // The latest, as it is shown.
    let open = live.iter().rev().find_map(|event| match &event.fact {
        Fact::EffectAsked { effect: Effect::Question { question }, .. } if !is_answered(event) => {
            Some((*event, question))
        }
        _ => None,
    });
    let Some((asked, question)) = open else {
        return Err(Error::new(
            Code::BadInput,
            phrase!("This run waits for no answer; `galley show RUN` tells how it stands"),
        ));
    };
    question.admits(answer)?;
    let waited_ms = u64::try_from(now_ms() - asked.at_ms).unwrap_or(0);
    let answer = Answer::Done { result: Value::text(answer) };
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

/// The event that takes the place of an answer, and the numbers of all that followed from that answer.
pub(crate) fn corrected_answer(events: &[Event], seq: Seq, text: &str) -> Result<(Event, Vec<Seq>), Error> {
    let wrong = events.iter().find(|event| event.seq == seq);
    let Some((event, asked, result, retries, sent)) = wrong.and_then(|event| match &event.fact {
        Fact::EffectAnswered { asked, answer: Answer::Done { result }, retries, summary, .. } => {
            Some((event, *asked, result, retries.clone(), summary.sent))
        }
        _ => None,
    }) else {
        let message =
            phrase!("Event {seq} is not an answer of a model; choose the answer that could not be used", seq);
        return Err(Error::new(Code::BadInput, message));
    };
    let Some(mut reply) =
        result.json().and_then(|json| serde_json::from_value::<ModelReply>(json.clone()).ok())
    else {
        return Err(Error::new(Code::BadInput, phrase!("Event {seq} is not an answer of a model", seq)));
    };
    reply.text = text.to_owned();
    reply.stop = "corrected".into();
    // The tokens were counted when the model answered; a correction costs none.
    reply.usage = kernel::TokenUsage::default();
    reply.cost = None;
    let answer = Answer::Done { result: Value::new(json!(reply)) };
    let summary = AnswerSummary { sent, ..AnswerSummary::of(&answer) };
    let fact = Fact::EffectAnswered { asked, summary, answer, took_ms: 0, waited_ms: 0, retries };
    let Moment { at_ms, ran_ms } = Moment::behind(events);
    let corrected = Event { at_ms, ran_ms, author: USER.to_owned(), fact, ..event.clone() };
    Ok((corrected, followers(events, event)))
}

/// What may be done only once, was done, and stands behind a cut: each request with what came of it.
/// What an earlier cut left behind is among it, when its note is cut off too.
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

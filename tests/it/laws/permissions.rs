//! Permission over several processes: a recorded decision holds, but for what is forbidden since; a question holds for the
//! call that it shows.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use engine::{Agent, AgentError, Continuation, Cx, Flow, StandingRules};
use kernel::{
    AgentKind, Contract, Delta, Effect, Event, Fact, Outcome, Outline, Question, QuestionKind, ToolFailure,
};
use serde_json::json;

use super::agents::outline;
use super::log::Death;
use super::stage::{Stage, is_in_flight, on_one_thread};

/// Calls `ask_first` at a spot that a test may change between two processes.
struct Caller {
    outline: Outline,
    spot: Arc<Mutex<String>>,
}

#[async_trait]
impl Agent for Caller {
    fn outline(&self) -> &Outline {
        &self.outline
    }

    async fn run(&self, cx: &mut Cx) -> Result<Flow, AgentError> {
        let spot = self.spot.lock().unwrap().clone();
        let result = cx.call_tool("ask_first", json!({ "spot": spot })).await?;
        cx.change(Delta::of("found", result.output.0)).await?;
        Ok(Flow::Continue)
    }
}

/// A stage for an agent that calls `ask_first`, and where it calls it.
fn stage() -> (Stage, Arc<Mutex<String>>) {
    let spot = Arc::new(Mutex::new("one".to_owned()));
    let outline = outline("p", AgentKind::Custom, Contract::new(&[], &[], &["found"]), vec![]);
    (Stage::with(Arc::new(Caller { outline, spot: spot.clone() }), |_| {}), spot)
}

fn rules(never: &[&str], always: &[&str]) -> StandingRules {
    let read = |rules: &[&str]| rules.iter().map(|rule| rule.parse().unwrap()).collect();
    StandingRules { never: read(never), always: read(always), unreadable: None }
}

fn is_permission(question: &Question) -> bool {
    matches!(question.kind, QuestionKind::Permission { .. })
}

/// Leaves the call without an answer, as a process does that dies while it is in flight.
async fn in_flight(stage: &Stage) {
    *stage.touched.stalls_at.lock().unwrap() = Some("one".into());
    let (handle, log) = stage.begin(None).await.unwrap();
    stage.until(|events| is_in_flight(events) && stage.touched.asked().contains_key("one")).await;
    log.die();
    handle.cancel();
    handle.ended().await;
    *stage.touched.stalls_at.lock().unwrap() = None;
}

#[test]
fn a_call_in_flight_is_not_done_again_where_a_rule_forbids_it_by_now() {
    on_one_thread(async {
        let unreadable = StandingRules { unreadable: Some("ask first".into()), ..StandingRules::default() };
        for forbidding in [rules(&["ask_first"], &["ask_first"]), unreadable] {
            let (stage, _) = stage();
            *stage.touched.rules.lock().unwrap() = rules(&[], &["ask_first"]);
            in_flight(&stage).await;
            *stage.touched.rules.lock().unwrap() = forbidding;
            let end = stage.go_on(Continuation::default()).await;
            assert_eq!(end.outcome, Outcome::Failed);
            let failure = end.error.unwrap().tool_failure;
            assert!(matches!(failure.as_deref(), Some(ToolFailure::Refused { .. })), "{failure:?}");
            assert_eq!(stage.touched.asked().get("one"), Some(&1));
            stage.assert_sound().await;
            stage.assert_replays(stage.events()).await;
        }
    });
}

#[test]
fn a_call_in_flight_keeps_its_decision_where_the_rule_that_allowed_it_is_gone() {
    on_one_thread(async {
        let (stage, _) = stage();
        *stage.touched.rules.lock().unwrap() = rules(&[], &["ask_first"]);
        in_flight(&stage).await;
        *stage.touched.rules.lock().unwrap() = rules(&["look"], &[]);
        let end = stage.go_on(Continuation::default()).await;
        assert_eq!(end.outcome, Outcome::Finished, "{:?}", end.error);
        assert_eq!(stage.touched.asked().get("one"), Some(&2));
        assert!(!stage.touched.questions().iter().any(is_permission));
        stage.assert_sound().await;
        stage.assert_replays(stage.events()).await;
    });
}

#[test]
fn what_was_allowed_of_one_input_allows_no_other() {
    let asks = |event: &Event| matches!(&event.fact, Fact::EffectAsked { effect: Effect::Question { question }, .. } if is_permission(question));
    on_one_thread(async {
        let (whole, spot) = stage();
        let (handle, log) = whole.begin(None).await.unwrap();
        assert_eq!(handle.ended().await.outcome, Outcome::Finished);
        *spot.lock().unwrap() = "other".into();
        let replayed = whole.replayed(whole.events()).await;
        assert_eq!(replayed.divergence.unwrap().recorded["effect"]["effect"], "question");
        let mut diverged = 0;
        for number in 0..log.appends() {
            let (stage, spot) = stage();
            let begun = stage.begin(Some(Death::After(number))).await;
            let Ok((handle, _)) = begun else { continue };
            handle.ended().await;
            let (events, asked_before) = (stage.events(), stage.touched.asked());
            *spot.lock().unwrap() = "other".into();
            let Ok((handle, _)) = stage.resume(Continuation::default(), None).await else { continue };
            let end = handle.ended().await;
            // Nothing is done at the other spot unless the person was shown that one.
            let is_shown = stage.touched.questions().iter().any(|question| {
                is_permission(question) && question.details.json_or_null()["call"]["input"]["spot"] == "other"
            });
            assert_eq!(stage.touched.asked().contains_key("other"), is_shown, "{number}");
            assert_eq!(stage.touched.asked().get("one"), asked_before.get("one"), "{number}");
            let gone = engine::dropped(&stage.events());
            if events.iter().any(|event| asks(event) && !gone.contains(&event.seq)) {
                let message = end.error.unwrap().message;
                assert!(message.contains("does something else than recorded"), "{number}: {message}");
                diverged += 1;
            }
        }
        assert!(diverged > 0);
    });
}

//! What one agent of a run runs with: its temperature, model and profile, and limits that are its own.

use std::collections::BTreeMap;
use std::time::Duration;

use desk::api::{AgentSettings, ForkRun, ResumeRun, StartRun};
use desk::{ErrorCode, LimitName, Outcome};
use testkit::{ChatRequest, NewsModel};

use crate::outcomes::Place;
use crate::profiles::request;

/// Another instruction.
pub(crate) fn told(instruction: &str) -> AgentSettings {
    AgentSettings { instruction: Some(instruction.to_owned()), ..AgentSettings::default() }
}

const WRITER: &str = "ai_news_writer";

pub(crate) fn of(agent: &str, settings: AgentSettings) -> BTreeMap<String, AgentSettings> {
    [(agent.to_owned(), settings)].into()
}

fn limited(name: LimitName, most: f64) -> AgentSettings {
    AgentSettings { limits: [(name, Some(most))].into(), ..AgentSettings::default() }
}

/// Which stage a request is of, its model, temperature and most tokens.
fn asked(request: &ChatRequest) -> (&'static str, String, f64, u64) {
    let stages = ["articles", "post_markdown", "review_notes"];
    let stage = stages.into_iter().find(|field| request.asks_for(field)).unwrap();
    let most = &request.body["max_completion_tokens"];
    let most = if most.is_null() { &request.body["max_tokens"] } else { most };
    (stage, request.model().to_owned(), request.body["temperature"].as_f64().unwrap(), most.as_u64().unwrap())
}

#[tokio::test]
async fn an_agent_runs_with_its_own_settings_and_the_others_as_before() {
    let place = Place::but(|_, _, _| None).await;
    let own = AgentSettings {
        model: Some("large-model".into()),
        temperature: Some(1.5),
        ..limited(LimitName::MaxOutputTokens, 700.0)
    };
    let start = StartRun { temperature: Some(0.9), agents: of(WRITER, own), ..request("test") };
    let handle = place.desk.runs().start(start).await.unwrap();
    assert_eq!(handle.ended().await.outcome, Outcome::Finished);
    let requests: Vec<_> = place.server.requests().iter().map(asked).collect();
    let room = requests[0].3 - 2048;
    assert_eq!(requests[0], ("articles", "test-model".to_owned(), 0.9, 2048 + room));
    assert_eq!(requests[1], ("post_markdown", "large-model".to_owned(), 1.5, 700 + room));
    assert_eq!(requests[2], ("review_notes", "test-model".to_owned(), 0.9, 2048 + room));

    let own = AgentSettings { temperature: Some(0.1), ..AgentSettings::default() };
    let fork = ForkRun { run: handle.run().0.clone(), at: 2, agents: of(WRITER, own), ..ForkRun::default() };
    let forked = place.desk.runs().fork(fork).await.unwrap();
    assert_eq!(forked.ended().await.outcome, Outcome::Finished);
    let requests: Vec<_> = place.server.requests()[3..].iter().map(asked).collect();
    let temperatures: Vec<f64> = requests.iter().map(|request| request.2).collect();
    assert_eq!((temperatures, requests[1].1.as_str()), (vec![0.9, 0.1, 0.9], "large-model"));
    place.replays_the_same(&handle).await;
    place.replays_the_same(&forked).await;
}

#[tokio::test]
async fn a_limit_of_one_agent_ends_what_it_does_names_it_and_can_be_raised_alone() {
    let rejecting = || {
        Place::but(|stage, call, request| {
            let model = NewsModel { reject_first: true, ..NewsModel::default() };
            (stage != "articles" || call > 1).then(|| model.answer(request))
        })
    };
    for (name, most, calls) in [
        // The second call of the writer is its second draft.
        (LimitName::MaxLlmCalls, 1.0, 3),
        (LimitName::MaxTotalTokens, 1.0, 3),
    ] {
        let place = rejecting().await;
        let start = StartRun { agents: of(WRITER, limited(name, most)), ..request("test") };
        let handle = place.desk.runs().start(start).await.unwrap();
        let end = handle.ended().await;
        assert_eq!(
            (end.outcome, place.server.count()),
            (Outcome::Limited, calls),
            "{name:?}: {:?}",
            end.error
        );
        let error = end.error.unwrap();
        let reached = error.limit.clone().unwrap();
        assert_eq!((reached.name, reached.most, reached.agent.as_deref()), (name, most, Some(WRITER)));
        assert!(error.message.contains("`ai_news_writer`"), "{error}");
        let agent_limits = [(WRITER.to_owned(), [(name, Some(1e6))].into())].into();
        let more = ResumeRun { run: handle.run().0.clone(), agent_limits, ..ResumeRun::default() };
        let end = place.desk.runs().resume(more).await.unwrap().ended().await;
        assert_eq!((end.outcome, place.server.count()), (Outcome::Finished, 5), "{name:?}: {:?}", end.error);
        place.replays_the_same(&handle).await;
    }
}

#[tokio::test]
async fn the_tools_and_the_time_of_one_agent_have_limits_too() {
    let place = Place::but(|_, _, _| None).await;
    let agents = of("ai_news_searcher", limited(LimitName::MaxToolCalls, 0.0));
    let end = place.desk.runs().start(StartRun { agents, ..request("test") }).await.unwrap().ended().await;
    let reached = end.error.clone().and_then(|error| error.limit).unwrap();
    assert_eq!((reached.name, reached.agent.as_deref()), (LimitName::MaxToolCalls, Some("ai_news_searcher")));
    assert_eq!(place.server.count(), 0);

    // Each of the others takes as long, and has no limit.
    let place = Place::but(|_, _, request| {
        Some(NewsModel::default().answer(request).after(Duration::from_millis(400)))
    })
    .await;
    let agents = of(WRITER, limited(LimitName::MaxExecutionTimeS, 0.1));
    let handle = place.desk.runs().start(StartRun { agents, ..request("test") }).await.unwrap();
    let end = handle.ended().await;
    let reached = end.error.clone().and_then(|error| error.limit).unwrap();
    assert_eq!((reached.name, reached.agent.as_deref()), (LimitName::MaxExecutionTimeS, Some(WRITER)));
    assert_eq!((end.outcome, place.server.count()), (Outcome::Limited, 2));
    place.replays_the_same(&handle).await;
}

#[tokio::test]
async fn settings_that_no_agent_can_have_are_refused_before_anything_is_asked() {
    let place = Place::but(|_, _, _| None).await;
    let hot = AgentSettings { temperature: Some(2.5), ..AgentSettings::default() };
    for (agents, words) in [
        (of("ai_news_poet", AgentSettings::default()), "There is no agent `ai_news_poet`"),
        (of(WRITER, hot), "The temperature cannot be 2.5"),
        (of(WRITER, limited(LimitName::MaxOutputTokens, 0.5)), "max_output_tokens"),
    ] {
        let error = place.desk.runs().start(StartRun { agents, ..request("test") }).await.err().unwrap();
        assert_eq!(error.code, ErrorCode::BadInput);
        assert!(error.message.contains(words), "{error}");
    }
    let handle = place.desk.runs().start(request("test")).await.unwrap();
    handle.ended().await;
    let agent_limits = [("ai_news_poet".to_owned(), BTreeMap::new())].into();
    let more = ResumeRun { run: handle.run().0.clone(), agent_limits, ..ResumeRun::default() };
    assert!(place.desk.runs().resume(more).await.is_err());
    assert_eq!(place.server.count(), 3);
}

//! Programs killed at random moments while a person edits: the run comes to its end, agents see the fold, nothing that
//! was answered is asked again, and what is counted is what the server was asked.
//!
//! `GALLEY_KILLS` says how many kills; a few unless told otherwise.

use std::time::Duration;

use kernel::{Answer, Effect, Event, Fact, fold_state};
use serde_json::{Value, json};
use testkit::{ModelServer, NewsModel};

use super::galley::{Galley, eventually, news_server};
use super::host::Host;

/// Numbers that look like chance and are the same each time.
struct Chance(u64);

impl Chance {
    fn below(&mut self, most: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % most
    }
}

/// Edits that were acknowledged: the number of the event, and the text.
type Edits = Vec<(u64, String)>;

fn edit(host: &Host, run: &str, chance: &mut Chance, edits: &mut Edits) {
    let text = format!("Edited by hand, mark {} [1].", chance.below(1_000_000));
    let request = json!({"run": run, "key": "draft_post", "field": "post_markdown", "value": text});
    // Before there is a draft, and behind an end that is being written, it is refused.
    if let Ok(landed) = host.ask("edit_state", request) {
        edits.push((landed["seq"].as_u64().unwrap(), text));
    }
}

/// Lets a program work for a while, with edits, then kills it. `begin` starts or resumes the run.
fn live(
    galley: &Galley,
    chance: &mut Chance,
    edits: &mut Edits,
    begin: impl FnOnce(&Host) -> String,
) -> String {
    let host = Host::open(galley);
    let run = begin(&host);
    for _ in 0..chance.below(4) {
        std::thread::sleep(Duration::from_millis(chance.below(250)));
        edit(&host, &run, chance, edits);
    }
    std::thread::sleep(Duration::from_millis(chance.below(250)));
    run
}

fn start(host: &Host) -> String {
    let request = json!({
        "pipeline": "ai-news", "inputs": {"user_topic": "retrieval-augmented generation"}, "profile": "test",
        "source": "library", "as_of": "2026-07-01", "limits": {"max_llm_calls": 100, "max_execution_time_s": 3600},
    });
    host.ask("start_run", request).unwrap()["run"].as_str().unwrap().to_owned()
}

fn resume(host: &Host, run: &str) {
    // It may have come to its end before it was killed.
    if let Err(told) = host.ask("resume_run", json!({"run": run})) {
        assert!(told["message"].as_str().unwrap().contains("finished"), "{told}");
    }
}

fn events_of(host: &Host, run: &str) -> Vec<Event> {
    let exported = host.ask("export_run", json!({"run": run, "format": "json"})).unwrap();
    let whole: Value = serde_json::from_str(exported["content"].as_str().unwrap()).unwrap();
    serde_json::from_value(whole["events"].clone()).unwrap()
}

/// What an agent was asked with holds the draft of the fold before the agent started.
fn assert_views(events: &[Event], what: &str) {
    let dropped = engine::dropped(events);
    let live: Vec<&Event> = events.iter().filter(|event| !dropped.contains(&event.seq)).collect();
    for asked in live.iter().filter(|event| event.author == "ai_news_reviewer") {
        let Fact::EffectAsked { effect: Effect::Model { request }, .. } = &asked.fact else { continue };
        let is_start =
            |event: &&&Event| event.path == asked.path && matches!(event.fact, Fact::AgentStarted { .. });
        let start = live.iter().find(is_start).unwrap();
        let state = fold_state(events.iter().filter(|event| event.seq < start.seq));
        let draft = state.get("draft_post").unwrap().json_or_null()["post_markdown"].clone();
        let prompt = request.messages[0].content.as_str().unwrap();
        assert!(
            prompt.contains(&draft.to_string()),
            "{what}: event {} reviews another draft than {draft}",
            asked.seq
        );
    }
}

/// Nothing that a model answered was thrown away, and so asked again.
fn assert_no_answer_is_dropped(events: &[Event], what: &str) {
    let dropped = engine::dropped(events);
    for event in events.iter().filter(|event| dropped.contains(&event.seq)) {
        let is_done = matches!(&event.fact, Fact::EffectAnswered { answer: Answer::Done { .. }, summary, .. } if summary.tokens.is_some());
        assert!(!is_done, "{what}: the answer {} was dropped", event.seq);
    }
}

/// How many calls were counted that never reached the server: the program died between the two.
fn checked(galley: &Galley, server: &ModelServer, run: &str, asked_before: usize, edits: &Edits) -> u64 {
    let host = Host::open(galley);
    resume(&host, run);
    let page = eventually("the end of the run", || {
        let page = host.ask("open_run", json!({"run": run})).unwrap();
        (!page["outcome"].is_null()).then_some(page)
    });
    assert_eq!(page["outcome"], "finished", "{run}: {page}");
    let events = events_of(&host, run);
    for (seq, text) in edits {
        let landed = &events[usize::try_from(*seq).unwrap() - 1];
        let written = landed.delta().unwrap().set["draft_post"].json_or_null()["post_markdown"].clone();
        assert_eq!(written.as_str(), Some(&**text), "{run}: the acknowledged edit {seq}");
    }
    assert_views(&events, run);
    assert_no_answer_is_dropped(&events, run);
    let calls = page["usage"]["calls"].as_u64().unwrap();
    let asked = (server.count() - asked_before) as u64;
    assert!(calls >= asked, "{run}: {asked} requests came, {calls} are counted");
    calls - asked
}

#[test]
fn killed_at_any_moment_with_edits_around_it_a_run_comes_to_its_end_and_asks_nothing_twice() {
    let kills: u64 = std::env::var("GALLEY_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(6);
    let model = NewsModel { latency: Duration::from_millis(90), reject_first: true, ..NewsModel::default() };
    let server = news_server(model);
    let galley = Galley::asking(&server);
    let mut chance = Chance(0x9E37_79B9_7F4A_7C15);
    let (mut killed, mut unsent) = (0, 0);
    while killed < kills {
        let (asked_before, mut edits) = (server.count(), Edits::new());
        let run = live(&galley, &mut chance, &mut edits, start);
        killed += 1;
        let mut lives = 1;
        while killed < kills && chance.below(3) > 0 {
            // Between two programs it is edited too.
            edit(&Host::open(&galley), &run, &mut chance, &mut edits);
            live(&galley, &mut chance, &mut edits, |host| {
                resume(host, &run);
                run.clone()
            });
            killed += 1;
            lives += 1;
        }
        let more = checked(&galley, &server, &run, asked_before, &edits);
        assert!(more <= lives, "{run}: {more} calls are counted that nobody got, after {lives} kills");
        unsent += more;
        galley.run(["replay", &run]).ok();
    }
    // A program dies seldom in the moment between the intent and the request.
    assert!(
        unsent * 10 <= kills.max(10),
        "{unsent} of {kills} kills left a call that was counted and not sent"
    );
}

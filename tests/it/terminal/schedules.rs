//! Schedules through the real program: what fires, what is skipped, what a run may do. A schedule is made due by setting
//! its mark back in the database, as if the machine had slept since.

use std::ffi::OsStr;
use std::process::Child;

use rusqlite::Connection;
use serde_json::{Value, json};
use testkit::NewsModel;

use super::galley::{Galley, JUNE, Told, eventually, news_server, program};
use super::host::Host;

const DAY_MS: i64 = 24 * 3_600_000;
/// A pipeline without a model that calls a tool of a server, which only looks but is not trusted.
const NOTED: &str = r#"
id = "noted"
title = "Noted"
purpose = "Calls a tool."

[input.words]
title = "Words"

[key.list]
title = "List"

[key.results]
title = "Results"

[agent.noter]
on_demand = true
call = { tool = "played/echo", input = { text = "{{ item }}" }, shape = "text_result" }

[flow]
steps = [
  { set = { list = "{{ words | split(' ') | list }}" } },
  { for_each = "list", run = "noter", collect = "results" },
]
"#;

fn database(galley: &Galley) -> Connection {
    Connection::open(galley.data().join("galley.sqlite3")).unwrap()
}

/// Sets the mark of every schedule back, as if nothing had looked at them since.
fn sleep(galley: &Galley, ms: i64) {
    let changed = database(galley).execute(
        "UPDATE schedules SET handled_until_ms = min(handled_until_ms, unixepoch() * 1000) - ?1, next_at_ms = 0",
        [ms],
    );
    assert!(changed.unwrap() > 0);
}

fn add(galley: &Galley, name: &str, when: &str, rest: &[&str]) -> Told {
    galley.run(["schedule", "add", name, "--when", when].iter().chain(rest))
}

/// Adds a schedule of AI News without a model.
fn add_news(galley: &Galley, when: &str, rest: &[&str]) -> Told {
    let news = ["ai-news", "--input", "user_topic=retrieval", "--profile", "built-in"];
    add(galley, "news", when, &[&news, &JUNE[..], rest].concat())
}

fn run_due(galley: &Galley) -> Vec<Value> {
    galley.run(["schedule", "run-due", "--json"]).ok().lines()
}

fn listed(galley: &Galley) -> Value {
    galley.run(["schedule", "list", "--json"]).ok().lines().remove(0)
}

fn with_tool_server(galley: &Galley) {
    let server = program().with_file_name("tool-server");
    let words = ["tool-server", "add", "played", "--"].iter().map(OsStr::new).chain([server.as_os_str()]);
    galley.run(words).ok();
    galley.file("data/pipelines/noted.toml", NOTED);
    galley.file("data/pipelines/hanging.toml", NOTED.replace("noted", "hanging").replace("/echo", "/hang"));
}

#[test]
fn a_schedule_fires_once_after_a_sleep_in_its_own_zone_and_never_again_for_the_same_instant() {
    let mut galley = Galley::new();
    let told = add_news(&galley, "every day at 7", &["--zone", "Europe/Berlin"]).ok();
    assert!(told.out.contains("active (0 7 * * *), Europe/Berlin"), "{}", told.out);
    assert_eq!(told.out.matches("07:00 +0").count(), 3, "the next times are shown: {}", told.out);
    assert_eq!(run_due(&galley), [] as [Value; 0], "nothing counts from the start of the program");
    assert!(galley.statuses().is_empty());

    sleep(&galley, 3 * DAY_MS);
    galley.environment = vec![("TZ", "Asia/Tokyo".to_owned())];
    let fired = run_due(&galley);
    assert_eq!(fired.len(), 1, "{fired:#?}");
    assert_eq!((&fired[0]["outcome"], &fired[0]["missed"]), (&json!("finished"), &json!(2)));
    assert!(fired[0]["due"]["local"].as_str().unwrap().contains(" 07:00 +0"), "{fired:#?}");
    let card = listed(&galley);
    assert_eq!(card["last"][0]["run"], fired[0]["run"]);
    assert!(card["next"][0]["at_ms"].as_i64() > fired[0]["due"]["at_ms"].as_i64());

    // The marks go back, as with a clock that goes back, and the zone of the system changes.
    sleep(&galley, 3 * DAY_MS);
    galley.environment = vec![("TZ", "America/New_York".to_owned())];
    assert_eq!(run_due(&galley), [] as [Value; 0]);
    assert_eq!(galley.statuses().len(), 1);

    galley.run(["schedule", "pause", "NEWS"]).ok();
    sleep(&galley, 9 * DAY_MS);
    assert_eq!(run_due(&galley), [] as [Value; 0]);
    galley.run(["schedule", "resume", "news"]).ok();
    assert_eq!(run_due(&galley), [] as [Value; 0], "what came while it was paused was not missed");
    galley.run(["schedule", "remove", "news"]).ok();
    galley.run(["schedule", "remove", "news"]).exits(2).says(&["no schedule “news”"]);
    assert_eq!(galley.statuses().len(), 1, "its runs stay");
}

#[test]
fn of_two_processes_one_fires_an_instant_and_an_open_window_fires_itself() {
    let galley = Galley::new();
    add_news(&galley, "every day at 7", &[]).ok();
    sleep(&galley, DAY_MS);
    let start =
        || -> Child { galley.command(&program()).args(["schedule", "run-due", "--json"]).spawn().unwrap() };
    let told = [start(), start()].map(|child| child.wait_with_output().unwrap());
    let lines: Vec<String> = told
        .iter()
        .flat_map(|told| {
            String::from_utf8(told.stdout.clone()).unwrap().lines().map(str::to_owned).collect::<Vec<_>>()
        })
        .collect();
    assert!(told.iter().all(|told| told.status.success()) && lines.len() == 1, "{told:#?}");
    assert_eq!(galley.statuses(), ["finished"]);

    let window = Host::open(&galley);
    eventually("the window", || galley.data().join("schedules.lock").exists().then_some(()));
    add_news(&galley, "every minute", &["--replace"]).ok();
    sleep(&galley, 10 * 60_000);
    assert_eq!(run_due(&galley), [] as [Value; 0], "it is left to the window");
    eventually("the run of the window", || {
        let all = window.ask("list_schedules", json!({})).unwrap();
        (all["schedules"][0]["last"][0]["outcome"] == "finished" && galley.statuses().len() > 1).then_some(())
    });
}

#[test]
fn what_a_schedule_does_not_allow_is_refused_and_waits_for_the_person() {
    let galley = Galley::new();
    with_tool_server(&galley);
    let noted = ["noted", "--input", "words=hello", "--profile", "built-in"];
    add(&galley, "notes", "every day at 7", &noted).ok();
    // What the person allows later, elsewhere, is not settled for the schedule.
    galley.file("data/permissions.toml", "[[always]]\nrule = \"played/echo\"\n");
    sleep(&galley, DAY_MS);
    let fired = run_due(&galley);
    assert_eq!(fired[0]["refused"], json!([{"tool": "played/echo", "place": null}]), "{fired:#?}");
    let needs = &listed(&galley)["needs"];
    assert_eq!((&needs[0]["kind"], &needs[0]["call"]["tool"]), (&json!("refused"), &json!("played/echo")));
    let people = galley.run(["schedule", "list"]).ok().out;
    assert!(people.contains("Needs you: ") && people.contains("`played/echo`"), "{people}");

    add(&galley, "notes", "every day at 8", &[&noted[..], &["--allow", "played/echo", "--replace"]].concat())
        .ok();
    assert_eq!(listed(&galley)["needs"], json!([]));
    assert!(listed(&galley)["request"]["allow"][0].as_str().unwrap().starts_with("played/echo"));
    sleep(&galley, DAY_MS);
    let fired = run_due(&galley);
    assert_eq!((&fired[0]["outcome"], &fired[0]["refused"]), (&json!("finished"), &json!([])), "{fired:#?}");
}

#[test]
fn an_instant_during_a_run_is_skipped_and_a_wedged_run_does_not_block_its_schedule() {
    let galley = Galley::new();
    with_tool_server(&galley);
    let hanging = ["hanging", "--input", "words=hello", "--profile", "built-in", "--allow", "played/hang"];
    add(&galley, "hangs", "every minute", &hanging).ok();
    sleep(&galley, 10 * 60_000);
    let mut child = galley.command(&program()).args(["schedule", "run-due"]).spawn().unwrap();
    eventually("the run", || listed(&galley)["last"][0]["run"].is_string().then_some(()));
    assert_eq!(listed(&galley)["last"][0]["outcome"], "running");
    // The minute of the run may not be over yet.
    let database = database(&galley);
    database.execute("UPDATE schedule_firings SET at_ms = at_ms - 3600000", []).unwrap();
    sleep(&galley, 60_000);
    // The process that has the run, or this one, finds the next instant.
    run_due(&galley);
    let outcomes = || -> Vec<String> {
        let last = listed(&galley)["last"].as_array().unwrap().clone();
        last.iter().map(|firing| firing["outcome"].as_str().unwrap().to_owned()).collect()
    };
    let found = outcomes();
    assert_eq!((found[0].as_str(), found.last().unwrap().as_str()), ("skipped_busy", "running"), "{found:?}");
    database.execute("UPDATE schedule_firings SET begun_at_ms = begun_at_ms - 18000000", []).unwrap();
    assert!(outcomes().contains(&"timed_out".to_owned()));
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn a_profile_that_is_gone_fails_with_its_reason_and_three_failures_stop_the_schedule() {
    let server = news_server(NewsModel::default());
    let galley = Galley::asking(&server);
    let news = [&["ai-news", "--input", "user_topic=retrieval", "--profile", "test"], &JUNE[..]].concat();
    add(&galley, "news", "every day at 7", &news).ok();
    sleep(&galley, DAY_MS);
    assert_eq!(run_due(&galley)[0]["outcome"], "finished");
    let used = listed(&galley)["month_tokens"].as_u64().unwrap();
    assert!(used > 0);
    // The budget of the month is used up.
    add(&galley, "news", "every day at 8", &[&news[..], &["--replace", "--monthly-tokens", "1"]].concat())
        .ok();
    sleep(&galley, DAY_MS);
    let fired = run_due(&galley);
    assert_eq!(fired[0]["outcome"], "skipped_budget");
    assert!(
        fired[0]["error"]["message"].as_str().unwrap().contains(&format!("{used} of 1 tokens")),
        "{fired:#?}"
    );

    add(&galley, "news", "every day at 9", &[&news[..], &["--replace"]].concat()).ok();
    let asked = server.count();
    galley.run(["profile", "remove", "test"]).ok();
    for hour in ["10", "11", "12"] {
        let card = listed(&galley);
        assert_eq!(card["status"], "active");
        // Another instant, without saving the schedule: saving would settle another profile.
        let cron = format!("0 {hour} * * *");
        database(&galley)
            .execute("UPDATE schedules SET setup = json_set(setup, '$.cron', ?1)", [cron])
            .unwrap();
        sleep(&galley, DAY_MS);
        let fired = run_due(&galley);
        assert_eq!(fired[0]["outcome"], "failed");
        assert!(fired[0]["error"]["message"].as_str().unwrap().contains("`test`"), "{fired:#?}");
    }
    assert_eq!(server.count(), asked, "nothing else was asked in its place");
    let card = listed(&galley);
    assert_eq!((&card["status"], &card["needs"][0]["kind"]), (&json!("stopped"), &json!("stopped")));
    sleep(&galley, 2 * DAY_MS);
    assert_eq!(run_due(&galley), [] as [Value; 0]);
    galley.run(["schedule", "resume", "news"]).ok();
    assert_eq!((&listed(&galley)["status"], &listed(&galley)["failures"]), (&json!("active"), &json!(0)));
}

#[test]
fn what_cannot_be_read_is_refused_with_examples_and_nothing_is_looked_at_without_schedules() {
    let galley = Galley::new();
    galley.run(["schedule", "run-due"]).ok();
    assert!(!galley.data().exists(), "nothing is opened or made to find that nothing is due");
    add_news(&galley, "every fortnight", &[]).exits(2).says(&["fortnight", "every weekday at 7"]);
    add_news(&galley, "every day", &[]).exits(2).says(&["time of day"]);
    add_news(&galley, "0 7 30 2 *", &[]).exits(2).says(&["never"]);
    add_news(&galley, "every day at 7", &["--zone", "Mars/Base"])
        .exits(2)
        .says(&["Mars/Base", "Europe/Berlin"]);
    add_news(&galley, "every day at 7", &["--allow", "no_such_tool"]).exits(2).says(&["no_such_tool"]);
    add_news(&galley, "every day at 7", &[]).ok();
    add_news(&galley, "every day at 8", &[]).exits(2).says(&["already"]);
}

//! Workers of other data folders, over a real NATS server: what they do stands in the run as if it had been done there.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::NamedTempFile;
use testkit::{NatsServer, Proxy, Reply, nats_programs};

use super::galley::{Galley, Told, eventually, program, server};
use super::tasks::{calculation, run_task, step, value};
use crate::sources::{TOPIC, services};

/// A pipeline of one request to a model for each word.
const ASKED: &str = r#"
id = "asked"
title = "Asked"
purpose = "Asks a model about each word."

[input.words]
title = "Words"

[key.list]
title = "List"

[key.results]
title = "Results"

[agent.teller]
on_demand = true
instruction = "You say one sentence about a word."
prompt = "{{ item }}"
worker = "Teller"

[flow]
steps = [
  { set = { list = "{{ words | split(' ') | list }}" } },
  { for_each = "list", run = "teller", collect = "results", queue = true },
]
"#;

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap()
}

fn nats(program: &Path) -> NatsServer {
    runtime().block_on(NatsServer::start(program, ""))
}

/// A `galley worker`, ended when it is dropped.
struct Worker {
    child: Child,
    said: NamedTempFile,
}

impl Worker {
    fn start(galley: &Galley, server: &NatsServer, role: &str) -> Worker {
        Worker::with(galley, &server.url(), role, &[])
    }

    fn with(galley: &Galley, queue: &str, role: &str, more: &[&str]) -> Worker {
        let mut command = galley.command(&program());
        command.args(["worker", "--role", role, "--queue", queue, "--name", role]).args(more);
        let said = NamedTempFile::new().unwrap();
        command.stdout(Stdio::null()).stderr(said.reopen().unwrap());
        Worker { child: command.spawn().unwrap(), said }
    }

    fn until_it_begins(&self) {
        let says = || std::fs::read_to_string(self.said.path()).unwrap().contains(" began").then_some(());
        eventually("a sub-task", says);
    }

    fn signal(&self, name: &str) {
        let sent = Command::new("kill").args([format!("-{name}"), self.child.id().to_string()]).status();
        assert!(sent.unwrap().success());
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ended = self.child.kill();
        let _reaped = self.child.wait();
    }
}

/// The workers that are heard of, by their roles.
fn roles(galley: &Galley) -> BTreeSet<String> {
    let told = galley.run(["queue", "--json"]).ok().lines().pop().unwrap();
    let workers = told["server"]["workers"].as_array().unwrap().clone();
    workers.iter().map(|worker| worker["role"].as_str().unwrap().to_owned()).collect()
}

fn wait_for(galley: &Galley, count: usize) {
    eventually("the workers", || (roles(galley).len() == count).then_some(()));
}

#[test]
fn steps_of_a_task_are_done_with_the_accounts_of_another_data_folder_and_replay_and_fork_without_a_queue() {
    for program in nats_programs() {
        let server = nats(&program);
        let services = services();
        let (mut here, mut there) = (Galley::new(), Galley::new());
        here.environment.push(("TEST_TAVILY_KEY", "tvly-of-here".to_owned()));
        there.environment.push(("TEST_TAVILY_KEY", "tvly-of-there".to_owned()));
        here.run(["config", "set", "services.tavily.key_env", "TEST_TAVILY_KEY"]).ok();
        here.run(["config", "set", "services.tavily.base_url", "http://127.0.0.1:1"]).ok();
        let (base, own) = (services.base("tavily"), "--key-env");
        let profile =
            ["profile", "add", "hits", "--provider", "tavily", "--base-url", &base, own, "TEST_TAVILY_KEY"];
        there.run(profile).ok();
        there.run(["config", "set", "services.tavily.profile", "hits"]).ok();
        here.run(["queue", "set", &server.url(), "--no-key"]).ok();
        let workers = ["ResearchAgent", "UtilityAgent"].map(|role| Worker::start(&there, &server, role));
        wait_for(&here, 2);
        let found = step("found", "ResearchAgent", "WebSearchTool", json!({ "query": TOPIC }));
        let plan = json!([[calculation("sum", "1 + 1"), found]]).to_string();
        let plan = format!("plan={plan}");
        let words =
            ["--input", "task=Count.", "--input", "mode=execute", "--input", &plan, "--source", "tavily"];
        here.run(["run", "task", "--profile", "built-in", "--json"].iter().chain(&words)).ok();
        let done = value(&here, "execution_context");
        assert_eq!((&done[0]["result_data"], &done[1]["status"]), (&json!("2"), &json!("done")), "{done}");
        let asked = services.asked("tavily");
        assert!(!asked.is_empty());
        assert!(asked.iter().all(|request| request.header("authorization") == "Bearer tvly-of-there"));
        // Told to stop, a worker leaves the list at once.
        workers[0].signal("TERM");
        wait_for(&here, 1);
        drop((workers, server));
        here.run(["replay", "last"]).ok();
        let run = here.run(["runs", "--json"]).ok().lines()[0]["run"].as_str().unwrap().to_owned();
        let events = here.events(&run);
        let last = events.iter().rposition(|event| event["fact"]["kind"] == "effect_answered").unwrap();
        let at = events[last]["seq"].to_string();
        here.run(["fork", &run, "--at", &at, "--json"]).ok();
    }
}

#[test]
fn every_item_is_done_once_while_workers_are_killed_and_restarted_the_server_too_and_the_net_is_cut() {
    let model = server(|request| {
        let asked = request.last_user_text();
        let word = asked.rsplit('⟦').next().unwrap().trim_end_matches('⟧').to_owned();
        Reply::text(word).after(Duration::from_millis(150))
    });
    for nats_program in nats_programs() {
        let runtime = runtime();
        let mut server = runtime.block_on(NatsServer::start(&nats_program, ""));
        let proxy = runtime.block_on(Proxy::to(server.port()));
        let (here, there) = (Galley::new(), Galley::asking(&model));
        here.file("data/pipelines/asked.toml", ASKED);
        here.add_profile("http://127.0.0.1:1/v1");
        here.run(["queue", "set", &proxy.url(), "--no-key"]).ok();
        there.run(["config", "set", "queue.lease_s", "2"]).ok();
        // One at a time, so that the list takes longer than the trouble.
        let start = || Worker::with(&there, &proxy.url(), "Teller", &["--profile", "test", "--at-once", "1"]);
        let mut workers = [start(), start(), start()];
        wait_for(&here, 1);
        let words: Vec<String> = (0..200).map(|number| format!("word-{number}")).collect();
        let input = format!("words={}", words.join(" "));
        let mut running = here.command(&program());
        running.args(["run", "asked", "--profile", "test", "--json", "--input", &input]);
        let running = running.spawn().unwrap();
        workers[0].until_it_begins();
        workers[0].signal("KILL");
        workers[1].until_it_begins();
        workers[1].signal("TERM");
        workers[1] = start();
        workers[1].until_it_begins();
        runtime.block_on(server.restart());
        proxy.cut();
        std::thread::sleep(Duration::from_secs(5));
        proxy.mend();
        let told = running.wait_with_output().unwrap();
        assert!(told.status.success(), "{told:?}");
        let lines = String::from_utf8(told.stdout).unwrap();
        let result: Value = serde_json::from_str(lines.lines().last().unwrap()).unwrap();
        assert_eq!(result["state"]["results"], json!(words));
        let answers = here.events(result["run"].as_str().unwrap());
        let answered = answers.iter().filter(|event| {
            event["fact"]["kind"] == "effect_answered"
                && event["path"].as_str().is_some_and(|path| path.contains("teller"))
        });
        assert_eq!(answered.count(), 200);
        here.run(["replay", "last"]).ok();
    }
}

#[test]
fn requests_to_models_go_to_workers_that_were_started_with_a_profile_of_that_name() {
    let nats_program = nats_programs().pop().unwrap();
    let server_of_queue = nats(&nats_program);
    let model = server(|_| Reply::text("It is a word."));
    let here = Galley::new();
    here.file("data/pipelines/asked.toml", ASKED);
    here.add_profile("http://127.0.0.1:1/v1");
    here.run(["queue", "set", &server_of_queue.url(), "--no-key"]).ok();
    let there = Galley::asking(&model);
    let run = ["run", "asked", "--profile", "test", "--json", "--input", "words=one two three"];
    {
        let _worker = Worker::start(&there, &server_of_queue, "Teller");
        wait_for(&here, 1);
        let refused = here.run(run).exits(1).err.clone();
        assert!(
            refused.contains("This worker asks no model with the profile `test` for others"),
            "{refused}"
        );
        assert_eq!(model.requests().len(), 0);
    }
    let _worker = Worker::with(&there, &server_of_queue.url(), "Teller", &["--profile", "test"]);
    let told = here.run(run).ok();
    assert_eq!(told.result()["state"]["results"], json!(["It is a word."; 3].to_vec()));
    assert_eq!(model.requests().len(), 3);
    drop(server_of_queue);
    here.run(["replay", "last"]).ok();
}

#[test]
fn a_queue_that_cannot_be_used_is_told_in_a_sentence_and_clearing_it_makes_calls_here_again() {
    let galley = Galley::new();
    galley.run(["queue", "set", "http://here", "--no-key"]).exits(2).says(&["is no address of a queue"]);
    galley.run(["queue", "set", "nats://a:b@here", "--no-key"]).exits(2).says(&["holds no password"]);
    galley.run(["queue", "set", "nats://127.0.0.1:1", "--no-key"]).exits(1).says(&["cannot be reached"]);
    assert!(
        galley
            .run(["doctor"])
            .exits(1)
            .out
            .contains("✗ Queue: The queue nats://127.0.0.1:1 cannot be reached")
    );
    galley.run(["worker", "--role", "A"]).exits(1).says(&["cannot be reached"]);
    galley.run(["queue", "clear"]).ok();
    galley.run(["worker", "--role", "A"]).exits(2).says(&["needs a queue"]);
    let plan = format!("plan={}", json!([[calculation("sum", "1 + 1")]]));
    run_task(&galley, "built-in", &["--input", "task=Count.", "--input", "mode=execute", "--input", &plan])
        .ok();
    assert_eq!(value(&galley, "execution_context")[0]["result_data"], "2");
}

/// A pipeline that calls a tool of a server once for each word.
const NOTED: &str = r#"
id = "noted"
title = "Noted"
purpose = "Calls a tool for each word."

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
  { for_each = "list", run = "noter", collect = "results", queue = true },
]
"#;

#[test]
fn a_call_that_may_be_made_once_is_made_where_it_is_allowed_and_asked_about_when_its_worker_dies() {
    let nats_program = nats_programs().pop().unwrap();
    let nats = nats(&nats_program);
    let (here, there) = (Galley::new(), Galley::new());
    let tool_server = program().with_file_name("tool-server");
    for galley in [&here, &there] {
        galley
            .run(
                ["tool-server", "add", "played", "--"]
                    .iter()
                    .map(OsStr::new)
                    .chain([tool_server.as_os_str()]),
            )
            .ok();
    }
    here.file("data/pipelines/noted.toml", NOTED);
    here.file("data/pipelines/hanging.toml", NOTED.replace("noted", "hanging").replace("/echo", "/hang"));
    here.run(["queue", "set", &nats.url(), "--no-key"]).ok();
    there.run(["config", "set", "queue.lease_s", "2"]).ok();
    let command = |pipeline, tool| {
        let mut command = here.command(&program());
        let allow = format!("--allow={tool}");
        command.args(["run", pipeline, "--profile", "built-in", "--json", "--input", "words=one", &allow]);
        command
    };
    {
        let _careful = Worker::start(&there, &nats, "noter");
        let refused = Told::of(&mut command("noted", "played/echo")).exits(1).err;
        assert!(refused.contains("This worker does not call `played/echo` for others"), "{refused}");
    }
    let start = |tool| Worker::with(&there, &nats.url(), "noter", &["--allow", tool]);
    {
        let _worker = start("played/echo");
        let done = Told::of(&mut command("noted", "played/echo")).ok().result();
        assert!(done["state"]["results"][0].to_string().contains("one"), "{done}");
    }
    let dying = start("played/hang");
    let running = command("hanging", "played/hang").spawn().unwrap();
    dying.until_it_begins();
    dying.signal("KILL");
    let _other = start("played/hang");
    let told = running.wait_with_output().unwrap();
    let failed = String::from_utf8(told.stderr).unwrap();
    assert!(failed.contains("It may have been done or not"), "{failed}");
    let asked = here.run(["resume", "last", "--allow", "played/hang"]).exits(5).err;
    assert!(asked.contains("may have been done: called played/hang. Do it again?"), "{asked}");
}

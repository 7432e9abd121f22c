//! Workers of other data folders, over a real NATS server: what they do stands in the run as if it had been done there.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};
use tempfile::NamedTempFile;
use testkit::{NatsServer, Reply, nats_programs};

use super::galley::{Galley, eventually, program, server};
use super::tasks::{calculation, run_task, step, value};
use crate::sources::{TOPIC, services};

/// One agent for each of a list of numbers: a tool, and a model.
const MANY: &str = r#"
id = "many"
title = "Many"
purpose = "Does one thing for each number."

[input.numbers]
title = "Numbers"
kind = "long_text"

[key.list]
title = "List"

[key.results]
title = "Results"

[agent.doubler]
on_demand = true
call = { tool = "calculator", input = { expression = "{{ item }} * 2" }, shape = "calculated_result" }

[flow]
steps = [
  { set = { list = "{{ numbers | split(',') | list }}" } },
  { for_each = "list", run = "doubler", collect = "results", queue = true },
]
"#;

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

/// A server and the runtime that it was started on.
fn nats(program: &Path) -> NatsServer {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(NatsServer::start(program, ""))
}

/// A `galley worker`, ended when it is dropped.
struct Worker {
    child: Child,
    said: NamedTempFile,
}

impl Worker {
    fn start(galley: &Galley, server: &NatsServer, role: &str) -> Worker {
        let mut command = galley.command(&program());
        command.args(["worker", "--role", role, "--queue", &server.url(), "--name", role]);
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
fn every_item_of_a_list_is_done_once_while_one_worker_is_killed_and_one_stopped() {
    for nats_program in nats_programs() {
        let server = nats(&nats_program);
        let (here, there) = (Galley::new(), Galley::new());
        here.file("data/pipelines/many.toml", MANY);
        here.run(["queue", "set", &server.url(), "--no-key"]).ok();
        there.run(["config", "set", "queue.lease_s", "2"]).ok();
        let start = || Worker::start(&there, &server, "doubler");
        let workers = [start(), start(), start()];
        wait_for(&here, 1);
        let numbers: Vec<String> = (0..200).map(|number| number.to_string()).collect();
        let input = format!("numbers={}", numbers.join(","));
        let mut running = here.command(&program());
        running.args(["run", "many", "--profile", "built-in", "--json", "--input", &input]);
        let running = running.spawn().unwrap();
        workers[0].until_it_begins();
        workers[0].signal("KILL");
        workers[1].until_it_begins();
        workers[1].signal("TERM");
        let told = running.wait_with_output().unwrap();
        assert!(told.status.success(), "{told:?}");
        let lines = String::from_utf8(told.stdout).unwrap();
        let result: Value = serde_json::from_str(lines.lines().last().unwrap()).unwrap();
        let doubled: Vec<String> = (0..200).map(|number| (number * 2).to_string()).collect();
        assert_eq!(result["state"]["results"], json!(doubled));
        let answers = here.events(result["run"].as_str().unwrap());
        let answered = answers.iter().filter(|event| {
            event["fact"]["kind"] == "effect_answered"
                && event["path"].as_str().is_some_and(|path| path.contains("doubler"))
        });
        assert_eq!(answered.count(), 200);
        here.run(["replay", "last"]).ok();
    }
}

#[test]
fn requests_to_models_go_to_workers_with_a_profile_of_that_name_and_key() {
    let nats_program = nats_programs().pop().unwrap();
    let server_of_queue = nats(&nats_program);
    let model = server(|_| Reply::text("It is a word."));
    let here = Galley::new();
    here.file("data/pipelines/asked.toml", ASKED);
    here.add_profile("http://127.0.0.1:1/v1");
    here.run(["queue", "set", &server_of_queue.url(), "--no-key"]).ok();
    let there = Galley::asking(&model);
    let _worker = Worker::start(&there, &server_of_queue, "Teller");
    wait_for(&here, 1);
    let told =
        here.run(["run", "asked", "--profile", "test", "--json", "--input", "words=one two three"]).ok();
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

//! Signing in at a tool server: in a browser, with the tokens in a real keyring, shared by all processes.

use std::io::{BufRead, BufReader, Read};
use std::process::Child;

use serde_json::json;
use testkit::{ChatRequest, Dialect, Model, ModelServer, OAuthServer, Reply, ServerOptions, ToolCall};

use super::galley::{Galley, Told, program};
use super::keyring::{Keyring, on};
use super::tool_conversations::{place, told};

const PIPELINE: &str = r#"
id = "scout"
title = "Scout"
[input.subject]
title = "Subject"
[key.text]
title = "Text"
role = "final"
[agent.seeker]
reads = ["subject"]
writes = "text"
instruction = "Use the tools, then write."
tools = ["guarded/look", "guarded/erase"]
[flow]
steps = ["seeker"]
"#;

const RUN: [&str; 9] = [
    "run",
    "scout",
    "--input",
    "subject=x",
    "--profile",
    "test",
    "--json",
    "--allow=guarded/look",
    "--allow=guarded/erase",
];

/// A machine with a keyring, and a server that is set up there.
struct Machine {
    galley: Galley,
    model: ModelServer,
    server: OAuthServer,
    _keyring: Keyring,
}

impl Machine {
    /// One whose model calls this one of the two tools, and then writes.
    fn calling(tool: usize) -> Machine {
        let model = move |request: &ChatRequest| match told(request).len() {
            0 => {
                let name = request.body["tools"][tool]["function"]["name"].as_str().unwrap().to_owned();
                Reply::ToolCalls(vec![ToolCall { id: Some("call_0".into()), name, arguments: json!({}) }])
            }
            _ => Reply::text("Done."),
        };
        let model = ModelServer::start(ServerOptions::default(), Model::Function(Box::new(model))).unwrap();
        let mut galley = place(&model, Dialect::OpenAi, "scout", PIPELINE);
        let (keyring, server) = (Keyring::unlocked(), OAuthServer::start());
        on(&mut galley, &keyring.address);
        galley.run(["tool-server", "add", "guarded", "--url", &server.url()]).ok();
        Machine { galley, model, server, _keyring: keyring }
    }

    fn begin(&self, words: &[&str]) -> Child {
        self.galley.command(&program()).args(words).spawn().unwrap()
    }

    /// Signs in as a person does: opens the address that is printed. Gives what the command told, and the page.
    fn sign_in(&self, more: &[&str]) -> (Told, String) {
        let words = [&["tool-server", "sign-in", "guarded", "--no-browser"], more].concat();
        let mut child = self.begin(&words);
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut address = String::new();
        out.read_line(&mut address).unwrap();
        let page = visit(address.trim());
        let (mut rest, mut err) = (String::new(), String::new());
        out.read_to_string(&mut rest).unwrap();
        child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
        let code = child.wait().unwrap().code();
        (Told { code, out: address + &rest, err }, page)
    }

    /// What the model was told of its call in the last run.
    fn answer(&self) -> String {
        told(&self.model.requests().pop().unwrap()).join("\n")
    }
}

/// What a browser shows there.
fn visit(address: &str) -> String {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        client.get(address).send().await.unwrap().text().await.unwrap()
    })
}

fn ended(mut child: Child) -> Told {
    let (mut out, mut err) = (String::new(), String::new());
    child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    Told { code: child.wait().unwrap().code(), out, err }
}

#[test]
fn who_signs_in_once_is_served_in_every_process_and_signs_out_for_all() {
    let machine = Machine::calling(0);
    let refused = machine.galley.run(["tool-server", "test", "guarded"]);
    refused.says(&["guarded", "asks you to sign in", "`galley tool-server sign-in guarded`"]);
    let (signed_in, page) = machine.sign_in(&[]);
    assert!(page.contains("You can close this window"), "{page}");
    assert!(signed_in.ok().err.contains("You are signed in at guarded for offline_access, read"));
    machine.galley.run(["tool-server", "test", "guarded"]).ok();
    assert_eq!(machine.galley.run(RUN).ok().result()["output"], "Done.");
    assert!(machine.answer().contains("look: done"), "{}", machine.answer());
    let listed = machine.galley.run(["tool-server", "list"]).ok().out;
    assert!(listed.contains("on, signed in"), "{listed}");

    machine.galley.run(["tool-server", "sign-out", "guarded"]).ok();
    assert!(machine.server.seen().revoked >= 1);
    machine.galley.run(["tool-server", "test", "guarded"]).says(&["asks you to sign in"]);
    machine.galley.run(["tool-server", "sign-out", "guarded"]).says(&["You are not signed in"]);
    assert!(machine.server.seen().refused.is_empty(), "{:?}", machine.server.seen().refused);
}

#[test]
fn two_processes_renew_a_token_once_and_both_are_served() {
    let machine = Machine::calling(0);
    machine.sign_in(&[]).0.ok();
    machine.galley.run(["tool-server", "test", "guarded"]).ok();
    machine.server.end_access_tokens();
    let runs = [machine.begin(&RUN), machine.begin(&RUN)];
    for run in runs.map(ended) {
        assert_eq!(run.exits(0).result()["output"], "Done.");
    }
    let seen = machine.server.seen();
    assert_eq!(seen.called, ["look", "look"]);
    assert_eq!((seen.refreshed, seen.reused), (1, 0), "{:?}", seen.refused);
}

#[test]
fn a_server_that_asks_for_more_fails_one_call_which_is_recorded_and_gets_it_at_the_next_sign_in() {
    let machine = Machine::calling(1);
    machine.sign_in(&[]).0.ok();
    let result = machine.galley.run(RUN).ok().result();
    assert!(
        machine.answer().contains("more than you allowed: write. If you allow it, sign in again with `galley tool-server sign-in guarded`"),
        "{}",
        machine.answer()
    );
    let events = json!(machine.galley.events(result["run"].as_str().unwrap())).to_string();
    for words in [r#""failure":"sign_in_needed""#, r#""scopes":["write"]"#] {
        assert!(events.contains(words), "{words}: {events}");
    }
    assert!(machine.server.seen().called.is_empty());
    let (signed_in, _) = machine.sign_in(&[]);
    assert!(signed_in.ok().err.contains("for offline_access, read, write"));
    machine.galley.run(RUN).ok();
    assert_eq!(machine.server.seen().called, ["erase"]);
    assert!(!events.contains("access-") && !events.contains("refresh-"));
}

#[test]
fn a_browser_that_brings_another_state_signs_nobody_in() {
    let machine = Machine::calling(0);
    let mut child = machine.begin(&["tool-server", "sign-in", "guarded", "--no-browser"]);
    let mut address = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut address).unwrap();
    let redirect = address.split("redirect_uri=").nth(1).unwrap().split('&').next().unwrap();
    let redirect = redirect.replace("%3A", ":").replace("%2F", "/");
    let page = visit(&format!("{redirect}?code=stolen&state=guessed"));
    assert!(page.contains("does not belong to the sign-in"), "{page}");
    assert!(child.try_wait().unwrap().is_none(), "it goes on waiting");
    child.kill().unwrap();
    child.wait().unwrap();
    let listed = machine.galley.run(["tool-server", "list"]).ok().out;
    assert!(!listed.contains("signed in"), "{listed}");
    assert!(machine.server.seen().refused.is_empty(), "the code of another came to nobody");
}

#[test]
fn a_server_that_is_removed_is_signed_out_and_what_was_not_revoked_is_told() {
    let machine = Machine::calling(0);
    machine.sign_in(&[]).0.ok();
    machine.server.revoke_nothing();
    let removed = machine.galley.run(["tool-server", "remove", "guarded"]).ok();
    removed.says(&["signed out at `guarded`", "did not revoke", "HTTP 503"]);
    machine.galley.run(["tool-server", "add", "guarded", "--url", &machine.server.url()]).ok();
    machine.galley.run(["tool-server", "test", "guarded"]).says(&["asks you to sign in"]);
}

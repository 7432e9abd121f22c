//! Agents that answer in plain text, with limits of their own: what is an answer, what a limit ended, why there is none.

use serde_json::{Value, json};
use testkit::{ChatRequest, Dialect, Model, ModelServer, Reply, ServerOptions};

use super::galley::{Galley, Told};
use super::tool_conversations::place;

const ANSWERS: &[&str] = &[
    "42",
    "3.5",
    "true",
    "none",
    "N/A",
    "done",
    "OK",
    "2026-06-01",
    "[1]",
    r#"{"a":1}"#,
    "-",
    "Sure!",
    r#"{"text": "x"}"#,
    "无",
    "```\n7\n```",
];

/// A pipeline of one agent for each answer, which names the number of its own.
fn plain() -> String {
    let mut text = "id = \"plain\"\ntitle = \"Plain\"\n[input.question]\ntitle = \"Question\"\n".to_owned();
    for at in 0..ANSWERS.len() {
        text += &format!(
            "[key.answer_{at}]\ntitle = \"Answer\"\n[agent.agent_{at}]\nreads = [\"question\"]\nwrites = \"answer_{at}\"\n\
             instruction = \"Answer number {at}.\"\n"
        );
    }
    let agents: Vec<String> = (0..ANSWERS.len()).map(|at| format!("agent_{at}")).collect();
    text + &format!("[flow]\nsteps = [{{ parallel = {agents:?} }}]\n")
}

/// What the agent of this request answers.
fn own(request: &ChatRequest) -> Reply {
    let instruction = request.instruction();
    let number = instruction.split("number ").nth(1).and_then(|rest| rest.split('.').next()).unwrap();
    Reply::text(ANSWERS[number.parse::<usize>().unwrap()])
}

fn server(dialect: Dialect, model: impl Fn(&ChatRequest) -> Reply + Send + Sync + 'static) -> ModelServer {
    let options = ServerOptions { dialect, ..ServerOptions::default() };
    ModelServer::start(options, Model::Function(Box::new(model))).unwrap()
}

#[test]
fn a_short_answer_is_the_answer_at_the_first_call_in_every_dialect() {
    let pipeline = plain();
    for dialect in [Dialect::OpenAi, Dialect::Gemini, Dialect::Anthropic, Dialect::Ollama] {
        for is_streamed in [true, false] {
            let server = server(dialect, move |request| match request.is_stream() && !is_streamed {
                true => Reply::error(501, "not_implemented", None, "streaming is not implemented"),
                false => own(request),
            });
            let galley = place(&server, dialect, "plain", &pipeline);
            let words = ["run", "plain", "--input", "question=How many?", "--profile", "test", "--json"];
            let result = galley.run(words).ok().result();
            let what = format!("{dialect:?}, streamed: {is_streamed}");
            for (at, answer) in ANSWERS.iter().enumerate() {
                assert_eq!(result["state"][format!("answer_{at}")], **answer, "{what}");
            }
            assert_eq!(result["usage"]["calls"], ANSWERS.len(), "{what}");
            galley.run(["replay", "last"]).ok();
        }
    }
}

/// One agent, perhaps with limits of its own, in a loop of so many rounds.
fn single(own: &str, rounds: u32) -> String {
    format!(
        "id = \"single\"\ntitle = \"Single\"\n[input.question]\ntitle = \"Question\"\n[key.answer]\ntitle = \"Answer\"\nrole = \"final\"\n\
         [agent.counter]\nreads = [\"question\"]\nwrites = \"answer\"\ninstruction = \"Count.\"\n{own}\n\
         [flow]\nsteps = [{{ loop = [\"counter\"], rounds = {rounds} }}]\n"
    )
}

fn run(galley: &Galley, more: &[&str]) -> Told {
    let words = ["run", "single", "--input", "question=How many?", "--profile", "test"];
    galley.run(words.iter().chain(more))
}

#[test]
fn a_limit_that_an_agent_declares_ends_it_by_name_and_can_be_raised_alone() {
    let server = server(Dialect::OpenAi, |_| Reply::text("42"));
    let galley =
        place(&server, Dialect::OpenAi, "single", &single("max_llm_calls = 1\nmax_output_tokens = 300", 2));
    let told = run(&galley, &["--json"]).exits(3);
    let error = &told.result()["error"];
    assert_eq!(error["code"], "limit_reached");
    let message = error["message"].as_str().unwrap();
    assert!(message.contains("`max_llm_calls`") && message.contains("`counter`: 1 "), "{error}");
    assert_eq!(server.count(), 1);
    let most = |request: &ChatRequest| request.body["max_tokens"].as_u64().unwrap();
    assert_eq!(most(&server.requests()[0]), 300);
    let result = galley.run(["resume", "last", "--limit", "counter.max_llm_calls=5", "--json"]).ok().result();
    assert_eq!((&result["output"], server.count()), (&json!("42"), 2));
    galley.run(["replay", "last"]).ok();
    // What is given for a run comes before what is declared.
    run(&galley, &["--limit", "counter.max_llm_calls=none", "--quiet"]).ok();
}

#[test]
fn an_answer_that_its_limit_cuts_tells_the_number_and_where_it_is_set() {
    let server = server(Dialect::OpenAi, |_| Reply::text("word ".repeat(9000)));
    for (own, limits, words) in [
        ("", &[][..], ["4096 tokens", "`max_output_tokens` of the run is 2048"]),
        (
            "",
            &["--limit", "max_output_tokens=500"][..],
            ["1000 tokens", "`max_output_tokens` of the run is 500"],
        ),
        ("max_output_tokens = 300", &[][..], ["600 tokens", "`max_output_tokens` of `counter` is 300"]),
    ] {
        let galley = place(&server, Dialect::OpenAi, "single", &single(own, 1));
        let told = run(&galley, limits).exits(1);
        assert!(words.iter().all(|word| told.err.contains(word)), "{words:?}: {}", told.err);
        assert!(told.err.contains("--limit max_output_tokens=N"), "{}", told.err);
    }
}

/// An answer with this body, whatever is asked.
fn body(kind: &str, body: &str) -> Reply {
    let headers = vec![("content-type".to_owned(), kind.to_owned())];
    Reply::Error { status: 200, headers, body: body.to_owned() }
}

#[test]
fn why_an_empty_answer_of_gemini_ended_is_said() {
    for (reason, words) in [
        ("MAX_TOKENS", "4096 tokens"),
        ("SAFETY", "SAFETY"),
        ("RECITATION", "RECITATION"),
        ("MALFORMED_FUNCTION_CALL", "MALFORMED_FUNCTION_CALL"),
        ("OTHER", "OTHER"),
    ] {
        let candidate = json!({"content": {"role": "model"}, "finishReason": reason, "index": 0});
        let frame: Value = json!({"candidates": [candidate], "usageMetadata": {"promptTokenCount": 9, "totalTokenCount": 9}});
        let server =
            server(Dialect::Gemini, move |_| body("text/event-stream", &format!("data: {frame}\n\n")));
        let galley = place(&server, Dialect::Gemini, "single", &single("", 1));
        let told = run(&galley, &[]).exits(1);
        assert!(told.err.contains(words), "{reason}: {}", told.err);
    }
}

#[test]
fn lines_of_ollama_end_with_a_reason_or_an_error() {
    let line = |content: &str| json!({"model": "m", "message": {"role": "assistant", "content": content}, "done": false});
    let said = format!("{}\n{}\n", line("It rains "), line("today."));
    for (end, expected) in [
        (
            json!({"model": "m", "message": {"role": "assistant", "content": ""}, "done_reason": "stop", "eval_count": 2}),
            Ok("It rains today."),
        ),
        (json!({"model": "m", "done_reason": "stop"}), Ok("It rains today.")),
        (
            json!({"error": "llama runner process no longer running: signal: killed"}),
            Err("no longer running: signal: killed"),
        ),
    ] {
        let lines = format!("{said}{end}\n");
        let server = server(Dialect::Ollama, move |_| body("application/x-ndjson", &lines));
        let galley = place(&server, Dialect::Ollama, "single", &single("", 1));
        match expected {
            Ok(text) => {
                assert_eq!(run(&galley, &["--json"]).ok().result()["output"], text);
                assert_eq!(server.count(), 1);
            }
            Err(words) => {
                let told = run(&galley, &[]).exits(1);
                assert!(told.err.contains(words), "{}", told.err);
            }
        }
    }
}

//! The judge of the conformance table, judged: made-up exchanges in shapes that services really have, each with what it
//! comes to written down by hand, which both the judge and the provider must say.
//!
//! Not here: the plain shapes of refusals and answers (`conformance`).

use std::fs;

use kernel::Code;
use serde_json::{Value, json};

use super::conformance::{asked, judge};
use super::expected::{Outcome, expected};
use super::recording::{Kind, read};

const OPENAI: &str = "https://api.openai.com/v1/chat/completions";
const ANTHROPIC: &str = "https://api.anthropic.com/v1/messages";
const GEMINI: &str = "https://generativelanguage.googleapis.com/v1beta/models/m-1:generateContent";
const GEMINI_STREAM: &str =
    "https://generativelanguage.googleapis.com/v1beta/models/m-1:streamGenerateContent?alt=sse";
const OLLAMA: &str = "http://127.0.0.1:11434/api/chat";

/// An exchange of which only this is told: neither headers nor, without `body`, the request.
fn exchange(url: &str, body: &Value, answer: &str) -> Value {
    json!({"request": {"method": "POST", "url": url, "body": body}, "response": {"status": 200, "body_text": answer}})
}

fn whole(url: &str, answer: &Value) -> Value {
    exchange(url, &json!({"model": "m-1", "stream": false}), &answer.to_string())
}

fn streamed(url: &str, events: &[Value]) -> Value {
    let events: String = events
        .iter()
        .map(|event| match event {
            Value::String(raw) => raw.clone(),
            event => format!("data: {event}\n\n"),
        })
        .collect();
    exchange(url, &json!({"model": "m-1", "stream": true}), &events)
}

fn text(text: &str, stop: &str, tokens: (u64, u64)) -> Outcome {
    with(text, &[], stop, tokens)
}

fn with(text: &str, calls: &[(&str, Value)], stop: &str, tokens: (u64, u64)) -> Outcome {
    Outcome::Answer {
        text: text.into(),
        calls: calls.iter().map(|(tool, input)| ((*tool).to_owned(), input.clone())).collect(),
        stop: stop.into(),
        input_tokens: tokens.0,
        output_tokens: tokens.1,
    }
}

/// Chat completions: one piece of a stream, and one answer.
fn piece(delta: Value, stop: Option<&str>) -> Value {
    json!({"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": delta, "finish_reason": stop}]})
}

fn answer(message: Value, stop: &str) -> Value {
    json!({"object": "chat.completion", "choices": [{"index": 0, "message": message, "finish_reason": stop}], "usage": {"prompt_tokens": 5, "completion_tokens": 7}})
}

fn function(index: u64, id: &str, name: &str, arguments: Value) -> Value {
    json!({"tool_calls": [{"index": index, "id": id, "type": "function", "function": {"name": name, "arguments": arguments}}]})
}

fn of_chat_completions() -> Vec<(&'static str, Value, Outcome)> {
    let done = || json!("data: [DONE]\n\n");
    let error = || json!({"error": {"message": "late", "code": 503}});
    let sse = "data: {\"choices\":[{\"delta\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}]}\n\n";
    let one = |arguments: Value| answer(function(0, "a", "f", arguments), "tool_calls");
    vec![
        (
            "a stream without its request and headers",
            exchange(OPENAI, &json!(null), sse),
            text("a", "stop", (0, 0)),
        ),
        (
            "content in typed parts",
            whole(
                OPENAI,
                &answer(
                    json!({"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}, {"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}),
                    "stop",
                ),
            ),
            text("ab", "stop", (5, 7)),
        ),
        (
            "two calls with one index",
            streamed(
                OPENAI,
                &[
                    piece(function(0, "a", "f", json!("{\"q\":")), None),
                    piece(json!({"tool_calls": [{"index": 0, "function": {"arguments": "1}"}}]}), None),
                    piece(function(0, "b", "g", json!("{\"q\":2}")), None),
                    piece(json!({}), Some("tool_calls")),
                ],
            ),
            with("", &[("f", json!({"q": 1})), ("g", json!({"q": 2}))], "tool_calls", (0, 0)),
        ),
        (
            "a call that is called a function",
            whole(OPENAI, &answer(function(0, "a", "f", json!("{}")), "function_call")),
            with("", &[("f", json!({}))], "tool_calls", (5, 7)),
        ),
        (
            "a gateway that speaks as whom it asks, thinks aloud and forgets its counts at the end",
            streamed(
                OPENAI,
                &[
                    json!({"choices": [{"delta": {"content": "<thinking>hm</thinking> a"}}], "usage": {"prompt_tokens": 5.0, "completion_tokens": 6}}),
                    piece(json!({}), Some("MAX_TOKENS")),
                    json!({"choices": [], "usage": {"prompt_tokens": 0, "completion_tokens": 7.0}}),
                ],
            ),
            text("a", "length", (5, 7)),
        ),
        (
            "arguments that are no text",
            whole(OPENAI, &one(json!({"k": 1}))),
            with("", &[("f", json!({"k": 1}))], "tool_calls", (5, 7)),
        ),
        (
            "an error that says nothing",
            streamed(
                OPENAI,
                &[json!({"error": "", "choices": [{"delta": {"content": "x"}, "finish_reason": "stop"}]})],
            ),
            text("x", "stop", (0, 0)),
        ),
        (
            "an error beside an answer",
            whole(
                OPENAI,
                &json!({"error": {"code": 503}, "choices": [{"message": {"content": "x"}, "finish_reason": "error"}]}),
            ),
            Outcome::Error(Code::Overloaded),
        ),
        (
            "an event over several lines",
            streamed(
                OPENAI,
                &[
                    json!(
                        "data: {\"choices\":[{\"index\":0,\ndata: \"delta\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}]}\n\n"
                    ),
                    done(),
                ],
            ),
            text("a", "stop", (0, 0)),
        ),
        (
            "events that nothing parts",
            streamed(
                OPENAI,
                &[
                    json!("data: {\"choices\":[]}\ndata: [DONE]\n\n"),
                    piece(json!({"content": "a"}), Some("stop")),
                ],
            ),
            Outcome::AnyError,
        ),
        (
            "a mark of UTF-8",
            streamed(
                OPENAI,
                &[
                    json!("\u{feff}"),
                    piece(json!({"content": "a"}), None),
                    piece(json!({"content": "b"}), Some("stop")),
                ],
            ),
            text("ab", "stop", (0, 0)),
        ),
        (
            "an error behind the mark of the end",
            streamed(OPENAI, &[piece(json!({"content": "a"}), None), done(), error()]),
            text("a", "stop", (0, 0)),
        ),
        (
            "an error behind the reason to stop",
            streamed(OPENAI, &[piece(json!({"content": "a"}), Some("length")), error()]),
            text("a", "length", (0, 0)),
        ),
        (
            "an error before the end",
            streamed(OPENAI, &[piece(json!({"content": "a"}), None), error(), done()]),
            Outcome::Error(Code::Overloaded),
        ),
        (
            "messages in place of pieces, cut",
            streamed(OPENAI, &[json!({"choices": [{"message": {"content": "a"}, "finish_reason": null}]})]),
            Outcome::Error(Code::Network),
        ),
        ("nothing but the mark of the end", streamed(OPENAI, &[done()]), Outcome::AnyError),
        (
            "counts and the mark of the end",
            streamed(OPENAI, &[json!({"choices": [], "usage": {"prompt_tokens": 3}}), done()]),
            Outcome::AnyError,
        ),
    ]
}

fn of_messages() -> Vec<(&'static str, Value, Outcome)> {
    let start =
        json!({"type": "message_start", "message": {"usage": {"input_tokens": 10, "output_tokens": 1}}});
    let stop = |why: &str| json!({"type": "message_delta", "delta": {"stop_reason": why}, "usage": {"output_tokens": 5}});
    let begun = json!({"type": "content_block_start", "index": 0, "content_block": {"type": "tool_use", "id": "t", "name": "f", "input": {}}});
    let half = json!({"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": "{\"q\": \"ab"}});
    let error = json!({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}});
    let message = |block: Value, why: &str| json!({"type": "message", "content": [block], "stop_reason": why, "usage": {"input_tokens": 4, "output_tokens": 2}});
    vec![
        (
            "a full window",
            whole(
                ANTHROPIC,
                &message(json!({"type": "text", "text": "cut"}), "model_context_window_exceeded"),
            ),
            text("cut", "length", (4, 2)),
        ),
        (
            "input that was cut",
            streamed(ANTHROPIC, &[start.clone(), begun, half, stop("max_tokens")]),
            with("", &[("f", json!("{\"q\": \"ab"))], "length", (10, 5)),
        ),
        (
            "a call without input",
            whole(ANTHROPIC, &message(json!({"type": "tool_use", "id": "t", "name": "f"}), "tool_use")),
            with("", &[("f", json!({}))], "tool_calls", (4, 2)),
        ),
        (
            "an error behind the reason to stop",
            streamed(ANTHROPIC, &[start, stop("end_turn"), error]),
            text("", "stop", (10, 5)),
        ),
    ]
}

fn of_gemini() -> Vec<(&'static str, Value, Outcome)> {
    let candidate = |text: &str, stop: Option<&str>, counts: Value| json!({"candidates": [{"content": {"parts": [{"text": text}]}, "finishReason": stop}], "usageMetadata": counts});
    let first = candidate(
        "a",
        None,
        json!({"promptTokenCount": 4, "candidatesTokenCount": 2, "thoughtsTokenCount": 20}),
    );
    let last = candidate("b", Some("STOP"), json!({"promptTokenCount": 4, "candidatesTokenCount": 3}));
    let counts = json!({"usageMetadata": {"promptTokenCount": 4}});
    let error = json!({"error": {"code": 503, "status": "UNAVAILABLE"}});
    vec![
        (
            "a picture that is refused",
            whole(GEMINI, &json!({"candidates": [{"finishReason": "IMAGE_PROHIBITED_CONTENT"}]})),
            Outcome::Error(Code::ContentRefused),
        ),
        (
            "a last frame without the thoughts",
            streamed(GEMINI_STREAM, &[first, last]),
            text("ab", "stop", (4, 23)),
        ),
        ("nothing at all", whole(GEMINI, &json!({})), Outcome::AnyError),
        (
            "counts and then nothing",
            streamed(GEMINI_STREAM, std::slice::from_ref(&counts)),
            text("", "empty", (4, 0)),
        ),
        (
            "counts and then an error",
            streamed(GEMINI_STREAM, &[counts, error.clone()]),
            Outcome::Error(Code::Overloaded),
        ),
        (
            "an error in a list of pieces",
            streamed(GEMINI_STREAM, &[json!(json!([candidate("a", None, json!({})), error]).to_string())]),
            Outcome::Error(Code::Overloaded),
        ),
    ]
}

fn of_ollama() -> Vec<(&'static str, Value, Outcome)> {
    let lines = "{\"message\":{\"content\":\"a\"},\"done\":false}\n{\"message\":{\"content\":\"b\"},\"done\":true,\"prompt_eval_count\":3,\"eval_count\":2}\n";
    vec![
        (
            "a stream because nothing was said of one",
            exchange(OLLAMA, &json!({"model": "m-1"}), lines),
            text("ab", "stop", (3, 2)),
        ),
        ("a stream without its request", exchange(OLLAMA, &json!(null), lines), text("ab", "stop", (3, 2))),
    ]
}

#[tokio::test]
async fn what_services_untidily_say_comes_to_what_a_reader_takes_from_it() {
    let folder = tempfile::tempdir().unwrap();
    let all = [
        ("openai-compatible", of_chat_completions()),
        ("anthropic", of_messages()),
        ("gemini", of_gemini()),
        ("ollama", of_ollama()),
    ];
    let mut wrong = Vec::new();
    for (provider, table) in all {
        let place = folder.path().join(provider);
        fs::create_dir(&place).unwrap();
        for (name, exchange, should) in table {
            let file = place.join(format!("{name}.json"));
            fs::write(&file, exchange.to_string()).unwrap();
            let Kind::Exchange(recording) = read(&file) else { panic!("{name}") };
            assert_eq!(recording.provider, provider);
            let (judged, is) = (expected(&recording), asked(&recording).await);
            if !should.is(&judged) || !is.is(&should) {
                wrong.push(format!(
                    "{provider}, {name}\n  should {should:?}\n  judged {judged:?}\n  is     {is:?}"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn no_file_is_passed_over_in_silence() {
    let folder = tempfile::tempdir().unwrap();
    let answered = |text: &str| answer(json!({"content": text}), "stop");
    let router = "https://openrouter.ai/api/v1/chat/completions";
    let refused = |status: u16, words: &str| json!({"request": {"method": "POST", "url": router, "body": {}}, "response": {"status": status, "body": {"error": words}}});
    let files = [
        // Judged: by their folder, their address or their shape; lists and refusals without their request, too.
        ("openai-compatible/router.json", whole(router, &answered("a"))),
        (
            "root.json",
            whole(ANTHROPIC, &json!({"type": "message", "content": [], "stop_reason": "end_turn"})),
        ),
        ("groq/deeper/answer.json", whole(router, &answered("a"))),
        ("ollama/tags.json", json!({"models": [{"name": "llama3:8b"}]})),
        ("openai/list.json", json!({"object": "list", "data": [{"id": "gpt"}]})),
        (
            "openai/refused.json",
            json!({"error": {"message": "x", "code": "insufficient_quota"}, "status": 429}),
        ),
        (
            "anthropic/refused.json",
            json!({"type": "error", "error": {"type": "overloaded_error"}, "status": 529}),
        ),
        // Pages that more would follow, and a list that is nothing but one.
        (
            "gemini/page.json",
            json!({"models": [{"name": "models/g", "supportedGenerationMethods": ["generateContent"]}], "nextPageToken": "more"}),
        ),
        ("anthropic/page.json", json!({"data": [{"id": "claude"}], "has_more": true, "last_id": "claude"})),
        (
            "together.json",
            json!({"request": {"method": "GET", "url": "https://api.together.xyz/v1/models"}, "response": {"status": 200, "body": [{"id": "m"}, {"id": "n"}]}}),
        ),
        // Refusals in other words.
        ("xai.json", refused(400, "Incorrect API key provided: xa***.")),
        ("limited.json", refused(429, "You have reached your daily limit.")),
        ("spent.json", refused(400, "You have reached your specified API usage limits.")),
        ("unpaid.json", refused(429, "billing_not_active")),
        ("gemini/pieces.json", json!([{"candidates": [{"content": {}, "finishReason": "STOP"}]}])),
        // Named as skipped.
        ("openai/untold.json", json!({"error": {"message": "x"}})),
        ("openai/embedded.json", whole("https://api.openai.com/v1/embeddings", &json!({"data": []}))),
        // Of another service.
        ("arxiv/found.json", json!({"models": []})),
        // Nobody's.
        ("list.json", json!({"models": [{"name": "m"}]})),
        ("cohere/answer.json", whole("https://api.cohere.com/v2/chat", &json!({"message": {}}))),
    ];
    for (name, body) in &files {
        let file = folder.path().join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, body.to_string()).unwrap();
    }
    fs::write(folder.path().join("SOURCES.md"), "Made up.").unwrap();
    let judged = judge(&[folder.path().to_owned()]).await;
    let counted: Vec<_> = judged.by_provider.into_iter().collect();
    assert_eq!(
        counted,
        [("anthropic", 3), ("gemini", 2), ("ollama", 1), ("openai", 2), ("openai-compatible", 7)],
        "{:?}",
        judged.skipped
    );
    let named = |said: &[String], names: [&str; 2]| {
        said.len() == 2 && names.iter().all(|name| said.iter().any(|line| line.contains(name)))
    };
    assert!(named(&judged.skipped, ["openai/untold.json", "openai/embedded.json"]), "{:?}", judged.skipped);
    let strays = [folder.path().join("list.json"), folder.path().join("cohere/answer.json")];
    assert!(named(&judged.wrong, strays.each_ref().map(|file| file.to_str().unwrap())), "{:?}", judged.wrong);
}

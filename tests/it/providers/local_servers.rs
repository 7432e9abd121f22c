//! The model servers of a person's machine: each is found by what only it answers, and a request that the window of its
//! model cannot hold is refused before it is sent.

use std::collections::BTreeMap;
use std::path::Path;

use desk::{Desk, ErrorCode, Options, Outcome};
use engine::TextSink;
use kernel::{Code, Error, Message, ModelRequest, Speaker, Value};
use models::{Delivery, LocalServer, ProfileAccess, connect_with, servers_at};
use serde_json::{Value as Json, json};
use testkit::{LocalModelServer, ModelServer, NewsModel, closed_port_url};

use crate::profiles::request;

/// The window of each recorded server's model.
const WINDOWS: [(&str, &str, u64); 4] = [
    ("llama-cpp", "models/SmolLM2-135M-Instruct.Q4_1.gguf", 4096),
    ("lm-studio", "meta-llama-3.1-8b-instruct", 4096),
    ("vllm", "Qwen/Qwen3-0.6B", 4096),
    ("ollama", "llava:latest", 8192),
];

fn recorded(kind: &str) -> BTreeMap<String, Json> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/contracts/local-servers");
    let text = std::fs::read_to_string(folder.join(format!("{kind}.json"))).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// The recorded server, with some of its answers changed.
fn server(kind: &str, changes: &[(&str, Json)]) -> LocalModelServer {
    let (.., window) = WINDOWS.into_iter().find(|(known, ..)| *known == kind).unwrap();
    let mut answers = recorded(kind);
    answers.extend(changes.iter().map(|(path, answer)| ((*path).to_owned(), answer.clone())));
    LocalModelServer::start(answers, window)
}

async fn found_at(address: &str) -> Option<LocalServer> {
    servers_at(&[address.parse().unwrap()]).await.pop()
}

/// A request of so many words, with an answer of at most so many tokens.
fn asking(model: &str, words: usize, most: u32) -> ModelRequest {
    ModelRequest {
        agent: "writer".into(),
        profile: "local".into(),
        model: model.into(),
        instruction: Value::text("Write."),
        messages: vec![Message::new(Speaker::User, "paragraph ".repeat(words))],
        shape: None,
        tools: Vec::new(),
        temperature: 0.2,
        max_output_tokens: most,
    }
}

fn connected(found: &LocalServer, base_url: &str) -> std::sync::Arc<dyn engine::Model> {
    let access = ProfileAccess {
        profile: "local".into(),
        provider: found.provider.into(),
        base_url: base_url.into(),
        key: None,
    };
    connect_with(access, Delivery::Whole).unwrap()
}

fn base_url(found: &LocalServer, server: &LocalModelServer) -> String {
    if found.base_url.is_empty() { server.address.clone() } else { found.base_url.clone() }
}

#[tokio::test]
async fn each_kind_of_server_is_found_with_its_models_by_what_only_it_answers() {
    for (kind, model, _) in WINDOWS {
        let server = server(kind, &[]);
        let found = found_at(&server.address).await.unwrap_or_else(|| panic!("{kind} is not found"));
        assert_eq!((found.id, found.models[0].as_str(), found.next_step), (kind, model, None));
        let path = if kind == "ollama" { "" } else { "/v1" };
        assert_eq!(found.base_url, format!("{}{path}", server.address));
    }
    let studio = found_at(&server("lm-studio", &[]).address).await.unwrap();
    assert_eq!(
        studio.models,
        ["meta-llama-3.1-8b-instruct", "qwen2-vl-7b-instruct"],
        "loaded first, no embeddings"
    );
}

#[tokio::test]
async fn a_stranger_at_a_usual_port_is_no_model_server() {
    let odd = [json!({"hello": "world"}), json!([]), json!(null), json!({"error": "Unexpected endpoint"})];
    for answer in odd {
        let all = ["/props", "/api/v0/models", "/version", "/api/tags", "/v1/models"];
        let answers = all.into_iter().map(|path| (format!("GET {path}"), answer.clone()));
        let stranger = LocalModelServer::start(answers.collect(), 0);
        assert_eq!(found_at(&stranger.address).await, None, "{answer}");
    }
    let other = LocalModelServer::start(
        [
            ("GET /version".to_owned(), json!({"version": "1.0"})),
            (
                "GET /v1/models".to_owned(),
                json!({"object": "list", "data": [{"id": "m", "owned_by": "library"}]}),
            ),
        ]
        .into(),
        0,
    );
    assert_eq!(found_at(&other.address).await, None, "a gateway is not vLLM");
    assert_eq!(found_at(closed_port_url().trim_end_matches("/v1")).await, None);
}

#[tokio::test]
async fn a_server_without_a_model_is_found_and_says_what_to_do_next() {
    let none = json!({"object": "list", "data": []});
    for (kind, path, answer, next) in [
        ("llama-cpp", "GET /v1/models", none.clone(), "llama-server -m"),
        ("lm-studio", "GET /api/v0/models", none.clone(), "Download one in LM Studio"),
        ("vllm", "GET /v1/models", none, "vllm serve"),
        ("ollama", "GET /api/tags", json!({"models": []}), "ollama pull"),
        ("ollama", "GET /api/tags", json!({"models": null}), "ollama pull"),
    ] {
        let server = server(kind, &[(path, answer)]);
        let found = found_at(&server.address).await.unwrap_or_else(|| panic!("{kind} is not found"));
        let told = found.next_step.unwrap().english();
        assert!(found.models.is_empty() && told.contains(next), "{kind}: {told}");
    }
}

#[tokio::test]
async fn a_request_that_the_window_cannot_hold_is_refused_with_the_numbers_and_never_sent() {
    for (kind, model, window) in WINDOWS {
        let server = server(kind, &[]);
        let found = found_at(&server.address).await.unwrap();
        let local = connected(&found, &base_url(&found, &server));
        let ask = async |words: usize, most: u32| -> Result<(), Error> {
            local.answer(&asking(model, words, most), &TextSink::default()).await.map(drop)
        };
        let words = usize::try_from(window).unwrap();
        ask(words / 2, 512).await.unwrap();
        assert_eq!(server.chats().len(), 1, "{kind}: what fits is sent");
        for (words, most) in [(words * 2, 512), (words / 2, u32::try_from(window).unwrap())] {
            let error = ask(words, most).await.unwrap_err();
            assert_eq!(
                (error.code, error.code.is_transient(), error.code.is_of_model()),
                (Code::ContextExceeded, false, true)
            );
            let told = error.message.clone();
            for part in [model, &window.to_string(), &most.to_string(), "not sent", "shorter inputs"] {
                assert!(told.contains(part), "{kind}: {part}: {told}");
            }
            let way = ["llama-server -c", "load settings", "--max-model-len", ""];
            let at = WINDOWS.iter().position(|(known, ..)| *known == kind).unwrap();
            assert!(told.contains(way[at]), "{kind}: {told}");
        }
        assert_eq!((server.chats().len(), server.problems()), (1, vec![]), "{kind}");
    }
}

#[tokio::test]
async fn tokens_are_those_that_the_server_counts_and_else_a_low_estimate() {
    // 3000 words are 3000 tokens for these servers; by their letters they could be 6000.
    for (kind, model, words, is_sent) in [
        ("llama-cpp", 0, 3000, true),
        ("vllm", 2, 4000, false),
        ("lm-studio", 1, 3000, false),
        ("lm-studio", 1, 2000, true),
    ] {
        let server = server(kind, &[]);
        let found = found_at(&server.address).await.unwrap();
        let local = connected(&found, &base_url(&found, &server));
        let outcome = local.answer(&asking(WINDOWS[model].1, words, 500), &TextSink::default()).await;
        assert_eq!(outcome.is_ok(), is_sent, "{kind} {words}: {:?}", outcome.err());
    }
}

#[tokio::test]
async fn a_server_that_was_started_anew_with_a_larger_window_is_asked_again() {
    let server = server("llama-cpp", &[]);
    let found = found_at(&server.address).await.unwrap();
    let local = connected(&found, &found.base_url);
    let ask = async || local.answer(&asking(WINDOWS[0].1, 9000, 500), &TextSink::default()).await;
    ask().await.unwrap_err();
    let larger = json!({"default_generation_settings": {"n_ctx": 16384}});
    server.restart("GET /props", larger, 16384);
    ask().await.unwrap();
}

#[tokio::test]
async fn the_window_of_a_model_is_kept_only_once_the_model_is_loaded() {
    let server = server("lm-studio", &[]);
    let found = found_at(&server.address).await.unwrap();
    let local = connected(&found, &found.base_url);
    let ask = async || local.answer(&asking("qwen2-vl-7b-instruct", 9000, 500), &TextSink::default()).await;
    // It can have 32768 tokens, and is loaded with less.
    server.restart("none", json!(null), 32768);
    ask().await.unwrap();
    let mut list = recorded("lm-studio").remove("GET /api/v0/models").unwrap();
    list["data"][0]["state"] = json!("loaded");
    list["data"][0]["loaded_context_length"] = json!(4096);
    server.restart("GET /api/v0/models", list, 4096);
    assert_eq!(ask().await.unwrap_err().code, Code::ContextExceeded);
}

#[tokio::test]
async fn ollama_is_asked_for_a_context_that_holds_prompt_and_answer_up_to_what_the_model_has() {
    let long = json!({"model_info": {"general.architecture": "qwen3", "qwen3.context_length": 40960}});
    for (window, words, most, expected) in [
        (Some(long.clone()), 10, 2048, 8192),
        (Some(long.clone()), 3000, 2048, 16384),
        (Some(long.clone()), 3100, 2048, 16384),
        (Some(long), 8000, 8192, 40960),
        (None, 10, 2048, 8192),
    ] {
        let changes: Vec<_> = window.into_iter().map(|answer| ("POST /api/show", answer)).collect();
        let server = server("ollama", &changes);
        let found = found_at(&server.address).await.unwrap();
        let local = connected(&found, &server.address);
        local.answer(&asking("llava:latest", words, most), &TextSink::default()).await.unwrap();
        assert_eq!(server.chats()[0]["options"]["num_ctx"], expected, "{words} words, {most} for the answer");
    }
}

#[tokio::test]
async fn a_stand_in_with_a_larger_window_takes_the_request_that_the_profile_cannot_hold() {
    let (small, large) = (server("llama-cpp", &[]), ModelServer::news(NewsModel::default()).await);
    small.restart("GET /props", json!({"default_generation_settings": {"n_ctx": 512}}), 512);
    let folder = tempfile::tempdir().unwrap();
    let options = Options { data_dir: Some(folder.path().to_owned()), ..Options::default() };
    let desk = Desk::open(options).await.unwrap();
    let card = |name: &str, base_url: &str, fallback: &str| {
        json!({
            "name": name, "provider": "openai-compatible", "base_url": base_url, "fallback": fallback,
            "models": {"default": "any"}
        })
    };
    desk.rpc("add_profile", card("large", &large.base_url, "")).await.unwrap();
    desk.rpc("add_profile", card("small", &format!("{}/v1", small.address), "large")).await.unwrap();
    let run = desk.runs().start(request("small")).await.unwrap();
    let end = run.ended().await;
    assert_eq!((end.outcome, end.error), (Outcome::Finished, None));
    assert_eq!(small.chats(), Vec::<Json>::new(), "nothing was sent to the small one");

    // Without a stand-in the run ends with the numbers, after one attempt.
    desk.rpc("add_profile", card("small", &format!("{}/v1", small.address), "")).await.unwrap();
    let run = desk.runs().start(request("small")).await.unwrap();
    let end = run.ended().await;
    let error = end.error.unwrap();
    assert_eq!((end.outcome, error.code), (Outcome::Failed, ErrorCode::ContextExceeded), "{error:?}");
    assert!(error.message.contains("512"), "{}", error.message);
}

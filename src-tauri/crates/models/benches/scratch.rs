#![allow(warnings)]
#[path = "../tests/it/server.rs"]
mod server;
use genai::adapter::AdapterKind;
use genai::chat::*;
use genai::resolver::*;
use genai::*;
use serde_json::json;
use server::{Server, whole};
use std::time::Duration;
const N: u32 = 4000;
fn cpu() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    Duration::from_nanos(text.split(' ').next().and_then(|text| text.parse().ok()).unwrap_or(0))
}
fn req() -> ChatRequest {
    ChatRequest::new(vec![ChatMessage::user("An article with a title, a date and a summary. ".repeat(130))])
        .with_system("Write a post from the articles below. ".repeat(40))
}
fn schema() -> serde_json::Value {
    let text = json!({"type": "string", "description": "Markdown of at most two hundred words"});
    let number = json!({"type": "integer"});
    json!({"type": "object", "additionalProperties": false,
        "required": ["post_markdown", "sources_used", "word_count", "notes"],
        "properties": {"post_markdown": text, "word_count": number, "notes": text,
            "sources_used": {"type": "array", "items": number}, } })
}
fn main() {
    let rt = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let text = "proof words ".repeat(120);
    let counts = json!({"prompt_tokens": 1900, "completion_tokens": 300, "total_tokens": 2200});
    let body = json!({"id": "c", "object": "chat.completion", "created": 1, "model": "m-1", "usage": counts,
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}]});
    let server = Server::new(vec![whole(200, "content-type: application/json\r\n", &body.to_string())]);
    let url = format!("{}/chat/completions", server.base_url);
    let wire = json!({"model": "m-1", "stream": false, "temperature": 0.4, "max_tokens": 2048,
        "messages": [ {"role": "system", "content": "Write a post from the articles below. ".repeat(40)},
            {"role": "user", "content": "An article with a title, a date and a summary. ".repeat(130)}],
        "response_format": {"type": "json_schema", "json_schema": {"name": "draft_post", "strict": true, "schema": schema()}}});
    let plain = reqwest::Client::new();
    let noproxy = reqwest::Client::builder().no_proxy().build().unwrap();
    let ours = reqwest::Client::builder()
        .no_proxy()
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(Duration::from_secs(10))
        .tcp_nodelay(true)
        .http2_keep_alive_interval(Duration::from_secs(20))
        .http2_keep_alive_while_idle(true)
        .build()
        .unwrap();
    let ours_rt = reqwest::Client::builder()
        .no_proxy()
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(Duration::from_secs(10))
        .read_timeout(Duration::from_secs(300))
        .build()
        .unwrap();
    let target = || ServiceTarget {
        endpoint: Endpoint::from_owned(format!("{}/", server.base_url)),
        auth: AuthData::None,
        model: ModelIden::new(AdapterKind::Omlx, "m-1"),
    };
    let opts = ChatOptions::default()
        .with_max_tokens(2048)
        .with_temperature(0.4)
        .with_capture_usage(true)
        .with_reasoning_effort(ReasoningEffort::Budget(0));
    let opts_s = opts.clone().with_response_format(JsonSpec::new("draft_post", schema()));
    let opts_raw = opts_s.clone().with_capture_raw_body(true);
    rt.block_on(async {
        for round in 0..2 {
            macro_rules! m {
                ($name:expr, $e:expr) => {{
                    let f = cpu();
                    for _ in 0..N {
                        $e;
                    }
                    let us = (cpu() - f).as_secs_f64() * 1e6 / N as f64;
                    drop(server.seen());
                    if round == 1 {
                        println!("{:<40} {us:.1} us", $name);
                    }
                }};
            }
            m!("plain json value", {
                let v: serde_json::Value =
                    plain.post(&url).json(&wire).send().await.unwrap().json().await.unwrap();
            });
            m!("noproxy", {
                let v: serde_json::Value =
                    noproxy.post(&url).json(&wire).send().await.unwrap().json().await.unwrap();
            });
            m!("ours no read timeout", {
                let v: serde_json::Value =
                    ours.post(&url).json(&wire).send().await.unwrap().json().await.unwrap();
            });
            m!("ours read timeout", {
                let v: serde_json::Value =
                    ours_rt.post(&url).json(&wire).send().await.unwrap().json().await.unwrap();
            });
            m!("text()", {
                let v: serde_json::Value = serde_json::from_str(
                    &ours.post(&url).json(&wire).send().await.unwrap().text().await.unwrap(),
                )
                .unwrap();
            });
            m!("wire clone", {
                std::hint::black_box(wire.clone());
            });
            m!("wire to_vec", {
                std::hint::black_box(serde_json::to_vec(&wire).unwrap());
            });
            m!("schema clone", {
                std::hint::black_box(wire["response_format"].clone());
            });
            m!("sanitize", {
                std::hint::black_box(sanitize_json_schema(
                    &wire["response_format"]["json_schema"]["schema"],
                    JsonSchemaDialect::OpenAiStrict,
                ));
            });
            m!("body clone", {
                std::hint::black_box(body.clone());
            });
            m!("body parse", {
                std::hint::black_box(serde_json::from_str::<serde_json::Value>(&body.to_string()).unwrap());
            });
            m!("req build", {
                std::hint::black_box(req());
            });
            for (n, c) in [("plain", &plain), ("ours", &ours), ("ours_rt", &ours_rt)] {
                let g = Client::builder().with_reqwest(c.clone()).build().unwrap();
                m!(format!("genai {n}"), {
                    g.exec_chat(target(), req(), Some(&opts)).await.unwrap();
                });
                m!(format!("genai {n} schema"), {
                    g.exec_chat(target(), req(), Some(&opts_s)).await.unwrap();
                });
                m!(format!("genai {n} schema raw"), {
                    g.exec_chat(target(), req(), Some(&opts_raw)).await.unwrap();
                });
            }
            let access = models::ProfileAccess {
                profile: "work".into(),
                provider: "openai-compatible".into(),
                base_url: server.base_url.clone(),
                key: Some("sk-bench-key-0123456789".into()),
            };
            let model = models::connect_with(access, models::Delivery::Whole).unwrap();
            let request = kernel::ModelRequest {
                agent: "w".into(),
                profile: "w".into(),
                model: "m-1".into(),
                instruction: kernel::Value::text("Write a post from the articles below. ".repeat(40)),
                messages: vec![kernel::Message::new(
                    kernel::Speaker::User,
                    "An article with a title, a date and a summary. ".repeat(130),
                )],
                shape: Some(kernel::ReplyShape {
                    name: "draft_post".into(),
                    schema: kernel::Value::new(schema()),
                }),
                tools: vec![],
                temperature: 0.4,
                max_output_tokens: 2048,
            };
            m!("our port", {
                model.answer(&request, &engine::TextSink::default()).await.unwrap();
            });
        }
    });
}

//! The model server seen from a client: what it answers, how its bad endings look, and when it is not content.

mod checks;
mod news;

use std::time::{Duration, Instant};

use futures::StreamExt;
use serde_json::{Value, json};

use crate::reply::starred;
use crate::{Model, ModelServer, Reply, ServerOptions, ToolCall, closed_port_url};

/// A request that the service accepts.
fn plain_body() -> Value {
    json!({"model": "gpt-4o-mini", "messages": [{"role": "system", "content": "Be short."}, {"role": "user", "content": "Hello there!"}]})
}

fn streamed_body() -> Value {
    let mut body = plain_body();
    body["stream"] = json!(true);
    body["stream_options"] = json!({"include_usage": true});
    body
}

async fn send(server: &ModelServer, body: &Value) -> reqwest::Response {
    let url = format!("{}/chat/completions", server.base_url);
    reqwest::Client::new().post(url).bearer_auth("sk-test").json(body).send().await.unwrap()
}

async fn ask(server: &ModelServer, body: &Value) -> (u16, Value) {
    let response = send(server, body).await;
    (response.status().as_u16(), response.json().await.unwrap())
}

/// The events of a stream, without the closing `[DONE]`, and whether that came.
fn events(text: &str) -> (Vec<Value>, bool) {
    let lines: Vec<&str> = text.split("\n\n").filter(|line| !line.is_empty()).collect();
    let data = lines.iter().map(|line| line.strip_prefix("data: ").unwrap());
    let is_done = lines.last() == Some(&"data: [DONE]");
    (data.filter(|data| *data != "[DONE]").map(|data| serde_json::from_str(data).unwrap()).collect(), is_done)
}

fn said(events: &[Value]) -> String {
    events.iter().filter_map(|event| event["choices"][0]["delta"]["content"].as_str()).collect()
}

#[tokio::test]
async fn a_scripted_text_comes_as_one_completion_with_four_characters_a_token() {
    let server = ModelServer::scripted([Reply::text("12345")]).await;
    let (status, body) = ask(&server, &plain_body()).await;
    assert_eq!(status, 200);
    assert_eq!(body["choices"][0]["message"]["content"], "12345");
    assert_eq!(body["choices"][0]["finish_reason"], "stop");
    // "Be short." and "Hello there!" are 21 characters.
    assert_eq!(body["usage"]["prompt_tokens"], 6);
    assert_eq!(body["usage"]["completion_tokens"], 2);
    assert_eq!(body["usage"]["total_tokens"], 8);
    let seen = server.requests();
    assert_eq!(seen.len(), 1);
    assert_eq!(seen[0].key(), Some("sk-test"));
    assert_eq!(seen[0].instruction(), "Be short.");
    assert_eq!(seen[0].last_user_text(), "Hello there!");
}

#[tokio::test]
async fn a_stream_says_the_role_then_pieces_then_the_reason_then_usage_then_done() {
    let text = "一二三 four ".repeat(20);
    let server = ModelServer::scripted([Reply::text(&text), Reply::text("no usage")]).await;
    let response = send(&server, &streamed_body()).await;
    assert_eq!(response.headers()["content-type"], "text/event-stream; charset=utf-8");
    let (all, is_done) = events(&response.text().await.unwrap());
    assert!(is_done);
    assert_eq!(all[0]["choices"][0]["delta"]["role"], "assistant");
    assert!(all.len() > 5, "a long text comes in several pieces");
    assert_eq!(said(&all), text);
    assert_eq!(all[all.len() - 2]["choices"][0]["finish_reason"], "stop");
    assert_eq!(all[all.len() - 1]["choices"], json!([]));
    assert_eq!(all[all.len() - 1]["usage"]["completion_tokens"], 45);
    assert!(all[0]["usage"].is_null() && all[0].get("usage").is_some());

    let mut body = streamed_body();
    body.as_object_mut().unwrap().remove("stream_options");
    let (all, _) = events(&send(&server, &body).await.text().await.unwrap());
    assert!(all.iter().all(|event| event.get("usage").is_none()), "usage comes only when it was asked for");
}

#[tokio::test]
async fn the_same_request_gets_the_same_bytes() {
    let server = ModelServer::by_agent(|request| Reply::text(request.last_user_text())).await;
    let first = send(&server, &streamed_body()).await.text().await.unwrap();
    assert_eq!(send(&server, &streamed_body()).await.text().await.unwrap(), first);
}

#[tokio::test]
async fn an_answer_over_the_requests_limit_of_tokens_is_cut_there() {
    let server =
        ModelServer::scripted([Reply::text("123456789"), Reply::MaxTokens("{\"half\": \"a".to_owned())])
            .await;
    let mut body = plain_body();
    body["max_completion_tokens"] = json!(2);
    let (_, answer) = ask(&server, &body).await;
    assert_eq!(answer["choices"][0]["message"]["content"], "12345678");
    assert_eq!(answer["choices"][0]["finish_reason"], "length");
    let (_, answer) = ask(&server, &plain_body()).await;
    assert_eq!(answer["choices"][0]["finish_reason"], "length");
}

#[tokio::test]
async fn tool_calls_come_whole_or_in_fragments_that_join_to_their_arguments() {
    let call =
        |name: &str| ToolCall {
            id: None, name: name.to_owned(), arguments: json!({"query": "日本 \"x\""})
        };
    let replies = || Reply::ToolCalls(vec![call("search"), call("clock")]);
    let server = ModelServer::scripted([replies(), replies()]).await;
    let tool = |name: &str| json!({"type": "function", "function": {"name": name, "parameters": {"type": "object", "properties": {}}}});
    let mut body = streamed_body();
    body["tools"] = json!([tool("search"), tool("clock")]);
    let (all, _) = events(&send(&server, &body).await.text().await.unwrap());
    let fragments = all.iter().filter_map(|event| event["choices"][0]["delta"]["tool_calls"][0].as_object());
    let second: String = fragments
        .filter(|part| part["index"] == 1)
        .filter_map(|part| part["function"]["arguments"].as_str())
        .collect();
    assert_eq!(serde_json::from_str::<Value>(&second).unwrap(), json!({"query": "日本 \"x\""}));
    assert!(all.iter().any(|event| event["choices"][0]["finish_reason"] == "tool_calls"));

    body["stream"] = json!(false);
    body.as_object_mut().unwrap().remove("stream_options");
    let (_, answer) = ask(&server, &body).await;
    let message = &answer["choices"][0]["message"];
    assert!(message["content"].is_null());
    assert_ne!(message["tool_calls"][0]["id"], message["tool_calls"][1]["id"]);
    assert_eq!(message["tool_calls"][1]["function"]["name"], "clock");
}

#[tokio::test]
async fn refusals_and_filtered_answers_end_with_their_own_reasons() {
    let server = ModelServer::scripted([
        Reply::Refusal("I can't.".to_owned()),
        Reply::ContentFilter("Half".to_owned()),
    ])
    .await;
    let (_, refused) = ask(&server, &plain_body()).await;
    assert_eq!(refused["choices"][0]["message"]["refusal"], "I can't.");
    assert!(refused["choices"][0]["message"]["content"].is_null());
    let (_, filtered) = ask(&server, &plain_body()).await;
    assert_eq!(filtered["choices"][0]["finish_reason"], "content_filter");
}

#[tokio::test]
async fn errors_carry_the_services_status_code_and_headers() {
    let cases = [
        (Reply::rate_limit(7), 429, json!("rate_limit_exceeded"), Some("7")),
        (Reply::rate_limit_ms(1500), 429, json!("rate_limit_exceeded"), Some("2")),
        (Reply::insufficient_quota(), 429, json!("insufficient_quota"), None),
        (Reply::invalid_key("sk-1234567890abcdef"), 401, json!("invalid_api_key"), None),
        (Reply::overloaded(), 503, Value::Null, None),
        (Reply::server_error(), 500, Value::Null, None),
        (Reply::model_not_found("gone"), 404, json!("model_not_found"), None),
    ];
    for (reply, status, code, retry_after) in cases {
        let server = ModelServer::scripted([reply]).await;
        let response = send(&server, &plain_body()).await;
        assert_eq!(response.status().as_u16(), status);
        assert_eq!(response.headers().get("retry-after").map(|value| value.to_str().unwrap()), retry_after);
        let body: Value = response.json().await.unwrap();
        assert_eq!(body["error"]["code"], code);
        assert!(body["error"]["message"].is_string() && body["error"].get("param").is_some());
    }
    let server = ModelServer::scripted([Reply::rate_limit_ms(1500), Reply::gateway_timeout()]).await;
    assert_eq!(send(&server, &plain_body()).await.headers()["retry-after-ms"], "1500");
    assert_eq!(send(&server, &plain_body()).await.headers()["content-type"], "text/html");
}

#[tokio::test]
async fn a_key_is_required_when_told_and_a_wrong_one_is_echoed_with_stars() {
    assert_eq!(starred("sk-invalidxxxxxxxxxxx-key"), "sk-inval*************-key");
    assert_eq!(starred("short"), "short");
    let server = ModelServer::scripted([Reply::text("yes")]).await;
    server.require_key("sk-right-and-long-enough");
    let (status, body) = ask(&server, &plain_body()).await;
    assert_eq!(status, 401);
    assert!(body["error"]["message"].as_str().unwrap().starts_with("Incorrect API key provided: sk-test."));
    let url = format!("{}/chat/completions", server.base_url);
    let without = reqwest::Client::new().post(&url).json(&plain_body()).send().await.unwrap();
    assert_eq!(without.status().as_u16(), 401);
    let right = reqwest::Client::new().post(&url).bearer_auth("sk-right-and-long-enough").json(&plain_body());
    assert_eq!(right.send().await.unwrap().status().as_u16(), 200);
    assert!(server.problems().is_empty(), "a wrong key is no fault of the client's request");
}

#[tokio::test]
async fn a_stalled_answer_keeps_still_until_the_client_leaves() {
    let server = ModelServer::scripted([Reply::Stall { after_text: "so far".to_owned() }]).await;
    let mut stream = send(&server, &streamed_body()).await.bytes_stream();
    let first = String::from_utf8(stream.next().await.unwrap().unwrap().to_vec()).unwrap();
    assert_eq!(said(&events(&first).0), "so far");
    assert!(tokio::time::timeout(Duration::from_millis(150), stream.next()).await.is_err());
    drop(stream);
    let started = Instant::now();
    while server.abandoned() == 0 {
        assert!(started.elapsed() < Duration::from_secs(5), "the server did not notice that the client left");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn a_cut_connection_is_an_error_to_the_client_with_and_without_a_stream() {
    let cut = || Reply::CutConnection { after_text: "so \"far".to_owned() };
    let server = ModelServer::scripted([cut(), cut()]).await;
    let mut stream = send(&server, &streamed_body()).await.bytes_stream();
    let first = String::from_utf8(stream.next().await.unwrap().unwrap().to_vec()).unwrap();
    assert_eq!(said(&events(&first).0), "so \"far");
    assert!(stream.next().await.unwrap().is_err());
    assert!(send(&server, &plain_body()).await.text().await.is_err());
}

#[tokio::test]
async fn an_error_can_come_in_the_middle_of_a_stream() {
    let body = json!({"error": {"message": "The server had an error", "type": "server_error", "param": null, "code": null}});
    let server =
        ModelServer::scripted([Reply::ErrorInStream { after_text: "so far".to_owned(), body: body.clone() }])
            .await;
    let (all, is_done) = events(&send(&server, &streamed_body()).await.text().await.unwrap());
    assert_eq!(said(&all), "so far");
    assert_eq!(all.last(), Some(&body));
    assert!(!is_done);
}

#[tokio::test]
async fn a_slow_reply_sends_nothing_before_its_time() {
    let server = ModelServer::scripted([Reply::text("late").after(Duration::from_millis(120))]).await;
    let started = Instant::now();
    assert_eq!(send(&server, &plain_body()).await.status(), 200);
    assert!(started.elapsed() >= Duration::from_millis(120));
}

#[tokio::test]
async fn a_hand_plays_the_model_piece_by_piece() {
    let (hand, reply) = Reply::by_hand();
    let server = ModelServer::scripted([reply]).await;
    let mut stream = send(&server, &streamed_body()).await.bytes_stream();
    let _role = stream.next().await.unwrap().unwrap();
    for word in ["one ", "two"] {
        assert!(hand.say(word));
        let piece = String::from_utf8(stream.next().await.unwrap().unwrap().to_vec()).unwrap();
        assert_eq!(said(&events(&piece).0), word);
    }
    hand.finish();
    let rest: Vec<u8> = stream.map(|bytes| bytes.unwrap().to_vec()).collect::<Vec<_>>().await.concat();
    let (all, is_done) = events(&String::from_utf8(rest).unwrap());
    assert!(is_done);
    assert_eq!(all[0]["choices"][0]["finish_reason"], "stop");
    assert_eq!(all[1]["usage"]["completion_tokens"], 2);
}

#[tokio::test]
async fn a_hand_notices_when_its_client_goes_away() {
    let (hand, reply) = Reply::by_hand();
    let server = ModelServer::scripted([reply]).await;
    let stream = send(&server, &streamed_body()).await;
    drop(stream);
    tokio::time::timeout(Duration::from_secs(5), hand.client_gone()).await.unwrap();
}

#[tokio::test]
async fn waiting_for_requests_ends_when_they_have_come() {
    let server = ModelServer::by_agent(|_| Reply::text("yes")).await;
    assert!(!server.wait_for_requests(1, Duration::from_millis(20)).await);
    let body = plain_body();
    let (_, came) = tokio::join!(send(&server, &body), server.wait_for_requests(1, Duration::from_secs(5)));
    assert!(came);
}

#[tokio::test]
async fn an_unused_reply_and_an_unexpected_request_fail_the_test_unless_it_is_lenient() {
    let unused = ModelServer::scripted([Reply::text("never")]).await;
    assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| drop(unused))).is_err());

    let unexpected = ModelServer::scripted([]).await;
    let (status, body) = ask(&unexpected, &plain_body()).await;
    assert_eq!(
        (status, body["error"]["message"].as_str()),
        (400, Some("the script has no reply for this request"))
    );
    assert_eq!(unexpected.problems().len(), 1);
    assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| drop(unexpected))).is_err());

    let panicking = ModelServer::by_agent(|_| panic!("the test said no")).await;
    assert_eq!(ask(&panicking, &plain_body()).await.0, 400);
    assert_eq!(panicking.problems().len(), 1);
    panicking.be_lenient();
    drop(panicking);
}

#[tokio::test]
async fn a_dropped_server_lets_nobody_in_and_breaks_what_was_open() {
    let server = ModelServer::scripted([Reply::text("one")]).await;
    let client = reqwest::Client::new();
    let url = format!("{}/chat/completions", server.base_url);
    assert_eq!(client.post(&url).json(&plain_body()).send().await.unwrap().status(), 200);
    drop(server);
    assert!(client.post(&url).json(&plain_body()).send().await.is_err());
    assert!(client.get(closed_port_url()).send().await.is_err());
}

#[tokio::test]
async fn models_are_listed_and_an_unknown_model_is_not_found() {
    let options = ServerOptions { models: vec!["news-1".to_owned()], ..ServerOptions::default() };
    let server = ModelServer::start(options, Model::Function(Box::new(|_| Reply::text("yes")))).unwrap();
    let list: Value =
        reqwest::get(format!("{}/models", server.base_url)).await.unwrap().json().await.unwrap();
    assert_eq!(list["data"][0]["id"], "news-1");
    let (status, body) = ask(&server, &plain_body()).await;
    assert_eq!((status, body["error"]["code"].as_str()), (404, Some("model_not_found")));
}

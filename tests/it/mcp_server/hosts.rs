//! The two ways in: pipes, and HTTP with a token.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};

use super::started;
use crate::terminal::galley::Galley;

#[tokio::test(flavor = "multi_thread")]
async fn standard_output_holds_nothing_but_the_protocol_whatever_comes_in() {
    let galley = Galley::new();
    let mut program = started(&galley, &[]);
    let initialize = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "tests", "version": "1" },
    }});
    let unknown = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/destroy" });
    let wrong = json!({ "jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": { "name": 7 } });
    let listing = json!({ "jsonrpc": "2.0", "id": 4, "method": "tools/list" });
    let mut input = program.stdin.take().unwrap();
    let lines = format!("{initialize}\n\u{1b}[2J not JSON\n[]\n{unknown}\n{wrong}\n{listing}\n");
    input.write_all(lines.as_bytes()).await.unwrap();
    let mut output = BufReader::new(program.stdout.take().unwrap()).lines();
    let (mut ids, mut judged) = (Vec::new(), 0);
    while !ids.contains(&json!(4)) || judged < 2 {
        let line = tokio::time::timeout(Duration::from_secs(20), output.next_line())
            .await
            .unwrap()
            .unwrap()
            .unwrap();
        let message: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(message["jsonrpc"], "2.0");
        // The code tells a client whether the method or what it gave is wrong.
        for (id, code, words) in
            [(2, -32601, "no method `tools/destroy`"), (3, -32602, "params of `tools/call`")]
        {
            if message["id"] == id {
                assert_eq!(message["error"]["code"], code);
                assert!(message["error"]["message"].as_str().unwrap().contains(words), "{message}");
                judged += 1;
            }
        }
        ids.push(message["id"].clone());
    }
    drop(input);
    assert_eq!(program.wait().await.unwrap().code(), Some(0));
    assert_eq!(output.next_line().await.unwrap(), None);
    // What begins with something else is told so, in words.
    let mut program = started(&galley, &[]);
    let notice = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    program.stdin.take().unwrap().write_all(format!("{notice}\n").as_bytes()).await.unwrap();
    let ended = program.wait_with_output().await.unwrap();
    let told = String::from_utf8(ended.stderr).unwrap();
    assert_eq!((ended.status.code(), ended.stdout.len()), (Some(2), 0));
    assert!(told.contains("The first message was no request; a client begins with initialize"), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn over_http_only_whoever_brings_the_token_to_the_right_host_is_answered() {
    let mut galley = Galley::new();
    galley.environment.push(("GALLEY_MCP_TOKEN", "a-token-of-the-tests".to_owned()));
    let mut program = started(&galley, &["--http"]);
    let mut told = BufReader::new(program.stderr.take().unwrap()).lines();
    let line = told.next_line().await.unwrap().unwrap();
    let (_, address) = line.split_once(" at ").unwrap();
    let ask = async |headers: &[(&str, &str)]| {
        let mut request =
            reqwest::Client::new().post(address).header("accept", "application/json, text/event-stream");
        request =
            request.header("content-type", "application/json").header("mcp-protocol-version", "2025-06-18");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "tests", "version": "1" },
        }});
        let answer = request.body(body.to_string()).send().await.unwrap();
        (answer.status().as_u16(), answer.text().await.unwrap())
    };
    let token = ("authorization", "bearer a-token-of-the-tests");
    assert_eq!(ask(&[]).await.0, 401);
    assert_eq!(ask(&[("authorization", "Bearer another token")]).await.0, 401);
    assert_eq!(ask(&[token, ("origin", "https://evil.example")]).await.0, 403);
    assert_eq!(ask(&[token, ("host", "evil.example")]).await.0, 403);
    let (status, answer) = ask(&[token]).await;
    assert!(status == 200 && answer.contains("\"name\":\"galley\""), "{status}: {answer}");
    for _ in 1..64 {
        assert_eq!(ask(&[token]).await.0, 200);
    }
    let (status, answer) = ask(&[token]).await;
    assert!(status == 503 && answer.contains("64 sessions are open already"), "{status}: {answer}");
    // Who sends half a request keeps nothing open.
    let place = address.trim_start_matches("http://").trim_end_matches("/mcp");
    let mut half = tokio::net::TcpStream::connect(place).await.unwrap();
    half.write_all(b"POST /mcp HTTP/1.1\r\n").await.unwrap();
    let number = program.id().unwrap().to_string();
    assert!(std::process::Command::new("kill").arg(&number).status().unwrap().success());
    let ended = tokio::time::timeout(Duration::from_secs(10), program.wait()).await;
    assert_eq!(ended.unwrap().unwrap().code(), Some(0));
    for (token, words) in [
        ("short", "fewer than 16 characters"),
        ("a token with some blanks", "has blanks or characters beyond ASCII"),
    ] {
        galley.environment.push(("GALLEY_MCP_TOKEN", token.to_owned()));
        galley.run(["mcp", "--http"]).exits(2).says(&[words]);
    }
}

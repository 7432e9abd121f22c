//! A loopback server that responds byte by byte as a test specifies: truncated, stalled, split.
//!
//! It implements just enough HTTP to separate requests; a framework would clean up the faults that are tested.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Barrier, Mutex};
use std::time::Duration;

/// One step of a response.
#[derive(Clone)]
pub(crate) enum Step {
    /// Sends bytes.
    Send(Vec<u8>),
    /// Waits before the next step.
    Pause(Duration),
    /// Continues when the test has reached the same barrier.
    Meet(Arc<Barrier>),
    /// Sends nothing more and keeps the connection open until the client closes it.
    Stall,
}

/// A received request.
pub(crate) struct ReceivedRequest {
    /// Request line and headers.
    pub(crate) head: String,
    /// The body.
    pub(crate) body: serde_json::Value,
}

/// The server.
pub(crate) struct Server {
    /// `http://127.0.0.1:PORT/v1`
    pub(crate) base_url: String,
    seen: Arc<Mutex<Vec<ReceivedRequest>>>,
}

impl Server {
    /// A server with these responses in turn; the last one repeats for ever.
    pub(crate) fn new(answers: Vec<Vec<Step>>) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base_url = format!("http://{}/v1", listener.local_addr().unwrap());
        let seen = Arc::new(Mutex::new(Vec::new()));
        let answers = Arc::new(Mutex::new(VecDeque::from(answers)));
        let shared = Arc::clone(&seen);
        std::thread::spawn(move || {
            for connection in listener.incoming().flatten() {
                let (answers, seen) = (Arc::clone(&answers), Arc::clone(&shared));
                std::thread::spawn(move || serve(connection, &answers, &seen));
            }
        });
        Server { base_url, seen }
    }

    /// The requests so far.
    pub(crate) fn seen(&self) -> Vec<ReceivedRequest> {
        std::mem::take(&mut self.seen.lock().unwrap())
    }
}

fn serve(connection: TcpStream, answers: &Mutex<VecDeque<Vec<Step>>>, seen: &Mutex<Vec<ReceivedRequest>>) {
    connection.set_nodelay(true).unwrap();
    let mut writer = connection.try_clone().unwrap();
    let mut reader = BufReader::new(connection);
    while let Some(request) = read(&mut reader) {
        // A server of none of the kinds that say how long requests may be.
        let asks_for_kind = ["/props", "/api/v0/models", "/version", "/api/show"];
        let path = request.head.split(' ').nth(1).unwrap_or_default();
        let path = path.split('?').next().unwrap_or_default();
        if asks_for_kind.iter().any(|end| path.ends_with(end)) {
            if writer.write_all(b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n").is_err() {
                return;
            }
            continue;
        }
        seen.lock().unwrap().push(request);
        let steps = {
            let mut answers = answers.lock().unwrap();
            if answers.len() > 1 { answers.pop_front().unwrap() } else { answers[0].clone() }
        };
        let is_last = steps.first().is_some_and(|step| matches!(step, Step::Send(bytes) if String::from_utf8_lossy(bytes).contains("connection: close")));
        for step in steps {
            match step {
                Step::Send(bytes) => {
                    if writer.write_all(&bytes).is_err() {
                        return;
                    }
                }
                Step::Pause(time) => std::thread::sleep(time),
                Step::Meet(place) => {
                    place.wait();
                }
                Step::Stall => {
                    let _ = reader.read(&mut [0]);
                    return;
                }
            }
        }
        if is_last {
            return;
        }
    }
}

fn read(reader: &mut BufReader<TcpStream>) -> Option<ReceivedRequest> {
    let mut head = String::new();
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        if line.trim().is_empty() {
            break;
        }
        if let Some((_, value)) = line.to_lowercase().split_once("content-length:") {
            length = value.trim().parse().unwrap();
        }
        head.push_str(&line);
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(ReceivedRequest { head, body: serde_json::from_slice(&body).unwrap_or_default() })
}

/// A response with this status, further header lines and body.
pub(crate) fn whole(status: u16, headers: &str, body: &str) -> Vec<Step> {
    let length = body.len();
    vec![Step::Send(
        format!("HTTP/1.1 {status} Status\r\ncontent-length: {length}\r\n{headers}\r\n{body}").into_bytes(),
    )]
}

/// A JSON response.
pub(crate) fn json(status: u16, body: &serde_json::Value) -> Vec<Step> {
    whole(status, "content-type: application/json\r\n", &body.to_string())
}

/// The head of a streamed response that ends with the connection.
pub(crate) fn stream_head() -> Step {
    Step::Send(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n".to_vec())
}

/// One event.
pub(crate) fn event(data: &str) -> Step {
    Step::Send(format!("data: {data}\n\n").into_bytes())
}

/// One event with a piece of text.
pub(crate) fn piece(text: &str) -> Step {
    event(&serde_json::json!({"model": "m-1", "choices": [{"index": 0, "delta": {"content": text}, "finish_reason": null}]}).to_string())
}

/// The events that end an answer: finish reason, tokens, `[DONE]`.
pub(crate) fn ending(stop: &str) -> Vec<Step> {
    vec![
        event(
            &serde_json::json!({"choices": [{"index": 0, "delta": {}, "finish_reason": stop}]}).to_string(),
        ),
        event(r#"{"model":"m-1","choices":[],"usage":{"prompt_tokens":11,"completion_tokens":4}}"#),
        event("[DONE]"),
    ]
}

/// A streamed response with these events.
pub(crate) fn stream(events: impl IntoIterator<Item = Step>) -> Vec<Step> {
    std::iter::once(stream_head()).chain(events).collect()
}

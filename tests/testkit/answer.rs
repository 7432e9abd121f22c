//! Carries a played reply to the client, step by step, and notices when the client leaves before the end.
//! Not in it: what the steps are, which is `wire`.

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{HeaderName, HeaderValue, Response, StatusCode};
use futures::stream;

use crate::reply::Piece;
use crate::wire::{Envelope, Played, Step, tokens};

pub(crate) async fn respond(
    mut played: Played,
    number: usize,
    abandoned: Arc<AtomicUsize>,
) -> Response<Body> {
    let guard = Guard { abandoned, is_done: false };
    if !played.latency.is_zero() {
        tokio::time::sleep(played.latency).await;
    }
    if !played.envelope.is_stream {
        // A test that plays by hand for a client that does not stream: its words are gathered first.
        if let Some(Step::Hand(pieces)) = played.steps.first_mut() {
            let mut text = String::new();
            let mut ending = Step::Cut;
            loop {
                match pieces.recv().await {
                    Some(Piece::Text(piece)) => text.push_str(&piece),
                    Some(Piece::Cut) => break,
                    None => {
                        ending = Step::Send(played.envelope.text(&text, "stop", usize::MAX));
                        break;
                    }
                }
            }
            played.steps = vec![ending];
        }
    }
    let body = match played.steps.as_slice() {
        [Step::Send(bytes)] => {
            guard.done();
            Body::from(bytes.clone())
        }
        _ => streaming_body(played.steps, played.envelope, guard),
    };
    response(played.status, &played.headers, number, body)
}

/// Counts an answer as abandoned when it is dropped before it was done.
struct Guard {
    abandoned: Arc<AtomicUsize>,
    is_done: bool,
}

impl Guard {
    fn done(mut self) {
        self.is_done = true;
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        if !self.is_done {
            self.abandoned.fetch_add(1, Ordering::SeqCst);
        }
    }
}

struct Playing {
    steps: VecDeque<Step>,
    envelope: Envelope,
    said: String,
    guard: Guard,
}

fn streaming_body(steps: Vec<Step>, envelope: Envelope, guard: Guard) -> Body {
    let playing = Playing { steps: steps.into(), envelope, said: String::new(), guard };
    Body::from_stream(stream::unfold(playing, |mut playing| async move {
        let next = playing.next().await;
        match next {
            Some(piece) => Some((piece, playing)),
            None => {
                playing.guard.done();
                None
            }
        }
    }))
}

impl Playing {
    async fn next(&mut self) -> Option<io::Result<Bytes>> {
        loop {
            match self.steps.pop_front()? {
                Step::Send(bytes) => return Some(Ok(bytes)),
                Step::Wait(pause) => tokio::time::sleep(pause).await,
                Step::Stall => std::future::pending().await,
                Step::Cut => {
                    // What was sent must reach the client before the connection goes.
                    tokio::time::sleep(Duration::from_millis(20)).await;
                    self.guard.is_done = true;
                    return Some(Err(io::Error::from(io::ErrorKind::ConnectionAborted)));
                }
                Step::Hand(mut pieces) => match pieces.recv().await {
                    Some(Piece::Text(text)) => {
                        self.said.push_str(&text);
                        self.steps.push_front(Step::Hand(pieces));
                        return Some(Ok(self.envelope.piece(&text).into()));
                    }
                    Some(Piece::Cut) => self.steps.push_front(Step::Cut),
                    None => return Some(Ok(self.envelope.last("stop", tokens(&self.said)).into())),
                },
            }
        }
    }
}

pub(crate) fn response(
    status: u16,
    headers: &[(String, String)],
    number: usize,
    body: Body,
) -> Response<Body> {
    let mut response = Response::new(body);
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let request_id = ("x-request-id".to_owned(), format!("req_{number}"));
    for (name, value) in headers.iter().chain(std::iter::once(&request_id)) {
        if let (Ok(name), Ok(value)) = (name.parse::<HeaderName>(), value.parse::<HeaderValue>()) {
            response.headers_mut().insert(name, value);
        }
    }
    response
}

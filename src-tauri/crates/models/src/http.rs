//! Requests and what comes back: bodies bounded, streams of events cut into events, faults in our words.

use futures::StreamExt;
use futures::stream::BoxStream;
use kernel::Fault;
use reqwest::header::{CONTENT_TYPE, HeaderMap};
use reqwest::{RequestBuilder, Response};
use serde_json::Value;

use crate::complaint::Complaint;
use crate::fault;
use crate::line::{Line, PAUSE};

/// More bytes of a body than this are not read; a list of models and a long answer are far shorter.
const MOST_BODY: usize = 32 * 1024 * 1024;
/// As many bytes of a refusal are read.
const MOST_REFUSAL: usize = 64 * 1024;

/// The mark of UTF-8, which some servers put before everything they say.
const MARK: &[u8] = "\u{feff}".as_bytes();

/// Sends a request. A refusal becomes its fault. Tells whether it may cost something: from now on, unless it reaches nobody
/// or is refused.
pub(crate) async fn send(
    line: &Line,
    model: &str,
    request: RequestBuilder,
    tell_may_cost: impl Fn(bool),
) -> Result<Response, Fault> {
    tell_may_cost(true);
    let response = request.send().await.map_err(|error| {
        tell_may_cost(!error.is_connect() && !error.is_builder());
        fault::from_transport(line, &error)
    })?;
    let status = response.status();
    if status.is_success() {
        return Ok(response);
    }
    tell_may_cost(false);
    let headers: HeaderMap = response.headers().clone();
    // What came of it before it broke is enough to know what it says.
    let mut body = Vec::new();
    let mut stream = response.bytes_stream();
    while let Ok(Some(Ok(bytes))) = tokio::time::timeout(PAUSE, stream.next()).await {
        body.extend_from_slice(&bytes);
        if body.len() >= MOST_REFUSAL {
            break;
        }
    }
    let body = String::from_utf8_lossy(&body);
    Err(line.refusal(&Complaint::from_body(status.as_u16(), &body), model, Some(&headers), &body))
}

/// The JSON of a body, whatever it calls itself.
pub(crate) async fn json(line: &Line, response: Response) -> Result<Value, Fault> {
    let mut body = Vec::new();
    let mut stream = response.bytes_stream();
    while let Some(bytes) = stream.next().await {
        body.extend_from_slice(&bytes.map_err(|error| fault::from_transport(line, &error))?);
        if body.len() > MOST_BODY {
            return Err(fault::broken(line));
        }
    }
    let body = body.strip_prefix(MARK).unwrap_or(&body);
    serde_json::from_slice(body).map_err(|_| match body.trim_ascii_start().first() {
        None | Some(b'{' | b'[') => fault::broken(line),
        Some(_) => fault::foreign(line),
    })
}

/// How a stream is cut into events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Framing {
    /// Server-sent events, of which the data count.
    Events,
    /// One JSON object a line.
    Lines,
}

impl Framing {
    /// Whether an answer comes in it.
    pub(crate) fn is_of(self, response: &Response) -> bool {
        let kind =
            response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        let kind = kind.to_ascii_lowercase();
        match self {
            Framing::Events => kind.trim_start().starts_with("text/event-stream"),
            Framing::Lines => kind.contains("ndjson"),
        }
    }
}

/// The events of a stream, one `data` after the other.
pub(crate) struct Events<'a> {
    line: &'a Line,
    bytes: BoxStream<'a, reqwest::Result<Vec<u8>>>,
    buffer: Vec<u8>,
    /// How far the buffer was looked at.
    searched: usize,
    data: String,
    framing: Framing,
    has_begun: bool,
    /// Whether it is one piece of JSON all the same: so some tell an error before there is anything to stream.
    is_one_piece: bool,
    is_over: bool,
}

impl<'a> Events<'a> {
    pub(crate) fn of(line: &'a Line, response: Response, framing: Framing) -> Events<'a> {
        let bytes = response.bytes_stream().map(|bytes| bytes.map(|bytes| bytes.to_vec())).boxed();
        let (buffer, data) = (Vec::new(), String::new());
        let (has_begun, is_one_piece, is_over) = (false, false, false);
        Events { line, bytes, buffer, searched: 0, data, framing, has_begun, is_one_piece, is_over }
    }

    /// The next one; `None` at the end of the stream. An event that the end cut off counts as one.
    pub(crate) async fn next(&mut self) -> Result<Option<String>, Fault> {
        loop {
            while let Some(line) = self.next_line() {
                if let Some(data) = self.take(&line) {
                    return Ok(Some(data));
                }
            }
            if self.is_over {
                let rest = std::mem::take(&mut self.buffer);
                self.searched = 0;
                let last = self.take(&rest);
                let data = last.unwrap_or_else(|| std::mem::take(&mut self.data));
                return Ok(Some(data).filter(|data| !data.is_empty()));
            }
            match tokio::time::timeout(PAUSE, self.bytes.next()).await {
                Err(_) => return Err(fault::silent(self.line)),
                Ok(Some(Err(error))) => return Err(fault::from_transport(self.line, &error)),
                Ok(Some(Ok(bytes))) => self.buffer.extend_from_slice(&bytes),
                Ok(None) => self.is_over = true,
            }
            if self.buffer.len().saturating_add(self.data.len()) > MOST_BODY {
                return Err(fault::broken(self.line));
            }
        }
    }

    /// Whether the connection has ended.
    pub(crate) fn is_over(&self) -> bool {
        self.is_over
    }

    fn next_line(&mut self) -> Option<Vec<u8>> {
        let end = self.buffer.iter().skip(self.searched).position(|byte| *byte == b'\n');
        let Some(end) = end else {
            self.searched = self.buffer.len();
            return None;
        };
        let line = self.buffer.drain(..=self.searched + end).collect();
        self.searched = 0;
        Some(line)
    }

    /// Takes a line in; an empty one ends the event.
    fn take(&mut self, line: &[u8]) -> Option<String> {
        let has_begun = std::mem::replace(&mut self.has_begun, true);
        let line = if has_begun { line } else { line.strip_prefix(MARK).unwrap_or(line) };
        let line = String::from_utf8_lossy(line);
        let line = line.trim_end_matches(['\r', '\n']);
        if self.framing == Framing::Lines {
            return Some(line.to_owned()).filter(|line| !line.trim().is_empty());
        }
        self.is_one_piece |= !has_begun && line.trim_start().starts_with(['{', '[']);
        if self.is_one_piece {
            self.data.push_str(line);
            return None;
        }
        if line.is_empty() {
            return Some(std::mem::take(&mut self.data)).filter(|data| !data.is_empty());
        }
        if let Some(data) = line.strip_prefix("data:") {
            if !self.data.is_empty() {
                self.data.push('\n');
            }
            self.data.push_str(data.strip_prefix(' ').unwrap_or(data));
        }
        None
    }
}

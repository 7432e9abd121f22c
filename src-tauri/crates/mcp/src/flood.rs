//! Stops reading from a server that sends too much data.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, ReadBuf};
use tokio_util::sync::CancellationToken;

/// The longest message of a server, in bytes.
pub(crate) const LONGEST_MESSAGE: usize = 8 << 20;

/// The most output of a server after a request, in bytes.
const MOST_BYTES: u64 = 64 << 20;

/// The most messages of a server after a request: each takes time, however short it is.
const MOST_MESSAGES: u64 = 20_000;

/// The remaining output of a server.
#[derive(Clone)]
pub(crate) struct Allowance(Arc<AllowanceState>);

struct AllowanceState {
    bytes: AtomicU64,
    messages: AtomicU64,
    /// Cancelled when the server has closed its output.
    ended: CancellationToken,
}

impl Default for Allowance {
    fn default() -> Allowance {
        let (bytes, messages) = (AtomicU64::new(MOST_BYTES), AtomicU64::new(MOST_MESSAGES));
        Allowance(Arc::new(AllowanceState { bytes, messages, ended: CancellationToken::new() }))
    }
}

impl Allowance {
    /// Renews the allowance after a request.
    pub(crate) fn renew(&self) {
        self.0.bytes.store(MOST_BYTES, Ordering::Relaxed);
        self.0.messages.store(MOST_MESSAGES, Ordering::Relaxed);
    }

    /// Whether the server has closed its output.
    pub(crate) fn has_ended(&self) -> bool {
        self.0.ended.is_cancelled()
    }

    /// Waits until the server has closed its output.
    pub(crate) async fn ended(&self) {
        self.0.ended.cancelled().await;
    }

    pub(crate) fn is_used_up(&self) -> bool {
        [&self.0.bytes, &self.0.messages].iter().any(|left| left.load(Ordering::Relaxed) == 0)
    }
}

/// A stream that ends when the allowance is used up.
pub(crate) struct Bounded<R> {
    pub(crate) stream: R,
    pub(crate) allowance: Allowance,
}

impl<R: AsyncRead + Unpin> AsyncRead for Bounded<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.allowance.is_used_up() {
            return Poll::Ready(Err(io::Error::other("it sent too much data")));
        }
        let before = buf.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(cx, buf);
        let said = buf.filled().get(before..).unwrap_or_default();
        if matches!(read, Poll::Ready(Ok(()))) && said.is_empty() {
            self.allowance.0.ended.cancel();
        }
        let messages = said.iter().filter(|byte| **byte == b'\n').count() as u64;
        take(&self.allowance.0.bytes, said.len() as u64);
        take(&self.allowance.0.messages, messages);
        read
    }
}

fn take(left: &AtomicU64, count: u64) {
    let _ = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| Some(left.saturating_sub(count)));
}

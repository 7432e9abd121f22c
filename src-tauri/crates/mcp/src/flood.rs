//! Stops reading from a server that says more than anybody asked for.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, ReadBuf};

/// So much may a server say after what it was last asked, in bytes.
const MOST_SAID: u64 = 64 << 20;

/// What a server may still say.
#[derive(Clone)]
pub(crate) struct Allowance(Arc<AtomicU64>);

impl Default for Allowance {
    fn default() -> Allowance {
        Allowance(Arc::new(AtomicU64::new(MOST_SAID)))
    }
}

impl Allowance {
    /// It was asked something: it may speak.
    pub(crate) fn renew(&self) {
        self.0.store(MOST_SAID, Ordering::Relaxed);
    }

    pub(crate) fn is_used_up(&self) -> bool {
        self.0.load(Ordering::Relaxed) == 0
    }
}

/// A stream that ends where the allowance does.
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
            return Poll::Ready(Err(io::Error::other("it said more than anybody asked for")));
        }
        let before = buf.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(cx, buf);
        let count = (buf.filled().len() - before) as u64;
        let _ = self
            .allowance
            .0
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| Some(left.saturating_sub(count)));
        read
    }
}

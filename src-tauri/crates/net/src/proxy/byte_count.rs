//! Counts the bytes of all connections of a proxy together, and ends the connections at the limit.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// The byte limit of all connections together.
#[derive(Clone)]
pub(super) struct ByteBudget {
    most: usize,
    used: Arc<AtomicUsize>,
    is_exceeded: Arc<AtomicBool>,
}

impl ByteBudget {
    pub(super) fn new(most: usize) -> ByteBudget {
        ByteBudget { most, used: Arc::default(), is_exceeded: Arc::default() }
    }

    /// The bytes transferred so far.
    pub(super) fn used(&self) -> usize {
        self.used.load(Ordering::Relaxed)
    }

    /// The limit, if it was exceeded.
    pub(super) fn exceeded(&self) -> Option<usize> {
        self.is_exceeded.load(Ordering::Relaxed).then_some(self.most)
    }

    /// The bytes that may still be transferred.
    ///
    /// # Errors
    /// When none are left: the caller wanted to transfer more.
    fn room(&self) -> io::Result<usize> {
        let room = self.most.saturating_sub(self.used.load(Ordering::Relaxed));
        if room == 0 {
            self.is_exceeded.store(true, Ordering::Relaxed);
            return Err(io::Error::other("the page took more bytes than it may"));
        }
        Ok(room)
    }

    fn spend(&self, bytes: usize) {
        self.used.fetch_add(bytes, Ordering::Relaxed);
    }
}

/// A stream whose bytes are counted in both directions.
pub(super) struct CountedStream<S> {
    stream: S,
    budget: ByteBudget,
}

impl<S> CountedStream<S> {
    pub(super) fn new(stream: S, budget: ByteBudget) -> CountedStream<S> {
        CountedStream { stream, budget }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for CountedStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.budget.room()?;
        let before = buffer.filled().len();
        let polled = Pin::new(&mut self.stream).poll_read(context, buffer);
        self.budget.spend(buffer.filled().len() - before);
        polled
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for CountedStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let room = self.budget.room()?;
        let polled = Pin::new(&mut self.stream).poll_write(context, &bytes[..bytes.len().min(room)]);
        if let Poll::Ready(Ok(written)) = &polled {
            self.budget.spend(*written);
        }
        polled
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

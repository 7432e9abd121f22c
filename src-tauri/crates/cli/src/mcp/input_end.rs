//! Standard input that reports its end, so that runs stop immediately and not after the pending requests.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, ReadBuf};
use tokio_util::sync::CancellationToken;

/// An input with a token that is cancelled at its end.
pub(crate) struct InputEnd<R> {
    pub(crate) input: R,
    pub(crate) ended: CancellationToken,
}

impl<R: AsyncRead + Unpin> AsyncRead for InputEnd<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let (before, has_room) = (buffer.filled().len(), buffer.remaining() > 0);
        let read = ready!(Pin::new(&mut self.input).poll_read(context, buffer));
        if read.is_err() || (has_room && buffer.filled().len() == before) {
            self.ended.cancel();
        }
        Poll::Ready(read)
    }
}

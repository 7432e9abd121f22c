//! Standard input that tells when it has ended, so that runs are stopped at once and not after the requests in hand.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, ReadBuf};
use tokio_util::sync::CancellationToken;

/// An input with the token that is cancelled at its end.
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

//! A reusable buffer for texts whose length is not known in advance.
//!
//! A growing buffer would copy its content and touch new memory each time. This one is reused by the next text of its
//! thread, and the finished text is copied once, at its size.

use std::cell::RefCell;
use std::mem;
use std::ops::{Deref, DerefMut};
use std::string::FromUtf8Error;

/// A larger buffer, in bytes, is returned to the system: a thread keeps at most 1 MiB.
const MOST_KEPT: usize = 1 << 18;
/// Buffers that a thread keeps, because writing a text may need another one.
const MOST_BUFFERS: usize = 4;

thread_local! {
    static KEPT: RefCell<Vec<Vec<u8>>> = const { RefCell::new(Vec::new()) };
}

/// A buffer, empty when it is taken. Dropping it returns it to the thread.
#[derive(Debug)]
pub struct Scratch(Vec<u8>);

impl Scratch {
    /// Takes a buffer.
    pub fn take() -> Scratch {
        // While a thread ends, it keeps no buffers.
        let kept = KEPT.try_with(|kept| kept.borrow_mut().pop()).ok().flatten();
        Scratch(kept.unwrap_or_default())
    }

    /// The content as a text of its own.
    ///
    /// # Errors
    /// The content is not UTF-8.
    pub fn into_text(mut self) -> Result<String, FromUtf8Error> {
        // A buffer that the thread does not keep need not be copied.
        let is_kept = self.0.capacity() <= MOST_KEPT;
        String::from_utf8(if is_kept { self.0.to_vec() } else { mem::take(&mut self.0) })
    }
}

impl Deref for Scratch {
    type Target = Vec<u8>;

    fn deref(&self) -> &Vec<u8> {
        &self.0
    }
}

impl DerefMut for Scratch {
    fn deref_mut(&mut self) -> &mut Vec<u8> {
        &mut self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let mut buffer = mem::take(&mut self.0);
        if (1..=MOST_KEPT).contains(&buffer.capacity()) {
            buffer.clear();
            let _ = KEPT.try_with(|kept| {
                let mut kept = kept.borrow_mut();
                if kept.len() < MOST_BUFFERS {
                    kept.push(buffer);
                }
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST_KEPT, Scratch};

    #[test]
    fn a_reused_buffer_is_empty_and_one_in_use_is_not_shared() {
        for round in 0..3 {
            let (mut outer, mut inner) = (Scratch::take(), Scratch::take());
            assert!(outer.is_empty() && inner.is_empty(), "round {round}");
            outer.extend_from_slice(b"outer");
            inner.extend_from_slice("聖".as_bytes());
            assert_eq!(inner.into_text().unwrap(), "聖");
            assert_eq!(outer.into_text().unwrap(), "outer");
        }
    }

    #[test]
    fn a_long_text_comes_out_whole_and_bytes_that_are_no_text_are_refused() {
        let long = "x".repeat(MOST_KEPT + 1);
        let mut buffer = Scratch::take();
        buffer.extend_from_slice(long.as_bytes());
        assert_eq!(buffer.into_text().unwrap(), long);
        let mut buffer = Scratch::take();
        assert!(buffer.capacity() <= MOST_KEPT);
        buffer.extend_from_slice(&[0xFF]);
        assert!(buffer.into_text().is_err());
    }
}

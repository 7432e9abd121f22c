//! The active watches of the page. A page that was left or reloaded cannot stop its watches, so they are kept here by
//! channel and stopped for it.

use std::{
    collections::HashMap,
    pin::pin,
    sync::{Mutex, MutexGuard, PoisonError},
};

use futures::{Stream, StreamExt};
use serde_json::Value;
use tauri::async_runtime::{JoinHandle, spawn};

/// The watches by the id of their channel; `None` for one that waits for the desk.
#[derive(Default)]
pub(crate) struct Watches {
    running: Mutex<HashMap<u32, Option<JoinHandle<()>>>>,
}

impl Watches {
    /// Registers the channel, so that a stop before the start is not lost.
    pub(crate) fn reserve(&self, channel: u32) {
        let mut running = self.lock();
        running.retain(|_, watch| watch.as_ref().is_none_or(|watch| !watch.inner().is_finished()));
        if let Some(Some(replaced)) = running.insert(channel, None) {
            replaced.abort();
        }
    }

    /// Passes every item to `send` until the stream ends or `send` returns false. A watch that was stopped before it
    /// started does not start.
    pub(crate) fn begin(
        &self,
        channel: u32,
        items: impl Stream<Item = Value> + Send + 'static,
        send: impl Fn(Value) -> bool + Send + 'static,
    ) {
        if let Some(place @ None) = self.lock().get_mut(&channel) {
            *place = Some(spawn(async move {
                let mut items = pin!(items);
                while let Some(item) = items.next().await {
                    if !send(item) {
                        break;
                    }
                }
            }));
        }
    }

    /// Stops one watch; an unknown one has ended already.
    pub(crate) fn stop(&self, channel: u32) {
        if let Some(Some(watch)) = self.lock().remove(&channel) {
            watch.abort();
        }
    }

    /// Stops all watches.
    pub(crate) fn stop_all(&self) {
        for watch in self.lock().drain().filter_map(|(_, watch)| watch) {
            watch.abort();
        }
    }

    // A thread that panicked while holding the lock left a valid map: inserting and removing are its only changes.
    fn lock(&self) -> MutexGuard<'_, HashMap<u32, Option<JoinHandle<()>>>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use futures::stream;
    use serde_json::json;

    use super::*;

    fn counting() -> impl Stream<Item = Value> + Send + 'static {
        stream::unfold(0_u32, |n| async move {
            tokio::task::yield_now().await;
            Some((json!(n), n + 1))
        })
    }

    #[test]
    fn a_watch_sends_in_order_and_nothing_after_it_was_stopped() {
        let watches = Watches::default();
        let (sender, received) = mpsc::sync_channel(0);
        watches.reserve(7);
        watches.begin(7, counting(), move |item| sender.send(item).is_ok());
        assert_eq!(received.recv().ok(), Some(json!(0)));
        assert_eq!(received.recv().ok(), Some(json!(1)));
        watches.stop(7);
        // At most the item that was already on its way arrives, then the sender is dropped.
        assert!(received.iter().count() <= 1);
    }

    #[test]
    fn a_second_watch_on_a_channel_replaces_the_first() {
        let watches = Watches::default();
        let (first, received) = mpsc::channel();
        watches.reserve(7);
        watches.begin(7, stream::pending(), move |item| first.send(item).is_ok());
        watches.reserve(7);
        watches.begin(7, stream::empty(), |_| true);
        assert!(received.recv().is_err());
    }

    #[test]
    fn a_watch_that_was_stopped_before_it_began_does_not_begin() {
        let watches = Watches::default();
        let (sender, received) = mpsc::channel();
        watches.reserve(7);
        watches.stop(7);
        watches.begin(7, counting(), move |item| sender.send(item).is_ok());
        assert!(received.recv().is_err());
    }
}

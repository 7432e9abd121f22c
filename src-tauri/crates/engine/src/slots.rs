//! Slots among the instances that work at once.
//!
//! An instance holds a slot while anything in it works: its branches count one by one, so that one that waits for the person
//! gives the slot to the next instance only when nothing else of its own goes on.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures::future::join_all;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;

use crate::Cx;

/// The slot of one instance.
pub(crate) struct Slot {
    free: Arc<Semaphore>,
    /// The slot of the instance around this one, which works as long as this one does.
    around: Option<Arc<Slot>>,
    /// Held while a slot is waited for: the branches of an instance share one.
    entering: tokio::sync::Mutex<()>,
    held: Mutex<Held>,
}

#[derive(Default)]
struct Held {
    permit: Option<OwnedSemaphorePermit>,
    /// How many branches of the instance work.
    working: usize,
}

impl Slot {
    /// A slot of these, which nothing works in yet.
    pub(crate) fn among(free: Arc<Semaphore>, around: Option<Arc<Slot>>) -> Slot {
        Slot { free, around, entering: tokio::sync::Mutex::default(), held: Mutex::default() }
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets one more branch work, as soon as there is a slot for its instance. Where the run is stopped, at once: nothing
    /// begins any more.
    pub(crate) async fn enter(&self, cancel: &CancellationToken) {
        let _alone = self.entering.lock().await;
        if self.joined(1) {
            return;
        }
        let permit = tokio::select! {
            biased;
            // The semaphore is never closed.
            permit = self.free.clone().acquire_owned() => permit.ok(),
            () = cancel.cancelled() => None,
        };
        if let Some(around) = &self.around {
            Box::pin(around.enter(cancel)).await;
        }
        let mut held = self.held();
        held.permit = permit;
        held.working += 1;
    }

    /// Counts more branches where one works already.
    fn joined(&self, more: usize) -> bool {
        let mut held = self.held();
        let is_working = held.working > 0;
        if is_working {
            held.working += more;
        }
        is_working
    }

    /// One branch works no longer; with the last of them the slot is free.
    pub(crate) fn leave(&self) {
        let is_free = {
            let mut held = self.held();
            held.working = held.working.saturating_sub(1);
            if held.working == 0 {
                held.permit = None;
            }
            held.working == 0
        };
        if let Some(around) = self.around.as_ref().filter(|_| is_free) {
            around.leave();
        }
    }
}

impl Cx {
    /// Waits for the slot of its instance, if it is in one.
    pub(crate) async fn work_again(&self) {
        if let Some(slot) = &self.slot {
            slot.enter(&self.shared.cancel).await;
        }
    }

    /// Works no longer: it waits for the person, or has ended.
    pub(crate) fn leave_slot(&self) {
        if let Some(slot) = &self.slot {
            slot.leave();
        }
    }

    /// Runs branches of this agent beside each other, and waits for all of them.
    pub(crate) async fn beside<T>(&self, running: Vec<impl Future<Output = T>>) -> Vec<T> {
        let Some(slot) = &self.slot else { return join_all(running).await };
        let left = AtomicUsize::new(running.len());
        slot.joined(running.len().saturating_sub(1));
        let counted = running.into_iter().map(async |branch| {
            let result = branch.await;
            // The last one's part is taken up by what ran them.
            if left.fetch_sub(1, Ordering::Relaxed) > 1 {
                slot.leave();
            }
            result
        });
        join_all(counted).await
    }
}

//! Slots for the instances that work concurrently.
//!
//! An instance holds a slot while any of its branches works. A branch that waits for the person frees the slot for the
//! next instance only when no other branch of the instance works.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures::future::join_all;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;

/// The slot of one instance.
pub(crate) struct Slot {
    free: Arc<Semaphore>,
    /// The slot of the enclosing instance, which works as long as this one does.
    around: Option<Arc<Slot>>,
    /// Locked while waiting for a slot, which all branches of an instance share.
    entering: tokio::sync::Mutex<()>,
    held: Mutex<Held>,
}

#[derive(Default)]
struct Held {
    permit: Option<OwnedSemaphorePermit>,
    /// The number of branches that work.
    working: usize,
}

impl Slot {
    /// A slot of `free`, in which no branch works yet.
    pub(crate) fn among(free: Arc<Semaphore>, around: Option<Arc<Slot>>) -> Slot {
        Slot { free, around, entering: tokio::sync::Mutex::default(), held: Mutex::default() }
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a slot of the instance and counts one more working branch. In a stopped run it returns at once,
    /// because nothing starts any more.
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

    /// Counts more branches if one works already.
    fn joined(&self, more: usize) -> bool {
        let mut held = self.held();
        let is_working = held.working > 0;
        if is_working {
            held.working += more;
        }
        is_working
    }

    /// Counts one branch less; the last one frees the slot.
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

    /// Runs branches of the instance concurrently, and waits for all of them.
    pub(crate) async fn run_branches<T>(&self, running: Vec<impl Future<Output = T>>) -> Vec<T> {
        let left = AtomicUsize::new(running.len());
        self.joined(running.len().saturating_sub(1));
        let counted = running.into_iter().map(async |branch| {
            let result = branch.await;
            // The caller takes over the part of the last branch.
            if left.fetch_sub(1, Ordering::Relaxed) > 1 {
                self.leave();
            }
            result
        });
        join_all(counted).await
    }
}

//! The queues in memory: sub-tasks wait for a worker of their role, and are delivered again if theirs dies.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use engine::{CancellationToken, MOST_DELIVERIES, TaskQueue, ToolContext, given_up, unknown_outcome};
use kernel::{Error, SubTask, SubTaskResult, ToolResult};
use tokio::sync::{Notify, oneshot};

/// `SubTaskQueue` and `ResultsQueue` of this process.
#[derive(Default)]
pub struct MemoryQueue {
    /// In the order in which they were sent; redelivered ones are at the front.
    waiting: Mutex<VecDeque<SentTask>>,
    arrived: Notify,
}

/// A sub-task that was sent.
struct SentTask {
    task: SubTask,
    context: ToolContext,
    /// The number of deliveries so far.
    deliveries: u32,
    /// Is cancelled when its result is no longer wanted.
    taken_back: CancellationToken,
    /// Receives the result.
    results: oneshot::Sender<SubTaskResult>,
}

/// A sub-task that a worker has taken. If the worker drops it without a report, the queue delivers it again; a call
/// that may be made only once is reported as unknown.
pub struct Delivery {
    queue: Arc<MemoryQueue>,
    sent: Option<SentTask>,
}

impl MemoryQueue {
    /// Waits for a sub-task for this role and takes it.
    pub async fn take(self: &Arc<Self>, role: &str) -> Delivery {
        loop {
            let arrived = self.arrived.notified();
            tokio::pin!(arrived);
            // Enabled first, so that a task that arrives between the check and the wait is not missed.
            arrived.as_mut().enable();
            if let Some(sent) = self.next(role) {
                return Delivery { queue: self.clone(), sent: Some(sent) };
            }
            arrived.await;
        }
    }

    fn next(&self, role: &str) -> Option<SentTask> {
        let mut waiting = self.waiting();
        waiting.retain(|sent| !sent.taken_back.is_cancelled());
        let at = waiting.iter().position(|sent| sent.task.assigned_agent_role == role)?;
        let mut sent = waiting.remove(at)?;
        sent.deliveries += 1;
        Some(sent)
    }

    fn waiting(&self) -> MutexGuard<'_, VecDeque<SentTask>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl TaskQueue for MemoryQueue {
    async fn perform(&self, task: SubTask, context: &ToolContext) -> SubTaskResult {
        let (results, result) = oneshot::channel();
        let taken_back = CancellationToken::new();
        // Dropping this future cancels the sub-task.
        let _waits = taken_back.clone().drop_guard();
        let unreported = task.result(Err(unknown_outcome(task.subject())));
        self.waiting().push_back(SentTask {
            task,
            context: context.clone(),
            deliveries: 0,
            taken_back,
            results,
        });
        self.arrived.notify_waiters();
        result.await.unwrap_or(unreported)
    }
}

impl Delivery {
    /// Performs the sub-task with this call of its tool, unless it is cancelled, and reports the result.
    pub async fn perform(
        mut self,
        call: impl AsyncFnOnce(&SubTask, &ToolContext) -> Result<ToolResult, Error>,
    ) {
        let Some(sent) = &self.sent else { return };
        let result = tokio::select! {
            () = sent.taken_back.cancelled() => None,
            result = call(&sent.task, &sent.context) => Some(result),
        };
        let Some(sent) = self.sent.take() else { return };
        if let Some(result) = result {
            sent.report(result);
        }
    }
}

impl Drop for Delivery {
    fn drop(&mut self) {
        let Some(sent) = self.sent.take() else { return };
        if sent.task.is_once() {
            let error = unknown_outcome(sent.task.subject());
            return sent.report(Err(error));
        }
        if sent.deliveries >= MOST_DELIVERIES {
            let error = given_up(sent.task.subject(), sent.deliveries);
            return sent.report(Err(error));
        }
        self.queue.waiting().push_front(sent);
        self.queue.arrived.notify_waiters();
    }
}

impl SentTask {
    fn report(self, result: Result<ToolResult, Error>) {
        // The receiver is gone if the run was stopped.
        let _ = self.results.send(self.task.result(result));
    }
}

#[cfg(test)]
mod tests;

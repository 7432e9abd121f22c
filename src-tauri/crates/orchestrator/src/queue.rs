//! The queues in memory: sub-tasks wait for a worker of their role, and go to another one when theirs dies.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use engine::{CancellationToken, MOST_DELIVERIES, TaskQueue, ToolContext, given_up, unknown_outcome};
use kernel::{Error, SubTask, SubTaskResult, ToolResult};
use tokio::sync::{Notify, oneshot};

/// `SubTaskQueue` and `ResultsQueue` of this process.
#[derive(Default)]
pub struct MemoryQueue {
    /// In the order in which they were sent; what is delivered again stands in front.
    waiting: Mutex<VecDeque<Sent>>,
    arrived: Notify,
}

/// A sub-task on its way.
struct Sent {
    task: SubTask,
    context: ToolContext,
    /// How often it was delivered.
    deliveries: u32,
    /// Ends when nobody waits for its result any more.
    taken_back: CancellationToken,
    /// To whom waits for the result with its id.
    results: oneshot::Sender<SubTaskResult>,
}

/// A sub-task that a worker has taken. If the worker drops it without a report, the queue delivers it again; a call that may be
/// made only once is reported as unknown.
pub struct Delivery {
    queue: Arc<MemoryQueue>,
    sent: Option<Sent>,
}

impl MemoryQueue {
    /// Waits for a sub-task for this role and takes it.
    pub async fn take(self: &Arc<Self>, role: &str) -> Delivery {
        loop {
            let arrived = self.arrived.notified();
            tokio::pin!(arrived);
            // What arrives between the look and the wait is not missed.
            arrived.as_mut().enable();
            if let Some(sent) = self.next(role) {
                return Delivery { queue: self.clone(), sent: Some(sent) };
            }
            arrived.await;
        }
    }

    fn next(&self, role: &str) -> Option<Sent> {
        let mut waiting = self.waiting();
        waiting.retain(|sent| !sent.taken_back.is_cancelled());
        let at = waiting.iter().position(|sent| sent.task.assigned_agent_role == role)?;
        let mut sent = waiting.remove(at)?;
        sent.deliveries += 1;
        Some(sent)
    }

    fn waiting(&self) -> MutexGuard<'_, VecDeque<Sent>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl TaskQueue for MemoryQueue {
    async fn perform(&self, task: SubTask, context: &ToolContext) -> SubTaskResult {
        let (results, result) = oneshot::channel();
        let taken_back = CancellationToken::new();
        // Dropping this future takes the sub-task back.
        let _waits = taken_back.clone().drop_guard();
        let unreported = task.result(Err(unknown_outcome(task.subject())));
        self.waiting().push_back(Sent { task, context: context.clone(), deliveries: 0, taken_back, results });
        self.arrived.notify_waiters();
        result.await.unwrap_or(unreported)
    }
}

impl Delivery {
    /// Does it by this call of its tool, unless it is taken back meanwhile, and reports what came of it.
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

impl Sent {
    fn report(self, result: Result<ToolResult, Error>) {
        // Nobody waits any more where the run was stopped.
        let _ = self.results.send(self.task.result(result));
    }
}

#[cfg(test)]
mod tests;

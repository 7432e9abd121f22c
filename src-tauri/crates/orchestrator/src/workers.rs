//! The workers of this process: they take sub-tasks of their role and make the call.

use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use engine::{TaskQueue, ToolContext, ToolDirectory, no_such_tool, perform};
use futures::FutureExt;
use kernel::{SubTask, SubTaskResult, SubTaskWork};
use tokio::task::JoinSet;

use crate::queue::MemoryQueue;

/// Most sub-tasks of a role that run at once.
const AT_ONCE: u32 = 8;

/// The queue in memory with its own workers, which end with it. The workers of a role start with its first sub-task.
pub struct Workers {
    queue: Arc<MemoryQueue>,
    tools: Arc<dyn ToolDirectory>,
    of_roles: Mutex<BTreeMap<String, JoinSet<()>>>,
}

impl Workers {
    /// Workers that call these tools.
    pub fn new(tools: Arc<dyn ToolDirectory>) -> Workers {
        Workers { queue: Arc::default(), tools, of_roles: Mutex::default() }
    }

    fn staff(&self, role: &str) {
        let mut of_roles = self.of_roles.lock().unwrap_or_else(PoisonError::into_inner);
        of_roles.entry(role.to_owned()).or_insert_with(|| {
            (0..AT_ONCE).map(|_| work(self.queue.clone(), self.tools.clone(), role.to_owned())).collect()
        });
    }
}

/// Works for a role until it is aborted.
pub async fn work(queue: Arc<MemoryQueue>, tools: Arc<dyn ToolDirectory>, role: String) {
    loop {
        let delivery = queue.take(&role).await;
        let call = async |task: &SubTask, context: &ToolContext| match &task.work {
            SubTaskWork::Call(call) => match tools.tool(&call.tool) {
                Some(tool) => perform(tool.as_ref(), call, context).await,
                None => Err(no_such_tool(&call.tool)),
            },
            // Models are called in place if the queue is in this process.
            SubTaskWork::Request(_) => Err(no_such_tool(task.subject())),
        };
        // A tool that panics ends its sub-task, which is delivered again, but not the worker.
        let _ = AssertUnwindSafe(delivery.perform(call)).catch_unwind().await;
    }
}

#[async_trait]
impl TaskQueue for Workers {
    async fn perform(&self, task: SubTask, context: &ToolContext) -> SubTaskResult {
        self.staff(&task.assigned_agent_role);
        self.queue.perform(task, context).await
    }
}

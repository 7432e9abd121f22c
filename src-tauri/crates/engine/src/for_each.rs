//! Runs an agent on demand once for each item of a list in the state.

use async_trait::async_trait;
use kernel::{AgentKind, CallRange, Code, Contract, Delta, Error, ForEach, Outline, Value, phrase};
use serde_json::json;

use crate::agent::{Agent, Flow};
use crate::error::worst;
use crate::instances::OnDemand;
use crate::{AgentError, Cx};

/// Runs an instance for each item and collects the outputs in the order of the items.
pub struct ForEachAgent {
    outline: Outline,
    declared: ForEach,
    on_demand: OnDemand,
}

impl ForEachAgent {
    /// Makes it from its declaration and the agent that it runs.
    pub fn new(declared: ForEach, on_demand: OnDemand) -> ForEachAgent {
        // An agent without a role uses workers that are named after it.
        let role = on_demand.worker.or_else(|| declared.queue.then(|| declared.run.clone()));
        let on_demand = OnDemand { worker: role, ..on_demand };
        let ForEach { name, title, items, at_most, collect, failures, .. } = &declared;
        let writes = std::iter::once(collect).chain(failures).cloned().collect();
        let child = on_demand.agent.outline().clone();
        let outline = Outline {
            name: name.clone(),
            title: title.clone(),
            agent: AgentKind::ForEach { at_most: *at_most },
            contract: Contract { reads: vec![items.key.clone()], may_read: Vec::new(), writes },
            stream: None,
            is_on_demand: false,
            // The number of items is not known in advance.
            calls: CallRange { least: 0, most: child.calls.most },
            children: vec![Outline { is_on_demand: true, ..child }],
        };
        ForEachAgent { outline, declared, on_demand }
    }

    fn items(&self, cx: &Cx) -> Result<Vec<Value>, AgentError> {
        let path = &self.declared.items;
        cx.value(&path.key)?;
        match path.find(cx.view()) {
            Some(serde_json::Value::Array(items)) => Ok(items.iter().cloned().map(Value::new).collect()),
            None | Some(_) => {
                let message = phrase!(
                    "`{name}` runs for each item of `{path}`, which is no list",
                    name = cx.name(),
                    path = path.to_string()
                );
                Err(Error::new(Code::BadInput, message).into())
            }
        }
    }
}

#[async_trait]
impl Agent for ForEachAgent {
    fn outline(&self) -> &Outline {
        &self.outline
    }

    async fn run(&self, cx: &mut Cx) -> Result<Flow, AgentError> {
        let items = self.items(cx)?;
        let started = items.iter().map(|item| (&self.on_demand, item.clone())).collect();
        let ends = cx.run_all(started, self.declared.at_most).await?;
        let (mut collected, mut failures, mut errors) = (Vec::new(), Vec::new(), Vec::new());
        for ((number, item), end) in (1..).zip(items).zip(ends) {
            match end.result {
                Ok(output) => collected.push(output.json_or_null().clone()),
                Err(error) => {
                    collected.push(serde_json::Value::Null);
                    let message = error.to_error().message;
                    errors.push(json!({ "number": number, "item": item.json_or_null(), "error": message }));
                    failures.push((format!("{}#{number}", self.declared.run), error));
                }
            }
        }
        let collected = Delta::of(&self.declared.collect, json!(collected));
        cx.change(match &self.declared.failures {
            Some(key) => collected.with(key, json!(errors)),
            None => collected,
        })
        .await?;
        match worst(failures).filter(|_| self.declared.failures.is_none()) {
            None => Ok(Flow::Continue),
            Some(error) => Err(error),
        }
    }
}

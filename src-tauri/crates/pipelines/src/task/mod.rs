//! The code of the task pipeline (seed 001) that its definition, `task.toml`, cannot express as data.

mod conclusion;
mod plan_templates;
mod planning;
mod request_forms;
mod results;

use std::sync::Arc;

use engine::Agent;
use interpreter::{Custom, CustomContext, Registry};
use kernel::Error;
use orchestrator::{Abilities, ExploreSearchResults, PlanExecutor, PlanStage, add_plan_tools};

pub use plan_templates::plan_template;

pub(crate) const DEFINITION: &str = include_str!("task.toml");

/// The id of the pipeline.
pub(crate) const ID: &str = "task";

/// Whether a task can be planned without a model, by the built-in templates and forms.
pub(crate) fn is_planned(task: &str) -> bool {
    let by_template = plan_templates::plan_of(task, &[]);
    [by_template, request_forms::plan_of(task)].iter().any(|plan| matches!(plan, Ok(Some(_))))
}

/// The agent that summarises long results.
const SUMMARY: &str = "step_summary";

/// Registers the functions of this pipeline.
pub(crate) fn register(registry: &mut Registry) {
    registry.custom.extend([
        ("plan_executor", plan_executor as Custom),
        ("plan_stage", plan_stage),
        ("explore_search_results", explore_search_results),
        ("task_end", conclusion::task_end),
    ]);
    registry.plan_tools = Some(add_plan_tools);
    conclusion::register(registry);
    planning::register(registry);
    results::register(registry);
}

fn plan_executor(context: &CustomContext<'_>) -> Result<Arc<dyn Agent>, Error> {
    Ok(Arc::new(PlanExecutor::new(crate::outline(context), (context.on_demand)("plan_stage")?)))
}

fn plan_stage(context: &CustomContext<'_>) -> Result<Arc<dyn Agent>, Error> {
    let abilities = Abilities::of(context.definition);
    // Runs of earlier versions do not have this agent.
    let summary = context.definition.agents.contains_key(SUMMARY).then(|| (context.on_demand)(SUMMARY));
    Ok(Arc::new(PlanStage::new(crate::outline(context), abilities, summary.transpose()?, context.on_demand)?))
}

fn explore_search_results(context: &CustomContext<'_>) -> Result<Arc<dyn Agent>, Error> {
    Ok(Arc::new(ExploreSearchResults::new(crate::outline(context), (context.on_demand)("found_page")?)))
}

#[cfg(test)]
mod tests;

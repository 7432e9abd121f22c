//! L3: the pipelines, one file or folder each: its definition, and the functions that only it needs.
//!
//! To add a pipeline, add its folder, and its lines here.

#![cfg_attr(not(test), warn(unused_crate_dependencies))]

mod ai_news;
mod content;
mod functions;
mod judge;
mod one_step;
mod pilgrimage;
pub mod routing;
mod task;
mod template_filling;

use std::sync::Arc;

use interpreter::{CustomContext, Pipeline, Registry};
use kernel::{AgentKind, CallRange, Outline};

pub use judge::{JUDGE, JUDGE_REFERENCE, JUDGE_REQUEST, JUDGE_RUBRIC, JUDGE_TEXT, JUDGEMENT};
pub use task::plan_template;

pub use one_step::{
    BuiltInInstruction, INSTRUCTION, INSTRUCTION_NAME, INSTRUCTIONS, ONE_STEP, SHORTER, TEXT,
    beginning as one_step_beginning, can_be_shortened as one_step_can_be_shortened,
    present_text as one_step_text, sources_in as one_step_sources,
};

/// All pipelines in alphabetic order.
pub fn all() -> Vec<Arc<Pipeline>> {
    [
        ai_news::DEFINITION,
        content::DEFINITION,
        pilgrimage::DEFINITION,
        task::DEFINITION,
        template_filling::DEFINITION,
    ]
    .into_iter()
    .map(built_in)
    .collect()
}

/// The router, a pipeline that is not listed: see [`routing`].
pub fn router() -> Arc<Pipeline> {
    built_in(routing::DEFINITION)
}

/// The one-step rewrite, a pipeline that is not listed.
pub fn one_step() -> Arc<Pipeline> {
    built_in(one_step::DEFINITION)
}

/// The judge of rubrics, a pipeline that is not listed.
pub fn judge() -> Arc<Pipeline> {
    built_in(judge::DEFINITION)
}

/// The functions that definitions may name.
pub fn registry() -> Registry {
    let tools = tools::GENERAL_TOOLS.iter().map(|tool| tool.name.to_owned());
    let mut registry = Registry { tools: tools.collect(), ..Registry::default() };
    functions::register(&mut registry);
    ai_news::register(&mut registry);
    content::register(&mut registry);
    judge::register(&mut registry);
    one_step::register(&mut registry);
    pilgrimage::register(&mut registry);
    routing::register(&mut registry);
    task::register(&mut registry);
    template_filling::register(&mut registry);
    registry
}

/// The outline of an agent that is written in code, as the definition declares it.
fn outline(context: &CustomContext<'_>) -> Outline {
    let declared = &context.definition.agents[context.agent];
    Outline {
        name: context.agent.to_owned(),
        contract: context.definition.contract(declared),
        title: declared.title.clone(),
        agent: AgentKind::Custom,
        stream: None,
        is_on_demand: false,
        calls: CallRange::default(),
        children: Vec::new(),
    }
}

/// Reads a built-in pipeline from its text.
fn built_in(text: &str) -> Arc<Pipeline> {
    let pipeline = Pipeline::from_text(text.to_owned(), registry());
    Arc::new(pipeline.unwrap_or_else(|faults| {
        let messages: Vec<String> = faults.iter().map(ToString::to_string).collect();
        // A test reads every built-in text, so this is never reached.
        unreachable!("a pipeline of the program cannot run: {}", messages.join("; "))
    }))
}

#[cfg(test)]
mod tests;

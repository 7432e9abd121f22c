//! Where a plan comes from without a model: the person gave it, or the task fits a plan template or request forms.

use engine::Acted;
use interpreter::{FunctionContext, Registry, Run};
use kernel::{Delta, Phrase, phrase};
use orchestrator::{Abilities, PLAN, check, told};
use serde_json::{Value, json};

use super::{plan_templates, request_forms};

pub(super) fn register(registry: &mut Registry) {
    registry.run.insert("make_plan", make_plan as Run);
}

/// The plan, checked before anything is done.
fn make_plan(context: &FunctionContext<'_>) -> Result<Acted, Phrase> {
    let (task, given) = (context.text("task").trim(), context.text("given_plan").trim());
    let (plan, source) = if !given.is_empty() {
        let plan: Value = serde_json::from_str(given).map_err(|error| {
            phrase!("The plan that was given is no JSON: {error}. Give an array of stages.", error)
        })?;
        (plan, "given")
    } else if context.text("mode") == "execute" {
        return Err(phrase!("To carry out a plan, give one; to have one made, choose another mode"));
    } else {
        let plan = match plan_templates::plan_of(task)? {
            Some(plan) => Some(plan),
            None => request_forms::plan_of(task)?,
        };
        let plan = plan.ok_or_else(|| {
            phrase!(
                "“{task}” fits no request that is planned without a model. Reword it in parts such as “calculate …”, \
                 “convert … to …”, “read …”, “write both to FILE”, or give a plan",
                task
            )
        })?;
        (plan, "template")
    };
    let plan = check(&plan, &Abilities::of(context.definition)).map_err(|faults| told(&faults))?;
    let delta = Delta::of(PLAN, json!(plan)).with("plan_source", json!(source));
    Ok(Acted { delta: delta.with("task_status", json!("PLAN_GENERATED")), ..Acted::default() })
}

//! Chooses the source of a plan: the person, a plan template, a request form, or else a model. It also makes plans and
//! revisions fit to run.

use engine::Acted;
use interpreter::{Accept, FunctionContext, Registry, Run, WithoutModel};
use kernel::{Delta, Phrase, Plan, StepRecord, phrase};
use orchestrator::{
    Abilities, EXECUTION_CONTEXT, FAILED_STEP_DETAILS, PLAN, PlanError, STEP_RESULTS, check, describe_errors,
    revised, tidied,
};
use serde_json::{Value, json};

use super::{plan_templates, request_forms};

/// The keys with an earlier run's progress, which a new attempt at its plan starts without.
const CARRIED_OUT: [&str; 3] = [EXECUTION_CONTEXT, STEP_RESULTS, FAILED_STEP_DETAILS];

pub(super) fn register(registry: &mut Registry) {
    registry.run.extend([("take_plan", take_plan as Run), ("apply_revision", apply_revision)]);
    registry
        .accept
        .extend([("runnable_plan", runnable_plan as Accept), ("runnable_revision", runnable_revision)]);
    registry
        .without_model
        .extend([("plan_needs_model", plan_needs_model as WithoutModel), ("no_revision", no_revision)]);
}

/// Takes a plan that needs no model and checks it before anything runs; does nothing if a model has to plan.
fn take_plan(context: &FunctionContext<'_>) -> Result<Acted, Phrase> {
    let (task, given) = (context.text("task").trim(), context.text("given_plan").trim());
    let mode = context.text("mode");
    if mode == "synthesize_only" {
        return match context.read::<Vec<StepRecord>>(EXECUTION_CONTEXT) {
            Some(_) => Ok(Acted { delta: Delta::of("plan_source", json!("run")), ..Acted::default() }),
            None => {
                Err(phrase!("To write an answer anew, name the earlier run whose results it is written from"))
            }
        };
    }
    // A task that differs from the earlier run's is planned again.
    let is_anew = mode == "full" && !context.text("from_run").is_empty();
    let earlier: Option<Plan> = context.read(PLAN).filter(|_| !is_anew);
    let (plan, source) = if !given.is_empty() {
        let plan: Value = serde_json::from_str(given).map_err(|error| {
            phrase!("The plan that was given is no JSON: {error}. Give an array of stages.", error)
        })?;
        // Fields beside the stages, such as the number of revisions, do not apply here.
        (Some(plan.get("stages").cloned().unwrap_or(plan)), "given")
    } else if let Some(plan) = earlier {
        // Only the steps of the earlier run are taken: none of them counts as done.
        (Some(json!(plan.stages)), "run")
    } else if mode == "execute" {
        return Err(phrase!("To carry out a plan, give one; to have one made, choose another mode"));
    } else {
        let plan = match plan_templates::plan_of(
            task,
            &context.read::<Vec<_>>("plan_templates").unwrap_or_default(),
        )? {
            Some(plan) => Some(plan),
            None => request_forms::plan_of(task)?,
        };
        (plan, "template")
    };
    let mut anew = Delta { removed: CARRIED_OUT.map(str::to_owned).to_vec(), ..Delta::default() };
    let Some(plan) = plan else {
        anew.removed.push(PLAN.to_owned());
        return Ok(Acted { delta: anew, ..Acted::default() });
    };
    let plan = checked(context, &plan).map_err(|faults| describe_errors(&faults))?;
    if plan.stages.is_empty() {
        return Err(phrase!("The plan has no steps; give at least one"));
    }
    let set = Delta::of(PLAN, json!(plan)).with("plan_source", json!(source)).set;
    Ok(Acted { delta: Delta { set, ..anew }, ..Acted::default() })
}

fn checked(context: &FunctionContext<'_>, plan: &Value) -> Result<Plan, Vec<PlanError>> {
    let plan = check(plan, &Abilities::of(context.definition))?;
    let attempts: f64 = context.read("max_attempts").unwrap_or(1.0);
    Ok(Plan { most_revisions: Some((attempts as u32).saturating_sub(1)), ..plan })
}

/// The text of each fault of a plan for the model.
fn for_model(faults: Vec<PlanError>) -> Vec<String> {
    let worded = |fault: PlanError| describe_errors(&[fault]).english().trim_end_matches('.').to_owned();
    faults.into_iter().map(worded).collect()
}

/// Accepts the plan of a model. A plan without stages means that the task cannot be done.
fn runnable_plan(context: &FunctionContext<'_>, answer: Value) -> Result<Value, Vec<String>> {
    let answer = tidied(answer, &Abilities::of(context.definition));
    checked(context, &answer).map(|plan| json!(plan)).map_err(for_model)
}

/// Accepts the revision of a model: the completed steps and the rest form one plan, which the person sees before it
/// runs.
fn runnable_revision(context: &FunctionContext<'_>, answer: Value) -> Result<Value, Vec<String>> {
    let answer = tidied(answer, &Abilities::of(context.definition));
    // A revision without stages means that there is no other way.
    if answer["stages"].as_array().is_none_or(Vec::is_empty) {
        return Ok(answer);
    }
    let whole = with_rest(context, &answer).map_err(|why| vec![why])?;
    checked(context, &json!(whole)).map(|plan| json!(plan)).map_err(for_model)
}

/// The completed steps with the rest that a revision gives.
fn with_rest(context: &FunctionContext<'_>, revision: &Value) -> Result<Plan, String> {
    let plan: Plan = context.read(PLAN).unwrap_or_default();
    let records: Vec<StepRecord> = context.read(EXECUTION_CONTEXT).unwrap_or_default();
    let rest: Plan = serde_json::from_value(revision.clone()).map_err(|error| error.to_string())?;
    Ok(revised(plan, &records, rest))
}

fn apply_revision(context: &FunctionContext<'_>) -> Result<Acted, Phrase> {
    let revision: Value = context.read("revision").unwrap_or_default();
    let plan = with_rest(context, &revision).map_err(Phrase::verbatim)?;
    let plan = checked(context, &json!(plan)).map_err(|faults| describe_errors(&faults))?;
    Ok(Acted { delta: Delta::of(PLAN, json!(plan)), ..Acted::default() })
}

fn plan_needs_model(context: &FunctionContext<'_>) -> Result<Value, Phrase> {
    Err(phrase!(
        "“{task}” fits no request that is planned without a model. Reword it in parts such as “calculate …”, \
         “convert … to …”, “read …”, “write both to FILE”, give a plan, or choose a profile with a model",
        task = context.text("task").trim()
    ))
}

/// Without a model there is no revision.
fn no_revision(_: &FunctionContext<'_>) -> Result<Value, Phrase> {
    Ok(json!({ "stages": [], "reason": "" }))
}

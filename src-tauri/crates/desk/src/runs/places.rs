//! Places in the tree of a run as a person names them: an agent by name, one call of it by path.

use std::collections::BTreeMap;

use interpreter::Pipeline;
use kernel::{AgentChange, Code, Gate, Outline, Path, Value, phrase};

use crate::ApiError;
use crate::api::StartRun;

/// The gates of a run: those of the request, and those that inputs set behind agents.
pub(crate) fn gates(
    pipeline: &Pipeline,
    request: &StartRun,
    inputs: &BTreeMap<String, Value>,
) -> BTreeMap<String, Gate> {
    let is_yes = |input: &String| inputs.get(input).is_some_and(|value| *value.json_or_null() == true);
    let agents = pipeline.definition().agents.iter();
    let declared = agents.filter(|(_, agent)| agent.gate_after.as_ref().is_some_and(is_yes));
    let declared = declared.map(|(name, _)| (name.clone(), Gate { after: true, ..Gate::default() }));
    declared.chain(request.gates.clone()).collect()
}

/// Checks that every gate belongs to an agent of the tree.
///
/// # Errors
/// `bad_input` with the existing agents.
pub(crate) fn known_gates(outline: &Outline, gates: &BTreeMap<String, Gate>) -> Result<(), ApiError> {
    gates.keys().try_for_each(|place| known_place(outline, place))
}

/// Refuses settings of missing agents, and settings that an agent cannot have: only an agent that asks a model has more
/// than limits, and only an agent on demand has settings for one call.
///
/// # Errors
/// `bad_input` with the path.
pub(crate) fn known_settings(
    outline: &Outline,
    model_agents: &[&str],
    changes: &BTreeMap<String, AgentChange>,
) -> Result<(), ApiError> {
    for (place, change) in changes {
        known_place(outline, place)?;
        let name = Path::name_of(place);
        if place != name && !Path::root(place).is_instance() {
            let message = phrase!(
                "`{place}` is no instance of an agent on demand, so it has the settings of `{name}`; set those",
                place,
                name
            );
            return Err(ApiError::new(Code::BadInput, message));
        }
        let only_limits = AgentChange { limits: change.limits.clone(), ..AgentChange::default() };
        if !model_agents.contains(&name) && *change != only_limits {
            let message = phrase!(
                "`{name}` asks no model itself, so it has limits and no other settings; model agents are {known}",
                name,
                known = model_agents
            );
            return Err(ApiError::new(Code::BadInput, message));
        }
    }
    Ok(())
}

fn known_place(outline: &Outline, place: &str) -> Result<(), ApiError> {
    let known: Vec<&str> = outline.walk().into_iter().map(|agent| agent.name.as_str()).collect();
    let mut places = std::iter::successors(Some(place), |place| Path::above(place));
    if places.all(|place| known.contains(&Path::name_of(place))) {
        return Ok(());
    }
    let message = phrase!("There is no agent `{place}`; there is {known}", place, known);
    Err(ApiError::new(Code::BadInput, message))
}

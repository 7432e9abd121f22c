//! What agents run with when another profile is asked in place of theirs.

use std::collections::{BTreeMap, BTreeSet};

use engine::AgentChanges;
use interpreter::Pipeline;
use kernel::{AgentChange, Definition, Fallback};

use crate::ApiError;
use crate::accounts::profile_card::{asked_as, find, is_of_service, model_for};
use crate::accounts::settings::Settings;
use crate::api::ProfileCard;

/// The profiles that stand in for one, each naming the next.
pub(crate) fn fallbacks(
    settings: &Settings,
    profile: &ProfileCard,
    role: &str,
) -> Result<Vec<Fallback>, ApiError> {
    let mut found: Vec<Fallback> = Vec::new();
    let mut next = profile.fallback.clone();
    while !next.is_empty() && next != profile.name {
        let card = find(settings, &next)?;
        let other = Fallback { profile: asked_as(&card), model: model_for(&card, role)? };
        if found.contains(&other) {
            break;
        }
        found.push(other);
        next = card.fallback;
    }
    Ok(found)
}

/// What an agent of a role runs with when it asks another profile.
pub(crate) fn agent_change(
    settings: &Settings,
    card: &ProfileCard,
    role: &str,
) -> Result<AgentChange, ApiError> {
    Ok(AgentChange {
        profile: Some(asked_as(card)),
        model: Some(model_for(card, role)?),
        fallbacks: Some(fallbacks(settings, card, role)?),
        ..AgentChange::default()
    })
}

/// What could be asked in place of profiles that failed: each other profile of models, with what the agents that ask a
/// failed one would run with. A profile that names no model for one of them is left out.
pub(crate) fn others(
    settings: &Settings,
    pipeline: &Pipeline,
    definition: &Definition,
    failed: &BTreeSet<String>,
) -> BTreeMap<String, AgentChanges> {
    let setups = pipeline.agents().iter().filter(|setup| {
        definition.agents.get(&setup.name).is_some_and(|agent| failed.contains(&agent.profile))
    });
    let cards = settings.profiles().unwrap_or_default().into_iter();
    let cards = cards.filter(|card| !failed.contains(&card.name) && !is_of_service(&card.provider));
    cards
        .filter_map(|card| {
            let changes = setups.clone().map(|setup| {
                Ok::<_, ApiError>((setup.name.to_owned(), agent_change(settings, &card, &setup.model_role)?))
            });
            Some((card.name.clone(), changes.collect::<Result<_, _>>().ok()?))
        })
        .collect()
}

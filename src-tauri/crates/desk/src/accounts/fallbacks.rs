//! The settings of agents when a fallback profile replaces theirs.

use std::collections::{BTreeMap, BTreeSet};

use engine::AgentChanges;
use interpreter::Pipeline;
use kernel::{AgentChange, Definition, Fallback};

use crate::ApiError;
use crate::accounts::profile_card::{asked_as, find, is_of_service, model_for};
use crate::api::ProfileCard;
use crate::settings::Settings;

/// The fallbacks of a profile, each the fallback of the one before.
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

/// The settings of an agent of a role with another profile.
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

/// The alternatives to failed profiles: each other profile of models, with the changed settings of the agents that use
/// a failed one. A profile without a model for one of them is left out.
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

//! What servers refused of requests, kept with their profiles in the settings. Not here: how it is found out (`models`).

use std::sync::Arc;

use models::Refusals;

use crate::api::ProfileCard;
use crate::settings::Settings;

/// What the server of a profile refused before; what it refuses from now on is kept with the profile.
pub(crate) fn remembered(settings: &Arc<Settings>, card: &ProfileCard) -> Refusals {
    let (settings, name) = (settings.clone(), card.name.clone());
    Refusals::new(card.refused.clone(), move |model, part| {
        let (settings, name, model) = (settings.clone(), name.clone(), model.to_owned());
        // Another program may hold the settings for a moment: no answer waits for that.
        tokio::task::spawn_blocking(move || {
            let kept = settings.change_profile(&name, |mut card| {
                card.refused.entry(model).or_default().insert(part);
                Ok(card)
            });
            if let Err(error) = kept {
                tracing::warn!(%error, profile = name, "what a server refuses is known to this program only");
            }
        });
    })
}

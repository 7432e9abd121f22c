//! The models behind profiles, by profile name, with cached connections.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use engine::{AgentChanges, Model, ModelDirectory};
use kernel::{Definition, Effect};
use models::{Delivery, ProfileAccess, Refusals, connect_knowing};
use secrecy::SecretString;
use vault::Vault;

use crate::ApiError;
use crate::accounts::estimates::least_cost;
use crate::accounts::fallbacks::others;
use crate::accounts::keys;
use crate::accounts::priced::Priced;
use crate::accounts::prices::PriceList;
use crate::accounts::profile_card::{address_of, find, reachable};
use crate::api::ProfileCard;
use crate::pipeline_directory::PipelineDirectory;
use crate::settings::Settings;

/// A cached model with the profile and key that it was made from; a change of either replaces it.
struct Connected {
    card: ProfileCard,
    key: Option<SecretString>,
    refusals: Refusals,
    model: Arc<dyn Model>,
}

impl Connected {
    /// Whether it was made from this profile. Learned refusals of the server are added to the settings one by one and
    /// do not invalidate it; only a test of the profile clears them.
    fn is_of(&self, card: &ProfileCard, key: Option<&SecretString>) -> bool {
        let is_known = card.refused == self.card.refused
            || (!card.refused.is_empty() && self.refusals.knows(&card.refused));
        let same = ProfileCard { refused: self.card.refused.clone(), ..card.clone() };
        is_known && same == self.card && keys::same(self.key.as_ref(), key)
    }
}

/// Finds the model of a profile, and caches its connection.
pub(crate) struct ProfileDirectory {
    settings: Arc<Settings>,
    vault: Arc<Vault>,
    prices: Arc<PriceList>,
    pipelines: Arc<PipelineDirectory>,
    connected: Mutex<HashMap<String, Connected>>,
}

impl ProfileDirectory {
    pub(crate) fn new(
        settings: Arc<Settings>,
        vault: Arc<Vault>,
        prices: Arc<PriceList>,
        pipelines: Arc<PipelineDirectory>,
    ) -> ProfileDirectory {
        ProfileDirectory { settings, vault, prices, pipelines, connected: Mutex::default() }
    }
}

#[async_trait]
impl ModelDirectory for ProfileDirectory {
    async fn model(&self, profile: &str) -> Result<Arc<dyn Model>, ApiError> {
        let card = find(&self.settings, profile)?;
        let key = keys::of_profile(&self.vault, &card).await?;
        let mut connected = self.connected();
        if let Some(known) = connected.get_mut(profile).filter(|known| known.is_of(&card, key.as_ref())) {
            known.card = card;
            return Ok(known.model.clone());
        }
        let access = ProfileAccess { key: key.clone(), ..reachable(&card) };
        let refusals = remembered(&self.settings, &card);
        let model = connect_knowing(access, Delivery::default(), refusals.clone())?;
        let model: Arc<dyn Model> = Arc::new(Priced {
            model,
            provider: card.provider.clone(),
            address: address_of(&card),
            prices: self.prices.clone(),
        });
        connected.insert(profile.to_owned(), Connected { card, key, refusals, model: model.clone() });
        Ok(model)
    }

    async fn others(
        &self,
        definition: &Definition,
        failed: &BTreeSet<String>,
    ) -> BTreeMap<String, AgentChanges> {
        match self.pipelines.of_run(definition) {
            Ok(pipeline) => others(&self.settings, pipeline.as_ref(), definition, failed),
            Err(_) => BTreeMap::new(),
        }
    }

    fn least_cost(&self, effect: &Effect) -> Option<f64> {
        least_cost(&self.prices.current(), effect, |profile| {
            Some(find(&self.settings, profile).ok()?.provider)
        })
    }
}

impl ProfileDirectory {
    fn connected(&self) -> MutexGuard<'_, HashMap<String, Connected>> {
        self.connected.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The request parts that the server of a profile refused; newly learned ones are saved with the profile.
fn remembered(settings: &Arc<Settings>, card: &ProfileCard) -> Refusals {
    let (settings, name) = (settings.clone(), card.name.clone());
    Refusals::new(card.refused.clone(), move |model, part| {
        let (settings, name, model) = (settings.clone(), name.clone(), model.to_owned());
        // Another program may lock the settings for a moment; the answer does not wait for that.
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

//! Profiles of models and services: listed, added, tested and removed.
//!
//! Not here: where the keys come from (`keys`).

use std::collections::BTreeMap;

use kernel::{BUILT_IN, Code, Phrase, phrase};
use models::ProfileAccess;
use secrecy::SecretString;

use crate::ApiError;
use crate::accounts::AccountService;
use crate::accounts::checks::{refuse_profile, with_finite_limits};
use crate::accounts::keys;
use crate::accounts::profile_card::{address_of, find, is_of_service, model_for, reachable, refuse_service};
use crate::accounts::services::setting_of_service;
use crate::api::{
    AddProfile, ModelCard, ModelList, Named, Nothing, ProfileCard, ProfileTest, Profiles as ProfileList,
    RemovedProfile, Setting,
};

impl AccountService {
    pub(crate) async fn list_profiles(&self, _: Nothing) -> Result<ProfileList, ApiError> {
        let settings = &self.settings;
        let complete = |card: ProfileCard| {
            let used_by = settings.uses_of_profile(&card.name)?;
            let session_last_four = keys::session_key(&self.vault, &card).map(|key| keys::last_four(&key));
            Ok(ProfileCard {
                is_of_service: is_of_service(&card.provider),
                session_last_four,
                used_by,
                ..card
            })
        };
        let profiles = settings.profiles()?.into_iter().map(with_finite_limits).map(complete);
        Ok(ProfileList { profiles: profiles.collect::<Result<_, ApiError>>()? })
    }

    pub(crate) async fn add_profile(&self, asked: AddProfile) -> Result<Nothing, ApiError> {
        let AddProfile { profile: card, key, for_session } = asked;
        match keys::typed(&card, &key)? {
            Some(typed) if for_session => {
                self.put_profile(card.clone()).await?;
                keys::set_session_key(&self.vault, &card, typed.secret);
            }
            Some(typed) => self.put_with_key(card.clone(), typed).await?,
            None => self.put_profile(card.clone()).await?,
        }
        // The first profile of a service becomes its default.
        let of_service = setting_of_service(&card);
        if is_of_service(&card.provider) && self.settings.get(&of_service)?.is_empty() {
            self.settings.set(&Setting { key: of_service, value: card.name })?;
        }
        Ok(Nothing {})
    }

    /// Saves a profile without making it a default.
    pub(crate) async fn put_profile(&self, card: ProfileCard) -> Result<(), ApiError> {
        let (vault, settings) = (&self.vault, &self.settings);
        refuse_profile(settings, &card, &[])?;
        let known = find(settings, &card.name).unwrap_or_default();
        // The page does not know the key and the result of the test. Both stay only while provider and address stay the
        // same: a key never goes to another address.
        let goes_on = (&known.provider, &known.base_url, &known.key_env)
            == (&card.provider, &card.base_url, &card.key_env);
        let ProfileCard { last_four, key_id, refused, .. } =
            if goes_on { known.clone() } else { ProfileCard::default() };
        let card = ProfileCard { last_four, key_id, refused, tested: None, ..card };
        settings.set_profile(&card.name, &known.key_id, &card)?;
        if goes_on {
            return Ok(());
        }
        if !card.key_env.is_empty() {
            // The profile needs no keyring entry any more, so a failure to remove it is only logged.
            vault.remove_session_key(&card.name);
            keys::forget_former(vault, &known).await;
            return Ok(());
        }
        self.forget_or_put_back(&known, &[]).await
    }

    /// Removes the key of a profile that was changed or removed. An entry without a profile would stay in the keyring
    /// forever, so where it cannot be removed, the profile and the settings that named it are restored.
    async fn forget_or_put_back(&self, former: &ProfileCard, naming: &[String]) -> Result<(), ApiError> {
        let Err(error) = keys::forget(&self.vault, former).await else { return Ok(()) };
        if let Err(unwritten) = self.settings.put_back(former, naming) {
            tracing::warn!(%error, %unwritten, profile = former.name, "a key that nobody uses stays in the keyring");
            return Ok(());
        }
        Err(key_stays(&former.name, &error))
    }

    /// Saves a profile with a key for the keyring, the key first: where the keyring fails, no profile without its key
    /// appears, and the former profile stays as it was.
    async fn put_with_key(&self, card: ProfileCard, typed: keys::Typed) -> Result<(), ApiError> {
        let (vault, settings) = (&self.vault, &self.settings);
        let former = find(settings, &card.name).unwrap_or_default();
        let is_same_server = (&former.provider, &former.base_url) == (&card.provider, &card.base_url);
        let refused = if is_same_server { former.refused.clone() } else { BTreeMap::new() };
        let card = ProfileCard { key_env: String::new(), tested: None, refused, ..card };
        refuse_profile(settings, &card, &[])?;
        let kept = keys::keep(vault, &card, typed).await.map_err(|error| not_kept(&card, &former, error))?;
        if let Err(error) = settings.set_profile(&card.name, &former.key_id, &kept) {
            keys::forget_kept(vault, &kept).await?;
            return Err(error);
        }
        vault.remove_session_key(&card.name);
        keys::forget_former(vault, &former).await;
        Ok(())
    }

    pub(crate) async fn remove_profile(&self, named: Named) -> Result<RemovedProfile, ApiError> {
        let card = find(&self.settings, &named.name)?;
        if named.name == BUILT_IN {
            return Err(ApiError::new(
                Code::BadInput,
                phrase!("The built-in profile cannot be removed; `galley profile list` names the others"),
            ));
        }
        // The setting that names this profile for its service is removed with it.
        let of_service = setting_of_service(&card);
        let uses = self.settings.uses_of_profile(&named.name)?;
        let (unset, uses): (Vec<String>, Vec<String>) =
            uses.into_iter().partition(|use_| *use_ == of_service);
        if !uses.is_empty() {
            let message = phrase!(
                "Profile `{name}` is still named by `{uses}`; name another there first, then remove it",
                name = named.name,
                uses = uses.join("`, `")
            );
            return Err(ApiError::new(Code::BadInput, message));
        }
        // The key is removed last: if the settings cannot be written, the profile still has it.
        self.settings.remove_profile(&named.name, &card.key_id, &unset)?;
        self.forget_or_put_back(&card, &unset).await?;
        Ok(RemovedProfile { unset })
    }

    pub(crate) async fn test_profile(&self, named: Named) -> Result<ProfileTest, ApiError> {
        let card = find(&self.settings, &named.name)?;
        if card.provider == BUILT_IN {
            let phrase = phrase!("Works without a model, a key or the network");
            return Ok(ProfileTest { at_ms: engine::now_ms(), phrase });
        }
        // A test uses the present state of the keyring and of the server.
        self.vault.ask_again();
        let card = ProfileCard { refused: BTreeMap::new(), ..card };
        self.settings
            .change_profile(&named.name, |now| Ok(ProfileCard { refused: BTreeMap::new(), ..now }))?;
        let now = engine::now();
        let tried = if is_of_service(&card.provider) {
            self.try_service(&card).await
        } else {
            self.try_model(&card, now.as_millisecond()).await
        };
        let phrase = match &tried {
            Ok(phrase) => phrase.clone(),
            Err(error) => (*error.phrase).clone(),
        };
        let test = ProfileTest { at_ms: now.as_millisecond(), phrase };
        self.settings.change_profile(&named.name, |after| {
            // A profile that changed during the test keeps no result.
            let learned = (after.tested.clone(), after.refused.clone());
            let is_tried = after == ProfileCard { tested: learned.0, refused: learned.1, ..card };
            Ok(if is_tried { ProfileCard { tested: Some(test.clone()), ..after } } else { after })
        })?;
        tried?;
        Ok(test)
    }

    /// Asks the default model of a profile for one word, as a run would.
    async fn try_model(&self, card: &ProfileCard, at_ms: i64) -> Result<Phrase, ApiError> {
        let name = model_for(card, "default")?;
        let model = self.models.model(&card.name).await?;
        self.note_trial_sent(at_ms, &card.name, &name).await;
        let trial = models::test(model.as_ref(), &name).await;
        self.note_trial_result(at_ms, &card.name, &name, &trial).await;
        trial.outcome
    }

    pub(crate) async fn list_models(&self, named: Named) -> Result<ModelList, ApiError> {
        let card = find(&self.settings, &named.name)?;
        if card.provider == BUILT_IN {
            let message = phrase!(
                "Profile `{name}` works without a model, so there is none to list; `galley profile list` names the others",
                name = card.name
            );
            return Err(ApiError::new(Code::BadInput, message));
        }
        let key = keys::of_profile(&self.vault, &card).await?;
        listed(&card, key).await
    }

    /// The models of a profile that is not saved yet. The key is used once and not saved.
    pub(crate) async fn offer_models(&self, asked: AddProfile) -> Result<ModelList, ApiError> {
        let card = ProfileCard { last_four: String::new(), key_id: String::new(), ..asked.profile };
        refuse_profile(&self.settings, &card, &[])?;
        refuse_service(&card)?;
        let key = match keys::typed(&card, &asked.key)? {
            Some(typed) => Some(typed.secret),
            None => keys::of_profile(&self.vault, &card).await?,
        };
        listed(&card, key).await
    }
}

/// The models that a provider lists for this key.
async fn listed(card: &ProfileCard, key: Option<SecretString>) -> Result<ModelList, ApiError> {
    if let Some(address) = address_of(card) {
        net::note_contact(&address);
    }
    let listed = models::list_models(ProfileAccess { key, ..reachable(card) }).await?;
    let card = |model: models::ModelCard| ModelCard {
        name: model.name,
        title: model.title,
        shutdown_date: model.shutdown_date,
        input_tokens: model.input_tokens,
        output_tokens: model.output_tokens,
    };
    Ok(ModelList { models: listed.into_iter().map(card).collect() })
}

/// Adds the state of the profile to the error of a keyring that failed.
fn not_kept(card: &ProfileCard, former: &ProfileCard, error: ApiError) -> ApiError {
    let what = match former.name.is_empty() {
        true => {
            phrase!("Profile `{name}` was not added, because its key could not be kept.", name = card.name)
        }
        false => {
            phrase!("Profile `{name}` stays as it was, because its key could not be kept.", name = card.name)
        }
    };
    let why = (*error.phrase).clone();
    error.reworded(Phrase::sentences([what, why]))
}

/// The error for a change that is not made because the key cannot be removed.
fn key_stays(profile: &str, error: &ApiError) -> ApiError {
    let why = error.provider_words.clone().map_or_else(|| (*error.phrase).clone(), Phrase::verbatim);
    let message = phrase!(
        "Profile `{profile}` stays as it is, because its key could not be removed from the keyring; unlock the keyring, or start its service, and try again. {why}",
        profile,
        why
    );
    error.clone().reworded(message)
}

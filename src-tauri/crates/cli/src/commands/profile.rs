//! `galley profile`: lists, adds, tests and removes model profiles.

use std::path::PathBuf;

use desk::api::{
    AddProfile as KeepProfile, FoundServer, FoundServers, Named, Nothing, ProfileCard, ProfileTest, Profiles,
    RemovedProfile,
};
use desk::{ApiError, BUILT_IN, ErrorCode, Phrase};

use crate::arguments::{AddProfile, Profile};
use crate::desk_client::{ask, open};
use crate::table::{one_line, table};
use crate::{option_values, output};

/// `galley profile`.
pub(crate) async fn profile(data_dir: Option<PathBuf>, asked: Profile) -> Result<u8, ApiError> {
    match asked {
        Profile::List => {
            let found: Profiles = ask(&open(data_dir).await?, "list_profiles", Nothing {}).await?;
            let rows: Vec<Vec<String>> = found.profiles.iter().map(row).collect();
            output::write(&table(
                &["NAME", "PROVIDER", "BASE URL", "KEY", "MODELS", "STAND-IN", "REFUSED", "LAST TEST"],
                &rows,
            ))?;
        }
        Profile::Add(asked) => add(data_dir, asked).await?,
        Profile::Find { add } => find(data_dir, add).await?,
        Profile::Test { name } => {
            let request = Named { name: name.clone() };
            let tested: ProfileTest = ask(&open(data_dir).await?, "test_profile", request).await?;
            output::write(&format!("{name}: {}\n", one_line(&tested.phrase.english())))?;
        }
        Profile::Remove { name } => {
            let request = Named { name: name.clone() };
            let removed: RemovedProfile = ask(&open(data_dir).await?, "remove_profile", request).await?;
            if !removed.unset.is_empty() {
                let unset = removed.unset.join("`, `");
                output::tell(&format!("Profile {name} is removed; `{unset}` named it and is unset now"));
            }
        }
    }
    Ok(0)
}

/// Lists the model servers of this machine, and adds a profile for each that has none.
async fn find(data_dir: Option<PathBuf>, adds: bool) -> Result<(), ApiError> {
    let desk = open(data_dir).await?;
    let found: FoundServers = ask(&desk, "find_servers", Nothing {}).await?;
    if found.servers.is_empty() {
        output::tell("No model server answers at its usual address on this machine");
        return Ok(());
    }
    let row = |server: &FoundServer| {
        let models = match &server.next_step {
            Some(way) => way.english(),
            None => server.models.join(", "),
        };
        let profile = server.profile.as_deref().unwrap_or("–");
        vec![one_line(&server.title), server.address.clone(), one_line(&models), one_line(profile)]
    };
    let rows: Vec<Vec<String>> = found.servers.iter().map(row).collect();
    output::write(&table(&["SERVER", "ADDRESS", "MODELS", "PROFILE"], &rows))?;
    for server in found.servers.into_iter().filter(|server| server.profile.is_none()) {
        let Some(model) = server.models.first() else { continue };
        if !adds {
            output::tell(&format!("`galley profile find --add` adds a profile for {}", server.title));
            continue;
        }
        let profile = ProfileCard {
            name: server.free_name.clone(),
            provider: server.provider.clone(),
            base_url: server.base_url.clone(),
            models: [("default".to_owned(), model.clone())].into(),
            ..ProfileCard::default()
        };
        let request = KeepProfile { profile, key: String::new(), for_session: false };
        let _: Nothing = ask(&desk, "add_profile", request).await?;
        output::tell(&format!(
            "Profile {name} is kept, with model {model}; `galley profile test {name}` tries it",
            name = server.free_name
        ));
    }
    Ok(())
}

/// The time and the result of a trial.
fn trial_summary(test: &ProfileTest) -> String {
    let at = jiff::Timestamp::from_millisecond(test.at_ms).unwrap_or_default();
    format!("{}: {}", at.strftime("%Y-%m-%d %H:%M UTC"), test.phrase)
}

fn row(card: &ProfileCard) -> Vec<String> {
    let dash = |text: &str| if text.is_empty() { "–".to_owned() } else { one_line(text) };
    let models: Vec<String> = card.models.iter().map(|(role, model)| format!("{role}={model}")).collect();
    let key = match (card.key_env.as_str(), card.last_four.as_str()) {
        ("", "") => String::new(),
        ("", last_four) => format!("…{last_four}"),
        (variable, _) => format!("${variable}"),
    };
    let refused: Vec<String> = card
        .refused
        .iter()
        .map(|(model, parts)| {
            let parts: Vec<&str> = parts.iter().map(|part| part.name()).collect();
            format!("{model}: {}", parts.join(", "))
        })
        .collect();
    let tested = card.tested.as_ref().map(trial_summary).unwrap_or_default();
    let texts = [&card.base_url, &key, &models.join(", "), &card.fallback, &refused.join("; "), &tested];
    let mut row = vec![one_line(&card.name), one_line(&card.provider)];
    row.extend(texts.map(|text| dash(text)));
    row
}

async fn add(data_dir: Option<PathBuf>, asked: AddProfile) -> Result<(), ApiError> {
    // The key is read first: if it cannot be read, nothing is changed.
    let key = if asked.key.key_stdin { Some(typed_key()?) } else { None };
    let has_none = asked.key.no_key;
    let card = card(asked)?;
    let name = card.name.clone();
    let desk = open(data_dir).await?;
    let request = KeepProfile { profile: card, key: key.unwrap_or_default(), for_session: false };
    let _: Nothing = ask(&desk, "add_profile", request).await.map_err(|error| {
        let is_of_keyring = error.code == ErrorCode::KeyUnavailable;
        let way_on = format!(" Here that is `galley profile add {name} … --key-env VAR`");
        let message = error.message.clone() + if is_of_keyring { &way_on } else { "" };
        error.reworded(Phrase::verbatim(message))
    })?;
    if has_none {
        // An earlier profile of this name may have had a key.
        let _: Nothing = ask(&desk, "forget_key", Named { name: name.clone() }).await?;
    }
    output::tell(&format!("Profile {name} is kept; `galley profile test {name}` tries it"));
    Ok(())
}

/// Reads the key from standard input, without the final line break.
fn typed_key() -> Result<String, ApiError> {
    let key = option_values::standard_input("key")?;
    if key.is_empty() {
        return Err(option_values::refused(
            "Standard input is empty; give the key there: `galley profile add … --key-stdin < FILE`",
        ));
    }
    Ok(key)
}

fn card(asked: AddProfile) -> Result<ProfileCard, ApiError> {
    let says_where = asked.key.no_key || asked.key.key_stdin || asked.key.key_env.is_some();
    if asked.provider != BUILT_IN && !says_where {
        return Err(option_values::refused(
            "The profile does not say where its key comes from; add --key-stdin, --key-env VAR, or --no-key for a provider that wants none",
        ));
    }
    if asked.key.key_env.as_deref().is_some_and(|variable| variable.trim().is_empty()) {
        return Err(option_values::refused(
            "The name after --key-env is empty; name the environment variable, or use --no-key",
        ));
    }
    Ok(ProfileCard {
        models: option_values::models_by_role(&asked.model),
        name: asked.name,
        provider: asked.provider,
        base_url: asked.base_url,
        key_env: asked.key.key_env.unwrap_or_default(),
        fallback: asked.fallback,
        limits: option_values::limits_of_profile(&asked.limit)?,
        ..ProfileCard::default()
    })
}

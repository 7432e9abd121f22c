//! Profiles, settings, and the doctor.

use std::io::Read;
use std::path::PathBuf;

use desk::api::{
    AddProfile as KeepProfile, DoctorLine, DoctorReport, ModelCard, ModelList, Named, Nothing, ProfileCard,
    Profiles, Remedy, RemovedProfile, Setting, Topic,
};
use desk::{ApiError, BUILT_IN, Desk, ErrorCode, Options};
use indicatif::{ProgressBar, ProgressStyle};

use crate::arguments::{AddProfile, Config, Profile};
use crate::table::{one_line, table};
use crate::{ask, given, open, output};

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
        Profile::Test { name } => {
            let tested: Setting = ask(&open(data_dir).await?, "test_profile", Named { name }).await?;
            output::write(&format!("{}: {}\n", tested.key, one_line(&tested.value)))?;
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
    let texts = [&card.base_url, &key, &models.join(", "), &card.fallback, &refused.join("; "), &card.tested];
    let mut row = vec![one_line(&card.name), one_line(&card.provider)];
    row.extend(texts.map(|text| dash(text)));
    row
}

async fn add(data_dir: Option<PathBuf>, asked: AddProfile) -> Result<(), ApiError> {
    // Read before anything is changed: a key that cannot be read leaves everything as it was.
    let key = if asked.key.key_stdin { Some(typed_key()?) } else { None };
    let has_none = asked.key.no_key;
    let card = card(asked)?;
    let name = card.name.clone();
    let desk = open(data_dir).await?;
    let request = KeepProfile { profile: card, key: key.unwrap_or_default(), for_session: false };
    let _: Nothing = ask(&desk, "add_profile", request).await.map_err(|fault| {
        let is_of_keyring = fault.code == ErrorCode::KeyUnavailable;
        let way_on = format!(" Here that is `galley profile add {name} … --key-env VAR`");
        let message = fault.message.clone() + if is_of_keyring { &way_on } else { "" };
        ApiError { message, ..fault }
    })?;
    if has_none {
        // A profile of this name may have had one.
        let _: Nothing = ask(&desk, "forget_key", Named { name: name.clone() }).await?;
    }
    output::tell(&format!("Profile {name} is kept; `galley profile test {name}` tries it"));
    Ok(())
}

/// The key on standard input, without the line break behind it.
fn typed_key() -> Result<String, ApiError> {
    let mut text = String::new();
    let read = std::io::stdin().take(1 << 16).read_to_string(&mut text);
    read.map_err(|error| given::refused(format!("The key cannot be read from standard input: {error}")))?;
    match text.trim() {
        "" => Err(given::refused(
            "Standard input is empty; give the key there: `galley profile add … --key-stdin < FILE`",
        )),
        key => Ok(key.to_owned()),
    }
}

fn card(asked: AddProfile) -> Result<ProfileCard, ApiError> {
    let says_where = asked.key.no_key || asked.key.key_stdin || asked.key.key_env.is_some();
    if asked.provider != BUILT_IN && !says_where {
        return Err(given::refused(
            "The profile does not say where its key comes from; add --key-stdin, --key-env VAR, or --no-key for a provider that wants none",
        ));
    }
    if asked.key.key_env.as_deref().is_some_and(|variable| variable.trim().is_empty()) {
        return Err(given::refused(
            "The name after --key-env is empty; name the environment variable, or use --no-key",
        ));
    }
    Ok(ProfileCard {
        models: given::models_by_role(&asked.model),
        name: asked.name,
        provider: asked.provider,
        base_url: asked.base_url,
        key_env: asked.key.key_env.unwrap_or_default(),
        fallback: asked.fallback,
        limits: given::limits(&asked.limit)?,
        ..ProfileCard::default()
    })
}

/// `galley models`.
pub(crate) async fn models(data_dir: Option<PathBuf>, name: String) -> Result<u8, ApiError> {
    let found: ModelList = ask(&open(data_dir).await?, "list_models", Named { name }).await?;
    let said = |text: &str| if text.is_empty() { "–".to_owned() } else { one_line(text) };
    let count = |tokens: u64| if tokens == 0 { "–".to_owned() } else { tokens.to_string() };
    let row = |model: &ModelCard| {
        vec![
            one_line(&model.name),
            said(&model.title),
            count(model.input_tokens),
            count(model.output_tokens),
            said(&model.shutdown_date),
        ]
    };
    let rows: Vec<Vec<String>> = found.models.iter().map(row).collect();
    output::write(&table(&["NAME", "TITLE", "TOKENS IN", "TOKENS OUT", "SHUT DOWN"], &rows))?;
    Ok(0)
}

/// `galley config`.
pub(crate) async fn config(data_dir: Option<PathBuf>, asked: Config) -> Result<u8, ApiError> {
    match asked {
        Config::Get { key } => {
            let request = Setting { key, value: String::new() };
            let setting: Setting = ask(&open(data_dir).await?, "get_setting", request).await?;
            output::write_text(&setting.value)?;
        }
        Config::Set { key, value } => {
            let request = Setting { key, value: given::value(&value)? };
            let _: Setting = ask(&open(data_dir).await?, "set_setting", request).await?;
        }
    }
    Ok(0)
}

/// `galley doctor`: also where nothing opens it has something to say. What has no effect in the settings stands in its report.
pub(crate) async fn doctor(data_dir: Option<PathBuf>, is_json: bool) -> Result<u8, ApiError> {
    let options = Options { data_dir: data_dir.clone(), ..Options::default() };
    let report = match Desk::open(options).await {
        Ok(desk) => {
            let bar = if output::can_draw() { ProgressBar::new(100) } else { ProgressBar::hidden() };
            bar.set_message("Looking at the database");
            let style = ProgressStyle::with_template("{bar:30} {percent}% {wide_msg}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            let moving = bar.clone();
            let report = desk.examine(move |done, total| {
                moving.set_length(total.into());
                moving.set_position(done.into());
            });
            let report = report.await;
            bar.finish_and_clear();
            report?
        }
        Err(fault) => broken(data_dir, &fault),
    };
    if is_json {
        output::write_json(&report)?;
    } else {
        for line in &report.lines {
            let mark = if line.is_well { "✓" } else { "✗" };
            output::write(&format!("{mark} {}: {}\n", line.name, one_line(&line.found)))?;
            if !line.is_well && !line.fix.is_empty() {
                output::write(&format!("    {}\n", one_line(&line.fix)))?;
            }
        }
    }
    Ok(u8::from(report.lines.iter().any(|line| !line.is_well)))
}

fn broken(data_dir: Option<PathBuf>, fault: &ApiError) -> DoctorReport {
    let version = DoctorLine {
        topic: Topic::Program,
        subject: String::new(),
        name: "Galley".to_owned(),
        is_well: true,
        found: env!("CARGO_PKG_VERSION").to_owned(),
        finding: env!("CARGO_PKG_VERSION").to_owned().into(),
        fix: String::new(),
        remedy: Remedy::Nothing,
    };
    let folder = desk::data_folder(data_dir).map(|folder| folder.display().to_string()).unwrap_or_default();
    let fix = match fault.code {
        ErrorCode::DatabaseCorrupt | ErrorCode::DatabaseMissing => {
            "Run `galley recover`, or choose another folder with --data-dir".to_owned()
        }
        _ => format!("Mend what is said above in {folder}, or choose another folder with --data-dir"),
    };
    let data = DoctorLine {
        topic: Topic::DataFolder,
        subject: String::new(),
        name: "Data folder".to_owned(),
        is_well: false,
        found: output::sentence(fault),
        finding: output::sentence(fault).into(),
        remedy: fix.as_str().into(),
        fix,
    };
    DoctorReport { lines: vec![version, data], redacted: String::new() }
}

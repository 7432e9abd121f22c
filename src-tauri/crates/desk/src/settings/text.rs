//! Reads and writes settings and profiles in a TOML text of any origin. Not here: which settings exist.

use std::collections::{BTreeMap, BTreeSet};

use kernel::{BUILT_IN, Code, LimitName, RequestPart, phrase};
use toml_edit::{DocumentMut, Item, Table, TableLike};

use crate::ApiError;
use crate::api::{ProfileCard, Setting};

pub(crate) const PROFILES: &str = "profiles";
/// The text fields of a profile, beside its models and limits.
pub(crate) const PROFILE_TEXTS: [&str; 7] =
    ["provider", "base_url", "key_env", "last_four", "key_id", "fallback", "tested"];

/// Every value outside the profiles, by its dotted key.
pub(crate) fn settings_in(document: &DocumentMut) -> Vec<Setting> {
    let mut found = Vec::new();
    for (name, item) in document.iter().filter(|(name, _)| *name != PROFILES) {
        collect(name, item, &mut found);
    }
    found
}

fn collect(key: &str, item: &Item, found: &mut Vec<Setting>) {
    if let Some(table) = item.as_table_like() {
        for (name, item) in table.iter() {
            collect(&format!("{key}.{name}"), item, found);
        }
    } else if let Some(value) = item.as_value() {
        found.push(Setting { key: key.to_owned(), value: plain(value) });
    }
}

/// A value as a person writes it; a list of texts is joined.
fn plain(value: &toml_edit::Value) -> String {
    let texts = value
        .as_array()
        .and_then(|list| list.iter().map(toml_edit::Value::as_str).collect::<Option<Vec<_>>>());
    match (value.as_str(), texts) {
        (Some(text), _) => text.to_owned(),
        (None, Some(texts)) => texts.join(", "),
        (None, None) => value.to_string().trim().to_owned(),
    }
}

/// Sets a setting; an empty value removes it.
pub(crate) fn put(document: &mut DocumentMut, setting: &Setting) -> Result<(), ApiError> {
    let parts: Vec<&str> = setting.key.split('.').collect();
    let Some((last, folders)) = parts.split_last() else { return Ok(()) };
    let mut table = document.as_table_mut();
    for folder in folders {
        let inner = table.entry(folder).or_insert_with(implicit_table);
        table = inner.as_table_mut().ok_or_else(|| no_table(folder))?;
    }
    if setting.value.is_empty() {
        table.remove(last);
    } else {
        table.insert(last, toml_edit::value(setting.value.clone()));
    }
    Ok(())
}

/// Stores a profile; `None` removes it.
pub(crate) fn put_profile(
    document: &mut DocumentMut,
    name: &str,
    card: Option<&ProfileCard>,
) -> Result<(), ApiError> {
    let profiles = document.as_table_mut().entry(PROFILES).or_insert_with(implicit_table);
    let profiles = profiles.as_table_mut().ok_or_else(|| no_table(PROFILES))?;
    match card {
        None => profiles.remove(name),
        Some(card) => profiles.insert(name, Item::Table(written(card))),
    };
    Ok(())
}

/// The profiles of a document, the built-in one first.
pub(crate) fn profiles_in(document: &DocumentMut) -> Vec<ProfileCard> {
    let mut all =
        vec![ProfileCard { name: BUILT_IN.into(), provider: BUILT_IN.into(), ..ProfileCard::default() }];
    let Some(profiles) = document.get(PROFILES).and_then(Item::as_table_like) else { return all };
    // A profile with the name of the built-in one is ignored.
    for (name, item) in profiles.iter().filter(|(name, _)| *name != BUILT_IN) {
        let text = |field: &str| item.get(field).and_then(Item::as_str).unwrap_or_default().to_owned();
        let models = item.get("models").and_then(Item::as_table_like);
        all.push(ProfileCard {
            name: name.to_owned(),
            provider: text("provider"),
            base_url: text("base_url"),
            key_env: text("key_env"),
            last_four: text("last_four"),
            key_id: text("key_id"),
            fallback: text("fallback"),
            tested: serde_json::from_str(&text("tested")).ok(),
            refused: item.get("refused").and_then(Item::as_table_like).map(refused_in).unwrap_or_default(),
            is_of_service: false,
            session_last_four: None,
            used_by: Vec::new(),
            limits: item
                .get("limits")
                .and_then(Item::as_table_like)
                .into_iter()
                .flat_map(|limits| limits.iter())
                .filter_map(|(name, limit)| {
                    Some((LimitName::ALL.into_iter().find(|known| known.word() == name)?, number(limit)?))
                })
                .collect(),
            models: models
                .into_iter()
                .flat_map(|models| models.iter())
                .filter_map(|(role, model)| Some((role.to_owned(), model.as_str()?.to_owned())))
                .collect(),
        });
    }
    all
}

/// A profile as a TOML table.
fn written(card: &ProfileCard) -> Table {
    let mut table = Table::new();
    table.insert("provider", toml_edit::value(card.provider.clone()));
    let tested = card.tested.as_ref().and_then(|tested| serde_json::to_string(tested).ok());
    for (field, value) in [
        ("base_url", &card.base_url),
        ("key_env", &card.key_env),
        ("last_four", &card.last_four),
        ("key_id", &card.key_id),
        ("fallback", &card.fallback),
        ("tested", &tested.unwrap_or_default()),
    ] {
        if !value.is_empty() {
            table.insert(field, toml_edit::value(value.clone()));
        }
    }
    if !card.models.is_empty() {
        let mut models = toml_edit::InlineTable::new();
        for (role, model) in &card.models {
            models.insert(role, model.clone().into());
        }
        table.insert("models", toml_edit::value(models));
    }
    if !card.refused.is_empty() {
        let mut refused = toml_edit::InlineTable::new();
        for (model, parts) in &card.refused {
            let parts: toml_edit::Array = parts.iter().map(|part| part.name()).collect();
            refused.insert(model, parts.into());
        }
        table.insert("refused", toml_edit::value(refused));
    }
    if !card.limits.is_empty() {
        let mut limits = toml_edit::InlineTable::new();
        for (name, limit) in &card.limits {
            limits.insert(name.word(), (*limit).into());
        }
        table.insert("limits", toml_edit::value(limits));
    }
    table
}

/// The refused request parts by model; unknown parts are ignored.
fn refused_in(table: &dyn TableLike) -> BTreeMap<String, BTreeSet<RequestPart>> {
    let parts = |item: &Item| {
        let names = item.as_array().into_iter().flatten().filter_map(toml_edit::Value::as_str);
        names.filter_map(RequestPart::named).collect()
    };
    table.iter().map(|(model, item)| (model.to_owned(), parts(item))).collect()
}

/// A number that a person may have written as an integer.
pub(crate) fn number(item: &Item) -> Option<f64> {
    item.as_float().or_else(|| item.as_integer().map(|whole| whole as f64))
}

fn no_table(name: &str) -> ApiError {
    ApiError::new(Code::BadInput, phrase!("`{name}` in the settings is not a table; mend the file", name))
}

fn implicit_table() -> Item {
    let mut table = Table::new();
    table.set_implicit(true);
    Item::Table(table)
}

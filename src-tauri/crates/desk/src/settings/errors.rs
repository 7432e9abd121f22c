//! Entries of the settings that have no effect: unknown names, and values of the wrong kind.

use kernel::{BUILT_IN, LimitName, Phrase, phrase};
use toml_edit::{Array, DocumentMut, Item, Value};

use super::catalog::{KNOWN, Kind};
use super::text;
use crate::api::Wanted;

/// A setting without effect.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SettingError {
    /// Its dotted key.
    pub(crate) key: String,
    pub(crate) wanted: Wanted,
}

impl SettingError {
    /// The message for people.
    pub(crate) fn phrase(&self) -> Phrase {
        phrase!("`{key}` {wanted}", key = self.key, wanted = self.wanted.words())
    }
}

/// All entries of the settings without effect, in their order.
pub(crate) fn errors_in(document: &DocumentMut) -> Vec<SettingError> {
    let mut errors = Vec::new();
    for (name, item) in document.iter() {
        if name == text::PROFILES {
            look_at_profiles(item, &mut errors);
        } else {
            look_at(&mut vec![name], item, &mut errors);
        }
    }
    errors
}

fn look_at<'a>(path: &mut Vec<&'a str>, item: &'a Item, errors: &mut Vec<SettingError>) {
    let segments = |pattern: &'static str| pattern.split('.').collect::<Vec<&str>>();
    let fits =
        |segments: &[&str]| path.iter().zip(segments).all(|(part, wanted)| *wanted == "*" || part == wanted);
    let setting = KNOWN.iter().find(|known| {
        let segments = segments(known.0);
        segments.len() == path.len() && fits(&segments)
    });
    let is_section = KNOWN.iter().any(|known| {
        let segments = segments(known.0);
        segments.len() > path.len() && fits(&segments)
    });
    let wanted = match (setting, item.as_table_like()) {
        (Some((_, _, kind)), _) if kind.value(item).is_some() => return,
        (Some((_, _, Kind::Texts)), _) => Wanted::Texts,
        (Some(_), _) => Wanted::Text,
        (None, Some(table)) if is_section => {
            for (name, item) in table.iter() {
                path.push(name);
                look_at(path, item, errors);
                path.pop();
            }
            return;
        }
        (None, _) if is_section => Wanted::Table,
        (None, _) => Wanted::Nothing,
    };
    errors.push(SettingError { key: path.join("."), wanted });
}

fn look_at_profiles(item: &Item, errors: &mut Vec<SettingError>) {
    let mut note = |key: String, wanted| errors.push(SettingError { key, wanted });
    let Some(profiles) = item.as_table_like() else { return note(text::PROFILES.to_owned(), Wanted::Table) };
    for (name, profile) in profiles.iter() {
        let key = format!("{}.{name}", text::PROFILES);
        // The built-in profile cannot be changed by the settings.
        if name == BUILT_IN {
            note(key, Wanted::Nothing);
            continue;
        }
        let Some(fields) = profile.as_table_like() else {
            note(key, Wanted::Table);
            continue;
        };
        for (field, item) in fields.iter() {
            let key = format!("{key}.{field}");
            match (field, item.as_table_like()) {
                ("models", Some(models)) => {
                    let odd = models.iter().filter(|(_, model)| model.as_str().is_none());
                    odd.for_each(|(role, _)| note(format!("{key}.{role}"), Wanted::Text));
                }
                ("limits", Some(limits)) => {
                    for (limit, value) in limits.iter() {
                        let is_known = LimitName::ALL.into_iter().any(|known| known.word() == limit);
                        if !is_known {
                            note(format!("{key}.{limit}"), Wanted::Nothing);
                        } else if text::number(value).is_none() {
                            note(format!("{key}.{limit}"), Wanted::Number);
                        }
                    }
                }
                ("models" | "limits", None) => note(key, Wanted::Table),
                _ if !text::PROFILE_TEXTS.contains(&field) => note(key, Wanted::Nothing),
                _ if item.as_str().is_none() => note(key, Wanted::Text),
                _ => {}
            }
        }
    }
}

impl Kind {
    /// The value of a setting of this kind; `None` where the value is of another kind.
    pub(crate) fn value(self, item: &Item) -> Option<String> {
        match (self, item.as_value()?) {
            (_, Value::String(text)) => Some(text.value().clone()),
            (Kind::Number, Value::Integer(number)) => Some(number.value().to_string()),
            (Kind::Switch, Value::Boolean(is_on)) => Some(is_on.value().to_string()),
            (Kind::Texts, Value::Array(texts)) => joined(texts),
            _ => None,
        }
    }
}

/// Joins a list of texts.
fn joined(texts: &Array) -> Option<String> {
    let texts: Option<Vec<&str>> = texts.iter().map(Value::as_str).collect();
    Some(texts?.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::{ProfileCard, ProfileTest};

    fn errors(text: &str) -> Vec<String> {
        errors_in(&text.parse().unwrap()).iter().map(|error| error.phrase().english()).collect()
    }

    #[test]
    fn settings_without_effect_are_reported_with_valid_values() {
        let cases = [
            ("theme = 3", "`theme` must be a text in quotes"),
            ("theme = { dark = true }", "`theme` must be a text in quotes"),
            ("colour = 'red'", "`colour` is no setting"),
            ("[colours]\nred = 1\nblue = 2", "`colours` is no setting"),
            ("net = 'x'", "`net` must be a table"),
            (
                "[net]\nallow = ['http://127.0.0.1', 3]",
                "`net.allow` must be a text in quotes, or a list of them",
            ),
            ("[net]\nallows = []", "`net.allows` is no setting"),
            ("[services.brave]\nkey = 'x'", "`services.brave.key` is no setting"),
            ("[updates]\ncheck = false", "`updates.check` must be a text in quotes"),
            ("profiles = 'x'", "`profiles` must be a table"),
            ("[profiles.a]\nmodle = 'x'", "`profiles.a.modle` is no setting"),
            ("[profiles.a]\nprovider = 7", "`profiles.a.provider` must be a text in quotes"),
            ("[profiles.a]\nmodels = 'm'", "`profiles.a.models` must be a table"),
            ("[profiles.a.models]\ndefault = 1", "`profiles.a.models.default` must be a text in quotes"),
            ("[profiles.a.limits]\nmax_cost = '1'", "`profiles.a.limits.max_cost` must be a number"),
            ("[profiles.a.limits]\nmax_costs = 1", "`profiles.a.limits.max_costs` is no setting"),
            ("[profiles.built-in]\nprovider = 'x'", "`profiles.built-in` is no setting"),
        ];
        for (text, expected) in cases {
            assert_eq!(errors(text), [expected], "{text}");
        }
    }

    #[test]
    fn settings_of_the_program_and_of_a_person_have_an_effect() {
        let own =
            "theme = 'dark'\n[net]\nallow = ['http://127.0.0.1:1']\n[services.wikipedia]\nenabled = true\n";
        assert!(errors(own).is_empty());
        let mut document = DocumentMut::new();
        let text = |text: &str| text.to_owned();
        let card = ProfileCard {
            name: text("a"),
            provider: text("p"),
            base_url: text("b"),
            key_env: text("k"),
            last_four: text("l"),
            key_id: text("i"),
            fallback: text("f"),
            tested: Some(ProfileTest { at_ms: 1, phrase: Phrase::verbatim("t") }),
            models: [(text("default"), text("m"))].into(),
            limits: [(LimitName::MaxCost, 1.0), (LimitName::MaxLlmCalls, 2.0)].into(),
            ..ProfileCard::default()
        };
        text::put_profile(&mut document, "a", Some(&card)).unwrap();
        assert!(errors(&document.to_string()).is_empty(), "{document}");
    }
}

//! The notation of roles in a pipeline, and the JSON Schema of each.

use std::borrow::Cow;
use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Value, json};

use crate::shapes::schema_of;
use crate::{Checks, Issues, JudgedRounds, OwnText, Places, Plan, Role, StepRecords};

/// The form of a role in a definition: a word, or a table with the fields of the value.
#[derive(Serialize)]
#[serde(untagged)]
enum RoleForm {
    Word(Cow<'static, str>),
    Table(RoleTable),
}

/// A role with the fields of its value; exactly one of `draft`, `sources`, `review` and `places` is set.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RoleTable {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    draft: Option<Cow<'static, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    words: Option<Cow<'static, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    word_limit: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sources: Option<Cow<'static, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    review: Option<ReviewFields>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    places: Option<PlacesFields>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PlacesFields {
    changed_by: Cow<'static, str>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ReviewFields {
    #[serde(default = "notes")]
    notes: Cow<'static, str>,
    #[serde(default = "issues")]
    issues: Cow<'static, str>,
    #[serde(default = "ready")]
    ready: Cow<'static, str>,
}

fn word_count() -> Cow<'static, str> {
    "word_count".into()
}

fn notes() -> Cow<'static, str> {
    "notes".into()
}

fn issues() -> Cow<'static, str> {
    "issues".into()
}

fn ready() -> Cow<'static, str> {
    "ready".into()
}

const WORDS: &str = "draft, review, checks, sources, plan, steps, rounds, places, final, remark or data";

fn of_word(word: &str) -> Option<Role> {
    Some(match word {
        "draft" => Role::Draft { edit: "markdown".into(), words: word_count(), word_limit: 0 },
        "review" => Role::Review { notes: notes(), issues: issues(), ready: ready() },
        "issues" => Role::Issues,
        "own_text" => Role::OwnText,
        "checks" => Role::Checks,
        "sources" => Role::Sources { items: "items".into() },
        "plan" => Role::Plan,
        "steps" => Role::Steps,
        "rounds" => Role::Rounds,
        "places" => Role::Places { changed_by: None },
        "final" => Role::Final,
        "remark" => Role::Remark,
        "data" => Role::Data,
        _ => return None,
    })
}

impl From<Role> for RoleForm {
    fn from(role: Role) -> RoleForm {
        let table = RoleTable::default();
        let word = match role {
            Role::Draft { edit, words, word_limit } => {
                let (draft, words, word_limit) = (Some(edit), Some(words), Some(word_limit));
                return RoleForm::Table(RoleTable { draft, words, word_limit, ..table });
            }
            Role::Review { notes, issues, ready } => {
                let review = Some(ReviewFields { notes, issues, ready });
                return RoleForm::Table(RoleTable { review, ..table });
            }
            Role::Sources { items } => return RoleForm::Table(RoleTable { sources: Some(items), ..table }),
            Role::Input => "input",
            Role::Issues => "issues",
            Role::OwnText => "own_text",
            Role::Checks => "checks",
            Role::Plan => "plan",
            Role::Steps => "steps",
            Role::Rounds => "rounds",
            Role::Places { changed_by: None } => "places",
            Role::Places { changed_by: Some(changed_by) } => {
                let places = Some(PlacesFields { changed_by });
                return RoleForm::Table(RoleTable { places, ..table });
            }
            Role::Final => "final",
            Role::Remark => "remark",
            Role::Data => "data",
        };
        RoleForm::Word(word.into())
    }
}

impl TryFrom<RoleTable> for Role {
    type Error = String;

    fn try_from(table: RoleTable) -> Result<Role, String> {
        let has_words = table.words.is_some() || table.word_limit.is_some();
        match (table.draft, table.sources, table.review, table.places) {
            (Some(edit), None, None, None) if edit.is_empty() => match table.words {
                Some(words) if !words.is_empty() => {
                    Err("a draft that is a plain text has no field for its words".into())
                }
                _ => Ok(Role::Draft {
                    edit,
                    words: "".into(),
                    word_limit: table.word_limit.unwrap_or_default(),
                }),
            },
            (Some(edit), None, None, None) => Ok(Role::Draft {
                edit,
                words: table.words.unwrap_or_else(word_count),
                word_limit: table.word_limit.unwrap_or_default(),
            }),
            (None, ..) if has_words => Err("`words` and `word_limit` belong to a draft".into()),
            (None, Some(items), None, None) => Ok(Role::Sources { items }),
            (None, None, Some(ReviewFields { notes, issues, ready }), None) => {
                Ok(Role::Review { notes, issues, ready })
            }
            (None, None, None, Some(PlacesFields { changed_by })) => {
                Ok(Role::Places { changed_by: Some(changed_by) })
            }
            _ => Err("a role with fields is one of `draft`, `sources`, `review` and `places`".into()),
        }
    }
}

pub(super) fn serialize<S: Serializer>(role: &Role, serializer: S) -> Result<S::Ok, S::Error> {
    RoleForm::from(role.clone()).serialize(serializer)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Role, D::Error> {
    struct RoleVisitor;
    impl<'de> Visitor<'de> for RoleVisitor {
        type Value = Role;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "a role: {WORDS}, or a table such as {{ draft = \"markdown\" }}")
        }

        fn visit_str<E: serde::de::Error>(self, word: &str) -> Result<Role, E> {
            of_word(word).ok_or_else(|| E::custom(format!("there is no role `{word}`; there is {WORDS}")))
        }

        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Role, A::Error> {
            let table = RoleTable::deserialize(MapAccessDeserializer::new(map))?;
            Role::try_from(table).map_err(A::Error::custom)
        }
    }
    deserializer.deserialize_any(RoleVisitor)
}

impl Role {
    /// JSON Schema of the values of a key with this role, where the key has none of its own.
    pub fn schema(&self) -> Value {
        let text = json!({"type": "string"});
        match self {
            Role::Input | Role::Final => text,
            Role::Draft { edit, .. } if edit.is_empty() => text,
            Role::Remark => json!({"type": ["string", "null"]}),
            Role::Draft { edit, words, .. } => json!({
                "type": "object", "additionalProperties": false, "required": [edit],
                "properties": {
                    edit.clone(): text, words.clone(): {"type": "integer", "minimum": 0},
                    "sources_used": {"type": "array", "items": {"type": "integer", "minimum": 0}}
                }
            }),
            Role::Review { notes, issues, ready } => json!({
                "type": "object", "required": [notes, issues, ready],
                "properties": {
                    notes.clone(): {"type": "string", "default": ""},
                    issues.clone(): {"type": "array", "items": text, "default": []},
                    ready.clone(): {"type": "boolean"}
                }
            }),
            Role::Issues => schema_of::<Issues>(),
            Role::OwnText => schema_of::<OwnText>(),
            Role::Checks => schema_of::<Checks>(),
            Role::Sources { items } => json!({
                "type": "object", "required": [items],
                "properties": {items.clone(): {"type": "array", "items": {
                    "type": "object", "required": ["title"],
                    "properties": {
                        "title": text, "url": text, "source": text, "published": text, "summary": text,
                        "text": text
                    }
                }}}
            }),
            Role::Plan => schema_of::<Plan>(),
            Role::Steps => schema_of::<StepRecords>(),
            Role::Rounds => schema_of::<JudgedRounds>(),
            Role::Places { .. } => schema_of::<Places>(),
            Role::Data => json!({}),
        }
    }
}

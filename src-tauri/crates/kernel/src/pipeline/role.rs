//! Roles as a pipeline writes them, and the JSON Schema that follows from each.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Value, json};

use crate::Role;

/// The form of a role in a definition: a word, or a table with the fields of the value.
#[derive(Serialize, Deserialize)]
#[serde(
    untagged,
    expecting = "expected a role: a word such as \"sources\", or a table such as { draft = \"markdown\" }"
)]
enum Written {
    Word(String),
    Draft {
        draft: Cow<'static, str>,
        #[serde(default = "word_count")]
        words: Cow<'static, str>,
        #[serde(default)]
        word_limit: u32,
    },
    Sources {
        sources: Cow<'static, str>,
    },
    Review {
        review: ReviewFields,
    },
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

const WORDS: &str = "draft, review, checks, sources, plan, rounds, places, final, remark or data";

fn of_word(word: &str) -> Option<Role> {
    Some(match word {
        "draft" => Role::Draft { edit: "markdown".into(), words: word_count(), word_limit: 0 },
        "review" => Role::Review { notes: notes(), issues: issues(), ready: ready() },
        "checks" => Role::Checks,
        "sources" => Role::Sources { items: "items".into() },
        "plan" => Role::Plan,
        "rounds" => Role::Rounds,
        "places" => Role::Places,
        "final" => Role::Final,
        "remark" => Role::Remark,
        "data" => Role::Data,
        _ => return None,
    })
}

pub(super) fn serialize<S: Serializer>(role: &Role, serializer: S) -> Result<S::Ok, S::Error> {
    let written = match role.clone() {
        Role::Draft { edit, words, word_limit } => Written::Draft { draft: edit, words, word_limit },
        Role::Review { notes, issues, ready } => {
            Written::Review { review: ReviewFields { notes, issues, ready } }
        }
        Role::Sources { items } => Written::Sources { sources: items },
        Role::Input => Written::Word("input".into()),
        Role::Checks => Written::Word("checks".into()),
        Role::Plan => Written::Word("plan".into()),
        Role::Rounds => Written::Word("rounds".into()),
        Role::Places => Written::Word("places".into()),
        Role::Final => Written::Word("final".into()),
        Role::Remark => Written::Word("remark".into()),
        Role::Data => Written::Word("data".into()),
    };
    written.serialize(serializer)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Role, D::Error> {
    Ok(match Written::deserialize(deserializer)? {
        Written::Word(word) => of_word(&word).ok_or_else(|| {
            serde::de::Error::custom(format!("there is no role `{word}`; there is {WORDS}"))
        })?,
        Written::Draft { draft, words, word_limit } => Role::Draft { edit: draft, words, word_limit },
        Written::Sources { sources } => Role::Sources { items: sources },
        Written::Review { review: ReviewFields { notes, issues, ready } } => {
            Role::Review { notes, issues, ready }
        }
    })
}

impl Role {
    /// JSON Schema of the values of a key with this role, where the key writes none of its own.
    pub fn schema(&self) -> Value {
        let text = json!({"type": "string"});
        match self {
            Role::Input | Role::Final => text,
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
            Role::Checks => json!({"type": "array", "items": {
                "type": "object", "required": ["name", "passed", "detail"],
                "properties": {"name": text, "passed": {"type": "boolean"}, "detail": text}
            }}),
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
            Role::Plan | Role::Rounds | Role::Places | Role::Data => json!({}),
        }
    }
}

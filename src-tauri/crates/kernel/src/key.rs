//! Declarations of the keys of a state.
//!
//! A declaration has the role of a key and the field of its value that a person edits, so that panels look for roles
//! and never for names.

use std::borrow::Cow;
use std::marker::PhantomData;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::Json;

/// The reserved key with the person's messages to a running run: a list of texts. Every agent that asks a model reads
/// it when it starts.
pub const USER_WORDS: &str = "user_words";

/// What a key is for. Field names point into the key's value; an empty field name means the value itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Role {
    /// Given by the person at the start.
    Input,
    /// A text that is written, reviewed and rewritten.
    Draft {
        /// The field that holds the text a person edits, Markdown.
        edit: Cow<'static, str>,
        /// The field that holds the measured number of words.
        words: Cow<'static, str>,
        /// The most words allowed, 0 for no limit.
        word_limit: u32,
    },
    /// A review of the draft: a [`Review`](crate::Review) under these names of its fields.
    Review {
        /// The field with the reviewer's notes, Markdown.
        notes: Cow<'static, str>,
        /// The field with the list of issues.
        issues: Cow<'static, str>,
        /// The field that tells whether the draft may be published.
        ready: Cow<'static, str>,
    },
    /// The issues of all reviews with what the person decided: [`Issues`](crate::Issues). The program adds this key.
    Issues,
    /// Which sentences of the draft are the person's: [`OwnText`](crate::OwnText). The program adds this key.
    OwnText,
    /// Checks made by code: [`Checks`](crate::Checks).
    Checks,
    /// Articles or pages that citations point into: [`Sources`](crate::Sources) in this field.
    Sources {
        /// The field with the list.
        items: Cow<'static, str>,
    },
    /// A plan of stages and steps: a [`Plan`](crate::Plan).
    Plan,
    /// What was carried out of the plan: [`StepRecords`](crate::StepRecords).
    Steps,
    /// How an agent judged the rounds of its loop: [`JudgedRounds`](crate::JudgedRounds).
    Rounds,
    /// Places on a map: [`Places`](crate::Places).
    Places {
        /// The function that does what the person changes of the visit of the places; empty where it cannot be changed.
        changed_by: Option<Cow<'static, str>>,
    },
    /// The text that is published.
    Final,
    /// A remark that must stand beside the final text (“not reviewed”), or null.
    Remark,
    /// Anything else.
    Data,
}

/// A key as the page, the check and the exports see it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct KeyDeclaration {
    /// The key's name in the state.
    pub name: String,
    /// A title for people.
    pub title: String,
    /// What it is for.
    pub role: Role,
    /// JSON Schema of its value.
    pub schema: Json,
}

/// A typed key. `T` is the value's shape.
#[derive(Debug)]
pub struct Key<T> {
    /// The key's name in the state.
    pub name: &'static str,
    /// A title for people.
    pub title: &'static str,
    role: Role,
    shape: PhantomData<fn() -> T>,
}

impl<T> Key<T> {
    /// A key with its title and role.
    pub const fn new(name: &'static str, title: &'static str, role: Role) -> Key<T> {
        Key { name, title, role, shape: PhantomData }
    }

    /// The declaration of the key, with the schema of `T` from the pipeline.
    pub fn declare(&self, schema: serde_json::Value) -> KeyDeclaration {
        KeyDeclaration {
            name: self.name.to_owned(),
            title: self.title.to_owned(),
            role: self.role.clone(),
            schema: Json(schema),
        }
    }
}

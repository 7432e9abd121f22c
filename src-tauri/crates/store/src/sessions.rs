//! Sessions and their messages.

use engine::LogError;
use kernel::{Hash, RunId, SessionId, Value};

use crate::job::Writing;
use crate::table::events::Source;
use crate::table::runs::Head;
use crate::table::{contents, messages, runs, sessions, snapshots};
use crate::{SessionCard, SessionMessage, Store};

impl Store {
    /// The session with this id, if it exists.
    ///
    /// # Errors
    /// When the database cannot be read or is damaged.
    pub async fn session(&self, session: &SessionId) -> Result<Option<SessionCard>, LogError> {
        let session = session.clone();
        self.read(move |context| {
            let Some(created_at_ms) = context.of(sessions::created_at(context.connection, &session.0))?
            else {
                return Ok(None);
            };
            let runs = context.of(runs::of_session(context.connection, &session.0))?;
            Ok(Some(SessionCard { session, created_at_ms, runs }))
        })
        .await
    }

    /// Adds a message, and creates the session if necessary.
    ///
    /// # Errors
    /// When it cannot be stored.
    pub async fn append_message(&self, session: &SessionId, message: SessionMessage) -> Result<(), LogError> {
        let session = session.clone();
        self.write(false, move |writing| {
            sessions::ensure(writing.connection, &session.0, message.at_ms)
                .and_then(|()| messages::insert(writing.connection, &session.0, &message))
                .map_err(|error| writing.explain(&error))
        })
        .await
    }

    /// The messages of a session, the oldest first.
    ///
    /// # Errors
    /// When the database cannot be read or is damaged.
    pub async fn messages(&self, session: &SessionId) -> Result<Vec<SessionMessage>, LogError> {
        let session = session.clone();
        self.read(move |context| context.of(messages::list(context.connection, &session.0))).await
    }
}

/// The reply keys of a definition.
#[derive(Default, serde::Deserialize)]
#[serde(default)]
struct Replies {
    replies: Vec<String>,
}

/// Stores the text with which a run ends as its reply in the session; replaces that of an earlier end.
pub(crate) fn keep_reply(
    writing: &Writing<'_>,
    (run, id): (&RunId, i64),
    head: Head,
) -> Result<(), LogError> {
    let keys = runs::definition(writing.connection, id).and_then(|hash| {
        contents::read(writing.connection, &hash.0, |json| serde_json::from_str::<Replies>(json).ok())
    });
    // Damage is reported when the run is read.
    let keys = keys.ok().flatten().flatten().unwrap_or_default().replies;
    if keys.is_empty() {
        return Ok(());
    }
    let source = Source { place: writing.place, connection: writing.connection, left_out: None };
    let text = snapshots::state_at(&source, id, head.last_seq).map(|state| {
        let whole = |value: &Value| match value.is_stored() {
            false => value.as_str().map(str::to_owned),
            true => contents::read(writing.connection, &value.hash().0, |json| {
                let is_stored = Hash::of(json.as_bytes()) == value.hash();
                is_stored.then(|| serde_json::from_str(json).ok()).flatten()
            })
            .ok()
            .flatten()
            .flatten(),
        };
        keys.iter().filter_map(|key| whole(state.get(key)?)).find(|text: &String| !text.is_empty())
    });
    match text {
        Ok(Some(text)) => messages::reply(writing.connection, &run.0, head.last_at_ms, &text)
            .map_err(|error| writing.explain(&error)),
        Ok(None) => Ok(()),
        // Storing the end matters more than storing the reply.
        Err(error) => {
            tracing::warn!(%error, "a session's message could not be kept");
            Ok(())
        }
    }
}

//! Sessions and their messages.

use engine::LogError;
use kernel::SessionId;

use crate::table::{messages, runs, sessions};
use crate::{SessionCard, SessionMessage, Store};

impl Store {
    /// A session, if there is one of this id.
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

    /// Adds a message; the session begins with it if there was none.
    pub async fn append_message(&self, session: &SessionId, message: SessionMessage) -> Result<(), LogError> {
        let session = session.clone();
        self.write(false, move |writing| {
            sessions::ensure(writing.connection, &session.0, message.at_ms)
                .and_then(|()| messages::insert(writing.connection, &session.0, &message))
                .map_err(|error| writing.explain(&error))
        })
        .await
    }

    /// The messages of a session, oldest first.
    pub async fn messages(&self, session: &SessionId) -> Result<Vec<SessionMessage>, LogError> {
        let session = session.clone();
        self.read(move |context| context.of(messages::list(context.connection, &session.0))).await
    }
}

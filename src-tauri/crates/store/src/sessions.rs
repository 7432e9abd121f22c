//! Sessions and their messages.

use engine::LogError;
use kernel::SessionId;

use crate::table::{messages, runs, sessions};
use crate::{SessionCard, SessionMessage, Store};

impl Store {
    /// Begins a session unless it is there already. A run's session begins with the run by itself.
    pub async fn create_session(&self, session: &SessionId, at_ms: i64) -> Result<(), LogError> {
        let session = session.clone();
        self.write(false, move |writing| {
            sessions::ensure(writing.connection, &session.0, at_ms).map_err(|error| writing.fault(&error))
        })
        .await
    }

    /// A session, if there is one of this id.
    pub async fn session(&self, session: &SessionId) -> Result<Option<SessionCard>, LogError> {
        let session = session.clone();
        self.read(move |reading| {
            let Some(created_at_ms) = reading.of(sessions::created_at(reading.connection, &session.0))?
            else {
                return Ok(None);
            };
            let runs = reading.of(runs::of_session(reading.connection, &session.0))?;
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
                .map_err(|error| writing.fault(&error))
        })
        .await
    }

    /// The messages of a session, oldest first.
    pub async fn messages(&self, session: &SessionId) -> Result<Vec<SessionMessage>, LogError> {
        let session = session.clone();
        self.read(move |reading| reading.of(messages::list(reading.connection, &session.0))).await
    }
}

//! A desktop's notifications, for tests: each one that is sent is printed as a line of JSON and clicked at once.
//! It speaks on the session bus it is started on. Not in it: pictures, sounds, a person.

#![allow(missing_docs, reason = "the interface of another program")]

use std::collections::HashMap;
use std::io::Write;
use std::process::ExitCode;

use serde_json::json;
use zbus::object_server::SignalEmitter;
use zbus::zvariant::OwnedValue;

const PATH: &str = "/org/freedesktop/Notifications";
const NAME: &str = "org.freedesktop.Notifications";
/// What the specification calls an end by the person.
const DISMISSED: u32 = 2;

struct Notifications {
    last: u32,
    /// The bus calls from threads that have no runtime.
    runtime: tokio::runtime::Handle,
}

#[zbus::interface(name = "org.freedesktop.Notifications")]
impl Notifications {
    #[expect(clippy::too_many_arguments, reason = "the specification of desktop notifications has eight")]
    async fn notify(
        &mut self,
        application: String,
        replaces: u32,
        _icon: String,
        summary: String,
        body: String,
        actions: Vec<String>,
        _hints: HashMap<String, OwnedValue>,
        _expires: i32,
        #[zbus(connection)] connection: &zbus::Connection,
    ) -> u32 {
        self.last += 1;
        let id = if replaces == 0 { self.last } else { replaces };
        let told =
            json!({ "application": application, "summary": summary, "body": body, "actions": actions });
        // Whoever no longer reads has seen enough.
        let _ = writeln!(std::io::stdout(), "{told}");
        let connection = connection.clone();
        // After the answer, since nobody knows the number before it.
        self.runtime.spawn(async move { click(&connection, id).await });
        id
    }

    fn get_capabilities(&self) -> Vec<String> {
        vec!["actions".to_owned(), "body".to_owned()]
    }

    fn get_server_information(&self) -> (String, String, String, String) {
        ("testkit".to_owned(), "galley".to_owned(), "1".to_owned(), "1.2".to_owned())
    }

    fn close_notification(&self, _id: u32) {}

    #[zbus(signal)]
    async fn action_invoked(emitter: &SignalEmitter<'_>, id: u32, action: &str) -> zbus::Result<()>;

    #[zbus(signal)]
    async fn notification_closed(emitter: &SignalEmitter<'_>, id: u32, reason: u32) -> zbus::Result<()>;
}

async fn click(connection: &zbus::Connection, id: u32) {
    let Ok(emitter) = SignalEmitter::new(connection, PATH) else { return };
    // The one who sent it listens only when it has the number, and nothing tells when it does.
    for _ in 0..20 {
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        let _ = Notifications::action_invoked(&emitter, id, "default").await;
    }
    let _ = Notifications::notification_closed(&emitter, id, DISMISSED).await;
}

#[tokio::main]
async fn main() -> ExitCode {
    match serve().await {
        Ok(_connection) => std::future::pending().await,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "notification-server: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn serve() -> zbus::Result<zbus::Connection> {
    let connection = zbus::connection::Builder::session()?
        .serve_at(PATH, Notifications { last: 0, runtime: tokio::runtime::Handle::current() })?
        .name(NAME)?
        .build()
        .await?;
    let _ = writeln!(std::io::stdout(), "ready");
    Ok(connection)
}

//! A Secret Service whose person or policy says no, for tests: `dismissing` holds a locked entry for each profile that is
//! named after it and dismisses every prompt; `refusing` refuses whatever is asked of it. It speaks on the session bus it
//! is started on and prints a line for each prompt. Not in it: secrets.

#![allow(missing_docs, reason = "the interface of another program")]

use std::collections::HashMap;
use std::io::Write;
use std::process::ExitCode;

use zbus::fdo::Error;
use zbus::object_server::SignalEmitter;
use zbus::zvariant::{OwnedObjectPath, OwnedValue, Value};

const NAME: &str = "org.freedesktop.secrets";
const PATH: &str = "/org/freedesktop/secrets";
const COLLECTION: &str = "/org/freedesktop/secrets/collection/login";
const ITEM: &str = "/org/freedesktop/secrets/collection/login/1";
const SESSION: &str = "/org/freedesktop/secrets/session/1";
const PROMPT: &str = "/org/freedesktop/secrets/prompt/1";
/// What the specification says instead of an object.
const NOTHING: &str = "/";

type Found = (Vec<OwnedObjectPath>, Vec<OwnedObjectPath>);

struct Service {
    refuses: bool,
    profiles: Vec<String>,
}

fn object(path: &str) -> Result<OwnedObjectPath, Error> {
    OwnedObjectPath::try_from(path).map_err(|error| Error::Failed(error.to_string()))
}

#[zbus::interface(name = "org.freedesktop.Secret.Service")]
impl Service {
    /// Its half of the key exchange is any number: nothing is ever sent under that key.
    fn open_session(
        &self,
        _algorithm: String,
        _input: OwnedValue,
    ) -> Result<(OwnedValue, OwnedObjectPath), Error> {
        let half = OwnedValue::try_from(Value::from(vec![2_u8; 128]));
        Ok((half.map_err(|error| Error::Failed(error.to_string()))?, object(SESSION)?))
    }

    fn search_items(&self, attributes: HashMap<String, String>) -> Result<Found, Error> {
        if self.refuses {
            return Err(Error::AccessDenied("The policy of this machine allows no secrets".to_owned()));
        }
        let entry = attributes.get("username").map_or("", String::as_str);
        let is_held = self.profiles.iter().any(|profile| entry.starts_with(&format!("{profile} (")));
        Ok((Vec::new(), if is_held { vec![object(ITEM)?] } else { Vec::new() }))
    }

    fn unlock(
        &self,
        _objects: Vec<OwnedObjectPath>,
    ) -> Result<(Vec<OwnedObjectPath>, OwnedObjectPath), Error> {
        Ok((Vec::new(), object(PROMPT)?))
    }

    fn read_alias(&self, name: String) -> Result<OwnedObjectPath, Error> {
        object(if name == "default" { COLLECTION } else { NOTHING })
    }
}

struct Collection;

#[zbus::interface(name = "org.freedesktop.Secret.Collection")]
impl Collection {
    #[zbus(property)]
    fn locked(&self) -> bool {
        true
    }
}

struct Prompt {
    /// The bus calls from threads that have no runtime.
    runtime: tokio::runtime::Handle,
}

#[zbus::interface(name = "org.freedesktop.Secret.Prompt")]
impl Prompt {
    fn prompt(&self, _window: String, #[zbus(connection)] connection: &zbus::Connection) {
        // Whoever no longer reads has seen enough.
        let _ = writeln!(std::io::stdout(), "prompt");
        let connection = connection.clone();
        // After the answer, as a person does it.
        self.runtime.spawn(async move {
            let Ok(emitter) = SignalEmitter::new(&connection, PROMPT) else { return };
            let _ = Prompt::completed(&emitter, true, Value::from("")).await;
        });
    }

    #[zbus(signal)]
    async fn completed(emitter: &SignalEmitter<'_>, dismissed: bool, result: Value<'_>) -> zbus::Result<()>;
}

#[tokio::main]
async fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let refuses = match arguments.next().as_deref() {
        Some("dismissing") => false,
        Some("refusing") => true,
        _ => {
            let _ = writeln!(std::io::stderr(), "refusing-keyring: dismissing PROFILE… | refusing");
            return ExitCode::FAILURE;
        }
    };
    match serve(Service { refuses, profiles: arguments.collect() }).await {
        Ok(_connection) => std::future::pending().await,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "refusing-keyring: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn serve(service: Service) -> zbus::Result<zbus::Connection> {
    let connection = zbus::connection::Builder::session()?
        .serve_at(PATH, service)?
        .serve_at(COLLECTION, Collection)?
        .serve_at(PROMPT, Prompt { runtime: tokio::runtime::Handle::current() })?
        .name(NAME)?
        .build()
        .await?;
    let _ = writeln!(std::io::stdout(), "ready");
    Ok(connection)
}

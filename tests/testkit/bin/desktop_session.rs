//! A desktop's tray and its login manager, for tests. Each change is printed as a line of JSON: what keeps the machine
//! awake and no longer does, and what stands in the menu of the tray. The method `Click` of its own interface clicks an
//! entry of that menu. It speaks on the session bus it is started on.

#![allow(missing_docs, reason = "the interfaces of other programs")]

use std::collections::HashMap;
use std::io::{Read, Write};
use std::process::ExitCode;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::watch;
use zbus::message::Header;
use zbus::zvariant::{OwnedFd, OwnedValue, Structure};

/// How often the menu is read.
const LOOK_AGAIN: Duration = Duration::from_millis(100);

/// A menu: its number, its properties, its entries.
type Layout = (i32, HashMap<String, OwnedValue>, Vec<OwnedValue>);

struct LoginManager;

#[zbus::interface(name = "org.freedesktop.login1.Manager")]
impl LoginManager {
    fn inhibit(&self, what: String, who: String, why: String, mode: String) -> zbus::fdo::Result<OwnedFd> {
        let (mut reader, writer) =
            std::io::pipe().map_err(|error| zbus::fdo::Error::IOError(error.to_string()))?;
        print(&json!({ "held": what, "by": who, "why": why, "mode": mode }));
        std::thread::spawn(move || {
            // It comes to an end when the one who asked lets go.
            let _ = reader.read_to_end(&mut Vec::new());
            print(&json!({ "released": what }));
        });
        Ok(OwnedFd::from(std::os::fd::OwnedFd::from(writer)))
    }
}

struct Watcher {
    /// Who has an icon in the tray.
    item: watch::Sender<Option<String>>,
}

#[zbus::interface(name = "org.kde.StatusNotifierWatcher")]
impl Watcher {
    fn register_status_notifier_item(&self, service: String, #[zbus(header)] header: Header<'_>) {
        // Some name their path only.
        let sender = header.sender().map(ToString::to_string).unwrap_or_default();
        self.item.send_replace(Some(if service.starts_with('/') { sender } else { service }));
    }

    #[zbus(property)]
    fn is_status_notifier_host_registered(&self) -> bool {
        true
    }

    #[zbus(property)]
    fn registered_status_notifier_items(&self) -> Vec<String> {
        self.item.borrow().iter().cloned().collect()
    }

    #[zbus(property)]
    fn protocol_version(&self) -> i32 {
        0
    }
}

#[zbus::proxy(interface = "com.canonical.dbusmenu", default_path = "/MenuBar")]
trait TrayMenu {
    fn get_layout(&self, parent: i32, depth: i32, properties: &[&str]) -> zbus::Result<(u32, Layout)>;
    fn event(&self, id: i32, event: &str, data: &zbus::zvariant::Value<'_>, at: u32) -> zbus::Result<()>;
}

/// The entries of the menu with their numbers; nothing where the icon has gone.
async fn entries(connection: &zbus::Connection, item: &str) -> Option<Vec<(i32, String)>> {
    let menu = TrayMenuProxy::builder(connection).destination(item.to_owned()).ok()?.build().await.ok()?;
    let (_, (_, _, children)) = menu.get_layout(0, -1, &[]).await.ok()?;
    let entries = children.into_iter().filter_map(|child| {
        let entry = Structure::try_from(child).ok()?;
        let (id, properties, _): Layout = entry.try_into().ok()?;
        let label = properties.get("label").and_then(|label| <&str>::try_from(label).ok())?;
        Some((id, label.to_owned()))
    });
    Some(entries.collect())
}

async fn follow(connection: &zbus::Connection, items: &watch::Receiver<Option<String>>) {
    let mut last = Value::Null;
    loop {
        let item = items.borrow().clone();
        let found = match item {
            Some(item) => entries(connection, &item).await.unwrap_or_default(),
            None => Vec::new(),
        };
        let tray = json!({ "tray": found.into_iter().map(|(_, label)| label).collect::<Vec<_>>() });
        if tray != last {
            print(&tray);
            last = tray;
        }
        tokio::time::sleep(LOOK_AGAIN).await;
    }
}

/// The person in front of the desktop.
struct Person {
    items: watch::Receiver<Option<String>>,
}

#[zbus::interface(name = "app.galley.TestPerson")]
impl Person {
    /// Clicks an entry of the menu of the tray.
    async fn click(
        &self,
        label: &str,
        #[zbus(connection)] connection: &zbus::Connection,
    ) -> zbus::fdo::Result<()> {
        let none = || zbus::fdo::Error::Failed(format!("the tray has no entry {label}"));
        let item = self.items.borrow().clone().ok_or_else(none)?;
        let found = entries(connection, &item).await.unwrap_or_default();
        let (id, _) = found.into_iter().find(|(_, known)| known == label).ok_or_else(none)?;
        let menu = TrayMenuProxy::builder(connection).destination(item)?.build().await?;
        menu.event(id, "clicked", &zbus::zvariant::Value::from(0_i32), 0).await?;
        Ok(())
    }
}

fn print(what: &Value) {
    // Whoever no longer reads has seen enough.
    let _ = writeln!(std::io::stdout(), "{what}");
}

#[tokio::main]
async fn main() -> ExitCode {
    match serve().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "desktop-session: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn serve() -> zbus::Result<()> {
    let item = watch::Sender::new(None);
    let items = item.subscribe();
    let connection = zbus::connection::Builder::session()?
        .serve_at("/org/freedesktop/login1", LoginManager)?
        .serve_at("/StatusNotifierWatcher", Watcher { item })?
        .serve_at("/person", Person { items: items.clone() })?
        .name("org.freedesktop.login1")?
        .name("org.kde.StatusNotifierWatcher")?
        .build()
        .await?;
    let _ = writeln!(std::io::stdout(), "ready");
    follow(&connection, &items).await;
    Ok(())
}

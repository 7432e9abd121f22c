//! The doctor: what is well and what is not, each with a fix.

use kernel::BUILT_IN;
use tools::{FEEDS_FILE, KeyNeed, SEARCH_SOURCES, read_feeds};

use crate::api::{DoctorLine, DoctorReport, Nothing, Topic};
use crate::keys::{self, key_in};
use crate::profiles::{find, is_of_service, reachable};
use crate::services::key_variable;
use crate::{ApiError, Desk};

impl Desk {
    pub(crate) async fn doctor(&self, _: Nothing) -> Result<DoctorReport, ApiError> {
        let mut lines = vec![line(Topic::Program, Ok(env!("CARGO_PKG_VERSION").to_owned()), "")];
        if let Some(window) = &self.inner.around.window {
            let version = window.web_view();
            let found =
                if version.is_empty() { Err("its version is not known".to_owned()) } else { Ok(version) };
            lines.push(line(Topic::WebView, found, "Install the system's web view anew"));
        }
        let system = format!("{} {}", std::env::consts::OS, std::env::consts::ARCH);
        lines.push(line(Topic::System, Ok(system), ""));
        let probe = self.inner.folder.join(format!(".write-test-{}", std::process::id()));
        let written = std::fs::write(&probe, b"").and_then(|()| std::fs::remove_file(&probe));
        lines.push(line(
            Topic::DataFolder,
            written
                .map(|()| self.inner.folder.display().to_string())
                .map_err(|error| format!("{}: {error}", self.inner.folder.display())),
            "Make the folder writable, or choose another with --data-dir",
        ));
        let runs = self.inner.store.list_runs(None, None, 1).await;
        lines.push(line(
            Topic::Database,
            runs.map(|_| self.inner.store.file().display().to_string()).map_err(|error| error.to_string()),
            "Close other programs that hold the file, or restore the newest backup beside it",
        ));
        let articles = self.inner.store.count_articles().await;
        lines.push(line(
            Topic::Library,
            articles.map(|count| format!("{count} articles")).map_err(|error| error.to_string()),
            "Import files with `galley library import PATH`",
        ));
        let providers = models::providers().into_iter().map(|provider| provider.id);
        let providers: Vec<&str> = std::iter::once(BUILT_IN).chain(providers).collect();
        lines.push(line(Topic::Providers, Ok(providers.join(", ")), ""));
        let profiles = self.inner.settings.profiles()?;
        let holds_keys = profiles.iter().any(|card| !card.last_four.is_empty());
        // A locked keyring is told by what is in it alone: it says of no entry whether it is there.
        let state = match profiles.iter().find(|card| !card.last_four.is_empty()) {
            Some(card) => {
                let found = keys::of_profile(&self.inner.vault, &self.inner.settings, card).await;
                found.map(|_| "")
            }
            None => Ok(""),
        };
        let keyring = match state.and(self.inner.vault.state().await) {
            Err(fault) if holds_keys => Err(fault.message),
            // Without keys in it a keyring is not missed.
            Err(_) => {
                Ok("none can be used here; keys can be kept for a session or in the environment".to_owned())
            }
            Ok(name) => Ok(name.to_owned()),
        };
        lines.push(line(Topic::Keyring, keyring, "Unlock the keyring, or start its service, and look again"));
        for card in profiles {
            if card.provider != BUILT_IN
                && !is_of_service(&card.provider)
                && let Err(fault) = models::connect(reachable(&card))
            {
                let fix = format!("Add the profile anew: `galley profile add {} …`", card.name);
                lines.push(about(Topic::Profile, &card.name, Err(fault.message), &fix));
                continue;
            }
            let key = match card.key_env.as_str() {
                "" if !card.last_four.is_empty() => {
                    Ok(format!("{}, key in the keyring, ending in {}", card.provider, card.last_four))
                }
                "" => Ok(format!("{}, no key kept", card.provider)),
                variable if std::env::var_os(variable).is_some() => {
                    Ok(format!("{}, key from the environment variable {variable}", card.provider))
                }
                variable => Err(format!("{}: the environment variable {variable} is not set", card.provider)),
            };
            let fix =
                format!("Set the variable, or add the profile anew: `galley profile add {} …`", card.name);
            lines.push(about(Topic::Profile, &card.name, key, &fix));
        }
        lines.extend(self.about_sources());
        let prices = self.inner.prices.state();
        lines.push(line(
            Topic::Prices,
            prices,
            "Mend the file, or remove it to have the program's own prices",
        ));
        let redacted = redacted(&lines);
        Ok(DoctorReport { lines, redacted })
    }

    /// Which search sources can be used as they are set up, the list of feeds, and where this process has been.
    fn about_sources(&self) -> Vec<DoctorLine> {
        let mut lines = Vec::new();
        for source in SEARCH_SOURCES.iter().filter(|source| source.key != KeyNeed::None) {
            let Some(service) = source.services.first() else { continue };
            let variable = key_variable(&self.inner.settings, service.name);
            let named = self.inner.settings.get(&format!("services.{}.profile", service.name));
            let card = named.and_then(|name| find(&self.inner.settings, &name));
            if card.is_ok_and(|card| !card.last_four.is_empty()) {
                let found = Ok("key in the keyring".to_owned());
                lines.push(about(Topic::Source, source.id, found, ""));
                continue;
            }
            let found = variable.map_err(|fault| fault.message).and_then(|variable| {
                let is_set = key_in(&variable).is_some();
                match (variable.as_str(), source.key) {
                    ("", KeyNeed::Required) => {
                        Ok(format!("not set up; keys are given out at {}", source.key_page))
                    }
                    ("", _) => Ok("works without a key, less often".to_owned()),
                    (variable, _) if is_set => Ok(format!("key from the environment variable {variable}")),
                    (variable, _) => Err(format!("the environment variable {variable} is not set")),
                }
            });
            let fix = format!(
                "Set the variable, or name another: `galley config set services.{}.key_env VARIABLE`",
                service.name
            );
            lines.push(about(Topic::Source, source.id, found, &fix));
        }
        let feeds = read_feeds(&self.inner.folder).map_err(|fault| fault.message);
        let file = self.inner.folder.join(FEEDS_FILE);
        let feeds = feeds.map(|feeds| format!("{} in {}", feeds.len(), file.display()));
        lines.push(line(
            Topic::Feeds,
            feeds,
            "Mend the file, or remove it to begin with the program's own list",
        ));
        let hosts: Vec<String> = net::contacted().into_iter().map(|contact| contact.host).collect();
        let hosts =
            if hosts.is_empty() { "none by searches of this process".to_owned() } else { hosts.join(", ") };
        lines.push(line(Topic::Hosts, Ok(hosts), ""));
        lines
    }
}

fn line(topic: Topic, found: Result<String, String>, fix: &str) -> DoctorLine {
    about(topic, "", found, fix)
}

/// A line about one of several of a kind.
fn about(topic: Topic, subject: &str, found: Result<String, String>, fix: &str) -> DoctorLine {
    let is_well = found.is_ok();
    DoctorLine {
        topic,
        name: format!("{} {subject}", topic.words()).trim_end().to_owned(),
        subject: subject.to_owned(),
        is_well,
        found: found.unwrap_or_else(|fault| fault),
        fix: if is_well { String::new() } else { fix.to_owned() },
    }
}

/// The report as it can be shown to strangers: without the person's name in paths, names of profiles, addresses.
fn redacted(lines: &[DoctorLine]) -> String {
    let home = directories::UserDirs::new().map(|dirs| dirs.home_dir().display().to_string());
    let mut text = String::new();
    for line in lines {
        let mark = if line.is_well { "ok" } else { "NOT WELL" };
        let found = match line.topic {
            // Whom somebody asks, and where their own servers are, is nobody's business.
            Topic::Hosts | Topic::Profile if line.is_well => String::new(),
            Topic::Profile => "see the doctor".to_owned(),
            _ => line.found.clone(),
        };
        let name =
            if line.topic == Topic::Profile { line.topic.words().to_owned() } else { line.name.clone() };
        text.push_str(&format!("{mark}: {name}: {found}\n"));
    }
    match home.filter(|home| home.len() > 1) {
        Some(home) => text.replace(&home, "~"),
        None => text,
    }
}

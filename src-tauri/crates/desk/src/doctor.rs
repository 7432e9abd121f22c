//! The doctor: what is well and what is not, each with a fix.

use kernel::BUILT_IN;

use crate::api::{DoctorLine, DoctorReport, Nothing};
use crate::profiles::reachable;
use crate::{ApiError, Desk};

impl Desk {
    pub(crate) async fn doctor(&self, _: Nothing) -> Result<DoctorReport, ApiError> {
        let mut lines = vec![line("Galley", Ok(env!("CARGO_PKG_VERSION").to_owned()), "")];
        let probe = self.inner.folder.join(format!(".write-test-{}", std::process::id()));
        let written = std::fs::write(&probe, b"").and_then(|()| std::fs::remove_file(&probe));
        lines.push(line(
            "Data folder",
            written
                .map(|()| self.inner.folder.display().to_string())
                .map_err(|error| format!("{}: {error}", self.inner.folder.display())),
            "Make the folder writable, or choose another with --data-dir",
        ));
        let runs = self.inner.store.list_runs(None, None, 1).await;
        lines.push(line(
            "Database",
            runs.map(|_| self.inner.store.file().display().to_string()).map_err(|error| error.to_string()),
            "Close other programs that hold the file, or restore the newest backup beside it",
        ));
        let articles = self.inner.store.count_articles().await;
        lines.push(line(
            "Library",
            articles.map(|count| format!("{count} articles")).map_err(|error| error.to_string()),
            "Import files with `galley library import PATH`",
        ));
        let providers = models::providers().into_iter().map(|provider| provider.id);
        let providers: Vec<&str> = std::iter::once(BUILT_IN).chain(providers).collect();
        lines.push(line("Providers", Ok(providers.join(", ")), ""));
        let profiles = self.inner.settings.profiles()?;
        let holds_keys = profiles.iter().any(|card| !card.last_four.is_empty());
        let keyring = match self.inner.vault.state().await {
            Err(fault) if holds_keys => Err(fault.message),
            // Without keys in it a keyring is not missed.
            Err(_) => {
                Ok("none can be used here; keys can be kept for a session or in the environment".to_owned())
            }
            Ok(name) => Ok(name.to_owned()),
        };
        lines.push(line("Keyring", keyring, "Unlock the keyring, or start its service, and look again"));
        for card in profiles {
            if card.provider != BUILT_IN
                && let Err(fault) = models::connect(reachable(&card))
            {
                let fix = format!("Add the profile anew: `galley profile add {} …`", card.name);
                lines.push(line(&format!("Profile {}", card.name), Err(fault.message), &fix));
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
            lines.push(line(&format!("Profile {}", card.name), key, &fix));
        }
        Ok(DoctorReport { lines })
    }
}

fn line(name: &str, found: Result<String, String>, fix: &str) -> DoctorLine {
    let is_well = found.is_ok();
    DoctorLine {
        name: name.to_owned(),
        is_well,
        found: found.unwrap_or_else(|fault| fault),
        fix: if is_well { String::new() } else { fix.to_owned() },
    }
}

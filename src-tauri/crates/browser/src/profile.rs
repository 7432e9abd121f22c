//! The temporary profile folder of a browser that reads one page.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The prefix of the folder names.
pub(crate) const PREFIX: &str = "galley-browser-";

/// Preferences with the same effect as the switches, for versions that lack a switch.
const PREFERENCES: &str = r#"{
  "download_restrictions": 3,
  "net": {"network_prediction_options": 2},
  "safebrowsing": {"enabled": false},
  "signin": {"allowed": false},
  "webrtc": {"ip_handling_policy": "disable_non_proxied_udp", "multiple_routes_enabled": false, "nonproxied_udp_enabled": false}
}"#;

/// A folder of this age was left by a program that was killed.
const OLD_AFTER: Duration = Duration::from_secs(24 * 60 * 60);

/// The most attempts to remove the folder: killed processes may still write for a moment.
const MOST_TRIES: usize = 100;
const RETRY_INTERVAL: Duration = Duration::from_millis(20);

/// A folder with access for its user only. It is removed when dropped.
#[derive(Debug)]
pub(crate) struct Profile {
    folder: PathBuf,
}

impl Profile {
    /// Creates a profile in this folder, owned by this user if given.
    ///
    /// # Errors
    /// When the folder cannot be created.
    pub(crate) fn new(place: &Path, user: Option<u32>) -> io::Result<Profile> {
        remove_old(place);
        // On Unix only its owner can access the folder.
        let folder = tempfile::Builder::new().prefix(PREFIX).tempdir_in(place)?.keep();
        let profile = Profile { folder };
        let of_person = profile.folder.join("Default");
        std::fs::create_dir(&of_person)?;
        std::fs::write(of_person.join("Preferences"), PREFERENCES)?;
        #[cfg(unix)]
        if let Some(user) = user {
            for path in [&profile.folder, &of_person, &of_person.join("Preferences")] {
                std::os::unix::fs::chown(path, Some(user), Some(user))?;
            }
        }
        #[cfg(not(unix))]
        let _only_on_unix = user;
        Ok(profile)
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }
}

impl Drop for Profile {
    fn drop(&mut self) {
        for _ in 0..MOST_TRIES {
            match std::fs::remove_dir_all(&self.folder) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => std::thread::sleep(RETRY_INTERVAL),
                _ => return,
            }
        }
    }
}

/// Removes folders that killed programs left.
fn remove_old(place: &Path) {
    let is_old = |about: std::fs::Metadata| {
        about.is_dir() && about.modified().is_ok_and(|at| at.elapsed().is_ok_and(|age| age > OLD_AFTER))
    };
    for entry in std::fs::read_dir(place).into_iter().flatten().filter_map(Result::ok) {
        let is_profile = entry.file_name().to_string_lossy().starts_with(PREFIX);
        if is_profile && entry.metadata().is_ok_and(is_old) {
            // Folders of other users stay.
            let _removed = std::fs::remove_dir_all(entry.path());
        }
    }
}

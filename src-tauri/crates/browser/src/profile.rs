//! The folder in which the browser keeps what it writes while it reads one page.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What the names of these folders begin with.
pub(crate) const PREFIX: &str = "galley-browser-";

/// Settings that say the same as the switches where a version does not know one of those.
const PREFERENCES: &str = r#"{
  "download_restrictions": 3,
  "net": {"network_prediction_options": 2},
  "safebrowsing": {"enabled": false},
  "signin": {"allowed": false},
  "webrtc": {"ip_handling_policy": "disable_non_proxied_udp", "multiple_routes_enabled": false, "nonproxied_udp_enabled": false}
}"#;

/// A folder of this age is of a program that was ended before it could remove it.
const OLD: Duration = Duration::from_secs(24 * 60 * 60);

/// How often it is tried to remove the folder: processes that are ended may write for a moment.
const TRIES: usize = 100;
const BETWEEN_TRIES: Duration = Duration::from_millis(20);

/// A folder that only its user may read. It is removed when dropped.
#[derive(Debug)]
pub(crate) struct Profile {
    folder: PathBuf,
}

impl Profile {
    /// Makes one in this folder, for this user where that is another one.
    ///
    /// # Errors
    /// When it cannot be made.
    pub(crate) fn new(place: &Path, user: Option<u32>) -> io::Result<Profile> {
        remove_old(place);
        // On Unix the folder is made for its user alone.
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
        for _ in 0..TRIES {
            match std::fs::remove_dir_all(&self.folder) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => std::thread::sleep(BETWEEN_TRIES),
                _ => return,
            }
        }
    }
}

/// Removes what programs left that were ended themselves.
fn remove_old(place: &Path) {
    let is_old = |about: std::fs::Metadata| {
        about.is_dir() && about.modified().is_ok_and(|at| at.elapsed().is_ok_and(|age| age > OLD))
    };
    for entry in std::fs::read_dir(place).into_iter().flatten().filter_map(Result::ok) {
        let is_profile = entry.file_name().to_string_lossy().starts_with(PREFIX);
        if is_profile && entry.metadata().is_ok_and(is_old) {
            // One of another user stays.
            let _removed = std::fs::remove_dir_all(entry.path());
        }
    }
}

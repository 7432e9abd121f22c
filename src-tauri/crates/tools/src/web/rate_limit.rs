//! Rate limits across all processes on this machine. A locked file per service in the data folder holds the time of its
//! last request; the system releases the lock when its process ends.

use std::fs::File;
use std::io::{Read as _, Seek as _, Write as _};
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use kernel::{Code, Error, phrase};

/// The most bytes of a stored time.
const MOST_BYTES: u64 = 64;
/// The interval of attempts to take the lock.
const RETRY_INTERVAL: Duration = Duration::from_millis(100);

/// The rate limit of a service.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RateLimit {
    /// The name of the lock file.
    pub(crate) name: &'static str,
    /// The least time between two requests.
    pub(crate) apart: Duration,
    /// The longest wait for the lock.
    pub(crate) patience: Duration,
}

/// The right to send a request. While it is held, no other turn with the same name exists.
pub(crate) struct Turn {
    _lock: File,
}

/// Waits until this service may be contacted: no other request runs, and the last one is `apart` ago.
///
/// # Errors
/// When the lock is taken for longer than `patience`, or the data folder cannot be written.
pub(crate) async fn turn(folder: &Path, rate_limit: &RateLimit) -> Result<Turn, Error> {
    let RateLimit { name, apart, patience } = *rate_limit;
    let mut file = lock_file(folder, name).map_err(|error| {
        let message = phrase!(
            "The turn to ask {name} cannot be kept in {folder}: {error}",
            name,
            folder = folder.display(),
            error
        );
        Error::new(Code::ReadOnly, message)
    })?;
    let taken = async {
        while file.try_lock().is_err() {
            tokio::time::sleep(RETRY_INTERVAL).await;
        }
    };
    tokio::time::timeout(patience, taken).await.map_err(|_| {
        let message =
            phrase!("Others on this machine are asking {name}, one at a time; try again in a minute", name);
        Error::new(Code::RateLimited, message)
    })?;
    let mut before = String::new();
    // An unreadable file counts as no previous request.
    let _unreadable = (&file).take(MOST_BYTES).read_to_string(&mut before);
    tokio::time::sleep(wait(before.trim().parse().ok(), now_ms(), apart)).await;
    let written = file.rewind().and_then(|()| file.set_len(0)).and_then(|()| write!(file, "{}", now_ms()));
    written.map_err(|error| {
        let message = phrase!(
            "The turn to ask {name} cannot be kept in {folder}: {error}",
            name,
            folder = folder.display(),
            error
        );
        Error::new(Code::ReadOnly, message)
    })?;
    Ok(Turn { _lock: file })
}

/// The remaining wait after the last request. A clock that was set back costs at most one interval.
fn wait(last_ms: Option<u64>, now_ms: u64, apart: Duration) -> Duration {
    let Some(last_ms) = last_ms else { return Duration::ZERO };
    let since = Duration::from_millis(now_ms.saturating_sub(last_ms));
    apart.saturating_sub(since).min(apart)
}

fn lock_file(folder: &Path, name: &str) -> std::io::Result<File> {
    let folder = folder.join("turns");
    disk::make_private_folder(&folder)?;
    disk::open_private(&folder.join(name))
}

fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_waits_for_the_rest_of_the_interval_and_never_longer() {
        let apart = Duration::from_secs(3);
        for (last, now, waits) in [
            (None, 10_000, 0),
            (Some(10_000), 10_000, 3_000),
            (Some(10_000), 11_200, 1_800),
            (Some(10_000), 13_000, 0),
            (Some(10_000), 99_000, 0),
            (Some(u64::MAX), 10_000, 3_000),
        ] {
            assert_eq!(wait(last, now, apart), Duration::from_millis(waits), "{last:?} {now}");
        }
    }

    #[tokio::test]
    async fn a_turn_is_exclusive_and_the_next_one_knows_the_last_request() {
        let folder = tempfile::tempdir().unwrap();
        let of = |name, patience| RateLimit {
            name,
            apart: Duration::from_millis(1),
            patience: Duration::from_millis(patience),
        };
        let held = turn(folder.path(), &of("arxiv", 9_000)).await.unwrap();
        let refused = turn(folder.path(), &of("arxiv", 250)).await;
        assert_eq!(refused.err().map(|error| error.code), Some(Code::RateLimited));
        assert!(turn(folder.path(), &of("wikipedia", 9_000)).await.is_ok());
        drop(held);
        assert!(turn(folder.path(), &of("arxiv", 9_000)).await.is_ok());
        let last: u64 = std::fs::read_to_string(folder.path().join("turns/arxiv")).unwrap().parse().unwrap();
        assert!(last <= now_ms() && last + 60_000 > now_ms());
    }
}

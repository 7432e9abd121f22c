//! Checks for a newer version: reads a small release feed from the address in the settings with the guarded network
//! client, at most once a day unless the person asks.
//!
//! It downloads, installs and restarts nothing: it announces the version and links to the release.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use kernel::{Code, Phrase, phrase};
use net::{Caps, Request, Url};
use semver::Version;
use serde::{Deserialize, Serialize};

use crate::ApiError;
use crate::api::{CheckUpdate, DismissUpdate, Nothing, Release, UpdateCard};
use crate::program::ProgramService;
use crate::program::package::installed_package;
use crate::settings::{Settings, UPDATES_ADDRESS, UPDATES_CHANNEL, UPDATES_CHECK};

/// The cached feed, in the data folder.
const FILE: &str = "updates.json";
/// Largest file of it, in bytes.
const LARGEST: u64 = 1 << 20;
const DAY_MS: i64 = 24 * 60 * 60 * 1000;
/// How long a version stays dismissed, unless a newer one appears.
const LATER_MS: i64 = 7 * DAY_MS;
const CAPS: Caps = Caps { most_bytes: 64 << 10, within: Duration::from_secs(10), redirects: 3 };

/// The newest release of each channel, from the feed.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
struct Feed {
    stable: Option<Release>,
    beta: Option<Release>,
}

/// The state that is kept between starts.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
struct CachedFeed {
    /// The address of the feed: a changed address is read at once.
    address: String,
    /// When the feed was last requested, even without success.
    asked_at_ms: i64,
    feed: Feed,
    /// The dismissed version, and until when.
    put_off: String,
    put_off_until_ms: i64,
}

/// The file of the cached state.
pub(crate) struct Updates {
    file: PathBuf,
    changing: Mutex<()>,
}

impl Updates {
    pub(crate) fn of(folder: &Path) -> Updates {
        Updates { file: folder.join(FILE), changing: Mutex::default() }
    }

    /// The cached state. An invalid one counts as empty, so that the feed is read again.
    fn kept(&self) -> CachedFeed {
        let text = disk::read_text(&self.file, LARGEST).ok();
        let kept = text.and_then(|text| serde_json::from_str::<CachedFeed>(&text).ok());
        kept.filter(|kept| kept.feed.refused().is_none()).unwrap_or_default()
    }

    /// Changes the cached state atomically.
    fn change(&self, edit: impl FnOnce(&mut CachedFeed)) -> Result<(), ApiError> {
        let _here = self.changing.lock().unwrap_or_else(PoisonError::into_inner);
        let mut kept = self.kept();
        edit(&mut kept);
        let text = serde_json::to_vec(&kept).unwrap_or_default();
        disk::write_private(&self.file, &text).map_err(|error| {
            let file = self.file.display();
            let message =
                phrase!("{file} cannot be written: {error}; make the data folder writable", file, error);
            ApiError::new(Code::ReadOnly, message)
        })
    }
}

impl CachedFeed {
    /// Whether the feed is due: after a day, for another address, or after the clock was set back.
    fn is_due(&self, address: &str, now: i64) -> bool {
        self.address != address || !(0..DAY_MS).contains(&now.saturating_sub(self.asked_at_ms))
    }

    fn is_put_off(&self, release: &Release, now: i64) -> bool {
        self.put_off == release.version && now < self.put_off_until_ms
    }
}

impl Feed {
    fn read(text: &[u8]) -> Result<Feed, Phrase> {
        let feed: Feed = serde_json::from_slice(text).map_err(|error| Phrase::verbatim(error.to_string()))?;
        feed.refused().map_or(Ok(feed), Err)
    }

    /// Why this feed is invalid.
    fn refused(&self) -> Option<Phrase> {
        self.stable.iter().chain(&self.beta).find_map(|release| {
            let is_page = |url: Url| matches!(url.scheme(), "http" | "https") && url.has_host();
            if let Err(error) = Version::parse(&release.version) {
                return Some(phrase!(
                    "`{version}` is no version: {error}",
                    version = release.version,
                    error = error.to_string()
                ));
            }
            (!Url::parse(&release.page).is_ok_and(is_page)).then(|| {
                phrase!("the page of {version} is no address for a browser", version = release.version)
            })
        })
    }

    /// The newest release of a channel that is newer than this version. The trial channel includes stable releases.
    fn newer(&self, channel: &str, here: &Version) -> Option<&Release> {
        let of_channel = self.stable.iter().chain(self.beta.iter().filter(|_| channel == "beta"));
        let versions =
            of_channel.filter_map(|release| Some((Version::parse(&release.version).ok()?, release)));
        let newer = versions.filter(|(version, _)| version.cmp_precedence(here).is_gt());
        newer.max_by(|(one, _), (other, _)| one.cmp_precedence(other)).map(|(_, release)| release)
    }
}

impl ProgramService {
    pub(crate) async fn check_update(&self, request: CheckUpdate) -> Result<UpdateCard, ApiError> {
        let here = Version::parse(env!("CARGO_PKG_VERSION")).map_err(|error| {
            ApiError::new(
                Code::Internal,
                phrase!("This program's own version: {error}", error = error.to_string()),
            )
        })?;
        let Setup { address, channel, is_on } = Setup::of(&self.settings)?;
        let updates = &self.updates;
        if request.is_asked {
            self.read_feed(&address).await?;
        } else if is_on && !address.is_empty() && updates.kept().is_due(&address, now_ms()) {
            // The error of an automatic check is only logged; the next check is tomorrow.
            if let Err(error) = self.read_feed(&address).await {
                tracing::info!(%error, "the feed of releases could not be read");
            }
        }
        let kept = updates.kept();
        let is_shown = |release: &&Release| request.is_asked || !kept.is_put_off(release, now_ms());
        let is_known = kept.address == address && !address.is_empty() && (is_on || request.is_asked);
        let newer = kept.feed.newer(&channel, &here).filter(|_| is_known).filter(is_shown).cloned();
        Ok(UpdateCard { version: here.to_string(), newer, package: installed_package() })
    }

    pub(crate) async fn dismiss_update(&self, request: DismissUpdate) -> Result<Nothing, ApiError> {
        self.updates.change(|kept| {
            kept.put_off = request.version;
            kept.put_off_until_ms = now_ms().saturating_add(LATER_MS);
        })?;
        Ok(Nothing {})
    }

    /// Reads the feed and caches it, or records the attempt.
    async fn read_feed(&self, address: &str) -> Result<(), ApiError> {
        if address.is_empty() {
            let message =
                phrase!("No address of releases is set; set `{setting}` first", setting = UPDATES_ADDRESS);
            return Err(ApiError::new(Code::BadInput, message));
        }
        self.updates.change(|kept| {
            if kept.address != address {
                kept.feed = Feed::default();
            }
            address.clone_into(&mut kept.address);
            kept.asked_at_ms = now_ms();
        })?;
        let url = Url::parse(address).map_err(|error| {
            let message = phrase!(
                "`{setting}` is no address ({error}); mend it in the settings",
                setting = UPDATES_ADDRESS,
                error = error.to_string()
            );
            ApiError::new(Code::BadInput, message)
        })?;
        let mut allowed = self.settings.allowed_addresses()?;
        allowed.push(address.to_owned());
        let client = self.net.allowing(allowed.iter().map(String::as_str));
        let answer = client.send(Request::get(url).caps(CAPS)).await.map_err(|error| {
            ApiError::new(
                error.code(),
                phrase!("Whether there is a newer version cannot be asked: {why}", why = error.phrase()),
            )
        })?;
        if !answer.is_success() {
            let message = phrase!(
                "The feed of releases is not there: its server answers {status}; mend `{setting}`, or try again later",
                status = answer.status,
                setting = UPDATES_ADDRESS
            );
            return Err(ApiError::new(Code::NotFound, message));
        }
        let feed = Feed::read(&answer.body).map_err(|why| {
            let message = phrase!("What is at `{setting}` is no feed of releases: {why}; mend the address, or tell who keeps it", setting = UPDATES_ADDRESS, why);
            ApiError::new(Code::BadInput, message)
        })?;
        // Another check may have used another address meanwhile; its result holds.
        self.updates.change(|kept| {
            if kept.address == address {
                kept.feed = feed;
            }
        })
    }
}

fn now_ms() -> i64 {
    engine::now_ms()
}

/// The update settings.
struct Setup {
    address: String,
    channel: String,
    is_on: bool,
}

impl Setup {
    fn of(settings: &Settings) -> Result<Setup, ApiError> {
        Ok(Setup {
            address: settings.get(UPDATES_ADDRESS)?.trim().to_owned(),
            channel: settings.get(UPDATES_CHANNEL)?,
            is_on: settings.get(UPDATES_CHECK)? == "on",
        })
    }
}

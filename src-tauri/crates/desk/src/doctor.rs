//! The doctor: checks the program's setup, and suggests a fix for each problem.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use futures::future::join_all;
use kernel::{BUILT_IN, Phrase, form, phrase};
use store::Store;
use tools::{FEEDS_FILE, KeyNeed, offered_tools, read_feeds};
use vault::Vault;

use crate::ApiError;
use crate::accounts::AccountService;
use crate::accounts::keys::{self, key_in};
use crate::accounts::prices::PriceList;
use crate::accounts::profile_card::{address_of, is_of_service, reachable};
use crate::accounts::services::{card_of, key_variable};
use crate::api::findings::{about, line};
use crate::api::{
    DoctorLine, DoctorReport, Finding, FoundServer, Nothing, ProfileCard, QueueServer, Remedy, Topic,
    WatchItem,
};
use crate::pipeline_directory::{FaultyFile, PipelineDirectory};
use crate::program::ProgramService;
use crate::program::access;
use crate::program::window::WindowLink;
use crate::settings::Settings;

/// The checks of the program's setup.
pub struct Doctor {
    pub(crate) folder: PathBuf,
    pub(crate) store: Store,
    pub(crate) settings: Arc<Settings>,
    pub(crate) vault: Arc<Vault>,
    pub(crate) prices: Arc<PriceList>,
    pub(crate) pipelines: Arc<PipelineDirectory>,
    pub(crate) window_link: WindowLink,
    pub(crate) program: Arc<ProgramService>,
    pub(crate) accounts: Arc<AccountService>,
}

impl Doctor {
    pub(crate) async fn doctor(&self, _: Nothing) -> Result<DoctorReport, ApiError> {
        let window_link = self.window_link.clone();
        // Sending without an open page is no error.
        let on = move |done, total| {
            window_link.tell_page(WatchItem::Inspection { done, total });
        };
        self.examine(on).await
    }

    /// Runs all checks; `on` is called with the checked and the total parts of the database.
    ///
    /// # Errors
    /// The settings cannot be read.
    pub async fn examine(&self, on: impl Fn(u32, u32) + Send + 'static) -> Result<DoctorReport, ApiError> {
        let mut lines = vec![line(Topic::Program, Ok(env!("CARGO_PKG_VERSION").to_owned()), Remedy::Nothing)];
        if let Some(window) = &self.window_link.window {
            let version = window.web_view();
            let found = if version.is_empty() { Err(Finding::UnknownVersion) } else { Ok(version.into()) };
            lines.push(line(Topic::WebView, found, Remedy::InstallWebView));
        }
        let system = format!("{} {}", std::env::consts::OS, std::env::consts::ARCH);
        lines.push(line(Topic::System, Ok(system), Remedy::Nothing));
        let probe = self.folder.join(format!(".write-test-{}", std::process::id()));
        let written = disk::create_private(&probe).and_then(|_| std::fs::remove_file(&probe));
        lines.push(line(
            Topic::DataFolder,
            written
                .map(|()| self.folder.display().to_string())
                .map_err(|error| format!("{}: {error}", self.folder.display())),
            Remedy::MakeWritable,
        ));
        let open = access::open_to_others(&self.folder);
        let folder = self.folder.display().to_string();
        lines.push(line(
            Topic::Access,
            open.map_or(Ok(Finding::OnlyOwner), |path| {
                Err(Finding::OthersMayRead { path: path.display().to_string() })
            }),
            Remedy::MakePrivate { folder },
        ));
        lines.push(self.about_database(on).await);
        let backups = self.store.backups().map(|backups| Finding::Backups {
            count: u32::try_from(backups.len()).unwrap_or(u32::MAX),
            bytes: backups.iter().map(|backup| backup.bytes).sum(),
            newest: backups.into_iter().next().map(|backup| backup.file),
        });
        lines.push(line(Topic::Backups, backups.map_err(|error| error.phrase.into()), Remedy::MakeWritable));
        lines.extend(self.program.about_settings()?);
        let articles = self.store.count_articles().await;
        lines.push(line(
            Topic::Library,
            articles
                .map(|count| Finding::Articles { count: u32::try_from(count).unwrap_or(u32::MAX) })
                .map_err(|error| error.phrase.into()),
            Remedy::ImportFiles,
        ));
        lines.extend(self.about_pipelines());
        let providers = models::providers().into_iter().map(|provider| provider.id);
        let providers: Vec<&str> = std::iter::once(BUILT_IN).chain(providers).collect();
        lines.push(line(Topic::Providers, Ok(providers.join(", ")), Remedy::Nothing));
        let profiles = self.settings.profiles()?;
        let holds_keys = profiles.iter().any(|card| !card.last_four.is_empty());
        // A locked keyring does not tell whether an entry exists, so its state is taken from a read of one key.
        let state = match profiles.iter().find(|card| !card.last_four.is_empty()) {
            Some(card) => {
                let found = keys::of_profile(&self.vault, card).await;
                found.map(|_| "")
            }
            None => Ok(""),
        };
        let keyring = match state.and(self.vault.state().await) {
            Err(error) if holds_keys => Err(Finding::from(*error.phrase)),
            // A missing keyring is a problem only where it should hold keys.
            Err(_) => Ok(Finding::NoKeyring),
            Ok(name) => Ok(name.to_owned().into()),
        };
        lines.push(line(Topic::Keyring, keyring, Remedy::UnlockKeyring));
        let ways = ways(&profiles).await;
        for card in profiles {
            if card.provider != BUILT_IN
                && !is_of_service(&card.provider)
                && let Err(error) = models::connect(reachable(&card))
            {
                let remedy = Remedy::AddProfile { name: card.name.clone() };
                lines.push(about::<Finding>(Topic::Profile, &card.name, Err((*error.phrase).into()), remedy));
                continue;
            }
            let (provider, variable, name) = (card.provider.clone(), card.key_env.clone(), card.name.clone());
            let has_none = keys::missing(&self.vault, &card).is_some();
            let (key, remedy) = if keys::session_key(&self.vault, &card).is_some() {
                (Ok(Finding::KeyForSession { provider }), Remedy::Nothing)
            } else if !variable.is_empty() {
                let found = match has_none {
                    false => Ok(Finding::KeyInEnvironment { provider, variable }),
                    true => Err(Finding::VariableNotSet { provider, variable }),
                };
                (found, Remedy::SetVariable { name })
            } else if !card.last_four.is_empty() {
                let last_four = card.last_four.clone();
                (Ok(Finding::KeyInKeyring { provider, last_four }), Remedy::Nothing)
            } else {
                let none = Finding::NoKeyKept { provider };
                (if has_none { Err(none) } else { Ok(none) }, Remedy::SaveKey { name })
            };
            lines.push(about(Topic::Profile, &card.name, key, remedy));
        }
        lines.extend(ways);
        lines.extend(self.about_local_servers().await?);
        lines.extend(self.program.about_collector().await);
        lines.extend(self.about_sources());
        lines.extend(self.about_queue().await?);
        let prices = self.prices.state().map_err(Finding::from);
        lines.push(line(Topic::Prices, prices, Remedy::MendPrices));
        let redacted = redacted(&lines);
        Ok(DoctorReport { lines, redacted })
    }

    /// Checks the whole database: its file, the numbering of every run, every stored value.
    pub async fn about_database(&self, on: impl Fn(u32, u32) + Send + 'static) -> DoctorLine {
        let file = self.store.file().display().to_string();
        match self.store.inspect(on).await {
            Err(error) => line(Topic::Database, Err(Finding::from(error.phrase)), Remedy::FreeDatabase),
            Ok(found) => {
                let runs = u32::try_from(found.damaged_runs.len()).unwrap_or(u32::MAX);
                let finding = match found.problems.is_empty() {
                    true => Ok(Finding::WholeDatabase { file, runs: found.runs, values: found.values }),
                    false => Err(Finding::DamagedDatabase { file, runs, problem: found.problems.join("; ") }),
                };
                line(Topic::Database, finding, Remedy::RecoverDatabase)
            }
        }
    }

    /// The model servers that run on this machine, with what to do to use each.
    async fn about_local_servers(&self) -> Result<Vec<DoctorLine>, ApiError> {
        let found = self.accounts.find_servers(Nothing {}).await?;
        Ok(found.servers.into_iter().map(about_local_server).collect())
    }

    /// Checks the queue, where one is set, and lists its workers.
    async fn about_queue(&self) -> Result<Option<DoctorLine>, ApiError> {
        let card = self.accounts.describe_queue(Nothing {}).await?;
        let found = match (card.server, card.error) {
            (_, Some(error)) => Err(Finding::from(error)),
            (Some(server), None) => Ok(Finding::from(about_server(&card.url, &server))),
            (None, None) => return Ok(None),
        };
        Ok(Some(line(Topic::Queue, found, Remedy::CheckNetwork)))
    }

    /// The number of the person's pipelines that can run, and every invalid file.
    fn about_pipelines(&self) -> Vec<DoctorLine> {
        let (pipelines, faulty) = self.pipelines.all();
        let files = pipelines.iter().filter(|one| !self.pipelines.is_own(one.id())).count();
        let count = u32::try_from(files).unwrap_or(u32::MAX);
        let mut lines = vec![line(Topic::Pipelines, Ok(Finding::PipelineFiles { count }), Remedy::Nothing)];
        lines.extend(faulty.into_iter().map(|FaultyFile { id, faults }| {
            let file = self.pipelines.path(&id).display().to_string();
            let remedy = Remedy::MendPipeline { file };
            about(Topic::Pipeline, &id, Err(Finding::FaultyPipeline { faults }), remedy)
        }));
        lines
    }

    /// The sources that can be used with the present settings, the list of feeds, and the contacted hosts.
    fn about_sources(&self) -> Vec<DoctorLine> {
        let mut lines = Vec::new();
        for source in offered_tools().filter(|source| source.key != KeyNeed::None) {
            let Some(service) = source.services.first() else { continue };
            let variable = key_variable(&self.settings, service.name);
            let named = self.settings.get(&format!("services.{}.profile", service.name));
            let card = named.and_then(|name| match name.as_str() {
                "" => Ok(None),
                name => card_of(&self.settings, service.name, name).map(Some),
            });
            let card = match card {
                Ok(card) => card,
                Err(error) => {
                    lines.push(about(
                        Topic::Source,
                        source.id,
                        Err(Finding::from(*error.phrase)),
                        Remedy::Nothing,
                    ));
                    continue;
                }
            };
            let provider = String::new();
            let kept = match &card {
                Some(card) if keys::session_key(&self.vault, card).is_some() => {
                    Some(Finding::KeyForSession { provider })
                }
                Some(card) if !card.last_four.is_empty() => {
                    Some(Finding::KeyInKeyring { provider, last_four: String::new() })
                }
                _ => None,
            };
            if let Some(found) = kept {
                lines.push(about(Topic::Source, source.id, Ok(found), Remedy::Nothing));
                continue;
            }
            let found = variable.map_err(|error| Finding::from(*error.phrase)).and_then(|variable| {
                let (is_set, provider) = (key_in(&variable).is_some(), String::new());
                match (variable.as_str(), source.key) {
                    ("", KeyNeed::Required) => {
                        Ok(Finding::SourceNotSetUp { page: source.key_page.to_owned() })
                    }
                    ("", _) => Ok(Finding::SourceWithoutKey),
                    _ if is_set => Ok(Finding::KeyInEnvironment { provider, variable }),
                    _ => Err(Finding::VariableNotSet { provider, variable }),
                }
            });
            let remedy = Remedy::SetVariableOfService { name: service.name.to_owned() };
            lines.push(about(Topic::Source, source.id, found, remedy));
        }
        let feeds = read_feeds(&self.folder).map_err(|error| Finding::from(*error.phrase));
        let file = self.folder.join(FEEDS_FILE).display().to_string();
        let feeds =
            feeds.map(|feeds| Finding::Feeds { count: u32::try_from(feeds.len()).unwrap_or(u32::MAX), file });
        lines.push(line(Topic::Feeds, feeds, Remedy::MendFeeds));
        let hosts: Vec<String> = net::contacted().into_iter().map(|contact| contact.host).collect();
        let hosts = if hosts.is_empty() { Finding::NoHosts } else { hosts.join(", ").into() };
        lines.push(line(Topic::Hosts, Ok(hosts), Remedy::Nothing));
        lines
    }
}

/// A model server on this machine. One that nobody asks is well; a profile that asks one without a model cannot run.
fn about_local_server(server: FoundServer) -> DoctorLine {
    let (address, models) = (server.address, server.models.len());
    let found = match (server.profile, server.next_step) {
        (Some(_), Some(way)) => {
            let found = Finding::from(phrase!("{address}, without a model", address));
            return about(Topic::LocalServer, &server.title, Err(found), Remedy::GetModel { way });
        }
        (None, Some(way)) => phrase!("{address}, without a model. {way}", address, way),
        (Some(profile), None) => {
            phrase!("{address}, models: {models}; profile `{profile}` asks it", address, models, profile)
        }
        (None, None) => phrase!(
            "{address}, models: {models}; no profile asks it, `galley profile find --add` adds one",
            address,
            models
        ),
    };
    about(Topic::LocalServer, &server.title, Ok(Finding::from(found)), Remedy::Nothing)
}

/// Describes the server of a queue and its workers in a sentence.
fn about_server(url: &str, server: &QueueServer) -> Phrase {
    let now = engine::now_ms();
    let workers = server.workers.iter().map(|worker| {
        phrase!(
            "{role}: {name} ({working} of {most}, heard {seconds} s ago)",
            role = worker.role,
            name = worker.name,
            working = worker.working,
            most = worker.at_once,
            seconds = (now - worker.heard_at_ms).max(0) / 1000
        )
    });
    let workers: Vec<Phrase> = workers.collect();
    let (version, sub_tasks, dead) = (&server.version, server.sub_tasks, server.dead_letters);
    let way = if server.is_encrypted { form!("encrypted") } else { form!("not encrypted") };
    match workers.is_empty() {
        true => phrase!(
            "NATS {version} at {url}, {way}; {sub_tasks} sub-tasks wait, {dead} were laid aside; no worker was heard of",
            version,
            url,
            way,
            sub_tasks,
            dead
        ),
        false => phrase!(
            "NATS {version} at {url}, {way}; {sub_tasks} sub-tasks wait, {dead} were laid aside; {workers}",
            version,
            url,
            way,
            sub_tasks,
            dead,
            workers
        ),
    }
}

/// Checks that the servers of the profiles respond, each once and without a key.
async fn ways(profiles: &[ProfileCard]) -> Vec<DoctorLine> {
    let mut asked: BTreeMap<String, net::Url> = BTreeMap::new();
    for address in profiles.iter().filter_map(address_of) {
        let port = match (address.scheme(), address.port_or_known_default()) {
            ("https", Some(443)) | (_, None) => String::new(),
            (_, Some(port)) => format!(":{port}"),
        };
        let host = format!("{}{port}", address.host_str().unwrap_or_default());
        if net::closed_because().is_none() || net::is_of_this_machine(&address) {
            asked.insert(host, address);
        }
    }
    let answers = asked.into_iter().map(|(host, address)| async move {
        net::note_contact(&address);
        let found = match models::answers(&address).await {
            true => Ok(Finding::Answers),
            false => Err(Finding::DoesNotAnswer),
        };
        about(Topic::Server, &host, found, Remedy::CheckNetwork)
    });
    join_all(answers).await
}

/// The report without personal data: names in paths, names of profiles, and addresses are removed.
fn redacted(lines: &[DoctorLine]) -> String {
    let home = directories::UserDirs::new().map(|dirs| dirs.home_dir().display().to_string());
    let mut text = String::new();
    for line in lines {
        let mark = if line.is_well { "ok" } else { "NOT WELL" };
        // Addresses and names of servers are private.
        let is_asked = matches!(
            line.topic,
            Topic::Profile | Topic::Server | Topic::LocalServer | Topic::Queue | Topic::Collector
        );
        let is_private = is_asked || matches!(line.topic, Topic::Settings | Topic::Pipeline);
        let found = match line.topic {
            _ if is_private && !line.is_well => "see the doctor".to_owned(),
            topic if line.is_well && (is_asked || topic == Topic::Hosts) => String::new(),
            _ => line.found.clone(),
        };
        let name = if is_private { line.topic.words().to_owned() } else { line.name.clone() };
        text.push_str(&format!("{mark}: {name}: {found}\n"));
    }
    match home.filter(|home| home.len() > 1) {
        Some(home) => text.replace(&home, "~"),
        None => text,
    }
}

//! L4: all commands of a user as functions, and the command list.
//!
//! The desk connects store, models and tools to the engine's ports. Window, terminal, bridge and tests share its
//! router.

#![cfg_attr(not(test), warn(unused_crate_dependencies))]

mod accounts;
pub mod api;
mod bindings;
mod commands;
mod doctor;
mod library;
mod pipeline_directory;
mod program;
mod recovery;
mod runs;
mod settings;
mod worker;

use std::collections::{HashMap, VecDeque};
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

// Only a feature of it is needed; Cargo.toml gives the reason.
use either as _;
use engine::{FixedTools, Tool, ToolDirectory, World};
use interpreter::Pipeline;
use kernel::{Code, RunId, phrase};
use mcp::ToolServers;
use store::{NewArticle, Store};
use tokio::time::timeout;
use tokio_util::task::TaskTracker;
use tools::{GENERAL_TOOLS, OfferedTool, ToolParts, offered_tools, sample_documents};

pub use accounts::checks::on_failure;
use accounts::page_browser::SettingsBrowser;
use accounts::permissions::SavedRules;
use accounts::priced::PricedTool;
use accounts::prices::PriceList;
use accounts::profile_directory::ProfileDirectory;
use accounts::services::SettingsServices;
use accounts::task_queue::SettingsQueue;
use accounts::tool_server_sign_ins::PendingSignIns;
use accounts::tool_server_values::ServerValues;
use accounts::tool_servers::{AllTools, SavedToolServers};
pub use bindings::typescript;
/// Reads a file that a person names.
pub use disk::read_file;
pub use engine::{CancellationToken, RunEnd, RunHandle, UserAnswer, UserPrompt, admits, new_id};
/// The parts that an export can leave out.
pub use export::Redaction;
/// The error of the API.
pub use kernel::Error as ApiError;
pub use kernel::{
    AgentKind, AgentOutcome, Answer, AskedInput, BUILT_IN, Code as ErrorCode, Effect, Event, EventKind, Fact,
    Gate, GateAnswer, KeyChange, LimitName, Note, NoteTexts, OnFailure, Outcome, Outline, PermissionAnswer,
    Phrase, Question, QuestionKind, Role, RunId as RunIdentity, Seq, ServerAnswer, fell_back, request_failed,
    request_sent, sentence,
};
pub use library::import::text_of_document;
use pipeline_directory::PipelineDirectory;
pub use program::access::window_folder;
pub use program::logging::log_if_asked;
pub use program::secret::{is_same_secret, new_secret};
pub use program::terminal::{printable, printable_json};
use program::traces::Exports;
use program::updates::Updates;
pub use program::window::Window;
use program::window::WindowLink;
pub use queue_nats::WorkerEvent;
pub use recovery::{RECOVER, Recovery, backups, recover};
use runs::answers::Answers;
pub use runs::answers::QuestionPolicy;
pub use runs::export::write_file;
use runs::exported_trips::ExportedTrips;
use runs::favourites::SavedFavourites;
use runs::files::RunFolders;
use runs::instructions::SavedInstructions;
pub use runs::replays::ReplayOf;
use settings::Settings;
pub use settings::{Look, chosen_look};
pub use store::Missing;
pub use tools::readers::Progress as ImportProgress;
use vault::Vault;
pub use worker::WorkerSetup;

/// Every host calls this first: a process that was started to read a document or to guard a tool server does only that,
/// and this is its exit code.
pub fn serve_if_asked() -> Option<std::process::ExitCode> {
    mcp::guard_server_if_asked().or_else(tools::readers::serve_if_asked)
}

/// Reads tables that the first search in the library needs, which takes some milliseconds. A host that will start a run
/// calls it while the desk opens.
pub use tools::prepare_search;

/// A run allocates thousands of small texts and JSON trees: the system's allocator used a sixth of its instructions.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The version of the sample library; a higher one is imported again.
const SAMPLE_VERSION: u32 = 1;

/// How long closing waits for a running copy of the database and for spans being sent. Hosts wait longer than this.
const COPYING: Duration = Duration::from_secs(1);

/// The options of a desk.
#[derive(Default)]
pub struct Options {
    /// The data folder; `None`: `GALLEY_DATA_DIR`, else the platform's default.
    pub data_dir: Option<PathBuf>,
    /// How questions are answered.
    pub question_policy: QuestionPolicy,
    /// Whether unreadable parts of damaged runs are left out and counted by [`Desk::missing`]. For a desk that only
    /// reads.
    pub leaves_out_damage: bool,
    /// Models that replace the profiles' providers, by profile name: for tests and benchmarks.
    pub models: Option<Arc<dyn engine::ModelDirectory>>,
    /// The window around the page, where there is one.
    pub window: Option<Arc<dyn Window>>,
    /// Additional pipelines, which may not replace the program's own: for tests.
    pub pipelines: Vec<Arc<Pipeline>>,
    /// Additional tools: for tests.
    pub tools: Vec<Arc<dyn Tool>>,
}

/// The commands of a user. Clones share one desk.
#[derive(Clone)]
pub struct Desk {
    inner: Arc<Inner>,
}

struct Inner {
    folder: PathBuf,
    store: Store,
    settings: Arc<Settings>,
    vault: Arc<Vault>,
    pipelines: Arc<PipelineDirectory>,
    world: World,
    answers: Arc<Answers>,
    prices: Arc<PriceList>,
    instructions: SavedInstructions,
    favourites: SavedFavourites,
    queue: Arc<SettingsQueue>,
    saved_tool_servers: SavedToolServers,
    tool_servers: ToolServers,
    sign_ins: PendingSignIns,
    rules: Arc<SavedRules>,
    files: Arc<RunFolders>,
    live: Arc<Mutex<HashMap<RunId, RunHandle>>>,
    window_link: WindowLink,
    /// The network client for pictures and the release feed, which the person opens.
    net: net::Net,
    /// Serializes edits: each holds its run meanwhile.
    edits: tokio::sync::Mutex<()>,
    /// Cancels the import in progress.
    importing: Mutex<Option<CancellationToken>>,
    /// Articles that were removed lately, by id, to restore them.
    removed: Mutex<VecDeque<(String, NewArticle)>>,
    /// Files that were saved lately, which may be shown in the file manager.
    saved_files: Mutex<VecDeque<String>>,
    /// The cached release feed.
    updates: Updates,
    exports: Exports,
    /// Tasks that still save data of ended runs.
    keeping: TaskTracker,
}

/// The data folder when none is named.
///
/// # Errors
/// No folder is given and the platform has none.
pub fn data_folder(asked: Option<PathBuf>) -> Result<PathBuf, ApiError> {
    let from_environment =
        || std::env::var_os("GALLEY_DATA_DIR").filter(|dir| !dir.is_empty()).map(PathBuf::from);
    let of_platform =
        || directories::ProjectDirs::from("", "", "galley").map(|dirs| dirs.data_dir().to_path_buf());
    asked.or_else(from_environment).or_else(of_platform).ok_or_else(|| {
        ApiError::new(
            Code::BadInput,
            phrase!("No data folder is known; name one with --data-dir or GALLEY_DATA_DIR"),
        )
    })
}

impl Desk {
    /// Opens the data folder, creating it if missing. Other processes may have it open too.
    ///
    /// # Errors
    /// The data folder or its database cannot be opened.
    pub async fn open(options: Options) -> Result<Desk, ApiError> {
        engine::check_clock()?;
        let folder = data_folder(options.data_dir)?;
        let (place, own) = (folder.clone(), options.pipelines);
        let names: Vec<String> = options.tools.iter().map(|tool| tool.describe().name).collect();
        // Runs concurrently with opening the history, which takes as long. The program's own pipelines come last,
        // because the last one with an id holds.
        let pipelines = tokio::task::spawn_blocking(move || {
            PipelineDirectory::new(own.into_iter().chain(pipelines::all()), names, &place)
        });
        let place = folder.clone();
        let store = tokio::task::spawn_blocking(move || {
            program::access::make_folder(&place).map_err(|error| unwritable(&place, &error))?;
            program::access::restrict(&place);
            Store::open(&place).map_err(ApiError::from)
        })
        .await
        .map_err(|_| closing())??;
        if options.leaves_out_damage {
            store.leave_out_damage();
        }
        let settings = Arc::new(Settings::open(&folder)?);
        store.take_up_set_aside().await;
        store.ensure_sample(sample_documents().map(library::import::article), SAMPLE_VERSION).await?;
        let vault = Arc::new(Vault::default());
        let prices = Arc::new(PriceList::of(&folder));
        let window_link = WindowLink::new(options.window);
        // A person can free disk space or stop the run; without one, the run ends after a while and can be resumed.
        let disk_patience = match options.question_policy {
            QuestionPolicy::Window | QuestionPolicy::Other(_) => None,
            QuestionPolicy::Defaults | QuestionPolicy::Nobody => Some(settings.disk_wait()?),
        };
        let rules = Arc::new(SavedRules::of(&folder));
        let files = Arc::new(RunFolders::of(&folder));
        let answers =
            Arc::new(Answers::new(options.question_policy, window_link.pulse.clone(), rules.clone()));
        // Without the file, the built-in list of feeds is used.
        let _no_list = tools::seed_feeds(&folder);
        let parts = ToolParts {
            index: Arc::new(store.clone()),
            net: net::Net::new(),
            services: Arc::new(SettingsServices::new(settings.clone(), vault.clone())),
            browser: Arc::new(SettingsBrowser(settings.clone())),
            trips: Arc::new(ExportedTrips),
            folder: folder.clone(),
        };
        let search = |source: &OfferedTool| -> Arc<dyn Tool> {
            Arc::new(PricedTool { tool: (source.make)(&parts), prices: prices.clone() })
        };
        let general = GENERAL_TOOLS.iter().map(|tool| (tool.make)(&parts));
        let tools = offered_tools().map(search).chain(general).chain(options.tools);
        let pipelines = match pipelines.await {
            Ok(pipelines) => Arc::new(pipelines),
            Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
            Err(_) => return Err(closing()),
        };
        store.keep_messages();
        let own = ProfileDirectory::new(settings.clone(), vault.clone(), prices.clone(), pipelines.clone());
        let saved_tool_servers = SavedToolServers::of(&folder);
        let values = ServerValues { vault: vault.clone() };
        let tool_servers = ToolServers::new(tools::readers::program(), &folder, Arc::new(values));
        // An invalid file is reported where the servers are listed, and where one is needed.
        match saved_tool_servers.usable() {
            Ok(servers) => tool_servers.set(servers),
            Err(error) => tracing::warn!(%error, "the tool servers cannot be read"),
        }
        let tools = AllTools { own: FixedTools::new(tools)?, servers: tool_servers.clone() };
        let tools: Arc<dyn ToolDirectory> = Arc::new(tools);
        let queue = Arc::new(SettingsQueue::new(settings.clone(), vault.clone(), tools.clone()));
        let world = World {
            queue: queue.clone(),
            log: Arc::new(store.clone()),
            models: options.models.unwrap_or_else(|| Arc::new(own)),
            tools,
            permissions: rules.clone(),
            files: files.clone(),
            user_prompt: answers.clone() as Arc<dyn UserPrompt>,
            disk_patience,
        };
        let desk = Desk {
            inner: Arc::new(Inner {
                updates: Updates::of(&folder),
                exports: Exports::of(&folder),
                instructions: SavedInstructions::of(&folder),
                favourites: SavedFavourites::of(&folder),
                queue,
                saved_tool_servers,
                tool_servers,
                sign_ins: PendingSignIns::default(),
                rules,
                files,
                folder,
                store,
                settings,
                vault,
                pipelines,
                world,
                answers,
                prices,
                live: Arc::default(),
                window_link,
                net: net::Net::new(),
                edits: tokio::sync::Mutex::default(),
                importing: Mutex::default(),
                removed: Mutex::default(),
                saved_files: Mutex::default(),
                keeping: TaskTracker::new(),
            }),
        };
        let emptying = desk.clone();
        desk.inner.keeping.spawn(async move { emptying.empty_trash().await });
        Ok(desk)
    }

    /// The data folder.
    pub fn folder(&self) -> &Path {
        &self.inner.folder
    }

    /// The unreadable parts of damaged runs that were left out so far, where the options allow it.
    pub fn missing(&self) -> Missing {
        self.inner.store.missing()
    }

    /// Stops the runs, saves received text, and closes the database.
    pub async fn close(&self) {
        let handles: Vec<RunHandle> = self.live().values().cloned().collect();
        for handle in &handles {
            handle.cancel();
        }
        self.inner.keeping.close();
        let mut ended = pin!(async {
            for handle in handles {
                handle.ended().await;
            }
            self.inner.tool_servers.close().await;
            self.inner.keeping.wait().await;
        });
        // A small copy is complete by then. An unfinished copy of a large one is deleted and made again later.
        if timeout(COPYING, &mut ended).await.is_err() {
            self.inner.store.stop_copies();
            self.inner.exports.give_up();
            ended.await;
        }
        self.inner.store.close().await;
    }

    /// Closes within `limit`, then waits some seconds more for token renewals of tool servers: interrupting one would
    /// lose the sign-in.
    pub async fn close_within(&self, limit: Duration) {
        let _ended = timeout(limit, self.close()).await;
        self.inner.tool_servers.finish_tokens().await;
    }

    fn live(&self) -> MutexGuard<'_, HashMap<RunId, RunHandle>> {
        self.inner.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn pipeline(&self, id: &str) -> Result<Arc<Pipeline>, ApiError> {
        self.inner.pipelines.get(id)
    }

    /// The pipeline of a run as it was at the start.
    async fn pipeline_of_run(&self, run: &RunId, pipeline: &str) -> Result<Arc<Pipeline>, ApiError> {
        if self.inner.pipelines.is_own(pipeline) {
            return self.pipeline(pipeline);
        }
        let start = self.inner.store.start(run).await?;
        self.inner.pipelines.of_run(&start.definition)
    }
}

fn unwritable(folder: &Path, error: &std::io::Error) -> ApiError {
    let message = phrase!(
        "The data folder {folder} cannot be made or written: {error}; choose another with --data-dir or mend its permissions",
        folder = folder.display(),
        error
    );
    ApiError::new(Code::ReadOnly, message)
}

/// The error of hosts for a command that the end of the program interrupted.
pub fn interrupted() -> ApiError {
    closing()
}

fn closing() -> ApiError {
    ApiError::new(Code::Internal, phrase!("The program is closing"))
}

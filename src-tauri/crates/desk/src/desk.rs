//! The composition of the program: opens a data folder, builds the services and connects them.

use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use engine::{FixedTools, Tool, ToolDirectory, UserPrompt, World};
use interpreter::Pipeline;
use kernel::{Code, phrase};
use store::{Missing, Store};
use tokio::time::timeout;
use tokio_util::task::TaskTracker;
use tools::{GENERAL_TOOLS, OfferedTool, ToolParts, offered_tools, sample_documents};
use vault::Vault;

use crate::accounts::AccountService;
use crate::accounts::page_browser::SettingsBrowser;
use crate::accounts::permissions::SavedRules;
use crate::accounts::priced::PricedTool;
use crate::accounts::prices::PriceList;
use crate::accounts::profile_directory::ProfileDirectory;
use crate::accounts::saved_tool_servers::{AllTools, SavedToolServers};
use crate::accounts::services::SettingsServices;
use crate::accounts::task_queue::SettingsQueue;
use crate::accounts::tool_server_sign_ins::PendingSignIns;
use crate::doctor::Doctor;
use crate::evaluations::EvaluationService;
use crate::library::LibraryService;
use crate::library::import::article;
use crate::pipeline_directory::PipelineDirectory;
use crate::program::data_folder::data_folder;
use crate::program::window::{Window, WindowLink};
use crate::program::{ProgramService, access};
use crate::runs::RunService;
use crate::runs::answers::{Answers, QuestionPolicy};
use crate::runs::exported_trips::ExportedTrips;
use crate::runs::favourites::SavedFavourites;
use crate::runs::files::RunFolders;
use crate::runs::instructions::SavedInstructions;
use crate::schedules::{Clock, ScheduleService};
use crate::settings::Settings;
use crate::worker::WorkerService;
use crate::{ApiError, interrupted};

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
    /// Whether the system's timer is set up while there are schedules.
    pub sets_timer: bool,
    /// The clock of schedules; that of the system when not given: for tests.
    pub schedule_clock: Option<Clock>,
}

/// The services of one data folder, and the router of commands. Clones share one desk.
#[derive(Clone)]
pub struct Desk {
    services: Arc<Services>,
}

struct Services {
    folder: PathBuf,
    store: Store,
    tool_servers: Arc<SavedToolServers>,
    program: Arc<ProgramService>,
    accounts: Arc<AccountService>,
    library: LibraryService,
    runs: RunService,
    evaluations: EvaluationService,
    schedules: ScheduleService,
    doctor: Doctor,
    worker: WorkerService,
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
        let store = open_store(folder.clone()).await?;
        if options.leaves_out_damage {
            store.leave_out_damage();
        }
        let settings = Arc::new(Settings::open(&folder)?);
        store.take_up_set_aside().await;
        store.ensure_sample(sample_documents().map(article), SAMPLE_VERSION).await?;
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
        let pulse = Arc::default();
        let answers = Arc::new(Answers::new(options.question_policy, Arc::clone(&pulse), rules.clone()));
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
        let tools = own_tools(&parts, &prices).chain(options.tools);
        let pipelines = match pipelines.await {
            Ok(pipelines) => Arc::new(pipelines),
            Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
            Err(_) => return Err(interrupted()),
        };
        store.keep_messages();
        let own = ProfileDirectory::new(settings.clone(), vault.clone(), prices.clone(), pipelines.clone());
        let tool_servers = Arc::new(SavedToolServers::open(&folder, vault.clone()));
        let tools = AllTools { own: FixedTools::new(tools)?, servers: tool_servers.loaded.clone() };
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
        let net = net::Net::new();
        let program =
            ProgramService::new(&folder, store.clone(), settings.clone(), window_link.clone(), net.clone());
        let program = Arc::new(program);
        let accounts = Arc::new(AccountService {
            folder: folder.clone(),
            store: store.clone(),
            settings: settings.clone(),
            vault: vault.clone(),
            prices: prices.clone(),
            pipelines: pipelines.clone(),
            models: world.models.clone(),
            tools: world.tools.clone(),
            queue: queue.clone(),
            tool_servers: tool_servers.clone(),
            sign_ins: PendingSignIns::default(),
            rules: rules.clone(),
        });
        let library = LibraryService::new(store.clone(), window_link.clone());
        let runs = RunService {
            folder: folder.clone(),
            store: store.clone(),
            settings: settings.clone(),
            vault: vault.clone(),
            pipelines: pipelines.clone(),
            world: world.clone(),
            tool_servers: tool_servers.clone(),
            answers,
            pulse,
            instructions: Arc::new(SavedInstructions::of(&folder)),
            favourites: Arc::new(SavedFavourites::of(&folder)),
            files,
            window_link: window_link.clone(),
            net,
            program: program.clone(),
            accounts: accounts.clone(),
            live: Arc::default(),
            edits: Arc::default(),
            saved_files: Arc::default(),
            keeping: TaskTracker::new(),
        };
        let evaluations = EvaluationService::new(&runs, rules);
        let schedules = ScheduleService::new(
            folder.clone(),
            store.clone(),
            settings.clone(),
            runs.clone(),
            options.schedule_clock,
            options.sets_timer,
        );
        let worker =
            WorkerService { settings: settings.clone(), queue, world, tool_servers: tool_servers.clone() };
        let doctor = Doctor {
            folder: folder.clone(),
            store: store.clone(),
            settings,
            vault,
            prices,
            pipelines,
            window_link,
            program: program.clone(),
            accounts: accounts.clone(),
        };
        runs.start_emptying_trash();
        let services = Services {
            folder,
            store,
            tool_servers,
            program,
            accounts,
            library,
            runs,
            evaluations,
            schedules,
            doctor,
            worker,
        };
        Ok(Desk { services: Arc::new(services) })
    }

    /// The commands of the desk as a whole.
    pub(crate) fn desk(&self) -> &Desk {
        self
    }

    /// The commands about the data folder, the window, map files and updates.
    pub fn program(&self) -> &ProgramService {
        &self.services.program
    }

    /// The commands about the library.
    pub fn library(&self) -> &LibraryService {
        &self.services.library
    }

    /// The commands about profiles, keys, settings, prices, tools and the ledger.
    pub fn accounts(&self) -> &AccountService {
        &self.services.accounts
    }

    /// The commands about runs.
    pub fn runs(&self) -> &RunService {
        &self.services.runs
    }

    /// The commands about data sets and evaluations.
    pub fn evaluations(&self) -> &EvaluationService {
        &self.services.evaluations
    }

    /// The schedules.
    pub fn schedules(&self) -> &ScheduleService {
        &self.services.schedules
    }

    /// The checks of the program's setup.
    pub fn doctor(&self) -> &Doctor {
        &self.services.doctor
    }

    /// The worker for sub-tasks of other machines.
    pub fn worker(&self) -> &WorkerService {
        &self.services.worker
    }

    /// The data folder.
    pub fn folder(&self) -> &Path {
        &self.services.folder
    }

    /// The unreadable parts of damaged runs that were left out so far, where the options allow it.
    pub fn missing(&self) -> Missing {
        self.services.store.missing()
    }

    /// Stops the runs, saves received text, and closes the database.
    pub async fn close(&self) {
        let Services { program, tool_servers, runs, evaluations, schedules, store, .. } = &*self.services;
        schedules.stop();
        // First, so that no further cell starts.
        let evaluations = evaluations.cancel_all();
        let handles = runs.cancel_all();
        let mut ended = pin!(async {
            for evaluation in evaluations {
                evaluation.ended().await;
            }
            for handle in handles {
                handle.ended().await;
            }
            tool_servers.loaded.close().await;
            runs.until_saved().await;
        });
        // A small copy is complete by then. An unfinished copy of a large one is deleted and made again later.
        if timeout(COPYING, &mut ended).await.is_err() {
            store.stop_copies();
            program.give_up_exports();
            ended.await;
        }
        store.close().await;
    }

    /// Closes within `limit`, then waits some seconds more for token renewals of tool servers: interrupting one would
    /// lose the sign-in.
    pub async fn close_within(&self, limit: Duration) {
        let _ended = timeout(limit, self.close()).await;
        self.services.tool_servers.loaded.finish_tokens().await;
    }
}

async fn open_store(folder: PathBuf) -> Result<Store, ApiError> {
    let open = move || {
        access::make_folder(&folder).map_err(|error| unwritable(&folder, &error))?;
        access::restrict(&folder);
        Ok(Store::open(&folder)?)
    };
    tokio::task::spawn_blocking(open).await.map_err(|_| interrupted())?
}

/// The program's own tools. Those for slots may cost money.
fn own_tools(parts: &ToolParts, prices: &Arc<PriceList>) -> impl Iterator<Item = Arc<dyn Tool>> {
    let priced = move |tool: &OfferedTool| -> Arc<dyn Tool> {
        Arc::new(PricedTool { tool: (tool.make)(parts), prices: prices.clone() })
    };
    let general = GENERAL_TOOLS.iter().map(move |tool| (tool.make)(parts));
    offered_tools().map(priced).chain(general)
}

fn unwritable(folder: &Path, error: &std::io::Error) -> ApiError {
    let message = phrase!(
        "The data folder {folder} cannot be made or written: {error}; choose another with --data-dir or mend its permissions",
        folder = folder.display(),
        error
    );
    ApiError::new(Code::ReadOnly, message)
}

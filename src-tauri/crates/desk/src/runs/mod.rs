//! Runs: preparation, start, control, watches, history, replay and export.

mod activity;
pub(crate) mod agents;
pub(crate) mod answers;
pub(crate) mod citations;
mod comparison;
pub(crate) mod definitions;
pub(crate) mod earlier_runs;
pub(crate) mod edits;
pub(crate) mod export;
pub(crate) mod exported_trips;
pub(crate) mod favourites;
pub(crate) mod files;
mod held_elsewhere;
pub(crate) mod history;
pub(crate) mod import;
mod inputs;
pub(crate) mod instructions;
pub(crate) mod made_files;
mod own_files;
pub(crate) mod pictures;
pub(crate) mod pipeline_texts;
mod places;
pub(crate) mod plan_files;
mod questions;
mod repeats;
pub(crate) mod replays;
mod rewrites;
mod routing;
pub(crate) mod run_control;
pub(crate) mod steering;
pub(crate) mod steps;
pub(crate) mod time_limits;
pub(crate) mod tool_slots;
mod unattended;
pub(crate) mod views;
pub(crate) mod watch;

use std::collections::{HashMap, VecDeque};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use engine::{RunHandle, World};
use interpreter::Pipeline;
use kernel::RunId;
use net::Net;
use store::Store;
use tokio_util::task::TaskTracker;
use vault::Vault;

use crate::ApiError;
use crate::accounts::AccountService;
use crate::accounts::saved_tool_servers::SavedToolServers;
use crate::pipeline_directory::PipelineDirectory;
use crate::program::ProgramService;
use crate::program::window::WindowLink;
use crate::settings::Settings;
use answers::Answers;
use favourites::SavedFavourites;
use files::RunFolders;
use instructions::SavedInstructions;

/// The commands about runs and what they are made of: pipelines, instructions and favourites. Clones share one service.
#[derive(Clone)]
pub struct RunService {
    /// The data folder, where plan templates are.
    pub(crate) folder: PathBuf,
    pub(crate) store: Store,
    pub(crate) settings: Arc<Settings>,
    pub(crate) vault: Arc<Vault>,
    pub(crate) pipelines: Arc<PipelineDirectory>,
    pub(crate) world: World,
    pub(crate) tool_servers: Arc<SavedToolServers>,
    pub(crate) answers: Arc<Answers>,
    /// Changes whenever a run starts, ends or asks.
    pub(crate) pulse: Arc<tokio::sync::watch::Sender<()>>,
    pub(crate) instructions: Arc<SavedInstructions>,
    pub(crate) favourites: Arc<SavedFavourites>,
    pub(crate) files: Arc<RunFolders>,
    pub(crate) window_link: WindowLink,
    /// The network client for pictures, which the person opens.
    pub(crate) net: Net,
    pub(crate) program: Arc<ProgramService>,
    pub(crate) accounts: Arc<AccountService>,
    /// The runs of this process until they end.
    pub(crate) live: Arc<Mutex<HashMap<RunId, RunHandle>>>,
    /// Serializes edits: each holds its run meanwhile.
    pub(crate) edits: Arc<tokio::sync::Mutex<()>>,
    /// Files that were saved lately, which may be shown in the file manager.
    pub(crate) saved_files: Arc<Mutex<VecDeque<String>>>,
    /// Tasks that still save data of ended runs.
    pub(crate) keeping: TaskTracker,
}

impl RunService {
    fn live(&self) -> MutexGuard<'_, HashMap<RunId, RunHandle>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The pipeline of a run as it was at the start.
    async fn pipeline_of_run(&self, run: &RunId, pipeline: &str) -> Result<Arc<Pipeline>, ApiError> {
        if self.pipelines.is_own(pipeline) {
            return self.pipelines.get(pipeline);
        }
        let start = self.store.start(run).await?;
        self.pipelines.of_run(&start.definition)
    }
}

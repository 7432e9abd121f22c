//! Evaluations: data sets, and pipelines that are tried on them by several choices.
//!
//! Not here: what is expected and how choices are compared (the crate `evaluation`).

mod budget;
mod cell_run;
mod cells;
mod execution;
mod plan;
mod report;
mod sets;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use engine::World;
use store::Store;

use crate::accounts::permissions::SavedRules;
use crate::pipeline_directory::PipelineDirectory;
use crate::runs::RunService;
use crate::runs::answers::{Answers, QuestionPolicy};
pub use execution::{EvaluationHandle, EvaluationProgress};

/// The commands about data sets and evaluations. Clones share one service.
#[derive(Clone)]
pub struct EvaluationService {
    store: Store,
    pipelines: Arc<PipelineDirectory>,
    /// Starts runs whose questions are answered with their default, and whose tools nobody allows.
    runs: RunService,
    /// The evaluations of this process until they end; those that could not go on stay.
    live: Arc<Mutex<HashMap<String, EvaluationHandle>>>,
}

impl EvaluationService {
    /// The evaluations of these runs. Whoever answers the questions of other runs is not asked by them.
    pub(crate) fn new(runs: &RunService, rules: Arc<SavedRules>) -> EvaluationService {
        let answers = Answers::new(QuestionPolicy::Defaults, runs.pulse.clone(), rules);
        let world = World { user_prompt: Arc::new(answers), ..runs.world.clone() };
        EvaluationService {
            store: runs.store.clone(),
            pipelines: runs.pipelines.clone(),
            runs: RunService { world, ..runs.clone() },
            live: Arc::default(),
        }
    }

    fn live(&self) -> MutexGuard<'_, HashMap<String, EvaluationHandle>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stops the evaluations of this process, and returns them.
    pub(crate) fn cancel_all(&self) -> Vec<EvaluationHandle> {
        let handles: Vec<EvaluationHandle> = self.live().values().cloned().collect();
        handles.iter().for_each(EvaluationHandle::cancel);
        handles
    }
}

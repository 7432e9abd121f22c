//! Starts, stops and resumes evaluations, and works on their cells, several at once.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use engine::CancellationToken;
use futures::{StreamExt, stream};
use kernel::{Code, RunId, phrase};
use tokio::sync::watch;

use super::budget::Budget;
use super::cells::{Cell, CellStep};
use super::plan::Plan;
use super::{EvaluationService, report};
use crate::ApiError;
use crate::api::{EvaluationRef, EvaluationStatus, Nothing, ResumeEvaluation, StartEvaluation};
use crate::runs::run_control::new_id;

/// Cells at once where the person names no number.
const AT_ONCE: u32 = 2;
/// Most cells at once.
const MOST_AT_ONCE: u32 = 64;

/// How far an evaluation is.
#[derive(Debug, Clone, Default)]
pub struct EvaluationProgress {
    /// Cells with a result.
    pub done: u32,
    /// All cells.
    pub cells: u32,
    /// How it ended in this process; `None` while it works.
    pub ended: Option<EvaluationStatus>,
    /// Why it could not go on.
    pub error: Option<ApiError>,
}

/// An evaluation that this process works on.
#[derive(Clone)]
pub struct EvaluationHandle {
    evaluation: String,
    is_resumed: bool,
    cancel: CancellationToken,
    progress: watch::Receiver<EvaluationProgress>,
}

impl EvaluationHandle {
    /// Its id.
    pub fn evaluation(&self) -> &str {
        &self.evaluation
    }

    /// Whether it goes on with cells of an earlier start.
    pub fn is_resumed(&self) -> bool {
        self.is_resumed
    }

    /// Stops it: no further cell starts, and the running ones are stopped and can be resumed.
    pub fn cancel(&self) {
        self.cancel.cancel();
    }

    /// Follows its progress.
    pub fn progress(&self) -> watch::Receiver<EvaluationProgress> {
        self.progress.clone()
    }

    /// Waits for its end.
    pub async fn ended(&self) -> EvaluationProgress {
        let mut progress = self.progress.clone();
        let ended = progress.wait_for(|progress| progress.ended.is_some()).await;
        match ended {
            Ok(ended) => ended.clone(),
            Err(_) => EvaluationProgress {
                ended: Some(EvaluationStatus::Failed),
                error: Some(ApiError::new(
                    Code::Internal,
                    phrase!("The evaluation broke off by an error of the program; it can be resumed"),
                )),
                ..self.progress.borrow().clone()
            },
        }
    }
}

/// The bounds of the work.
struct Bounds {
    at_once: u32,
    max_cost: Option<f64>,
}

impl Bounds {
    fn of(at_once: Option<u32>, max_cost: Option<f64>) -> Result<Bounds, ApiError> {
        let at_once = at_once.unwrap_or(AT_ONCE);
        if !(1..=MOST_AT_ONCE).contains(&at_once) {
            let message = phrase!("From 1 to {most} cells can be run at once", most = MOST_AT_ONCE);
            return Err(ApiError::new(Code::BadInput, message));
        }
        if max_cost.is_some_and(|most| !most.is_finite() || most < 0.0) {
            let message = phrase!("The most money of an evaluation is a number of US dollars from 0 on");
            return Err(ApiError::new(Code::BadInput, message));
        }
        Ok(Bounds { at_once, max_cost })
    }
}

impl EvaluationService {
    pub(crate) async fn start_evaluation(&self, request: StartEvaluation) -> Result<EvaluationRef, ApiError> {
        Ok(EvaluationRef { evaluation: self.start(request).await?.evaluation })
    }

    /// Starts an evaluation. Where the same one is not finished yet, that one goes on instead.
    ///
    /// # Errors
    /// `not_found` for an unknown set, pipeline or profile; `bad_input` for inputs or choices that cannot be run.
    pub async fn start(&self, request: StartEvaluation) -> Result<EvaluationHandle, ApiError> {
        let bounds = Bounds::of(request.at_once, request.max_cost)?;
        let plan = self.plan(&request).await?;
        let written = serde_json::to_string(&plan).map_err(|error| {
            let message = phrase!("The evaluation cannot be written: {error}", error);
            ApiError::new(Code::Internal, message)
        })?;
        let known = self.store.evaluations().await?.into_iter();
        let mut same = known.filter(|known| {
            let is_finished = known.ending.as_deref() == Some(EvaluationStatus::Finished.word());
            !known.is_held && !is_finished && known.data_set == request.set && known.plan == written
        });
        if let Some(open) = same.next().filter(|_| !request.is_new) {
            return self.go_on(open.id, open.data_set, plan, bounds).await;
        }
        let id = new_id();
        self.store.create_evaluation(&id, &request.set, written).await?;
        self.launch(id, request.set, plan, BTreeMap::new(), &bounds).await
    }

    pub(crate) async fn resume_evaluation(
        &self,
        request: ResumeEvaluation,
    ) -> Result<EvaluationRef, ApiError> {
        Ok(EvaluationRef { evaluation: self.resume(request).await?.evaluation })
    }

    /// Goes on with an evaluation that was stopped, ran out of money, or whose process died.
    ///
    /// # Errors
    /// `not_found`; `busy` while a process works on it; `bad_input` when it is finished.
    pub async fn resume(&self, request: ResumeEvaluation) -> Result<EvaluationHandle, ApiError> {
        let bounds = Bounds::of(request.at_once, request.max_cost)?;
        let id = self.store.resolve_evaluation(&request.evaluation).await?;
        let stored = self.store.evaluation(&id).await?;
        if stored.ending.as_deref() == Some(EvaluationStatus::Finished.word()) {
            let message = phrase!("The evaluation {id} is finished: nothing is left to resume", id);
            return Err(ApiError::new(Code::BadInput, message));
        }
        let plan = report::read_plan(&stored)?;
        self.go_on(id, stored.data_set, plan, bounds).await
    }

    async fn go_on(
        &self,
        id: String,
        set: String,
        plan: Plan,
        bounds: Bounds,
    ) -> Result<EvaluationHandle, ApiError> {
        self.store.hold_evaluation(&id).await?;
        let cells = self.cells_of(&id).await?;
        self.launch(id, set, plan, cells, &bounds).await
    }

    pub(crate) async fn stop_evaluation(&self, evaluation: EvaluationRef) -> Result<Nothing, ApiError> {
        let id = self.store.resolve_evaluation(&evaluation.evaluation).await?;
        let Some(handle) = self.live().get(&id).cloned() else {
            let message =
                phrase!("This process does not work on the evaluation {id}; stop it where it runs", id);
            return Err(ApiError::new(Code::Busy, message));
        };
        handle.cancel();
        Ok(Nothing {})
    }

    async fn launch(
        &self,
        id: String,
        set: String,
        plan: Plan,
        cells: BTreeMap<u32, Cell>,
        bounds: &Bounds,
    ) -> Result<EvaluationHandle, ApiError> {
        let spent = self.spent(&cells).await?;
        let done = cells.values().filter(|cell| cell.result.is_some()).count();
        let begun = EvaluationProgress {
            done: u32::try_from(done).unwrap_or(u32::MAX),
            cells: plan.cells(),
            ..EvaluationProgress::default()
        };
        let (progress, follower) = watch::channel(begun);
        let cancel = CancellationToken::new();
        let handle = EvaluationHandle {
            evaluation: id.clone(),
            is_resumed: !cells.is_empty(),
            cancel: cancel.clone(),
            progress: follower,
        };
        let execution = Execution {
            service: self.clone(),
            id: id.clone(),
            set,
            plan,
            budget: Budget::new(bounds.max_cost, spent, bounds.at_once),
            cancel,
            cells: Mutex::new(cells),
            progress,
            is_over: AtomicBool::new(false),
        };
        self.live().insert(id, handle.clone());
        let at_once = bounds.at_once;
        tokio::spawn(async move { execution.work(at_once).await });
        Ok(handle)
    }

    /// What the runs of these cells cost so far, in US dollars.
    async fn spent(&self, cells: &BTreeMap<u32, Cell>) -> Result<f64, ApiError> {
        let mut spent = 0.0;
        for cell in cells.values() {
            if let Some(result) = &cell.result {
                spent += (result.spent + result.judging).cost.unwrap_or_default();
                continue;
            }
            for run in cell.run.iter().chain(cell.judges.values()) {
                match self.store.standing(&RunId(run.clone())).await {
                    Ok((_, fold)) => spent += fold.usage.cost.unwrap_or_default(),
                    // It did not begin.
                    Err(error) if error.code == Code::NotFound => {}
                    Err(error) => return Err(error.into()),
                }
            }
        }
        Ok(spent)
    }
}

/// An evaluation at work.
pub(super) struct Execution {
    pub(super) service: EvaluationService,
    id: String,
    /// The name of the set.
    pub(super) set: String,
    pub(super) plan: Plan,
    pub(super) budget: Budget,
    pub(super) cancel: CancellationToken,
    cells: Mutex<BTreeMap<u32, Cell>>,
    progress: watch::Sender<EvaluationProgress>,
    /// Set when no further cell may start.
    is_over: AtomicBool,
}

impl Execution {
    /// Works on all cells, then writes how it ended.
    async fn work(self, at_once: u32) {
        let (mut ending, mut error) = (EvaluationStatus::Finished, None);
        let open = (0..self.plan.cells()).filter(|number| self.cell(*number).result.is_none());
        let open: Vec<u32> = open.collect();
        let mut steps = stream::iter(open).map(|number| self.step(number)).buffer_unordered(at_once as usize);
        while let Some(step) = steps.next().await {
            match step {
                Ok(Some(CellStep::Done)) => self.progress.send_modify(|progress| progress.done += 1),
                Ok(Some(CellStep::OutOfMoney)) => ending = EvaluationStatus::Limited,
                Ok(Some(CellStep::Stopped)) | Ok(None) if self.cancel.is_cancelled() => {
                    ending = EvaluationStatus::Stopped;
                }
                Ok(_) => {}
                Err(found) => {
                    self.cancel.cancel();
                    error.get_or_insert(found);
                }
            }
            if ending != EvaluationStatus::Finished || error.is_some() {
                self.is_over.store(true, Ordering::Relaxed);
            }
        }
        drop(steps);
        if error.is_some() {
            ending = EvaluationStatus::Failed;
        }
        if let Err(failed) = self.service.store.end_evaluation(&self.id, ending.word()).await {
            error.get_or_insert(failed.into());
        }
        // Why it could not go on is told as long as this process lives.
        if error.is_none() {
            self.service.live().remove(&self.id);
        }
        self.progress.send_modify(|progress| {
            progress.ended = Some(ending);
            progress.error = error;
        });
    }

    /// Works on a cell, unless no further one may start.
    async fn step(&self, number: u32) -> Result<Option<CellStep>, ApiError> {
        if self.is_over.load(Ordering::Relaxed) || self.cancel.is_cancelled() {
            return Ok(None);
        }
        self.work_on(number).await.map(Some)
    }

    /// The cell as it is stored.
    pub(super) fn cell(&self, number: u32) -> Cell {
        let cells = self.cells.lock().unwrap_or_else(PoisonError::into_inner);
        cells.get(&number).cloned().unwrap_or_default()
    }

    /// Stores a cell.
    pub(super) async fn save(&self, number: u32, cell: &Cell) -> Result<(), ApiError> {
        let content = serde_json::to_string(cell).map_err(|error| {
            ApiError::new(Code::Internal, phrase!("The evaluation cannot be written: {error}", error))
        })?;
        self.service.store.put_cell(&self.id, number, content).await?;
        self.cells.lock().unwrap_or_else(PoisonError::into_inner).insert(number, cell.clone());
        Ok(())
    }
}

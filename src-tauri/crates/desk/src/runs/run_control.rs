//! Starts, stops, resumes, corrects and forks runs.

use std::sync::Arc;

use engine::{Continuation, Fork, RunHandle, World};
use interpreter::Pipeline;
use kernel::{
    AgentChange, Code, Definition, Delta, Overrides, QuestionKind, RunId, SessionId, Start, Value, phrase,
};

use crate::ApiError;
use crate::accounts::checks::checked_changes;
use crate::api::{CorrectAnswer, ForkRun, Nothing, ResumeRun, RunRef, StartRun};
use crate::runs::RunService;
use crate::runs::definitions::Prepared;
use crate::runs::held_elsewhere::ToHolder;
use crate::runs::places::{known_gates, known_settings};
use crate::runs::replays::{refuse_incomplete, refuse_lost};

impl RunService {
    pub(crate) async fn start_run(&self, request: StartRun) -> Result<RunRef, ApiError> {
        let handle = self.start(request).await?;
        Ok(reference(&handle))
    }

    /// Starts a run and returns its handle, for hosts that wait for its end.
    ///
    /// # Errors
    /// `bad_input` for an invalid request; otherwise the first events cannot be stored.
    pub async fn start(&self, request: StartRun) -> Result<RunHandle, ApiError> {
        let pipeline = self.pipelines.get(&request.pipeline)?;
        self.start_as(RunId(new_id()), pipeline, request).await
    }

    /// Starts a run with this id by this version of its pipeline.
    pub(crate) async fn start_as(
        &self,
        run: RunId,
        pipeline: Arc<Pipeline>,
        request: StartRun,
    ) -> Result<RunHandle, ApiError> {
        self.prepare_foreign_tools(pipeline.as_ref()).await?;
        let prepared = self.prepare_as(pipeline, &request).await?;
        self.begin(self.world.clone(), run, prepared, request.session).await
    }

    /// Starts a run with these implementations of the ports, after a change of its definition.
    pub(crate) async fn start_in(
        &self,
        world: World,
        request: StartRun,
        change: impl FnOnce(&mut Definition),
    ) -> Result<RunHandle, ApiError> {
        self.prepare_foreign_tools(&*self.pipelines.get(&request.pipeline)?).await?;
        let mut prepared = self.prepare(&request).await?;
        change(&mut prepared.definition);
        self.begin(world, RunId(new_id()), prepared, request.session).await
    }

    async fn begin(
        &self,
        world: World,
        run: RunId,
        prepared: Prepared,
        session: Option<String>,
    ) -> Result<RunHandle, ApiError> {
        let session = match session.filter(|session| !session.trim().is_empty()) {
            Some(session) => self.known_session(SessionId(session)).await?,
            None => SessionId(new_id()),
        };
        let start = Start {
            run,
            session,
            at_ms: now_ms(),
            definition: prepared.definition,
            inputs: prepared.inputs,
            origin: None,
        };
        let handle = engine::start(world, prepared.root, start).await?;
        self.keep(handle.clone());
        Ok(handle)
    }

    async fn known_session(&self, session: SessionId) -> Result<SessionId, ApiError> {
        if self.store.session(&session).await?.is_some() {
            return Ok(session);
        }
        let message = phrase!(
            "There is no session `{session}`. Name that of an earlier run, or none for a new one",
            session = session.0
        );
        Err(ApiError::new(Code::NotFound, message))
    }

    pub(crate) async fn stop_run(&self, run: RunRef) -> Result<Nothing, ApiError> {
        let id = self.store.resolve_run(&run.run).await?;
        if self.is_held_elsewhere(&id).await? {
            return self.ask_holder(&id, &ToHolder::StopRun(RunRef { run: id.0.clone() })).await;
        }
        self.stop_run_here(&RunRef { run: id.0 })
    }

    pub(crate) fn stop_run_here(&self, run: &RunRef) -> Result<Nothing, ApiError> {
        let id = RunId(run.run.clone());
        let Some(handle) = self.handle(&id) else {
            let message = phrase!("Run {id} does not run; nothing is to be stopped", id);
            return Err(ApiError::new(Code::Busy, message));
        };
        handle.cancel();
        Ok(Nothing {})
    }

    pub(crate) async fn resume_run(&self, request: ResumeRun) -> Result<RunRef, ApiError> {
        Ok(reference(&self.resume(request).await?))
    }

    /// Resumes a run that failed, was stopped, reached a limit, waits, or whose process died.
    ///
    /// # Errors
    /// `bad_input` for a finished run; otherwise it cannot be read or another process holds it.
    pub async fn resume(&self, request: ResumeRun) -> Result<RunHandle, ApiError> {
        self.vault.ask_again();
        checked_changes(&request.limits)?;
        self.prepare_foreign_tools_of_run(&self.store.resolve_run(&request.run).await?).await?;
        request.agent_limits.values().try_for_each(checked_changes)?;
        let of_agent = |(name, limits)| (name, AgentChange { limits, ..AgentChange::default() });
        let overrides = Overrides {
            agents: request.agent_limits.into_iter().map(of_agent).collect(),
            limits: request.limits,
            allowed_tools: self.accounts.known_rules(&request.allow)?,
            gates: request.gates,
            on_failure: request.fallback,
            ..Overrides::default()
        };
        let continuation = Continuation { overrides, ..Continuation::default() };
        self.go_on(&request.run, continuation).await
    }

    pub(crate) async fn correct_answer(&self, request: CorrectAnswer) -> Result<RunRef, ApiError> {
        self.end_at_malformed(&self.store.resolve_run(&request.run).await?).await;
        let correction = Some((request.seq, request.text));
        Ok(reference(
            &self.go_on(&request.run, Continuation { correction, ..Continuation::default() }).await?,
        ))
    }

    /// Stops a run that asks about an unusable answer, so that the answer can be corrected.
    async fn end_at_malformed(&self, run: &RunId) {
        let Some(handle) = self.handle(run).filter(|handle| !handle.has_ended()) else { return };
        let open = self.answers.open_questions(run);
        let about_it = open.iter().find(|(_, question)| question.kind == QuestionKind::Malformed);
        let Some((question, _)) = about_it else { return };
        if self.hand_answer(run, *question, engine::STOP.into()).await {
            handle.ended().await;
        }
    }

    pub(crate) async fn go_on(&self, run: &str, continuation: Continuation) -> Result<RunHandle, ApiError> {
        let id = self.store.resolve_run(run).await?;
        let card = self.store.run_card(&id).await?;
        if card.imported.is_some() {
            let message =
                phrase!("The run {id} was made elsewhere. Fork it to go on from any of its events", id);
            return Err(ApiError::new(Code::BadInput, message));
        }
        if card.trashed_at_ms.is_some() {
            let message = phrase!("The run {id} is in the trash. Take it out first, then let it go on", id);
            return Err(ApiError::new(Code::BadInput, message));
        }
        // The lock keeps a run from resuming until an edit is stored.
        let _alone = self.edits.lock().await;
        let log = &self.world.log;
        log.hold(&id).await?;
        let going = async {
            let recorded = log.load(&id).await?;
            refuse_lost(&recorded.start.definition)?;
            let is_resumption = continuation.answer.is_none() && continuation.correction.is_none();
            let end = kernel::RunFold::of(&recorded.events);
            if is_resumption && end.outcome == Some(kernel::Outcome::Finished) && end.error.is_none() {
                let message =
                    phrase!("This run is finished: nothing is left to resume. Fork it to go another way");
                return Err(ApiError::new(Code::BadInput, message));
            }
            let definition = &recorded.start.definition;
            let model_agents: Vec<&str> = definition.agents.keys().map(String::as_str).collect();
            known_settings(&definition.outline, &model_agents, &continuation.overrides.agents)?;
            known_gates(&definition.outline, &continuation.overrides.gates)?;
            let root = self.tree(definition)?;
            engine::go_on(self.world.clone(), root, recorded, continuation).await
        }
        .await;
        match going {
            Ok(handle) => {
                self.keep(handle.clone());
                Ok(handle)
            }
            Err(error) => {
                // A run that cannot resume is released; its own error is returned, not the one of the release.
                if let Err(error) = log.release(&id).await {
                    tracing::warn!(%error, "a run that could not go on is not let go of");
                }
                Err(error)
            }
        }
    }

    pub(crate) async fn fork_run(&self, request: ForkRun) -> Result<RunRef, ApiError> {
        Ok(reference(&self.fork(request).await?))
    }

    /// Forks a run at an event, with changes.
    ///
    /// # Errors
    /// `bad_input` for invalid changes; otherwise the first events cannot be stored.
    pub async fn fork(&self, request: ForkRun) -> Result<RunHandle, ApiError> {
        self.fork_with(request, Delta::default()).await
    }

    /// Forks a run with additional changes of the state by the program.
    pub(crate) async fn fork_with(&self, request: ForkRun, mut delta: Delta) -> Result<RunHandle, ApiError> {
        let id = self.store.resolve_run(&request.run).await?;
        let card = self.store.run_card(&id).await?;
        refuse_incomplete(&card)?;
        self.prepare_foreign_tools_of_run(&id).await?;
        let parent = self.world.log.load(&id).await?;
        let definition = &parent.start.definition;
        let mut overrides = self.overrides(definition, &request)?;
        overrides.forgets_grants = card.imported.is_some();
        let root = self.tree(definition)?;
        let pipeline = self.pipelines.of_run(definition)?;
        self.set_time_of_fork(pipeline.as_ref(), definition, &request, &mut overrides).await;
        let mut state = kernel::fold_state(parent.events.iter().filter(|event| event.seq <= request.at));
        for (key, value) in request.set {
            // A changed draft updates its checks, as an edit does; each change sees the ones before it.
            let change = pipeline.edited(&state, &key, Value::new(value.0))?;
            state.apply(&change);
            delta.set.extend(change.set);
        }
        // In an imported run, a permission of another person for a call that is not done yet is asked for again.
        let at = match card.imported {
            Some(_) => engine::decided_until(&parent.events, request.at),
            None => request.at,
        };
        if at != request.at && request.result.is_some() {
            let message = phrase!(
                "Before event {at} of this imported run something waits for a decision of yours, so nothing can be replaced there; fork it at event {earlier} first",
                at = request.at,
                earlier = at
            );
            return Err(ApiError::new(Code::BadInput, message));
        }
        let result = request.result.map(|result| result.0);
        let fork = Fork { run: RunId(new_id()), at, overrides, delta, result };
        let handle = engine::fork(self.world.clone(), root, parent, fork).await?;
        self.keep(handle.clone());
        Ok(handle)
    }

    pub(crate) fn handle(&self, run: &RunId) -> Option<RunHandle> {
        self.live().get(run).cloned()
    }

    /// Keeps the handle of a live run until it ends.
    pub(crate) fn keep(&self, handle: RunHandle) {
        self.live().insert(handle.run().clone(), handle.clone());
        let pulse = self.pulse.clone();
        pulse.send_replace(());
        let runs = self.clone();
        self.keeping.spawn(async move {
            tokio::select! {
                _ = handle.ended() => {}
                () = runs.serve_others(handle.run()) => {}
            }
            {
                let mut live = runs.live();
                // A run that resumed at once already has a new handle.
                if live.get(handle.run()).is_some_and(RunHandle::has_ended) {
                    live.remove(handle.run());
                }
            }
            pulse.send_replace(());
            if let Err(error) = runs.store.index_run(handle.run()).await {
                tracing::warn!(%error, "the search does not know this run yet");
            }
            let copy = async {
                if runs.active_runs() == 0 {
                    runs.program.back_up_weekly().await;
                }
            };
            tokio::join!(runs.program.export_spans(&handle), copy);
        });
    }
}

pub(crate) fn reference(handle: &RunHandle) -> RunRef {
    RunRef { run: handle.run().0.clone() }
}

pub(crate) fn new_id() -> String {
    engine::new_id().to_string()
}

pub(crate) fn now_ms() -> i64 {
    engine::now_ms()
}

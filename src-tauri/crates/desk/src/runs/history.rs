//! Reads runs: lists, events, states, histories of keys.

use std::collections::BTreeMap;

use kernel::{Code, Hash, Json, Limits, Role, RunId, Usage, display_state, key_history, phrase};

use crate::ApiError;
use crate::api::{
    ChangeRun, JournalEntry, JournalPage, KeyHistory, KeyOfRun, ListRuns, Moment, Nothing, ReadEvents,
    ReadValue, RunCard, RunCards, RunPage, RunRef, RunStatus, StatePage, WholeValue,
};
use crate::runs::RunService;
use crate::runs::definitions::catalogues;

const MOST_EVENTS: u32 = 500;
/// Runs per page of the list.
const LISTED_AT_ONCE: u32 = 200;
/// Runs per page of search results: each is read for its snippet.
const FOUND_AT_ONCE: u32 = 50;
const MOST_LISTED: u32 = 1_000;
const LONGEST_TITLE: usize = 200;
const LONGEST_TAG: usize = 40;
const MOST_TAGS: usize = 20;
const KEPT_IN_TRASH_MS: i64 = 30 * 24 * 60 * 60 * 1000;

impl RunService {
    pub(crate) async fn list_runs(&self, request: ListRuns) -> Result<RunCards, ApiError> {
        let search = request.search.as_deref().map(str::trim).filter(|search| !search.is_empty());
        let usual = if search.is_some() { FOUND_AT_ONCE } else { LISTED_AT_ONCE };
        let limit = request.limit.unwrap_or(usual).min(MOST_LISTED);
        let before = match request.before.as_deref() {
            Some(run) => Some(self.store.resolve_run(run).await?),
            None => None,
        };
        let store = &self.store;
        let cards = |runs: Vec<store::RunCard>| runs.into_iter().map(|card| self.card(card)).collect();
        if request.is_trash {
            let runs = cards(store.list_trash(limit).await?);
            return Ok(RunCards { runs, found: None, not_indexed: None });
        }
        let Some(search) = search else {
            let runs = cards(store.list_runs(before.as_ref(), limit).await?);
            return Ok(RunCards { runs, found: None, not_indexed: None });
        };
        let found = store.search_runs(search, before.as_ref(), limit).await?;
        Ok(RunCards {
            runs: cards(found.runs),
            found: Some(found.found),
            not_indexed: Some(found.not_indexed),
        })
    }

    /// Indexes every run for the search, for hosts that end before the background task.
    ///
    /// # Errors
    /// The database cannot be read or written.
    pub async fn prepare_run_search(&self) -> Result<(), ApiError> {
        Ok(self.store.index_runs().await?)
    }

    pub(crate) fn card(&self, card: store::RunCard) -> RunCard {
        use kernel::Outcome;
        let is_refused = self.handle(&card.run).is_some_and(|handle| handle.refused().borrow().is_some());
        let status = match (card.held_by, card.outcome) {
            (Some(_), _) if card.waits_for_disk || is_refused => RunStatus::WaitingForDisk,
            (Some(_), _) => RunStatus::Running,
            (None, Some(Outcome::Finished)) => RunStatus::Finished,
            (None, Some(Outcome::Failed)) => RunStatus::Failed,
            (None, Some(Outcome::Limited)) => RunStatus::Limited,
            (None, Some(Outcome::Waiting)) => RunStatus::Waiting,
            (None, Some(Outcome::Cancelled)) => RunStatus::Cancelled,
            (None, None) => RunStatus::Interrupted,
        };
        let is_waiting = self.answers.is_asking(&card.run);
        RunCard {
            status: if is_waiting { RunStatus::Waiting } else { status },
            run: card.run.0,
            session: card.session.0,
            pipeline: card.pipeline,
            title: card.title,
            started_at_ms: card.started_at_ms,
            last_at_ms: card.last_at_ms,
            last_seq: card.last_seq,
            is_raised: card.is_raised,
            origin: card.origin,
            is_pinned: card.is_pinned,
            trashed_at_ms: card.trashed_at_ms,
            tags: card.tags,
            imported: card.imported.map(|imported| imported.left_out),
            snippet: card.snippet,
        }
    }

    pub(crate) async fn change_run(&self, request: ChangeRun) -> Result<RunCard, ApiError> {
        let id = self.store.resolve_run(&request.run).await?;
        let title = request.title.map(|title| title.split_whitespace().collect::<Vec<_>>().join(" "));
        if title.as_ref().is_some_and(|title| title.chars().count() > LONGEST_TITLE) {
            let message = phrase!("A title has at most {most} characters; shorten it", most = LONGEST_TITLE);
            return Err(ApiError::new(Code::BadInput, message));
        }
        let tags = request.tags.map(checked_tags).transpose()?;
        self.store.mark_run(&id, title, request.is_pinned, tags).await?;
        Ok(self.card(self.store.run_card(&id).await?))
    }

    pub(crate) async fn trash_run(&self, run: RunRef) -> Result<Nothing, ApiError> {
        self.store.trash_run(&self.store.resolve_run(&run.run).await?, true).await?;
        Ok(Nothing {})
    }

    pub(crate) async fn erase_run(&self, run: RunRef) -> Result<Nothing, ApiError> {
        let id = self.store.resolve_run(&run.run).await?;
        self.store.erase_run(&id).await?;
        self.files.erase(&id);
        Ok(Nothing {})
    }

    /// Erases old runs of the trash while the desk opens.
    pub(crate) fn start_emptying_trash(&self) {
        let runs = self.clone();
        self.keeping.spawn(async move { runs.empty_trash().await });
    }

    /// Erases old runs of the trash. A failure is retried at the next start.
    async fn empty_trash(&self) {
        match self.store.erase_trashed(KEPT_IN_TRASH_MS).await {
            Ok(0) => {}
            Ok(runs) => tracing::info!(runs, "runs were erased that had been in the trash for a month"),
            Err(error) => tracing::warn!(%error, "the trash could not be emptied"),
        }
        for run in self.files.runs() {
            let is_gone = self.store.run_card(&run).await.is_err_and(|error| error.code == Code::NotFound);
            if is_gone {
                self.files.erase(&run);
            }
        }
    }

    pub(crate) async fn restore_run(&self, run: RunRef) -> Result<RunCard, ApiError> {
        let id = self.store.resolve_run(&run.run).await?;
        self.store.trash_run(&id, false).await?;
        Ok(self.card(self.store.run_card(&id).await?))
    }

    pub(crate) async fn open_run(&self, run: RunRef) -> Result<RunPage, ApiError> {
        let id = self.store.resolve_run(&run.run).await?;
        // The card is read first: a run that ends in between is then shown as running with its end, never as ended
        // without one.
        let card = self.card(self.store.run_card(&id).await?);
        let (start, fold) = self.store.standing(&id).await?;
        let inherited = match &card.origin {
            Some(origin) => self.store.shown_at(&id, origin.seq).await?.fold.usage,
            None => Usage::default(),
        };
        let definition = start.definition;
        let pipeline = self.pipelines.of_run(&definition)?;
        let profile = fold.profiles_now(&definition).into_values().next().unwrap_or_default();
        let profiles = definition.profiles();
        let limits = Limits {
            max_execution_time_s: fold.time_limit_now(&definition),
            ..fold.limits_now(definition.limits)
        };
        let is_interrupted = card.status == RunStatus::Interrupted;
        let without_model = fold.agents_without_model();
        Ok(RunPage {
            card,
            keys: pipeline.keys().to_vec(),
            notes: definition.notes,
            words: catalogues(&pipeline),
            inherited,
            usage: if is_interrupted { fold.usage.interrupted() } else { fold.usage },
            limits,
            most_attempts: u32::try_from(engine::MAX_RETRIES + 1).unwrap_or(u32::MAX),
            profile,
            profiles,
            tools: definition.tools,
            as_of: definition.as_of,
            outline: definition.outline,
            outcome: fold.outcome,
            without_model,
            error: fold.error,
        })
    }

    pub(crate) async fn read_events(&self, request: ReadEvents) -> Result<JournalPage, ApiError> {
        let id = self.store.resolve_run(&request.run).await?;
        let limit = request.limit.clamp(1, MOST_EVENTS);
        let store = &self.store;
        let events = match request.is_whole {
            true => store.whole_events(&id, request.from_seq, limit).await?,
            false => store.events(&id, request.from_seq, limit).await?,
        };
        Ok(JournalPage { entries: events.into_iter().map(entry).collect() })
    }

    pub(crate) async fn read_value(&self, request: ReadValue) -> Result<WholeValue, ApiError> {
        let (hash, store) = (Hash(request.hash), &self.store);
        let value = match store.value(&hash).await {
            Err(error) if error.code == Code::NotFound => {
                let run = self.store.resolve_run(&request.run).await?;
                let mut events = store.picked_events(&run, vec![request.seq]).await?;
                let values = events.iter_mut().flat_map(kernel::Event::values_mut);
                values
                    .into_iter()
                    .find(|value| !value.is_stored() && value.hash() == hash)
                    .cloned()
                    .ok_or(error)?
            }
            value => value?,
        };
        Ok(WholeValue { value: Json(value.json_or_null().clone()) })
    }

    pub(crate) async fn state_at(&self, moment: Moment) -> Result<StatePage, ApiError> {
        let id = self.store.resolve_run(&moment.run).await?;
        let card = self.store.run_card(&id).await?;
        let seq = moment.seq.unwrap_or(card.last_seq);
        if seq > card.last_seq {
            let message = phrase!(
                "Run {id} has no event {seq}; its last is {last_seq}",
                id,
                seq,
                last_seq = card.last_seq
            );
            return Err(ApiError::new(Code::NotFound, message));
        }
        let state = self.store.state_at(&id, seq).await?;
        let pipeline = self.pipeline_of_run(&id, &card.pipeline).await?;
        let keys = pipeline.keys();
        let text = display_state(&state, keys.iter().map(|key| key.name.as_str()));
        let state: BTreeMap<String, Json> =
            state.iter().map(|(key, value)| (key.to_owned(), Json(value.json_or_null().clone()))).collect();
        Ok(StatePage { seq, state, text })
    }

    pub(crate) async fn key_history(&self, request: KeyOfRun) -> Result<KeyHistory, ApiError> {
        let id = self.store.resolve_run(&request.run).await?;
        let card = self.store.run_card(&id).await?;
        let pipeline = self.pipeline_of_run(&id, &card.pipeline).await?;
        let keys = pipeline.keys();
        if !keys.iter().any(|key| key.name == request.key) {
            let names: Vec<&str> = keys.iter().map(|key| key.name.as_str()).collect();
            let message =
                phrase!("There is no key `{key}`; there is {known}", key = request.key, known = names);
            return Err(ApiError::new(Code::NotFound, message));
        }
        let events = self.store.key_events(&id, &request.key).await?;
        Ok(KeyHistory { changes: key_history(&events, &request.key) })
    }

    /// The final text of a run in this state, with its mandatory remark, for hosts that print them.
    ///
    /// # Errors
    /// The run's start cannot be read.
    pub async fn result_texts(
        &self,
        run: &RunId,
        pipeline: &str,
        state: &kernel::State,
    ) -> Result<(Option<String>, Option<String>), ApiError> {
        let pipeline = self.pipeline_of_run(run, pipeline).await?;
        let of_role = |fits: fn(&Role) -> bool| {
            let key = pipeline.keys().iter().find(|key| fits(&key.role))?;
            let text = state.get(&key.name)?.as_str()?.to_owned();
            (!text.is_empty()).then_some(text)
        };
        Ok((of_role(|role| matches!(role, Role::Final)), of_role(|role| matches!(role, Role::Remark))))
    }
}

/// Normalizes tags: one line each, no duplicates, none empty.
fn checked_tags(tags: Vec<String>) -> Result<Vec<String>, ApiError> {
    let mut checked: Vec<String> = Vec::new();
    for tag in tags {
        let tag = tag.split_whitespace().collect::<Vec<_>>().join(" ");
        if !tag.is_empty() && !checked.contains(&tag) {
            checked.push(tag);
        }
    }
    if checked.len() > MOST_TAGS || checked.iter().any(|tag| tag.chars().count() > LONGEST_TAG) {
        let message = phrase!(
            "A run has at most {most} tags of at most {longest} characters; shorten them",
            most = MOST_TAGS,
            longest = LONGEST_TAG
        );
        return Err(ApiError::new(Code::BadInput, message));
    }
    Ok(checked)
}

pub(crate) fn entry(event: kernel::Event) -> JournalEntry {
    JournalEntry { kind: kernel::kind(&event.fact), is_trouble: kernel::is_trouble(&event.fact), event }
}

//! The questions of runs: lists them, and answers them by number in any process.

use std::time::Duration;

use engine::{Continuation, Reply, RunHandle};
use kernel::{Code, Effect, Event, Fact, Path, Question, RunId, Seq, Value, phrase};
use tokio::time::{Instant, timeout_at};

use crate::ApiError;
use crate::api::{AnswerRun, ListQuestions, OpenQuestion, OpenQuestions, RunRef};
use crate::runs::RunService;
use crate::runs::held_elsewhere::ToHolder;
use crate::runs::run_control::reference;

/// How long an answer waits until a resumed run asks its question again.
const ASKS_AGAIN_WITHIN: Duration = Duration::from_secs(5);

/// How long an answer waits to be stored.
const STORED_WITHIN: Duration = Duration::from_secs(5);
/// Most characters of each text in a displayed item, and most parts of it.
const ITEM_CHARS: usize = 80;
const ITEM_PARTS: usize = 8;
/// Events that are read at once.
const PAGE: u32 = 200;

impl RunService {
    pub(crate) async fn answer_run(&self, request: AnswerRun) -> Result<RunRef, ApiError> {
        let id = self.store.resolve_run(&request.run).await?;
        if self.is_held_elsewhere(&id).await? {
            let request = AnswerRun { run: id.0.clone(), ..request };
            return self.ask_holder(&id, &ToHolder::AnswerRun(request)).await;
        }
        // The person is there, so the keyring may prompt again.
        self.vault.ask_again();
        let mut pulse = self.pulse.subscribe();
        let until = Instant::now() + ASKS_AGAIN_WITHIN;
        loop {
            if self.answered_here(&id, &request).await? {
                return Ok(RunRef { run: id.0 });
            }
            match self.answer(request.clone()).await {
                // The page may still show the question of a run that is being resumed and asks it again in a moment.
                Err(error)
                    if error.code == Code::Busy && timeout_at(until, pulse.changed()).await.is_ok() => {}
                answered => return Ok(reference(&answered?)),
            }
        }
    }

    /// Answers an open question of a run of this process.
    pub(crate) async fn answer_run_here(&self, request: AnswerRun) -> Result<RunRef, ApiError> {
        let id = RunId(request.run.clone());
        if self.answered_here(&id, &request).await? {
            return Ok(RunRef { run: id.0 });
        }
        let message = phrase!("This run waits for no answer; `galley show RUN` tells how it stands");
        Err(ApiError::new(Code::BadInput, message))
    }

    /// Passes an answer to the run of this process that asks the question. False when there is none.
    async fn answered_here(&self, id: &RunId, request: &AnswerRun) -> Result<bool, ApiError> {
        let open = self.answers.open_questions(id);
        let asked = match (request.question, open.as_slice()) {
            (_, []) => return Ok(false),
            (Some(named), _) => open.iter().find(|(seq, _)| *seq == named),
            (None, [only]) => Some(only),
            (None, _) => None,
        };
        let value = self.checked_answer(id, request.question, Value::new(request.value.0.clone())).await?;
        let asked = match asked {
            Some(asked) => asked,
            None => {
                // The question was answered meanwhile, is asked again, was never asked, or is not named: the events
                // decide.
                let recorded = self.world.log.load(id).await?;
                let (event, _) = engine::asked_question(&recorded.events, request.question)?;
                let Some(again) = open.iter().find(|(seq, _)| *seq == event.seq) else {
                    tracing::debug!(
                        seq = event.seq,
                        "a question is stored before somebody waits for its answer"
                    );
                    return Ok(false);
                };
                again
            }
        };
        let (seq, question) = asked;
        engine::admits(question, &value)?;
        let is_taken = self.hand_answer(id, *seq, value.clone()).await;
        if is_taken {
            let stored = self.until_stored(id, *seq).await;
            // The run continues with this answer even if its events cannot be read.
            self.answers.keep_rule(question, &value);
            stored?;
        }
        Ok(is_taken)
    }

    /// Passes an answer to the agent that waits for it, but not during an edit: an edit that begins while the run asks
    /// is stored before an agent works again. False when no agent of this process waits for it.
    pub(crate) async fn hand_answer(&self, run: &RunId, question: Seq, value: Value) -> bool {
        let _alone = self.edits.lock().await;
        self.answers.answer(run, question, value)
    }

    /// Waits for a limited time until the answer is stored, before acknowledging it. A run that waits for the disk
    /// stores it later.
    async fn until_stored(&self, run: &RunId, question: Seq) -> Result<(), ApiError> {
        let asked = self.store.events(run, question, 1).await?;
        let Some(asked) = asked.first() else { return Ok(()) };
        let is_answer = |event: &Event| {
            event.path == asked.path
                && matches!(event.fact, Fact::EffectAnswered { asked: n, .. } if n == asked.n)
        };
        let until = Instant::now() + STORED_WITHIN;
        let mut next = question + 1;
        while Instant::now() < until {
            let events = self.store.events(run, next, PAGE).await?;
            let Some(last) = events.last() else {
                if self.handle(run).is_none_or(|handle| handle.has_ended()) {
                    return Ok(());
                }
                tokio::time::sleep(STORED_WITHIN / 1000).await;
                continue;
            };
            if events.iter().any(is_answer) {
                return Ok(());
            }
            next = last.seq + 1;
        }
        Ok(())
    }

    /// Answers the question of a run that ended as waiting, and resumes the run.
    ///
    /// # Errors
    /// `bad_input` where the run has no open question, or another one.
    pub async fn answer(&self, request: AnswerRun) -> Result<RunHandle, ApiError> {
        let id = self.store.resolve_run(&request.run).await?;
        let value = self.checked_answer(&id, request.question, Value::new(request.value.0)).await?;
        let reply = Reply { question: request.question, value };
        // Read first: after the run resumes, nothing may fail before the rule of the answer is saved.
        let recorded = self.world.log.load(&id).await?;
        let asked = engine::asked_question(&recorded.events, request.question);
        let continuation = Continuation { answer: Some(reply.clone()), ..Continuation::default() };
        let handle = self.go_on(&request.run, continuation).await?;
        if let Ok((_, question)) = asked {
            self.answers.keep_rule(question, &reply.value);
        }
        Ok(handle)
    }

    pub(crate) async fn list_questions(&self, request: ListQuestions) -> Result<OpenQuestions, ApiError> {
        let runs = match &request.run {
            Some(run) => vec![self.store.resolve_run(run).await?],
            None => {
                let mut runs = self.answers.runs_with_questions();
                let others = self.store.waiting_runs().await?;
                runs.extend(
                    others.into_iter().filter(|run| self.handle(run).is_none_or(|handle| handle.has_ended())),
                );
                runs.sort();
                runs.dedup();
                runs
            }
        };
        let mut questions = Vec::new();
        for run in runs {
            let card = self.store.run_card(&run).await?;
            let is_elsewhere = card.held_by.is_some() && !card.is_held_here;
            let is_of_all = request.run.is_none();
            if card.trashed_at_ms.is_some() || card.imported.is_some() || (is_of_all && is_elsewhere) {
                continue;
            }
            let recorded = self.world.log.load(&run).await?;
            let open = engine::open_questions(&recorded.events).into_iter();
            questions
                .extend(open.filter_map(|event| open_question(&run, &card.title, &recorded.events, event)));
        }
        questions.sort_by_key(|open| open.asked_at_ms);
        Ok(OpenQuestions { questions })
    }
}

fn open_question(run: &RunId, title: &str, events: &[Event], event: &Event) -> Option<OpenQuestion> {
    let Fact::EffectAsked { effect: Effect::Question { question }, .. } = &event.fact else { return None };
    Some(OpenQuestion {
        run: run.0.clone(),
        title: title.to_owned(),
        id: event.seq,
        asked_at_ms: event.at_ms,
        agent: event.author.clone(),
        item: item_of(events, event, question),
        question: question.clone(),
    })
}

/// The beginning of the item of the instance that asks; `None` outside an instance.
fn item_of(events: &[Event], asked: &Event, question: &Question) -> Option<String> {
    let place = asked.path.own_instance()?;
    let item =
        question.at_gate().and_then(|gate| gate.item).or_else(|| started_with(events, asked, &place))?;
    let short = shortened(item.json_or_null());
    Some(short.as_str().map_or_else(|| short.to_string(), str::to_owned))
}

/// The value with shortened texts and lists, still JSON for the page.
fn shortened(value: &serde_json::Value) -> serde_json::Value {
    match value {
        serde_json::Value::String(text) => {
            let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
            match line.char_indices().nth(ITEM_CHARS) {
                Some((end, _)) => format!("{}…", &line[..end]).into(),
                None => line.into(),
            }
        }
        serde_json::Value::Array(parts) => parts.iter().take(ITEM_PARTS).map(shortened).collect(),
        serde_json::Value::Object(fields) => {
            fields.iter().take(ITEM_PARTS).map(|(name, field)| (name.clone(), shortened(field))).collect()
        }
        value => value.clone(),
    }
}

fn started_with(events: &[Event], asked: &Event, place: &Path) -> Option<Value> {
    events.iter().rev().skip_while(|event| event.seq >= asked.seq).find_map(|event| match &event.fact {
        Fact::AgentStarted { instance, .. } if event.path == *place => Some(instance.as_ref()?.input.clone()),
        _ => None,
    })
}

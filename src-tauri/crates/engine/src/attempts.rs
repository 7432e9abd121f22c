//! The attempts of an effect: retries after transient errors, its time limit, and the question for more time.

use std::pin::Pin;
use std::time::Duration;

use backon::BackoffBuilder;
use kernel::{
    Answer, Effect, Error, Fact, Interruption, PermissionAnswer, Question, QuestionKind, Reached, Seq, Value,
};
use serde::Serialize;
use serde_json::json;

use crate::admission::{self, Admitted};
use crate::effect_journal::EffectResult;
use crate::log_hold::allow_disk_refusal;
use crate::{AgentError, Cx, UserAnswer, World, questions};

/// Most retries of one call after transient errors. Retries do not count against the limit of calls.
pub const MAX_RETRIES: usize = 4;
/// A provider that asks for a longer wait has used up a quota, so the call is not retried.
const LONGEST_WAIT: Duration = Duration::from_secs(300);

impl Cx {
    /// Runs `call`, and retries it after a transient error: after the wait that the provider asked for, else with
    /// exponential backoff. Each further attempt is journalled when it is sent, and each failure when it occurs, so
    /// that the log always holds the number of attempts.
    pub(crate) async fn attempts<T: Serialize, F: Future<Output = Result<T, Error>>>(
        &mut self,
        asked: u32,
        admitted: &mut Admitted,
        is_repeatable: bool,
        mut attempt: impl FnMut() -> F,
        partial: impl Fn() -> String,
    ) -> Result<EffectResult, AgentError> {
        let mut backoff = backon::ExponentialBuilder::default()
            .with_min_delay(Duration::from_millis(500))
            .with_max_delay(Duration::from_secs(30))
            .with_max_times(MAX_RETRIES)
            .with_jitter()
            .build();
        let (mut waited_ms, mut retries, mut sent) = (0, Vec::new(), 0);
        let answer = loop {
            if let Some(reason) = self.must_not_begin(waited_ms) {
                break Answer::Interrupted { reason, partial: partial() };
            }
            if sent > 0
                && let Err(error) = admitted.send(&self.definition())
            {
                break Answer::Failed { error };
            }
            sent += 1;
            if sent > 1 {
                self.request_sent(asked, sent)?;
                self.shared.writer.commit().await?;
            }
            let mut error = match self.bounded(attempt(), waited_ms).await? {
                Ok(Ok(result)) => break Answer::Done { result: to_value(&result) },
                Ok(Err(error)) => error,
                Err(reason) => break Answer::Interrupted { reason, partial: partial() },
            };
            let ordered = error.retry_after_ms.map(Duration::from_millis);
            let is_last = retries.len() >= MAX_RETRIES || ordered.is_some_and(|wait| wait > LONGEST_WAIT);
            if !is_repeatable || !error.code.is_transient() || is_last {
                break Answer::Failed { error };
            }
            let next = backoff.next();
            let wait = ordered.or(next).unwrap_or(Duration::from_secs(30));
            let wait_ms = u64::try_from(wait.as_millis()).unwrap_or(u64::MAX);
            error.retry_after_ms = Some(wait_ms);
            self.request_failed(asked, &error)?;
            self.shared.writer.commit().await?;
            retries.push(error);
            let (cancel, began_ms) = (self.shared.cancel.clone(), self.shared.clock.ran_ms());
            tokio::select! {
                () = tokio::time::sleep(wait) => {}
                () = cancel.cancelled() => {}
            }
            if ordered.is_some() {
                waited_ms += self.shared.clock.ran_ms().saturating_sub(began_ms);
            }
        };
        Ok(EffectResult { waited_ms, retries, sent: Some(sent), ..EffectResult::at_once(answer) })
    }

    /// The reason why nothing may start now.
    fn must_not_begin(&self, waited_ms: u64) -> Option<Interruption> {
        if self.shared.cancel.is_cancelled() {
            return Some(Interruption::Cancelled);
        }
        let (left, reached) = admission::remaining(self, waited_ms)?;
        left.is_zero().then(|| used_up(&reached))
    }

    /// Runs work until it is done, the run is stopped, or its time is used up and the person adds none. Dropping the
    /// future ends the work.
    async fn bounded<T>(
        &mut self,
        work: impl Future<Output = T>,
        waited_ms: u64,
    ) -> Result<Result<T, Interruption>, AgentError> {
        tokio::pin!(work);
        let shared = self.shared.clone();
        loop {
            let left = admission::remaining(self, waited_ms);
            let used_up = async {
                match left {
                    Some((left, reached)) => {
                        shared.clock.sleep(left).await;
                        reached
                    }
                    None => std::future::pending().await,
                }
            };
            let reached = tokio::select! {
                biased;
                () = self.shared.cancel.cancelled() => return Ok(Err(Interruption::Cancelled)),
                done = &mut work => return Ok(Ok(done)),
                reached = used_up => reached,
            };
            match self.ask_for_time(work.as_mut(), reached).await? {
                MoreTime::Done(done) => return Ok(Ok(done)),
                MoreTime::Given => {}
                MoreTime::Refused(reason) => return Ok(Err(reason)),
            }
        }
    }

    /// Asks the person for more time while the work continues, so that no work is ended without asking. When the work
    /// is done before they answer, the question is withdrawn.
    async fn ask_for_time<T>(
        &mut self,
        work: Pin<&mut impl Future<Output = T>>,
        reached: Reached,
    ) -> Result<MoreTime<T>, AgentError> {
        let used_up = used_up(&reached);
        let Some(world) = self.shared.world.clone() else { return Ok(MoreTime::Refused(used_up)) };
        let question = questions::limit(&reached);
        let asked_at = self.shared.time(self.now);
        let effect = Effect::Question { question: question.clone() };
        let event = self.emit_at(Fact::EffectAsked { effect, reads: Vec::new() }, false, asked_at)?;
        let (asked, id) = (event.n, event.seq);
        let (done, performed) = tokio::select! {
            biased;
            done = work => (Some(done), EffectResult::at_once(Answer::Done { result: Value::text(questions::NOT_NEEDED) })),
            performed = self.with_person(&world, id, &question) => (None, performed?),
        };
        if performed.is_unasked {
            return Ok(MoreTime::Refused(Interruption::Cancelled));
        }
        if let Some(done) = done {
            // A refusal of the disk does not end the work: the event stays pending and is stored with the result.
            allow_disk_refusal(self.answered(asked, performed, asked_at).await.map(drop))?;
            return Ok(MoreTime::Done(done));
        }
        let answer = self.answered(asked, performed, asked_at).await?;
        let chosen = match &answer {
            Answer::Done { result } => self.read_result(result)?,
            Answer::Failed { .. } | Answer::Interrupted { .. } => String::new(),
        };
        self.decide_about_time(&question, chosen, (asked_at.ran_ms, self.now.ran_ms));
        Ok(if self.decided.is_none() { MoreTime::Given } else { MoreTime::Refused(used_up) })
    }

    /// Puts a question to the person.
    pub(crate) async fn with_person(
        &self,
        world: &World,
        id: Seq,
        question: &Question,
    ) -> Result<EffectResult, AgentError> {
        // The question is stored before the person sees it, so that it survives a crash.
        self.shared.writer.commit().await?;
        let asked_ms = self.shared.clock.ran_ms();
        let reply = tokio::select! {
            reply = world.user_prompt.ask(&self.shared.writer.run, id, question) => reply,
            () = self.shared.cancel.cancelled() => {
                let reason = Interruption::Cancelled;
                let answer = Answer::Interrupted { reason, partial: String::new() };
                return Ok(EffectResult { is_unasked: true, ..EffectResult::at_once(answer) });
            }
        };
        let waited_ms = self.shared.clock.ran_ms().saturating_sub(asked_ms);
        let chosen = match (reply, &question.kind) {
            (UserAnswer::Chosen(chosen), _) => chosen,
            // Without a person, a limit finishes with the best result so far, a tool may not act, a failing model ends
            // the run, every issue of a review goes to the writer, and the server of a tool gets no answer.
            (
                UserAnswer::NobodyThere,
                QuestionKind::Limit { .. }
                | QuestionKind::Profile { .. }
                | QuestionKind::Malformed
                | QuestionKind::Issues
                | QuestionKind::ToolServer { .. },
            ) => Value::text(&question.default),
            (UserAnswer::NobodyThere, QuestionKind::Permission { .. }) => {
                Value::new(json!(PermissionAnswer::Nobody))
            }
            (
                UserAnswer::NobodyThere,
                QuestionKind::Agent | QuestionKind::Repeat | QuestionKind::Gate { .. },
            ) => {
                let answer = Answer::Interrupted { reason: Interruption::Cancelled, partial: String::new() };
                return Ok(EffectResult { is_waiting: true, ..EffectResult::at_once(answer) });
            }
        };
        let answer = Answer::Done { result: chosen };
        Ok(EffectResult { waited_ms, ..EffectResult::at_once(answer) })
    }
}

/// The reason of an effect that this time limit ends.
fn used_up(reached: &Reached) -> Interruption {
    Interruption::TimeUsedUp { most: reached.most, agent: reached.agent.clone() }
}

/// The outcome of a question for more time.
enum MoreTime<T> {
    /// The work was done before the person answered.
    Done(T),
    Given,
    Refused(Interruption),
}

pub(crate) fn to_value<T: Serialize>(value: &T) -> Value {
    Value::new(serde_json::to_value(value).unwrap_or_default())
}

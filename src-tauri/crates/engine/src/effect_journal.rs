//! The journal of an effect: its answer with the attempts before it, or the same events found in the records.

use std::sync::Arc;

use kernel::{
    Answer, AnswerSummary, Code, Effect, Error, Event, Fact, Interruption, Note, Phrase, Question,
    QuestionKind, Remark, Value, WastedUsage, phrase,
};

use crate::clock::Moment;
use crate::{AgentError, Cx, questions};

/// The result of an effect.
pub(crate) struct EffectResult {
    pub(crate) answer: Answer,
    pub(crate) waited_ms: u64,
    pub(crate) retries: Vec<Error>,
    /// How often the request was sent; `None` for effects that send nothing.
    pub(crate) sent: Option<u32>,
    /// The person is not there, so the question stays open.
    pub(crate) is_waiting: bool,
    /// The run was stopped before the person answered.
    pub(crate) is_unasked: bool,
    /// The usage of attempts that broke off.
    pub(crate) wasted: WastedUsage,
    /// Repeating the request costs nothing.
    pub(crate) is_local: bool,
    /// What happened before the answer, for the journal.
    pub(crate) remarks: Vec<Remark>,
}

impl EffectResult {
    pub(crate) fn at_once(answer: Answer) -> EffectResult {
        EffectResult {
            answer,
            waited_ms: 0,
            retries: Vec::new(),
            sent: None,
            is_waiting: false,
            is_unasked: false,
            wasted: WastedUsage::default(),
            is_local: false,
            remarks: Vec::new(),
        }
    }
}

impl Cx {
    /// Converts a recorded value, such as the output of an instance, to `T`.
    ///
    /// # Errors
    /// The value has another shape.
    pub fn read_result<T: serde::de::DeserializeOwned>(&self, result: &Value) -> Result<T, AgentError> {
        T::deserialize(result.json_or_null()).map_err(|error| {
            let message = phrase!(
                "A recorded answer of `{author}` cannot be read: {error}",
                author = self.author,
                error
            );
            AgentError::Failed(Error::new(Code::Internal, message))
        })
    }

    pub(crate) fn has_asked(&mut self, event: &Event) {
        self.first_asked_ms.get_or_insert(event.ran_ms);
    }

    pub(crate) async fn answered(
        &mut self,
        asked: u32,
        performed: EffectResult,
        asked_at: Moment,
    ) -> Result<Answer, AgentError> {
        if matches!(performed.answer, Answer::Interrupted { reason: Interruption::Cancelled, .. })
            && performed.is_unasked
        {
            // A question without an answer at the stop stays open.
            return Err(AgentError::Cancelled);
        }
        if performed.is_waiting {
            self.shared.writer.commit().await?;
            return Err(AgentError::Waiting(Phrase::default()));
        }
        // A request that costs nothing to repeat waits for the next commit: later events that depend on it are stored
        // in the same batch.
        let is_worth_storing = !performed.is_local;
        let at = self.shared.time(asked_at);
        let took_ms = at.ran_ms.saturating_sub(asked_at.ran_ms);
        let answer = performed.answer;
        let fact = Fact::EffectAnswered {
            asked,
            summary: AnswerSummary {
                sent: performed.sent,
                remarks: performed.remarks.clone(),
                ..AnswerSummary::of(&answer).with(performed.wasted)
            },
            answer: answer.clone(),
            took_ms,
            waited_ms: performed.waited_ms.min(took_ms),
            retries: performed.retries,
        };
        self.now = at;
        self.emit_at(fact, false, at)?;
        self.note_remarks(&performed.remarks)?;
        if is_worth_storing {
            self.shared.writer.commit().await?;
        }
        Ok(answer)
    }

    /// Journals what happened before an answer.
    fn note_remarks(&mut self, remarks: &[Remark]) -> Result<(), AgentError> {
        for remark in remarks {
            self.surface_note(Note::Remark(remark.clone()))?;
        }
        Ok(())
    }

    /// The recorded answer, after producing again the events that were journalled before it.
    pub(crate) fn recorded_answer(&mut self, asked: u32) -> Result<Option<Answer>, AgentError> {
        let Some(event) = self.shared.writer.recorded_answer(&self.path, asked) else { return Ok(None) };
        let Fact::EffectAnswered { answer, retries, summary, .. } = &event.fact else { return Ok(None) };
        for (error, attempt) in retries.iter().zip(2..) {
            self.repeat_time_questions()?;
            self.request_failed(asked, error)?;
            // A run that was stopped during the wait did not send it again.
            if summary.sent.is_some_and(|sent| sent >= attempt) {
                self.request_sent(asked, attempt)?;
            }
        }
        self.repeat_time_questions()?;
        self.now = self.now.max(Moment::of(&event));
        let (answer, remarks) = (answer.clone(), summary.remarks.clone());
        // A correction by hand names the person as its author. The record is taken as it is, whoever wrote it.
        self.emit_recorded(event)?;
        self.note_remarks(&remarks)?;
        Ok(Some(answer))
    }

    /// Produces again the questions about time that were open while an effect was in flight.
    fn repeat_time_questions(&mut self) -> Result<(), AgentError> {
        while let Some(asked) = self.shared.writer.recorded(&self.path, self.n + 1) {
            let Fact::EffectAsked { effect: Effect::Question { question }, .. } = &asked.fact else { break };
            if !matches!(question.kind, QuestionKind::Limit { .. }) {
                break;
            }
            let (question, asked_n, asked_ms) = (question.clone(), asked.n, asked.ran_ms);
            self.emit_recorded(asked)?;
            let Some(answered) = self.shared.writer.recorded_answer(&self.path, asked_n) else { break };
            let answered_ms = answered.ran_ms;
            let chosen = match &answered.fact {
                Fact::EffectAnswered { answer: Answer::Done { result }, .. } => self.read_result(result)?,
                _ => String::new(),
            };
            self.emit_recorded(answered)?;
            self.decide_about_time(&question, chosen, (asked_ms, answered_ms));
        }
        Ok(())
    }

    /// Applies the answer to a question about time that was asked while an effect was in flight.
    pub(crate) fn decide_about_time(&mut self, question: &Question, chosen: String, asked_ms: (u64, u64)) {
        if chosen == questions::NOT_NEEDED {
            return;
        }
        Arc::make_mut(&mut self.waits).push(asked_ms);
        match questions::change(question, &Value::text(chosen.clone())) {
            Some(change) => {
                self.shared.writer.change_definition(self.at, move |definition| change.apply(definition));
            }
            None => self.decided = Some(chosen),
        }
    }

    /// Produces again the attempts that were journalled for an effect without a recorded answer.
    pub(crate) fn repeat_tries(&mut self) -> Result<(), AgentError> {
        loop {
            self.repeat_time_questions()?;
            let is_try = |fact: &Fact| matches!(fact, Fact::RequestFailed { .. } | Fact::RequestSent { .. });
            let tried =
                self.shared.writer.recorded(&self.path, self.n + 1).filter(|event| is_try(&event.fact));
            let Some(tried) = tried else { return Ok(()) };
            self.emit_recorded(tried)?;
        }
    }

    fn emit_recorded(&mut self, event: Event) -> Result<(), AgentError> {
        let at = Moment::of(&event);
        let (fact, surface) = (event.fact, event.surface);
        self.n = event.n - 1;
        self.emit_at(fact, surface, at)?;
        Ok(())
    }
}

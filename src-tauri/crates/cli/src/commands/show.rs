//! `galley show`: shows a run: its state at a moment, its events, its journal, its draft, or one of its keys.

use std::path::PathBuf;

use desk::api::{
    CitationLedger, KeyHistory, KeyOfRun, ListQuestions, Moment, OpenQuestions, RunPage, RunRef, StatePage,
};
use desk::{
    ApiError, Desk, Effect, ErrorCode, Event, Fact, Missing, NoteTexts, Options, Phrase, Role, Seq, sentence,
};
use serde_json::{Value, json};

use crate::arguments::Show;
use crate::desk_client::{ask, open_with};
use crate::fields::KeyChangeLine;
use crate::output;
use crate::question_prompt;
use crate::results::write_event;
use crate::run_follower::stored;
use crate::table::{cell, moment, one_line, table};

/// `galley show`.
pub(crate) async fn show(data_dir: Option<PathBuf>, asked: Show) -> Result<u8, ApiError> {
    let desk =
        open_with(Options { data_dir, leaves_out_damage: asked.partial, ..Options::default() }).await?;
    let shown = show_in(&desk, &asked).await;
    let Missing { events, values } = desk.missing();
    if events.is_empty() && values.is_empty() {
        return shown.map(|()| 0);
    }
    let seqs: Vec<String> = events.iter().map(Seq::to_string).collect();
    let events =
        if seqs.is_empty() { "no event".to_owned() } else { format!("the events {}", seqs.join(", ")) };
    output::tell(&format!("The run is damaged; {events} and {} large values are left out", values.len()));
    if let Err(error) = &shown {
        output::tell_error(error);
    }
    Ok(1)
}

async fn show_in(desk: &Desk, asked: &Show) -> Result<(), ApiError> {
    let run = asked.run.as_str();
    if asked.view.events || asked.view.journal {
        each_event(desk, asked).await?;
    } else if let (Some(key), true) = (&asked.view.key, asked.history) {
        history(desk, run, key, asked).await?;
    } else if let Some(key) = &asked.view.key {
        one_key(desk, run, key, asked).await?;
    } else if asked.view.draft {
        draft(desk, run, asked).await?;
    } else if asked.view.citations {
        citations(desk, run, asked).await?;
    } else if asked.view.questions {
        questions(desk, run, asked).await?;
    } else {
        let page = state(desk, run, asked.at).await?;
        if asked.json {
            output::write_json(&json!({ "seq": page.seq, "state": page.state }))?;
        } else {
            output::write_text(&page.text)?;
        }
    }
    Ok(())
}

async fn state(desk: &Desk, run: &str, at: Option<Seq>) -> Result<StatePage, ApiError> {
    ask(desk, "state_at", Moment { run: run.to_owned(), seq: at }).await
}

async fn each_event(desk: &Desk, asked: &Show) -> Result<(), ApiError> {
    let until = asked.at.unwrap_or(Seq::MAX);
    // An invalid moment is reported as in every other view.
    if asked.at.is_some() {
        state(desk, &asked.run, asked.at).await?;
    }
    let mut notes = NoteTexts::new();
    if asked.view.journal {
        // If the run cannot be opened, the notes of its pipeline are shown by their ids.
        let page = ask::<RunPage>(desk, "open_run", RunRef { run: asked.run.clone() }).await;
        notes = page.map(|page| page.notes).unwrap_or_default();
    }
    let mut next = 1;
    loop {
        let is_whole = asked.json && asked.view.events;
        let events = stored(desk, &asked.run, next, is_whole).await?;
        let Some(last) = events.last().map(|event| event.seq) else { return Ok(()) };
        for event in events.iter().filter(|event| event.seq <= until) {
            match (asked.json, asked.view.journal) {
                (true, false) => write_event(event)?,
                (true, true) => output::write_json(&json!({
                    "type": "journal", "seq": event.seq, "at_ms": event.at_ms, "author": event.author,
                    "path": event.path, "surface": event.surface, "sentence": sentence(event, &notes),
                }))?,
                (false, true) => {
                    let mark = if event.surface { "!" } else { " " };
                    let words = one_line(&sentence(event, &notes));
                    output::write(&format!("{:>5} {} {mark} {words}\n", event.seq, moment(event.at_ms)))?;
                }
                (false, false) => output::write(&line(event))?,
            }
        }
        if last >= until || output::is_closed() {
            return Ok(());
        }
        next = last + 1;
    }
}

fn line(event: &Event) -> String {
    let what = match &event.fact {
        Fact::RunStarted { .. } => "run_started".to_owned(),
        Fact::RunResumed { drops, .. } => format!("run_resumed, {} dropped", drops.len()),
        Fact::GatesSet { .. } => "gates_set".to_owned(),
        Fact::AgentStarted { .. } => "agent_started".to_owned(),
        Fact::AgentEnded { .. } => "agent_ended".to_owned(),
        Fact::RoundEnded { exit, .. } => {
            format!("round_ended {}", json!(exit)["why"].as_str().unwrap_or_default())
        }
        Fact::StateChanged { delta } => {
            format!("state_changed {}", delta.keys().collect::<Vec<_>>().join(", "))
        }
        Fact::EffectAsked { effect: Effect::Tool { call }, .. } => format!("effect_asked tool {}", call.tool),
        Fact::EffectAsked { effect, .. } => format!("effect_asked {}", effect.noun()),
        Fact::RequestFailed { asked, .. } => format!("request_failed #{asked}"),
        Fact::RequestSent { asked, attempt } => format!("request_sent #{asked}, attempt {attempt}"),
        Fact::EffectAnswered { asked, .. } => format!("effect_answered #{asked}"),
        Fact::FellBack { from, to, .. } => format!("fell_back from {from} to {to}"),
        Fact::Noted { note } => format!("noted {}", json!(note)["kind"].as_str().unwrap_or_default()),
        Fact::RunEnded { outcome, .. } => format!("run_ended {}", outcome.word()),
    };
    format!("{:>5} {} {} .{}  {}\n", event.seq, moment(event.at_ms), event.path, event.n, one_line(&what))
}

/// A draft at a moment.
pub(crate) struct DraftText {
    seq: Seq,
    key: String,
    value: Value,
    pub(crate) text: String,
}

/// The draft of a run.
///
/// # Errors
/// `not_found` if the run or its draft does not exist.
pub(crate) async fn draft_at(desk: &Desk, run: &str, at: Option<Seq>) -> Result<DraftText, ApiError> {
    let page: RunPage = ask(desk, "open_run", RunRef { run: run.to_owned() }).await?;
    let found = page.keys.iter().find_map(|key| match &key.role {
        Role::Draft { edit, .. } => Some((key.name.as_str(), edit.as_ref())),
        _ => None,
    });
    let none = |what: &str| {
        Err(ApiError::new(
            ErrorCode::NotFound,
            Phrase::verbatim(format!("Run {} has no draft{what}", page.card.run)),
        ))
    };
    let Some((key, field)) = found else { return none("; its pipeline writes none") };
    let state = state(desk, run, at).await?;
    let Some(value) = state.state.get(key).map(|value| &value.0).filter(|value| !value.is_null()) else {
        return none(" at that moment; `galley show RUN --journal` tells when it is written");
    };
    let text = if field.is_empty() { value } else { value.get(field).unwrap_or(&Value::Null) };
    let text = text.as_str().unwrap_or_default().to_owned();
    Ok(DraftText { seq: state.seq, key: key.to_owned(), value: value.clone(), text })
}

async fn draft(desk: &Desk, run: &str, asked: &Show) -> Result<(), ApiError> {
    let DraftText { seq, key, value, text } = draft_at(desk, run, asked.at).await?;
    if asked.json {
        return output::write_json(&json!({ "seq": seq, "key": key, "text": text, "value": value }));
    }
    output::write_text(&text)
}

async fn citations(desk: &Desk, run: &str, asked: &Show) -> Result<(), ApiError> {
    let moment = Moment { run: run.to_owned(), seq: asked.at };
    let ledger: CitationLedger = ask(desk, "citations_at", moment).await?;
    if asked.json {
        return output::write_json(&json!(ledger));
    }
    let rows: Vec<Vec<String>> = ledger
        .citations
        .iter()
        .map(|entry| {
            let index = entry.number.and_then(|number| number.checked_sub(1));
            let source = index.and_then(|index| ledger.sources.get(index as usize));
            vec![
                entry.number.map(|number| number.to_string()).unwrap_or_default(),
                entry.verdict.word().to_owned(),
                cell(&entry.words.join(", "), 40),
                cell(&entry.sentence, 60),
                cell(source.map_or("", |source| source.url.as_str()), 60),
            ]
        })
        .collect();
    output::write(&table(&["N", "VERDICT", "WORDS", "SENTENCE", "SOURCE"], &rows))
}

async fn questions(desk: &Desk, run: &str, asked: &Show) -> Result<(), ApiError> {
    let request = ListQuestions { run: Some(run.to_owned()) };
    let open: OpenQuestions = ask(desk, "list_questions", request).await?;
    if asked.json {
        return open.questions.iter().try_for_each(output::write_json);
    }
    if open.questions.is_empty() {
        return output::write("(asks nothing)\n");
    }
    for one in &open.questions {
        let shown = question_prompt::shown(&one.question);
        let item = one.item.as_ref().map(|item| format!(" ({})", one_line(item))).unwrap_or_default();
        output::write(&format!("{} {}{item} asks: {shown}\n", one.id, one_line(&one.agent)))?;
    }
    Ok(())
}

async fn one_key(desk: &Desk, run: &str, key: &str, asked: &Show) -> Result<(), ApiError> {
    let page: RunPage = ask(desk, "open_run", RunRef { run: run.to_owned() }).await?;
    if !page.keys.iter().any(|declared| declared.name == key) {
        let names: Vec<&str> = page.keys.iter().map(|declared| declared.name.as_str()).collect();
        let message = format!("There is no key `{key}`; there is {}", names.join(", "));
        return Err(ApiError::new(ErrorCode::NotFound, Phrase::verbatim(message)));
    }
    let state = state(desk, run, asked.at).await?;
    let value = state.state.get(key).map(|value| &value.0).unwrap_or(&Value::Null);
    if asked.json {
        return output::write_json(&json!({ "seq": state.seq, "key": key, "value": value }));
    }
    match value {
        Value::Null => output::write("(empty)\n"),
        Value::String(text) => output::write_text(text),
        other => output::write_pretty(other),
    }
}

async fn history(desk: &Desk, run: &str, key: &str, asked: &Show) -> Result<(), ApiError> {
    let request = KeyOfRun { run: run.to_owned(), key: key.to_owned() };
    let history: KeyHistory = ask(desk, "key_history", request).await?;
    let until = asked.at.unwrap_or(Seq::MAX);
    let changes: Vec<_> = history.changes.into_iter().filter(|change| change.seq <= until).collect();
    if asked.json {
        return changes.iter().try_for_each(output::write_json);
    }
    if changes.is_empty() {
        return output::write("(never written)\n");
    }
    for change in &changes {
        output::write(&KeyChangeLine::of(change).text())?;
    }
    Ok(())
}

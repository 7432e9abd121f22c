//! `galley schedule`: makes, lists and fires schedules.

use std::path::PathBuf;

use desk::api::{
    FiringCard, Missed, Named, Nothing, SaveSchedule, ScheduleCard, ScheduleStatus, Schedules, TimerCard,
};
use desk::{ApiError, Desk, Options, has_due_schedules};

use crate::arguments::{AddSchedule, Schedule, ScheduleCommand};
use crate::commands::run::start_request;
use crate::desk_client::{ask, open_with};
use crate::output;
use crate::run_follower::Stop;
use crate::table::{one_line, table};

/// The exit code after a signal.
const STOPPED: u8 = 130;

/// `galley schedule`.
pub(crate) async fn schedule(data_dir: Option<PathBuf>, asked: Schedule) -> Result<u8, ApiError> {
    if let ScheduleCommand::RunDue(listing) = &asked.command {
        return run_due(data_dir, listing.json).await;
    }
    let desk = open_with(Options { data_dir, sets_timer: true, ..Options::default() }).await?;
    let done = perform(&desk, asked.command).await;
    desk.close().await;
    done.map(|()| 0)
}

async fn perform(desk: &Desk, command: ScheduleCommand) -> Result<(), ApiError> {
    match command {
        ScheduleCommand::List(listing) => {
            let found: Schedules = ask(desk, "list_schedules", Nothing {}).await?;
            if listing.json {
                return found.schedules.iter().try_for_each(output::write_json);
            }
            list(&found)
        }
        ScheduleCommand::Add(given) => add(desk, *given).await,
        ScheduleCommand::Remove { name } => {
            let left: Schedules = ask(desk, "remove_schedule", Named { name }).await?;
            output::write(&format!("Removed; {} are left.\n", left.schedules.len()))
        }
        ScheduleCommand::Pause { name } => changed(desk, "pause_schedule", name).await,
        ScheduleCommand::Resume { name } => changed(desk, "resume_schedule", name).await,
        // Done before the desk was opened.
        ScheduleCommand::RunDue(_) => Ok(()),
    }
}

async fn add(desk: &Desk, given: AddSchedule) -> Result<(), ApiError> {
    let missed = match given.missed.as_str() {
        "skip" => Missed::Skip,
        "all" => Missed::All,
        _ => Missed::Once,
    };
    let request = SaveSchedule {
        name: given.name.clone(),
        replaces: given.replace.then(|| given.name.clone()),
        when: given.when,
        zone: given.zone,
        missed,
        request: start_request(desk, given.request).await?,
        fallback_profiles: given.fallback_profile,
        time_limit_minutes: given.time_limit,
        monthly_cost: given.monthly_cost,
        monthly_tokens: given.monthly_tokens,
    };
    let saved: Schedules = ask(desk, "save_schedule", request).await?;
    show(&saved, &given.name)?;
    tell_timer(saved.timer.as_ref());
    Ok(())
}

async fn changed(desk: &Desk, command: &str, name: String) -> Result<(), ApiError> {
    let changed: Schedules = ask(desk, command, Named { name: name.clone() }).await?;
    show(&changed, &name)
}

/// Shows one schedule with its next times.
fn show(all: &Schedules, name: &str) -> Result<(), ApiError> {
    let folded = name.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    let Some(card) = all.schedules.iter().find(|card| card.name.to_lowercase() == folded) else {
        return Ok(());
    };
    let mut text =
        format!("{}: {} ({}), {}\n", one_line(&card.name), status(card), one_line(&card.cron), card.zone);
    for time in &card.next {
        text.push_str(&format!("  next {}\n", time.local));
    }
    output::write(&text)
}

fn list(found: &Schedules) -> Result<(), ApiError> {
    if found.schedules.is_empty() {
        return output::write("There are no schedules; `galley schedule add` makes one.\n");
    }
    let rows: Vec<Vec<String>> = found.schedules.iter().map(row).collect();
    let mut text = table(&["NAME", "WHEN", "ZONE", "STATUS", "NEXT", "LAST"], &rows);
    for need in found.schedules.iter().flat_map(|card| &card.needs) {
        text.push_str(&format!("Needs you: {}\n", one_line(&need.text().english())));
    }
    output::write(&text)?;
    tell_timer(found.timer.as_ref());
    Ok(())
}

fn row(card: &ScheduleCard) -> Vec<String> {
    let next = card.next.first().map(|time| time.local.clone()).unwrap_or_default();
    let last = card.last.first().map(|firing| format!("{} {}", firing.outcome.word(), firing.due.local));
    vec![
        one_line(&card.name),
        one_line(&card.when),
        card.zone.clone(),
        status(card).to_owned(),
        next,
        last.unwrap_or_default(),
    ]
}

fn status(card: &ScheduleCard) -> &'static str {
    match card.status {
        ScheduleStatus::Active => "active",
        ScheduleStatus::Paused => "paused",
        ScheduleStatus::Stopped => "stopped",
    }
}

fn tell_timer(timer: Option<&TimerCard>) {
    if let Some(problem) = timer.and_then(|timer| timer.problem.as_ref()) {
        output::tell(&one_line(&format!("Note: {}", problem.english())));
    }
}

/// Runs what is due. Most calls find nothing, and then open nothing.
async fn run_due(data_dir: Option<PathBuf>, is_json: bool) -> Result<u8, ApiError> {
    if !has_due_schedules(data_dir.clone())? {
        return Ok(0);
    }
    let mut stop = Stop::new()?;
    let desk = open_with(Options { data_dir, ..Options::default() }).await?;
    let mut written = Ok(());
    let write = |firing: &FiringCard| {
        let one = if is_json { output::write_json(firing) } else { tell(firing) };
        if written.is_ok() {
            written = one;
        }
    };
    let done = tokio::select! {
        done = desk.schedules().run_due(write) => done.map(|()| 0),
        () = stop.requested() => Ok(STOPPED),
    };
    desk.close().await;
    let code = done?;
    written.map(|()| code)
}

fn tell(firing: &FiringCard) -> Result<(), ApiError> {
    let run = firing.run.as_deref().map(|run| format!("  run {run}")).unwrap_or_default();
    let (due, outcome) = (&firing.due.local, firing.outcome.word());
    output::write(&format!("{due}  {}  {outcome}{run}\n", one_line(&firing.schedule)))?;
    if let Some(error) = &firing.error {
        output::tell_error(error);
    }
    for call in &firing.refused {
        let place = call.place.as_deref().map(|place| format!(" at {place}")).unwrap_or_default();
        output::tell(&one_line(&format!("Refused: `{}`{place}", call.tool)));
    }
    Ok(())
}

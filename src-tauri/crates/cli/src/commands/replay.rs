//! `galley replay`: replays one run, or the whole history, from its records. For one run, programs also get every
//! replayed event, to compare it with the stored one.

use desk::api::{Difference, ReplayReport};
use desk::{ApiError, Desk, ReplayOf};
use serde_json::json;

use crate::arguments::Replay;
use crate::commands::runs;
use crate::fields::{differences, shown};
use crate::output;
use crate::results::write_event;

/// The exit code if a replay differs.
const DIFFERS: u8 = 4;

/// `galley replay`.
pub(crate) async fn replay(desk: &Desk, asked: Replay) -> Result<u8, ApiError> {
    let of = if asked.present { ReplayOf::Present } else { ReplayOf::Stored };
    match asked.run {
        Some(run) => {
            let (report, events, _) = desk.runs().replay(&run, of).await?;
            if asked.json {
                events.iter().try_for_each(write_event)?;
            }
            tell(&report, asked.json)
        }
        None => replay_all(desk, of, asked.json).await,
    }
}

async fn replay_all(desk: &Desk, of: ReplayOf, is_json: bool) -> Result<u8, ApiError> {
    let (mut same, mut different, mut broken) = (0_u32, 0_u32, 0_u32);
    for card in runs::all_runs(desk).await? {
        // A run that was imported without some of its content cannot be replayed, which is no error.
        if card.imported.as_ref().is_some_and(|left_out| !left_out.is_empty()) {
            output::tell(&format!(
                "Run {} is not replayed: parts were left out of the file it came from",
                card.run
            ));
            continue;
        }
        // A run that cannot be replayed does not stop the others.
        match desk.runs().replay(&card.run, of).await {
            Ok((report, ..)) => {
                tell(&report, is_json)?;
                if report.difference.is_some() { different += 1 } else { same += 1 }
            }
            Err(error) => {
                broken += 1;
                if is_json {
                    let error = json!({ "code": error.code, "message": output::sentence(&error) });
                    output::write_json(&json!({ "type": "replay", "run": card.run, "error": error }))?;
                }
                output::tell(&format!("Run {}: {}", card.run, output::sentence(&error)));
            }
        }
    }
    if !is_json {
        output::write(&format!("{same} the same, {different} different, {broken} not replayed\n"))?;
    }
    Ok(match (different, broken) {
        (0, 0) => 0,
        (0, _) => 1,
        _ => DIFFERS,
    })
}

fn tell(report: &ReplayReport, is_json: bool) -> Result<u8, ApiError> {
    if is_json {
        output::write_json(&json!({
            "type": "replay", "run": report.run, "events": report.events, "effects": report.effects,
            "difference": report.difference,
        }))?;
    }
    let Some(difference) = &report.difference else {
        if !is_json {
            let (events, effects) = (report.events, report.effects);
            output::write(&format!("Run {}: the same, {events} events, {effects} effects\n", report.run))?;
        }
        return Ok(0);
    };
    if !is_json {
        output::write(&format!("Run {}: {}\n{}", report.run, difference.phrase, sides(difference)))?;
    }
    Ok(DIFFERS)
}

/// Both sides, field by field.
fn sides(difference: &Difference) -> String {
    let mut text = format!("event {} in {}\n", difference.seq, difference.path);
    let (recorded, replayed) = (&difference.recorded.0, &difference.replayed.0);
    for found in differences(recorded, replayed) {
        if !found.place.is_empty() {
            text.push_str(&format!("  {}\n", found.place));
        }
        for (side, words) in [("- recorded", &found.left), ("+ replayed", &found.right)] {
            text.push_str(&format!("    {side}\n"));
            for line in words.lines() {
                text.push_str(&format!("      {line}\n"));
            }
        }
    }
    if recorded == replayed {
        // The fields are equal in another order, so the whole values are shown.
        text.push_str(&format!("    {}\n", shown(recorded)));
    }
    text
}

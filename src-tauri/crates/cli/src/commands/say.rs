//! `galley say`: sends a message to a running run, whichever process executes it.

use desk::api::{Landed, SayToRun};
use desk::{ApiError, Desk};

use crate::arguments::Say;
use crate::desk_client::ask;
use crate::output;

/// `galley say`.
pub(crate) async fn say(desk: &Desk, asked: Say) -> Result<u8, ApiError> {
    let landed: Landed = ask(desk, "say_to_run", SayToRun { run: asked.run, text: asked.text }).await?;
    if asked.json {
        output::write_json(&landed)?;
    } else {
        output::write(&format!("Said, in event {}. Agents that start from now on read it.\n", landed.seq))?;
    }
    Ok(0)
}

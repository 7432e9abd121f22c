//! `galley worker`: performs sub-tasks of a role from a queue, until a signal stops it.

use std::path::PathBuf;

use desk::{ApiError, CancellationToken, WorkerEvent, WorkerSetup};

use crate::arguments::Worker;
use crate::desk_client::open;
use crate::output;
use crate::run_follower::Stop;
use crate::table::one_line;

/// `galley worker`. The first Ctrl-C or SIGTERM lets it finish its sub-tasks, the second ends it immediately: other
/// workers then get them.
pub(crate) async fn worker(data_dir: Option<PathBuf>, asked: Worker) -> Result<u8, ApiError> {
    let mut signals = Stop::new()?;
    let desk = open(data_dir).await?;
    let stop = CancellationToken::new();
    let role = one_line(&asked.role);
    let setup = WorkerSetup {
        role: asked.role,
        queue: asked.queue,
        key_env: asked.key_env,
        name: asked.name,
        at_once: asked.at_once,
        allow: asked.allow,
        profiles: asked.profiles,
    };
    let began =
        |url: &str| output::tell(&format!("A worker of {role} takes sub-tasks from {}", one_line(url)));
    let working = desk.worker().work(setup, stop.clone(), began, |event| tell(&event));
    let stopped = async {
        signals.requested().await;
        output::tell(
            "The worker takes no more sub-tasks and ends when it has reported those it has. Press Ctrl-C again to end it at once",
        );
        stop.cancel();
        signals.requested().await;
    };
    let (ended, code) = tokio::select! {
        ended = working => (ended, 0),
        () = stopped => (Ok(()), 130),
    };
    desk.close().await;
    ended?;
    Ok(code)
}

fn tell(event: &WorkerEvent) {
    let sentence = match event {
        WorkerEvent::Began(id, tool) => format!("{id}: {tool} began"),
        WorkerEvent::Reported(id, true) => format!("{id}: done"),
        WorkerEvent::Reported(id, false) => format!("{id}: failed"),
        WorkerEvent::LetGo(id) => format!("{id}: not wanted any more"),
        WorkerEvent::LaidAside(id, error) => format!("{id}: laid aside. {error}"),
        WorkerEvent::Waits(error) => format!("Waiting: {error}"),
    };
    output::tell(&one_line(&sentence));
}

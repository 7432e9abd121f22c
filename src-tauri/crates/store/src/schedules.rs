//! Schedules and their firings.
//!
//! Each claim of an instant is one transaction, so of several processes one fires it.

use std::path::Path;

use engine::LogError;
use kernel::RunId;
use rusqlite::{Connection, ErrorCode};

use crate::connection::{READ_ONLY, real_path};
use crate::error::Place;
use crate::job::Writing;
use crate::table::{schedule_firings, schedules};
use crate::{FiringEnd, ScheduleState, ScheduleTimes, Store, StoredFiring, StoredSchedule};

/// What came of the claim of an instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claim {
    /// This process handles it: the row of the firing.
    Claimed(i64),
    /// It was handled before.
    Handled,
    /// The schedule was changed meanwhile.
    Outdated,
}

/// A claim of an instant.
#[derive(Debug, Clone)]
pub struct NewFiring {
    /// The instant, milliseconds since 1970 UTC.
    pub at_ms: i64,
    /// When it is claimed, milliseconds since 1970 UTC.
    pub now_ms: i64,
    /// As of [`StoredFiring`].
    pub outcome: String,
    /// As of [`StoredFiring`].
    pub details: String,
    /// Whether nothing begins with it.
    pub is_over: bool,
}

impl Store {
    /// The times of the schedules of a data folder that fire, read without opening the store: nothing is created,
    /// migrated or locked. Empty where there is no database, or one from before schedules.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn schedule_times(data_dir: &Path) -> Result<Vec<ScheduleTimes>, LogError> {
        let place = Place::new(data_dir);
        let file = real_path(&place);
        if !file.is_file() {
            return Ok(Vec::new());
        }
        let connection =
            Connection::open_with_flags(file, READ_ONLY).map_err(|error| place.explain(&error))?;
        match schedules::times(&connection) {
            // There is no such table yet.
            Err(rusqlite::Error::SqliteFailure(failure, Some(words)))
                if failure.code == ErrorCode::Unknown && words.contains("no such table") =>
            {
                Ok(Vec::new())
            }
            found => found.map_err(|error| place.explain(&error)),
        }
    }

    /// All schedules by name.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn schedules(&self) -> Result<Vec<StoredSchedule>, LogError> {
        self.read(|context| context.of(schedules::all(context.connection))).await
    }

    /// The schedule of a name, in capital letters or not.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn schedule(&self, name: &str) -> Result<Option<StoredSchedule>, LogError> {
        let name = name.to_owned();
        self.read(move |context| context.of(schedules::named(context.connection, &name))).await
    }

    /// Saves a schedule that fires; `replaced` is the row whose place it takes. Another schedule may not have its name:
    /// then nothing is stored and false is returned.
    ///
    /// # Errors
    /// When it cannot be stored.
    pub async fn save_schedule(
        &self,
        replaced: Option<i64>,
        name: String,
        setup: String,
        times: ScheduleTimes,
        now_ms: i64,
    ) -> Result<bool, LogError> {
        self.transact(move |writing| {
            let other = schedules::named(writing.connection, &name)?;
            if other.is_some_and(|other| Some(other.id) != replaced) {
                return Ok(false);
            }
            schedules::save(writing.connection, replaced, &name, &setup, times, now_ms).map(|()| true)
        })
        .await
    }

    /// Removes a schedule with its firings; their runs stay.
    ///
    /// # Errors
    /// When it cannot be stored.
    pub async fn remove_schedule(&self, id: i64) -> Result<(), LogError> {
        self.transact(move |writing| {
            schedule_firings::remove(writing.connection, id)?;
            schedules::remove(writing.connection, id)
        })
        .await
    }

    /// Sets the state of a schedule, and its times where they are given; its failures in a row begin anew.
    ///
    /// # Errors
    /// When it cannot be stored.
    pub async fn set_schedule_state(
        &self,
        id: i64,
        state: ScheduleState,
        times: Option<ScheduleTimes>,
    ) -> Result<(), LogError> {
        self.transact(move |writing| schedules::set_state(writing.connection, id, state, times)).await
    }

    /// Claims an instant of a schedule that fires, as it was read, and moves its marks. Without an instant only the
    /// marks are moved.
    ///
    /// # Errors
    /// When it cannot be stored.
    pub async fn claim_firing(
        &self,
        schedule: &StoredSchedule,
        times: ScheduleTimes,
        firing: Option<NewFiring>,
    ) -> Result<Claim, LogError> {
        let (id, revision) = (schedule.id, schedule.revision);
        let work = move |writing: &mut Writing<'_>| {
            let connection = writing.connection;
            if !schedules::advance(connection, id, revision, times)? {
                return Ok(Claim::Outdated);
            }
            let Some(NewFiring { at_ms, now_ms, outcome, details, is_over }) = firing else {
                return Ok(Claim::Handled);
            };
            let row = schedule_firings::insert(connection, id, at_ms, now_ms, &outcome, &details, is_over)?;
            Ok(row.map_or(Claim::Handled, Claim::Claimed))
        };
        self.transact(work).await
    }

    /// Stores which run a firing began.
    ///
    /// # Errors
    /// When it cannot be stored.
    pub async fn set_firing_run(&self, firing: i64, run: &RunId) -> Result<(), LogError> {
        let run = run.0.clone();
        self.transact(move |writing| schedule_firings::set_run(writing.connection, firing, &run)).await
    }

    /// Stores the end of a firing, unless it has one, and counts it for the schedule.
    ///
    /// # Errors
    /// When it cannot be stored.
    pub async fn end_firing(&self, firing: i64, end: FiringEnd) -> Result<(), LogError> {
        self.transact(move |writing| match schedule_firings::end(writing.connection, firing, &end)? {
            Some(schedule) => schedules::count_failures(writing.connection, schedule, end.failures),
            None => Ok(()),
        })
        .await
    }

    /// The newest firings of a schedule, newest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn firings(&self, schedule: i64, limit: u32) -> Result<Vec<StoredFiring>, LogError> {
        self.read(move |context| context.of(schedule_firings::newest(context.connection, schedule, limit)))
            .await
    }

    /// The newest firing of a schedule that has a run, or goes on.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn last_begun_firing(&self, schedule: i64) -> Result<Option<StoredFiring>, LogError> {
        self.read(move |context| context.of(schedule_firings::newest_begun(context.connection, schedule)))
            .await
    }

    /// The cost in US dollars and the tokens of the runs that a schedule began since a time, also of erased ones.
    ///
    /// # Errors
    /// When the database cannot be read or is damaged.
    pub async fn schedule_usage(&self, schedule: i64, since_ms: i64) -> Result<(f64, u64), LogError> {
        self.total_usage().await?;
        self.read(move |context| context.of(schedule_firings::usage(context.connection, schedule, since_ms)))
            .await
    }

    /// Runs statements in one transaction.
    async fn transact<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Writing<'_>) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, LogError> {
        self.write(false, move |writing| {
            let done = work(writing);
            done.map_err(|error| writing.explain(&error))
        })
        .await
    }
}

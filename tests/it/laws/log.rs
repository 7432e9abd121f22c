//! A log in memory. Each process opens it anew, and may be told to die at one of its appends. What it takes, a database may
//! take too: then both must hold the same.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use engine::{Durability, Log, LogError, Recorded};
use kernel::{Code, Event, Fact, RunId, Seq, Start};
use store::Store;

/// Where a process dies, counted from 0 over its appends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Death {
    /// The append is not stored.
    Before(u32),
    /// The append is stored, but nobody hears of it.
    After(u32),
}

/// What outlives the processes.
#[derive(Default)]
pub(crate) struct Disk {
    start: Mutex<Option<Start>>,
    lines: Mutex<Vec<String>>,
    synced: Mutex<Seq>,
    errors: Mutex<Vec<String>>,
    set_aside: Mutex<Vec<Event>>,
    database: Option<Database>,
}

/// A database that takes all that the memory takes.
struct Database {
    folder: tempfile::TempDir,
    /// As the process that lives now has it open.
    store: Mutex<Option<Store>>,
}

impl Disk {
    /// With a database beside the memory.
    pub(crate) fn with_database() -> Disk {
        let database = Database { folder: tempfile::tempdir().unwrap(), store: Mutex::default() };
        Disk { database: Some(database), ..Disk::default() }
    }

    /// A new process opens the database; what the one before held is free.
    fn open_database(&self) {
        let Some(database) = &self.database else { return };
        let mut store = database.store.lock().unwrap();
        drop(store.take());
        *store = Some(Store::open(database.folder.path()).unwrap());
    }

    pub(crate) fn has_database(&self) -> bool {
        self.database.is_some()
    }

    fn store(&self) -> Option<Store> {
        self.database.as_ref()?.store.lock().unwrap().clone()
    }

    /// The database has what the memory has.
    pub(crate) async fn assert_stored(&self) {
        let (Some(store), Some(recorded)) = (self.store(), self.recorded()) else { return };
        let stored = store.load(&recorded.start.run).await.unwrap();
        assert_eq!(stored.start, recorded.start);
        super::stage::assert_same(&stored.events, &recorded.events);
    }

    pub(crate) fn events(&self) -> Vec<Event> {
        let lines = self.lines.lock().unwrap();
        lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    pub(crate) fn recorded(&self) -> Option<Recorded> {
        let start = self.start.lock().unwrap().clone()?;
        Some(Recorded { start, events: self.events() })
    }

    /// Whether a text stands in any event.
    pub(crate) fn has(&self, text: &str) -> bool {
        self.lines.lock().unwrap().iter().any(|line| line.contains(text))
    }

    /// Whether a text stands in an event that a loss of power leaves.
    pub(crate) fn has_synced(&self, text: &str) -> bool {
        let synced = *self.synced.lock().unwrap();
        self.events().iter().any(|event| {
            event.seq <= synced && serde_json::to_string(event).is_ok_and(|line| line.contains(text))
        })
    }

    /// What was appended against the rules.
    pub(crate) fn errors(&self) -> Vec<String> {
        self.errors.lock().unwrap().clone()
    }

    /// What the log refused and does not have yet.
    pub(crate) fn set_aside(&self) -> Vec<Event> {
        self.set_aside.lock().unwrap().clone()
    }

    fn take(&self, events: &[Event], durability: Durability) {
        let mut lines = self.lines.lock().unwrap();
        for event in events {
            if event.seq as usize != lines.len() + 1 {
                let error = format!("event {} came after {} events", event.seq, lines.len());
                self.errors.lock().unwrap().push(error);
            }
            lines.push(serde_json::to_string(event).unwrap());
        }
        if durability == Durability::Synced {
            *self.synced.lock().unwrap() = Seq::try_from(lines.len()).unwrap();
        }
    }
}

/// One process's hold of the disk.
pub(crate) struct MemoryLog {
    disk: Arc<Disk>,
    death: Option<Death>,
    appends: AtomicU32,
    is_dead: AtomicBool,
    is_held: AtomicBool,
    refuses: Box<dyn Fn(u32) -> bool + Send + Sync>,
    pub(crate) patience: Option<Duration>,
}

impl MemoryLog {
    /// A process whose disk is full at these of its appends, and that waits for it so long.
    pub(crate) fn refusing(
        disk: Arc<Disk>,
        patience: Option<Duration>,
        refuses: impl Fn(u32) -> bool + Send + Sync + 'static,
    ) -> Arc<MemoryLog> {
        let log = Arc::into_inner(MemoryLog::open(disk, None)).unwrap();
        Arc::new(MemoryLog { refuses: Box::new(refuses), patience, ..log })
    }

    pub(crate) fn open(disk: Arc<Disk>, death: Option<Death>) -> Arc<MemoryLog> {
        disk.open_database();
        Arc::new(MemoryLog {
            disk,
            death,
            appends: AtomicU32::new(0),
            is_dead: AtomicBool::new(false),
            is_held: AtomicBool::new(false),
            refuses: Box::new(|_| false),
            patience: None,
        })
    }

    /// How many appends were tried.
    pub(crate) fn appends(&self) -> u32 {
        self.appends.load(Ordering::SeqCst)
    }

    /// The process dies now.
    pub(crate) fn die(&self) {
        self.is_dead.store(true, Ordering::SeqCst);
    }

    pub(crate) fn is_dead(&self) -> bool {
        self.is_dead.load(Ordering::SeqCst)
    }

    /// Whether this process holds the run.
    pub(crate) fn is_held(&self) -> bool {
        self.is_held.load(Ordering::SeqCst)
    }

    fn record_problem(&self, what: &str) {
        self.disk.errors.lock().unwrap().push(what.to_owned());
    }

    async fn write(&self, events: &[Event], durability: Durability) -> Result<(), LogError> {
        let death = || LogError::new(Code::Internal, kernel::Phrase::verbatim("the process is dead"));
        // Others may come in between, as they do while a disk works.
        tokio::task::yield_now().await;
        if self.is_dead() {
            return Err(death());
        }
        let number = self.appends.fetch_add(1, Ordering::SeqCst);
        if (self.refuses)(number) {
            return Err(LogError::new(Code::DiskFull, kernel::Phrase::verbatim("the disk is full")));
        }
        match self.death {
            Some(Death::Before(at)) if at == number => self.is_dead.store(true, Ordering::SeqCst),
            Some(Death::After(at)) if at == number => {
                self.is_dead.store(true, Ordering::SeqCst);
                self.disk.take(events, durability);
            }
            _ => self.disk.take(events, durability),
        }
        tokio::task::yield_now().await;
        if self.is_dead() { Err(death()) } else { Ok(()) }
    }
}

#[async_trait]
impl Log for MemoryLog {
    async fn create(&self, start: &Start, events: Vec<Event>) -> Result<(), LogError> {
        self.hold(&start.run).await?;
        let written = self.write(&events, Durability::Committed).await;
        if !self.disk.lines.lock().unwrap().is_empty() {
            *self.disk.start.lock().unwrap() = Some(start.clone());
            if let Some(store) = self.disk.store() {
                store.create(start, events).await.unwrap();
            }
        }
        written
    }

    async fn append(
        &self,
        run: &RunId,
        events: Vec<Arc<Event>>,
        durability: Durability,
    ) -> Result<(), LogError> {
        let shared = events.clone();
        let events: Vec<Event> = events.into_iter().map(Arc::unwrap_or_clone).collect();
        if events.is_empty() {
            self.record_problem("an append of nothing");
        }
        if !self.is_held() {
            self.record_problem("an append to a run that is not held");
        }
        let before = self.disk.lines.lock().unwrap().len();
        let written = self.write(&events, durability).await;
        let is_taken = self.disk.lines.lock().unwrap().len() > before;
        if let Some(store) = self.disk.store().filter(|_| is_taken) {
            store.append(run, shared, durability).await.unwrap();
        }
        if written.is_ok() {
            self.disk.set_aside.lock().unwrap().clear();
        }
        if written.is_ok() && events.iter().any(|event| matches!(event.fact, Fact::RunEnded { .. })) {
            self.is_held.store(false, Ordering::SeqCst);
        }
        written
    }

    async fn load(&self, _: &RunId) -> Result<Recorded, LogError> {
        self.disk
            .recorded()
            .ok_or_else(|| LogError::new(Code::NotFound, kernel::Phrase::verbatim("there is no run")))
    }

    async fn hold(&self, run: &RunId) -> Result<(), LogError> {
        if self.is_held.swap(true, Ordering::SeqCst) {
            self.record_problem("a run that is held is held again");
        }
        let kept = std::mem::take(&mut *self.disk.set_aside.lock().unwrap());
        let stored = self.disk.events().len();
        let missing: Vec<Event> = kept.into_iter().filter(|event| event.seq as usize > stored).collect();
        self.disk.take(&missing, Durability::Committed);
        if let Some(store) = self.disk.store().filter(|_| self.disk.recorded().is_some()) {
            store.hold(run).await.unwrap();
        }
        Ok(())
    }

    async fn set_aside(&self, run: &RunId, events: Vec<Event>) -> Result<String, LogError> {
        if let Some(store) = self.disk.store() {
            store.set_aside(run, events.clone()).await.unwrap();
        }
        if !events.is_empty() {
            *self.disk.set_aside.lock().unwrap() = events;
        }
        Ok("a file".to_owned())
    }

    async fn release(&self, run: &RunId) -> Result<(), LogError> {
        if !self.is_held.swap(false, Ordering::SeqCst) {
            self.record_problem("a run that is not held is let go of");
        }
        if let Some(store) = self.disk.store().filter(|_| !self.is_dead()) {
            store.release(run).await.unwrap();
        }
        Ok(())
    }
}

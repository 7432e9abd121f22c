//! A log in memory. Each process opens it anew, and may be told to die at one of its appends.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use engine::{Durability, Log, LogError, Recorded};
use kernel::{Code, Event, Fact, RunId, Seq, Start};

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
    faults: Mutex<Vec<String>>,
}

impl Disk {
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
    pub(crate) fn faults(&self) -> Vec<String> {
        self.faults.lock().unwrap().clone()
    }

    fn store(&self, events: &[Event], durability: Durability) {
        let mut lines = self.lines.lock().unwrap();
        for event in events {
            if event.seq as usize != lines.len() + 1 {
                let fault = format!("event {} came after {} events", event.seq, lines.len());
                self.faults.lock().unwrap().push(fault);
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
}

impl MemoryLog {
    pub(crate) fn open(disk: Arc<Disk>, death: Option<Death>) -> Arc<MemoryLog> {
        Arc::new(MemoryLog {
            disk,
            death,
            appends: AtomicU32::new(0),
            is_dead: AtomicBool::new(false),
            is_held: AtomicBool::new(false),
        })
    }

    /// How many appends were tried.
    pub(crate) fn appends(&self) -> u32 {
        self.appends.load(Ordering::SeqCst)
    }

    pub(crate) fn is_dead(&self) -> bool {
        self.is_dead.load(Ordering::SeqCst)
    }

    /// Whether this process holds the run.
    pub(crate) fn is_held(&self) -> bool {
        self.is_held.load(Ordering::SeqCst)
    }

    fn fault(&self, what: &str) {
        self.disk.faults.lock().unwrap().push(what.to_owned());
    }

    async fn write(&self, events: &[Event], durability: Durability) -> Result<(), LogError> {
        let death = || LogError::new(Code::Internal, "the process is dead");
        // Others may come in between, as they do while a disk works.
        tokio::task::yield_now().await;
        if self.is_dead() {
            return Err(death());
        }
        let number = self.appends.fetch_add(1, Ordering::SeqCst);
        match self.death {
            Some(Death::Before(at)) if at == number => self.is_dead.store(true, Ordering::SeqCst),
            Some(Death::After(at)) if at == number => {
                self.is_dead.store(true, Ordering::SeqCst);
                self.disk.store(events, durability);
            }
            _ => self.disk.store(events, durability),
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
        }
        written
    }

    async fn append(&self, _: &RunId, events: Vec<Event>, durability: Durability) -> Result<(), LogError> {
        if events.is_empty() {
            self.fault("an append of nothing");
        }
        if !self.is_held() {
            self.fault("an append to a run that is not held");
        }
        let written = self.write(&events, durability).await;
        if written.is_ok() && events.iter().any(|event| matches!(event.fact, Fact::RunEnded { .. })) {
            self.is_held.store(false, Ordering::SeqCst);
        }
        written
    }

    async fn load(&self, _: &RunId) -> Result<Recorded, LogError> {
        self.disk.recorded().ok_or_else(|| LogError::new(Code::NotFound, "there is no run"))
    }

    async fn hold(&self, _: &RunId) -> Result<(), LogError> {
        if self.is_held.swap(true, Ordering::SeqCst) {
            self.fault("a run that is held is held again");
        }
        Ok(())
    }

    async fn release(&self, _: &RunId) -> Result<(), LogError> {
        if !self.is_held.swap(false, Ordering::SeqCst) {
            self.fault("a run that is not held is let go of");
        }
        Ok(())
    }
}

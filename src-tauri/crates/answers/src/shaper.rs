//! The shaper of one answer: where it is, what it repaired, and why a value does not fit.

use crate::Fault;
use crate::done::Done;
use crate::work::Work;

/// Most levels of wrappers that are removed.
pub(crate) const MOST_WRAPPERS: usize = 5;

/// Why a value does not fit.
#[derive(Debug, PartialEq)]
pub(crate) enum Misfit {
    /// The text ends inside it.
    Cut,
    /// A part of it has another shape.
    Wrong(Fault),
    /// The whole reading is aborted.
    Ended(Fault),
}

pub(crate) type Fit<T> = Result<T, Misfit>;

pub(crate) struct Shaper<'w, 's> {
    pub(crate) was_cut: bool,
    pub(crate) work: &'w mut Work<'s>,
    pub(crate) done: Done,
    /// The path that is being shaped: names and item numbers.
    pub(crate) path: Vec<String>,
    pub(crate) nested: usize,
}

impl<'w, 's> Shaper<'w, 's> {
    pub(crate) fn new(was_cut: bool, work: &'w mut Work<'s>) -> Shaper<'w, 's> {
        Shaper { was_cut, work, done: Done::default(), path: Vec::new(), nested: 0 }
    }

    /// The path for a fault.
    pub(crate) fn wrong(&self, problem: impl Into<String>) -> Misfit {
        Misfit::Wrong(Fault::Shape { field: self.path.join("/"), problem: problem.into() })
    }

    /// The path for a repair: without item numbers.
    pub(crate) fn place(&self) -> String {
        let names = self.path.iter().filter(|name| !name.starts_with(|c: char| c.is_ascii_digit()));
        names.map(String::as_str).collect::<Vec<_>>().join(".")
    }

    pub(crate) fn within<T>(
        &mut self,
        name: impl Into<String>,
        shape: impl FnOnce(&mut Self) -> Fit<T>,
    ) -> Fit<T> {
        self.path.push(name.into());
        let fit = shape(self);
        self.path.pop();
        fit
    }

    /// Tries one way, and discards its notes if it does not fit.
    pub(crate) fn attempt<T>(&mut self, shape: impl FnOnce(&mut Self) -> Fit<T>) -> Fit<T> {
        let before = self.done.clone();
        let fit = shape(self);
        if fit.is_err() {
            self.done = before;
        }
        fit
    }

    /// The name of the field that is being shaped.
    pub(crate) fn own_name(&self) -> Option<&str> {
        self.path.last().map(String::as_str)
    }

    /// Whether this is a path inside the answer.
    pub(crate) fn is_inside(&self) -> bool {
        !self.path.is_empty()
    }

    pub(crate) fn spend(&mut self, steps: usize) -> Fit<()> {
        self.work.spend(steps).map_err(Misfit::Ended)
    }
}

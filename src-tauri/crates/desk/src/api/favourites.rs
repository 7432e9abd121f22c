//! Saved forms: a pipeline with its inputs and settings, under a name.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::StartRun;

/// A form that the person keeps.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct Favourite {
    /// Its name, one line.
    pub name: String,
    /// What its run is started with.
    pub request: StartRun,
}

/// Every favourite, in the person's order.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct Favourites {
    /// The first nine have the number keys.
    pub favourites: Vec<Favourite>,
}

/// A favourite to be saved.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct SaveFavourite {
    /// Its name, one line.
    pub name: String,
    /// What its run is started with.
    pub request: StartRun,
    /// The favourite whose place it takes; a new one at the end when not given.
    pub replaces: Option<String>,
}

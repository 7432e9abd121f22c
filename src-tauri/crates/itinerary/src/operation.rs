//! The operations that change what the person chose of an itinerary.

use std::collections::BTreeSet;

use kernel::{Code, Error, phrase};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::choice::Choice;
use crate::itinerary::{Itinerary, LeftOut, LeftOutReason};

/// How many ids an error names.
const MOST_NAMED: usize = 12;

/// What the person does to an itinerary. Positions count from 1.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema, TS)]
#[serde(tag = "operation", rename_all = "snake_case")]
pub enum Operation {
    /// Visits the points in this order, which names every visited point once. Fixed points are then fixed at their new
    /// positions.
    Reorder {
        /// The ids.
        ids: Vec<String>,
    },
    /// Leaves a point out.
    Drop {
        /// Its id.
        id: String,
    },
    /// Visits a point again that was dropped, at this position. Where the program chooses the order, the point is fixed
    /// there.
    Add {
        /// Its id.
        id: String,
        /// The position.
        position: u32,
    },
    /// Visits a point at this position, whatever else changes.
    Fix {
        /// Its id.
        id: String,
        /// The position.
        position: u32,
    },
    /// Lets a point go elsewhere again.
    Unfix {
        /// Its id.
        id: String,
    },
    /// Lets the program choose the order again; fixed points stay.
    Optimize,
}

/// The choice of an itinerary after an operation of the person. [`plan`](crate::plan) with it gives the new times.
///
/// # Errors
/// `not_found` for an id that the itinerary does not have. `bad_input` for a position that does not exist or belongs to
/// another fixed point, an order that lacks or repeats a point, a point that is added while it is visited or that has no
/// coordinates, and a fixed point that is not visited.
pub fn change(itinerary: &Itinerary, operation: &Operation) -> Result<Choice, Error> {
    let mut choice = itinerary.choice.clone();
    let visited: Vec<&str> = itinerary.visits.iter().map(|visit| visit.id.as_str()).collect();
    let in_order = || visited.iter().map(|id| (*id).to_owned()).collect::<Vec<String>>();
    // The order of the person as it is now, with the fixed points where they are.
    choice.order = choice.order.map(|_| in_order());
    match operation {
        Operation::Reorder { ids } => {
            check_order(itinerary, &visited, ids)?;
            for (id, position) in ids.iter().zip(1..) {
                choice.fixed.entry(id.clone()).and_modify(|fixed| *fixed = position);
            }
            choice.order = Some(ids.clone());
        }
        Operation::Drop { id } => {
            check_known(itinerary, id)?;
            choice.order.iter_mut().for_each(|order| order.retain(|known| known != id));
            choice.fixed.remove(id);
            choice.dropped.insert(id.clone());
        }
        Operation::Add { id, position } => {
            check_known(itinerary, id)?;
            check_can_be_added(itinerary, id)?;
            check_position(itinerary, id, *position, visited.len() + 1)?;
            choice.dropped.remove(id);
            match &mut choice.order {
                Some(order) => order.insert(*position as usize - 1, id.clone()),
                None => drop(choice.fixed.insert(id.clone(), *position)),
            }
        }
        Operation::Fix { id, position } => {
            check_visited(itinerary, &visited, id)?;
            check_position(itinerary, id, *position, visited.len())?;
            if let Some(order) = &mut choice.order {
                order.retain(|known| known != id);
                order.insert(*position as usize - 1, id.clone());
            }
            choice.fixed.insert(id.clone(), *position);
        }
        Operation::Unfix { id } => {
            check_known(itinerary, id)?;
            choice.fixed.remove(id);
        }
        Operation::Optimize => choice.order = None,
    }
    Ok(choice)
}

fn check_known(itinerary: &Itinerary, id: &str) -> Result<(), Error> {
    let visited = itinerary.visits.iter().map(|visit| visit.id.as_str());
    let mut known = visited.chain(itinerary.left_out.iter().map(|left| left.id.as_str()));
    if known.clone().any(|known| known == id) {
        return Ok(());
    }
    let mut named: Vec<&str> = known.by_ref().take(MOST_NAMED).collect();
    if known.next().is_some() {
        named.push("…");
    }
    let phrase = if named.is_empty() {
        phrase!("The itinerary has no point `{id}`, as it has no points; add points first", id)
    } else {
        phrase!(
            "The itinerary has no point `{id}`; name one of its points: {known}",
            id,
            known = named.join(", ")
        )
    };
    Err(Error::new(Code::NotFound, phrase))
}

fn check_visited(itinerary: &Itinerary, visited: &[&str], id: &str) -> Result<(), Error> {
    check_known(itinerary, id)?;
    if visited.contains(&id) {
        return Ok(());
    }
    check_has_position(itinerary, id)?;
    Err(refused(phrase!("The point `{id}` is not visited, as it was dropped; add it first", id)))
}

fn check_can_be_added(itinerary: &Itinerary, id: &str) -> Result<(), Error> {
    if itinerary.visits.iter().any(|visit| visit.id == id) {
        return Err(refused(phrase!(
            "The point `{id}` is visited already; to move it, fix it at a position or reorder the points",
            id
        )));
    }
    check_has_position(itinerary, id)
}

fn check_has_position(itinerary: &Itinerary, id: &str) -> Result<(), Error> {
    let is_nowhere = |left: &&LeftOut| left.id == id && left.reason == LeftOutReason::NoPosition;
    match itinerary.left_out.iter().find(is_nowhere) {
        Some(_) => Err(refused(phrase!(
            "The point `{id}` cannot be visited, as it has no position on the earth; give its coordinates first",
            id
        ))),
        None => Ok(()),
    }
}

/// Checks a position for a point among so many visits.
fn check_position(itinerary: &Itinerary, id: &str, position: u32, count: usize) -> Result<(), Error> {
    if position == 0 || position as usize > count {
        return Err(refused(phrase!(
            "The point `{id}` cannot be visited at position {position}, which does not exist; choose 1 to {count}",
            id,
            position,
            count
        )));
    }
    let holder = itinerary.visits.iter().find(|visit| visit.is_fixed && visit.position == position);
    match holder.filter(|visit| visit.id != id) {
        Some(visit) => Err(refused(phrase!(
            "The point `{id}` cannot be visited at position {position}, where `{other}` is fixed; unfix `{other}` first or choose another position",
            id,
            position,
            other = visit.id
        ))),
        None => Ok(()),
    }
}

fn check_order(itinerary: &Itinerary, visited: &[&str], ids: &[String]) -> Result<(), Error> {
    let mut named = BTreeSet::new();
    for id in ids {
        check_visited(itinerary, visited, id)?;
        if !named.insert(id.as_str()) {
            return Err(refused(phrase!(
                "The order names the point `{id}` twice; name every visited point once",
                id
            )));
        }
    }
    match visited.iter().find(|id| !named.contains(**id)) {
        Some(id) => Err(refused(phrase!(
            "The order lacks the point `{id}`; name every visited point once, or drop this one",
            id
        ))),
        None => Ok(()),
    }
}

fn refused(phrase: kernel::Phrase) -> Error {
    Error::new(Code::BadInput, phrase)
}

#[cfg(test)]
#[path = "operation_tests.rs"]
mod tests;

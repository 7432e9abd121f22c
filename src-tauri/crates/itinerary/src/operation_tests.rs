use super::*;
use crate::Trip;
use crate::plan::tests::{ids, planned, stop, trip};

/// Four points on a line, best visited in the order a, b, c, d.
fn line() -> Trip {
    trip((1..).zip(["a", "b", "c", "d"]).map(|(at, id)| stop(id, f64::from(at) * 100.0, 0.0, None)).collect())
}

/// The itinerary after these operations, one after the other.
fn after(operations: &[Operation]) -> Itinerary {
    let trip = line();
    let first = planned(&trip, &Choice::default());
    operations.iter().fold(first, |now, operation| planned(&trip, &change(&now, operation).unwrap()))
}

fn refusal(operations: &[Operation], last: Operation) -> (Code, String) {
    let error = change(&after(operations), &last).unwrap_err();
    (error.code, error.message)
}

fn reorder(ids: &str) -> Operation {
    Operation::Reorder { ids: ids.chars().map(String::from).collect() }
}

fn leave(id: &str) -> Operation {
    Operation::Drop { id: id.to_owned() }
}

fn add(id: &str, position: u32) -> Operation {
    Operation::Add { id: id.to_owned(), position }
}

fn fix(id: &str, position: u32) -> Operation {
    Operation::Fix { id: id.to_owned(), position }
}

fn unfix(id: &str) -> Operation {
    Operation::Unfix { id: id.to_owned() }
}

#[test]
fn the_order_follows_the_operations_of_the_person() {
    let table = [
        (vec![], "abcd"),
        (vec![reorder("dbca")], "dbca"),
        (vec![reorder("dbca"), Operation::Optimize], "abcd"),
        (vec![leave("b")], "acd"),
        (vec![leave("b"), leave("b")], "acd"),
        (vec![leave("b"), add("b", 1)], "bacd"),
        (vec![leave("b"), add("b", 4)], "acdb"),
        (vec![reorder("dbca"), leave("b"), add("b", 1)], "bdca"),
        (vec![fix("d", 1)], "dcba"),
        (vec![fix("d", 1), unfix("d")], "abcd"),
        (vec![fix("d", 1), fix("d", 2)], "adcb"),
        (vec![reorder("dbca"), fix("a", 2)], "dabc"),
        (vec![reorder("dbca"), fix("a", 2), unfix("a")], "dabc"),
        // What is fixed stays at its position when others go, and the last goes with the end.
        (vec![reorder("dbca"), fix("c", 3), leave("d")], "bac"),
        (vec![fix("b", 4), leave("c")], "adb"),
        // A fixed point that is reordered is fixed where it then is.
        (vec![fix("d", 1), reorder("abcd"), Operation::Optimize], "abcd"),
        (vec![fix("d", 1), reorder("bcda"), Operation::Optimize], "abdc"),
        (vec![unfix("a")], "abcd"),
    ];
    for (operations, order) in table {
        assert_eq!(ids(&after(&operations)).concat(), order, "{operations:?}");
    }
}

#[test]
fn times_follow_an_operation() {
    let (before, after) = (after(&[]), after(&[reorder("dcba")]));
    assert_eq!((after.visits[0].leg.distance_m, before.visits[0].leg.distance_m), (520, 130));
    assert!(after.totals.end > before.totals.end);
    assert_eq!(after.visits[3].cumulative_distance_m, after.totals.distance_m);
}

#[test]
fn fixed_and_dropped_points_are_told_apart() {
    let itinerary = after(&[leave("b"), fix("d", 2)]);
    let is_fixed: Vec<bool> = itinerary.visits.iter().map(|visit| visit.is_fixed).collect();
    assert_eq!((ids(&itinerary), is_fixed), (vec!["a", "d", "c"], vec![false, true, false]));
    assert_eq!(itinerary.left_out[0].reason, LeftOutReason::Dropped);
}

#[test]
fn an_unknown_id_is_refused_with_those_that_are_known() {
    let unknown = [reorder("acx"), leave("x"), add("x", 1), fix("x", 1), unfix("x")];
    for operation in unknown {
        let (code, message) = refusal(&[leave("b")], operation);
        assert_eq!(code, Code::NotFound);
        assert_eq!(message, "The itinerary has no point `x`; name one of its points: a, c, d, b");
    }
    let none = planned(&trip(Vec::new()), &Choice::default());
    let error = change(&none, &leave("x")).unwrap_err();
    assert_eq!(error.message, "The itinerary has no point `x`, as it has no points; add points first");
}

#[test]
fn what_cannot_be_done_is_refused_with_the_next_step() {
    let table = [
        (vec![], add("a", 1), "is visited already"),
        (vec![leave("a")], add("a", 0), "choose 1 to 4"),
        (vec![leave("a")], add("a", 5), "choose 1 to 4"),
        (vec![], fix("a", 5), "choose 1 to 4"),
        (vec![leave("a")], fix("a", 1), "add it first"),
        (vec![fix("b", 1)], fix("a", 1), "unfix `b` first"),
        (vec![fix("b", 1), leave("a")], add("a", 1), "unfix `b` first"),
        (vec![], reorder("abc"), "lacks the point `d`"),
        (vec![], reorder("abcc"), "names the point `c` twice"),
        (vec![leave("a")], reorder("abcd"), "add it first"),
    ];
    for (operations, last, words) in table {
        let (code, message) = refusal(&operations, last);
        assert_eq!(code, Code::BadInput);
        assert!(message.contains(words), "{message}");
    }
}

#[test]
fn a_point_that_is_nowhere_cannot_be_added_or_fixed() {
    let mut trip = line();
    trip.stops[0].coordinates = None;
    let itinerary = planned(&trip, &Choice::default());
    for operation in [add("a", 1), fix("a", 1)] {
        let error = change(&itinerary, &operation).unwrap_err();
        assert!(error.message.contains("give its coordinates first"), "{}", error.message);
    }
}

#[test]
fn operations_are_data() {
    let text = r#"[{"operation":"reorder","ids":["a"]},{"operation":"add","id":"a","position":2},{"operation":"optimize"}]"#;
    let operations: Vec<Operation> = serde_json::from_str(text).unwrap();
    assert_eq!(operations[1], add("a", 2));
    assert_eq!(serde_json::to_string(&operations).unwrap(), text);
}

//! Which sentences hang in the air, and which stand.

use super::{Known, Untold, leans_on, stands_alone};
use crate::candidates::stems_of;

#[test]
fn a_sentence_that_needs_the_one_before_it_is_refused() {
    let nothing = Known::default();
    for hanging in [
        "This makes ferries cheaper.",
        "Ferries that burn such oils are cheaper.",
        "Both were sold in spring.",
        "Boats are measured along three axes.",
        "Ferries cost not only fuel.",
        "The department has until autumn.",
        "A complementary timetable sorts ferries by age.",
        "They sail at night.",
        "Among the crews the latter sleep longer.",
        "The second ferry was late.",
        "All six captains slept.",
        "Most of them sail at night.",
        "Of crews the two mates sail most.",
        "On the original timetable every ferry was late.",
        "Batteries turn that question into one of price.",
        "The length itself says how late a ferry is.",
        "Captains and crews answer the question differently.",
        "Both signals tell how late a ferry is.",
        "A timetable with anything as good costs twice the price.",
        "A timetable that knows nothing but the tide reached 0.60.",
        "For ferries the figure is 28%.",
        "Auditors saw the crews of six of the eight.",
        "The study asks whether a timetable avoids that harm.",
    ] {
        assert!(!stands_alone(hanging, &nothing), "{hanging}");
    }
}

#[test]
fn a_sentence_that_brings_what_it_needs_stands() {
    let nothing = Known::default();
    for standing in [
        "Both ferries and buses were sold in spring.",
        "Boats are measured along three axes: speed, noise and cost.",
        "Ferries cost not only fuel but also time.",
        "The Department of Ports has until autumn.",
        "The share of ferries with batteries doubled.",
        "Ferries such as the night boat lost half their guests.",
        "Five of the seven ferries sail at night.",
        "Auditors saw 190 ferries, most of them at night.",
        "For the two years of the trial no ferry was late.",
        "A ferry is as good as its crew.",
        "A timetable reached an accuracy of 0.60.",
        "Captains answer the question whether ferries are late.",
        "Harbours differ in length, and the length itself depends on the tide.",
    ] {
        assert!(stands_alone(standing, &nothing), "{standing}");
    }
    assert!(stands_alone(
        "The department has until autumn.",
        &Known::of("Department of Ports loses in court", false)
    ));
}

#[test]
fn a_thing_or_a_name_that_only_an_untold_sentence_has_given_is_not_spoken_of_as_known() {
    let before = "A towed burner with four lamps and Harrow, its camera, kill weeds.";
    let stems = stems_of(before);
    let untold = [Untold { text: before, stems: &stems }];
    for (sentence, known, expected) in [
        ("On wet days the burner covered 2 hectares.", "", true),
        ("On wet days the first four lamps went out.", "", true),
        ("Harrow sees 3 weeds a second.", "", true),
        ("On wet days the burner covered 2 hectares.", "A burner for beets", false),
        ("On wet days the burner of the neighbour covered 2 hectares.", "", false),
        ("On wet days the sprayer covered 2 hectares.", "", false),
        ("On wet days 2 hectares were covered.", "", false),
    ] {
        assert_eq!(leans_on(sentence, &Known::of(known, false), &untold), expected, "{sentence}");
    }
    assert!(!leans_on("On wet days the burner covered 2 hectares.", &Known::default(), &[]));
}

//! The guarantees of the crate, tested on sentences and on hostile text.

use crate::{
    BreachKind, PlaceholderKind, Removal, RemovalReason, check_enriched, check_filled, check_grounded,
    check_pruned, enrich, fill, filled_values, placeholders, prune,
};
use proptest::prelude::*;

fn names(text: &str) -> Vec<String> {
    placeholders(text).into_iter().map(|one| one.name).collect()
}

#[test]
fn braces_brackets_and_choices_are_placeholders() {
    let text =
        "The {name} has [number of rooms] rooms and {{owner}} {was/was not} there. All/most of them left.";
    assert_eq!(names(text), ["name", "number of rooms", "owner", "was/was not", "All/most"]);
    let found = placeholders(text);
    assert_eq!(found[3].choices, ["was", "was not"]);
    assert_eq!(found[4].kind, PlaceholderKind::Slash);
    assert_eq!(&text[found[2].place.clone()], "{{owner}}");
    assert_eq!(
        names("产量增加/减少到{数量}吨。全部/大部分/少数住户同意。"),
        ["增加/减少", "数量", "全部/大部分/少数"]
    );
    assert_eq!(names("予約日：［予約日］、｛氏名｝"), ["予約日", "氏名"]);
    assert_eq!(names("It was/was not found."), ["was/was not"]);
}

#[test]
fn links_citations_boxes_code_and_plain_slashes_are_not_placeholders() {
    let text = "See [the guide](https://a.example/b/c) [1] [^2] and/or N/A, km/h, CI/CD, 24/7, 12/03/2026, \
        `{code}` \\[sic\\] https://x.example/fast/slow, 和/或, および/または.\n\n- [ ] box\n- [x] box\n\n\
        ```json\n{\"a\": [\"b\"]}\n```\n";
    assert_eq!(names(text), Vec::<String>::new());
}

/// Template, summary and expected result.
fn filled(template: &str, summary: &str) -> String {
    fill(&prune(template, summary).text, summary).text.trim().to_owned()
}

#[test]
fn a_label_with_its_name_fills_a_placeholder_with_its_exact_value() {
    for (template, summary, document) in [
        (
            "The company {company_name} was audited on {date of the audit}.",
            "Company: Velta AG. Date of the audit: 12 May 2026. Sites visited: 3.",
            "The company Velta AG was audited on 12 May 2026.",
        ),
        (
            "The inspector, {inspectorName}, visited {sites visited} sites.",
            "- **Inspector name:** Dr. Dana Ortiz\n- Sites visited: 3\n- Date: 4 March 2026",
            "The inspector, Dr. Dana Ortiz, visited 3 sites.",
        ),
        (
            "| Venue | {venue} |",
            "| Venue | Harbour Hall, east wing |\n| Hall | 2 |",
            "| Venue | Harbour Hall, east wing |",
        ),
        ("Owner: {name}", "Owner: Mrs. A. St. John-Reyes", "Owner: Mrs. A. St. John-Reyes"),
        ("We thank {owner}.", "Owner: Prof. Dr. med. Ada Lind", "We thank Prof. Dr. med. Ada Lind."),
        (
            "From {from} to {to} on {day}.",
            "From: Oslo\nTo: Bergen\nDay: Monday",
            "From Oslo to Bergen on Monday.",
        ),
        (
            "Name: {name}\nAge: {age}\nThe visit was on {date}.",
            "Name: Lee, Ann\nAge: 39\nThe visit was on 7 May 2026.",
            "Name: Lee, Ann\nAge: 39\nThe visit was on 7 May 2026.",
        ),
        (
            "参加者：{参加者}",
            "参加者：佐藤、鈴木 ほか4名\n参加者は7名であった。",
            "参加者：佐藤、鈴木 ほか4名",
        ),
        ("Result for lead: {lead result}", "Result for lead: < 0.5 µg/L", "Result for lead: < 0.5 µg/L"),
        ("Owner: {phone}", "Owner: Mrs. A. St. John-Reyes", "Owner: {phone}"),
        ("It lasted {duration} minutes.", "Duration: 94 minutes", "It lasted 94 minutes."),
        ("The claim {claim number} is open.", "The claim number is 000318.", "The claim 000318 is open."),
        ("The {treasurer} spoke.", "The treasurer was absent.", "The {treasurer} spoke."),
        ("報告者は{氏名}です。", "報告者：山田太郎。実施日：2026年5月12日。", "報告者は{氏名}です。"),
        (
            "検査は{検査員}が行った。",
            "検査員：山田 太郎（第二課）\n検査日：5月12日",
            "検査は山田 太郎（第二課）が行った。",
        ),
        ("检查由{检查员}完成。", "检查员：李华。检查日期：2026年5月12日。", "检查由李华完成。"),
        // A denied or past value is not used.
        ("The patient was never given {drug}.", "Drug: metformin", "The patient was never given {drug}."),
        ("The head is {head}.", "The head was Ms. Ito.", "The head is {head}."),
        (
            "It is on {meeting date} in {room}.",
            "Meeting date is 7 July 2026. Room is B-204. Chair is open.",
            "It is on 7 July 2026 in B-204.",
        ),
        // A point that may belong to an ordinal or an abbreviation does not end a value.
        (
            "Der Termin ist am {Termin}.",
            "Der Termin ist am 3. März 2026 in Bonn.",
            "Der Termin ist am {Termin}.",
        ),
        // A count is not used as an identifier.
        ("We had {number of guests} guests.", "Guest number: 4711.", "We had {number of guests} guests."),
        ("Ticket number: {ticket number}", "Number of tickets: 3", "Ticket number: {ticket number}"),
        ("It weighs {weight of the lorry}.", "Lorry weight: 7 t", "It weighs 7 t."),
        ("{sum} went to pay.", "EUR 7 went to fuel, EUR 4 went to pay.", "EUR 4 went to pay."),
        ("There are {beds} beds.", "Beds: 14. The ward is closed.", "There are 14 beds."),
        ("Tag: {Tag}", "Tag: 3. Mai 2026.", "Tag: 3. Mai 2026"),
        // If two values are possible, none is used.
        ("Nurse: {nurse}", "Nurse: Ann Fox\nNurse: Bea Lund", "Nurse: {nurse}"),
        // A value of the wrong kind is not used.
        (
            "There were {number of guests} guests.",
            "Number of guests: not known",
            "There were {number of guests} guests.",
        ),
    ] {
        assert_eq!(filled(template, summary), document, "{summary}");
    }
}

#[test]
fn a_label_fills_placeholders_under_its_own_heading() {
    let summary = "## Patient A\n\nWeight: 70 kg\n\n## Patient B\n\nHeight: 180 cm\n";
    let template = "## Patient A\n\nWeight: {weight}\n\n## Patient B\n\nWeight: {weight}\n";
    assert_eq!(filled(template, summary), template.replacen("{weight}", "70 kg", 1).trim());
    let twins = "## Patient A\n\nAge: 40\nWeight: 70 kg\n\n## Patient B\n\nAge: 50\n";
    assert_eq!(filled("Weight of patient B: {weight}", twins), "Weight of patient B: {weight}");
    let visit = "# Visits\n\nWard: 7\n\n## Second visit\n\nThe pulse was 80.";
    let first = "# Report\n\n## First visit\n\nThe pulse was {pulse}.\n\nWard: {ward}";
    assert_eq!(filled(first, visit), first.replace("{ward}", "7"));
    let breaches = |under: &str| check_grounded(&format!("{under}\n\nThe pulse was 80."), first, visit).len();
    assert_eq!((breaches("## First visit"), breaches("## Second visit")), (1, 0));
}

#[test]
fn only_a_sentence_with_the_same_words_fills_a_placeholder() {
    let summary = "The pump was repaired on 4 May 2026. Of 60 cows examined 15 were lame. The first parcel weighs 4.2 kg, \
        the second parcel weighs 11.75 kg. In the control group, nausea occurred in 19%. The gate was not locked at 18:00.";
    for (template, document) in [
        ("A pump is repaired on {date}.", "A pump is repaired on 4 May 2026."),
        ("The second parcel weighs {weight}.", "The second parcel weighs 11.75 kg."),
        ("The second parcel weighs {weight} kg.", "The second parcel weighs 11.75 kg."),
        ("The pump was replaced on {date}.", "The pump was replaced on {date}."),
        ("The third parcel weighs {weight}.", "The third parcel weighs {weight}."),
        // A statement on a part does not apply to the whole.
        ("Nausea occurred in {percentage}.", "Nausea occurred in {percentage}."),
        ("{n} were lame.", "{n} were lame."),
        ("The gate was/was not locked at {time}.", "The gate was not locked at 18:00."),
        ("It weighs {weight}.", "It weighs {weight}."),
    ] {
        assert_eq!(filled(template, summary), document);
    }
}

#[test]
fn a_sentence_is_removed_only_if_denied_or_not_mentioned_and_is_reported() {
    let summary = "No calves have died. The bull was not vaccinated. The partner site was not affected, the website and \
        the app were affected. Attendance fell to 64. The proposal was rejected. The patients were given antibiotics. \
        The dam was drained without any leak. Feeding was not begun and was postponed. Without a lid the tub holds 9 l. \
        施工按时完成无事故。工事は遅れなく完了した。";
    let kept = "The bull was not vaccinated. The website and the app were affected. The patients received antibiotics. \
        Attendance was noted by {clerk}. This report is meant for the owner. The dam was drained. Feeding was postponed. \
        It holds {volume of the tub}. 施工按时完成。工事は完了した。";
    assert_eq!(prune(kept, summary).removed, []);
    for (sentence, why) in [
        ("Two calves have died.", RemovalReason::Denied),
        ("The bull was vaccinated on {date}.", RemovalReason::Denied),
        ("The partner site was affected.", RemovalReason::Denied),
        ("Attendance rose to {number}.", RemovalReason::Denied),
        ("The proposal was accepted.", RemovalReason::Denied),
        ("The dam had a leak.", RemovalReason::Denied),
        ("施工有事故。", RemovalReason::Denied),
        ("Hoof trimming will be repeated on [date].", RemovalReason::NotMentioned),
        ("The patients danced until the morning came.", RemovalReason::NotMentioned),
    ] {
        let template = format!("{sentence} {kept}");
        let pruned = prune(&template, summary);
        assert_eq!(pruned.removed, [Removal { sentence: sentence.to_owned(), why }]);
        assert_eq!(pruned.text, kept);
    }
}

#[test]
fn a_pruner_may_remove_but_not_change_or_move() {
    let template = "One is here. Two is there. Three is gone.";
    assert_eq!(check_pruned(template, "One is here. Three is gone."), []);
    let breaches = check_pruned(template, "Two is there. One is here. Four is new.");
    let words: Vec<&str> = breaches.iter().map(|breach| breach.words.as_str()).collect();
    assert_eq!(words, ["One is here.", "Four is new."]);
}

#[test]
fn a_filler_may_only_change_placeholders() {
    let pruned = "The {thing} was seen\nby [n] people. They {were/were not} glad.";
    assert_eq!(check_filled(pruned, "The red kite was seen\nby 12 people. They were not glad."), []);
    assert_eq!(check_filled(pruned, pruned), []);
    let values = filled_values(pruned, "The red kite was seen\nby [n] people. They were glad.");
    let values: Vec<&str> = values.iter().map(|(_, value)| value.as_str()).collect();
    assert_eq!(values, ["red kite", "[n]", "were"]);
    let changed = check_filled(pruned, "The kite was heard\nby 12 people. They were glad.");
    assert_eq!(changed[0].kind, BreachKind::ChangedWords);
    assert_eq!(changed[0].words, "was seen\nby");
    let foreign = check_filled(pruned, "The kite was seen\nby 12 people. They might be glad.");
    assert_eq!(foreign[0].kind, BreachKind::ForeignChoice);
    assert!(!check_filled("No mark.", "No marks.").is_empty());
}

#[test]
fn an_enricher_may_add_but_not_remove() {
    let filled = "One is here. Two is there.";
    assert_eq!(check_enriched(filled, "One is here. A new one. Two is there."), []);
    assert_eq!(check_enriched(filled, "One is here.")[0].words, "Two is there.");
}

#[test]
fn figures_and_names_need_a_sentence_on_their_subject_or_a_fraction_beside_them() {
    let summary = "Of 40 wells 31 were dry in June; Hanna Brandt counted them on 4 June 2025.";
    let template = "The count cost {amount} euros.";
    let check = |document: &str| check_grounded(document, template, summary);
    assert_eq!(check("Hanna Brandt found 77.5% (31 of 40) of the wells dry on 2025-06-04."), []);
    assert_eq!(check("In all wells 77.5% were dry.")[0].kind, BreachKind::InventedFigure);
    assert_eq!(check("It was 80% (32 of 40).").len(), 2);
    let spelt = check_grounded("50% (Two of four) are done.", "", "Two of the four wells are done already.");
    assert_eq!(spelt, []);
    let names = check("The wells were counted by Peter Lang.");
    assert_eq!((names[0].kind, names[0].words.as_str()), (BreachKind::InventedName, "Peter Lang"));
    let chinese = check_grounded("主讲人为李远山。", "主讲人为{姓名}。", "由郑海峰主讲。");
    assert_eq!(chinese[0].words, "李远山");
}

#[test]
fn a_figure_of_another_statement_is_a_breach_that_names_its_sentence() {
    let symptoms = "Feeding difficulties affected 62% (29/47). Hearing was normal. None had a cleft palate. Myopia was \
        found in 71%. Order: 4711. Contact: Ada Lind";
    for (template, document, words) in [
        (
            "Hearing loss affects {percentage} of individuals.",
            "Hearing loss affects 62% of individuals.",
            "62%",
        ),
        ("Cleft palate is found in {percentage}.", "Cleft palate is found in 71%.", "71%"),
        ("", "A cleft palate was seen in 71% of individuals.", "71%"),
    ] {
        let breaches = check_grounded(document, template, symptoms);
        let found: Vec<_> = breaches.iter().map(|one| (one.words.as_str(), one.sentence.as_str())).collect();
        assert_eq!(found, [(words, document)]);
    }
    for (template, document) in [
        ("Feeding difficulties are seen in {percentage}.", "Feeding difficulties are seen in 62% (29/47)."),
        ("Myopia was found in {percentage}.", "Myopia was found in 71%."),
        ("We thank {contact} for order {order}.", "We thank Ada Lind for order 4711."),
        ("Hearing is tested within 30 days.", "Hearing is tested within 30 days."),
        ("", "Myopia was found in 71%."),
    ] {
        assert_eq!(check_grounded(document, template, symptoms), []);
    }
}

#[test]
fn a_figure_belongs_to_its_neighbouring_words() {
    for (summary, right, wrong) in [
        (
            "Rent in the old wing was 40 euros. Rent in the new wing was 50 euros.",
            "Rent in the new wing was 50 euros.",
            "Rent in the old wing was 50 euros.",
        ),
        ("The hotel had 5 rooms and 12 beds.", "The hotel had 12 beds.", "The hotel had 12 rooms."),
        ("At noon 4 girls and 9 boys slept.", "At noon 9 boys slept.", "At noon 9 girls and 4 boys slept."),
        ("Tea cost 3 euros, milk cost 2 euros.", "Milk cost 2 euros.", "Milk cost 3 euros."),
        ("大人は8名、子供は5名であった。", "大人は8名であった。", "大人は5名であった。"),
        (
            "Fourteen guests left early. Ana Ruiz led the walk.",
            "Departures came to 14.",
            "Guests came to 15.",
        ),
    ] {
        assert_eq!(check_grounded(right, "", summary), []);
        assert!(!check_grounded(wrong, "", summary).is_empty(), "{wrong}");
    }
}

#[test]
fn the_value_of_a_label_with_its_name_is_correct() {
    for (template, summary, value) in [
        ("{leader} planned the tour.", "The leader was Dr. Osei. The tour took two hours.", "Dr. Osei"),
        ("Pay to IBAN {iban}.", "IBAN: DE02 1203 0000 0000 2020 51", "DE02 1203 0000 0000 2020 51"),
        ("{number of guests} people came.", "Number of guests is 11.", "11"),
        ("We meet in {room}.", "Room is B-204.", "B-204"),
        ("Frau {Leitung} hilft, Zimmer 4.", "Leitung: Hr. Dr. Jürgen Weiß", "Hr. Dr. Jürgen Weiß"),
    ] {
        let name = placeholders(template)[0].place.clone();
        let document = format!("{}{value}{}", &template[..name.start], &template[name.end..]);
        assert_eq!(check_grounded(&document, template, summary), []);
    }
}

fn hold(template: &str, summary: &str) {
    for one in placeholders(template) {
        assert!(template.get(one.place.clone()).is_some_and(|written| written.contains(&one.name)));
    }
    let pruned = prune(template, summary);
    assert_eq!(check_pruned(template, &pruned.text), []);
    let filled = fill(&pruned.text, summary);
    let marks = placeholders(&pruned.text);
    assert_eq!(filled.filled.len() + filled.open.len(), marks.len());
    // Nothing outside of placeholders is changed.
    let (mut ours, mut theirs) = (0, 0);
    let mut replaced = filled.filled.iter().peekable();
    for mark in &marks {
        let fixed = &pruned.text[ours..mark.place.start];
        assert_eq!(filled.text.get(theirs..theirs + fixed.len()), Some(fixed));
        theirs += fixed.len();
        let next = replaced.next_if(|next| next.placeholder.place == mark.place);
        theirs += next.map_or(mark.place.len(), |next| next.value.len());
        ours = mark.place.end;
    }
    assert_eq!(&filled.text[theirs..], &pruned.text[ours..]);
    let enriched = enrich(&filled.text, summary);
    assert_eq!(check_enriched(&filled.text, &enriched.text), []);
    let _ = check_grounded(&enriched.text, template, summary);
    let _ = check_filled(template, summary);
}

const HOSTILE: &str = r#"([\[\]{}()`*_#>|$\\/^.!?,:;'"“」。、，：%％〇-]|[ \n\ta-cA-C0-9é検ガの万年月日時分人名🙂\u{202e}\u{0}]|\{n\}|\[date\]|was/was not |［日］|a: b|All/most |增加/减少|1,430 |of |5 of 20 |12 % |9 June 2026 |08:12|2026年3月1日|Anna Berg |１２|- |The |No |```|没有|ない){0,50}"#;

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_pruned_to_its_own_sentences_and_filled_only_at_placeholders(
        template in any::<String>(),
        summary in any::<String>(),
    ) {
        hold(&template, &summary);
    }

    #[test]
    fn text_full_of_marks_is_pruned_and_filled_likewise(template in HOSTILE, summary in HOSTILE) {
        hold(&template, &summary);
        hold(&template, &template);
    }
}

#[test]
fn long_text_is_read_in_bounded_time() {
    for pattern in [
        "a",
        "{",
        "[",
        "{n} ",
        "a/",
        "增加/",
        "1",
        "検",
        "All 3 of 4 a. ",
        "。",
        "{n} of [m] cows ate. ",
        "no ",
        "- a\n",
    ] {
        let text = pattern.repeat(6_000 / pattern.len());
        hold(&text, &text);
    }
    let lines = |value: &str| (0..400).map(|at| format!("Name {at}: {value}{at}}}\n")).collect::<String>();
    hold(&lines("{name "), &lines("Ann "));
    hold(&"The pump was {n}. ".repeat(400), &lines("The pump was cold, red, new, "));
}

//! What the crate promises, in sentences; two small reports of other subjects; hostile text.

use crate::{
    BreachKind, PlaceholderKind, RemovalReason, check_enriched, check_filled, check_grounded, check_pruned,
    check_values, enrich, fill, filled_values, placeholders, prune,
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
    assert_eq!(names("It was/was not found."), ["was/was not"]);
}

#[test]
fn links_citations_boxes_code_and_plain_slashes_are_none() {
    let text = "See [the guide](https://a.example/b/c) [1] [^2] and/or N/A, km/h, CI/CD, 24/7, 12/03/2026, \
        `{code}` \\[sic\\] https://x.example/fast/slow, 和/或, および/または.\n\n- [ ] box\n- [x] box\n\n\
        ```json\n{\"a\": [\"b\"]}\n```\n";
    assert_eq!(names(text), Vec::<String>::new());
}

const CLINIC: &str = "# Visit report\n\n- Farm: {farm_name}\n- Veterinarian: {veterinarian}\n- Case number: \
    {case_number}\n\nThis report is meant for the owner. On {date_of_visit} {number_examined} of [herd size] cows were examined. {percentage_lame} of the \
    cows examined were lame. Milk yield rose/fell from {yield_before} to {yield_after} litres a day. \
    Two calves had died. The bull {was/was not} vaccinated. Hoof trimming will be repeated on [date].";
const CLINIC_SUMMARY: &str = "Ruth Adeyemi, the veterinarian, visited the Oakfield farm on 4 May 2025 and examined \
    60 of the 150 cows. Of the 60 cows examined, 15 were lame. Milk yield fell from 28.5 to 24.0 litres a day. No \
    calves had died. The bull was not vaccinated. A second farm nearby, Longmead, reported 3 cases of mastitis in April 2025.";

#[test]
fn a_report_on_a_herd_is_pruned_filled_and_enriched() {
    let pruned = prune(CLINIC, CLINIC_SUMMARY);
    assert!(!pruned.text.contains("calves"), "{}", pruned.text);
    let calves = pruned.removed.iter().find(|removal| removal.sentence.contains("calves")).unwrap();
    assert_eq!(calves.why, RemovalReason::Denied);
    assert!(pruned.text.contains("This report is meant for the owner."));
    let filled = fill(&pruned.text, CLINIC_SUMMARY);
    for words in [
        "Veterinarian: Ruth Adeyemi",
        "On 4 May 2025 60 of 150 cows were examined.",
        "25% (15 of 60) of the cows examined were lame.",
        "yield fell from 28.5 to 24.0 litres",
        "The bull was not vaccinated.",
        "Case number: {case_number}",
    ] {
        assert!(filled.text.contains(words), "{words:?} is not in {}", filled.text);
    }
    assert!(filled.open.iter().any(|open| open.name == "case_number"));
    for open in &filled.open {
        assert!(filled.text[open.place.clone()].contains(&open.name));
    }
    assert_eq!(check_grounded(&filled.text, CLINIC, CLINIC_SUMMARY), []);
    let enriched = enrich(&filled.text, CLINIC_SUMMARY);
    assert!(enriched.text.contains("Longmead"), "{}", enriched.text);
    assert_eq!(enriched.added.len(), 1);
    for addition in &enriched.added {
        assert!(enriched.text[addition.at..].starts_with(&addition.sentence));
    }
    assert_eq!(check_enriched(&filled.text, &enriched.text), []);
}

const COURSE: &str = "# 培训总结\n\n- 培训地点：{培训地点}\n- 证书编号：{证书编号}\n\n培训由{讲师姓名}主讲。共有{报名人数}人报名，\
    [结业人数]人结业。结业率为{结业率}。全部/大部分/少数学员认为内容实用。培训期间发生了火灾。培训费用为{培训费用}元。\
    学员还参观了{工厂名称}。";
const COURSE_SUMMARY: &str = "2025年4月12日，焊接培训在北岭职业学校举行，由郑海峰主讲。共有50人报名，40人结业。40名学员中，\
    35人认为内容实用。培训期间未发生火灾。培训费用为9600元。";

#[test]
fn a_report_on_a_course_in_chinese_is_pruned_and_filled() {
    let pruned = prune(COURSE, COURSE_SUMMARY);
    assert!(!pruned.text.contains("火灾") && !pruned.text.contains("参观"), "{}", pruned.text);
    let filled = fill(&pruned.text, COURSE_SUMMARY);
    for words in [
        "培训由郑海峰主讲。",
        "共有50人报名，40人结业。",
        "结业率为80%（40/50）。",
        "大部分学员认为内容实用。",
        "培训费用为9600元。",
        "证书编号：{证书编号}",
    ] {
        assert!(filled.text.contains(words), "{words:?} is not in {}", filled.text);
    }
}

const SHOP: &str = "# 販売報告\n\n- 店舗名：{店舗名}\n- 承認番号：{承認番号}\n\n本報告書は月次の結果をまとめたものである。来店者は{来店者数}名で、前月より{増加/減少}した。売上は[売上金額]万円であった。返品は{返品件数}件あった。会員の割合は{会員の割合}である。{すべて/ほとんど/多く/一部}の会員が新商品を購入した。店長は{店長氏名}である。停電は発生しなかった。駐車場を[拡張時期]に拡張した。新しい棚は{設置日}に設置した。";
const SHOP_SUMMARY: &str = "港町店の6月の来店者は1200名で、前月の1050名から増加した。来店者1200名のうち300名が会員であった。会員300名のうち90名が新商品を購入した。売上は480万円、返品は12件であった。店長は長谷川実で、新しい棚は6月14日に設置した。停電は発生していない。";

#[test]
fn a_report_on_a_shop_in_japanese_is_pruned_and_filled() {
    let pruned = prune(SHOP, SHOP_SUMMARY);
    assert!(!pruned.text.contains("駐車場"), "{}", pruned.text);
    let filled = fill(&pruned.text, SHOP_SUMMARY);
    for words in [
        "来店者は1200名で、前月より増加した。売上は480万円であった。返品は12件あった。",
        "会員の割合は25%（300/1200）である。一部の会員が",
        "店長は長谷川実である。停電は発生しなかった。新しい棚は6月14日に設置した。",
        "承認番号：{承認番号}",
    ] {
        assert!(filled.text.contains(words), "{words:?} is not in {}", filled.text);
    }
}

const SCHOOL: &str = "- School: {school_name}\n- Headteacher: {headteacher}\n- Inspection date: [inspection date]\n- Registration number: {registration_number}\n\nThis report sums up the inspection. The inspectors observed {number_of_lessons} lessons and spoke with [number of pupils] pupils. {All/Most/Many/Some} of the lessons were graded good or better. {percentage_of_pupils} of the pupils felt safe at school. Attendance rose/fell from {attendance_before} % to {attendance_after} % within a year. The swimming pool was closed for {number_of_weeks} weeks. The library was renovated in {month_of_renovation} by {contractor}. No pupils were excluded. {number_excluded} pupils were excluded. The main weakness is {main_weakness}. The next inspection is planned for {next_inspection}.";
const SCHOOL_SUMMARY: &str = "Meadow Lane School was inspected on 11 March 2026; its headteacher is Colin Farrow. The inspectors observed 24 lessons and talked to 85 pupils. Of the 24 lessons, 18 were graded good or better. 80 of the 85 pupils felt safe at school. Attendance rose from 92.4 % to 94.1 % in one year. No pupils were excluded. The library was renovated in August 2025 by Tarn Builders. The main weakness is the teaching of science in year 9. The next inspection is planned for spring 2028.";

#[test]
fn a_report_on_a_school_is_pruned_and_filled() {
    let pruned = prune(SCHOOL, SCHOOL_SUMMARY);
    let gone: Vec<(&str, RemovalReason)> =
        pruned.removed.iter().map(|removal| (removal.sentence.as_str(), removal.why)).collect();
    assert_eq!(
        gone,
        [
            ("The swimming pool was closed for {number_of_weeks} weeks.", RemovalReason::NotMentioned),
            ("{number_excluded} pupils were excluded.", RemovalReason::Denied),
        ]
    );
    let filled = fill(&pruned.text, SCHOOL_SUMMARY);
    for words in [
        "School: Meadow Lane School\n- Headteacher: Colin Farrow\n- Inspection date: 11 March 2026",
        "observed 24 lessons and spoke with 85 pupils. Most of the lessons were graded good",
        "94.1 % (80 of 85) of the pupils felt safe at school. Attendance rose from 92.4 % to 94.1 % within",
        "renovated in August 2025 by Tarn Builders. No pupils were excluded. The main weakness is the teaching of science",
        "planned for spring 2028.",
    ] {
        assert!(filled.text.contains(words), "{words:?} is not in {}", filled.text);
    }
    assert_eq!(filled.open.len(), 1);
}

#[test]
fn a_pruner_may_leave_out_but_not_change_or_move() {
    let template = "One is here. Two is there. Three is gone.";
    assert_eq!(check_pruned(template, "One is here. Three is gone."), []);
    let breaches = check_pruned(template, "Two is there. One is here. Four is new.");
    let words: Vec<&str> = breaches.iter().map(|breach| breach.words.as_str()).collect();
    assert_eq!(words, ["One is here.", "Four is new."]);
}

#[test]
fn a_filler_may_change_placeholders_only() {
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
fn an_enricher_may_add_but_not_take_away() {
    let filled = "One is here. Two is there.";
    assert_eq!(check_enriched(filled, "One is here. A new one. Two is there."), []);
    assert_eq!(check_enriched(filled, "One is here.")[0].words, "Two is there.");
}

#[test]
fn figures_and_names_need_a_source_or_a_fraction_beside_them() {
    let summary = "Of 40 wells 31 were dry in June; Hanna Brandt counted them on 4 June 2025.";
    let template = "The count cost {amount} euros.";
    let check = |document: &str| check_grounded(document, template, summary);
    assert_eq!(check("Hanna Brandt found 77.5% (31 of 40) dry on 2025-06-04."), []);
    assert_eq!(check("The count cost 40 euros."), []);
    assert_eq!(check("In all 77.5% were dry.")[0].kind, BreachKind::InventedFigure);
    assert_eq!(check("It was 80% (32 of 40).").len(), 2);
    let spelt = check_grounded("50% (Two of four) are done.", "", "Two of the four wells are done already.");
    assert_eq!(spelt, []);
    let names = check("The wells were counted by Peter Lang.");
    assert_eq!((names[0].kind, names[0].words.as_str()), (BreachKind::InventedName, "Peter Lang"));
    let values = filled_values("主讲人为{姓名}。", "主讲人为李远山。");
    assert_eq!(check_values(&values, "", "由郑海峰主讲。")[0].words, "李远山");
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
    // Outside the placeholders nothing is changed.
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

const HOSTILE: &str = r#"([\[\]{}()`*_#>|$\\/^.!?,:;'"“」。、，：%％〇-]|[ \n\ta-cA-C0-9é検ガの万年月日時分人名🙂\u{202e}\u{0}]|\{n\}|\[date\]|was/was not |All/most |增加/减少|1,430 |of |5 of 20 |12 % |9 June 2026 |08:12|2026年3月1日|Anna Berg |１２|- |The |No |```|没有|ない){0,50}"#;

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_pruned_to_its_own_sentences_and_filled_at_placeholders_only(
        template in any::<String>(),
        summary in any::<String>(),
    ) {
        hold(&template, &summary);
    }

    #[test]
    fn text_full_of_marks_is_too(template in HOSTILE, summary in HOSTILE) {
        hold(&template, &summary);
        hold(&template, &template);
    }
}

#[test]
fn long_text_of_anything_is_read_in_bounded_time() {
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
}

#[test]
fn what_a_summary_says_behind_a_label_answers_the_placeholder_of_that_name() {
    for (template, summary, filled) in [
        (
            "The company {company_name} was audited on {date}.",
            "Company: Velta AG. Date of the audit: 12 May 2026. Sites visited: 3.",
            "The company Velta AG was audited on 12 May 2026.",
        ),
        (
            "The inspector, {inspector_name}, visited {number_of_sites} sites.",
            "Inspector: Dana Ortiz\nSites visited: 3\nDate: 4 March 2026",
            "The inspector, Dana Ortiz, visited 3 sites.",
        ),
        (
            "Dear {recipient}, thank you for your visit on {visit_date}.",
            "Recipient: Mrs Okafor. Visit date: 3 June 2026.",
            "Dear Mrs Okafor, thank you for your visit on 3 June 2026.",
        ),
        (
            "The budget of {budget} was exceeded by {overrun}.",
            "Budget: 40,000 euros. Spent: 43,500 euros. The budget was exceeded by 3,500 euros.",
            "The budget of 40,000 euros was exceeded by 3,500 euros.",
        ),
        (
            "The score was {score_after} points, up from {score_before} points.",
            "Average score before: 61 points. Average score after: 74 points.",
            "The score was 74 points, up from 61 points.",
        ),
        ("報告者は{氏名}です。", "報告者：山田太郎。実施日：2026年5月12日。", "報告者は山田太郎です。"),
        ("检查由{检查员}完成。", "检查员：李华。检查日期：2026年5月12日。", "检查由李华完成。"),
        (
            "The auditor was {auditor}.",
            "The auditor Dana Ortiz found no faults.",
            "The auditor was Dana Ortiz.",
        ),
        // Nothing is put into a cell that only its table explains.
        (
            "| Site |\n|---|\n| [site_1] |",
            "Sites visited: 3. All sites were open.",
            "| Site |\n|---|\n| [site_1] |",
        ),
        // A label of something else answers nothing, and a sentence that nobody spoke of goes.
        ("The contractor was fined on {date}.", "Date of the audit: 12 May 2026.", ""),
    ] {
        let pruned = crate::prune(template, summary);
        assert_eq!(crate::fill(&pruned.text, summary).text.trim(), filled, "{summary}");
    }
}

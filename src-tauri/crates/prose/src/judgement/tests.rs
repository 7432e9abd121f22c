use std::sync::Arc;

use super::{JudgedSentence, JudgedSource, Verdict, judge_text};

const HARBOUR: &str = "The port of Ostra opened in May. Its two cranes move 40 containers an hour, the \
    operator Veldt says. Night work begins in autumn.";
const FERRIES: &str = "Ferries between Ostra and Lind carry 900 people a day. A ticket costs 12 euros.";

fn sources(bodies: &[&str]) -> Vec<Arc<JudgedSource>> {
    bodies.iter().map(|body| Arc::new(JudgedSource::new(&[], &[body]))).collect()
}

fn judgement(text: &str) -> Vec<JudgedSentence> {
    judge_text(text, &sources(&[HARBOUR, FERRIES]), "")
}

#[test]
fn a_sentence_that_its_source_says_is_supported_with_its_passage() {
    let entries = judgement("Two cranes in Ostra move 40 containers an hour [1].");
    let [entry] = entries.as_slice() else { panic!("{entries:?}") };
    assert_eq!((entry.number, entry.verdict), (Some(1), Verdict::Supported));
    let source = JudgedSource::new(&[], &[HARBOUR]);
    let passage = entry.passage.clone().map(|range| &source.text()[range]);
    assert_eq!(passage, Some("Its two cranes move 40 containers an hour, the operator Veldt says."));
    assert!(entry.words.contains(&"cranes".to_owned()), "{:?}", entry.words);
}

#[test]
fn a_figure_or_a_name_that_no_cited_source_has_is_not_found() {
    let entries = judgement("The cranes of Ostra move 70 containers an hour, Veldt says [1].");
    assert_eq!(
        (entries[0].verdict, entries[0].words.as_slice()),
        (Verdict::NotFound, &["70".to_owned()][..])
    );
    let entries = judgement("The cranes of Ostra move 40 containers an hour, says Brandt of Veldt [1].");
    assert_eq!(
        (entries[0].verdict, entries[0].words.as_slice()),
        (Verdict::NotFound, &["Brandt".to_owned()][..])
    );
}

#[test]
fn a_sentence_about_something_else_is_not_found() {
    let entries = judgement("Protein folding runs on graphics processors [2].");
    assert_eq!(entries[0].verdict, Verdict::NotFound);
    assert!(entries[0].words.contains(&"folding".to_owned()), "{:?}", entries[0].words);
    assert_eq!(entries[0].passage, None);
}

#[test]
fn sources_cited_together_support_a_sentence_together() {
    let entries =
        judgement("Ostra moves 40 containers an hour, and its ferries carry 900 people a day [1][2].");
    let verdicts: Vec<_> = entries.iter().map(|entry| (entry.number, entry.verdict)).collect();
    assert_eq!(verdicts.len(), 2);
    assert!(verdicts.iter().all(|(_, verdict)| *verdict != Verdict::NotFound), "{verdicts:?}");
}

#[test]
fn a_number_without_a_source_is_out_of_range_and_the_list_of_references_is_ignored() {
    let text = "Ferries carry 900 people a day [3].\n\n## References\n\n[1] Port, https://example.org/a\n\n\
        [2] Ferries, https://example.org/b\n";
    let entries = judgement(text);
    assert_eq!(entries.len(), 1);
    assert_eq!((entries[0].number, entries[0].verdict), (Some(3), Verdict::OutOfRange));
}

#[test]
fn a_source_in_another_script_is_compared_by_figures_and_names_only() {
    let sources =
        sources(&["港の Ostra では二台のクレーンが一時間に40個のコンテナを動かすと運営会社が発表した。"]);
    let verdict = |text| judge_text(text, &sources, "")[0].verdict;
    assert_eq!(verdict("The cranes of Ostra move 40 containers an hour [1]."), Verdict::Weak);
    assert_eq!(verdict("The cranes of Lind move 70 containers an hour [1]."), Verdict::NotFound);
}

/// The verdict on a sentence with one source, and the words that decide it.
fn judged(sentence: &str, source: &str) -> (Verdict, Vec<String>) {
    let text = format!("{sentence} [1]");
    let mut entries = judge_text(&text, &sources(&[source]), "");
    assert_eq!(entries.len(), 1, "{sentence}");
    let entry = entries.remove(0);
    (entry.verdict, entry.words)
}

#[test]
fn the_opposite_of_the_source_is_not_found_and_a_negation_is_weak() {
    use Verdict::{NotFound, Supported, Weak};
    for (sentence, source, verdict, word) in [
        ("Rents in Ostra rose by 4 percent.", "Rents in Ostra fell by 4 percent in May.", NotFound, "rose"),
        ("Rents in Ostra rose by 4 percent.", "Rents in Ostra increased by 4 percent.", Supported, "Rents"),
        (
            "The council approved the bridge at Lind.",
            "The council rejected the bridge at Lind.",
            NotFound,
            "approved",
        ),
        ("The tram to Lind is safe.", "The tram to Lind is not safe.", Weak, "not"),
        ("The tram to Lind is not only safe.", "The tram to Lind is safe.", Supported, "tram"),
        ("五月房租上涨了4%。", "五月房租下跌了4%。", NotFound, "上涨"),
        ("この装置は安全ではない。", "この装置は安全である。", Weak, "はない"),
    ] {
        let found = judged(sentence, source);
        assert_eq!(found.0, verdict, "{sentence}: {found:?}");
        assert!(found.1.contains(&word.to_owned()), "{sentence}: {found:?}");
    }
}

#[test]
fn a_figure_needs_the_same_unit_and_scale_in_its_source_in_any_language() {
    use Verdict::{NotFound, Weak};
    for (sentence, source, verdict) in [
        ("A ticket costs 12 dollars.", "A ticket costs 12 euros.", NotFound),
        ("The plant yields 40 MW.", "The plant yields 40 kW.", NotFound),
        ("The plant yields 40 MW.", "该电厂发电能力为40兆瓦，供应全市居民使用。", Weak),
        ("Lind has 3.2 million people.", "琳德市目前约有320万人口，仍在增长。", Weak),
        ("Lind has 5 million people.", "琳德市目前约有五百个村庄，5百万人口。", Weak),
        ("Lind has 3.2 million people.", "琳德市目前约有320人口，仍在增长。", NotFound),
    ] {
        assert_eq!(judged(sentence, source).0, verdict, "{sentence} {source}");
    }
    let found = judged("The cranes move seventy containers an hour.", HARBOUR);
    assert_eq!(found, (Verdict::Weak, vec!["seventy".to_owned()]));
}

#[test]
fn a_figure_from_another_passage_of_the_source_makes_a_sentence_weak() {
    let far = "The museum opened a new wing in May. ".to_owned()
        + &"Visitors praise the light of its halls. ".repeat(5)
        + "The café sells 70 cakes a day.";
    let found = judged("The museum opened a new wing with 70 rooms in May.", &far);
    assert_eq!(found, (Verdict::Weak, vec!["70".to_owned()]));
    let two = judged("The museum opened a new wing in May, and its café sells 70 cakes a day.", &far);
    assert_eq!(two.0, Verdict::Supported, "{two:?}");
}

#[test]
fn chinese_sentences_are_compared_with_their_source() {
    let sources = sources(&["奥斯特拉港五月开放。两台起重机每小时搬运40个集装箱。"]);
    let entries = judge_text("两台起重机每小时搬运40个集装箱[1]。", &sources, "");
    assert_eq!(entries[0].verdict, Verdict::Supported);
    assert_eq!(
        entries[0].passage.clone().map(|range| &sources[0].text()[range]),
        Some("两台起重机每小时搬运40个集装箱。")
    );
}

#[test]
fn the_day_and_the_publisher_of_a_source_belong_to_every_passage() {
    let far = "Visitors praise the light of its halls. ".repeat(6) + "The museum opened a new wing.";
    let header = ["Museum news", "Veldt Post", "2026-05-02"];
    let sources = [Arc::new(JudgedSource::new(&header, &[&far]))];
    let text = "The museum opened a new wing, the Veldt Post wrote on 2 May 2026 [1].";
    assert_eq!(judge_text(text, &sources, "")[0].verdict, Verdict::Supported);
}

#[test]
fn a_sentence_without_a_citation_is_judged_by_its_figures_and_names_alone() {
    let text = "# Ostra in 2031\n\nFerries are loved by all. The port lost 88 cranes.";
    let entries = judgement(text);
    let found: Vec<_> = entries.iter().map(|entry| (&text[entry.sentence.clone()], entry.number)).collect();
    assert_eq!(found.len(), 2, "{entries:?}");
    assert_eq!(found[1], ("The port lost 88 cranes.", None));
    assert!(entries.iter().all(|entry| entry.verdict == Verdict::NotFound));
    assert_eq!(entries[0].words, ["2031"]);
}

#[test]
fn a_sentence_in_another_language_of_the_same_letters_is_weak_unless_it_lacks_a_figure() {
    let verdict = |text| judge_text(text, &sources(&[HARBOUR]), "")[0].verdict;
    assert_eq!(
        verdict("Au port, les grues déplacent les conteneurs toute la journée, dit l’exploitant [1]."),
        Verdict::Weak
    );
    assert_eq!(
        verdict("Au port, les grues déplacent 70 conteneurs par heure, dit l’exploitant [1]."),
        Verdict::NotFound
    );
}

#[test]
fn a_source_with_few_of_the_words_is_weak_beside_a_supporting_one_and_not_found_alone() {
    let text = "Night work begins in autumn, and containers are moved by the hour [1][2].";
    let verdicts: Vec<_> = judgement(text).iter().map(|entry| entry.verdict).collect();
    assert_eq!(verdicts, [Verdict::Supported, Verdict::Weak]);
    assert_eq!(judgement(&text.replace("[1]", ""))[0].verdict, Verdict::NotFound);
}

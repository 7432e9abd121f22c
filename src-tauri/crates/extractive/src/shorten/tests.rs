use super::{can_be_shortened, shorten};
use prose::{TextQuote, sentences, sources_used, without_references};

const NEWS: &str = "# Parsers in 2026\n\nLumen released a parser that reads 40 files a second [1]. This is twice as fast \
    as Orrery in 2025 [1]. Many people like to read about such things. It rained on the day.\n\nThe team of Ada \
    Quill tested 600 records in June 2026 [2]. Some days are longer than others. Quill measured 12 ms a record [2].\n\n\
    ## References\n\n[1] Lumen. https://a.example\n\n[2] Quill. https://b.example";

fn quote(exact: &str) -> TextQuote {
    let at = NEWS.find(exact).unwrap();
    TextQuote::of(NEWS, at..at + exact.len())
}

#[test]
fn the_least_important_sentences_go_and_headings_sources_and_figures_stay() {
    let shorter = shorten(NEWS, &[]).unwrap();
    let mut all = sentences(NEWS).into_iter();
    let stands = |one: &str| all.any(|sentence| sentence.text == one);
    assert!(
        shorter.len() < NEWS.len() && sentences(&shorter).iter().map(|one| one.text).all(stands),
        "{shorter}"
    );
    for stays in [
        "# Parsers in 2026\n\n",
        "40 files a second [1]",
        "600 records",
        &NEWS[NEWS.find("\n\n## Ref").unwrap()..],
    ] {
        assert!(shorter.contains(stays), "{stays}: {shorter}");
    }
    assert!(!shorter.contains("It rained") && !shorter.contains("Some days"), "{shorter}");
    assert_eq!(sources_used(without_references(&shorter)), [0, 1]);
    assert!(!shorter.contains("\n\n\n") && !shorter.contains("  "), "{shorter:?}");
}

#[test]
fn kept_passages_stay_and_a_sentence_that_the_next_one_depends_on_is_not_removed_alone() {
    let kept = [quote("Some days are longer than others."), quote("rained on")];
    let shorter = shorten(NEWS, &kept).unwrap();
    assert!(shorter.contains(&kept[0].exact) && shorter.contains("It rained on the day."), "{shorter}");
    // The kept sentence depends on this one.
    assert!(shorter.contains("Many people"), "{shorter}");
    let leaning =
        "Ada Quill tested 600 records in Kiel. Birds sang. They were loud. Quill needed 12 ms a record.";
    let shorter = shorten(leaning, &[]).unwrap();
    assert!(shorter.contains("They were loud.") <= shorter.contains("Birds sang."), "{shorter}");
    assert!(shorter.contains("600 records"), "{shorter}");
    let chinese = "李雷在2026年测试了600条记录[1]。鸟儿在唱歌。它们很吵。每条记录需要12毫秒[1]。";
    let shorter = shorten(chinese, &[]).unwrap();
    assert!(
        shorter.contains("600条记录") && shorter.contains("它们") <= shorter.contains("鸟儿"),
        "{shorter}"
    );
}

#[test]
fn quotations_are_removed_whole_and_with_the_sentence_that_introduces_them() {
    let text = "Ada Quill tested 600 records in June 2026 in Kiel. She said: “Birds sing. Fish swim. So it goes.” \
        Orrery answered with 40 tests in May 2026.\n\nOn it says:\n\n> “Rain fell. Wind blew.”\n\nLumen reads 12 files in Kiel.";
    let shorter = shorten(text, &[]).unwrap();
    let has = |part: &str| shorter.contains(part);
    assert_eq!((has("Birds"), has("Fish")), (has("She said"), has("So it goes.”")), "{shorter}");
    assert_eq!((has("Rain fell"), has("> “")), (has("Wind blew.”"), has("On it says:")), "{shorter}");
    assert!(has("600 records") && has("12 files"), "{shorter}");
}

#[test]
fn passages_between_omission_marks_are_removed_from_a_quotation_with_their_marks() {
    let text = "**Parsers** (Lumen): “Lumen reads 40 files a second in Kiel, on a machine of 2026 with two cores. … \
        Birds sing all day long and fish swim in the sea. … Lumen has 600 records.” [1]";
    let shorter = shorten(text, &[]).unwrap();
    assert_eq!(shorter, text.replace(" … Birds sing all day long and fish swim in the sea.", ""));
    let text = "李雷说：「李雷测试了600条记录。……每条记录需要12毫秒。……鸟儿。」[1]";
    let shorter = shorten(text, &[]).unwrap();
    assert!(
        shorter.starts_with("李雷说：「李雷测试了600条记录。") && shorter.ends_with("。」[1]"),
        "{shorter}"
    );
    let kept = [TextQuote::of(text, text.find("鸟儿").unwrap()..text.find('」').unwrap())];
    assert!(shorten(text, &kept).unwrap().contains("鸟儿"));
    for marks in ["…… … ", "…………", " … … ", "……"] {
        let text = format!("It says: “{marks}Lumen reads 40 files.{marks}Birds sing. … Fish swim.” [1]");
        let shorter = shorten(&text, &[]).unwrap();
        assert!(shorter.contains("Lumen reads 40 files.") && shorter.ends_with("” [1]"), "{shorter}");
    }
}

#[test]
fn a_text_whose_sentences_are_all_needed_is_not_shortened() {
    for text in [
        "",
        "One sentence alone.",
        "# Title\n\nOne sentence alone.\n\n## Part\n\nAnother one alone.",
        "Costs rose [1]. Prices fell [2].",
        "- One item\n- Two items\n- Three items",
        "“Birds sing. Fish swim. Rain fell.”",
        "```\nlet a = 1;\nlet b = 2;\n```",
    ] {
        assert_eq!((shorten(text, &[]), can_be_shortened(text, &[])), (None, false), "{text}");
    }
}

//! What is taken for a claim, and when a source holds it.

use super::{ClaimKind, claims, ungrounded};
use crate::SourceTexts;

const SOURCE: &str = "COFT: Counterfactual-Conformal Decoding for Fair Chain-of-Thought Reasoning in Large \
    Language Models\narXiv\n2026-06-01\nWe present COFT (Chain of Fair Thought), a training-free decoding \
    method. We evaluate COFT across six models, GPT-4o and Qwen2.5-VL-7B among them, on 12,500 items. Our \
    method reduces standard bias metrics by 30-55% (median 38%) at a cost of $2.5 million and lifts accuracy \
    from 0.85 to 91.40. It is 5.7$\\times$ faster than work of Harvard University on question answering.";

fn wrong(sentence: &str) -> Vec<String> {
    ungrounded(sentence, &[SOURCE]).into_iter().map(|claim| claim.text).collect()
}

#[test]
fn what_the_source_says_passes_in_other_words_too() {
    for sentence in [
        "In “COFT” (arXiv, 1 June 2026), the authors cut bias metrics by 30 to 55 percent, 38 % in the median [1].",
        "Across 6 models, among them GPT 4o and the Qwen2.5-VL, COFT works on 12500 items [1].",
        "It cost 2.5 million dollars, or $2,500,000 [1].",
        "Accuracy rises from 85% to 91.4, over 91% in June [1].",
        "It runs 5.7x faster (5.7×) than Harvard's work [1].",
        "Researchers show that Chain-of-Thought reasoning of LLMs can be fair; QA gains too [1].",
        "Large Language Models become fairer, says the arXiv paper of 2026-06-01 [1].",
        "About 40% less bias in over 12,000 items [1].",
        "Elsewhere, AI is compared with models like *COFT* and [COFT](https://example.org/99).",
    ] {
        assert_eq!(wrong(sentence), [""; 0], "{sentence}");
    }
}

#[test]
fn invented_figures_are_found() {
    for (sentence, invented) in [
        ("COFT reduces bias by 62% [1].", "62%"),
        ("It was tried on 6% of the models [1].", "6%"),
        ("It was tried on 38 models [1].", "38"),
        ("It was tried on 4 models [1].", "4"),
        ("It cost $38 [1].", "38"),
        ("It appeared in 2024 [1].", "2024"),
        ("It was tried on 12,501 items [1].", "12,501"),
        ("It was tried on nearly 13,500 items [1].", "13,500"),
        ("It has 7 million parameters [1].", "7"),
        ("Accuracy reached 91.5 [1].", "91.5"),
    ] {
        assert_eq!(wrong(sentence), [invented], "{sentence}");
    }
}

#[test]
fn invented_names_are_found_wherever_they_stand() {
    for (sentence, invented) in [
        ("The method by Helena Brandt is fair [1].", "Helena Brandt"),
        ("Helena Brandt made it fair [1].", "Helena Brandt"),
        ("Google made it fair [1].", "Google"),
        ("OpenAI made it fair [1].", "OpenAI"),
        ("It beats GPT-5 [1].", "GPT-5"),
        ("It was made at MIT [1].", "MIT"),
        ("It was made at Stanford University [1].", "Stanford University"),
        ("In March it was made [1].", "March"),
        ("公平性はGoogleのCOFTで改善した[1]。", "Google"),
    ] {
        assert_eq!(wrong(sentence), [invented], "{sentence}");
    }
}

#[test]
fn ordinary_capitals_are_no_names() {
    for sentence in [
        "## Fair Reasoning This Month: What Changed in Models",
        "Ongoing work matters. However, one might ask: Why now?",
        "Der Beitrag zeigt, wie die Modelle mit der Zeit besser werden [1].",
        "“Quoted words open with capitals,” and so on.",
        "1. First item",
        "I think plan B works.",
    ] {
        assert_eq!(wrong(sentence), [""; 0], "{sentence}");
    }
}

#[test]
fn katakana_is_compared_with_japanese_sources_only() {
    let japanese = ["コフトは公平なモデルである。３０％の改善。"];
    assert!(ungrounded("コフトのモデルは30%改善した[1]。", &japanese).is_empty());
    assert_eq!(ungrounded("トヨタのモデルは40%改善した。", &japanese).len(), 2);
    assert_eq!(wrong("トヨタのモデル"), [""; 0]);
}

#[test]
fn claims_carry_their_kind() {
    let kinds: Vec<_> =
        claims("In 2024 Acme paid $3 for 5% of 7 shares.").into_iter().map(|claim| claim.kind).collect();
    use ClaimKind::{Figure, Money, Name, Percent, Year};
    assert_eq!(kinds, [Year, Name, Money, Percent, Figure]);
}

#[test]
fn one_text_must_hold_a_whole_name() {
    let sources = SourceTexts::new(&["Harvard wrote it.", "The University of Padua."]);
    assert_eq!(sources.ungrounded("It came from Harvard University.").len(), 1);
    assert!(sources.ungrounded("It came from Padua.").is_empty());
}

//! Whether an article is a paper, whose writers tell research of their own, or reports what others did.

use super::frames::cut;
use super::ideographic;
use super::shorten::unquoted;
use crate::lead_ins::part_of;
use crate::sentences::sentences;

/// Characters of a text that are looked at.
const LOOKED_AT: usize = 6000;

/// Names of places where papers are published, or parts of them.
const PLACES_OF_PAPERS: [&str; 20] = [
    "rxiv",
    "preprint",
    "working paper",
    "discussion paper",
    "research square",
    "transactions on",
    "transactions of",
    "journal of",
    "journal for",
    "journal on",
    "proceedings",
    "acl anthology",
    "openreview",
    "pubmed",
    "预印本",
    "学报",
    "論集",
    "紀要",
    "論文",
    "研究会",
];

/// Names that papers and reports of them share.
const PLACES_OF_SCIENCE: [&str; 9] = [
    "accepted paper",
    "annals",
    "conference",
    "evaluation",
    "letters",
    "research",
    "studies",
    "symposium",
    "workshop",
];

/// Names of places where a company or a person writes of its own.
const PLACES_OF_COMPANIES: [&str; 4] = ["blog", "newsroom", "press release", "release notes"];

/// Labels of parts by which a text is known as an abstract.
const NEEDED_PARTS: usize = 3;

pub(super) fn is_paper(text: &str, source: &str) -> bool {
    let (text, source) = (cut(text, LOOKED_AT), source.to_lowercase());
    let is_among = |places: &[&str]| places.iter().any(|place| source.contains(place));
    is_among(&PLACES_OF_PAPERS)
        || ideographic::tells_research(text)
        || is_structured(text)
        || SELF_NAMES.iter().any(|name| text.contains(name))
        || !is_among(&PLACES_OF_COMPANIES) && tells_research(text, is_among(&PLACES_OF_SCIENCE))
}

/// By what a text calls itself a study where it names what it did: a report of one does not say "the present study".
const SELF_NAMES: [&str; 4] =
    ["The present study ", "The present paper ", "The present work ", "In the present study"];

/// Whether a text has the labelled parts of an abstract.
fn is_structured(text: &str) -> bool {
    sentences(text).iter().filter(|sentence| part_of(sentence.text).is_some()).count() >= NEEDED_PARTS
}

/// Whether its writers say what they did, outside quotations: "we train", "we find". Who reports lets others speak, and a
/// company speaks of its customers and to its readers; a place of science may do both.
fn tells_research(text: &str, is_of_science: bool) -> bool {
    let own = unquoted(text);
    let words: Vec<&str> = own.split_whitespace().collect();
    let is_by_writers = |at: usize| match (at.checked_sub(1).map(|before| words[before]), words[at]) {
        (_, "we" | "We") => true,
        (Some("our" | "Our"), whose) => GROUPS.contains(&whose),
        _ => false,
    };
    let deeds = (1..words.len()).filter(|at| is_by_writers(at - 1)).map(|at| words[at]);
    let weight = |deed: &str| match deed {
        _ if NO_DEEDS.contains(&deed) => 0,
        _ if !is_of_science && DEEDS_OF_COMPANIES.contains(&deed) => 0,
        _ if CASUAL.contains(&deed) => 1,
        _ => NEEDED_WEIGHT,
    };
    let is_report = lets_others_speak(text) || speaks_to_customers(&own);
    let has_deeds = deeds.map(weight).sum::<usize>() >= NEEDED_WEIGHT;
    // Of a place of science either is enough: many abstracts name nobody, and some let others speak.
    if is_of_science { has_deeds || !is_report } else { has_deeds && !is_report }
}

/// How much its writers must say that they did: a deed of research, or two that anybody does who tells of a try.
const NEEDED_WEIGHT: usize = 2;
const CASUAL: [&str; 17] = [
    "asked", "bought", "counted", "found", "gave", "got", "made", "moved", "paid", "put", "ran", "saved",
    "saw", "spent", "switched", "tried", "went",
];
/// By what researchers call themselves together.
const GROUPS: [&str; 4] = ["group", "lab", "laboratory", "team"];

/// What writers of anything say of themselves that is no research.
const NO_DEEDS: [&str; 44] = [
    "all",
    "already",
    "also",
    "always",
    "are",
    "believe",
    "can",
    "can't",
    "could",
    "did",
    "do",
    "don't",
    "forget",
    "get",
    "had",
    "have",
    "hope",
    "just",
    "know",
    "like",
    "may",
    "might",
    "must",
    "need",
    "never",
    "no",
    "now",
    "only",
    "say",
    "see",
    "should",
    "take",
    "tell",
    "therefore",
    "think",
    "thought",
    "want",
    "wanted",
    "were",
    "will",
    "wish",
    "won't",
    "would",
    "wouldn't",
];

/// What companies do as much as researchers.
const DEEDS_OF_COMPANIES: [&str; 9] =
    ["offer", "plan", "promise", "publish", "recommend", "release", "removed", "started", "wrote"];

/// Whether others speak in it more than once: of a study a single "most said that …" may be told, and "it was said" is no
/// speech.
fn lets_others_speak(text: &str) -> bool {
    let is_passive =
        |at: usize| ["was", "is", "be", "been", "can", "often"].iter().any(|word| text[..at].ends_with(word));
    let said = text.match_indices(" said").filter(|(at, _)| !is_passive(*at)).count();
    let others = [" says", " told the ", "ccording to "].map(|speech| text.matches(speech).count());
    said + others.iter().sum::<usize>() > 1
}

/// Whether a text has words by which companies speak to those who may buy, or writers to their readers.
fn speaks_to_customers(text: &str) -> bool {
    const WORDS: [&str; 10] = [
        "today",
        "launch",
        "launches",
        "launched",
        "launching",
        "customers",
        "you",
        "your",
        "subscribers",
        "download",
    ];
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).any(|word| WORDS.contains(&word.as_str()))
}

#[cfg(test)]
mod tests {
    use super::is_paper;

    #[test]
    fn a_paper_is_known_by_what_its_writers_did_and_a_report_by_whom_it_lets_speak() {
        for (text, source, is_one) in [
            ("Ferries are late. Our group added a lamp to each. It helped.", "", true),
            ("We compared two lamps. The second was better.", "Harbour Notes", true),
            ("The port bought a lamp, its captain said. “We compared two lamps.”", "Harbour Notes", false),
            ("Today the port launched a lamp. We built it for captains.", "Port of Mole", false),
            ("We compared two lamps. Captains said that they liked both.", "Letters on Tides", true),
            ("We fixed the lamp and cut its cost.", "Lamp blog", false),
            ("The port bought a lamp for 620 dollars.", "Deal Street Journal", false),
            ("A lamp lowers delay.", "Journal of Tides", true),
            ("背景：轮渡常常晚点。方法：比较两种灯。结果：第二种更好。", "潮报", true),
            ("港口负责人说：\"我们比较了两种灯。\"", "潮报", false),
        ] {
            assert_eq!(is_paper(text, source), is_one, "{text}");
        }
    }
}

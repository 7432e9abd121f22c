//! Whether an article is a paper, whose writers tell research of their own, or reports what others did.

use super::frames::cut;
use super::ideographic;
use super::shorten::unquoted;
use crate::lead_ins::{Part, part_of};
use crate::sentences::sentences;

/// Bytes of a text that are looked at.
const LOOKED_AT: usize = 6000;

/// Names of places where papers are published, or parts of them.
const PLACES_OF_PAPERS: [&str; 21] = [
    "rxiv",
    "preprint",
    "プレプリント",
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

/// Words in the names of sources that publish papers and reports of them.
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
/// Words in the names of sources where a company or a person writes of its own.
const PLACES_OF_COMPANIES: [&str; 10] = [
    "blog",
    "newsroom",
    "press release",
    "release notes",
    "博客",
    "官网",
    "官方",
    "ブログ",
    "プレスリリース",
    "ニュースルーム",
];

/// Labels of parts by which a text is known as an abstract.
const NEEDED_PARTS: usize = 3;

pub(super) fn is_paper(text: &str, source: &str) -> bool {
    let (text, source) = (cut(text, LOOKED_AT), source.to_lowercase());
    let is_in_name = |place: &&str| source.contains(*place);
    // A newsletter has no letters.
    let begins_in_name = |place: &&str| {
        source.match_indices(*place).any(|(at, _)| !source[..at].ends_with(char::is_alphanumeric))
    };
    PLACES_OF_PAPERS.iter().any(is_in_name)
        || is_structured(text)
        || SELF_NAMES.iter().any(|name| text.contains(name))
        || !PLACES_OF_COMPANIES.iter().any(is_in_name)
            && (ideographic::tells_research(text)
                || tells_research(text, PLACES_OF_SCIENCE.iter().any(begins_in_name)))
}

/// Words by which a text names itself as a study: who reports of one does not write "the present study".
const SELF_NAMES: [&str; 4] =
    ["The present study ", "The present paper ", "The present work ", "In the present study"];

/// Whether a text has the labelled parts of an abstract: a notice has an aim and people whom it concerns, but no results.
fn is_structured(text: &str) -> bool {
    let parts: Vec<Part> = sentences(text).iter().filter_map(|sentence| part_of(sentence.text)).collect();
    let is_end = |part: &Part| matches!(part, Part::Results | Part::Conclusions);
    parts.len() >= NEEDED_PARTS && parts.iter().any(is_end)
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
    let bare = |word: &'_ str| word.trim_end_matches(|c: char| !c.is_alphanumeric()).to_owned();
    let deeds = (1..words.len()).filter(|at| is_by_writers(at - 1)).map(|at| bare(words[at]));
    let weight = |deed: String| match deed.as_str() {
        deed if NO_DEEDS.contains(&deed) => 0,
        deed if !is_of_science && DEEDS_OF_COMPANIES.contains(&deed) => 0,
        deed if CASUAL.contains(&deed) => 1,
        _ => NEEDED_WEIGHT,
    };
    let is_report = speeches(text) + words_to_customers(&own) > 1;
    let has_deeds = deeds.map(weight).sum::<usize>() >= NEEDED_WEIGHT;
    // Of a place of science either is enough: many abstracts name nobody, and some let others speak.
    if is_of_science { has_deeds || !is_report } else { has_deeds && !is_report }
}

/// How much its writers must say that they did: a deed of research, or two that anybody may do.
const NEEDED_WEIGHT: usize = 2;

/// What anybody did who tells of a day or of a try.
const CASUAL: [&str; 27] = [
    "asked", "bought", "called", "counted", "found", "gave", "got", "liked", "looked", "loved", "made",
    "moved", "needed", "noticed", "paid", "ran", "saved", "saw", "spent", "stayed", "switched", "talked",
    "tried", "visited", "waited", "walked", "went",
];

/// By what researchers call themselves together.
const GROUPS: [&str; 4] = ["group", "lab", "laboratory", "team"];

/// What writers of anything say of themselves that is no research: what all do, must and believe.
const NO_DEEDS: [&str; 71] = [
    "all",
    "already",
    "also",
    "always",
    "are",
    "believe",
    "can",
    "can't",
    "come",
    "could",
    "did",
    "do",
    "don't",
    "eat",
    "expect",
    "fear",
    "feel",
    "forget",
    "get",
    "go",
    "had",
    "have",
    "hear",
    "hope",
    "just",
    "keep",
    "know",
    "learn",
    "like",
    "live",
    "look",
    "love",
    "make",
    "may",
    "meet",
    "might",
    "must",
    "need",
    "never",
    "no",
    "now",
    "only",
    "owe",
    "pay",
    "read",
    "remember",
    "say",
    "see",
    "seem",
    "should",
    "speak",
    "spend",
    "take",
    "talk",
    "tell",
    "tend",
    "therefore",
    "think",
    "thought",
    "trust",
    "want",
    "wanted",
    "watch",
    "were",
    "will",
    "wish",
    "won't",
    "work",
    "worry",
    "would",
    "wouldn't",
];

/// What companies do as much as researchers.
const DEEDS_OF_COMPANIES: [&str; 9] =
    ["offer", "plan", "promise", "publish", "recommend", "release", "removed", "started", "wrote"];

/// How often a text lets others speak: "it was said" is no speech.
fn speeches(text: &str) -> usize {
    let is_passive = |at: usize| {
        let before = text[..at].rsplit(' ').next().unwrap_or_default();
        ["was", "is", "be", "been", "can", "often"].contains(&before)
    };
    let said = text.match_indices(" said").filter(|(at, _)| !is_passive(*at)).count();
    // What is grouped according to its length lets nobody speak.
    let according = text.match_indices("ccording to ");
    let according =
        according.filter(|(at, to)| text[at + to.len()..].starts_with(|c: char| c.is_uppercase())).count();
    said + according
        + [" says", " told the "].map(|speech| text.matches(speech).count()).iter().sum::<usize>()
}

/// How many words of a text companies use to those who may buy, or writers to their readers.
fn words_to_customers(text: &str) -> usize {
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
    let weight = |word: &str| match word {
        // "Today we release …" announces.
        "Today" => 2,
        word => usize::from(WORDS.contains(&word.to_lowercase().as_str())),
    };
    words.map(weight).sum()
}

#[cfg(test)]
mod tests {
    use super::is_paper;

    #[test]
    fn a_paper_is_known_by_what_its_writers_did_and_a_report_by_whom_it_lets_speak() {
        for (text, source, is_one) in [
            ("Ferries are late. Our group measured each. A lamp helped.", "", true),
            ("We compared two lamps. The second was better.", "Harbour Notes", true),
            ("The port bought a lamp, its captain said. “We compared two lamps.”", "Harbour Notes", false),
            ("Today the port launched a lamp. We built it for captains.", "Port of Mole", false),
            ("We compared two lamps. Captains said that they liked both.", "Letters on Tides", true),
            ("We fixed the lamp and cut its cost.", "Lamp blog", false),
            ("The port bought a lamp for 620 dollars.", "Deal Street Journal", false),
            ("A lamp lowers delay.", "Journal of Tides", true),
            ("背景：轮渡常常晚点。方法：比较两种灯。结果：第二种更好。", "潮报", true),
            ("We live in strange times. The council must act before autumn.", "Harbour Herald", false),
            (
                "The lamp works, Harris said. Paris said so, too. We compared two lamps.",
                "Harbour Herald",
                false,
            ),
            ("Ferries are late today. We measured 400 ferries.", "", true),
            ("We tested lamps, the mayor said. The captain said so, too.", "Tech Newsletters", false),
            ("The present study asked captains.", "Harbour Notes", true),
            ("We release a lamp and promise more.", "Harbour Herald", false),
            ("目的：船の交流を深める。対象：小学生。方法：オンライン。", "潮新聞", false),
            ("我们开发了一种新的港灯。我们使用它帮助港口。", "港灯官方博客", false),
            ("私たちは毎日スマホを使う。船の遅れは減った。", "潮新聞", false),
            ("我々は港灯を開発した。遅れは減った。", "潮報", true),
            ("港口负责人说：\"我们比较了两种灯。\"", "潮报", false),
        ] {
            assert_eq!(is_paper(text, source), is_one, "{text}");
        }
    }
}

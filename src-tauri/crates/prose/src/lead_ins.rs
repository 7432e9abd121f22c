//! What stands in front of the first words of a sentence without being part of it: the label of a section, the place
//! and day by which news begin, the name of a reporter.

use crate::known_words::MONTHS;

/// Bytes within which a place and a day end.
const DATELINE: usize = 80;
/// Words of a place, a day and an agency together.
const DATELINE_WORDS: usize = 9;

/// A sentence without what only leads in to it.
pub(crate) fn without_lead_in(sentence: &str) -> &str {
    // Of "CAMBRIDGE, Mass. – …" the place ends like a sentence.
    let sentence = without_name_of_all(sentence.trim_start_matches(['–', '—']).trim_start());
    without_dense_dateline(without_dateline(without_label(sentence)))
}

/// A sentence without the label of a whole abstract, which is none of its parts.
fn without_name_of_all(sentence: &str) -> &str {
    const NAMES: [&str; 5] = ["Abstract", "Summary", "摘要", "要旨", "概要"];
    let behind = NAMES.iter().find_map(|name| sentence.strip_prefix(name));
    behind
        .filter(|rest| rest.starts_with(['：', ':']))
        .map_or(sentence, |rest| rest.trim_start_matches(['：', ':', ' ']))
}

/// A part of a structured abstract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Background,
    Methods,
    Results,
    Conclusions,
}

/// How the parts are labelled.
const LABELS: [(&str, Part); 32] = [
    ("Aim", Part::Background),
    ("Aims", Part::Background),
    ("Background", Part::Background),
    ("Conclusion", Part::Conclusions),
    ("Conclusions", Part::Conclusions),
    ("Data extraction", Part::Methods),
    ("Data sources", Part::Methods),
    ("Design", Part::Methods),
    ("Findings", Part::Results),
    ("Eligibility criteria", Part::Methods),
    ("Exposure", Part::Methods),
    ("Exposures", Part::Methods),
    ("Importance", Part::Background),
    ("Interpretation", Part::Conclusions),
    ("Intervention", Part::Methods),
    ("Interventions", Part::Methods),
    ("Introduction", Part::Background),
    ("Main", Part::Methods),
    ("Main outcome measures", Part::Methods),
    ("Materials", Part::Methods),
    ("Methods", Part::Methods),
    ("Motivation", Part::Background),
    ("Objective", Part::Background),
    ("Outcomes", Part::Methods),
    ("Participants", Part::Methods),
    ("Patients", Part::Methods),
    ("Purpose", Part::Background),
    ("Results", Part::Results),
    ("Review methods", Part::Methods),
    ("Setting", Part::Methods),
    ("Study design", Part::Methods),
    ("Study selection", Part::Methods),
];

/// The same in Chinese and Japanese, where a colon stands behind them or brackets around them.
const DENSE_LABELS: [(&str, Part); 12] = [
    ("背景", Part::Background),
    ("目的", Part::Background),
    ("对象与方法", Part::Methods),
    ("対象と方法", Part::Methods),
    ("対象", Part::Methods),
    ("方法", Part::Methods),
    ("结果", Part::Results),
    ("結果", Part::Results),
    ("结论", Part::Conclusions),
    ("結論", Part::Conclusions),
    ("考察", Part::Conclusions),
    ("局限", Part::Conclusions),
];

/// Words by which a sentence begins behind a label in bold; "Importance Sampling" is a name.
const BEHIND_LABEL: [&str; 14] = [
    "A ", "Among ", "An ", "At ", "Between ", "During ", "In ", "Of ", "Our ", "The ", "This ", "To ",
    "Using ", "We ",
];

/// The part that a sentence begins by its label.
pub(crate) fn part_of(sentence: &str) -> Option<Part> {
    labelled(sentence.trim_start_matches(['–', '—', ' '])).map(|(part, _)| part)
}

/// A sentence without the label of its part, as structured abstracts have them ("Results: …", "(2) …").
fn without_label(sentence: &str) -> &str {
    labelled(sentence).map_or(without_number(sentence), |(_, rest)| rest)
}

fn labelled(sentence: &str) -> Option<(Part, &str)> {
    let sentence = without_number(sentence);
    shouted(sentence)
        .or_else(|| written_small(sentence))
        .or_else(|| joined(sentence))
        .or_else(|| dense_label(sentence))
}

/// Several labels in one: "Background and aims: …", "Design, setting, and participants: …".
fn joined(sentence: &str) -> Option<(Part, &str)> {
    let near = &sentence[..sentence.floor_char_boundary(LONGEST_JOINED + ": ".len())];
    let (label, _) = near.split_once(": ")?;
    let rest = &sentence[label.len() + ": ".len()..];
    let known = |name: &str| LABELS.iter().find(|(label, _)| label.eq_ignore_ascii_case(name));
    let names = label.split([',', '/', '&']).flat_map(|part| part.split(" and ")).map(str::trim);
    let names = names.map(|name| name.strip_prefix("and ").unwrap_or(name)).filter(|name| !name.is_empty());
    let parts: Option<Vec<Part>> = names.map(|name| known(name).map(|(_, part)| *part)).collect();
    parts?.last().map(|part| (*part, rest))
}

/// Bytes of several labels.
const LONGEST_JOINED: usize = 60;

fn dense_label(sentence: &str) -> Option<(Part, &str)> {
    let bare = sentence.trim_start_matches(['【', '［', '[']);
    DENSE_LABELS.iter().find_map(|(label, part)| {
        let rest = bare.strip_prefix(label)?;
        rest.starts_with(['：', ':', '】', '］', ']'])
            .then(|| (*part, rest.trim_start_matches(['：', ':', '】', '］', ']', ' ', '\u{3000}'])))
    })
}

/// Words of a label in capitals behind its first.
const IN_LABEL: [&str; 10] = [
    "AND",
    "INTERVENTIONS",
    "MEASURES",
    "METHODS",
    "OUTCOME",
    "OUTCOMES",
    "PARTICIPANTS",
    "PATIENTS",
    "RELEVANCE",
    "SETTING",
];

/// Labels that names begin with, too.
const NAMES_TOO: [&str; 6] = ["AIM", "AIMS", "DESIGN", "MAIN", "MOTIVATION", "SETTING"];

/// A label in capitals, with or without a mark behind it: "DESIGN AND SETTING Stepped-wedge trial".
fn shouted(sentence: &str) -> Option<(Part, &str)> {
    let bare = |word: &str| word.trim_end_matches([',', ':', 'S']).to_owned();
    let mut words = sentence.split(' ');
    let first = words.next().filter(|word| word.bytes().all(|byte| !byte.is_ascii_lowercase()))?;
    let is_label = |label: &str| label.trim_end_matches('s').eq_ignore_ascii_case(&bare(first));
    let (_, part) = LABELS.iter().find(|(label, _)| is_label(label))?;
    let others = words.take_while(|word| IN_LABEL.iter().any(|known| bare(known) == bare(word)));
    let length = first.len() + 1 + others.map(|word| word.len() + 1).sum::<usize>();
    let rest = sentence.get(length..)?;
    // "AIM Photonics" is a name, and "RESULTS ARE OUT" a headline.
    let is_label = first.ends_with(':') || length > first.len() + 1 || !NAMES_TOO.contains(&first);
    let next = rest.split(' ').next().unwrap_or_default();
    let is_shouted = next.len() > 1 && next.chars().all(|c| c.is_uppercase());
    let begins = rest.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit());
    (is_label && begins && !is_shouted).then_some((*part, rest))
}

fn written_small(sentence: &str) -> Option<(Part, &str)> {
    LABELS.iter().find_map(|(label, part)| {
        let rest = sentence.strip_prefix(label)?;
        // A label that stands by itself, and one in bold, which has no mark behind it: "Results The index fell".
        if matches!(rest, "." | ":") {
            return Some((*part, ""));
        }
        let begins = |rest: &&str| {
            let is_counting = rest.starts_with(|c: char| c.is_ascii_digit()) && label.contains(' ');
            is_counting || BEHIND_LABEL.iter().any(|word| rest.starts_with(word))
        };
        let is_bold = || rest.strip_prefix(' ').filter(begins);
        let rest = rest.strip_prefix(": ").or_else(|| rest.strip_prefix(". ")).or_else(is_bold)?;
        Some((*part, rest))
    })
}

fn without_number(sentence: &str) -> &str {
    let behind = sentence.strip_prefix('(').and_then(|rest| {
        let (number, rest) = rest.split_once(") ")?;
        (number.len() < 5 && number.chars().all(|c| c.is_ascii_digit() || "ivx".contains(c))).then_some(rest)
    });
    behind.unwrap_or(sentence)
}

/// A sentence without the place that news begin with ("LONDON (Wire) - …", "Oslo, 9 June (dpa) – …", "PARIS: …").
fn without_dateline(sentence: &str) -> &str {
    let near = &sentence[..sentence.floor_char_boundary(DATELINE)];
    let marks = [" — ", " – ", " - ", " -- ", "—", ": "];
    let first = |(at, _)| Some((at, *marks.iter().find(|mark| near[at..].starts_with(**mark))?));
    let may_begin = |(at, character): &(usize, char)| match character {
        '—' | ':' => true,
        ' ' => near.as_bytes().get(at + 1).is_some_and(|next| *next == b'-' || !next.is_ascii()),
        _ => false,
    };
    let head = near.char_indices().filter(may_begin).find_map(first);
    let Some((end, mark)) = head else { return sentence };
    let (head, rest) = (&sentence[..end], sentence[end + mark.len()..].trim_start());
    let is_begun = rest.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit() || "“\"„".contains(c));
    if is_begun && is_dateline(head, mark == ": ") { rest } else { sentence }
}

fn is_dateline(head: &str, is_colon: bool) -> bool {
    let (place, agency) = head.split_once(['(', '/']).unwrap_or((head, ""));
    let words: Vec<&str> = place.split([' ', ',', '.', '/']).filter(|word| !word.is_empty()).collect();
    let Some(first) = words.first() else { return false };
    let is_month = |word: &str| {
        let lower = word.to_lowercase();
        MONTHS.iter().any(|(long, short)| lower == *long || lower == *short)
    };
    let is_number = |word: &&str| word.chars().all(|c| c.is_ascii_digit());
    let is_shouted = |word: &str| word.chars().all(|c| c.is_uppercase() || "-'’".contains(c));
    let is_name = |word: &str| word.starts_with(char::is_uppercase);
    let letters = words.iter().filter(|word| is_shouted(word)).map(|word| word.len()).sum::<usize>();
    let has_day = words.iter().any(is_number) && words.iter().any(|word| is_month(word));
    let is_made_of_names = words.iter().all(|word| is_name(word) || is_number(word));
    let is_place = if is_colon {
        letters >= 5 && words.iter().all(|word| is_shouted(word))
    } else {
        is_shouted(first) && letters >= 4 || is_name(first) && (has_day || !agency.is_empty())
    };
    is_place && is_made_of_names && words.len() <= DATELINE_WORDS && agency.len() <= 40
}

/// A Chinese or Japanese sentence without agency, day and reporter ("新华社北京6月2日电（记者 李明）…", "【ロンドン＝佐藤】…").
fn without_dense_dateline(sentence: &str) -> &str {
    if sentence.is_ascii() {
        return sentence;
    }
    let mut rest = sentence;
    if let Some((_, behind)) = rest.strip_prefix('【').and_then(|inside| inside.split_once('】')) {
        rest = behind.trim_start();
    }
    let near = &rest[..rest.floor_char_boundary(DATELINE)];
    let wired = ["日电", "日電", "日讯", "日訊"].iter().find_map(|mark| Some(near.find(mark)? + mark.len()));
    if let Some(end) = wired {
        rest = rest[end..].trim_start_matches([' ', '　', '，', '：', '|']);
    }
    let reporter = rest.strip_prefix(['（', '(']).and_then(|inside| inside.split_once(['）', ')']));
    if let Some((name, behind)) = reporter
        && ["记者", "記者", "编辑", "通讯员"].iter().any(|word| name.contains(word))
    {
        rest = behind.trim_start();
    }
    if rest.is_empty() { sentence } else { rest }
}

#[cfg(test)]
mod tests {
    use super::without_lead_in;

    #[test]
    fn places_days_agencies_and_reporters_are_no_part_of_a_sentence() {
        for (sentence, bare) in [
            ("LONDON (Wire) - The model is out.", "The model is out."),
            ("OSLO, 9 June (Nordwire) — Taxis may drive.", "Taxis may drive."),
            ("PARIS, 12 June 2026 (Agence Garonne) – The maker grew.", "The maker grew."),
            ("Berlin, 3. Juni (dpa) - Die Firma wächst.", "Die Firma wächst."),
            ("SINGAPORE: Two men were charged.", "Two men were charged."),
            ("Results: It works.", "It works."),
            ("Results The index fell.", "The index fell."),
            ("Results were good.", "Results were good."),
            ("DESIGN AND SETTING Trial in 18 wards.", "Trial in 18 wards."),
            ("MAIN OUTCOMES AND MEASURES: Deaths within 30 days.", "Deaths within 30 days."),
            ("RESULTS OF THE TRIAL ARE OUT.", "RESULTS OF THE TRIAL ARE OUT."),
            ("MAIN is a benchmark.", "MAIN is a benchmark."),
            ("AIM Photonics opened a fab.", "AIM Photonics opened a fab."),
            ("EXPOSURE TO LEAD FELL.", "EXPOSURE TO LEAD FELL."),
            ("RESULTS Mortality fell.", "Mortality fell."),
            ("新华社北京6月2日电（记者 李明）芯片增长一倍。", "芯片增长一倍。"),
            ("方法：灯を比べた。", "灯を比べた。"),
            ("摘要:轮渡常常晚点。", "轮渡常常晚点。"),
            ("Abstract: Tides rise.", "Tides rise."),
            ("Summary judgment was refused.", "Summary judgment was refused."),
            ("【结果】第二种更好。", "第二种更好。"),
            ("结果第二种更好。", "结果第二种更好。"),
            ("Data sources: Four databases.", "Four databases."),
            ("Background and aims: Tides rise.", "Tides rise."),
            ("Design, setting, and participants: A trial.", "A trial."),
            ("Aims and hopes: Tides rise.", "Aims and hopes: Tides rise."),
            ("【ロンドン＝佐藤】新しい法律が決まった。", "新しい法律が決まった。"),
            ("CLIP — a model of two towers — is old.", "CLIP — a model of two towers — is old."),
            (
                "The Commission - Europe's executive - agreed.",
                "The Commission - Europe's executive - agreed.",
            ),
            ("GPT-4: It is large.", "GPT-4: It is large."),
        ] {
            assert_eq!(without_lead_in(sentence), bare);
        }
    }
}

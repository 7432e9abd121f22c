//! Checks of long texts: sections, length, the list of references, and passages copied from sources.

use std::collections::HashMap;

use extractive::{is_file_name, without_markup};
use kernel::{CheckResult, phrase};
use prose::{
    count_words, is_hiragana, is_ideographic, normalize_citations, sources_used, without_inner_references,
    without_references,
};
use serde_json::{Value, json};

use interpreter::{Accept, Check, FunctionContext, Registry, SourceItem};

/// Fewest sections of a long text.
const LEAST_SECTIONS: usize = 2;
/// Fewest words of a long text.
const LEAST_WORDS: usize = 200;
/// Words in a row that count as copied from a source. A character of a script without spaces counts as half a word.
const COPIED_WORDS: usize = 12;

pub(super) fn register(registry: &mut Registry) {
    registry.checks.extend([
        ("headings", headings as Check),
        ("least_words", least_words),
        ("references_are_cited", references_are_cited),
        ("cites_sources", cites_sources),
        ("not_copied", not_copied),
    ]);
    registry.accept.insert("with_references", with_references as Accept);
}

/// Checks that the text has a title and sections with headings.
fn headings(context: &FunctionContext<'_>) -> CheckResult {
    let text = context.answer_text();
    let of_level =
        |mark: &str| without_references(text).lines().filter(|line| line.starts_with(mark)).count();
    let (titles, sections) = (of_level("# "), of_level("## "));
    let problem = if titles == 0 {
        Some(phrase!("the text has no title (# …)"))
    } else {
        (sections < LEAST_SECTIONS).then(|| {
            phrase!(
                "{sections} sections with a heading (## …), at least {least}",
                sections,
                least = LEAST_SECTIONS
            )
        })
    };
    CheckResult::new("headings", problem, || phrase!("a title and {sections} sections", sections))
}

/// Checks that the text has the fewest words of a long text.
fn least_words(context: &FunctionContext<'_>) -> CheckResult {
    let text = context.answer_text();
    let words = count_words(without_references(text));
    let problem = (words < LEAST_WORDS)
        .then(|| phrase!("{words} words, at least {least}; say more", words, least = LEAST_WORDS));
    CheckResult::new("least_words", problem, || phrase!("{words} words", words))
}

/// Checks that the list of references names exactly the cited sources.
fn references_are_cited(context: &FunctionContext<'_>) -> CheckResult {
    let text = context.answer_text();
    let sources = &context.sources();
    let body = without_references(text);
    let wanted = references(body, sources);
    let has = text[body.len()..].trim();
    let problem =
        (has != wanted.trim()).then(|| phrase!("the list of references is not what the text cites"));
    CheckResult::new("references", problem, || phrase!("the references are what the text cites"))
}

/// The list of the sources that a text cites, with its heading; empty if the text cites nothing.
pub(crate) fn references(body: &str, sources: &[SourceItem]) -> String {
    let line = |index: usize| {
        let SourceItem { title, source, published, url, .. } = sources.get(index)?;
        // Other readers cannot find a source by the name of a file.
        let source = if is_file_name(source) { "" } else { source };
        let (title, source) = (without_markup(title), without_markup(source));
        let about = [&title, &source, published, url].into_iter().map(|part| part.trim());
        let about = about.filter(|part| !part.is_empty()).fold(String::new(), |about, part| {
            let stop =
                if about.is_empty() || about.ends_with(['?', '!', '？', '！', '。']) { "" } else { "." };
            format!("{about}{stop} {part}")
        });
        Some(format!("[{}]{}", index + 1, about.replace('\n', " ")))
    };
    let lines: Vec<String> = sources_used(body).into_iter().filter_map(line).collect();
    if lines.is_empty() {
        return String::new();
    }
    // A text in English may quote a source in Japanese, so quotations do not decide the language.
    let own = without_quotations(body);
    let own: String = own.lines().filter(|line| !line.starts_with("##")).collect();
    let dense = own.chars().filter(|character| is_ideographic(*character)).count();
    let heading = match own.chars().any(is_hiragana) || dense * 4 > own.chars().count() {
        true => "参考文献",
        false => "References",
    };
    format!("\n\n## {heading}\n\n{}", lines.join("\n\n"))
}

/// Brings citations into one form and replaces the text's own list of references.
fn with_references(context: &FunctionContext<'_>, mut answer: Value) -> Result<Value, Vec<String>> {
    let field = context.text_field();
    let sources = context.sources();
    let text = answer[&field].as_str().unwrap_or_default().trim();
    let text = without_inner_references(&normalize_citations(text, sources.len()));
    let body = without_references(&text).trim_end();
    if body.is_empty() {
        return Err(vec![format!("`{field}` is empty")]);
    }
    answer[&field] = json!(format!("{body}{}", references(body, &sources)));
    Ok(answer)
}

/// Checks that the text cites a source if there are any. A number without a source does not count.
fn cites_sources(context: &FunctionContext<'_>) -> CheckResult {
    let text = context.answer_text();
    let sources = &context.sources();
    let count = sources.len();
    let is_uncited = count > 0 && !sources_used(without_references(text)).iter().any(|index| *index < count);
    let problem = is_uncited.then(|| phrase!("the text cites none of its {count} sources as [1]", count));
    CheckResult::new("citing", problem, || match count {
        0 => phrase!("there is no source to compare with"),
        _ => phrase!("the text cites its sources"),
    })
}

/// Checks that no passage is copied from a source, unless it is quoted with its citation.
fn not_copied(context: &FunctionContext<'_>) -> CheckResult {
    let text = context.answer_text();
    let sources = &context.sources();
    let own: Vec<String> = words(&without_quotations(without_references(text)));
    let copied = sources.iter().find_map(|source| copied(&own, &words(source.body())));
    let problem =
        copied.map(|passage| phrase!("taken from a source without quotation marks: “{passage}”", passage));
    CheckResult::new("copying", problem, || phrase!("no passage is copied without quotation marks"))
}

/// The first passage of a text that is long enough and occurs in a source.
fn copied(own: &[String], source: &[String]) -> Option<String> {
    let mut places: HashMap<&[String], Vec<usize>> = HashMap::new();
    for (at, window) in source.windows(COPIED_WORDS).enumerate() {
        places.entry(window).or_default().push(at);
    }
    let mut at = 0;
    while let Some(window) = own.get(at..at + COPIED_WORDS) {
        let longest = places.get(window).into_iter().flatten().map(|place| {
            own[at..].iter().zip(&source[*place..]).take_while(|(own, theirs)| own == theirs).count()
        });
        let Some(length) = longest.max() else {
            at += 1;
            continue;
        };
        let passage = &own[at..at + length];
        let dense = passage.iter().filter(|word| is_dense(word)).count();
        if 2 * length - dense >= 2 * COPIED_WORDS {
            let separator = if dense * 2 > length { "" } else { " " };
            return Some(passage[..length.min(2 * COPIED_WORDS)].join(separator));
        }
        at += length;
    }
    None
}

fn is_dense(word: &str) -> bool {
    word.chars().next().is_some_and(|character| is_ideographic(character) || is_hiragana(character))
}

/// The words in lower case without punctuation. Each character of a script without spaces is a word.
fn words(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut word = String::new();
    for character in text.chars() {
        let is_alone = is_ideographic(character) || is_hiragana(character);
        if (is_alone || !character.is_alphanumeric()) && !word.is_empty() {
            found.push(std::mem::take(&mut word));
        }
        if is_alone {
            found.push(character.to_string());
        } else if character.is_alphanumeric() {
            word.extend(character.to_lowercase());
        }
    }
    found.extend((!word.is_empty()).then_some(word));
    found
}

/// The text without what it quotes with a citation: passages between quotation marks and lines of block quotations, in
/// paragraphs that cite.
fn without_quotations(text: &str) -> String {
    const MARKS: [(char, char); 5] = [('“', '”'), ('"', '"'), ('「', '」'), ('『', '』'), ('«', '»')];
    let mut left = String::with_capacity(text.len());
    for paragraph in text.split("\n\n") {
        if sources_used(paragraph).is_empty() {
            left.push_str(paragraph);
        } else {
            let mut closing = None;
            for line in paragraph.lines().filter(|line| !line.trim_start().starts_with('>')) {
                for character in line.chars() {
                    match closing {
                        Some(mark) => closing = (character != mark).then_some(mark),
                        None => match MARKS.iter().find(|(open, _)| *open == character) {
                            Some((_, close)) => {
                                closing = Some(*close);
                                // The mark keeps the words before and after a quotation from forming one passage.
                                left.push_str(" \u{1} ");
                            }
                            None => left.push(character),
                        },
                    }
                }
                left.push('\n');
            }
        }
        left.push_str("\n\n");
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_references_are_headed_in_the_language_of_the_text_not_of_its_quotations() {
        let source = |title: &str| SourceItem { title: title.to_owned(), ..SourceItem::default() };
        let sources = [source("装着型ロボット、七月に発売")];
        let english = "The text quotes “装着型ロボット、七月に発売” [1].\n\n## 装着型ロボット、七月に発売\n\n> 名古屋の会社は発表した。 [1]";
        assert!(references(english, &sources).contains("## References"));
        assert!(references("ロボットが発売されると発表された [1]。", &sources).contains("## 参考文献"));
        assert!(references("机器人七月上市 [1]。", &sources).contains("## 参考文献"));
    }

    #[test]
    fn twelve_words_of_a_source_count_as_copied_and_eleven_do_not() {
        let source = words("one two three four five six seven eight nine ten eleven twelve thirteen");
        let own = |text: &str| copied(&words(&without_quotations(text)), &source);
        let eleven = "It says one two three four five six seven eight nine ten eleven, and so on.";
        assert_eq!(own(eleven), None);
        let twelve = eleven.replace("eleven,", "Eleven Twelve,");
        assert!(own(&twelve).unwrap().ends_with("eleven twelve"));
        assert_eq!(own(&format!("“{twelve}” [1]")), None, "quoted with its citation");
        assert_eq!(own(&format!("> {twelve} [1]")), None, "quoted as a block");
        assert!(own(&format!("“{twelve}”")).is_some(), "quoted without a citation");
    }

    #[test]
    fn a_character_of_a_script_without_spaces_counts_as_half_a_word() {
        let text = "大语言模型在回答问题时有时会编造并不存在的事实和来源";
        let source = words(text);
        let part = |count: usize| text.chars().take(count).collect::<String>();
        assert_eq!(copied(&words(&part(23)), &source), None);
        assert_eq!(copied(&words(&part(24)), &source), Some(part(24)));
    }
}

//! Long documents: a hit has the parts that answer the query, because a model reads every hit whole.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use extractive::query_terms;

/// The longest text of a hit in bytes. The most hits of one search then fit into one request.
const LONGEST: usize = 32_000;
/// The longest part in bytes.
const LONGEST_PART: usize = 2_000;

/// A text, or of a long one its beginning and the parts that answer the query, in their order.
pub(super) fn relevant_parts(text: String, query: &str) -> String {
    if text.len() <= LONGEST {
        return text;
    }
    let parts = parts(&text);
    let terms: Vec<String> = query_terms(query).iter().map(|term| term.to_lowercase()).collect();
    let terms_in = |part: &str| {
        let part = part.to_lowercase();
        terms.iter().filter(|term| part.contains(term.as_str())).count()
    };
    // The beginning introduces the rest. Of equal parts, the first is taken.
    let mut others: Vec<usize> = (1..parts.len()).collect();
    others.sort_by_cached_key(|&index| Reverse(terms_in(parts[index])));
    let (mut chosen, mut length) = (BTreeSet::new(), 0);
    for index in std::iter::once(0).chain(others) {
        length += parts[index].len() + 2;
        if length > LONGEST {
            break;
        }
        chosen.insert(index);
    }
    let mut kept = String::with_capacity(LONGEST);
    for &index in &chosen {
        if index > 0 && !chosen.contains(&(index - 1)) {
            kept.truncate(kept.trim_end().len());
            kept.push_str("\n\n");
        }
        kept.push_str(parts[index]);
    }
    kept
}

/// The text cut at ends of lines, or of sentences where a line is long. Together the parts are the text.
fn parts(text: &str) -> Vec<&str> {
    let (mut parts, mut rest) = (Vec::new(), text);
    while rest.len() > LONGEST_PART {
        let window = &rest[..rest.floor_char_boundary(LONGEST_PART)];
        let after = |ends: &[char]| window.rfind(ends).map(|at| window.ceil_char_boundary(at + 1));
        let end = after(&['\n']).or_else(|| after(&['.', '。', '！', '？'])).or_else(|| after(&[' ']));
        let (part, others) = rest.split_at(end.unwrap_or(window.len()));
        parts.push(part);
        rest = others;
    }
    parts.push(rest);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_long_document_the_beginning_and_the_parts_that_answer_the_query_are_kept() {
        let filler =
            "The committee met again and discussed the minutes of the meeting before it.\n".repeat(900);
        let answer = "Falcons nest on the towers of the cathedral every spring.\n";
        let text = format!("An almanac of the town.\n{filler}{answer}{filler}");
        let kept = relevant_parts(text, "falcons of the cathedral");
        assert!(kept.starts_with("An almanac of the town.") && kept.contains(answer.trim()));
        assert!(kept.len() <= LONGEST);
    }

    #[test]
    fn a_text_without_ends_of_lines_or_sentences_is_cut_between_characters() {
        let kept = relevant_parts("鷹".repeat(100_000), "鷹");
        assert!(kept.len() <= LONGEST && kept.chars().all(|character| character == '鷹'));
        let short = "Short.".to_owned();
        assert_eq!(relevant_parts(short.clone(), "falcons"), short);
    }
}

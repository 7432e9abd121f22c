//! Measures how many words of a sentence occur in its source.
//!
//! It compares words, not meaning: it recognises a sentence about another article, but ignores a "not". A sentence
//! in another language than its source gets 0.

use crate::markup::{Mark, scan};
use crate::sources::{Source, SourceTexts};
use crate::stop_words::EMPTY;
use crate::tokens::{Keys, TokenKind, each_pair, each_token, normal};

/// Share (0 to 1) of the sentence's content stems that occur in the source; 1 if it has none. Grammar words, words for
/// reporting and citations do not count; Chinese and Japanese are compared by pairs of characters.
pub fn support(sentence: &str, source_text: &str) -> f64 {
    share_of(sentence, &Source::new(source_text).stems)
}

impl SourceTexts {
    /// As [`support()`], for the text at `index` (0-based); 0 when there is none.
    pub fn support(&self, sentence: &str, index: usize) -> f64 {
        self.sources.get(index).map_or(0.0, |source| share_of(sentence, &source.stems))
    }
}

fn share_of(sentence: &str, stems: &Keys) -> f64 {
    let mut content = 0_u32;
    let mut found = 0_u32;
    each_content_stem(sentence, |stem| {
        content += 1;
        found += u32::from(stems.contains(&stem));
    });
    if content == 0 { 1.0 } else { f64::from(found) / f64::from(content) }
}

/// Visits the stems of the content words of Markdown, in order, with repetitions.
pub(crate) fn each_content_stem(markdown: &str, mut visit: impl FnMut(u64)) {
    let text = normal(markdown);
    scan(&text, |mark, start, end| {
        if matches!(mark, Mark::Hidden | Mark::Citation) {
            return;
        }
        each_token(&text, start, end, false, |token| {
            let is_content = match token.kind {
                TokenKind::Word => !EMPTY.contains(&token.key),
                TokenKind::Number => true,
                TokenKind::Ideographic => false,
            };
            if is_content {
                visit(token.stem);
            }
        });
        each_pair(&text[start..end], &mut visit);
    });
}

#[cfg(test)]
mod tests {
    use super::support;

    const ABSTRACT: &str = "We propose semantic motion anchors, natural-language abstractions of gesture motion. On \
        BEAT2, our method improves text-to-gesture R@1 by 8.2% over a direct baseline.";

    #[test]
    fn a_paraphrase_is_supported_and_another_subject_is_not() {
        assert!(
            support(
                "The authors propose motion anchors that abstract gestures in natural language [1].",
                ABSTRACT
            ) > 0.8
        );
        assert!(support("Protein folding is accelerated on graphics processors [1].", ABSTRACT) < 0.2);
    }

    #[test]
    fn a_sentence_that_states_nothing_is_supported() {
        assert!((support("This is it. [1]", "") - 1.0).abs() < f64::EPSILON);
        assert!(support("Falconry", "").abs() < f64::EPSILON);
    }

    #[test]
    fn chinese_and_japanese_are_compared_by_pairs() {
        let source = "本研究では検索拡張生成の新しい手法を提案する。";
        assert!(support("検索拡張生成の手法", source) > 0.8);
        assert!(support("量子計算の誤り訂正", source) < 0.3);
    }
}

//! L0: measures of text: words, sentences, citations, grounding, ranking, extraction.

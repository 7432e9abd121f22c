//! Features of a line or a short text: a citation, a rule, a word for the requested text, a refusal, "nothing".

/// Whether it cites a source: `[1]`.
pub(crate) fn cites(text: &str) -> bool {
    text.split('[').skip(1).any(|rest| {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        digits > 0 && rest[digits..].starts_with([']', ',', '-', ' '])
    })
}

/// Whether a line is a rule between parts of a text: `---`.
pub(crate) fn is_rule(line: &str) -> bool {
    let line = line.trim();
    line.len() >= 3 && ["-", "*", "_"].iter().any(|mark| line.replace(mark, "").is_empty())
}

/// The words that a model uses for the requested text.
const NAMES: &[&str] = &[
    "post", "draft", "version", "markdown", "article", "answer", "response", "revision", "rewrite", "text",
    "output", "piece", "write-up", "entwurf", "beitrag", "antwort",
];
const NAMES_IN_CJK: &[&str] = &[
    "文章",
    "帖子",
    "草稿",
    "短文",
    "正文",
    "回答",
    "稿件",
    "投稿",
    "記事",
    "下書き",
    "ポスト",
    "修正版",
    "改訂版",
];

/// Whether a line has a word for the requested text.
pub(crate) fn names_a_text(line: &str) -> bool {
    let small = line.to_lowercase();
    let mut words = small.split(|c: char| !c.is_alphanumeric() && c != '-');
    words.any(|word| NAMES.contains(&word)) || NAMES_IN_CJK.iter().any(|name| line.contains(name))
}

/// Whether that is the last word of the line, and the text is not someone else's: “the company's response”.
pub(crate) fn ends_with_a_text(line: &str) -> bool {
    let small = line.to_lowercase().replace('’', "'");
    let last = small.split_whitespace().next_back().unwrap_or_default();
    let is_owned = small.split_whitespace().any(|word| word.ends_with("'s") || word.ends_with("s'"));
    (NAMES.contains(&last) && !is_owned) || NAMES_IN_CJK.iter().any(|name| line.ends_with(name))
}

/// Whether a short text without a citation refuses an answer or asks back.
pub(crate) fn is_refusal(text: &str) -> bool {
    const LONGEST: usize = 300;
    const WORDS: &[&str] = &[
        "i'm sorry",
        "i am sorry",
        "sorry, ",
        "i can't ",
        "i cannot ",
        "i'm unable",
        "i am unable",
        "as an ai ",
        "please provide ",
        "抱歉",
        "对不起",
        "我无法",
        "申し訳",
    ];
    let small = text.to_lowercase().replace('’', "'");
    text.len() <= LONGEST && !text.contains('[') && WORDS.iter().any(|word| small.contains(word))
}

/// Whether a text says that there is nothing.
pub(crate) fn is_nothing(text: &str) -> bool {
    const MOST_WORDS: usize = 6;
    const FOUND: &[&str] =
        &["found", "available", "articles", "hits", "results", "issues", "match", "matches"];
    let word = text.trim().trim_end_matches(['.', '!']).to_lowercase();
    let words: Vec<&str> = word.split_whitespace().collect();
    is_void(&word)
        || word == "unknown"
        || (words.len() <= MOST_WORDS
            && words.first() == Some(&"no")
            && words.last().is_some_and(|last| FOUND.contains(last)))
}

/// Whether a text is a word or mark for no value.
pub(crate) fn is_void(text: &str) -> bool {
    let word = text.trim().trim_end_matches(['.', '!']).to_lowercase();
    ["", "none", "n/a", "na", "null", "nil", "nothing", "-", "–", "—", "[]", "{}", "无", "なし", "keine"]
        .contains(&word.as_str())
}

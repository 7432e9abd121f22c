//! Which sentences can be added to a document: whole statements that stand alone and speak to nobody.

use crate::lines::leans;
use crate::placeholders::placeholders;
use prose::{Place, Sentence, is_ideographic};

/// Words with which a sentence leans on the one before.
static OPENINGS: &[&str] = &[
    "this",
    "these",
    "that",
    "those",
    "it",
    "its",
    "they",
    "their",
    "them",
    "he",
    "she",
    "his",
    "her",
    "such",
    "however",
    "but",
    "and",
    "or",
    "so",
    "thus",
    "hence",
    "therefore",
    "instead",
    "otherwise",
    "both",
    "neither",
    "either",
    "then",
    "there",
    "here",
    "consequently",
    "accordingly",
    "moreover",
    "furthermore",
    "nevertheless",
    "nonetheless",
    "likewise",
    "similarly",
    "also",
    "besides",
    "meanwhile",
    "afterwards",
    "one",
    "another",
    "others",
    "most",
    "some",
    "all",
    "none",
    "which",
    "who",
];
static OPENING_PHRASES: &[&str] = &[
    "as a result",
    "in addition",
    "for this",
    "for that",
    "at that",
    "of these",
    "of those",
    "of them",
    "in contrast",
    "by contrast",
    "on the other hand",
    "the latter",
    "the former",
    "the same",
    "the other",
    "the rest",
    "after that",
    "because of this",
    "for example",
    "for instance",
    "in this",
    "in that",
];
static WIDE_OPENINGS: &[&str] = &[
    "其",
    "此",
    "这",
    "該",
    "该",
    "它",
    "他",
    "她",
    "上述",
    "前者",
    "后者",
    "因此",
    "所以",
    "但",
    "然而",
    "不过",
    "而",
    "同时",
    "另外",
    "此外",
    "并且",
    "否则",
    "两者",
    "これ",
    "それ",
    "この",
    "その",
    "あれ",
    "こう",
    "そう",
    "同",
    "また",
    "しかし",
    "なお",
    "ただし",
    "したがって",
    "そこ",
    "ここ",
    "彼",
    "両者",
    "うち",
    "ほか",
    "さらに",
    "一方",
    "次に",
];

/// Whether a sentence needs the one before it to be understood.
pub(crate) fn needs_the_one_before(sentence: &str) -> bool {
    let lowered = sentence.to_lowercase();
    let word = lowered.split(|c: char| !c.is_alphanumeric() && c != '\'').next().unwrap_or_default();
    let is_phrase = |phrase: &&str| {
        lowered.strip_prefix(*phrase).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
    };
    leans(sentence)
        || OPENINGS.contains(&word)
        || OPENING_PHRASES.iter().any(is_phrase)
        || WIDE_OPENINGS.iter().any(|opening| sentence.starts_with(opening))
}

/// Verbs that no ending tells.
static VERBS: &[&str] = &[
    "is",
    "are",
    "was",
    "were",
    "be",
    "been",
    "am",
    "has",
    "have",
    "had",
    "do",
    "does",
    "did",
    "can",
    "could",
    "may",
    "might",
    "must",
    "shall",
    "should",
    "will",
    "would",
    "cannot",
    "became",
    "become",
    "began",
    "bought",
    "brought",
    "broke",
    "built",
    "came",
    "chose",
    "cost",
    "costs",
    "covers",
    "cut",
    "drew",
    "drove",
    "fell",
    "felt",
    "flew",
    "found",
    "gave",
    "gets",
    "gives",
    "got",
    "grew",
    "held",
    "hit",
    "hurt",
    "includes",
    "kept",
    "knew",
    "lay",
    "led",
    "left",
    "lies",
    "lives",
    "lost",
    "made",
    "makes",
    "met",
    "needs",
    "paid",
    "put",
    "ran",
    "read",
    "remains",
    "rose",
    "runs",
    "said",
    "sat",
    "saw",
    "sent",
    "set",
    "shows",
    "shut",
    "sold",
    "spent",
    "spoke",
    "spread",
    "stands",
    "stood",
    "stuck",
    "takes",
    "taught",
    "thought",
    "threw",
    "told",
    "took",
    "understood",
    "went",
    "won",
    "wore",
    "works",
    "wrote",
];

fn has_verb(sentence: &str) -> bool {
    if sentence.contains(is_ideographic) {
        return true;
    }
    let words = sentence.split(|c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '’'));
    words.skip(1).any(|word| {
        word.starts_with(char::is_lowercase)
            && (VERBS.contains(&word) || word.len() > 3 && word.ends_with("ed") || word.ends_with("n't"))
    })
}

/// Words that speak to the reader, to a model or of the document.
static TO_SOMEBODY: &[&str] = &[
    "you",
    "your",
    "yours",
    "yourself",
    "please",
    "ignore",
    "disregard",
    "instruction",
    "instructions",
    "prompt",
    "prompts",
    "placeholder",
    "placeholders",
    "template",
    "templates",
    "assistant",
    "chatbot",
];
static ORDERS: &[&str] = &[
    "act",
    "add",
    "answer",
    "append",
    "change",
    "copy",
    "delete",
    "do",
    "don't",
    "fill",
    "follow",
    "forget",
    "include",
    "insert",
    "let",
    "mark",
    "never",
    "output",
    "overwrite",
    "pretend",
    "print",
    "remove",
    "repeat",
    "replace",
    "reply",
    "report",
    "respond",
    "return",
    "rewrite",
    "say",
    "send",
    "state",
    "stop",
    "translate",
    "treat",
    "use",
    "write",
];
static WIDE_TO_SOMEBODY: &[&str] = &[
    "请",
    "請",
    "你",
    "您",
    "忽略",
    "无视",
    "無視",
    "指令",
    "提示词",
    "模板",
    "占位符",
    "务必",
    "不得不",
    "ください",
    "なさい",
    "あなた",
    "プロンプト",
    "テンプレート",
    "ひな形",
    "雛形",
    "指示に従",
    "せよ",
    "しろ。",
    "こと。",
];

fn speaks_to_somebody(sentence: &str) -> bool {
    let lowered = sentence.to_lowercase();
    let mut words =
        lowered.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty());
    words.clone().next().is_some_and(|first| ORDERS.contains(&first))
        || words.any(|word| TO_SOMEBODY.contains(&word))
        || WIDE_TO_SOMEBODY.iter().any(|words| sentence.contains(words))
}

/// Whether a sentence of a summary is a statement that can stand in another text.
pub(crate) fn is_statement(sentence: &Sentence<'_>) -> bool {
    let text = sentence.text;
    let first = text.trim_start_matches(['“', '"', '「', '『']).chars().next();
    let opens =
        first.is_some_and(|first| first.is_uppercase() || first.is_numeric() || is_ideographic(first));
    let count = |marks: &[char]| text.matches(marks).count();
    let is_closed = count(&['(', '（']) == count(&[')', '）'])
        && count(&['“']) == count(&['”'])
        && count(&['「', '『']) == count(&['」', '』'])
        && count(&['"']) % 2 == 0;
    let is_plain =
        !text.contains(['{', '}', '<', '>', '|', '`', '\\']) && !text.contains("](") && !text.contains("://");
    matches!(sentence.place, Place::Paragraph | Place::ListItem)
        && ends(text)
        && opens
        && is_closed
        && is_plain
        && has_verb(text)
        && !needs_the_one_before(text)
        && !speaks_to_somebody(text)
        && placeholders(text).is_empty()
}

/// Whether a sentence ends as one.
pub(crate) fn ends(sentence: &str) -> bool {
    sentence.ends_with(['.', '!', '?', '。', '！', '？'])
}

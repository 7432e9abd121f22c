//! Whether a sentence can stand in another text at all.
//!
//! Every sentence of a source is asked for many words, and nearly none has one: each list is looked through only where a
//! short word is found that all of its cues have, for short words are found quickest.

/// Cues by a word that each of them has.
type Cues<'a> = [(&'a str, &'a [&'a str])];

/// What is a mark of a page or of LaTeX, not of its text.
const MARKS: &Cues<'static> = &[
    ("http", &["http"]),
    ("www.", &["www."]),
    ("github", &["github.com", "github.io", "on github"]),
    ("xxx", &["xxx"]),
    ("$$", &["$$"]),
    ("...", &["..."]),
    ("stage 1", &[": stage 1"]),
    (" method", &[" that method ", "propose method"]),
];

/// What speaks of where something can be had.
const OF_CODE: &Cues<'static> = &[
    (
        "code",
        &[
            "code is",
            "code are",
            "code will",
            "codes are",
            "code and data",
            "code and model",
            "code and weights",
            "code, ",
            "source code",
        ],
    ),
    ("project", &["project page"]),
    ("availabl", &["available at", "available on", "publicly available", "be made available"]),
    ("released", &["be released"]),
];

/// What a newspaper calls itself, and the words before it.
const OWN_VOICE: &Cues<'static> = &[
    ("newspape", &["this newspaper", "our newspaper", "the present newspaper"]),
    ("magazine", &["this magazine", "our magazine", "the present magazine"]),
    ("website", &["this website", "our website", "the present website"]),
    ("newslett", &["this newsletter", "our newsletter", "the present newsletter"]),
    ("column", &["this column", "our column", "the present column"]),
    ("blog", &["this blog", "our blog", "the present blog"]),
];

/// Whether one of these cues stands in a text in lower case.
pub(crate) fn has_cue(lower: &str, cues: &Cues<'_>) -> bool {
    cues.iter().any(|(word, cues)| lower.contains(word) && cues.iter().any(|cue| lower.contains(cue)))
}

/// Whether a sentence can stand in another text at all.
pub(crate) fn is_repeatable(text: &str, lower: &str) -> bool {
    ends(text)
        && !is_marked(text, lower)
        && !is_personal(text)
        // What a newspaper did itself is told in its voice.
        && !has_cue(lower, OWN_VOICE)
        && !has_cue(lower, OF_CODE)
        && is_balanced(text)
        && !has_word_twice(lower)
}

/// A slip of the pen that nobody would send: "for for".
fn has_word_twice(lower: &str) -> bool {
    const SLIPS: [&[u8]; 8] = [b"for", b"the", b"of", b"to", b"in", b"and", b"is", b"a"];
    let mut before: &[u8] = b"";
    lower.as_bytes().split(|byte| *byte == b' ').any(|word| {
        let is_twice = before == word && SLIPS.contains(&word);
        before = word;
        is_twice
    })
}

fn ends(text: &str) -> bool {
    text.trim_end().ends_with(['.', '!', '。', '！', '”', '」', ')']) && !text.ends_with("et al.")
}

fn is_marked(text: &str, lower: &str) -> bool {
    ["code and ", "welcome to", "stage ", "step "].iter().any(|start| lower.starts_with(start))
        || text.contains('\\')
        || text.contains('|')
        || !text.is_ascii() && text.contains(['©', '…'])
        || has_cue(lower, MARKS)
        || is_glued(text)
        || names_path(text)
}

/// The path of a file is a mark of the page, not of its text.
fn names_path(text: &str) -> bool {
    let is_path = |word: &str| {
        word.ends_with('/') || word.contains("./") || word.contains(".git") || word.matches('/').count() > 2
    };
    (text.contains('/') || text.contains(".git")) && text.split(' ').any(is_path)
}

fn is_personal(text: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric())
        .any(|word| matches!(word, "I" | "my" | "My" | "me" | "mine" | "Mine"))
}

/// Two sentences without a space between them are not parted.
fn is_glued(text: &str) -> bool {
    const STARTS: [&str; 6] = [".We ", ".Our ", ".The ", ".This ", ".In ", ".It "];
    STARTS.iter().any(|glued| text.contains(glued))
}

/// Whether every bracket and quotation that opens also closes.
pub(crate) fn is_balanced(text: &str) -> bool {
    // Most have none; all bytes are looked at together, without a branch.
    let may_pair = |byte: u8| {
        let is_round = (byte == b'(') | (byte == b')');
        let is_square = (byte == b'[') | (byte == b']');
        is_round | is_square | (byte == b'"') | !byte.is_ascii()
    };
    if !text.bytes().fold(false, |found, byte| found | may_pair(byte)) {
        return true;
    }
    let mut open: Vec<char> = Vec::new();
    let mut straight = 0;
    for character in text.chars() {
        let closer = match character {
            '(' => Some(')'),
            '[' => Some(']'),
            '“' => Some('”'),
            '「' => Some('」'),
            '『' => Some('』'),
            '（' => Some('）'),
            _ => None,
        };
        if let Some(closer) = closer {
            open.push(closer);
        } else if matches!(character, ')' | ']' | '”' | '」' | '』' | '）') && open.pop() != Some(character)
        {
            return false;
        }
        straight += usize::from(character == '"');
    }
    open.is_empty() && straight % 2 == 0
}

#[cfg(test)]
mod tests {
    use super::has_word_twice;

    #[test]
    fn a_small_word_that_stands_twice_is_a_slip_wherever_its_letters_stood_before() {
        for (lower, expected) in [
            ("a model for for robots", true),
            ("the data a a small set", true),
            ("what it is is open", true),
            ("as far as is isolated", false),
            ("the theory", false),
            ("it had had an effect", false),
        ] {
            assert_eq!(has_word_twice(lower), expected, "{lower}");
        }
    }
}

//! Which sentences of an article may stand in another text at all: no advertisement of code, no address, no page's own
//! marks, nothing half quoted.

/// Whether a sentence can stand in another text at all.
pub(crate) fn is_repeatable(text: &str, lower: &str) -> bool {
    let is_marked = text.contains(['\\', '©', '…', '|'])
        || lower.starts_with("welcome to")
        || lower.starts_with("stage ")
        || lower.starts_with("step ")
        || lower.contains(": stage 1")
        || [
            "http",
            "www.",
            "github.com",
            "github.io",
            "on github",
            "xxx",
            "$$",
            "...",
            " that method ",
            "propose method",
        ]
        .iter()
        .any(|mark| lower.contains(mark));
    // The path of a file is a mark of the page, not of its text.
    let is_path = |word: &str| {
        word.ends_with('/') || word.contains("./") || word.contains(".git") || word.matches('/').count() > 2
    };
    // Two sentences without a space between them are not parted.
    let is_glued =
        [".We ", ".Our ", ".The ", ".This ", ".In ", ".It "].iter().any(|glued| text.contains(glued));
    let is_marked = is_marked || is_glued || text.split(' ').any(is_path);
    let is_personal = text
        .split(|c: char| !c.is_alphanumeric())
        .any(|word| matches!(word, "I" | "my" | "My" | "me" | "mine" | "Mine"));
    // What a newspaper did itself is told in its voice.
    let is_own_voice =
        ["newspaper", "magazine", "website", "newsletter", "column", "blog"].iter().any(|own| {
            ["this ", "our ", "told this ", "the present "]
                .iter()
                .any(|its| lower.contains(&format!("{its}{own}")))
        });
    let speaks_of_code = [
        "code is",
        "code are",
        "code will",
        "codes are",
        "code and",
        "code, ",
        "source code",
        "project page",
        "available at",
        "available on",
        "publicly available",
        "be made available",
        "will be released",
        "be released",
    ]
    .iter()
    .any(|cue| lower.contains(cue));
    let ends = text.trim_end().ends_with(['.', '!', '。', '！', '”', '」', ')']);
    ends && !is_marked
        && !is_personal
        && !is_own_voice
        && !speaks_of_code
        && is_balanced(text)
        && !text.ends_with("et al.")
}

/// Whether every bracket and quotation that opens also closes.
pub(crate) fn is_balanced(text: &str) -> bool {
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

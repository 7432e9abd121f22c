//! Character classes that several measures must agree on, so that no two of them cut a text differently.

/// Ideographs, kana and their marks: writing that is not separated by spaces.
pub fn is_ideographic(character: char) -> bool {
    let code = character as u32;
    if code < 0x3005 {
        return false;
    }
    matches!(code,
        0x3005 | 0x3007 | 0x3021..=0x3029 | 0x3031..=0x3035 | 0x3041..=0x3096 | 0x309D..=0x309F
        | 0x30A1..=0x30FA | 0x30FC..=0x30FF | 0x31F0..=0x31FF | 0x3400..=0x4DBF | 0x4E00..=0x9FFF
        | 0xF900..=0xFAFF | 0xFF66..=0xFF9D | 0x20000..=0x323AF)
}

/// Katakana, in which Japanese writes foreign names.
pub(crate) fn is_katakana(character: char) -> bool {
    matches!(character as u32, 0x30A1..=0x30FA | 0x30FC..=0x30FF | 0x31F0..=0x31FF | 0xFF66..=0xFF9D)
}

/// Hiragana, which mostly carries grammar.
pub fn is_hiragana(character: char) -> bool {
    matches!(character as u32, 0x3041..=0x3096 | 0x309D..=0x309F)
}

/// Marks that join the parts of a compound: the hyphen and its typographic relatives.
pub(crate) fn is_hyphen(character: char) -> bool {
    matches!(character, '-' | '\u{2010}'..='\u{2013}' | '\u{2212}')
}

/// Full stops and their relatives that end a sentence without a space after them.
pub(crate) fn is_wide_stop(character: char) -> bool {
    matches!(character, '。' | '！' | '？' | '｡')
}

/// Marks that close what the sentence before them opened.
pub(crate) fn is_closer(character: char) -> bool {
    matches!(
        character,
        '"' | '\'' | '”' | '’' | ')' | ']' | '}' | '»' | '」' | '』' | '）' | '】' | '》' | '*' | '_' | '`'
    )
}

/// Marks that may stand before the first word of a sentence.
pub(crate) fn is_opener(character: char) -> bool {
    matches!(
        character,
        '"' | '\''
            | '“'
            | '‘'
            | '„'
            | '('
            | '['
            | '{'
            | '«'
            | '「'
            | '『'
            | '（'
            | '【'
            | '《'
            | '*'
            | '_'
            | '`'
            | '~'
    )
}

//! Character classes that several measures share, so that all of them split a text in the same way.

/// Ideographs, kana and their marks: scripts that put no spaces between words.
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

/// Katakana, the script that Japanese uses for foreign names.
pub(crate) fn is_katakana(character: char) -> bool {
    matches!(character as u32, 0x30A1..=0x30FA | 0x30FC..=0x30FF | 0x31F0..=0x31FF | 0xFF66..=0xFF9D)
}

/// Hiragana, which mostly carries grammar.
pub fn is_hiragana(character: char) -> bool {
    matches!(character as u32, 0x3041..=0x3096 | 0x309D..=0x309F)
}

/// Marks that join the parts of a compound: the hyphen and similar dashes.
pub(crate) fn is_hyphen(character: char) -> bool {
    matches!(character, '-' | '\u{2010}'..='\u{2013}' | '\u{2212}')
}

/// CJK full stops, exclamation and question marks: they end a sentence without a space after them.
pub(crate) fn is_wide_stop(character: char) -> bool {
    matches!(character, '。' | '！' | '？' | '｡')
}

/// Closing quotation marks, brackets and marks of emphasis: after a full stop they still belong to its sentence.
pub(crate) fn is_closer(character: char) -> bool {
    matches!(
        character,
        '"' | '\'' | '”' | '’' | ')' | ']' | '}' | '»' | '」' | '』' | '）' | '】' | '》' | '*' | '_' | '`'
    )
}

/// Opening quotation marks, brackets and marks of emphasis that may precede the first word of a sentence.
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

//! How far a text is plain already: most of it is words and single blanks, and is copied as it stands.
//!
//! Not here: what the marks in between mean (`clean`).

/// What a byte of a text asks for.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Plain,
    /// Plain, unless the same stands behind it once more.
    Alone,
    Blank,
    Mark,
}

/// What each byte asks for.
static KINDS: [Kind; 256] = {
    let mut kinds = [Kind::Mark; 256];
    let mut byte = 0;
    while byte < kinds.len() {
        kinds[byte] = match byte as u8 {
            b' ' => Kind::Blank,
            b'-' | b'\'' => Kind::Alone,
            b'!'..=b'#'
            | b'%'
            | b'('
            | b')'
            | b'+'
            | b','
            | b'.'..=b';'
            | b'='..=b'['
            | b'a'..=b'z'
            | b'|' => Kind::Plain,
            _ => Kind::Mark,
        };
        byte += 1;
    }
    kinds
};

/// Length of the words at the beginning that nothing has to be done to, with the blanks between them. A blank is taken
/// only before what is plain in any case; what is left out is handled by who cleans.
pub(crate) fn plain_length(bytes: &[u8]) -> usize {
    let kind = |byte: &u8| KINDS[usize::from(*byte)];
    let is_plain = |byte: &u8| kind(byte) == Kind::Plain;
    let mut length = 0;
    loop {
        length += bytes[length..].iter().take_while(|byte| is_plain(byte)).count();
        let Some((byte, rest)) = bytes[length..].split_first() else { return length };
        let goes_on = match kind(byte) {
            Kind::Alone => rest.first() != Some(byte),
            Kind::Blank => length > 0 && rest.first().is_some_and(is_plain),
            Kind::Plain | Kind::Mark => false,
        };
        if !goes_on {
            return length;
        }
        length += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::plain_length;

    #[test]
    fn words_and_single_blanks_are_plain_up_to_the_first_mark() {
        for (text, plain) in [
            ("A first-rate word, isn't it? $x$", "A first-rate word, isn't it?"),
            ("a  b", "a"),
            ("a--b", "a"),
            ("a ", "a"),
            ("a'", "a'"),
            ("a - b", "a"),
            ("café", "caf"),
            (" a", ""),
            ("", ""),
        ] {
            assert_eq!(&text[..plain_length(text.as_bytes())], plain);
        }
    }
}

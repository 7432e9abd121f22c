//! How far a text is plain already: most of it is words and single blanks, and is copied as it stands.
//!
//! Not here: what the marks in between mean (`clean`).

/// Whether a byte is plain whatever stands behind it. Without a branch, so that many bytes are looked at together.
fn is_plain(byte: u8) -> bool {
    let is_of = |first: u8, last: u8| byte.wrapping_sub(first) <= last - first;
    is_of(b'a', b'z')
        | is_of(b'=', b'[')
        | is_of(b'.', b';')
        | is_of(b'+', b',')
        | is_of(b'(', b')')
        | is_of(b'!', b'#')
        | (byte == b'%')
        | (byte == b'|')
}

/// Plain, unless the same stands behind it once more.
fn is_alone(byte: u8) -> bool {
    (byte == b'-') | (byte == b'\'')
}

/// Whether nothing has to be done to a byte with this one behind it.
fn stays(byte: u8, next: u8) -> bool {
    is_plain(byte) | ((byte == b' ') & is_plain(next)) | (is_alone(byte) & (byte != next))
}

/// Length of the words at the beginning that nothing has to be done to, with the blanks between them. A blank is taken
/// only before what is plain in any case; what is left out is handled by who cleans.
pub(crate) fn plain_length(bytes: &[u8]) -> usize {
    if bytes.first() == Some(&b' ') {
        return 0;
    }
    let mut length = 0;
    while let Some(window) = bytes[length..].first_chunk::<17>() {
        if !(0..16).fold(true, |stay, at| stay & stays(window[at], window[at + 1])) {
            break;
        }
        length += 16;
    }
    let stay = |at: usize, byte: u8| match bytes.get(at + 1) {
        Some(next) => stays(byte, *next),
        None => is_plain(byte) | is_alone(byte),
    };
    length + bytes[length..].iter().enumerate().take_while(|(at, byte)| stay(length + at, **byte)).count()
}

#[cfg(test)]
mod tests {
    use super::plain_length;
    use proptest::prelude::*;

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

    /// Byte by byte, by a list of what is plain.
    fn counted(bytes: &[u8]) -> usize {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"!\"#%()+,./:;=>?@[|".contains(&byte);
        let stays = |at: usize| match (bytes[at], bytes.get(at + 1)) {
            (b' ', next) => at > 0 && next.is_some_and(|next| is_plain(*next)),
            (byte @ (b'-' | b'\''), next) => next != Some(&byte),
            (byte, _) => is_plain(byte),
        };
        (0..bytes.len()).take_while(|at| stays(*at)).count()
    }

    proptest! {
        #[test]
        fn many_bytes_at_once_are_as_plain_as_one_after_the_other(text in "[a-c .'-]{0,70}[ -~\t\n聖é]{0,70}") {
            for start in (0..text.len()).filter(|start| text.is_char_boundary(*start)) {
                prop_assert_eq!(plain_length(&text.as_bytes()[start..]), counted(&text.as_bytes()[start..]));
            }
        }
    }

    #[test]
    fn every_byte_is_plain_or_not_wherever_it_stands() {
        for byte in 0..=u8::MAX {
            for before in 0..35 {
                let bytes = [vec![b'a'; before], vec![byte], vec![b'b'; 20]].concat();
                assert_eq!(plain_length(&bytes), counted(&bytes), "{byte} at {before}");
            }
        }
    }
}

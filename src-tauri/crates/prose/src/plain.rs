//! Finds the prefix of a text that `clean` can copy unchanged. Most of a text is words and single spaces, so this is
//! the fast path.

/// Whether a byte is plain in any context. Without branches, so that the compiler can vectorise the test.
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

/// Whether a byte is plain unless it is doubled.
fn is_alone(byte: u8) -> bool {
    (byte == b'-') | (byte == b'\'')
}

/// Whether a byte is copied unchanged before `next`.
fn stays(byte: u8, next: u8) -> bool {
    is_plain(byte) | ((byte == b' ') & is_plain(next)) | (is_alone(byte) & (byte != next))
}

/// Length in bytes of the prefix that can be copied unchanged. It ends before a space unless the next byte is plain in
/// any context; the caller handles the rest.
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
    fn words_and_single_spaces_are_plain_up_to_the_first_mark() {
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

    /// A simple implementation that reads byte by byte.
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
        fn reading_in_chunks_gives_the_same_length_as_reading_bytes(text in "[a-c .'-]{0,70}[ -~\t\n聖é]{0,70}") {
            for start in (0..text.len()).filter(|start| text.is_char_boundary(*start)) {
                prop_assert_eq!(plain_length(&text.as_bytes()[start..]), counted(&text.as_bytes()[start..]));
            }
        }
    }

    #[test]
    fn each_byte_value_is_read_alike_at_every_position_of_a_chunk() {
        for byte in 0..=u8::MAX {
            for before in 0..35 {
                let bytes = [vec![b'a'; before], vec![byte], vec![b'b'; 20]].concat();
                assert_eq!(plain_length(&bytes), counted(&bytes), "{byte} at {before}");
            }
        }
    }
}

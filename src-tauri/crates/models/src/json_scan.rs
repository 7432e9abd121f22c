//! Where values of JSON end in bytes that come cut anywhere.

/// Finds where values of JSON end, byte by byte.
#[derive(Default)]
pub(crate) struct Scan {
    pub(crate) bytes: Vec<u8>,
    depth: usize,
    is_in_string: bool,
    is_escaped: bool,
    /// Inside a list of values, which are taken one by one.
    pub(crate) is_in_list: bool,
    pub(crate) had_list: bool,
}

pub(crate) enum Scanned {
    /// It belongs to the value that is open, or stands between values.
    Inside,
    /// It ended this value.
    Whole(Vec<u8>),
    /// It belongs to no value.
    Outside,
}

/// Bytes at the beginning that only go on with a text. Many are looked at together, which costs hardly more than one.
fn text_length(bytes: &[u8]) -> usize {
    // Without a branch.
    let is_mark = |byte: u8| (byte == b'"') | (byte == b'\\') | (byte == b'\n') | (byte == b'\r');
    let (chunks, _) = bytes.as_chunks::<16>();
    let is_text = |chunk: &&[u8; 16]| !chunk.iter().fold(false, |found, byte| found | is_mark(*byte));
    let text = chunks.iter().take_while(is_text).count() * 16;
    bytes[text..].iter().position(|byte| is_mark(*byte)).map_or(bytes.len(), |at| text + at)
}

impl Scan {
    /// Whether no value is open.
    pub(crate) fn is_idle(&self) -> bool {
        self.depth == 0
    }

    /// Takes the bytes at the beginning with which the value that is open goes on, up to the end of a line or to what may
    /// end the value; gives how many.
    pub(crate) fn take_inside(&mut self, bytes: &[u8]) -> usize {
        if self.is_idle() {
            return 0;
        }
        let mut taken = 0;
        loop {
            if self.is_in_string && !self.is_escaped {
                taken += text_length(&bytes[taken..]);
            }
            match bytes.get(taken) {
                None | Some(b'\n' | b'\r') => break,
                Some(b'}' | b']') if !self.is_in_string && self.depth == 1 => break,
                Some(byte) => self.see(*byte),
            }
            taken += 1;
        }
        self.bytes.extend_from_slice(&bytes[..taken]);
        taken
    }

    pub(crate) fn take(&mut self, byte: u8) -> Scanned {
        if self.depth == 0 {
            return match byte {
                b'[' if !self.is_in_list => {
                    (self.is_in_list, self.had_list) = (true, true);
                    Scanned::Inside
                }
                b']' if self.is_in_list => {
                    self.is_in_list = false;
                    Scanned::Inside
                }
                b'{' | b'[' => {
                    self.bytes.push(byte);
                    self.depth = 1;
                    Scanned::Inside
                }
                b',' => Scanned::Inside,
                _ if byte.is_ascii_whitespace() => Scanned::Inside,
                _ => Scanned::Outside,
            };
        }
        self.bytes.push(byte);
        self.see(byte);
        if self.is_idle() { Scanned::Whole(std::mem::take(&mut self.bytes)) } else { Scanned::Inside }
    }

    /// Takes in what a byte of the value that is open means for where it ends.
    fn see(&mut self, byte: u8) {
        match byte {
            _ if self.is_escaped => self.is_escaped = false,
            b'\\' if self.is_in_string => self.is_escaped = true,
            b'"' => self.is_in_string = !self.is_in_string,
            b'{' | b'[' if !self.is_in_string => self.depth += 1,
            b'}' | b']' if !self.is_in_string => self.depth -= 1,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Scan, Scanned};
    use proptest::prelude::*;

    /// The values of some bytes, by runs or one after the other.
    fn values(bytes: &[u8], by_runs: bool) -> (Vec<Vec<u8>>, Vec<u8>) {
        let (mut scan, mut found, mut at) = (Scan::default(), Vec::new(), 0);
        while at < bytes.len() {
            let taken = if by_runs { scan.take_inside(&bytes[at..]) } else { 0 };
            at += taken;
            if taken == 0 {
                if let Scanned::Whole(value) = scan.take(bytes[at]) {
                    found.push(value);
                }
                at += 1;
            }
        }
        (found, scan.bytes)
    }

    proptest! {
        #[test]
        fn runs_of_bytes_end_values_where_single_bytes_do(text in r#"[{}\[\],:"\\\n\ra 聖]{0,120}"#) {
            let text = format!("{{\"{text}");
            prop_assert_eq!(values(text.as_bytes(), true), values(text.as_bytes(), false));
        }
    }
}

//! Finds the ends of JSON values in bytes that arrive in arbitrary pieces.

/// Finds the ends of JSON values byte by byte.
#[derive(Default)]
pub(crate) struct JsonScanner {
    pub(crate) bytes: Vec<u8>,
    depth: usize,
    is_in_string: bool,
    is_escaped: bool,
    /// Whether the scanner is inside a list whose items are values of their own.
    pub(crate) is_in_list: bool,
    pub(crate) had_list: bool,
}

pub(crate) enum ScanResult {
    /// The byte belongs to the open value, or stands between values.
    Inside,
    /// The byte ended this value.
    Whole(Vec<u8>),
    /// The byte belongs to no value.
    Outside,
}

/// The number of leading bytes that only continue a string. Checking many at once costs hardly more than one.
fn text_length(bytes: &[u8]) -> usize {
    // Branch-free, so that it can be vectorised.
    let is_mark = |byte: u8| (byte == b'"') | (byte == b'\\') | (byte == b'\n') | (byte == b'\r');
    let (chunks, _) = bytes.as_chunks::<16>();
    let is_text = |chunk: &&[u8; 16]| !chunk.iter().fold(false, |found, byte| found | is_mark(*byte));
    let text = chunks.iter().take_while(is_text).count() * 16;
    bytes[text..].iter().position(|byte| is_mark(*byte)).map_or(bytes.len(), |at| text + at)
}

impl JsonScanner {
    /// Whether no value is open.
    pub(crate) fn is_idle(&self) -> bool {
        self.depth == 0
    }

    /// Takes the leading bytes that continue the open value, up to the end of a line or to a byte that may end the
    /// value. Returns their number.
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

    pub(crate) fn take(&mut self, byte: u8) -> ScanResult {
        if self.depth == 0 {
            return match byte {
                b'[' if !self.is_in_list => {
                    (self.is_in_list, self.had_list) = (true, true);
                    ScanResult::Inside
                }
                b']' if self.is_in_list => {
                    self.is_in_list = false;
                    ScanResult::Inside
                }
                b'{' | b'[' => {
                    self.bytes.push(byte);
                    self.depth = 1;
                    ScanResult::Inside
                }
                b',' => ScanResult::Inside,
                _ if byte.is_ascii_whitespace() => ScanResult::Inside,
                _ => ScanResult::Outside,
            };
        }
        self.bytes.push(byte);
        self.see(byte);
        if self.is_idle() { ScanResult::Whole(std::mem::take(&mut self.bytes)) } else { ScanResult::Inside }
    }

    /// Updates the state by a byte of the open value.
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
    use super::{JsonScanner, ScanResult};
    use proptest::prelude::*;

    /// The values in some bytes, scanned in runs or byte by byte.
    fn values(bytes: &[u8], by_runs: bool) -> (Vec<Vec<u8>>, Vec<u8>) {
        let (mut scan, mut found, mut at) = (JsonScanner::default(), Vec::new(), 0);
        while at < bytes.len() {
            let taken = if by_runs { scan.take_inside(&bytes[at..]) } else { 0 };
            at += taken;
            if taken == 0 {
                if let ScanResult::Whole(value) = scan.take(bytes[at]) {
                    found.push(value);
                }
                at += 1;
            }
        }
        (found, scan.bytes)
    }

    proptest! {
        #[test]
        fn runs_and_single_bytes_find_the_same_values(text in r#"[{}\[\],:"\\\n\ra 聖]{0,120}"#) {
            let text = format!("{{\"{text}");
            prop_assert_eq!(values(text.as_bytes(), true), values(text.as_bytes(), false));
        }
    }
}

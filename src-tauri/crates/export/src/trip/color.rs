//! Colours of points. They come from outside: what is no `#rrggbb` reaches no file.

/// The colour of points whose work has none.
const USUAL: Color = Color { red: 0x1a, green: 0x4f, blue: 0x9c };

/// A colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Color {
    red: u8,
    green: u8,
    blue: u8,
}

impl Color {
    /// The colour that a text names as `#rrggbb`; the usual one where it names none.
    pub(crate) fn read(text: &str) -> Color {
        Color::hex(text.trim()).unwrap_or(USUAL)
    }

    fn hex(text: &str) -> Option<Color> {
        let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6)?;
        // `from_str_radix` alone would take a sign, too.
        if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return None;
        }
        let [_, red, green, blue] = u32::from_str_radix(digits, 16).ok()?.to_be_bytes();
        Some(Color { red, green, blue })
    }

    /// As web pages write it.
    pub(crate) fn css(self) -> String {
        format!("#{:02x}{:02x}{:02x}", self.red, self.green, self.blue)
    }

    /// As KML writes it: opaque, blue first.
    pub(crate) fn kml(self) -> String {
        format!("ff{:02x}{:02x}{:02x}", self.blue, self.green, self.red)
    }

    /// Black or white, whichever is read better on it.
    pub(crate) fn ink(self) -> &'static str {
        // With this luminance black and white have the same contrast, as the WCAG compute it.
        if self.luminance() > 0.179 { "#000000" } else { "#ffffff" }
    }

    /// The relative luminance of the WCAG.
    fn luminance(self) -> f64 {
        let linear = |part: u8| {
            let part = f64::from(part) / 255.0;
            if part <= 0.040_45 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * linear(self.red) + 0.7152 * linear(self.green) + 0.0722 * linear(self.blue)
    }
}

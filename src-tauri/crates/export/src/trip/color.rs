//! Colours of points. They come from outside: only `#rrggbb` values are written to files.

/// The default colour of points.
const USUAL: Color = Color { red: 0x1a, green: 0x4f, blue: 0x9c };

/// A colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Color {
    red: u8,
    green: u8,
    blue: u8,
}

impl Color {
    /// Parses a colour as `#rrggbb`; otherwise returns the default.
    pub(crate) fn read(text: &str) -> Color {
        Color::hex(text.trim()).unwrap_or(USUAL)
    }

    fn hex(text: &str) -> Option<Color> {
        let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6)?;
        // `from_str_radix` alone would accept a sign, too.
        if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return None;
        }
        let [_, red, green, blue] = u32::from_str_radix(digits, 16).ok()?.to_be_bytes();
        Some(Color { red, green, blue })
    }

    /// The CSS form.
    pub(crate) fn css(self) -> String {
        format!("#{:02x}{:02x}{:02x}", self.red, self.green, self.blue)
    }

    /// The KML form: opaque, with blue first.
    pub(crate) fn kml(self) -> String {
        format!("ff{:02x}{:02x}{:02x}", self.blue, self.green, self.red)
    }

    /// Black or white, whichever has more contrast on it.
    pub(crate) fn ink(self) -> &'static str {
        // At this luminance, black and white have the same contrast by the WCAG formula.
        if self.luminance() > 0.179 { "#000000" } else { "#ffffff" }
    }

    /// The relative luminance by the WCAG.
    fn luminance(self) -> f64 {
        let linear = |part: u8| {
            let part = f64::from(part) / 255.0;
            if part <= 0.040_45 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * linear(self.red) + 0.7152 * linear(self.green) + 0.0722 * linear(self.blue)
    }
}

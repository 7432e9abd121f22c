//! Writes a formula of Word (OMML) or of a web page (MathML) as one line that keeps its value: `1/2`, `10^6`, `√(x +
//! 1)`.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::is_ideographic;
use super::markup::entity;

/// Below this depth only the words of a formula are kept.
const DEEPEST: usize = 64;

/// Elements that describe the formula's appearance or repeat it.
const SKIPPED: [&str; 3] = ["annotation", "annotation-xml", "mphantom"];

/// An element of a formula.
#[derive(Debug, Default)]
pub(crate) struct Part {
    name: String,
    /// The signs of brackets and sums: `begChr`, `endChr`, `chr` in Word, `open`, `close` in MathML.
    signs: Vec<(String, String)>,
    text: String,
    parts: Vec<Part>,
}

impl Part {
    /// Parses the formula that `start` begins, up to its end.
    pub(crate) fn read(reader: &mut Reader<&[u8]>, start: &BytesStart<'_>) -> Part {
        let mut open = vec![Part::begun(start)];
        // The number of open elements below the depth limit.
        let mut deeper = 0_usize;
        while let Ok(event) = reader.read_event() {
            match event {
                Event::Start(_) if open.len() == DEEPEST => deeper += 1,
                Event::Start(_) if open.len() == DEEPEST - 1 => open.push(Part::default()),
                Event::Start(tag) => open.push(Part::begun(&tag)),
                Event::Empty(tag) => {
                    if let Some(outer) = open.last_mut() {
                        outer.add(Part::begun(&tag));
                    }
                }
                Event::End(_) if deeper > 0 => deeper -= 1,
                Event::End(_) => {
                    let Some(part) = open.pop() else { break };
                    match open.last_mut() {
                        Some(outer) => outer.add(part),
                        None => return part,
                    }
                }
                Event::Text(words) => add_words(&mut open, &words),
                Event::CData(words) => add_words(&mut open, &words),
                Event::GeneralRef(name) => {
                    let character = entity(&name).map(String::from).unwrap_or_default();
                    add_words(&mut open, &character);
                }
                Event::Eof => break,
                _ => {}
            }
        }
        // Elements that a malformed file left open are kept.
        while open.len() > 1 {
            if let (Some(part), Some(outer)) = (open.pop(), open.last_mut()) {
                outer.add(part);
            }
        }
        open.pop().unwrap_or_default()
    }

    fn begun(tag: &BytesStart<'_>) -> Part {
        let signs = tag.attributes().flatten().map(|attribute| {
            let value = attribute.value.to_string();
            (attribute.key.local_name().as_ref().to_owned(), value)
        });
        Part { name: tag.local_name().as_ref().to_owned(), signs: signs.collect(), ..Part::default() }
    }

    /// Adds a part; Word's property elements (`m:dPr`) become signs of their parent.
    fn add(&mut self, part: Part) {
        if part.name.ends_with("Pr") {
            let said = part.parts.into_iter().filter_map(|part| {
                let value = part.signs.into_iter().find(|(name, _)| name == "val").map(|(_, value)| value);
                Some((part.name, value?))
            });
            self.signs.extend(said);
        } else if !SKIPPED.contains(&part.name.as_str()) {
            self.parts.push(part);
        }
    }

    /// The formula in one line.
    pub(crate) fn line(&self) -> String {
        let mut line = Line::default();
        self.write(&mut line);
        line.text.trim().to_owned()
    }

    fn write(&self, line: &mut Line) {
        match (self.name.as_str(), self.parts.as_slice()) {
            // A fraction without a bar stacks two parts and is not a division.
            ("f", _) if self.sign("type") == Some("noBar") => {
                line.add(&format!("({}; {})", self.of("num"), self.of("den")));
            }
            ("mfrac", [above, below])
                if self.sign("linethickness").is_some_and(|width| width.starts_with('0')) =>
            {
                line.add(&format!("({}; {})", above.line(), below.line()));
            }
            ("f", _) => line.add_built(&fraction(&self.of("num"), &self.of("den"))),
            ("mfrac", [above, below]) => line.add_built(&fraction(&above.line(), &below.line())),
            ("sSup" | "sSub" | "sSubSup" | "sPre", _) => {
                line.add_built(&scripted(&self.of("e"), &self.of("sub"), &self.of("sup")));
            }
            ("limLow", _) => line.add_built(&scripted(&self.of("e"), &self.of("lim"), "")),
            ("limUpp", _) => line.add_built(&scripted(&self.of("e"), "", &self.of("lim"))),
            ("msup" | "mover", [base, above]) => line.add_built(&scripted(&base.line(), "", &above.line())),
            ("msub" | "munder", [base, below]) => line.add_built(&scripted(&base.line(), &below.line(), "")),
            ("msubsup" | "munderover", [base, below, above]) => {
                line.add_built(&scripted(&base.line(), &below.line(), &above.line()));
            }
            ("acc" | "bar" | "groupChr" | "box" | "borderBox", _) => line.add(&self.of("e")),
            ("rad", _) => line.add_built(&root(&self.of("e"), &self.of("deg"))),
            ("msqrt", parts) => line.add_built(&root(&joined(parts), "")),
            ("mroot", [inside, degree]) => line.add_built(&root(&inside.line(), &degree.line())),
            ("nary", _) => {
                let sign = self.sign("chr").unwrap_or("∫");
                line.add(&scripted(sign, &self.of("sub"), &self.of("sup")));
                line.add(" ");
                line.add(&self.of("e"));
            }
            ("func", _) => {
                let (name, of) = (self.of("fName"), grouped(&self.of("e")));
                // A digit after `log_10` must not become part of the base.
                let between = if name.is_empty() || of.is_empty() || of.starts_with('(') { "" } else { " " };
                line.add_built(&format!("{name}{between}{of}"));
            }
            ("d", parts) => {
                line.add(self.sign("begChr").unwrap_or("("));
                let between = self.sign("sepChr").unwrap_or("|");
                let inside: Vec<String> = parts.iter().map(Part::line).collect();
                line.add(&inside.join(between));
                line.add(self.sign("endChr").unwrap_or(")"));
            }
            ("mfenced", parts) => {
                line.add(self.sign("open").unwrap_or("("));
                let inside: Vec<String> = parts.iter().map(Part::line).collect();
                line.add(&inside.join(", "));
                line.add(self.sign("close").unwrap_or(")"));
            }
            // The rows of a matrix or the lines of a system of equations.
            ("m" | "eqArr" | "mtable", rows) => {
                let rows: Vec<String> = rows.iter().map(Part::line).collect();
                line.add(&rows.join("; "));
            }
            ("mr" | "mtr", cells) => {
                let cells: Vec<String> = cells.iter().map(Part::line).collect();
                line.add(&cells.join(", "));
            }
            ("mo", _) => line.add_sign(self.text.trim()),
            (name, parts) => {
                // Whitespace between MathML elements is not part of the formula.
                line.add(if name == "t" { &self.text } else { self.text.trim() });
                parts.iter().for_each(|part| part.write(line));
            }
        }
    }

    /// The children with this name as one line.
    fn of(&self, name: &str) -> String {
        let mut line = Line::default();
        self.parts.iter().filter(|part| part.name == name).for_each(|part| part.write(&mut line));
        line.text.trim().to_owned()
    }

    fn sign(&self, name: &str) -> Option<&str> {
        self.signs.iter().find(|(known, _)| known == name).map(|(_, sign)| sign.as_str())
    }
}

fn add_words(open: &mut [Part], words: &str) {
    if let Some(part) = open.last_mut() {
        part.text.push_str(words);
    }
}

fn joined(parts: &[Part]) -> String {
    let mut line = Line::default();
    parts.iter().for_each(|part| part.write(&mut line));
    line.text.trim().to_owned()
}

fn fraction(above: &str, below: &str) -> String {
    format!("{}/{}", grouped(above), grouped(below))
}

fn root(inside: &str, degree: &str) -> String {
    match degree {
        "" | "2" => format!("√({inside})"),
        "3" => format!("∛({inside})"),
        "4" => format!("∜({inside})"),
        _ => format!("{}^(1/{})", grouped(inside), grouped(degree)),
    }
}

fn scripted(base: &str, below: &str, above: &str) -> String {
    let mark = |mark: &str, script: &str| match script {
        "" => String::new(),
        _ => format!("{mark}{}", grouped(script)),
    };
    format!(
        "{}{}{}",
        if above.is_empty() { base.to_owned() } else { grouped(base) },
        mark("_", below),
        mark("^", above)
    )
}

/// The text in brackets when it is more than one number or word.
fn grouped(text: &str) -> String {
    let inner = text.strip_prefix(['-', '−', '+']).unwrap_or(text);
    let is_one = inner.chars().all(|c| c.is_alphanumeric() || ".,'′∞∑∏∫%".contains(c));
    let is_bracketed = text.starts_with('(') && text.find(')') == Some(text.len() - 1);
    if is_one || is_bracketed { text.to_owned() } else { format!("({text})") }
}

/// A line that separates composed parts from the numbers and words next to them.
#[derive(Default)]
struct Line {
    text: String,
    is_built: bool,
}

impl Line {
    fn add(&mut self, part: &str) {
        if part.is_empty() {
            return;
        }
        if self.is_built && part.starts_with(char::is_alphanumeric) {
            self.text.push(' ');
        }
        self.text.push_str(part);
        self.is_built = false;
    }

    /// Adds an operator; an invisible operator separates its operands as well.
    fn add_sign(&mut self, sign: &str) {
        match sign {
            "\u{2061}" | "\u{2062}" | "\u{2063}" | "\u{2064}" => self.is_built = !self.text.is_empty(),
            _ => self.add(sign),
        }
    }

    fn add_built(&mut self, part: &str) {
        self.text.push_str(parted(&self.text, part));
        self.text.push_str(part);
        self.is_built = true;
    }
}

/// The separator between a text and a formula after it: a space where digits would merge.
pub(crate) fn parted(before: &str, formula: &str) -> &'static str {
    let is_glued = before.ends_with(|c: char| c.is_ascii_alphanumeric())
        && formula.starts_with(|c: char| c.is_ascii_digit());
    if is_glued { " " } else { "" }
}

/// Whether superscript text after this text is a power: `10` and `6`, `m` and `2`. Other superscript digits are
/// footnote marks.
pub(crate) fn is_power(before: &str, raised: &str) -> bool {
    let signs = ['-', '−', '–', '+'];
    let raised = raised.trim();
    let figures = raised.trim_start_matches(signs);
    let is_behind_figure = before.ends_with(|c: char| c.is_ascii_digit() || c == ')');
    // After a digit `0.5` would change the number, and a minus may only begin `−6`.
    let is_part = |c: char| c.is_ascii_digit() || is_behind_figure && matches!(c, '.' | ',');
    let is_figure = figures.starts_with(|c: char| c.is_ascii_digit()) && figures.chars().all(is_part);
    let is_minus = is_behind_figure && matches!(raised, "-" | "−" | "–");
    let word = before.chars().rev().take_while(|c| c.is_alphabetic() && !is_ideographic(*c)).take(4).count();
    is_minus || is_figure && (is_behind_figure || (1..=3).contains(&word))
}

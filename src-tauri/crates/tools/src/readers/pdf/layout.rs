//! Assembles the glyphs of a page into lines and paragraphs in drawing order; lines of Hebrew and Arabic in reading
//! order (`direction`). Not in here: columns and tables that are drawn out of order.

use std::ops::Range;

use hayro_interpret::font::{Glyph, GlyphRun};
use hayro_interpret::hayro_cmap::{BfString, WritingMode};
use hayro_interpret::kurbo::{Affine, BezPath, Point, Vec2};
use hayro_interpret::{BlendMode, ClipPath, Device, DrawMode, DrawProps, Image, ImageDrawProps, SoftMask};

use super::direction::{Letters, PlacedGlyph, in_reading_order, is_raised, is_right_to_left};
use crate::readers::{formula, is_ideographic};

/// Glyph coordinates are in thousandths of the font size.
const UNITS: f64 = 1_000.0;

/// Distances in font sizes: the gap of a space, how far a line may step back or drift, the distance to the next line.
const SPACE: f64 = 0.16;
const STEP_BACK: f64 = 0.8;
const DRIFT: f64 = 0.45;
const PARAGRAPH: f64 = 1.9;

/// A line of East Asian text shorter than this, in characters, was ended by its author and not by wrapping.
const WRAPPED_LINE: usize = 12;

/// Collects the text of one page; text beyond `room` bytes is dropped.
pub(super) struct PageText {
    text: String,
    room: usize,
    line: Option<Line>,
    /// The right-to-left lines, and how many more of them there are than left-to-right lines.
    turned: Vec<RightToLeftLine>,
    leaning: isize,
}

/// A right-to-left line: its range in the text, and the gap that is a space in it.
struct RightToLeftLine {
    place: Range<usize>,
    glyphs: Vec<PlacedGlyph>,
    space: f64,
}

/// The line being written, and where it ended so far.
struct Line {
    start: Point,
    end: Point,
    /// The writing direction as a unit vector.
    along: Vec2,
    size: f64,
    characters: usize,
    /// Whether its characters are stacked vertically, one by one.
    is_stacked: bool,
    /// The start and glyph count of the last run: bold text is often drawn twice.
    run: (Point, usize),
    /// Its glyphs, and where its words begin in the text of the page.
    glyphs: Vec<PlacedGlyph>,
    begins: usize,
    is_right_to_left: bool,
}

impl PageText {
    pub(super) fn new(room: usize) -> PageText {
        PageText { text: String::new(), room, line: None, turned: Vec::new(), leaning: 0 }
    }

    /// The text of the page. Right-to-left lines are ordered by the positions of their glyphs, whatever the drawing
    /// order.
    pub(super) fn into_text(mut self) -> String {
        self.end_line();
        let mut text = String::with_capacity(self.text.len());
        let mut written = 0;
        for line in self.turned {
            text.push_str(&self.text[written..line.place.start]);
            text.push_str(&in_reading_order(line.glyphs, line.space, self.leaning));
            written = line.place.end;
        }
        text.push_str(&self.text[written..]);
        text
    }

    /// Ends the current line.
    fn end_line(&mut self) {
        let Some(line) = self.line.take() else { return };
        let place = line.begins..self.text.len();
        self.leaning += Letters::of(&self.text[place.clone()]).leaning();
        if line.is_right_to_left {
            self.turned.push(RightToLeftLine { place, glyphs: line.glyphs, space: SPACE * line.size });
        }
    }

    fn write(&mut self, words: &str, origin: Point, mut end: Point, size: f64, run: (Point, usize)) {
        let step = end - origin;
        let mut along = if step.hypot() > 0.0 { step / step.hypot() } else { Vec2::new(1.0, 0.0) };
        let is_east_asian = words.chars().next().is_some_and(is_ideographic);
        let turns = words.chars().any(is_right_to_left);
        if let Some(line) = &mut self.line {
            // Some programs place the characters of a vertical line one by one.
            let below = origin - line.start;
            if is_east_asian
                && line.characters == 1
                && below.dot(line.along).abs() < 0.3 * size
                && (0.8..1.3).contains(&(below.hypot() / size))
            {
                line.along = below / below.hypot();
                line.end = line.start + line.along * size;
                line.is_stacked = true;
            }
            if line.is_stacked {
                along = line.along;
                end = origin + along * size;
            }
            let gap = origin - line.end;
            let (ahead, aside) = (gap.dot(line.along), gap.cross(line.along).abs());
            let is_from_right = line.is_right_to_left || turns;
            let is_same_line =
                aside < DRIFT * line.size.max(size) && (ahead > -STEP_BACK * line.size || is_from_right);
            if is_same_line {
                let is_raised = is_raised(size, -gap.cross(line.along), line.size);
                if is_raised && formula::is_power(&self.text[line.begins..], words) {
                    self.text.push('^');
                }
                let is_space = ahead > SPACE * size.max(line.size * 0.5);
                if is_space && !self.text.ends_with(char::is_whitespace) && !words.starts_with(' ') {
                    self.text.push(' ');
                }
            } else {
                let down = (origin - line.start).cross(line.along).abs();
                let is_paragraph = down > PARAGRAPH * line.size.max(size);
                let is_wrapped = is_east_asian
                    && line.characters >= WRAPPED_LINE
                    && self
                        .text
                        .chars()
                        .next_back()
                        .is_some_and(|last| is_ideographic(last) && !is_stop(last));
                self.end_line();
                match (is_paragraph, is_wrapped) {
                    (true, _) => self.text.push_str("\n\n"),
                    (false, true) => {}
                    (false, false) => self.text.push('\n'),
                }
            }
        }
        let begins = self.text.len();
        self.text.push_str(words);
        let begun = Line {
            start: origin,
            end,
            along,
            size,
            characters: 0,
            is_stacked: false,
            run,
            glyphs: Vec::new(),
            begins,
            is_right_to_left: false,
        };
        let line = self.line.get_or_insert(begun);
        let at = (origin - line.start).dot(line.along);
        line.glyphs.push(PlacedGlyph {
            from: at,
            to: at + (end - origin).dot(line.along),
            size,
            above: -(origin - line.start).cross(line.along),
            words: words.to_owned(),
        });
        line.characters += words.chars().count();
        line.is_right_to_left |= turns;
        (line.end, line.along, line.size, line.run) = (end, along, size, run);
    }
}

impl<'a> Device<'a> for PageText {
    fn draw_glyph_run(&mut self, run: &GlyphRun<'_, 'a>, props: DrawProps<'a>, mode: &DrawMode) {
        let glyphs = run.glyphs();
        let Some(first) = glyphs.first() else { return };
        let begin = ((props.transform * first.transform()) * Point::ZERO, glyphs.len());
        let is_outline = matches!(mode, DrawMode::Stroke(_));
        if self.text.len() >= self.room
            || (is_outline && self.line.as_ref().is_some_and(|line| line.run == begin))
        {
            return;
        }
        for glyph in glyphs {
            let place: Affine = props.transform * glyph.transform();
            let origin = place * Point::ZERO;
            let advance = match &**glyph {
                Glyph::Outline(outline) => outline.advance_width(),
                Glyph::Type3(drawn) => drawn.advance_width(),
            };
            let advance = f64::from(advance.unwrap_or(500.0));
            let (end, size) = match run.writing_mode() {
                WritingMode::Horizontal => {
                    (place * Point::new(advance, 0.0), (place * Point::new(0.0, UNITS) - origin).hypot())
                }
                WritingMode::Vertical => {
                    (place * Point::new(0.0, -UNITS), (place * Point::new(UNITS, 0.0) - origin).hypot())
                }
            };
            let is_placed = [origin.x, origin.y, end.x, end.y, size].iter().all(|number| number.is_finite());
            let Some(words) = glyph.as_unicode().filter(|_| is_placed) else { continue };
            match words {
                BfString::Char(character) => {
                    self.write(character.encode_utf8(&mut [0; 4]), origin, end, size, begin)
                }
                BfString::String(words) => self.write(&words, origin, end, size, begin),
            }
        }
    }

    fn draw_path(&mut self, _: &BezPath, _: DrawProps<'a>, _: &DrawMode) {}
    fn push_clip_path(&mut self, _: &ClipPath) {}
    fn push_transparency_group(&mut self, _: f32, _: Option<SoftMask<'a>>, _: BlendMode) {}
    fn draw_image(&mut self, _: Image<'a, '_>, _: ImageDrawProps<'a>) {}
    fn pop_clip(&mut self) {}
    fn pop_transparency_group(&mut self) {}
}

fn is_stop(character: char) -> bool {
    matches!(character, '。' | '！' | '？' | '．')
}

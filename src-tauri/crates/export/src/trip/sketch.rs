//! The drawn map of a trip as plain geometry: to scale, with north at the top, without a background map. The web page
//! and the booklet draw the same one.

use itinerary::EARTH_RADIUS_M;
use kernel::Coordinates;

/// A position in the drawing: x to the right, y downwards.
pub(crate) type Spot = (f64, f64);

/// The size of a drawing, in its own units.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Frame {
    pub(crate) width: f64,
    /// The least and the greatest height; the points determine the height between them.
    pub(crate) heights: (f64, f64),
    /// The radius of a number's disc if there are few.
    pub(crate) radius: f64,
    /// The font size of names.
    pub(crate) letters: f64,
}

/// The drawing.
#[derive(Debug, Clone)]
pub(crate) struct Sketch {
    pub(crate) width: f64,
    pub(crate) height: f64,
    /// The radius of the discs.
    pub(crate) radius: f64,
    /// The discs: the start, then the visits in order.
    pub(crate) marks: Vec<Mark>,
    /// The route through them.
    pub(crate) way: Vec<Spot>,
    /// The length of the scale bar in metres and in the drawing.
    pub(crate) scale_m: u32,
    pub(crate) scale_length: f64,
    /// The left end of the scale bar.
    pub(crate) scale_at: Spot,
}

/// A point on the drawing.
#[derive(Debug, Clone)]
pub(crate) struct Mark {
    /// The position of the point.
    pub(crate) at: Spot,
    /// The position of its disc, moved aside if discs would overlap.
    pub(crate) disc: Spot,
    /// Its name, if there is room for it.
    pub(crate) label: Option<Label>,
}

impl Mark {
    /// Whether its disc is moved aside and needs a line to the point.
    pub(crate) fn is_aside(&self) -> bool {
        (self.at.0 - self.disc.0).hypot(self.at.1 - self.disc.1) > 1.0
    }
}

/// The part of a name at its position. The drawn width of a name is only known when it is rendered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// A name beside its disc.
#[derive(Debug, Clone)]
pub(crate) struct Label {
    pub(crate) text: String,
    /// The position on the base line: its left end, middle or right end.
    pub(crate) at: Spot,
    pub(crate) anchor: Anchor,
}

/// Least width of the drawing in metres: a trip with one point has no extent.
const LEAST_WIDTH_M: f64 = 200.0;
/// Longest name, in full-width letters.
const LONGEST_LABEL: f64 = 11.0;
const ROUNDS: usize = 60;

/// Draws the route through these points; the first is the start. `returns` draws the way back.
pub(crate) fn sketch(points: &[(Coordinates, &str)], returns: bool, frame: Frame) -> Sketch {
    let metres = metres(points);
    // The north arrow is at the top, the scale bar at the bottom.
    let (beside, above) = (frame.radius * 3.0, frame.radius * 4.5);
    let (left, right) = bounds(metres.iter().map(|spot| spot.0));
    let (top, bottom) = bounds(metres.iter().map(|spot| spot.1));
    let inner = frame.width - 2.0 * beside;
    let (least, most) = (frame.heights.0 - 2.0 * above, frame.heights.1 - 2.0 * above);
    let wide = (right - left).max(LEAST_WIDTH_M);
    let metres_a_unit = (wide / inner).max((bottom - top) / most);
    let height = ((bottom - top) / metres_a_unit).clamp(least, most) + 2.0 * above;
    let placed = |spot: &Spot| {
        let x = frame.width / 2.0 + (spot.0 - f64::midpoint(left, right)) / metres_a_unit;
        let y = height / 2.0 + (spot.1 - f64::midpoint(top, bottom)) / metres_a_unit;
        (x, y)
    };
    let spots: Vec<Spot> = metres.iter().map(placed).collect();
    let radius = frame.radius
        * if spots.len() > 120 {
            0.5
        } else if spots.len() > 40 {
            0.75
        } else {
            1.0
        };
    let discs = apart(&spots, radius, (frame.width, height));
    let (scale_m, scale_length) = scale(metres_a_unit, frame.width / 4.0);
    let scale_at = (frame.radius, height - frame.radius);
    let mut way = spots.clone();
    if returns {
        way.extend(spots.first());
    }
    let mut sketch = Sketch {
        width: frame.width,
        height,
        radius,
        marks: Vec::new(),
        way,
        scale_m,
        scale_length,
        scale_at,
    };
    let names: Vec<&str> = points.iter().map(|(_, name)| *name).collect();
    let mut labels = labels(&sketch, &discs, &names, frame.letters);
    let marks = spots.into_iter().zip(discs).enumerate();
    sketch.marks = marks
        .map(|(index, (at, disc))| Mark { at, disc, label: labels.get_mut(index).and_then(Option::take) })
        .collect();
    sketch
}

/// The points in metres east and south of the first, in a plane tangent to the earth at their centre. Longitudes are
/// relative to the first, so that the date line does not matter.
fn metres(points: &[(Coordinates, &str)]) -> Vec<Spot> {
    let first = points.first().map_or(0.0, |(point, _)| point.longitude);
    let (south, north) = bounds(points.iter().map(|(point, _)| point.latitude));
    // At a pole all meridians meet.
    let narrow = f64::midpoint(south, north).to_radians().cos().max(0.01);
    let along = points.iter().map(|(point, _)| {
        let east = (point.longitude - first + 540.0).rem_euclid(360.0) - 180.0;
        (east.to_radians() * EARTH_RADIUS_M * narrow, -point.latitude.to_radians() * EARTH_RADIUS_M)
    });
    along.collect()
}

fn bounds(numbers: impl Iterator<Item = f64>) -> (f64, f64) {
    let (least, most) = numbers.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), number| {
        (least.min(number), most.max(number))
    });
    if least <= most { (least, most) } else { (0.0, 0.0) }
}

/// The discs of these positions, moved apart where they would overlap.
fn apart(spots: &[Spot], radius: f64, (width, height): Spot) -> Vec<Spot> {
    let mut discs = spots.to_vec();
    let distance = radius * 2.15;
    for _ in 0..ROUNDS {
        let mut is_done = true;
        for one in 0..discs.len() {
            for other in one + 1..discs.len() {
                let (across, down) = (discs[other].0 - discs[one].0, discs[other].1 - discs[one].1);
                let between = across.hypot(down);
                if between >= distance {
                    continue;
                }
                is_done = false;
                // Discs at the same position move in directions that depend only on their index.
                let angle = if between > 0.01 { down.atan2(across) } else { other as f64 * 2.4 };
                let push = (distance - between) / 2.0 + 0.05;
                let (x, y) = (angle.cos() * push, angle.sin() * push);
                discs[one] = (discs[one].0 - x, discs[one].1 - y);
                discs[other] = (discs[other].0 + x, discs[other].1 + y);
            }
        }
        for disc in &mut discs {
            let edge = radius * 1.3;
            *disc = (disc.0.clamp(edge, width - edge), disc.1.clamp(edge, height - edge));
        }
        if is_done {
            break;
        }
    }
    discs
}

/// The longest round length that fits.
fn scale(metres_a_unit: f64, longest: f64) -> (u32, f64) {
    let most = metres_a_unit * longest;
    let power = 10.0_f64.powf(most.log10().floor());
    let step = [5.0, 2.0, 1.0].into_iter().find(|step| step * power <= most).unwrap_or(1.0);
    let metres = (step * power).round().max(1.0);
    (metres as u32, metres / metres_a_unit)
}

/// A rectangle: left, top, right, bottom.
type Area = (f64, f64, f64, f64);

fn meet(one: &Area, other: &Area) -> bool {
    one.0 < other.2 && other.0 < one.2 && one.1 < other.3 && other.1 < one.3
}

/// The names that have room beside their discs.
fn labels(sketch: &Sketch, discs: &[Spot], names: &[&str], letters: f64) -> Vec<Option<Label>> {
    let radius = sketch.radius;
    let around = |spot: &Spot| (spot.0 - radius, spot.1 - radius, spot.0 + radius, spot.1 + radius);
    let mut taken: Vec<Area> = discs.iter().map(around).collect();
    let (x, y) = sketch.scale_at;
    taken.push((x, y - letters * 2.0, x + sketch.scale_length, y + letters));
    // The north arrow.
    taken.push((sketch.width - radius * 3.0, 0.0, sketch.width, radius * 4.0));
    let mut labels = Vec::new();
    for (disc, name) in discs.iter().zip(names) {
        let (text, width) = shortened(name, letters);
        let gap = radius + letters * 0.35;
        let middle = disc.1 + letters * 0.35;
        let places = [
            (Anchor::Start, (disc.0 + gap, middle)),
            (Anchor::End, (disc.0 - gap, middle)),
            (Anchor::Middle, (disc.0, disc.1 + gap + letters * 0.85)),
            (Anchor::Middle, (disc.0, disc.1 - gap - letters * 0.1)),
        ];
        let free = places.into_iter().find_map(|(anchor, at)| {
            let left = match anchor {
                Anchor::Start => at.0,
                Anchor::Middle => at.0 - width / 2.0,
                Anchor::End => at.0 - width,
            };
            let area = (left, at.1 - letters, left + width, at.1 + letters * 0.3);
            let is_inside = area.0 >= 4.0
                && area.1 >= 4.0
                && area.2 <= sketch.width - 4.0
                && area.3 <= sketch.height - 4.0;
            let is_free = is_inside && !taken.iter().any(|other| meet(&area, other));
            is_free.then_some((anchor, at, area))
        });
        labels.push(free.filter(|_| !text.is_empty()).map(|(anchor, at, area)| {
            taken.push(area);
            Label { text, at, anchor }
        }));
    }
    labels
}

/// A name cut to the limit, and its width.
fn shortened(name: &str, letters: f64) -> (String, f64) {
    let (mut text, mut width) = (String::new(), 0.0);
    for character in name.chars() {
        let wide = if character >= '\u{1100}' {
            1.0
        } else if character.is_uppercase() {
            0.72
        } else {
            0.57
        };
        if width + wide > LONGEST_LABEL {
            text.push('…');
            return (text, (width + 1.0) * letters);
        }
        text.push(character);
        width += wide;
    }
    (text, width * letters)
}

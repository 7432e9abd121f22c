//! Computes the embedding of a text.

use kitoken::Kitoken;
use ndarray::{Array, Array1, Array2, ArrayView2, Axis, Dimension, Slice, Zip};

use crate::vector::{Embedding, LENGTH};

/// The table of pieces is split into this many parts; a piece is in the part with its number modulo this.
pub(crate) const PARTS: usize = 17;
/// Numbers that a window of pieces produces.
pub(crate) const OF_WINDOW: usize = 256;
/// The size of each window in pieces, and how many of them precede the piece that it belongs to.
pub(crate) const WINDOWS: [(usize, usize); 3] = [(2, 0), (3, 1), (5, 2)];
/// The pieces that begin and end a text.
const BEGIN: u32 = 1;
const END: u32 = 2;
/// Most pieces of a text that are read; its topic is usually at its beginning.
const MOST_PIECES: usize = 512;
/// Most bytes of a text that are split into pieces.
const MOST_BYTES: usize = 16_384;

/// The model in memory, about 90 MB.
pub struct Encoder {
    pub(crate) pieces: Kitoken,
    /// 128 010 × 512 numbers, quantised to a byte each.
    pub(crate) table: Array2<u8>,
    /// The value of a byte in each part: `byte × scale + least`.
    pub(crate) scale: Array1<f32>,
    pub(crate) least: Array1<f32>,
    pub(crate) windows: Vec<Window>,
    pub(crate) norm: Norm,
    /// 1 280 × 512, from the features of each piece to the sum.
    pub(crate) sum: Layer,
    /// The network over the sum: four layers with two skip connections.
    pub(crate) layers: [Array2<f32>; 4],
    pub(crate) around: [Array2<f32>; 2],
}

pub(crate) struct Layer {
    pub(crate) weights: Array2<f32>,
    pub(crate) bias: Array1<f32>,
}

impl Layer {
    fn of(&self, input: ArrayView2<'_, f32>) -> Array2<f32> {
        input.dot(&self.weights) + &self.bias
    }
}

/// Normalises a row to mean 0 and variance 1, then scales and shifts it.
pub(crate) struct Norm {
    pub(crate) stretch: Array1<f32>,
    pub(crate) shift: Array1<f32>,
    pub(crate) least_variance: f32,
}

impl Norm {
    fn apply(&self, rows: &mut Array2<f32>) {
        for mut row in rows.rows_mut() {
            let length = row.len().max(1) as f32;
            let mean = row.sum() / length;
            row -= mean;
            let factor = (row.dot(&row) / length + self.least_variance).sqrt().recip();
            Zip::from(&mut row)
                .and(&self.stretch)
                .and(&self.shift)
                .for_each(|number, stretch, shift| *number = *number * factor * stretch + shift);
        }
    }
}

/// The context of a piece, in windows of one size.
pub(crate) struct Window {
    pub(crate) size: usize,
    pub(crate) before: usize,
    pub(crate) narrowed: Layer,
    pub(crate) norm: Norm,
    pub(crate) first: Layer,
    pub(crate) second: Layer,
}

impl Window {
    fn of(&self, pieces: ArrayView2<'_, f32>) -> Array2<f32> {
        let mut narrowed = self.narrowed.of(pieces);
        self.norm.apply(&mut narrowed);
        let first = self.step(&self.first, &narrowed);
        self.step(&self.second, &first)
    }

    /// Applies a layer to each window, and adds the result to its piece.
    fn step(&self, layer: &Layer, rows: &Array2<f32>) -> Array2<f32> {
        let (count, width) = rows.dim();
        let mut beside = Array2::zeros((count, self.size * width));
        for row in 0..count {
            for place in 0..self.size {
                let Some(at) = (row + place).checked_sub(self.before).filter(|at| *at < count) else {
                    continue;
                };
                let columns = Slice::from(place * width..(place + 1) * width);
                beside.row_mut(row).slice_axis_mut(Axis(0), columns).assign(&rows.row(at));
            }
        }
        positive(layer.of(beside.view())) + rows
    }
}

fn positive<D: Dimension>(mut numbers: Array<f32, D>) -> Array<f32, D> {
    numbers.mapv_inplace(|number| number.max(0.0));
    numbers
}

impl Encoder {
    /// The embedding of a text of any length, from its first 500 pieces; about 0.1 ms per word.
    pub fn encode(&self, text: &str) -> Embedding {
        let known = self.table.nrows();
        let read =
            self.pieces.encode(&text[..text.floor_char_boundary(MOST_BYTES)], false).unwrap_or_default();
        let read = read.into_iter().filter(|piece| (*piece as usize) < known).take(MOST_PIECES);
        let pieces: Vec<u32> = std::iter::once(BEGIN).chain(read).chain([END]).collect();
        let mut table = Array2::<f32>::zeros((pieces.len(), LENGTH));
        for (mut row, piece) in table.rows_mut().into_iter().zip(&pieces) {
            let (piece, part) = (*piece as usize, *piece as usize % PARTS);
            let (scale, least) = (self.scale[part], self.least[part]);
            Zip::from(&mut row).and(self.table.row(piece)).for_each(|number, byte| {
                *number = f32::from(*byte) * scale + least;
            });
        }
        let mut all = Array2::zeros((pieces.len(), LENGTH + WINDOWS.len() * OF_WINDOW));
        all.slice_axis_mut(Axis(1), Slice::from(..LENGTH)).assign(&table);
        for (index, window) in self.windows.iter().enumerate() {
            let at = LENGTH + index * OF_WINDOW;
            let columns = Slice::from(at..at + OF_WINDOW);
            all.slice_axis_mut(Axis(1), columns).assign(&window.of(table.view()));
        }
        self.norm.apply(&mut all);
        let count = pieces.len() as f32;
        let sum = all.sum_axis(Axis(0)).dot(&self.sum.weights) + &self.sum.bias * count;
        self.over(&(sum / count.sqrt()))
    }

    /// Applies the network to the sum.
    fn over(&self, sum: &Array1<f32>) -> Embedding {
        let [into, out, narrow, wide] = &self.layers;
        let [around_first, around_second] = &self.around;
        let first = positive(sum.dot(around_first) + positive(sum.dot(into)).dot(out));
        let second = first.dot(around_second) + positive(first.dot(narrow)).dot(wide);
        let numbers = second.mapv(f32::tanh);
        let length = numbers.dot(&numbers).sqrt().max(f32::MIN_POSITIVE);
        Embedding::new((numbers / length).to_vec())
    }
}

//! The file of the model's weights.

use std::cell::RefCell;
use std::fs::File;
use std::path::Path;

use kitoken::Kitoken;
use ndarray::{Array, Array1, Array2, Axis, Dimension, Ix0, Ix1, Ix2, Slice};
use ndarray_npy::{NpzReader, ReadableElement};

use crate::encoder::{Encoder, Layer, Norm, OF_WINDOW, PARTS, WINDOWS, Window};
use crate::vector::LENGTH;

/// The file of weights: arrays by name.
pub(crate) struct Weights(RefCell<NpzReader<File>>);

impl Weights {
    pub(crate) fn open(path: &Path) -> Result<Weights, String> {
        let file = File::open(path).map_err(|error| error.to_string())?;
        Ok(Weights(NpzReader::new(file).map_err(|error| error.to_string())?.into()))
    }

    fn any<T: ReadableElement, D: Dimension>(&self, name: &str) -> Result<Array<T, D>, String> {
        let read = self.0.borrow_mut().by_name(&format!("{name}.npy"));
        read.map_err(|error| format!("`{name}`: {error}"))
    }

    fn read<T: ReadableElement + Clone, D: Dimension>(
        &self,
        name: &str,
        shape: D,
    ) -> Result<Array<T, D>, String> {
        let read: Array<T, D> = self.any(name)?;
        match read.raw_dim() == shape {
            true => Ok(read.as_standard_layout().into_owned()),
            false => Err(format!("`{name}` has the shape {:?}", read.shape())),
        }
    }

    fn numbers(&self, name: &str, length: usize) -> Result<Array1<f32>, String> {
        self.read(name, Ix1(length))
    }

    fn matrix(&self, name: &str, rows: usize, columns: usize) -> Result<Array2<f32>, String> {
        self.read(name, Ix2(rows, columns))
    }

    fn layer(&self, (weights, bias): (&str, &str), rows: usize, columns: usize) -> Result<Layer, String> {
        Ok(Layer { weights: self.matrix(weights, rows, columns)?, bias: self.numbers(bias, columns)? })
    }

    fn window(&self, (size, before): (usize, usize), least_variance: f32) -> Result<Window, String> {
        let step = |weights: String, bias: String| self.layer((&weights, &bias), size * OF_WINDOW, OF_WINDOW);
        Ok(Window {
            size,
            before,
            narrowed: self.layer((&format!("proj{size}"), &format!("proj_b{size}")), LENGTH, OF_WINDOW)?,
            norm: Norm {
                stretch: self.numbers(&format!("ln_g{size}"), OF_WINDOW)?,
                shift: self.numbers(&format!("ln_b{size}"), OF_WINDOW)?,
                least_variance,
            },
            first: step(format!("w1_{size}"), format!("b1_{size}"))?,
            second: step(format!("w2_{size}"), format!("b2_{size}"))?,
        })
    }

    /// Builds the encoder with these weights.
    ///
    /// # Errors
    /// A message if an array is missing or has another shape.
    pub(crate) fn encoder(self, pieces: Kitoken) -> Result<Encoder, String> {
        let least_variance = self.read::<f64, Ix0>("eps", Ix0())?.sum() as f32;
        let mut table = Array2::<u8>::zeros((0, LENGTH));
        for part in 0..PARTS {
            let read: Array2<u8> = self.any(&format!("q{}", part + 1))?;
            if part == 0 {
                if read.nrows() == 0 {
                    return Err("the table is empty".to_owned());
                }
                table = Array2::zeros((read.nrows() * PARTS, LENGTH));
            }
            let mut rows = table.slice_axis_mut(Axis(0), Slice::new(part as isize, None, PARTS as isize));
            if rows.dim() != read.dim() {
                return Err(format!("part {} of the table has the shape {:?}", part + 1, read.shape()));
            }
            rows.assign(&read);
        }
        let windows = WINDOWS.iter().map(|window| self.window(*window, least_variance));
        let windows: Vec<Window> = windows.collect::<Result<_, _>>()?;
        let all = LENGTH + WINDOWS.len() * OF_WINDOW;
        Ok(Encoder {
            pieces,
            table,
            scale: self.numbers("scale", PARTS)?,
            least: self.numbers("lo", PARTS)?,
            windows,
            norm: Norm {
                stretch: self.numbers("ln_g", all)?,
                shift: self.numbers("ln_b", all)?,
                least_variance,
            },
            sum: self.layer(("cnn_W", "cnn_b"), all, LENGTH)?,
            layers: [
                self.matrix("d0", LENGTH, 320)?,
                self.matrix("d1", 320, 320)?,
                self.matrix("d2", 320, LENGTH)?,
                self.matrix("d3", LENGTH, LENGTH)?,
            ],
            around: [self.matrix("p1", LENGTH, 320)?, self.matrix("p3", 320, LENGTH)?],
        })
    }
}

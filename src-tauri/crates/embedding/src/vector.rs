//! One embedding.

/// Dimensions of an embedding.
pub(crate) const LENGTH: usize = 512;
/// The factor by which a number is stored in a byte; components of a unit vector hardly exceed 0.25.
const SCALE: f32 = 508.0;

/// A unit vector of 512 numbers that represents the meaning of a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Embedding(Vec<f32>);

impl Embedding {
    pub(crate) fn new(numbers: Vec<f32>) -> Embedding {
        Embedding(numbers)
    }

    /// The cosine of the angle between two embeddings: 1 for the same meaning, about 0 for unrelated texts.
    pub fn nearness(&self, other: &Embedding) -> f64 {
        self.0.iter().zip(&other.0).map(|(one, other)| f64::from(one * other)).sum()
    }

    /// The stored form, with one byte per number.
    pub fn to_bytes(&self) -> Vec<u8> {
        let byte = |number: &f32| (number * SCALE).round().clamp(-127.0, 127.0) as i8;
        self.0.iter().map(|number| byte(number).cast_unsigned()).collect()
    }

    /// Parses the output of [`Embedding::to_bytes`]; `None` for invalid bytes.
    pub fn from_bytes(bytes: &[u8]) -> Option<Embedding> {
        let numbers: Vec<f32> = bytes.iter().map(|byte| f32::from(byte.cast_signed()) / SCALE).collect();
        let length = numbers.iter().map(|number| number * number).sum::<f32>().sqrt();
        // Bytes from elsewhere may not be those of a unit vector.
        (bytes.len() == LENGTH && length > 0.0)
            .then(|| Embedding(numbers.iter().map(|number| number / length).collect()))
    }
}

//! One embedding.

/// Numbers of an embedding.
pub(crate) const LENGTH: usize = 512;
/// By how much a number is multiplied to be kept in a byte; those of a unit vector are hardly ever larger than 0.25.
const SCALE: f32 = 508.0;

/// A unit vector of 512 numbers that stands for the meaning of a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Embedding(Vec<f32>);

impl Embedding {
    pub(crate) fn new(numbers: Vec<f32>) -> Embedding {
        Embedding(numbers)
    }

    /// The cosine of the angle between two: 1 for the same meaning, about 0 where they have nothing to do with each other.
    pub fn nearness(&self, other: &Embedding) -> f64 {
        self.0.iter().zip(&other.0).map(|(one, other)| f64::from(one * other)).sum()
    }

    /// A byte a number, to be kept.
    pub fn to_bytes(&self) -> Vec<u8> {
        let byte = |number: &f32| (number * SCALE).round().clamp(-127.0, 127.0) as i8;
        self.0.iter().map(|number| byte(number).cast_unsigned()).collect()
    }

    /// What [`Embedding::to_bytes`] gave; none for what cannot be one.
    pub fn from_bytes(bytes: &[u8]) -> Option<Embedding> {
        let numbers: Vec<f32> = bytes.iter().map(|byte| f32::from(byte.cast_signed()) / SCALE).collect();
        let length = numbers.iter().map(|number| number * number).sum::<f32>().sqrt();
        // Bytes from elsewhere need not be those of a unit vector.
        (bytes.len() == LENGTH && length > 0.0)
            .then(|| Embedding(numbers.iter().map(|number| number / length).collect()))
    }
}

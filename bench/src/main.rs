//! The whole-program benchmark.
fn main() {}

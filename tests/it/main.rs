//! Behaviour at the border.
mod laws;
mod outcomes;
mod tidy;

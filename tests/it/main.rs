//! Behaviour at the border.
mod outcomes;
mod tidy;

//! Behaviour at the border.
mod tidy;

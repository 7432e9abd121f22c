//! Behaviour at the border.

//! The person's library.

pub(crate) mod import;

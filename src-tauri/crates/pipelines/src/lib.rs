//! L3: one file or folder per pipeline.

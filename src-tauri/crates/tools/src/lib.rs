//! L2: one file per tool, and the readers of the library's files.

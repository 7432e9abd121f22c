//! L2: SQLite: the log, the library index, sessions; one file per table.

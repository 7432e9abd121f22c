//! L2: what leaves the program: Markdown and JSON.

//! L2: providers, one file each over the client library.

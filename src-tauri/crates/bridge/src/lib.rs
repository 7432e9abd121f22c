//! L5: the same API over HTTP on 127.0.0.1 with a token, for browsers and tests; never in a release.

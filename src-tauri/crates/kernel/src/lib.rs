//! L0: the words of the engine: events, state, keys, contracts, outlines, codes.

//! What tests and benchmarks stand on: a loopback model server that follows and checks the wire contract.

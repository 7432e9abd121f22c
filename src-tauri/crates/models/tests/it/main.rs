//! Tests of the providers against a server with the faults that were seen in practice.

#[cfg(test)]
mod answers;
#[cfg(test)]
mod dialects;
#[cfg(test)]
mod ends;
#[cfg(test)]
mod errors;
#[cfg(test)]
mod lenient_servers;
#[cfg(test)]
mod protocols;
#[cfg(test)]
mod refusals;
#[cfg(test)]
mod samples;
#[cfg(test)]
mod server;
#[cfg(test)]
mod silence;

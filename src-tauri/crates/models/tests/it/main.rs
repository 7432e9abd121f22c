//! The providers against a server that misbehaves in every way seen in the wild.

#[cfg(test)]
mod answers;
#[cfg(test)]
mod asking;
#[cfg(test)]
mod dialects;
#[cfg(test)]
mod ends;
#[cfg(test)]
mod faults;
#[cfg(test)]
mod lenient;
#[cfg(test)]
mod protocols;
#[cfg(test)]
mod refused;
#[cfg(test)]
mod server;
#[cfg(test)]
mod silence;

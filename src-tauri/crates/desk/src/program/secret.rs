//! Secrets between a host and who asks it.

/// A secret that nobody can guess, of 64 hexadecimal digits.
pub fn new_secret() -> String {
    // An id of version 4 holds 122 bits of the system's source of randomness, and no time that could be known.
    let part = || uuid::Uuid::new_v4().simple().to_string();
    part() + &part()
}

/// Whether a given secret is the right one. Compared to the end, so that the time tells nothing about where two part.
pub fn is_same_secret(given: &str, secret: &str) -> bool {
    given.len() == secret.len() && given.bytes().zip(secret.bytes()).fold(0, |sum, (a, b)| sum | (a ^ b)) == 0
}

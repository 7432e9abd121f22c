//! Secrets between a host and who asks it.

/// A secret that nobody can guess, of 64 hexadecimal digits.
pub fn new_secret() -> String {
    // An id of version 7 holds 74 random bits; two hold more than anybody can guess.
    let part = || engine::new_id().simple().to_string();
    part() + &part()
}

/// Whether a given secret is the right one. Compared to the end, so that the time tells nothing about where two part.
pub fn is_same_secret(given: &str, secret: &str) -> bool {
    given.len() == secret.len() && given.bytes().zip(secret.bytes()).fold(0, |sum, (a, b)| sum | (a ^ b)) == 0
}

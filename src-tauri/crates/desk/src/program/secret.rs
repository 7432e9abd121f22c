//! Secrets between a host and its clients.

/// A random secret of 64 hexadecimal digits.
pub fn new_secret() -> String {
    // An id of version 4 has 122 bits of the system's randomness, and contains no time.
    let part = || uuid::Uuid::new_v4().simple().to_string();
    part() + &part()
}

/// Compares a given secret in constant time.
pub fn is_same_secret(given: &str, secret: &str) -> bool {
    given.len() == secret.len() && given.bytes().zip(secret.bytes()).fold(0, |sum, (a, b)| sum | (a ^ b)) == 0
}

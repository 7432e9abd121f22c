//! The interface to the exports, which lay out the files of planned trips.

use itinerary::TripPlan;
use jiff::Timestamp;
use kernel::Error;

/// Creates the files of planned trips.
pub trait TripFiles: Send + Sync + 'static {
    /// Returns the trip of this session in the format with this id, and its file extension without the dot. The file is
    /// dated `changed_at`, so that the same trip gives the same file. Blocks.
    ///
    /// # Errors
    /// `bad_input` when a point of the trip has invalid coordinates; `internal` when rendering fails.
    fn make(
        &self,
        plan: &TripPlan,
        session: &str,
        changed_at: Timestamp,
        format: &str,
    ) -> Result<(Vec<u8>, &'static str), Error>;
}

//! Files of planned trips for tools, as exports make them.

use itinerary::TripPlan;
use jiff::Timestamp;
use kernel::{Code, Error, phrase};
use tools::trips::TripFiles;

/// The formats of exports.
pub(crate) struct ExportedTrips;

impl TripFiles for ExportedTrips {
    fn make(
        &self,
        plan: &TripPlan,
        session: &str,
        changed_at: Timestamp,
        format: &str,
    ) -> Result<(Vec<u8>, &'static str), Error> {
        let Some(format) = export::format(format) else {
            return Err(Error::new(Code::Internal, phrase!("There is no format `{format}`", format)));
        };
        Ok((export::trip_in_format(plan, session, changed_at, format)?, format.extension))
    }
}

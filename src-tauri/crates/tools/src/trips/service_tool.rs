//! The tool around every trip service, with the common handling of settings, key and title. Not in here: the protocol
//! of any service.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use engine::{Access, TOOL_TIMEOUT, Tool, ToolContext, ToolExample, ToolOutput, Typed, TypedTool};
use jiff::tz::TimeZone;
use kernel::{CredentialRoute, Error, Phrase, phrase};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::{
    PLACE_DETAILS, POINT_SEARCH, PlaceDetails, PlaceDetailsRequest, PointRequest, Points, ROUTING, Routes,
    RoutingRequest, STATION_SEARCH, StationRequest, Stations, TITLE_SEARCH, TitleRequest, Titles, WEATHER,
    WeatherForecast, WeatherRequest,
};
use crate::offered_tool::{KeyNeed, OfferedTool, ServiceDescription, ToolParts};
use crate::web::refusal::Wish;
use crate::web::service_client::{Caller, Service};

/// The time limit of several requests in sequence.
const MANY_WITHIN: Duration = Duration::from_secs(180);

/// The input of a kind of slot.
pub(super) trait Question: DeserializeOwned + JsonSchema + Send + Sync + 'static {
    /// The output.
    type Answer: Serialize + JsonSchema + Send + 'static;
    /// The kind of slot.
    const SLOT: &'static str;
    /// The time limit of an answer.
    const WITHIN: Duration = TOOL_TIMEOUT;
    /// An example input for trying the service.
    fn example() -> Value;
    /// A field that every output has.
    const ANSWER_FIELD: &'static str;
    /// The title of the call for the journal.
    fn title(&self, service: &str) -> Phrase;
    /// A short summary of the output.
    fn summary(&self, answer: &Self::Answer) -> Phrase;
}

/// The protocol of one service.
#[async_trait]
pub(super) trait TripService: Send + Sync + 'static {
    /// The kind of slot.
    type Question: Question;
    /// Its description for forms.
    const ABOUT: OfferedTool;
    /// Answers the question. An empty result is not an error.
    async fn answer(
        &self,
        question: &Self::Question,
        caller: &Caller<'_>,
    ) -> Result<<Self::Question as Question>::Answer, Error>;
}

/// A service as a tool.
pub(super) struct ServiceTool<S> {
    parts: ToolParts,
    service: S,
}

impl<S: TripService> ServiceTool<S> {
    pub(super) fn tool(parts: &ToolParts, service: S) -> Arc<dyn Tool> {
        Arc::new(Typed(ServiceTool { parts: parts.clone(), service }))
    }
}

/// The positions of Matsumoto's station and castle.
const MATSUMOTO: [(f64, f64); 2] = [(36.2306, 137.9645), (36.2387, 137.9689)];

fn matsumoto() -> [Value; 2] {
    MATSUMOTO.map(|(latitude, longitude)| json!({"latitude": latitude, "longitude": longitude}))
}

/// A client of the service for its open data.
pub(super) async fn open_data(caller: &Caller<'_>, about: &ServiceDescription) -> Result<Service, Error> {
    caller.service(about, Wish::data(KeyNeed::None)).await
}

#[async_trait]
impl<S: TripService> TypedTool for ServiceTool<S> {
    type Input = S::Question;
    type Output = <S::Question as Question>::Answer;
    const NAME: &'static str = S::ABOUT.tool;
    const DESCRIPTION: &'static str = S::ABOUT.purpose.0;
    const SLOTS: &'static [&'static str] = &[<S::Question as Question>::SLOT];

    fn access(&self, _: &S::Question) -> Access {
        Access::looks_at_web()
    }

    fn title(&self, input: &S::Question) -> Phrase {
        input.title(S::ABOUT.title)
    }

    fn timeout(&self) -> Duration {
        S::Question::WITHIN
    }

    /// No examples of results: only their shape is known.
    fn examples(&self) -> Vec<ToolExample> {
        let (input, output_contains) = (S::Question::example(), S::Question::ANSWER_FIELD);
        vec![ToolExample { title: "a trial", input, output_contains }]
    }

    fn credential_route(&self, profile: Option<&str>) -> Option<CredentialRoute> {
        let service = S::ABOUT.services.first().filter(|_| S::ABOUT.key != KeyNeed::None)?;
        let key = self.parts.services.key_of(service.name, profile)?;
        Some(CredentialRoute { profile: key.profile, fallback: key.fallback, model: None })
    }

    async fn call(
        &self,
        input: S::Question,
        context: &ToolContext,
    ) -> Result<ToolOutput<<S::Question as Question>::Answer>, Error> {
        let answer = self.service.answer(&input, &Caller { parts: &self.parts, context }).await?;
        let summary = input.summary(&answer);
        Ok(ToolOutput::new(answer, summary))
    }
}

impl Question for TitleRequest {
    type Answer = Titles;
    const SLOT: &'static str = TITLE_SEARCH;
    const ANSWER_FIELD: &'static str = "\"candidates\":";

    fn example() -> Value {
        json!({"keyword": "君の名は。"})
    }

    fn title(&self, service: &str) -> Phrase {
        phrase!("looked for the title “{title}” at {service}", title = self.keyword.as_str(), service)
    }

    fn summary(&self, answer: &Titles) -> Phrase {
        phrase!("{n} titles", n = answer.candidates.len())
    }
}

impl Question for StationRequest {
    type Answer = Stations;
    const SLOT: &'static str = STATION_SEARCH;
    const ANSWER_FIELD: &'static str = "\"stations\":";

    fn example() -> Value {
        json!({"station_name": "松本", "radius_km": 5.0})
    }

    fn title(&self, service: &str) -> Phrase {
        phrase!("looked for the station “{name}” at {service}", name = self.station_name.as_str(), service)
    }

    fn summary(&self, answer: &Stations) -> Phrase {
        phrase!("{n} stations", n = answer.stations.len())
    }
}

impl Question for PointRequest {
    type Answer = Points;
    const SLOT: &'static str = POINT_SEARCH;
    const ANSWER_FIELD: &'static str = "\"points\":";

    fn example() -> Value {
        json!({"title_id": 160_209, "coordinates": matsumoto()[0], "radius_km": 5.0})
    }

    fn title(&self, service: &str) -> Phrase {
        phrase!("looked for points within {radius} km at {service}", radius = self.radius_km, service)
    }

    fn summary(&self, answer: &Points) -> Phrase {
        phrase!("{n} of {total} points", n = answer.points.len(), total = answer.total)
    }
}

impl Question for PlaceDetailsRequest {
    type Answer = PlaceDetails;
    const SLOT: &'static str = PLACE_DETAILS;
    const WITHIN: Duration = MANY_WITHIN;
    const ANSWER_FIELD: &'static str = "\"details\":";

    fn example() -> Value {
        let [around, castle] = matsumoto();
        json!({"points": [{"id": "castle", "name": "松本城", "coordinates": castle}], "around": around})
    }

    fn title(&self, service: &str) -> Phrase {
        phrase!("asked {service} for the details of points", service)
    }

    fn summary(&self, answer: &PlaceDetails) -> Phrase {
        phrase!("details of {n} points", n = answer.details.len())
    }
}

impl Question for WeatherRequest {
    type Answer = WeatherForecast;
    const SLOT: &'static str = WEATHER;
    const ANSWER_FIELD: &'static str = "\"condition\":";

    fn example() -> Value {
        let day = engine::now().to_zoned(TimeZone::UTC).date();
        json!({"coordinates": matsumoto()[0], "date": day.to_string()})
    }

    fn title(&self, service: &str) -> Phrase {
        phrase!("asked {service} for the weather of {day}", service, day = self.date.as_str())
    }

    fn summary(&self, _: &WeatherForecast) -> Phrase {
        phrase!("the weather of {day}", day = self.date.as_str())
    }
}

impl Question for RoutingRequest {
    type Answer = Routes;
    const SLOT: &'static str = ROUTING;
    const WITHIN: Duration = MANY_WITHIN;
    const ANSWER_FIELD: &'static str = "\"legs\":";

    fn example() -> Value {
        json!({"points": matsumoto(), "mode": "walking", "in_order": true})
    }

    fn title(&self, service: &str) -> Phrase {
        phrase!("asked {service} for the ways between {n} points", service, n = self.points.len())
    }

    fn summary(&self, answer: &Routes) -> Phrase {
        phrase!("{n} ways", n = answer.legs.len())
    }
}

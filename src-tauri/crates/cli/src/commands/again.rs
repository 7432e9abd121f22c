//! `galley again`: runs a pipeline again with the request of an earlier run, and shows the run to its end.

use std::path::PathBuf;

use desk::ApiError;
use desk::api::{AgentSettings, ReadRequest, StartRun};

use crate::arguments::Again;
use crate::desk_client::ask;
use crate::option_values;
use crate::run_session::RunSession;

/// `galley again`.
pub(crate) async fn again(data_dir: Option<PathBuf>, asked: Again) -> Result<u8, ApiError> {
    let settings = option_values::run_settings(&asked.changes, &asked.bounds.limit)?;
    let inputs = option_values::inputs(&asked.input)?;
    let tools = option_values::tools(&asked.tool, None, &[])?;
    let fallback = option_values::on_failure(asked.on_failure)?;
    let mut session = RunSession::begin(data_dir, asked.interaction).await?;
    let mut request: StartRun =
        ask(&session.desk, "read_request", ReadRequest { run: asked.run, inputs }).await?;
    if asked.profile.is_some() {
        request.profile = asked.profile;
        // Each model belongs to its profile, so another profile needs other models.
        for own in request.agents.values_mut() {
            (own.profile, own.model) = (None, None);
        }
    }
    for (agent, changed) in settings.agents {
        let own = request.agents.entry(agent).or_default();
        let AgentSettings { instruction, profile, model, temperature, limits } = changed;
        own.model = match &profile {
            Some(_) => model,
            None => model.or(own.model.take()),
        };
        own.profile = profile.or(own.profile.take());
        own.instruction = instruction.or(own.instruction.take());
        own.temperature = temperature.or(own.temperature);
        own.limits.extend(limits);
    }
    if settings.temperature.is_some() {
        request.temperature = settings.temperature;
        request.agents.values_mut().for_each(|own| own.temperature = None);
    }
    request.limits.extend(settings.limits);
    request.tools.extend(tools);
    request.as_of = asked.as_of.or(request.as_of);
    request.session = asked.session.or(request.session);
    request.allow = asked.bounds.allow;
    request.fallback = fallback.or(request.fallback);
    let pipeline = request.pipeline.clone();
    let handle = session.start(request).await?;
    session.show(&handle, &pipeline, 1, 1).await
}

//! What a schedule settles when it is saved: profiles, models, limits, tools. A later change of the settings does not
//! change what its runs may do.

use std::collections::{BTreeMap, BTreeSet};

use kernel::{Code, Definition, LimitName, phrase};

use crate::ApiError;
use crate::accounts::profile_card::find;
use crate::api::StartRun;
use crate::schedules::ScheduleService;
use crate::schedules::setup::{PinnedProfile, Setup};

impl ScheduleService {
    /// The request with everything settled that the settings decide at present, and the profiles that its runs may ask.
    ///
    /// # Errors
    /// `bad_input` where the run could not be started.
    pub(crate) async fn settled(
        &self,
        mut request: StartRun,
        fallback_profiles: &[String],
    ) -> Result<(StartRun, BTreeMap<String, PinnedProfile>), ApiError> {
        request.profile = Some(self.runs.chosen_profile(&request)?);
        self.runs.prepare_foreign_tools(&*self.runs.pipelines.get(&request.pipeline)?).await?;
        let definition = self.runs.prepare(&request).await?.definition;
        let pipeline = self.runs.pipelines.get(&request.pipeline)?;
        let names: BTreeSet<&str> = crate::runs::agents::names(&pipeline).into_iter().collect();
        for (name, agent) in definition.agents.iter().filter(|(name, _)| names.contains(name.as_str())) {
            let own = request.agents.entry(name.clone()).or_default();
            own.profile = Some(agent.profile.clone());
            own.model = Some(agent.model.clone());
        }
        settle_limits(&mut request, &definition);
        request.allow = definition.allowed_tools.iter().map(ToString::to_string).collect();
        request.fallback = Some(definition.on_failure);
        request.decide_issues = Some(definition.decides_issues);
        request.tools = definition.tools;
        let asked = definition.agents.into_values().map(|agent| agent.profile);
        let names = asked.chain(request.profile.clone()).chain(fallback_profiles.iter().cloned());
        let profiles = names.map(|name| Ok((name.clone(), PinnedProfile::of(find(&self.settings, &name)?))));
        Ok((request, profiles.collect::<Result<_, ApiError>>()?))
    }

    /// Refuses to start where a profile is gone, or goes elsewhere than when the schedule was saved.
    pub(crate) fn check_profiles(&self, setup: &Setup) -> Result<(), ApiError> {
        for (name, pinned) in &setup.profiles {
            if PinnedProfile::of(find(&self.settings, name)?) != *pinned {
                let message = phrase!(
                    "Profile `{name}` asks another provider or address than when the schedule was saved. Save the schedule again if that is meant",
                    name
                );
                return Err(ApiError::new(Code::BadInput, message));
            }
        }
        Ok(())
    }
}

/// Settles all limits but the time, which follows from the measured speed of a local server unless it was given.
fn settle_limits(request: &mut StartRun, definition: &Definition) {
    for name in LimitName::ALL.into_iter().filter(|name| *name != LimitName::MaxExecutionTimeS) {
        request.limits.insert(name, definition.limits.get(name));
    }
}

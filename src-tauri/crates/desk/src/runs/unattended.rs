//! Starts runs that nobody watches: what is settled beforehand decides, and nobody is asked.
//!
//! A call that needs a permission which is not settled is refused, and the refusal is recorded. Another question takes
//! its default, except where the run was told to stop there: that waits for the person.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use engine::{
    Access, Permissions, RunHandle, StandingRules, Tool, ToolContext, ToolDescription, ToolDirectory,
    ToolExample, UserAnswer, UserPrompt, World,
};
use kernel::{
    CredentialRoute, Definition, Phrase, Question, QuestionKind, Rule, RunId, Seq, ToolResult, Value,
};
use serde_json::Value as Json;
use tokio::sync::watch;

use crate::ApiError;
use crate::api::StartRun;
use crate::runs::RunService;

impl RunService {
    /// Starts a run with what its request settles. Of the fallbacks of profiles only these stand in.
    ///
    /// # Errors
    /// As [`RunService::start`].
    pub(crate) async fn start_unattended(
        &self,
        request: StartRun,
        fallback_profiles: &[String],
    ) -> Result<RunHandle, ApiError> {
        let world = World {
            user_prompt: Arc::new(NobodyThere),
            permissions: Arc::new(SettledRules(self.world.permissions.clone())),
            tools: Arc::new(PinnedTools {
                tools: self.world.tools.clone(),
                fallback_profiles: fallback_profiles.into(),
            }),
            disk_patience: Some(self.settings.disk_wait()?),
            ..self.world.clone()
        };
        let pin = |definition: &mut Definition| {
            for agent in definition.agents.values_mut() {
                agent.fallbacks.retain(|other| fallback_profiles.contains(&other.profile));
            }
        };
        self.start_in(world, request, pin).await
    }
}

/// Answers the questions of a run that nobody watches.
struct NobodyThere;

#[async_trait]
impl UserPrompt for NobodyThere {
    fn is_present(&self) -> bool {
        false
    }

    async fn ask(&self, _: &RunId, _: Seq, question: &Question) -> UserAnswer {
        match question.kind {
            QuestionKind::Permission { .. } | QuestionKind::Gate { .. } => UserAnswer::NobodyThere,
            _ if question.default.is_empty() => UserAnswer::NobodyThere,
            _ => UserAnswer::Chosen(Value::text(&question.default)),
        }
    }
}

/// The rules of the settings that forbid. Those that allow may be newer than what the person settled for the run.
struct SettledRules(Arc<dyn Permissions>);

impl Permissions for SettledRules {
    fn rules(&self) -> StandingRules {
        StandingRules { always: Vec::new(), ..self.0.rules() }
    }

    fn used(&self, rule: &Rule) {
        self.0.used(rule);
    }
}

/// The tools, whose calls go over to no other profile than these.
struct PinnedTools {
    tools: Arc<dyn ToolDirectory>,
    fallback_profiles: Arc<[String]>,
}

impl PinnedTools {
    fn pinned(&self, tool: Arc<dyn Tool>) -> Arc<dyn Tool> {
        Arc::new(PinnedTool { tool, fallback_profiles: self.fallback_profiles.clone() })
    }
}

impl ToolDirectory for PinnedTools {
    fn tools(&self) -> Vec<Arc<dyn Tool>> {
        self.tools.tools().into_iter().map(|tool| self.pinned(tool)).collect()
    }

    fn tool(&self, name: &str) -> Option<Arc<dyn Tool>> {
        self.tools.tool(name).map(|tool| self.pinned(tool))
    }

    fn changes(&self) -> watch::Receiver<()> {
        self.tools.changes()
    }
}

struct PinnedTool {
    tool: Arc<dyn Tool>,
    fallback_profiles: Arc<[String]>,
}

#[async_trait]
impl Tool for PinnedTool {
    fn describe(&self) -> ToolDescription {
        self.tool.describe()
    }

    fn slots(&self) -> Vec<String> {
        self.tool.slots()
    }

    fn access(&self, input: &Json) -> Access {
        self.tool.access(input)
    }

    fn title(&self, input: &Json) -> Phrase {
        self.tool.title(input)
    }

    fn intent(&self, input: &Json) -> Phrase {
        self.tool.intent(input)
    }

    fn timeout(&self) -> Duration {
        self.tool.timeout()
    }

    fn uses_folder(&self) -> bool {
        self.tool.uses_folder()
    }

    fn examples(&self) -> Vec<ToolExample> {
        self.tool.examples()
    }

    fn credential_route(&self, profile: Option<&str>) -> Option<CredentialRoute> {
        let route = self.tool.credential_route(profile)?;
        let fallback = route.fallback.filter(|other| self.fallback_profiles.contains(other));
        Some(CredentialRoute { fallback, ..route })
    }

    async fn call(&self, input: &Json, context: &ToolContext) -> Result<ToolResult, ApiError> {
        self.tool.call(input, context).await
    }
}

//! Models and tools that add the cost to their answers.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use engine::{Access, Model, TextSink, Tool, ToolContext, ToolDescription, ToolExample};
use kernel::{AskedModel, CredentialRoute, ModelReply, ModelRequest, Phrase, TokenUsage, ToolResult};
use serde_json::Value;

use crate::ApiError;
use crate::accounts::prices::PriceList;

/// A model that adds the cost to its answers, and records its host as contacted.
pub(crate) struct Priced {
    pub(crate) model: Arc<dyn Model>,
    pub(crate) provider: String,
    /// The address of the model, for the list of hosts.
    pub(crate) address: Option<net::Url>,
    pub(crate) prices: Arc<PriceList>,
}

#[async_trait]
impl Model for Priced {
    async fn answer(&self, request: &ModelRequest, sink: &TextSink) -> Result<ModelReply, ApiError> {
        if let Some(address) = &self.address {
            net::note_contact(address);
        }
        let prices = self.prices.current();
        let (known, provider, model) = (prices.clone(), self.provider.clone(), request.model.clone());
        sink.meter().price(move |tokens, searches| known.cost_of(&provider, &model, tokens, searches));
        let reply = self.model.answer(request, sink).await?;
        // Without reported usage the cost is unknown, whatever the table says.
        let is_counted = reply.usage != TokenUsage::default();
        let of = |model: &str| prices.cost(&self.provider, model, reply.usage);
        let cost = is_counted.then(|| of(&reply.model).or_else(|| of(&request.model))).flatten();
        Ok(ModelReply { cost, ..reply })
    }
}

/// A tool that adds the cost of its model calls.
pub(crate) struct PricedTool {
    pub(crate) tool: Arc<dyn Tool>,
    pub(crate) prices: Arc<PriceList>,
}

#[async_trait]
impl Tool for PricedTool {
    fn describe(&self) -> ToolDescription {
        self.tool.describe()
    }

    fn slots(&self) -> Vec<String> {
        self.tool.slots()
    }

    fn access(&self, input: &Value) -> Access {
        self.tool.access(input)
    }

    fn title(&self, input: &Value) -> Phrase {
        self.tool.title(input)
    }

    fn intent(&self, input: &Value) -> Phrase {
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
        self.tool.credential_route(profile)
    }

    async fn call(&self, input: &Value, context: &ToolContext) -> Result<ToolResult, ApiError> {
        let asked = self.tool.credential_route(context.profile.as_deref()).and_then(|route| route.model);
        if let Some(AskedModel { provider, name }) = asked {
            let prices = self.prices.current();
            context.meter.price(move |tokens, searches| prices.cost_of(&provider, &name, tokens, searches));
        }
        self.tool.call(input, context).await
    }
}

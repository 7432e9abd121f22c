//! The user's settings of an external service. Where they and its key are stored is decided by the application.

use async_trait::async_trait;
use kernel::Error;
use secrecy::SecretString;

/// The settings of one service; empty texts where nothing is set.
#[derive(Debug, Clone, Default)]
pub struct ServiceSettings {
    /// Replaces the default base URL.
    pub base_url: String,
    /// Its key, if it has one.
    pub key: Option<SecretString>,
    /// The model, for services that use one.
    pub model: String,
    /// The search engine, for services with several.
    pub engine: String,
    /// Whether the user enabled a service that is disabled by default.
    pub is_enabled: bool,
}

/// The credentials of a service.
#[derive(Debug, Clone, Default)]
pub struct ServiceKey {
    /// The profile; `services.NAME` for the service's own key.
    pub profile: String,
    /// The fallback profile.
    pub fallback: Option<String>,
    /// The model to use; empty for the default one.
    pub model: String,
}

/// Provides the current settings of services.
#[async_trait]
pub trait Services: Send + Sync + 'static {
    /// The settings of this service, with the key of the given profile instead of its own; the key is read only now.
    ///
    /// # Errors
    /// When the configured key is not available.
    async fn service(&self, name: &str, profile: Option<&str>) -> Result<ServiceSettings, Error>;

    /// The credentials of this service, or of the given profile; reads no key. `None` without a key.
    fn key_of(&self, name: &str, profile: Option<&str>) -> Option<ServiceKey>;

    /// Base URLs that pages and feeds may lead to although they are not public.
    ///
    /// # Errors
    /// When the settings cannot be read.
    fn allowed(&self) -> Result<Vec<String>, Error>;

    /// The contact address, an e-mail address or a URL; empty if none is set.
    ///
    /// # Errors
    /// When the settings cannot be read.
    fn contact(&self) -> Result<String, Error>;
}

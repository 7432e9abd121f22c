//! What a person set for an outside service. Who keeps it, and where its key comes from, is decided above.

use async_trait::async_trait;
use kernel::Error;
use secrecy::SecretString;

/// What is set for one service; empty texts where nothing is.
#[derive(Debug, Clone, Default)]
pub struct ServiceSettings {
    /// In place of its usual base URL.
    pub base_url: String,
    /// Its key, if there is one.
    pub key: Option<SecretString>,
    /// The model it uses, where it uses one.
    pub model: String,
    /// The engine it searches with, where there are several.
    pub engine: String,
    /// Whether it was switched on, for services that are off unless they are.
    pub is_enabled: bool,
}

/// Whose key a service is asked with.
#[derive(Debug, Clone, Default)]
pub struct ServiceKey {
    /// The profile; `services.NAME` where the key is the service's own.
    pub profile: String,
    /// The profile that stands in for it.
    pub fallback: Option<String>,
    /// The model that the service is asked to use; empty for its usual one.
    pub model: String,
}

/// The settings of services, as they are when they are asked for.
#[async_trait]
pub trait Services: Send + Sync + 'static {
    /// The settings of this service, with the key of this profile instead of its own when one is given; the key is read
    /// now and no earlier.
    ///
    /// # Errors
    /// When a key is named that is not to be had.
    async fn service(&self, name: &str, profile: Option<&str>) -> Result<ServiceSettings, Error>;

    /// Whose key it is asked with, of this profile when one is given; reads no key. Nothing when it has none.
    fn key_of(&self, name: &str, profile: Option<&str>) -> Option<ServiceKey>;

    /// Base URLs that pages and feeds may lead to although they are not public.
    ///
    /// # Errors
    /// When the settings cannot be read.
    fn allowed(&self) -> Result<Vec<String>, Error>;

    /// The contact address, an e-mail address or a URL; empty where the person gave none.
    ///
    /// # Errors
    /// When the settings cannot be read.
    fn contact(&self) -> Result<String, Error>;
}

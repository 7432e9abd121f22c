//! The local browser for pages that need scripts, unless the person turned it off.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use browser::Browser;
use kernel::{Code, phrase};
use net::{Net, Url};
use tools::PageBrowser;

use crate::ApiError;
use crate::settings::{BROWSER, Settings};

/// The browser of the settings. It is looked up for each page, because it may be installed in the meantime.
pub(crate) struct SettingsBrowser(pub(crate) Arc<Settings>);

#[async_trait]
impl PageBrowser for SettingsBrowser {
    async fn open(&self, net: &Net, page: &Url) -> Result<Vec<u8>, ApiError> {
        if self.0.get(BROWSER)? != "true" {
            let message =
                phrase!("The browser is switched off; switch it on: `galley config set net.browser true`");
            return Err(ApiError::new(Code::ToolFailed, message));
        }
        Ok(Browser::find()?.read(net, page).await?.html)
    }

    fn longest(&self) -> Duration {
        browser::WITHIN
    }
}

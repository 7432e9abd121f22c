//! `galley config`: reads or writes a setting.

use std::path::PathBuf;

use desk::ApiError;
use desk::api::{Setting, SettingInForce};

use crate::arguments::Config;
use crate::desk_client::{ask, open};
use crate::{option_values, output};

/// `galley config`.
pub(crate) async fn config(data_dir: Option<PathBuf>, asked: Config) -> Result<u8, ApiError> {
    match asked {
        Config::Get { key } => {
            let request = Setting { key, value: String::new() };
            let setting: SettingInForce = ask(&open(data_dir).await?, "get_setting", request).await?;
            output::write_text(&setting.value)?;
        }
        Config::Set { key, value } => {
            let request = Setting { key, value: option_values::value(&value)? };
            let _: SettingInForce = ask(&open(data_dir).await?, "set_setting", request).await?;
        }
    }
    Ok(0)
}

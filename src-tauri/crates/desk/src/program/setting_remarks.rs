//! The settings without effect, as lines of the doctor's report and as warnings at the start.

use crate::ApiError;
use crate::api::findings::{about, line};
use crate::api::{DoctorLine, Finding, Remedy, Topic};
use crate::program::ProgramService;
use crate::settings::SettingError;

impl ProgramService {
    /// The line of the settings file, or a line for each setting without effect.
    pub(crate) fn about_settings(&self) -> Result<Vec<DoctorLine>, ApiError> {
        let file = self.settings.file().display().to_string();
        let errors = self.settings.errors()?;
        if errors.is_empty() {
            return Ok(vec![line(Topic::Settings, Ok(file), Remedy::Nothing)]);
        }
        let lines = errors.into_iter().map(|SettingError { key, wanted }| {
            let remedy = Remedy::MendSettings { file: file.clone() };
            about(Topic::Settings, &key, Err(Finding::Setting { wanted }), remedy)
        });
        Ok(lines.collect())
    }

    /// The warnings at the start: settings without effect.
    pub fn remarks(&self) -> Vec<DoctorLine> {
        // Unreadable settings are reported by the commands that need them.
        let lines = self.about_settings().unwrap_or_default();
        lines.into_iter().filter(|line| !line.is_well).collect()
    }
}

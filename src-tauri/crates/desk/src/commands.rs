//! The one list of commands. Every host routes through it; the page's types come from it.

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::api::*;
use crate::{ApiError, Desk};
use kernel::Code;

/// Every command, alphabetic: `name(Request) -> Response`. Calls the given macro with the list.
macro_rules! with_commands {
    ($use:ident) => {
        $use! {
            add_profile(AddProfile) -> Nothing,
            add_up(AddUp) -> Ledger,
            answer_run(AnswerRun) -> RunRef,
            back_up(Nothing) -> DataFolder,
            change_run(ChangeRun) -> RunCard,
            check_update(CheckUpdate) -> UpdateCard,
            choose_paths(ChoosePaths) -> Paths,
            close_window(CloseWindow) -> Nothing,
            correct_answer(CorrectAnswer) -> RunRef,
            data_folder(Nothing) -> DataFolder,
            describe_host(Nothing) -> HostCard,
            doctor(Nothing) -> DoctorReport,
            edit_state(EditState) -> Landed,
            erase_run(RunRef) -> Nothing,
            export_run(ExportRun) -> Exported,
            export_settings(Nothing) -> SettingsText,
            fetch_image(FetchImage) -> FetchedImage,
            find_servers(Nothing) -> FoundServers,
            fork_run(ForkRun) -> RunRef,
            forget_key(Named) -> Nothing,
            get_setting(Setting) -> Setting,
            import_library(ImportLibrary) -> Imported,
            import_settings(ImportSettings) -> ImportedSettings,
            index_events(RunRef) -> EventIndex,
            key_history(KeyOfRun) -> KeyHistory,
            list_library(ListLibrary) -> LibraryPage,
            list_models(Named) -> ModelList,
            list_pipelines(Nothing) -> PipelineCards,
            list_profiles(Nothing) -> Profiles,
            list_providers(Nothing) -> Providers,
            list_runs(ListRuns) -> RunCards,
            list_sources(Nothing) -> SourceCards,
            notify(Notice) -> Nothing,
            offer_models(AddProfile) -> ModelList,
            open_data_folder(Nothing) -> Nothing,
            open_run(RunRef) -> RunPage,
            preflight(StartRun) -> Preflight,
            put_off_update(PutOffUpdate) -> Nothing,
            read_events(ReadEvents) -> JournalPage,
            read_value(ReadValue) -> WholeValue,
            recover(Recover) -> Recovered,
            remove_library(Named) -> Nothing,
            remove_profile(Named) -> RemovedProfile,
            replay_run(RunRef) -> ReplayReport,
            restore_library(Named) -> Nothing,
            restore_run(RunRef) -> RunCard,
            resume_run(ResumeRun) -> RunRef,
            save_file(SaveFile) -> SavedFile,
            save_key(SaveKey) -> SavedKey,
            set_setting(Setting) -> Setting,
            show_menu(ShowMenu) -> Nothing,
            start_run(StartRun) -> RunRef,
            state_at(Moment) -> StatePage,
            stop_import(Nothing) -> Nothing,
            stop_run(RunRef) -> Nothing,
            test_profile(Named) -> Setting,
            trash_run(RunRef) -> Nothing,
            view_at(Moment) -> RunView,
        }
    };
}
pub(crate) use with_commands;

macro_rules! router {
    ($($name:ident($request:ty) -> $response:ty,)*) => {
        impl Desk {
            /// Answers one command of any host. Unknown commands and payloads of another shape are
            /// refused in words.
            pub async fn rpc(&self, command: &str, payload: Value) -> Result<Value, ApiError> {
                match command {
                    $(stringify!($name) => {
                        let response: $response = self.$name(read::<$request>(command, payload)?).await?;
                        written(&response)
                    })*
                    _ => {
                        let known = [$(stringify!($name)),*].join(", ");
                        let message = format!("There is no command `{command}`; there is {known}");
                        Err(ApiError::new(Code::NotFound, message))
                    }
                }
            }
        }
    };
}
with_commands!(router);

pub(crate) fn read<T: DeserializeOwned>(command: &str, payload: Value) -> Result<T, ApiError> {
    // A request without fields may come as nothing at all.
    let payload = if payload.is_null() { Value::Object(serde_json::Map::new()) } else { payload };
    serde_json::from_value(payload).map_err(|error| {
        ApiError::new(Code::BadInput, format!("`{command}` cannot read its request: {error}"))
    })
}

pub(crate) fn written<T: serde::Serialize>(response: &T) -> Result<Value, ApiError> {
    serde_json::to_value(response)
        .map_err(|error| ApiError::new(Code::Internal, format!("The answer cannot be written: {error}")))
}

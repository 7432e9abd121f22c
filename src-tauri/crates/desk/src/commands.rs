//! The list of all commands. Every host routes through it, and the page's types are generated from it.

use serde_json::Value;

use crate::api::codec::{read, written};
use crate::api::*;
use crate::{ApiError, Desk};
use kernel::{Code, phrase};

/// All commands in alphabetical order: `name(Request) -> Response`. Calls the given macro with the list.
macro_rules! with_commands {
    ($use:ident) => {
        $use! {
            add_profile(AddProfile) -> Nothing,
            add_rule(AddRule) -> PermissionRules,
            add_tools_to_pipeline(AddTools) -> ToolServerCards,
            answer_run(AnswerRun) -> RunRef,
            back_up(Nothing) -> DataFolder,
            cancel_sign_in(Named) -> Nothing,
            change_run(ChangeRun) -> RunCard,
            check_pipeline(CheckPipeline) -> PipelineCheck,
            change_visit(ChangeVisit) -> Landed,
            check_update(CheckUpdate) -> UpdateCard,
            choose_paths(ChoosePaths) -> Paths,
            citations_at(Moment) -> CitationLedger,
            close_window(CloseWindow) -> Nothing,
            correct_answer(CorrectAnswer) -> RunRef,
            create_pipeline(CreatePipeline) -> PipelineRef,
            data_folder(Nothing) -> DataFolder,
            delete_pipeline(PipelineRef) -> Nothing,
            describe_host(Nothing) -> HostCard,
            describe_map(Nothing) -> MapFiles,
            describe_queue(Nothing) -> QueueCard,
            dismiss_update(DismissUpdate) -> Nothing,
            doctor(Nothing) -> DoctorReport,
            edit_state(EditState) -> Landed,
            erase_run(RunRef) -> Nothing,
            export_run(ExportRun) -> Exported,
            export_settings(Nothing) -> SettingsText,
            fetch_image(FetchImage) -> FetchedImage,
            find_servers(Nothing) -> FoundServers,
            finish_sign_in(Named) -> ToolServerCards,
            forget_key(Named) -> Nothing,
            fork_run(ForkRun) -> RunRef,
            fork_step(ForkStep) -> RunRef,
            get_setting(Setting) -> SettingInForce,
            import_library(ImportLibrary) -> Imported,
            import_run(ImportRun) -> ImportedRun,
            import_settings(ImportSettings) -> ImportedSettings,
            import_tool_servers(ImportToolServers) -> ImportedToolServers,
            index_events(RunRef) -> EventIndex,
            key_history(KeyOfRun) -> KeyHistory,
            list_export_formats(RunRef) -> ExportFormats,
            list_favourites(Nothing) -> Favourites,
            list_files(Moment) -> RunFiles,
            list_instructions(Nothing) -> Instructions,
            list_library(ListLibrary) -> LibraryPage,
            list_models(Named) -> ModelList,
            list_pipelines(Nothing) -> PipelineCards,
            list_profiles(Nothing) -> Profiles,
            list_providers(Nothing) -> Providers,
            list_questions(ListQuestions) -> OpenQuestions,
            list_rules(Nothing) -> PermissionRules,
            list_runs(ListRuns) -> RunCards,
            list_server_texts(Named) -> ServerTexts,
            list_sources(Nothing) -> SourceCards,
            list_tool_servers(Nothing) -> ToolServerCards,
            model_price(PriceOf) -> ModelPrice,
            notify(Notice) -> Nothing,
            offer_models(AddProfile) -> ModelList,
            open_data_folder(Nothing) -> Nothing,
            open_pipeline(PipelineRef) -> PipelineText,
            open_run(RunRef) -> RunPage,
            preflight(StartRun) -> Preflight,
            read_document(ReadDocument) -> DocumentText,
            read_events(ReadEvents) -> JournalPage,
            read_file(FileRef) -> FilePreview,
            read_library(Named) -> LibraryEntry,
            read_map_tile(TileRef) -> MapTile,
            read_request(ReadRequest) -> StartRun,
            read_server_text(ReadServerText) -> DocumentText,
            read_value(ReadValue) -> WholeValue,
            recover(Recover) -> Recovered,
            remove_favourite(Named) -> Favourites,
            remove_instruction(Named) -> Instructions,
            remove_library(Named) -> Nothing,
            remove_profile(Named) -> RemovedProfile,
            remove_rule(RuleRef) -> PermissionRules,
            remove_tool_server(Named) -> ToolServerCards,
            replay_run(RunRef) -> ReplayReport,
            restore_library(Named) -> Nothing,
            restore_run(RunRef) -> RunCard,
            resume_run(ResumeRun) -> RunRef,
            review_draft(ReviewDraft) -> Landed,
            rewrite_run(RewriteRun) -> RunRef,
            route_request(RouteRequest) -> RoutedRequest,
            say_to_run(SayToRun) -> Landed,
            run_costs(Nothing) -> RunCosts,
            save_favourite(SaveFavourite) -> Favourites,
            save_file(SaveFile) -> SavedFile,
            save_instruction(SaveInstruction) -> Instructions,
            save_key(SaveKey) -> SavedKey,
            save_pipeline(SavePipeline) -> SavedPipeline,
            save_plan_template(SavePlanTemplate) -> SavedPlanTemplate,
            save_queue(SaveQueue) -> QueueCard,
            save_tool_server(SaveToolServer) -> ToolServerCards,
            set_gates(SetGates) -> Landed,
            set_price(SetPrice) -> ModelPrice,
            set_setting(Setting) -> SettingInForce,
            show_files(RunRef) -> Nothing,
            show_saved_file(SavedFile) -> Nothing,
            show_menu(ShowMenu) -> Nothing,
            show_tray(ShowTray) -> Nothing,
            sign_in_tool_server(SignInToolServer) -> ToolServerSignIn,
            sign_out_tool_server(Named) -> ToolServerCards,
            start_run(StartRun) -> RunRef,
            state_at(Moment) -> StatePage,
            stop_import(Nothing) -> Nothing,
            stop_run(RunRef) -> Nothing,
            test_profile(Named) -> ProfileTest,
            test_tool_server(Named) -> ToolServerTest,
            total_usage(TotalUsage) -> Ledger,
            trash_run(RunRef) -> Nothing,
            view_at(Moment) -> RunView,
        }
    };
}
pub(crate) use with_commands;

macro_rules! router {
    ($($name:ident($request:ty) -> $response:ty,)*) => {
        impl Desk {
            /// Runs a command of any host.
            ///
            /// # Errors
            /// The error of the command; `bad_input` for an unknown command or a payload of another shape.
            pub async fn rpc(&self, command: &str, payload: Value) -> Result<Value, ApiError> {
                match command {
                    $(stringify!($name) => {
                        let response: $response = self.$name(read::<$request>(command, payload)?).await?;
                        written(&response)
                    })*
                    _ => {
                        let known = [$(stringify!($name)),*].join(", ");
                        let message = phrase!("There is no command `{command}`; there is {known}", command, known);
                        Err(ApiError::new(Code::NotFound, message))
                    }
                }
            }
        }
    };
}
with_commands!(router);

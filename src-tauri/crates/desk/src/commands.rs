//! The list of all commands. Every host routes through it, and the page's types are generated from it.

use serde_json::Value;

use crate::api::codec::{read, written};
use crate::api::*;
use crate::{ApiError, Desk};
use kernel::{Code, phrase};

/// All commands in alphabetical order, each with the service that has it: `service.name(Request) -> Response`. Calls
/// the given macro with the list.
macro_rules! with_commands {
    ($use:ident) => {
        $use! {
            accounts.add_profile(AddProfile) -> Nothing,
            accounts.add_rule(AddRule) -> PermissionRules,
            evaluations.add_run_to_set(AddRunToSet) -> DataSetCard,
            accounts.add_tools_to_pipeline(AddTools) -> ToolServerCards,
            runs.answer_run(AnswerRun) -> RunRef,
            program.back_up(Nothing) -> DataFolder,
            accounts.cancel_sign_in(Named) -> Nothing,
            runs.change_run(ChangeRun) -> RunCard,
            runs.check_pipeline(CheckPipeline) -> PipelineCheck,
            runs.change_visit(ChangeVisit) -> Landed,
            program.check_update(CheckUpdate) -> UpdateCard,
            program.choose_paths(ChoosePaths) -> Paths,
            runs.citations_at(Moment) -> CitationLedger,
            program.close_window(CloseWindow) -> Nothing,
            runs.compare_runs(CompareRuns) -> RunComparison,
            runs.correct_answer(CorrectAnswer) -> RunRef,
            runs.create_pipeline(CreatePipeline) -> PipelineRef,
            program.data_folder(Nothing) -> DataFolder,
            runs.delete_pipeline(PipelineRef) -> Nothing,
            program.describe_host(Nothing) -> HostCard,
            program.describe_map(Nothing) -> MapFiles,
            accounts.describe_queue(Nothing) -> QueueCard,
            program.dismiss_update(DismissUpdate) -> Nothing,
            doctor.doctor(Nothing) -> DoctorReport,
            runs.edit_state(EditState) -> Landed,
            runs.erase_run(RunRef) -> Nothing,
            evaluations.evaluation(EvaluationRef) -> EvaluationTable,
            runs.export_run(ExportRun) -> Exported,
            evaluations.export_set(Named) -> SetText,
            accounts.export_settings(Nothing) -> SettingsText,
            runs.fetch_image(FetchImage) -> FetchedImage,
            accounts.find_servers(Nothing) -> FoundServers,
            accounts.finish_sign_in(Named) -> ToolServerCards,
            accounts.forget_key(Named) -> Nothing,
            runs.fork_run(ForkRun) -> RunRef,
            runs.fork_step(ForkStep) -> RunRef,
            accounts.get_setting(Setting) -> SettingInForce,
            library.import_library(ImportLibrary) -> Imported,
            runs.import_run(ImportRun) -> ImportedRun,
            accounts.import_settings(ImportSettings) -> ImportedSettings,
            accounts.import_tool_servers(ImportToolServers) -> ImportedToolServers,
            runs.index_events(RunRef) -> EventIndex,
            runs.key_history(KeyOfRun) -> KeyHistory,
            evaluations.list_evaluations(Nothing) -> EvaluationCards,
            runs.list_export_formats(RunRef) -> ExportFormats,
            runs.list_favourites(Nothing) -> Favourites,
            runs.list_files(Moment) -> RunFiles,
            runs.list_instructions(Nothing) -> Instructions,
            library.list_library(ListLibrary) -> LibraryPage,
            accounts.list_models(Named) -> ModelList,
            runs.list_pipelines(Nothing) -> PipelineCards,
            accounts.list_profiles(Nothing) -> Profiles,
            accounts.list_providers(Nothing) -> Providers,
            runs.list_questions(ListQuestions) -> OpenQuestions,
            accounts.list_rules(Nothing) -> PermissionRules,
            runs.list_runs(ListRuns) -> RunCards,
            schedules.list_schedules(Nothing) -> Schedules,
            accounts.list_server_texts(Named) -> ServerTexts,
            evaluations.list_sets(Nothing) -> DataSetCards,
            accounts.list_sources(Nothing) -> SourceCards,
            accounts.list_tool_servers(Nothing) -> ToolServerCards,
            accounts.model_price(PriceOf) -> ModelPrice,
            program.notify(Notice) -> Nothing,
            accounts.offer_models(AddProfile) -> ModelList,
            program.open_data_folder(Nothing) -> Nothing,
            runs.open_pipeline(PipelineRef) -> PipelineText,
            runs.open_run(RunRef) -> RunPage,
            schedules.pause_schedule(Named) -> Schedules,
            runs.preflight(StartRun) -> Preflight,
            schedules.preview_schedule(PreviewSchedule) -> SchedulePreview,
            library.read_document(ReadDocument) -> DocumentText,
            runs.read_events(ReadEvents) -> JournalPage,
            runs.read_file(FileRef) -> FilePreview,
            library.read_library(Named) -> LibraryEntry,
            program.read_map_tile(TileRef) -> MapTile,
            runs.read_request(ReadRequest) -> StartRun,
            accounts.read_server_text(ReadServerText) -> DocumentText,
            evaluations.read_set(Named) -> DataSet,
            runs.read_value(ReadValue) -> WholeValue,
            desk.recover(Recover) -> Recovered,
            evaluations.remove_evaluation(Named) -> Nothing,
            runs.remove_favourite(Named) -> Favourites,
            runs.remove_instruction(Named) -> Instructions,
            library.remove_library(Named) -> Nothing,
            accounts.remove_profile(Named) -> RemovedProfile,
            accounts.remove_rule(RuleRef) -> PermissionRules,
            schedules.remove_schedule(Named) -> Schedules,
            evaluations.remove_set(Named) -> Nothing,
            accounts.remove_tool_server(Named) -> ToolServerCards,
            runs.replay_run(RunRef) -> ReplayReport,
            library.restore_library(Named) -> Nothing,
            runs.restore_run(RunRef) -> RunCard,
            evaluations.resume_evaluation(ResumeEvaluation) -> EvaluationRef,
            runs.resume_run(ResumeRun) -> RunRef,
            schedules.resume_schedule(Named) -> Schedules,
            runs.review_draft(ReviewDraft) -> Landed,
            runs.rewrite_run(RewriteRun) -> RunRef,
            runs.route_request(RouteRequest) -> RoutedRequest,
            runs.say_to_run(SayToRun) -> Landed,
            accounts.run_costs(Nothing) -> RunCosts,
            runs.save_favourite(SaveFavourite) -> Favourites,
            runs.save_file(SaveFile) -> SavedFile,
            runs.save_instruction(SaveInstruction) -> Instructions,
            accounts.save_key(SaveKey) -> SavedKey,
            runs.save_pipeline(SavePipeline) -> SavedPipeline,
            runs.save_plan_template(SavePlanTemplate) -> SavedPlanTemplate,
            accounts.save_queue(SaveQueue) -> QueueCard,
            schedules.save_schedule(SaveSchedule) -> Schedules,
            evaluations.save_set(SaveSet) -> DataSetCard,
            accounts.save_tool_server(SaveToolServer) -> ToolServerCards,
            runs.set_gates(SetGates) -> Landed,
            accounts.set_price(SetPrice) -> ModelPrice,
            accounts.set_setting(Setting) -> SettingInForce,
            runs.show_files(RunRef) -> Nothing,
            runs.show_saved_file(SavedFile) -> Nothing,
            program.show_menu(ShowMenu) -> Nothing,
            program.show_tray(ShowTray) -> Nothing,
            accounts.sign_in_tool_server(SignInToolServer) -> ToolServerSignIn,
            accounts.sign_out_tool_server(Named) -> ToolServerCards,
            evaluations.start_evaluation(StartEvaluation) -> EvaluationRef,
            runs.start_run(StartRun) -> RunRef,
            runs.state_at(Moment) -> StatePage,
            library.stop_import(Nothing) -> Nothing,
            evaluations.stop_evaluation(EvaluationRef) -> Nothing,
            runs.stop_run(RunRef) -> Nothing,
            accounts.test_profile(Named) -> ProfileTest,
            accounts.test_tool_server(Named) -> ToolServerTest,
            accounts.total_usage(TotalUsage) -> Ledger,
            runs.trash_run(RunRef) -> Nothing,
            runs.view_at(Moment) -> RunView,
        }
    };
}
pub(crate) use with_commands;

macro_rules! router {
    ($($service:ident.$name:ident($request:ty) -> $response:ty,)*) => {
        impl Desk {
            /// Runs a command of any host.
            ///
            /// # Errors
            /// The error of the command; `bad_input` for an unknown command or a payload of another shape.
            pub async fn rpc(&self, command: &str, payload: Value) -> Result<Value, ApiError> {
                match command {
                    $(stringify!($name) => {
                        // On the heap: the future of this function would otherwise have room for that of every command.
                        let request = read::<$request>(command, payload)?;
                        let response: $response = Box::pin(self.$service().$name(request)).await?;
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

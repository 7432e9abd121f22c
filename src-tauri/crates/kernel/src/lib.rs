//! The types of the engine: the parts of a run, and pure functions over them.
//!
//! Everything here is data and folds over data. A run is a list of [`Event`]s; its state, usage, outcome and journal
//! are functions of that list.
//!
//! Not here: who may append an event (`engine`), how events are stored (`store`), how they are displayed (`ui`).

#![cfg_attr(not(test), warn(unused_crate_dependencies))]

mod answer;
mod check;
mod code;
mod contract;
mod definition;
mod display;
mod effect;
mod english;
mod error;
mod event;
mod excerpt;
mod fold;
mod gate;
mod journal;
mod json_text;
mod key;
mod limits;
mod needed_input;
mod note;
mod path;
mod permission;
mod phrase;
mod pipeline;
mod question;
mod reached;
mod request;
mod result_text;
mod review;
mod rounds;
mod rule_text;
mod run;
mod scratch;
mod shapes;
mod speed;
mod state;
mod step_record;
mod sub_task;
mod usage;
mod value;
mod words;

/// The user agent of every HTTP request.
pub const USER_AGENT: &str = concat!("Galley/", env!("CARGO_PKG_VERSION"));

pub use answer::{
    Answer, AnswerSummary, Interruption, ModelReply, RunFile, TokenUsage, ToolRequest, ToolResult,
    WastedUsage,
};
pub use check::{CheckError, check};
pub use code::Code;
pub use contract::{AgentKind, CallRange, Contract, Outline, Stream};
pub use definition::{
    AgentChange, AgentDefinition, BUILT_IN, Definition, Fallback, OnFailure, OnceDone, Overrides,
};
pub use display::display_state;
pub use effect::Effect;
pub use english::ENGLISH;
pub use error::Error;
pub use event::{EVENT_VERSION, Event, Fact, Instance, USER};
pub use excerpt::{Changes, Excerpt, Touched};
pub use fold::{KeyChange, RunFold, fold_state, key_history};
pub use gate::{Gate, GateAnswer, GateSide};
pub use journal::{EventKind, is_trouble, kind, sentence};
pub use json_text::{JsonMeasures, compact, pretty, pretty_behind};
pub use key::{Key, KeyDeclaration, Role, USER_WORDS};
pub use limits::{LimitName, Limits};
pub use needed_input::{AskedInput, GivenInput, NeededInput, ServerAnswer, ServerQuestion};
pub use note::{Note, NoteTexts, Remark, RequestPart};
pub use path::Path;
pub use permission::{DecidedBy, Decision, PermissionAnswer, Rule, ToolFailure};
#[doc(hidden)]
pub use phrase::assert_places;
pub use phrase::{Form, Phrase, PhraseParameter};
pub use pipeline::{
    AddedTools, AgentDeclaration, CallDeclaration, Condition, ConditionError, ConditionTest, DECISIONS,
    DISMISSED, FailureSteps, FlowDefinition, ForEach, ITEM, InputDeclaration, InputKind, KeyEntry, KeyPath,
    LimitPreset, NoteText, Output, PipelineDefinition, QuestionDeclaration, RESULT, Rounds, Step,
    TEMPERATURE, TemplateValue, ToolSlot,
};
pub use question::{AskedPermission, Choice, GateQuestion, Question, QuestionKind};
pub use reached::{ADD, LIFT, Reached, amount};
pub use request::{
    AskedModel, CredentialRoute, EffectClass, Message, ModelRequest, ReplyShape, Speaker, ToolCall, ToolOffer,
};
pub use result_text::{ResultText, result_text};
pub use review::{
    Anchor, Collision, Issue, IssueDecision, IssueStanding, Issues, MergeChoice, OwnSentence, OwnText,
    ReviewAction,
};
pub use rounds::{CheckCount, LoopExit, Round, RoundMeasures};
pub use run::{AgentOutcome, Origin, Outcome, RunId, Seq, SessionId, Start};
pub use scratch::Scratch;
pub use shapes::{
    CheckResult, Checks, Coordinates, JudgedRound, JudgedRounds, Place, Places, Plan, PlanStep, RaisedIssue,
    Review, Source, Sources, StepStatus,
};
pub use speed::Speed;
pub use state::{Delta, State};
pub use step_record::{StepError, StepRecord, StepRecords};
pub use sub_task::{SubTask, SubTaskOutcome, SubTaskResult, SubTaskWork};
pub use usage::{AgentUsage, Usage};
pub use value::{Hash, INLINE_BYTES, Json, Value, json_field};
pub use words::{fell_back, request_failed, request_sent};

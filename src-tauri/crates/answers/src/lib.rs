//! L0: extracts JSON of the wanted shape from a model's reply.
//!
//! One table of the accepted forms, in the order in which they are tried; each repair that was needed is reported as a
//! [`Rung`]:
//!
//! | what comes | what is read |
//! |---|---|
//! | JSON of the shape and nothing else | it, at once |
//! | thinking, channels, marks of turns | what follows the last of them; the thinking only where nothing else stands |
//! | fences, talk, drafts, the quoted format or schema | of all objects that fit the last one that is no echo |
//! | quotes, commas, escapes, comments, literals of other languages | what they mean (`lenient`, `quoted`) |
//! | wrappers, lists of one, JSON in a text, a bare list, a bare text | the inside, where one place alone can hold it |
//! | lines of keys and values, headings, tables, elements, calls | the fields that the schema has, where every needed one is named |
//! | a list of titles of what the model was shown | the numbers of these |
//! | full titles in prose, if another request gives nothing better | the numbers of these |
//! | names in another spelling, unknown names | the known name; nothing |
//! | null or nothing where code has a default | the default |
//! | numbers, texts, booleans, lists in each other's place | the same content in the wanted form, or a fault |
//! | arguments of a tool that was not offered | the answer, if they fit |
//! | of a draft: a greeting before it, an offer behind it | the draft |
//! | an end inside a value that matters | never an answer: [`Fault::Cut`] |
//!
//! For an agent that answers with free text, any text is an answer. Of this table only two rules apply: thinking before
//! it and turn marks around it are removed, and a truncated text is no answer.
//!
//! Reading never invents content. It is a pure function of its arguments, bounded in bytes, depth and steps, so a reply
//! is read identically in every replay. Not here: asking again, and a pipeline's checks of a value.

#![cfg_attr(not(test), warn(unused_crate_dependencies))]

mod candidates;
mod chatter;
mod choosing;
mod done;
mod echo;
mod encoded;
mod free_text;
mod labelled;
mod lenient;
mod lists;
mod mentions;
mod named;
mod node;
mod partial;
mod plain;
mod quoted;
mod reader;
mod report;
mod scalars;
mod scanner;
mod schema;
mod shape;
mod shaper;
mod text_features;
mod texts;
mod visible;
mod work;
mod wrappers;
mod written;

pub use reader::{Answer, MAX_BYTES, Reader, Reading, ToolArguments};
pub use report::{Fault, Rung, Unusable};
pub use schema::SchemaError;

//! Answers as models really give them (`tests/fixtures/answers`): read as they are, and through every dialect.

mod bodies;
mod cases;
mod corpus;
mod dialects;
mod second_answers;
mod texts;

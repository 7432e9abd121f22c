//! L2: the queues of sub-tasks over NATS JetStream, for workers on other machines.
//!
//! A sub-task is a message of a stream from which it is removed when it is done; the workers of a role share one consumer.
//! What one came to is a message of a second stream, under the id of its sub-task. A worker that is no longer heard loses
//! what it holds to another one; what may be done only once is begun only where its sender, asked right before, agrees, and
//! that is once.
//!
//! Whoever may write to the server may send sub-tasks and results: who that is, the server's accounts decide. No message has a
//! key of a service in it.
//!
//! Not here: what a worker may do for others (`engine`), where address and secret are kept (`desk`).

#![cfg_attr(not(test), warn(unused_crate_dependencies))]

mod address;
mod connection;
mod errors;
mod messages;
mod presence;
mod publish;
mod sender;
mod subjects;
mod worker;

pub use address::QueueAddress;
pub use connection::{Connection, connect};
pub use presence::WorkerHeard;
pub use sender::{NatsQueue, SenderOptions};
pub use worker::{Performer, WorkerEvent, WorkerOptions, work};

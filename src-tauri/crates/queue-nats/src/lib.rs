//! L2: the queues of sub-tasks over NATS JetStream, for workers on other machines.
//!
//! A sub-task is a message in a stream, from which it is removed when it is done; the workers of a role share one
//! consumer. Its result is a message in a second stream, under the id of the sub-task. A worker that sends no more
//! heartbeats loses its sub-tasks to another one. A call that may be made only once starts only if its sender agrees
//! right before, and the sender agrees once.
//!
//! Anyone who may write to the server may send sub-tasks and results; the server's accounts control that. No message
//! contains a key of a service.
//!
//! Not here: what a worker may do for others (`engine`), storage of the address and the secret (`desk`).

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

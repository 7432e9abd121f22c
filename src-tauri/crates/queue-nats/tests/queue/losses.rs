//! Workers that die, servers that restart, broken connections: lost work is repeated, or reported as unknown.

use std::time::Duration;

use engine::{TaskQueue, ToolContext};
use futures::future::join_all;
use kernel::{EffectClass, SubTask};
use serde_json::json;

use crate::nats_server::{NatsServer, Proxy};
use crate::support::{ROLE, Worker, is_unknown, output, queue, send, stored, streams, sub_task, with_each};
use queue_nats::WorkerEvent;

/// The consumer of the workers of the tests' role.
const CONSUMER: &str = "workers-ResearchAgent";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_hundred_sub_tasks_get_one_result_each_despite_dying_workers_a_restart_and_a_broken_connection() {
    with_each(async |program| {
        let mut server = NatsServer::start(program, "").await;
        let proxy = Proxy::to(server.port()).await;
        let queue = queue(&proxy.url()).await;
        let mut workers = Vec::new();
        for _ in 0..3 {
            workers.push(Worker::start(&server.url(), 4).await);
        }
        let context = ToolContext::default();
        let tasks: Vec<SubTask> = (0..200)
            .map(|n| sub_task(&format!("r-{n}"), json!({ "n": n, "ms": 20 + n % 40 }), EffectClass::Pure))
            .collect();
        let results = join_all(tasks.iter().map(|task| queue.perform(task.clone(), &context)));
        let trouble = async {
            workers[0].began().await;
            workers[0].working.abort();
            workers[1].began().await;
            server.restart().await;
            workers[2].began().await;
            proxy.cut();
            tokio::time::sleep(Duration::from_secs(5)).await;
            proxy.mend();
            workers[0] = Worker::start(&server.url(), 4).await;
            std::future::pending::<()>().await;
        };
        let results = tokio::select! { results = results => results, () = trouble => unreachable!() };
        for (task, result) in tasks.iter().zip(&results) {
            assert_eq!(result.sub_task_id, task.sub_task_id);
            assert_eq!(output(result), &task.sub_task_input.0["n"]);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_once_call_starts_once_and_is_unknown_when_its_worker_dies() {
    with_each(async |program| {
        let server = NatsServer::start(program, "").await;
        let queue = queue(&server.url()).await;
        let mut first = Worker::start(&server.url(), 1).await;
        let context = ToolContext::default();
        let sent = {
            let queue = queue.clone();
            let task = sub_task("r-1", json!({ "n": 1, "ms": 600_000 }), EffectClass::Once);
            tokio::spawn(async move { queue.perform(task, &ToolContext::default()).await })
        };
        assert_eq!(first.began().await, "r-1");
        first.working.abort();
        let second = Worker::counting(&server.url(), 1, first.finished.clone()).await;
        assert!(is_unknown(&sent.await.unwrap()));
        // No worker starts it again, and the next one is performed.
        let next = queue.perform(sub_task("r-2", json!({ "n": 2 }), EffectClass::Once), &context).await;
        assert_eq!(output(&next), &json!(2));
        assert_eq!(*second.finished.lock().unwrap(), [(2, 1)].into());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sub_task_without_a_waiter_is_removed_and_its_worker_releases_it() {
    with_each(async |program| {
        let server = NatsServer::start(program, "").await;
        let queue = queue(&server.url()).await;
        let context = ToolContext::default();
        let waiting = queue.perform(sub_task("r-1", json!({ "n": 1 }), EffectClass::Pure), &context);
        tokio::select! { _ = waiting => unreachable!(), () = stored(&server, 1) => {} }
        stored(&server, 0).await;
        let mut worker = Worker::start(&server.url(), 4).await;
        let long =
            queue.perform(sub_task("r-2", json!({ "n": 2, "ms": 600_000 }), EffectClass::Pure), &context);
        tokio::select! { _ = long => unreachable!(), id = worker.began() => assert_eq!(id, "r-2") }
        assert_eq!(worker.events.recv().await, Some(WorkerEvent::LetGo("r-2".into())));
        stored(&server, 0).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_once_call_does_not_start_when_its_sender_is_gone() {
    with_each(async |program| {
        let server = NatsServer::start(program, "").await;
        let queue = queue(&server.url()).await;
        let orphan = sub_task("r-1", json!({ "n": 1 }), EffectClass::Once);
        send(&server, "gone", &orphan.sub_task_id, serde_json::to_vec(&orphan).unwrap()).await;
        let mut worker = Worker::start(&server.url(), 1).await;
        let next = queue
            .perform(sub_task("r-2", json!({ "n": 2 }), EffectClass::Once), &ToolContext::default())
            .await;
        assert_eq!(output(&next), &json!(2));
        // It claimed that one first, and puts it back.
        assert_eq!(worker.began().await, "r-2");
        assert_eq!(*worker.finished.lock().unwrap(), [(2, 1)].into());
        stored(&server, 1).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stopped_worker_reports_its_tasks_and_leaves_the_rest_to_others() {
    with_each(async |program| {
        let server = NatsServer::start(program, "").await;
        let queue = queue(&server.url()).await;
        let mut first = Worker::start(&server.url(), 1).await;
        let context = ToolContext::default();
        let tasks =
            (0..3).map(|n| sub_task(&format!("r-{n}"), json!({ "n": n, "ms": 500 }), EffectClass::Once));
        let results = join_all(tasks.map(|task| queue.perform(task, &context)));
        let draining = async {
            first.began().await;
            let heard = queue.connection().workers().await.unwrap();
            assert_eq!((heard.len(), heard[0].role.as_str(), heard[0].name.as_str()), (1, ROLE, "here"));
            first.stop.cancel();
            (&mut first.working).await.unwrap();
            assert_eq!(first.finished.lock().unwrap().len(), 1);
            assert_eq!(queue.connection().workers().await.unwrap(), []);
            Worker::start(&server.url(), 1).await
        };
        let (results, second) = tokio::join!(results, draining);
        assert_eq!(results.iter().map(output).collect::<Vec<_>>(), [&json!(0), &json!(1), &json!(2)]);
        assert_eq!(second.finished.lock().unwrap().len(), 2);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sub_task_that_the_server_lost_is_sent_again() {
    with_each(async |program| {
        let server = NatsServer::start(program, "").await;
        let queue = queue(&server.url()).await;
        let task = sub_task("r-1", json!({ "n": 1 }), EffectClass::Pure);
        let context = ToolContext::default();
        let waiting = queue.perform(task, &context);
        let losing = async {
            stored(&server, 1).await;
            let streams = streams(&server).await;
            streams.get_stream("GALLEY_SUB_TASKS").await.unwrap().purge().await.unwrap();
            stored(&server, 1).await;
            Worker::start(&server.url(), 1).await
        };
        let (result, worker) = tokio::join!(waiting, losing);
        assert_eq!(output(&result), &json!(1));
        assert_eq!(*worker.finished.lock().unwrap(), [(1, 1)].into());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_once_call_starts_once_when_the_server_loses_the_consumer() {
    with_each(async |program| {
        let server = NatsServer::start(program, "").await;
        let queue = queue(&server.url()).await;
        let mut worker = Worker::start(&server.url(), 2).await;
        let context = ToolContext::default();
        let once = queue.perform(sub_task("r-1", json!({ "n": 1, "ms": 6000 }), EffectClass::Once), &context);
        let losing = async {
            assert_eq!(worker.began().await, "r-1");
            let streams = streams(&server).await;
            let stream = streams.get_stream("GALLEY_SUB_TASKS").await.unwrap();
            // A server that writes the consumer's files at this moment answers that it cannot remove them, and has
            // removed the consumer.
            if let Err(error) = stream.delete_consumer(CONSUMER).await {
                assert!(stream.consumer_info(CONSUMER).await.is_err(), "{error}");
            }
            let next = queue.perform(sub_task("r-2", json!({ "n": 2 }), EffectClass::Pure), &context);
            assert_eq!(output(&next.await), &json!(2));
        };
        let (result, ()) = tokio::join!(once, losing);
        assert_eq!(output(&result), &json!(1));
        stored(&server, 0).await;
        assert_eq!(*worker.finished.lock().unwrap(), [(1, 1), (2, 1)].into());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_result_that_the_server_rejects_for_now_is_reported_later_without_repeating_the_work() {
    with_each(async |program| {
        let server = NatsServer::start(program, "").await;
        let queue = queue(&server.url()).await;
        let streams = streams(&server).await;
        let limit = async |most| {
            let mut config =
                streams.get_stream("GALLEY_RESULTS").await.unwrap().get_info().await.unwrap().config;
            config.max_messages_per_subject = 1;
            config.discard = async_nats::jetstream::stream::DiscardPolicy::New;
            config.max_messages = most;
            streams.update_stream(config).await.unwrap();
        };
        streams.publish("galley.result.gone.r-0", "{}".into()).await.unwrap().await.unwrap();
        limit(1).await;
        let mut worker = Worker::start(&server.url(), 1).await;
        let context = ToolContext::default();
        let waiting = queue.perform(sub_task("r-1", json!({ "n": 1 }), EffectClass::Pure), &context);
        let trouble = async {
            while !matches!(worker.events.recv().await, Some(WorkerEvent::Waits(_))) {}
            limit(10).await;
        };
        let (result, ()) = tokio::join!(waiting, trouble);
        assert_eq!(output(&result), &json!(1));
        stored(&server, 0).await;
        assert_eq!(*worker.finished.lock().unwrap(), [(1, 1)].into());
    })
    .await;
}

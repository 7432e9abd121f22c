//! Messages of a queue, and rejected ones.

use std::time::Duration;

use engine::{TaskQueue, ToolContext};
use futures::StreamExt;
use futures::future::join_all;
use kernel::{Code, EffectClass};
use queue_nats::{NatsQueue, SenderOptions, connect};
use secrecy::SecretString;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::nats_server::NatsServer;
use crate::support::{Worker, error, output, queue, send, stored, streams, sub_task, to, until, with_each};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn values_larger_than_a_message_go_both_ways_and_are_removed() {
    with_each(async |program| {
        let server = NatsServer::start(program, "max_payload: 65536").await;
        let queue = queue(&server.url()).await;
        let worker = Worker::start(&server.url(), 4).await;
        let input = json!({ "n": 1, "bytes": 3_000_000, "text": "y".repeat(2_000_000) });
        let result = queue.perform(sub_task("r-1", input, EffectClass::Pure), &ToolContext::default()).await;
        assert_eq!(output(&result).as_str().map(str::len), Some(3_000_000));
        // A value that is too large for a queue is reported as such.
        let input = json!({ "n": 2, "bytes": 70_000_000 });
        let result = queue.perform(sub_task("r-2", input, EffectClass::Pure), &ToolContext::default()).await;
        assert_eq!(error(&result).code, Code::BadInput);
        assert!(error(&result).to_string().contains("too large for the queue"));
        drop(worker);
        stored(&server, 0).await;
        let streams = streams(&server).await;
        let values = streams.get_object_store("galley-values").await.unwrap();
        until(async || values.list().await.unwrap().next().await.is_none()).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_message_that_no_worker_can_perform_becomes_a_dead_letter_and_the_others_continue() {
    with_each(async |program| {
        let server = NatsServer::start(program, "").await;
        let queue = queue(&server.url()).await;
        to(&server.url()).await.unwrap();
        let mut of_other = sub_task("r-2", json!({ "n": 2 }), EffectClass::Pure);
        of_other.assigned_agent_role = "UtilityAgent".into();
        send(&server, "gone", "r-1", b"{ no JSON".to_vec()).await;
        send(&server, "gone", "r-2", serde_json::to_vec(&of_other).unwrap()).await;
        let _worker = Worker::start(&server.url(), 2).await;
        let result = queue
            .perform(sub_task("r-3", json!({ "n": 3 }), EffectClass::Pure), &ToolContext::default())
            .await;
        assert_eq!(output(&result), &json!(3));
        let streams = streams(&server).await;
        let dead = streams.get_stream("GALLEY_DEAD_LETTERS").await.unwrap();
        until(async || dead.get_info().await.unwrap().state.messages == 2).await;
        let mut reasons = Vec::new();
        for number in 1..=2 {
            let letter = dead.get_raw_message(number).await.unwrap();
            reasons.push(letter.headers.get("Galley-Reason").unwrap().as_str().to_owned());
        }
        reasons.sort();
        assert!(
            reasons[0].contains("another role") && reasons[1].contains("key must be a string"),
            "{reasons:?}"
        );
        // A task that kills every worker is given up, and reported.
        let task = sub_task("r-4", json!({ "n": 4, "panics": true }), EffectClass::Pure);
        let result = queue.perform(task, &ToolContext::default()).await;
        assert!(error(&result).to_string().contains("was given up: 5 workers"), "{}", error(&result));
        until(async || dead.get_info().await.unwrap().state.messages == 3).await;
        stored(&server, 0).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_senders_on_one_queue_get_their_own_results() {
    with_each(async |program| {
        let server = NatsServer::start(program, "").await;
        let (one, other) = (queue(&server.url()).await, queue(&server.url()).await);
        let _worker = Worker::start(&server.url(), 8).await;
        let context = ToolContext::default();
        let task = |sender: u64, n: u64| {
            sub_task(&format!("{sender}-{n}"), json!({ "n": sender * 100 + n }), EffectClass::Once)
        };
        let results = join_all((0..40).map(|n| {
            let (queue, sender) = if n % 2 == 0 { (&one, 1) } else { (&other, 2) };
            queue.perform(task(sender, n), &context)
        }));
        for (n, result) in results.await.iter().enumerate() {
            let sender = if n % 2 == 0 { 1 } else { 2 };
            assert_eq!(output(result), &json!(sender * 100 + n));
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sub_task_without_workers_is_given_up_with_a_sentence() {
    with_each(async |program| {
        let server = NatsServer::start(program, "").await;
        let options =
            SenderOptions { patience: Duration::from_secs(1), look_every: Duration::from_millis(100) };
        let queue = NatsQueue::new(to(&server.url()).await.unwrap(), options).await.unwrap();
        let result =
            queue.perform(sub_task("r-1", json!({}), EffectClass::Pure), &ToolContext::default()).await;
        let message = error(&result).to_string();
        assert!(
            message.starts_with("No worker of the role `ResearchAgent` was heard of at nats://"),
            "{message}"
        );
        stored(&server, 0).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unusable_server_is_reported_in_a_sentence() {
    let refusal = async |url: &str, secret: Option<&str>| {
        let secret = secret.map(SecretString::from);
        let refused = connect(&url.parse().unwrap(), secret.as_ref(), None).await;
        let Err(error) = refused else { panic!("{url} is taken") };
        (error.code, error.to_string())
    };
    with_each(async |program| {
        let server = NatsServer::start(program, "authorization { token: \"right\" }").await;
        let (code, words) = refusal(&server.url(), Some("wrong")).await;
        assert!(code == Code::KeyRefused && words.contains("refused the credentials"), "{words}");
        assert!(!words.contains("wrong"));
        let right = SecretString::from("right");
        connect(&server.url().parse().unwrap(), Some(&right), None).await.unwrap();

        let server = NatsServer::with(program, "").await;
        let (code, words) = refusal(&server.url(), None).await;
        assert!(code == Code::RequestRefused && words.contains("no JetStream"), "{words}");

        let server = NatsServer::start(program, "").await;
        let queue = queue(&server.url()).await;
        let streams = streams(&server).await;
        let mut config =
            streams.get_stream("GALLEY_SUB_TASKS").await.unwrap().get_info().await.unwrap().config;
        config.max_messages = 1;
        streams.update_stream(config).await.unwrap();
        let context = ToolContext::default();
        let first = queue.perform(sub_task("r-1", json!({}), EffectClass::Pure), &context);
        tokio::pin!(first);
        tokio::select! { _ = &mut first => unreachable!(), () = stored(&server, 1) => {} }
        let full = queue.perform(sub_task("r-2", json!({}), EffectClass::Pure), &context).await;
        let words = error(&full).to_string();
        assert!(
            error(&full).code == Code::Overloaded && words.contains("takes no more sub-tasks"),
            "{words}"
        );
        stored(&server, 1).await;
    })
    .await;
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let (code, words) = refusal(&format!("nats://{free}"), None).await;
    assert!(code == Code::Network && words.contains("cannot be reached"), "{words}");
    let old = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("nats://{}", old.local_addr().unwrap());
    tokio::spawn(async move {
        let (mut stream, _) = old.accept().await.unwrap();
        let info = br#"INFO {"server_id":"A","version":"2.1.9","proto":1,"host":"127.0.0.1","port":4222,"max_payload":1048576}"#;
        stream.write_all(&[info.as_slice(), b"\r\n"].concat()).await.unwrap();
        let mut heard = [0; 1024];
        while stream.read(&mut heard).await.is_ok_and(|count| count > 0) {
            let _ = stream.write_all(b"PONG\r\n").await;
        }
    });
    let (code, words) = refusal(&url, None).await;
    assert!(code == Code::RequestRefused && words.contains("is 2.1.9; 2.9.0 or newer is needed"), "{words}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unreadable_message_is_reported_to_its_sender_and_one_of_the_largest_size_becomes_a_dead_letter() {
    with_each(async |program| {
        let server = NatsServer::start(program, "").await;
        let queue = queue(&server.url()).await;
        let context = ToolContext::default();
        let waiting = queue.perform(sub_task("r-1", json!({ "n": 1 }), EffectClass::Pure), &context);
        let spoiling = async {
            stored(&server, 1).await;
            let streams = streams(&server).await;
            streams.get_stream("GALLEY_SUB_TASKS").await.unwrap().purge().await.unwrap();
            // Replaced by another message before the worker reads it.
            send(&server, "gone", "r-1", b"{ no JSON".to_vec()).await;
            send(&server, "gone", "r-2", vec![b'x'; (1 << 20) - 200]).await;
            Worker::start(&server.url(), 1).await
        };
        let (result, _worker) = tokio::join!(waiting, spoiling);
        assert!(error(&result).to_string().contains("could not do this"), "{}", error(&result));
        stored(&server, 0).await;
        let streams = streams(&server).await;
        let dead = streams.get_stream("GALLEY_DEAD_LETTERS").await.unwrap();
        assert_eq!(dead.get_info().await.unwrap().state.messages, 2);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unreadable_result_ends_its_sub_task() {
    with_each(async |program| {
        let server = NatsServer::start(program, "").await;
        let queue = queue(&server.url()).await;
        let context = ToolContext::default();
        let waiting = queue.perform(sub_task("r-1", json!({ "n": 1 }), EffectClass::Pure), &context);
        let spoiling = async {
            let streams = streams(&server).await;
            let sub_tasks = streams.get_stream("GALLEY_SUB_TASKS").await.unwrap();
            let sender = {
                stored(&server, 1).await;
                let sent =
                    sub_tasks.get_last_raw_message_by_subject("galley.sub_task.ResearchAgent.r-1").await;
                sent.unwrap().headers.get("Galley-Sender").unwrap().as_str().to_owned()
            };
            let subject = format!("galley.result.{sender}.r-1");
            streams.publish(subject, "{ no JSON".into()).await.unwrap().await.unwrap();
        };
        let (result, ()) = tokio::join!(waiting, spoiling);
        assert!(error(&result).to_string().contains("cannot be read"), "{}", error(&result));
        stored(&server, 0).await;
    })
    .await;
}

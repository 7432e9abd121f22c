//! Questions of runs: as forms, with a signed state, and of tasks.

use std::time::Duration;

use rmcp::model::*;
use rmcp::service::PeerRequestOptions;
use serde_json::json;

use super::{Connected, NEVER, Person, accepted, asks_forms, call, placed, summary, text};
use crate::terminal::galley::eventually;

#[tokio::test(flavor = "multi_thread")]
async fn a_question_is_a_form_of_the_client_and_is_asked_until_its_answer_is_one() {
    let galley = placed();
    let person = asks_forms();
    person.answers.lock().unwrap().extend(["green", "BLUE"]);
    let connected = Connected::to(&galley, person.clone()).await;
    let result = connected.call("painter", json!({ "task": "the door" })).await;
    assert_eq!((text(&result).as_str(), &summary(&result)["outcome"]), ("blue", &json!("finished")));
    let asked = person.asked.lock().unwrap().clone();
    assert!(asked[0].starts_with("Which colour?") && asked[0].contains("(the default)"), "{asked:?}");
    assert!(asked.len() == 2 && asked[1].contains("choose one of red, blue"), "{asked:?}");
    // Who declines, and who shows no forms, leaves the run with its question.
    for connected in [connected, Connected::to(&galley, Person::default()).await] {
        let result = connected.call("painter", json!({ "task": "the door" })).await;
        let run = summary(&result)["run"].as_str().unwrap().to_owned();
        assert_eq!((result.is_error, &summary(&result)["outcome"]), (Some(true), &json!("waiting")));
        assert!(
            text(&result).contains(&format!("answer with `galley answer {run} VALUE`")),
            "{}",
            text(&result)
        );
        connected.ends().await;
        assert_eq!(galley.run(["answer", &run, "red"]).ok().out, "red\n");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_form_of_a_call_that_is_cancelled_is_withdrawn() {
    let galley = placed();
    let person = asks_forms();
    person.answers.lock().unwrap().push_back(NEVER);
    let connected = Connected::to(&galley, person.clone()).await;
    let calling = CallToolRequest::new(call("painter", &json!({ "task": "the door" })));
    let options = PeerRequestOptions::no_options();
    let request = ClientRequest::CallToolRequest(calling);
    let handle = connected.client.send_cancellable_request(request, options).await.unwrap();
    eventually("the form is shown", || (person.asked.lock().unwrap().len() == 1).then_some(()));
    handle.cancel(None).await.unwrap();
    eventually("it is withdrawn", || (person.asked.lock().unwrap().len() == 2).then_some(()));
    eventually("the run is stopped", || (galley.statuses() == ["cancelled"]).then_some(()));
    connected.ends().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_session_the_answer_comes_with_a_state_that_holds_once_and_for_its_call_alone() {
    let galley = placed();
    let person = asks_forms();
    person.answers.lock().unwrap().extend(["green", "blue"]);
    let connected = Connected::without_session(&galley, person.clone()).await;
    let door = json!({ "task": "the door" });
    assert_eq!(text(&connected.call("painter", door.clone()).await), "blue");
    assert_eq!(person.asked.lock().unwrap().len(), 2);

    let once = async |request: CallToolRequestParams| connected.client.call_tool_once(request).await.unwrap();
    let CallToolResponse::InputRequired(asks) = once(call("painter", &door)).await else {
        panic!("no question")
    };
    assert_eq!(asks.input_requests.unwrap().keys().collect::<Vec<_>>(), ["question"]);
    let state = asks.request_state.unwrap();
    let answer = InputResponses::from([("question".to_owned(), json!(accepted("red")))]);
    let mut forged = state.clone();
    forged.pop();
    for (state, arguments) in [(&forged, &door), (&state, &json!({ "task": "the wall" }))] {
        let retry = call("painter", arguments).with_request_state(state).with_input_responses(answer.clone());
        let CallToolResponse::Complete(refused) = once(retry).await else { panic!("taken up") };
        assert!(
            text(&refused).contains("requestState is none of this server for this call"),
            "{}",
            text(&refused)
        );
    }
    let stateless = call("painter", &door).with_input_responses(answer.clone());
    let CallToolResponse::Complete(refused) = once(stateless).await else { panic!("a second run") };
    assert!(text(&refused).contains("without the requestState"), "{}", text(&refused));
    let retry = call("painter", &door).with_request_state(&state).with_input_responses(answer);
    let CallToolResponse::Complete(result) = once(retry.clone()).await else { panic!("asked again") };
    assert_eq!(text(&result), "red");
    let CallToolResponse::Complete(refused) = once(retry).await else { panic!("taken up twice") };
    assert!(text(&refused).contains("no longer waits for this answer"), "{}", text(&refused));
    // What still waits at the end is stopped.
    let CallToolResponse::InputRequired(_) = once(call("painter", &door)).await else {
        panic!("no question")
    };
    connected.ends().await;
    assert_eq!(galley.statuses(), ["cancelled", "finished", "finished"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_of_tasks_looks_at_its_run_answers_it_and_cancels_it() {
    let galley = placed();
    let capabilities = ClientCapabilities::builder().enable_elicitation().enable_tasks().build();
    let person = Person { capabilities, ..Person::default() };
    let connected = Connected::without_session(&galley, person).await;
    let begun = async || {
        let response = connected.client.call_tool_once(call("painter", &json!({ "task": "the door" }))).await;
        let CallToolResponse::Task(begun) = response.unwrap() else { panic!("no task") };
        begun.task.task_id
    };
    let until = async |task: &str, status: TaskStatus| loop {
        let found = connected.client.get_task(GetTaskParams::new(task)).await.unwrap().task;
        if found.status() == status {
            return found;
        }
        assert!(!found.status().is_terminal(), "{found:?}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    };
    let task = begun().await;
    let asking = until(&task, TaskStatus::InputRequired).await;
    assert_eq!(asking.task.status_message.as_deref(), Some("Painting"));
    let answer = InputResponses::from([("question-1".to_owned(), json!(accepted("blue")))]);
    connected.client.update_task(UpdateTaskParams::new(&task, answer)).await.unwrap();
    let TaskPayload::Completed { result } = until(&task, TaskStatus::Completed).await.payload else {
        panic!()
    };
    assert_eq!(result["structuredContent"]["output"], "blue");
    let task = begun().await;
    until(&task, TaskStatus::InputRequired).await;
    connected.client.cancel_task(CancelTaskParams::new(&task)).await.unwrap();
    until(&task, TaskStatus::Cancelled).await;
    assert_eq!(galley.statuses(), ["cancelled", "finished"]);
    connected.ends().await;
}

//! Data sets and evaluations: what is kept of them, and who may work on them.

use evaluation::{Case, Criterion, DataSet, Expectation};
use kernel::{Code, Json};
use serde_json::json;
use store::{Replacement, Store};

fn case(question: &str) -> Case {
    let inputs = [("question".to_owned(), Json(json!(question)))].into();
    Case {
        inputs,
        expect: vec![Expectation::of_text(Criterion::Contains("Paris".into()))],
        ..Case::default()
    }
}

fn set(cases: Vec<Case>) -> DataSet {
    let expect = vec![Expectation::of_text(Criterion::Lacks("sorry".into()))];
    DataSet { name: "capitals".into(), pipeline: "quiz".into(), expect, cases }
}

#[tokio::test]
async fn a_set_is_replaced_only_when_asked_for_and_takes_cases_of_its_pipeline() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    store.save_data_set(set(vec![case("a"), case("b")]), false).await.unwrap();
    assert_eq!(store.save_data_set(set(vec![]), false).await.unwrap_err().code, Code::BadInput);
    assert_eq!(store.add_case("capitals", "quiz", case("c")).await.unwrap(), 3);
    assert_eq!(store.add_case("capitals", "other", case("d")).await.unwrap_err().code, Code::BadInput);
    assert_eq!(store.data_set("capitals").await.unwrap(), set(vec![case("a"), case("b"), case("c")]));
    store.save_data_set(set(vec![case("e")]), true).await.unwrap();
    assert_eq!(store.data_set("capitals").await.unwrap(), set(vec![case("e")]));
    assert_eq!(store.add_case("new", "quiz", case("f")).await.unwrap(), 1);
    let cards = store.data_sets().await.unwrap();
    assert_eq!(
        cards.iter().map(|card| (card.name.as_str(), card.cases)).collect::<Vec<_>>(),
        [("capitals", 1), ("new", 1)]
    );
    store.remove_data_set("new").await.unwrap();
    assert_eq!(store.data_set("new").await.unwrap_err().code, Code::NotFound);
}

#[tokio::test]
async fn one_process_works_on_an_evaluation_and_a_recovery_keeps_it() {
    let folder = tempfile::tempdir().unwrap();
    let (store, other) = (Store::open(folder.path()).unwrap(), Store::open(folder.path()).unwrap());
    store.save_data_set(set(vec![case("a")]), false).await.unwrap();
    store.create_evaluation("e1", "capitals", "{}".into()).await.unwrap();
    store.put_cell("e1", 1, "1".into()).await.unwrap();
    store.put_cell("e1", 0, "0".into()).await.unwrap();
    store.put_cell("e1", 1, "2".into()).await.unwrap();
    for refused in [
        other.hold_evaluation("e1").await,
        other.remove_evaluation("e1").await,
        other.put_cell("e1", 0, "9".into()).await,
    ] {
        assert_eq!(refused.unwrap_err().code, Code::Busy);
    }
    assert!(other.evaluation("e1").await.unwrap().is_held);
    // It ends without a word; its process is gone then.
    store.close().await;
    drop(store);
    assert!(!other.evaluation("e1").await.unwrap().is_held);
    other.hold_evaluation("e1").await.unwrap();
    other.end_evaluation("e1", "finished").await.unwrap();
    other.close().await;
    drop(other);

    Store::recover(folder.path(), &Replacement::Readable).unwrap();
    let store = Store::open(folder.path()).unwrap();
    assert_eq!(store.data_set("capitals").await.unwrap().cases.len(), 1);
    let kept = store.evaluations().await.unwrap();
    assert_eq!((kept.len(), kept[0].ending.as_deref(), kept[0].is_held), (1, Some("finished"), false));
    let cells = [(0, "0".to_owned()), (1, "2".to_owned())];
    assert_eq!(
        store.evaluation_cells(&store.resolve_evaluation("last").await.unwrap()).await.unwrap(),
        cells
    );
    store.remove_evaluation("e1").await.unwrap();
    assert_eq!(store.resolve_evaluation("e").await.unwrap_err().code, Code::NotFound);
}

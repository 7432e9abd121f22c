//! `galley again`, `galley rewrite` and `galley instructions`.

use serde_json::{Value, json};
use testkit::{NewsModel, Reply};

use super::galley::{Galley, server};

#[test]
fn a_run_is_run_again_as_it_was_and_with_what_is_said_otherwise() {
    let galley = Galley::new();
    let first = galley.news("retrieval-augmented generation", &["--limit", "max_llm_calls=5", "--json"]).ok();
    let again = galley.run(["again", "last", "--json"]).ok();
    let (one, other) = (first.result(), again.result());
    assert_ne!(one["run"], other["run"]);
    for same in ["output", "outcome"] {
        assert_eq!(one[same], other[same], "{same}");
    }
    assert_eq!(one["state"]["user_topic"], other["state"]["user_topic"]);
    let changed = galley
        .run(["again", one["run"].as_str().unwrap(), "--input", "user_topic=language models", "--json"])
        .ok();
    assert_eq!(changed.result()["state"]["user_topic"], "language models");
    let unknown = galley.run(["again", "last", "--input", "topick=x"]).exits(2);
    assert!(unknown.err.contains("has no input `topick`"), "{}", unknown.err);
    galley.run(["again", "none"]).exits(2);
}

#[test]
fn a_text_is_rewritten_in_one_step_and_what_needs_a_model_is_refused_in_words() {
    let galley = Galley::new();
    let before = galley.news("retrieval-augmented generation", &[]).ok().out;
    let told = galley.run(["rewrite", "last", "shorter"]).ok();
    assert!(told.out.len() < before.len() && told.out.starts_with("# "), "{}", told.out);
    let runs = galley.run(["runs", "--json"]).ok().lines();
    assert_eq!((runs.len(), &runs[0]["session"]), (2, &runs[1]["session"]));
    for (words, said) in [
        (&["plainer"][..], "`plainer` needs a model"),
        (&["translate", "--language", "Japanese"], "`translate` needs a model"),
        (&["--text", "For the board"], "needs a model"),
        (&["nobler"], "There is no instruction `nobler`; there is shorter, longer, plainer, translate"),
        (&[], "INSTRUCTION"),
        (&["shorter", "--text", "x"], "--text"),
    ] {
        let refused = galley.run(["rewrite", "last"].iter().chain(words)).exits(2);
        assert!(refused.err.contains(said) && refused.out.is_empty(), "{words:?}: {}", refused.err);
    }
    let refused = galley.run(["rewrite", "last", "plainer", "--json"]).exits(2);
    assert_eq!(refused.lines()[0]["error"]["code"], "bad_input");
    assert_eq!(galley.run(["runs", "--json"]).ok().lines().len(), 2, "nothing that is refused is begun");
}

#[test]
fn saved_instructions_are_listed_and_followed_by_their_names() {
    let server = server(|request| match request.asks_for("markdown") {
        true => Reply::Json(json!({"markdown": "For the board it is said [1]."})),
        false => NewsModel::default().answer(request),
    });
    let galley = Galley::asking(&server);
    galley.news("retrieval-augmented generation", &["--profile", "test"]).ok();
    let saved = "[[instruction]]\nname = \"board\"\ntext = \"Write for the members of the board.\"\n";
    std::fs::write(galley.data().join("instructions.toml"), saved).unwrap();
    let listed = galley.run(["instructions", "--json"]).ok().lines();
    let names: Vec<&Value> = listed.iter().map(|line| &line["name"]).collect();
    assert_eq!(json!(names), json!(["shorter", "longer", "plainer", "translate", "board"]));
    assert_eq!((&listed[0]["is_saved"], &listed[4]["is_saved"]), (&json!(false), &json!(true)));
    assert!(galley.run(["instructions"]).ok().out.contains("Write for the members of the board."));
    let told = galley.run(["rewrite", "last", "Board"]).ok();
    assert_eq!(told.out.trim(), "For the board it is said [1].");
    let asked = server.requests().last().unwrap().whole_text();
    assert!(asked.contains("Write for the members of the board."), "the profile is that of the run: {asked}");
    // What stays wrong is told beside the text.
    let wrong = self::server(|request| match request.asks_for("markdown") {
        true => Reply::Json(json!({"markdown": "It is said [9]."})),
        false => NewsModel::default().answer(request),
    });
    galley.add_profile(&wrong.base_url);
    let told = galley.run(["rewrite", "last", "--text", "Say it", "--profile", "test"]).ok();
    assert!(told.err.contains("Note: the text before does not cite [9]"), "{}", told.err);
}

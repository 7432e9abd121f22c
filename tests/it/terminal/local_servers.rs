//! The model servers of this machine in the terminal: listed, added as profiles, told by the doctor.

use serde_json::json;
use testkit::LocalModelServer;

use super::galley::Galley;

fn llama_cpp(window: u64) -> LocalModelServer {
    let answers = [
        ("GET /props".to_owned(), json!({"default_generation_settings": {"n_ctx": window}})),
        ("GET /v1/models".to_owned(), json!({"data": [{"id": "small-1", "owned_by": "llamacpp"}]})),
    ];
    LocalModelServer::start(answers.into(), window)
}

#[test]
fn a_found_server_becomes_a_profile_by_one_command_and_the_doctor_tells_of_it() {
    let server = llama_cpp(600);
    let port = server.address.rsplit(':').next().unwrap().to_owned();
    let mut galley = Galley::new();
    galley.environment.push(("LLAMA_ARG_PORT", port));
    galley.environment.push(("OLLAMA_HOST", "127.0.0.1:9".to_owned()));
    let listed = galley.run(["profile", "find"]).ok();
    assert!(listed.out.contains("llama.cpp") && listed.out.contains("small-1"), "{}", listed.out);
    assert!(listed.err.contains("galley profile find --add"), "{}", listed.err);
    let doctor = galley.run(["doctor"]);
    assert!(
        doctor.out.contains("On this machine: llama.cpp") && doctor.out.contains("find --add"),
        "{}",
        doctor.out
    );
    galley.run(["profile", "find", "--add"]).ok();
    let again = galley.run(["profile", "find", "--add"]).ok();
    assert!(again.out.contains("llama-cpp"), "{}", again.out);
    let profiles = galley.run(["profile", "list"]).ok().out;
    assert_eq!(profiles.matches("llama-cpp").count(), 1, "{profiles}");
    assert!(profiles.contains(&format!("{}/v1", server.address)), "{profiles}");
    // Its window is too small for a run, which costs no request.
    let run = galley.news("retrieval", &["--profile", "llama-cpp", "--json"]);
    let told = format!("{}{}", run.out, run.err);
    assert!(told.contains("context_exceeded") && told.contains("600"), "{told}");
    assert_eq!(server.chats(), Vec::<serde_json::Value>::new());
}

//! Lists of models: pages, dates of their end, what cannot answer left out.

use models::{ProfileAccess, list_models};
use serde_json::json;
use testkit::{Dialect, Model, ModelServer, ServerOptions};

fn server(dialect: Dialect, body: &serde_json::Value) -> ModelServer {
    let model = Model::Listing { status: 200, body: body.to_string() };
    ModelServer::start(ServerOptions { dialect, ..ServerOptions::default() }, model).unwrap()
}

fn access(provider: &str, server: &ModelServer) -> ProfileAccess {
    ProfileAccess {
        profile: "work".into(),
        provider: provider.into(),
        base_url: server.base_url.clone(),
        key: Some("not-a-key-0123456789".into()),
    }
}

#[tokio::test]
async fn a_list_says_what_people_choose_by_and_leaves_out_what_cannot_answer() {
    let gemini = server(
        Dialect::Gemini,
        &json!({"models": [
            {"name": "models/gemini-3.8-flash", "displayName": "Gemini 3.8 Flash", "inputTokenLimit": 1_048_576, "outputTokenLimit": 65_536, "supportedGenerationMethods": ["generateContent"]},
            {"name": "models/embedding-2", "supportedGenerationMethods": ["embedContent"]},
        ]}),
    );
    let models = list_models(access("gemini", &gemini)).await.unwrap();
    let told: Vec<_> =
        models.iter().map(|model| (model.name.as_str(), model.title.as_str(), model.input_tokens)).collect();
    assert_eq!(told, [("gemini-3.8-flash", "Gemini 3.8 Flash", 1_048_576)]);
    assert_eq!(gemini.requests()[0].query, "pageSize=1000");

    let openai = server(
        Dialect::OpenAi,
        &json!({"data": [{"id": "gpt-4.1", "shutdown_date": "2027-01-14"}, {"id": "gpt-6-luna", "shutdown_date": null}, {"id": ""}]}),
    );
    let models = list_models(access("openai", &openai)).await.unwrap();
    let told: Vec<_> =
        models.iter().map(|model| (model.name.as_str(), model.shutdown_date.as_str())).collect();
    assert_eq!(told, [("gpt-4.1", "2027-01-14"), ("gpt-6-luna", "")]);

    for nonsense in [json!({"hello": "world"}), json!([]), json!({"data": 7}), json!(null)] {
        let server = server(Dialect::OpenAi, &nonsense);
        list_models(access("openai", &server)).await.unwrap_err();
    }
}

#[tokio::test]
async fn the_pages_of_a_list_are_turned_but_not_for_ever() {
    // Every page says that there is one more.
    let anthropic = server(
        Dialect::Anthropic,
        &json!({"data": [{"id": "claude-sonnet-5", "display_name": "Claude Sonnet 5"}], "has_more": true, "last_id": "claude-sonnet-5"}),
    );
    let models = list_models(access("anthropic", &anthropic)).await.unwrap();
    assert_eq!(models.len(), anthropic.count());
    assert!((2..=50).contains(&models.len()), "{}", models.len());
    assert_eq!(anthropic.requests()[1].query, "limit=1000&after_id=claude-sonnet-5");
    assert!(anthropic.requests().iter().all(|request| request.header("anthropic-version").is_some()));
}

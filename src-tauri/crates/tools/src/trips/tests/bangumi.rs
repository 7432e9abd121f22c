use kernel::Code;

use super::*;

async fn titles(service: &Service, keyword: &str) -> Result<Value, Error> {
    ask(TITLE_SEARCH, "bangumi", &service.server, "", json!({"keyword": keyword})).await
}

/// The checks that the real service applies to a search.
fn is_well_asked(asked: &ReceivedRequest) -> Result<(), &'static str> {
    let body = asked.json();
    let limit: u32 = asked.parameter("limit").parse().map_err(|_| "limit")?;
    let wrong = match () {
        () if asked.method != "POST" => "method",
        () if asked.path() != "/v0/search/subjects" => "path",
        () if asked.header("content-type") != "application/json" => "content-type",
        () if !(1..=20).contains(&limit) || asked.parameter("offset") != "0" => "page",
        () if body["keyword"].as_str().is_none_or(str::is_empty) => "keyword",
        () if body["sort"] != "match" => "sort",
        () if ![json!([2]), json!([1, 4, 6])].contains(&body["filter"]["type"]) => "filter",
        () => return Ok(()),
    };
    Err(wrong)
}

#[tokio::test]
async fn titles_are_found_with_their_other_names_and_missing_fields_are_empty() {
    let subjects = json!({"total": 5, "limit": 20, "offset": 0, "data": [
        {"id": 900_001, "type": 2, "name": "硝子の坂", "name_cn": "玻璃坡", "date": "2024-04-06",
         "summary": "\r\n\u{3000}\u{3000}A library.\r\nA hill.", "images": {"large": "https://pictures.example/l.jpg",
         "common": "http://pictures.example/c.jpg", "medium": null},
         "infobox": [{"key": "中文名", "value": "玻璃坡"}, {"key": "别名", "value": [{"v": "Glass Hill"},
            {"k": "ja", "v": "ガラス坂"}, {"v": 7}, "坂", {"v": "Glass Hill"}]}, {"key": "话数", "value": "12"}]},
        {"id": "900002", "name": "", "name_cn": "只有中文", "date": null, "summary": null, "images": null, "infobox": null},
        {"id": 900_003, "name": 283, "infobox": {"key": "别名"}, "date": "soon", "images": {"common": ""}},
        {"id": 0, "name": "without a number"},
        {"id": 900_005, "name": null},
        "no subject"
    ]});
    let service = Service::start(move |asked| match is_well_asked(asked) {
        Ok(()) => Reply::json(&subjects),
        Err(wrong) => refused(wrong),
    });
    let found = titles(&service, " 硝子 ").await.unwrap();
    let candidates = found["candidates"].as_array().unwrap();
    let ids: Vec<i64> = candidates.iter().map(|one| one["id"].as_i64().unwrap()).collect();
    assert_eq!(ids, [900_001, 900_002, 900_003]);
    let first = &candidates[0];
    assert_eq!(first["aliases"], json!(["Glass Hill", "ガラス坂", "坂"]));
    assert_eq!(first["summary"], "A library.\nA hill.");
    assert_eq!(first["image"], "https://pictures.example/c.jpg");
    assert_eq!(first["url"], "https://bgm.tv/subject/900001");
    assert_eq!(first["date"], "2024-04-06");
    assert_eq!((&candidates[1]["name"], &candidates[1]["image"]), (&json!("只有中文"), &json!("")));
    assert_eq!((&candidates[2]["name"], &candidates[2]["date"]), (&json!("283"), &json!("")));
    assert_eq!(service.came.lock().unwrap()[0].json()["keyword"], "硝子");
    assert_eq!(found["attributions"][0]["url"], "https://bgm.tv");
}

#[tokio::test]
async fn other_subject_types_are_searched_when_no_animation_matches() {
    let service = Service::start(|asked| {
        let subject = |id: u32, name: &str| json!({"id": id, "name": name});
        let is_animation = asked.json()["filter"]["type"] == json!([2]);
        let near = subject(1, "坂の上のアポロン");
        let data =
            if is_animation { vec![near] } else { vec![subject(1, "again"), subject(2, "坂の上の雲")] };
        Reply::json(&json!({"total": data.len(), "data": data}))
    });
    let ids = |found: &Value| -> Vec<i64> {
        found["candidates"].as_array().unwrap().iter().map(|one| one["id"].as_i64().unwrap()).collect()
    };
    assert_eq!(ids(&titles(&service, "坂の上の雲").await.unwrap()), [1, 2]);
    assert_eq!(service.came.lock().unwrap().len(), 2);
    assert_eq!(ids(&titles(&service, "坂の上のアポロン").await.unwrap()), [1]);
    assert_eq!(service.came.lock().unwrap().len(), 3);
}

#[tokio::test]
async fn punctuation_is_ignored_and_a_failed_second_search_keeps_the_first_results() {
    let service = Service::start(|asked| match asked.json()["filter"]["type"] == json!([2]) {
        true => Reply::json(&json!({"total": 1, "data": [{"id": 1, "name": "Bocchi the Rock!"}]})),
        false => refused("down"),
    });
    for (keyword, asked) in [("Bocchi the Rock", 1), ("Bocchi", 3)] {
        let found = titles(&service, keyword).await.unwrap();
        assert_eq!(found["candidates"].as_array().unwrap().len(), 1, "{keyword}");
        assert_eq!(service.came.lock().unwrap().len(), asked, "{keyword}");
        assert_eq!(notes(&found).len(), asked / 3, "{keyword}");
    }
}

#[tokio::test]
async fn an_empty_keyword_sends_no_request_and_no_result_is_no_error() {
    let service = Service::answering(json!({"total": 0, "limit": 20, "offset": 0, "data": []}));
    assert_eq!(titles(&service, " \u{3000} ").await.unwrap()["candidates"], json!([]));
    assert!(service.paths().is_empty());
    assert_eq!(titles(&service, "nobody knows it").await.unwrap()["candidates"], json!([]));
}

#[tokio::test]
async fn a_refusal_names_the_service_the_reason_and_the_next_step() {
    let words =
        |description: &str| json!({"title": "Bad Request", "description": description, "request_id": "x"});
    for (service, code, says, quoted) in [
        (
            Service::refusing("403 Forbidden", words("using default User-Agent is forbidden")),
            Code::RequestRefused,
            "this program or this connection",
            "using default User-Agent",
        ),
        (
            Service::refusing("404 Not Found", words("resource can't be found")),
            Code::RequestRefused,
            "HTTP 404",
            "resource can't be found",
        ),
        (
            Service::refusing("400 Bad Request", words("keyword is required")),
            Code::RequestRefused,
            "HTTP 400",
            "keyword is required",
        ),
        (Service::behind_a_page("502 Bad Gateway"), Code::Overloaded, "try again later", "Just a moment"),
    ] {
        let error = titles(&service, "硝子").await.unwrap_err();
        assert_eq!(error.code, code, "{error:?}");
        assert!(error.message.starts_with("Bangumi refused the request"), "{}", error.message);
        assert!(error.message.contains(says) && !error.message.contains("key"), "{}", error.message);
        let words = error.provider_words.unwrap_or_default();
        assert!(words.contains(quoted) || quoted == "Just a moment", "{words}");
    }
}

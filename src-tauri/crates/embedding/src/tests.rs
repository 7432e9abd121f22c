use crate::{Embedding, Encoder, Unavailable, shared};

/// The similarity of two texts.
fn nearness(one: &str, other: &str) -> f64 {
    let encoder = shared().unwrap();
    encoder.encode(one).nearness(&encoder.encode(other))
}

#[test]
fn a_text_is_closest_to_itself_and_closer_to_the_same_meaning_than_to_a_shared_word() {
    assert!(nearness("facial recognition", "facial recognition") > 0.999);
    let asked = "people wrongly arrested because of face recognition";
    let same = nearness(asked, "Man jailed for eleven days on a false face match sues the police");
    let other = nearness(asked, "Speech recognition for people who stutter");
    assert!(same > 0.3 && same > other + 0.2, "{same} {other}");
}

#[test]
fn a_topic_is_near_to_an_article_in_another_language() {
    let asked = "a drought stops new data centres";
    let same = nearness(asked, "千葉・印西のデータセンター、電力不足で稼働延期");
    let other = nearness(asked, "看護師が夜勤の負担に抗議してストライキ");
    assert!(same > other + 0.2, "{same} {other}");
    assert!(nearness("语音识别", "speech recognition") > 0.5);
}

#[test]
fn any_text_has_an_embedding_and_it_keeps_its_place_in_bytes() {
    let encoder = shared().unwrap();
    let long = "word ".repeat(20_000);
    for text in ["", " ", "\u{0}\u{fffd}", "👩‍🔬", "𓀀𓀁", long.as_str(), "機械学習とAI"] {
        let embedding = encoder.encode(text);
        let kept = Embedding::from_bytes(&embedding.to_bytes()).unwrap();
        assert!((embedding.nearness(&embedding) - 1.0).abs() < 1e-4, "{text:.20}");
        assert!((embedding.nearness(&kept) - 1.0).abs() < 0.01, "{text:.20}");
    }
    assert_eq!(Embedding::from_bytes(&[1, 2, 3]), None);
}

#[test]
fn invalid_model_files_are_named_and_not_read() {
    let folder = std::env::temp_dir().join(format!("galley-embedding-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let of = |folder: &std::path::Path| match Encoder::open(folder) {
        Err(Unavailable::Damaged { file, .. }) => file,
        other => format!("{:?}", other.err()),
    };
    assert_eq!(of(&folder), "sp.model");
    std::fs::write(folder.join("sp.model"), b"no model").unwrap();
    assert_eq!(of(&folder), "sp.model");
    let shipped = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../embedding/sp.model");
    std::fs::copy(shipped, folder.join("sp.model")).unwrap();
    std::fs::write(folder.join("weights.npz"), b"PK no archive").unwrap();
    assert_eq!(of(&folder), "weights.npz");
    std::fs::remove_dir_all(&folder).unwrap();
}

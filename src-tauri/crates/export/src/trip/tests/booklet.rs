//! The booklet, read by poppler.

use super::*;
use crate::tests::paper::poppler;

/// Its text without spaces and hyphenation.
fn words(plan: &TripPlan) -> String {
    let text = poppler("pdftotext", &exported(plan, "booklet").bytes, &["-"]);
    text.chars().filter(|c| !c.is_whitespace() && *c != '\u{200B}').collect()
}

#[test]
fn the_booklet_shows_the_whole_trip_in_its_language() {
    let words = words(&uji("ja"));
    for expected in [
        "響け！ユーフォニアム宇治の一日",
        "2026-11-29",
        "宇治駅10:00",
        "宇治·晴れ·5–14°C·降水確率10%",
        "平等院鳳凰堂",
        "Byōdō-inPhoenixHall",
        "10:10まで営業·滞在中に閉まる",
        "到着時は閉まっている",
        "徒歩·808m·10分·推定",
        "第3話12:40",
        "京都府宇治市宇治蓮華116",
        "700円",
        "十円硬貨に描かれている阿弥陀堂。",
        "行かない店·除外済み",
        "幻の喫茶店·位置不明",
        "ミュージアムは日曜日に閉まっています。",
        "©OpenStreetMapcontributors·ODbL1.0",
        "出発地へ戻る·宇治駅",
        "200m",
    ] {
        assert!(words.contains(expected), "{expected} is not in {words}");
    }
    let links = poppler("pdfinfo", &exported(&uji("ja"), "booklet").bytes, &["-url"]);
    assert!(links.contains("https://www.openstreetmap.org/copyright"), "{links}");
}

#[test]
fn ideographs_use_the_variant_of_the_trips_language() {
    for (language, font) in [("ja", "NotoSansCJKjp"), ("zh", "NotoSansCJKsc"), ("en", "NotoSansCJKjp")] {
        let made = exported(&uji(language), "booklet");
        let fonts = poppler("pdffonts", &made.bytes, &[]);
        assert!(fonts.contains(font), "{language}: {fonts}");
        assert!(made.picture.is_some_and(|png| png.starts_with(b"\x89PNG")));
    }
}

#[test]
fn trips_of_one_and_of_many_points_are_typeset_reproducibly() {
    for (plan, pages) in [(many(0), 2), (many(1), 2), (many(60), 6)] {
        let made = exported(&plan, "booklet");
        let about = poppler("pdfinfo", &made.bytes, &[]);
        let count = about.lines().find_map(|line| line.strip_prefix("Pages:")).unwrap().trim().to_owned();
        assert!(count.parse::<usize>().unwrap() >= pages, "{about}");
    }
    assert_eq!(exported(&many(1), "booklet").bytes, exported(&many(1), "booklet").bytes);
}

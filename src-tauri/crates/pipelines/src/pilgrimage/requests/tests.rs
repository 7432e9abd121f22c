use super::*;

fn title_and_place(request: &str) -> (Option<String>, Option<String>) {
    let read = read_request(request);
    (read.title, read.place)
}

#[test]
fn title_and_place_are_read_in_three_languages_and_stay_open_if_not_named() {
    for (request, title, place) in [
        ("I am at Shinjuku and want to visit Your Name locations.", Some("Your Name"), Some("Shinjuku")),
        ("Visit the places of “Glass Hill” near Matsumoto", Some("Glass Hill"), Some("Matsumoto")),
        ("K-On! locations around Kyoto station", Some("K-On!"), Some("Kyoto")),
        ("plan an anime pilgrimage around Matsumoto", None, Some("Matsumoto")),
        ("我在松本站，想去《玻璃坡的租书屋》的取景地", Some("玻璃坡的租书屋"), Some("松本")),
        ("从早上九点开始逛《玻璃坡》的圣地", Some("玻璃坡"), None),
        ("松本駅から「硝子坂の貸本屋」の聖地巡礼をしたい", Some("硝子坂の貸本屋"), Some("松本")),
        ("明日は松本駅から硝子坂の貸本屋の聖地を回りたい", Some("硝子坂の貸本屋"), Some("松本")),
        ("plan something nice", None, None),
    ] {
        let (read_title, read_place) = title_and_place(request);
        assert_eq!((read_title.as_deref(), read_place.as_deref()), (title, place), "{request}");
    }
}

#[test]
fn day_time_radius_and_wishes_are_read() {
    let read = read_request(
        "From Matsumoto on 2026-12-05 at 9:30 am, 「硝子坂の貸本屋」 within 3 km, episodes 2 to 4, at most 8 points, only the cafés",
    );
    assert_eq!(read.details.date.as_deref(), Some("2026-12-05"));
    assert_eq!(read.details.start_time.as_deref(), Some("09:30"));
    assert_eq!(read.details.radius_km, Some(3.0));
    let wishes = Wishes {
        episodes: vec![2, 3, 4],
        most_points: Some(8),
        kinds: vec!["cafe".to_owned()],
        ..Wishes::default()
    };
    assert_eq!(read.details.wishes, wishes);
}

#[test]
fn the_time_of_return_is_not_the_start() {
    for (request, start, end) in [
        ("下午2点从松本站出发", Some("14:00"), None),
        ("午後1時半に松本駅から", Some("13:30"), None),
        ("晚上七点半开始", Some("19:30"), None),
        ("start at 9, back by 6 pm", Some("09:00"), Some("18:00")),
        ("from 10:00 to 16:30", Some("10:00"), Some("16:30")),
        ("18時までに戻りたい", None, Some("18:00")),
        ("9点到17点", Some("09:00"), Some("17:00")),
        ("half past nine in the morning", Some("09:30"), None),
        ("25:00 13pm", None, None),
    ] {
        let details = read_request(request).details;
        assert_eq!((details.start_time.as_deref(), details.end_time.as_deref()), (start, end), "{request}");
    }
}

#[test]
fn a_day_is_read_by_date_weekday_or_distance_and_an_ambiguous_one_is_reported() {
    for (request, day, unclear) in [
        ("on 5 December 2026", Some("2026-12-05"), None),
        ("on December 5th", Some("12-05"), None),
        ("１２月５日に", Some("12-05"), None),
        ("十二月五日去", Some("12-05"), None),
        ("明後日", Some("+2"), None),
        ("周六在秩父", Some("saturday"), None),
        ("tomorrow morning", Some("tomorrow"), None),
        ("next Saturday", None, Some("next Saturday")),
        ("this weekend, on 5 December", Some("12-05"), None),
        ("2026-02-31", None, None),
    ] {
        let details = read_request(request).details;
        assert_eq!((details.date.as_deref(), details.unclear_day.as_deref()), (day, unclear), "{request}");
    }
}

#[test]
fn words_beside_wishes_negate_them() {
    let episodes = |request: &str| {
        let wishes = read_request(request).details.wishes;
        (wishes.episodes, wishes.without_episodes)
    };
    assert_eq!(episodes("episodes 1, 3 and 5-7"), (vec![1, 3, 5, 6, 7], vec![]));
    assert_eq!(episodes("everything except episode 2"), (vec![], vec![2]));
    assert_eq!(episodes("第三集到第五集"), (vec![3, 4, 5], vec![]));
    assert_eq!(episodes("第2話以外"), (vec![], vec![2]));
    assert_eq!(episodes("前三集"), (vec![1, 2, 3], vec![]));
    let kinds = |request: &str| {
        let wishes = read_request(request).details.wishes;
        (wishes.kinds, wishes.without_kinds)
    };
    let named = |kinds: &[&str]| kinds.iter().map(|kind| (*kind).to_owned()).collect::<Vec<_>>();
    assert_eq!(kinds("only cafés and parks"), (named(&["cafe", "park"]), vec![]));
    assert_eq!(kinds("no shrines or temples please"), (vec![], named(&["shrine", "temple"])));
    assert_eq!(kinds("神社以外"), (vec![], named(&["shrine"])));
    assert_eq!(kinds("カフェだけ"), (named(&["cafe"]), vec![]));
    assert_eq!(kinds("there is a café at the corner"), (vec![], vec![]));
    for (request, most, radius) in [
        ("at most five places", Some(5), None),
        ("10ヶ所まで", Some(10), None),
        ("最多三个，两公里以内", Some(3), Some(2.0)),
        ("within 2 miles", None, Some(3.22)),
        ("a 3 km radius", None, Some(3.0)),
        ("半径1.5キロ", None, Some(1.5)),
    ] {
        let details = read_request(request).details;
        assert_eq!((details.wishes.most_points, details.radius_km), (most, radius), "{request}");
    }
}

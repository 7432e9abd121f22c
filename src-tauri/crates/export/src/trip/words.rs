//! The words of trip files, in the languages of trips. They depend on the trip and not on the program's language: a
//! Japanese trip has Japanese files.

use itinerary::{CheckReason, LeftOutReason, TravelMode};

/// The words of one language. `{}` is the placeholder of the value.
pub(crate) struct Words {
    /// The language tag for web pages.
    pub(crate) tag: &'static str,
    pub(crate) start: &'static str,
    pub(crate) arrival: &'static str,
    pub(crate) departure: &'static str,
    pub(crate) stay: &'static str,
    pub(crate) wait: &'static str,
    pub(crate) walking: &'static str,
    pub(crate) transit: &'static str,
    pub(crate) driving: &'static str,
    pub(crate) estimated: &'static str,
    pub(crate) itinerary: &'static str,
    pub(crate) point: &'static str,
    pub(crate) points: &'static str,
    pub(crate) way: &'static str,
    pub(crate) time: &'static str,
    pub(crate) opening: &'static str,
    pub(crate) map: &'static str,
    pub(crate) station: &'static str,
    pub(crate) date: &'static str,
    pub(crate) distance: &'static str,
    pub(crate) duration: &'static str,
    pub(crate) end: &'static str,
    pub(crate) way_back: &'static str,
    pub(crate) left_out: &'static str,
    pub(crate) dropped: &'static str,
    pub(crate) no_position: &'static str,
    pub(crate) weather: &'static str,
    pub(crate) rain: &'static str,
    pub(crate) wind: &'static str,
    pub(crate) remarks: &'static str,
    pub(crate) attributions: &'static str,
    pub(crate) title: &'static str,
    pub(crate) scene: &'static str,
    pub(crate) address: &'static str,
    pub(crate) hours: &'static str,
    pub(crate) admission: &'static str,
    pub(crate) origin: &'static str,
    pub(crate) fixed: &'static str,
    pub(crate) open: &'static str,
    pub(crate) open_until: &'static str,
    pub(crate) opens_at: &'static str,
    pub(crate) closed: &'static str,
    pub(crate) closes_early: &'static str,
    pub(crate) check_new_year: &'static str,
    pub(crate) check_unreadable: &'static str,
    pub(crate) check_uncertain: &'static str,
    pub(crate) hours_unknown: &'static str,
    pub(crate) directions: &'static str,
    pub(crate) local_time: &'static str,
    minutes: &'static str,
    hours_of: &'static str,
    colon: &'static str,
}

#[rustfmt::skip]
static ENGLISH: Words = Words {
    tag: "en", start: "Start", arrival: "Arrival", departure: "Departure", stay: "Stay", wait: "Wait",
    walking: "On foot", transit: "Public transport", driving: "By car", estimated: "estimated",
    itinerary: "Itinerary", point: "Point", points: "Points", way: "Way there", time: "Time", opening: "Open?",
    map: "Map", station: "From", date: "Date", distance: "Distance", duration: "Duration", end: "End",
    way_back: "Back to the start", left_out: "Not visited", dropped: "left out by choice",
    no_position: "its position is not known", weather: "Weather", rain: "Rain", wind: "Wind", remarks: "Good to know",
    attributions: "Sources of the data", title: "Work", scene: "Scene", address: "Address", hours: "Opening hours",
    admission: "Admission", origin: "Source", fixed: "fixed here", open: "open", open_until: "open until {}",
    opens_at: "opens at {}", closed: "closed on arrival", closes_early: "closes during the visit",
    check_new_year: "check: hours differ around New Year", check_unreadable: "check: the hours cannot be read",
    check_uncertain: "check: the hours do not decide it", hours_unknown: "hours not known",
    directions: "Directions in Google Maps", local_time: "All times are local times.",
    minutes: "{} min", hours_of: "{} h", colon: ": ",
};

#[rustfmt::skip]
static CHINESE: Words = Words {
    tag: "zh-Hans", start: "起点", arrival: "到达", departure: "离开", stay: "停留", wait: "等候",
    walking: "步行", transit: "公共交通", driving: "驾车", estimated: "估算",
    itinerary: "行程", point: "地点", points: "地点", way: "路程", time: "时间", opening: "开放情况",
    map: "地图", station: "出发地", date: "日期", distance: "总路程", duration: "总时长", end: "结束",
    way_back: "返回起点", left_out: "未安排的地点", dropped: "已被去掉",
    no_position: "位置不明", weather: "天气", rain: "降水概率", wind: "风速", remarks: "须知",
    attributions: "数据来源", title: "作品", scene: "场景", address: "地址", hours: "开放时间",
    admission: "门票", origin: "来源", fixed: "固定位置", open: "开放", open_until: "开放至 {}",
    opens_at: "{} 开门", closed: "到达时已关闭", closes_early: "停留期间关门",
    check_new_year: "请确认：年末年初时间不同", check_unreadable: "请确认：开放时间无法读取",
    check_uncertain: "请确认：开放时间无法判定", hours_unknown: "开放时间不明",
    directions: "谷歌地图路线", local_time: "所有时间均为当地时间。",
    minutes: "{} 分钟", hours_of: "{} 小时", colon: "：",
};

#[rustfmt::skip]
static JAPANESE: Words = Words {
    tag: "ja", start: "出発地", arrival: "到着", departure: "出発", stay: "滞在", wait: "待ち時間",
    walking: "徒歩", transit: "公共交通", driving: "車", estimated: "推定",
    itinerary: "旅程", point: "スポット", points: "スポット", way: "移動", time: "時刻", opening: "営業状況",
    map: "地図", station: "出発地", date: "日付", distance: "総距離", duration: "所要時間", end: "終了",
    way_back: "出発地へ戻る", left_out: "訪問しないスポット", dropped: "除外済み",
    no_position: "位置不明", weather: "天気", rain: "降水確率", wind: "風速", remarks: "お知らせ",
    attributions: "データの出典", title: "作品", scene: "シーン", address: "住所", hours: "営業時間",
    admission: "料金", origin: "出典", fixed: "順番固定", open: "営業中", open_until: "{} まで営業",
    opens_at: "{} に開く", closed: "到着時は閉まっている", closes_early: "滞在中に閉まる",
    check_new_year: "要確認：年末年始は異なる", check_unreadable: "要確認：営業時間を読み取れない",
    check_uncertain: "要確認：営業時間から決まらない", hours_unknown: "営業時間不明",
    directions: "Google マップの経路", local_time: "時刻はすべて現地時間です。",
    minutes: "{}分", hours_of: "{}時間", colon: "：",
};

impl Words {
    /// The words of a language; English for any other.
    pub(crate) fn of(language: &str) -> &'static Words {
        match language.split(['-', '_']).next() {
            Some("zh") => &CHINESE,
            Some("ja") => &JAPANESE,
            _ => &ENGLISH,
        }
    }

    /// The name of a travel mode.
    pub(crate) fn mode(&self, mode: TravelMode) -> &'static str {
        match mode {
            TravelMode::Walking => self.walking,
            TravelMode::Transit => self.transit,
            TravelMode::Driving => self.driving,
        }
    }

    /// The reason why a point is not visited.
    pub(crate) fn reason(&self, reason: LeftOutReason) -> &'static str {
        match reason {
            LeftOutReason::Dropped => self.dropped,
            LeftOutReason::NoPosition => self.no_position,
        }
    }

    /// What to check about the hours of a point.
    pub(crate) fn check(&self, reason: CheckReason) -> &'static str {
        match reason {
            CheckReason::NewYear => self.check_new_year,
            CheckReason::Unreadable => self.check_unreadable,
            CheckReason::Uncertain => self.check_uncertain,
        }
    }

    /// A name with its value.
    pub(crate) fn pair(&self, name: &str, value: &str) -> String {
        format!("{name}{}{value}", self.colon)
    }

    /// A duration in minutes, from an hour on in hours and minutes.
    pub(crate) fn lasting(&self, seconds: u32) -> String {
        let minutes = seconds.saturating_add(30) / 60;
        let written = |form: &str, number: u32| form.replace("{}", &number.to_string());
        match (minutes / 60, minutes % 60) {
            (0, minutes) => written(self.minutes, minutes),
            (hours, 0) => written(self.hours_of, hours),
            (hours, minutes) => {
                let gap = if self.minutes.contains(' ') { " " } else { "" };
                format!("{}{gap}{}", written(self.hours_of, hours), written(self.minutes, minutes))
            }
        }
    }
}

/// A length in metres, from a kilometre on in kilometres; the same in all languages.
pub(crate) fn length(metres: u32) -> String {
    match metres {
        0..1000 => format!("{metres} m"),
        _ if metres.is_multiple_of(1000) => format!("{} km", metres / 1000),
        _ => format!("{:.1} km", f64::from(metres) / 1000.0),
    }
}

//! Words that exclude each other: "opened" and "closed", "增加" and "减少".

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::tokens::stem;

/// Pairs of word lists: each word of one list excludes each word of the other.
static OPPOSITES: &[(&str, &str)] = &[
    (
        "open opened opens reopen reopened resume resumed operating unlocked",
        "close closed closes shut suspended halted locked closure",
    ),
    (
        "rise rose risen rising increase increased increasing grew grown growing gained climbed gains soared jumped improved doubled",
        "fall fell fallen falling decrease decreased decreasing drop dropped decline declined shrank shrunk plunged reduced worsened halved",
    ),
    ("pass passed passes", "fail failed fails failure"),
    (
        "accept accepted adopt adopted approve approved grant granted agree agreed confirmed",
        "reject rejected refuse refused deny denied declined withdrawn",
    ),
    ("win wins won", "lose loses lost"),
    (
        "succeed succeeded successful successfully success worked",
        "fail failed failure unsuccessful unsuccessfully",
    ),
    ("hire hired recruit recruited", "dismiss dismissed fired"),
    ("keep kept retain retained preserved", "remove removed scrapped abolished discarded demolished"),
    ("present attended", "absent missed"),
    ("early ahead punctual punctually", "late delayed behind overdue"),
    ("complete completed finished", "incomplete unfinished abandoned cancelled"),
    ("safe safely", "unsafe dangerous hazardous"),
    ("satisfied happy pleased content", "dissatisfied unhappy disappointed displeased"),
    ("working functioning intact operational", "broken faulty defective damaged"),
    ("clean", "dirty contaminated polluted"),
    ("free clear accessible", "blocked obstructed inaccessible"),
    ("full", "empty"),
    ("held", "cancelled postponed"),
    ("allow allowed permit permitted", "ban banned forbid forbidden prohibit prohibited"),
    ("valid", "expired invalid"),
    ("profit surplus", "loss deficit"),
    ("improve improved better", "deteriorate deteriorated worse worsened"),
    ("public", "private"),
    ("above exceeded", "below"),
    ("repaired fixed", "unrepaired broken"),
    ("start started begin began launched", "stop stopped cancelled abandoned postponed"),
    ("indoors inside", "outdoors outside"),
    ("support supported favour", "oppose opposed against"),
    ("easy simple", "difficult hard"),
    ("sufficient enough adequate", "insufficient inadequate"),
    ("new", "old"),
    ("more", "fewer less"),
    ("longer", "shorter"),
    ("higher", "lower"),
    ("highest most largest best", "lowest least smallest worst"),
    ("faster quicker", "slower"),
    ("before", "after"),
    ("confirmed confirms", "denied denies"),
];

/// The same in Chinese and Japanese, which put no spaces between words.
pub static OPPOSITES_WITHOUT_SPACES: &[(&[&str], &[&str])] = &[
    (
        &[
            "恢复", "复工", "开业", "营业", "开放", "生产", "运行", "启动", "继续", "投产", "複業", "営業",
            "開館", "開放", "開店", "再開", "稼働", "実施", "開催", "継続", "举行", "举办",
        ],
        &[
            "停产", "停工", "停业", "关闭", "停止", "暂停", "中止", "停运", "取消", "休業", "休館", "閉館",
            "閉鎖", "閉店", "休止", "延期",
        ],
    ),
    (
        &[
            "增加", "上升", "提高", "增长", "扩大", "延长", "上涨", "増加", "上昇", "増え", "拡大", "延長",
            "改善", "好转", "向上",
        ],
        &[
            "减少", "下降", "降低", "缩短", "缩小", "下跌", "減少", "低下", "減っ", "減り", "縮小", "短縮",
            "悪化", "恶化",
        ],
    ),
    (&["成功"], &["失败", "失敗"]),
    (&["合格", "达标"], &["不合格", "超标", "未达标"]),
    (
        &["批准", "通过", "同意", "赞成", "承認", "可決", "賛成", "受理"],
        &["否决", "驳回", "拒绝", "反对", "却下", "否決", "反対", "拒否"],
    ),
    (&["提前", "前倒し"], &["推迟", "延期", "延误", "遅延", "遅れ", "拖延"]),
    (&["盈利", "黒字", "盈余"], &["亏损", "赤字"]),
    (&["出席", "到场", "参加"], &["缺席", "欠席", "不参加"]),
    (&["满意", "満足"], &["不满", "不満"]),
    (&["正常", "完好", "良好"], &["异常", "异様", "損壊", "损坏", "破损", "異常", "不良"]),
    (&["安全"], &["危险", "危険"]),
    (&["保留", "存続"], &["拆除", "废除", "撤去", "廃止"]),
    (&["公开", "公開"], &["保密", "非公開"]),
    (&["有效", "有効"], &["失效", "无效", "無効"]),
    (&["充足", "十分な"], &["不足"]),
    (&["早い", "早く"], &["遅い", "遅く"]),
];

/// The index of a pair of opposites, and whether the word is in its first list.
pub type OppositeSide = (usize, bool);

fn english() -> &'static HashMap<u64, Vec<OppositeSide>> {
    static TABLE: OnceLock<HashMap<u64, Vec<OppositeSide>>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table: HashMap<u64, Vec<OppositeSide>> = HashMap::new();
        for (pair, (one, other)) in OPPOSITES.iter().enumerate() {
            for (words, side) in [(one, true), (other, false)] {
                for word in words.split(' ') {
                    let sides = table.entry(stem(word)).or_default();
                    if !sides.contains(&(pair, side)) {
                        sides.push((pair, side));
                    }
                }
            }
        }
        table
    })
}

/// All pairs of opposites, with the side, that contain a lower-case English word.
pub fn opposite_sides(lowered: &str) -> &'static [OppositeSide] {
    english().get(&stem(lowered)).map_or(&[], Vec::as_slice)
}

/// Whether a text contains a Chinese or Japanese word without a negation directly before it.
pub fn says_undenied(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| !text[..at].ends_with(['不', '未', '非', '無', '无', '没']))
}

//! Family names, which identify persons in Chinese and Japanese, where no capitals do.

/// Chinese ones of a single character, except common words.
static CHINESE: &str = "王李张張刘劉陈陳杨楊赵趙黄黃周吴吳徐孙孫胡朱郭罗羅梁宋郑鄭谢謝韩韓唐冯馮董萧曹袁邓鄧许許傅沈曾彭吕\
    呂苏蘇卢盧蒋蔣蔡贾賈丁魏薛叶葉阎閻余潘杜戴钟鐘汪姜范姚谭譚廖邹鄒熊陆陸郝孔崔康毛邱秦顾顧侯邵孟龙龍段雷钱\
    錢汤湯尹黎贺賀赖龚";

/// Japanese ones.
static JAPANESE: &str = "佐藤 鈴木 高橋 田中 渡辺 渡邊 伊藤 山本 中村 小林 加藤 吉田 山田 佐々木 山口 松本 井上 木村 斎藤 斉藤 清水 山崎 \
    池田 橋本 阿部 石川 前田 藤田 小川 後藤 岡田 長谷川 村上 近藤 石井 坂本 遠藤 青木 藤井 西村 福田 太田 三浦 藤原 \
    岡本 松田 中川 中野 原田 小野 田村 竹内 金子 和田 中山 石田 上田 森田 柴田 酒井 工藤 横山 宮崎 宮本 内田 高木 \
    安藤 谷口 大野 丸山 今井 河野 藤本 村田 武田 上野 杉山 増田 平野 小島 千葉 久保 松井 岩崎 木下 野口 松尾 菊地 \
    菊池 野村 渡部 佐野 新井 古川 小松 高田 水野 菅原 市川 杉本 大塚 島田 浜田 桜井";

/// Words before or after a name that show that it is one.
static BEFORE: &[&str] =
    &["由", "员", "師", "师", "長", "长", "任", "者", "人", "理", "为", "是", "：", "、"];
static BEHIND: &[&str] =
    &["先生", "女士", "老师", "主任", "经理", "教授", "医生", "博士", "同志", "氏", "さん", "様"];

/// Names of persons in a sentence that do not occur in the sources. `is_known`: whether two characters are adjacent in
/// them; `has`: whether they contain a text.
pub(crate) fn unknown_persons(
    sentence: &str,
    is_known: impl Fn(char, char) -> bool,
    has: impl Fn(&str) -> bool,
) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    if sentence.is_ascii() {
        return found;
    }
    found.extend(JAPANESE.split(' ').filter(|name| sentence.contains(name) && !has(name)).map(str::to_owned));
    let letters: Vec<(usize, char)> = sentence.char_indices().collect();
    let is_part = |at: usize| {
        letters.get(at).is_some_and(|(_, letter)| {
            prose::is_ideographic(*letter)
                && !prose::is_hiragana(*letter)
                && !"由的在与和至到为有是于".contains(*letter)
        })
    };
    // A character that is adjacent to neither neighbour in the sources.
    let is_new = |at: usize| {
        let pairs = |first: usize| {
            !(is_part(first) && is_part(first + 1) && is_known(letters[first].1, letters[first + 1].1))
        };
        is_part(at) && pairs(at) && at.checked_sub(1).is_none_or(pairs)
    };
    let mut at = 0;
    while at < letters.len() {
        if !is_new(at) {
            at += 1;
            continue;
        }
        let last = (at..letters.len()).take_while(|next| is_new(*next)).last().unwrap_or(at) + 1;
        let end = letters.get(last).map_or(sentence.len(), |(byte, _)| *byte);
        let name = &sentence[letters[at].0..end];
        let tells = |words: &[&str], text: &str, ends: bool| {
            words.iter().any(|word| if ends { text.ends_with(word) } else { text.starts_with(word) })
        };
        let is_told = tells(BEFORE, &sentence[..letters[at].0], true)
            || tells(BEHIND, &sentence[end..], false)
            || tells(BEHIND, name, true);
        let is_long_enough = last - at == 3 || last - at == 2 && is_told;
        if CHINESE.contains(letters[at].1) && is_long_enough && !has(name) {
            found.push(name.to_owned());
        }
        at = last;
    }
    found
}

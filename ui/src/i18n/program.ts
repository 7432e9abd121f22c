// Sentences that the program itself says before a run begins, in other languages: by their English forms, as pipelines bring
// theirs. What is not here is read in English.
const ZH = {
  "With {most} tokens the run cannot come to its end: it needs at least {least}. It will pause and ask.": "{most} 个 token 不够运行到结束：至少需要 {least} 个。届时会暂停并询问。",
  "With ${most} the run cannot come to its end: it costs at least ${least}. It will pause and ask.": "${most} 不够运行到结束：至少需要 ${least}。届时会暂停并询问。",
  "The limit of ${most} cannot hold: the price of {models} is not known, so its calls count for nothing there. Put the price into `prices.toml` in the data folder, or limit the tokens.":
    "${most} 的上限无法生效：{models} 的价格未知，其调用不会计入。请把价格写入数据文件夹中的 `prices.toml`，或限制 token 数。",
  "The environment variable `{variable}`, where profile `{name}` finds its key, is not set; set it and try again": "配置 `{name}` 的密钥应在环境变量 `{variable}` 中，但该变量未设置；请设置后重试",
  "The environment variable `{variable}`, where the service `{name}` finds its key, is not set; set it and try again": "服务 `{name}` 的密钥应在环境变量 `{variable}` 中，但该变量未设置；请设置后重试",
  "Profile `{name}` has no key here. Open the profile and save one, or {way}": "配置 `{name}` 没有密钥。请打开该配置并保存一个密钥",
  "Who stands in cannot: {why}": "替补配置无法使用：{why}",
  "profile `{name}` has no key here. Open the profile and save one, or {way}": "配置 `{name}` 没有密钥。请打开该配置并保存一个密钥",
  "the environment variable `{variable}`, where profile `{name}` finds its key, is not set; set it and try again": "配置 `{name}` 的密钥应在环境变量 `{variable}` 中，但该变量未设置；请设置后重试",
  "The source `{source}` has no key, so the search will fail; keys are given out at {page}, and a profile of `{name}` keeps one": "来源 `{source}` 没有密钥，搜索会失败；可在 {page} 获取密钥，并保存在 `{name}` 的配置中",
  "{title} has no base URL yet; set where it is: {way}": "{title} 还没有地址；请在设置中填写它的地址",
  "The source is `{source}`: {what}": "来源是 `{source}`：{what}",
  "the open news; the library when the web cannot be searched, which is then said.": "公开新闻；无法搜索网络时使用资料库，并会说明。",
  "The latest article of {library} is of {latest}; searched as of {day}, nothing may be recent enough. Begin the run as of {again}.": "{library}中最新的文章日期为 {latest}；以 {day} 为准搜索时，可能没有足够新的内容。请以 {again} 为准开始运行。",
  "the library": "资料库",
  "the library, which is searched where the web cannot be reached,": "无法访问网络时搜索的资料库",
};

const JA = {
  "With {most} tokens the run cannot come to its end: it needs at least {least}. It will pause and ask.": "{most} トークンでは最後まで実行できません。少なくとも {least} 必要です。途中で止まって尋ねます。",
  "With ${most} the run cannot come to its end: it costs at least ${least}. It will pause and ask.": "${most} では最後まで実行できません。少なくとも ${least} かかります。途中で止まって尋ねます。",
  "The limit of ${most} cannot hold: the price of {models} is not known, so its calls count for nothing there. Put the price into `prices.toml` in the data folder, or limit the tokens.":
    "${most} の上限は守れません。{models} の料金が不明で、その呼び出しは数えられないためです。データフォルダーの `prices.toml` に料金を書くか、トークン数を制限してください。",
  "The environment variable `{variable}`, where profile `{name}` finds its key, is not set; set it and try again": "プロファイル `{name}` のキーを入れる環境変数 `{variable}` が設定されていません。設定してからやり直してください",
  "The environment variable `{variable}`, where the service `{name}` finds its key, is not set; set it and try again": "サービス `{name}` のキーを入れる環境変数 `{variable}` が設定されていません。設定してからやり直してください",
  "Profile `{name}` has no key here. Open the profile and save one, or {way}": "プロファイル `{name}` にはキーがありません。プロファイルを開いて保存してください",
  "Who stands in cannot: {why}": "代わりのプロファイルも使えません：{why}",
  "profile `{name}` has no key here. Open the profile and save one, or {way}": "プロファイル `{name}` にはキーがありません。プロファイルを開いて保存してください",
  "the environment variable `{variable}`, where profile `{name}` finds its key, is not set; set it and try again": "プロファイル `{name}` のキーを入れる環境変数 `{variable}` が設定されていません。設定してからやり直してください",
  "The source `{source}` has no key, so the search will fail; keys are given out at {page}, and a profile of `{name}` keeps one": "情報源 `{source}` にキーがないため、検索は失敗します。キーは {page} で取得でき、`{name}` のプロファイルに保存できます",
  "{title} has no base URL yet; set where it is: {way}": "{title} のアドレスがまだありません。設定で入力してください",
  "The source is `{source}`: {what}": "情報源は `{source}`：{what}",
  "the open news; the library when the web cannot be searched, which is then said.": "公開ニュース。ウェブを検索できないときはライブラリを使い、その旨を表示します。",
  "The latest article of {library} is of {latest}; searched as of {day}, nothing may be recent enough. Begin the run as of {again}.": "{library}の最新の記事は {latest} です。{day} 時点で検索すると、十分に新しいものがないかもしれません。{again} 時点として始めてください。",
  "the library": "ライブラリ",
  "the library, which is searched where the web cannot be reached,": "ウェブに接続できないときに検索するライブラリ",
};

/** By language. */
export const program = { zh: ZH, ja: JA };

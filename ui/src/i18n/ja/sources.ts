// Search sources, what they want shown, and the hosts that were contacted, in Japanese.
import type { sources as en } from "../en/sources";

export const sources: Record<keyof typeof en, string> = {
  "help.hosts": "このセッションで接続したホスト",
  "help.hosts.help": "起動してから検索とモデルが接続したすべてのホスト。新しい順です。",
  "help.hosts.none": "まだありません。",
  "help.hosts.count": "{n} 回、最後は {when}",
  "settings.sources": "検索の情報源",
  "settings.sources.help": "実行がどこを検索できるか、それぞれに何が要るか。",
  "settings.sources.key.none": "キーなしで使えます",
  "settings.sources.key.optional": "キーを設定できます",
  "settings.sources.key.required": "キーが必要です",
  "settings.sources.of": "{title} の設定",
  "settings.sources.unset": "未設定",
  "settings.contact": "サービスからの連絡先",
  "settings.contact.help":
    "メールアドレスまたはページのアドレス。ツールの要求とともに送られます。Transitous と OpenStreetMap の公開サーバーは、連絡先を名乗るプログラムにだけ答えます。空なら送りません。",
  "settings.sources.feeds": "フィードの一覧は {path} にあります",
  "attribution.title": "検索元が表示を求める内容",
  "attribution.by": "{provider} による検索結果",
  "attribution.frame": "{provider} の検索候補",
  "attribution.searched": "検索した言葉：{queries}",
  "attribution.links": "元のままのリンク {n} 件",
  "sources.undated": "日付なし",
};

// Search sources, what they want shown, and the hosts that were contacted, in Japanese.
import type { sources as en } from "../en/sources";

export const sources: Record<keyof typeof en, string> = {
  "help.hosts": "このセッションで接続したホスト",
  "help.hosts.help": "起動してから検索とモデルが接続したすべてのホスト。新しい順です。",
  "help.hosts.none": "まだありません。",
  "help.hosts.count": "{n} 回、最後は {when}",
  "settings.sources": "情報源",
  "settings.sources.help": "実行が検索できる情報源と、それぞれに必要な設定です。",
  "settings.sources.key.none": "キーなしで使えます",
  "settings.sources.key.optional": "キーは任意",
  "settings.sources.key.required": "キーが必要です",
  "settings.sources.of": "{title} の設定",
  "settings.sources.unset": "未設定",
  "settings.contact": "サービス向けの連絡先アドレス",
  "settings.contact.help":
    "メールアドレスまたはウェブページのアドレス。ツールのリクエストとともに送られます。Transitous と OpenStreetMap の公開サーバーでは必須です。空なら送りません。",
  "settings.sources.feeds": "フィードの一覧は {path} にあります",
  "attribution.title": "サービスが表示を求める出典表示",
  "attribution.by": "{provider} による検索結果",
  "attribution.frame": "{provider} の検索候補",
  "attribution.searched": "検索した言葉：{queries}",
  "attribution.links": "元のリンク {n} 件",
  "sources.undated": "日付なし",
};

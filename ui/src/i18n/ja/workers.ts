// The workers on other machines and their queue, in Japanese.
import type { workers as english } from "../en/workers";

export const workers: Record<keyof typeof english, string> = {
  "workers.title": "ワーカー",
  "workers.help":
    "タスクの手順やリストの各項目を、他のマシンで処理できます。他のマシンは NATS サーバーから受け取ります。",
  "workers.url": "キューのアドレス",
  "workers.url.help": "`nats://HOST:4222`。暗号化する場合は `tls://HOST:4222`。空なら、すべてこのマシンで処理します。",
  "workers.key.help":
    "トークン、`nats://USER@HOST` の `USER` のパスワード、nkey のシード、または認証情報ファイルの内容。",
  "workers.key.keeps": "空のままなら、保存済みのキーを保ちます。",
  "workers.key.again": "保存済みのキーは別のアドレスのものです。もう一度入力してください。",
  "workers.key.missing": "キー",
  "workers.save": "保存",
  "workers.saved": "保存しました。",
  "workers.here": "このマシンでの処理に戻す",
  "workers.here.done": "すべてこのマシンで処理します。",
  "workers.connecting": "サーバーに問い合わせています…",
  "workers.unusable": "キューを使えません",
  "workers.unusable.advice":
    "アドレスとキーを確認してください。それまで、ワーカーに送られる手順は失敗しますが、後で再開できます。",
  "workers.queue": "キュー",
  "workers.server": "サーバー",
  "workers.server.encrypted": "NATS {version}（暗号化あり）",
  "workers.server.open": "NATS {version}（暗号化なし）",
  "workers.server.open.warning":
    "接続は暗号化されていません。ネットワークを見られる人は、キーとサブタスクを読めます。`tls://` を使ってください。",
  "workers.sub_tasks": "キューのサブタスク",
  "workers.dead": "保留",
  "workers.dead.help":
    "{n} 件のサブタスクは、何度か試した後に断念されたか、読み取れません。理由とともにストリーム `GALLEY_DEAD_LETTERS` に残っています。",
  "workers.list": "直近 30 秒に応答のあったワーカー",
  "workers.role": "役割",
  "workers.name": "名前",
  "workers.load": "負荷",
  "workers.load.of": "{working} / {most}",
  "workers.heard": "最終応答",
  "workers.heard.ago": "{seconds} 秒前",
  "workers.none": "ワーカーがいません。別のマシンで起動してください：",
  "workers.none.key": "そのマシンの変数 `{name}` に、キューのキーを入れます。",
  "workers.command": "ワーカーを起動するコマンド",
  "workers.command.copy": "コマンドをコピー",
  "find.workers": "キュー、NATS、JetStream、ワーカー、マシン、クラスター、分散、リモート",
};

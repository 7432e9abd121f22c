// What the queue of workers on other machines says, in Japanese.
export const queue: Record<string, string> = {
  "A message of the queue cannot be read: {why}": "キューのメッセージを読めません：{why}",
  "A value of {bytes} bytes is too large for the queue, which takes {most} at the most. Ask for less at once":
    "値が {bytes} バイトあり、キューの上限 {most} バイトを超えています。一度に求める量を減らしてください",
  "A worker gave no answer of a model: {why}": "ワーカーがモデルの回答を返しませんでした：{why}",
  "A worker needs a queue: `--queue nats://HOST:PORT`, or the setting `queue.url`":
    "ワーカーにはキューが必要です：そのアドレスか、設定 `queue.url`",
  "A worker needs a role: `--role ResearchAgent`": "ワーカーには役割が必要です（例：`ResearchAgent`）",
  "A worker of the role `{role}` could not do this: {reason}":
    "役割 `{role}` のワーカーはこれを実行できませんでした：{reason}",
  "A worker takes from 1 to {most} sub-tasks at once, not {count}":
    "ワーカーが同時に受け取れるサブタスクは 1 から {most} 件です（指定：{count}）",
  "No worker of the role `{role}` was heard of at {address} for {seconds} s. Start one: `galley worker --role {role} --queue {address}`":
    "{address} で役割 `{role}` のワーカーが {seconds} 秒間見つかりません。起動するか、設定の「ワーカー」でキューを消してください",
  "The NATS server at {address} has no JetStream, or none for this account; start it with `-js`":
    "{address} の NATS サーバーでは JetStream が（このアカウントで）使えません。`-js` を付けて起動してください",
  "The NATS server at {address} is {version}; {needed} or newer is needed":
    "{address} の NATS サーバーは {version} です。{needed} 以降が必要です",
  "The address of a queue holds no password: it would stand in the settings. Write `nats://USER@HOST:PORT` and give the password apart":
    "キューのアドレスにパスワードは書けません（設定に残るため）。`nats://USER@HOST:PORT` と書き、パスワードは別に渡してください",
  "The environment variable `{variable}`, which holds the key of the queue, is not set":
    "キューのキーを持つ環境変数 `{variable}` が設定されていません",
  "The key of a queue has {most} bytes at the most": "キューのキーは最大 {most} バイトです",
  "The queue {address} cannot be reached: {why}. Start its server, or clear the setting `queue.url`":
    "キュー {address} に接続できません：{why}。サーバーを起動するか、設定 `queue.url` を消してください",
  "The name of a role has {most} bytes at the most": "役割の名前は最大 {most} バイトです",
  "The queue {address} has lost this sub-task several times. See that nobody empties its streams, then resume the run":
    "キュー {address} がこのサブタスクを何度も失いました。ストリームを空にしているものがないか確かめてから、実行を再開してください",
  "The queue {address} refused the credentials. Save the right ones: `galley queue set {address} --key-stdin`":
    "キュー {address} が認証情報を拒否しました。設定の「ワーカー」で正しいものを保存してください",
  "The queue {address} takes no more sub-tasks: {why}. Start more workers, or raise the limit of its stream":
    "キュー {address} はこれ以上サブタスクを受け取れません：{why}。ワーカーを増やすか、ストリームの上限を上げてください",
  "The setting `{key}` is `{value}`; it is a number of seconds from 1 to 3600":
    "設定 `{key}` が `{value}` です。1 から 3600 の秒数にしてください",
  "This worker asks no model with the profile `{profile}` for others; start it with `--profile {profile}` where it may":
    "このワーカーは他から頼まれてプロファイル `{profile}` でモデルに尋ねません。このプロファイルを付けて起動する必要があります",
  "This worker does not call `{tool}` for others; start it with `--allow {tool}` where it may":
    "このワーカーは他から頼まれて `{tool}` を呼び出しません。許可を付けて起動する必要があります",
  "`{address}` is no address of a queue; write `nats://HOST:PORT`, or `tls://HOST:PORT` for an encrypted one":
    "`{address}` はキューのアドレスではありません。`nats://HOST:PORT`、暗号化するなら `tls://HOST:PORT` と書いてください",
  "`{tool}` was not called: its server describes it differently to this worker. Set both up alike":
    "`{tool}` は呼び出されませんでした：サーバーの説明がこのワーカーでは異なります。両方の設定を揃えてください",
  "`{tool}` works in the folder of its run, which a worker does not have; give its agent no `worker`":
    "`{tool}` は実行のフォルダーで動きますが、ワーカーにはそれがありません。エージェントに `worker` を書かないでください",
  "{role}: {name} ({working} of {most}, heard {seconds} s ago)":
    "{role}：{name}（{working}/{most}、{seconds} 秒前に応答）",
  "NATS {version} at {url}, {way}; {sub_tasks} sub-tasks wait, {dead} were laid aside; no worker was heard of":
    "NATS {version}、{url}、{way}。待機中のサブタスク {sub_tasks} 件、保留 {dead} 件。ワーカーは見つかりません",
  "NATS {version} at {url}, {way}; {sub_tasks} sub-tasks wait, {dead} were laid aside; {workers}":
    "NATS {version}、{url}、{way}。待機中のサブタスク {sub_tasks} 件、保留 {dead} 件。{workers}",
  encrypted: "暗号化",
  "not encrypted": "暗号化なし",
};

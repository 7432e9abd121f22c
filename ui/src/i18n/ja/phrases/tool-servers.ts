// What the program says of tool servers, in Japanese: by the English forms.
export const toolServers: Record<string, string> = {
  "A call of `{name}` may take from 1 to {most} seconds, not {seconds}":
    "`{name}` の 1 回の呼び出しは 1 秒から {most} 秒までです（指定は {seconds} 秒）",
  "Calls `{tool}` of the tool server `{server}`": "ツールサーバー `{server}` の `{tool}` を呼び出します",
  "Calls `{tool}` of the tool server `{server}`, which says that this may destroy or overwrite something":
    "ツールサーバー `{server}` の `{tool}` を呼び出します。サーバーによると、何かを削除または上書きする可能性があります",
  "The result of `{tool}` has {bytes} bytes; at most {most} are read. Ask for less":
    "`{tool}` の結果は {bytes} バイトです。読み取れるのは {most} バイトまでです。求める内容を減らしてください",
  "The tool server `{name}` cannot be used: {why}. `galley tool-server test {name}` tries it again":
    "ツールサーバー `{name}` は使用できません: {why}。設定の「ツールサーバー」でもう一度テストできます",
  "The tool server `{name}` does not list its tools: {why}":
    "ツールサーバー `{name}` はツールの一覧を返しません: {why}",
  "The tool server `{name}` has both a command and a URL; leave one out":
    "ツールサーバー `{name}` にはコマンドと URL の両方があります。どちらか一方にしてください",
  "The tool server `{name}` has neither a command nor a URL; give it one":
    "ツールサーバー `{name}` にはコマンドも URL もありません。どちらかを指定してください",
  "The tool server `{name}` has no tool `{tool}`; it offers {known}":
    "ツールサーバー `{name}` にツール `{tool}` はありません。提供しているのは {known} です",
  "The tool server `{name}` is switched off": "ツールサーバー `{name}` はオフになっています",
  "The tool server `{server}` needs the environment variable `{env}`, which is not set":
    "ツールサーバー `{server}` には環境変数 `{env}` が必要ですが、設定されていません",
  "The value of `{variable}` is empty, has a line break, or is too long; paste only the value":
    "`{variable}` の値が空か、改行を含むか、長すぎます。値だけを貼り付けてください",
  "There is a tool server `{name}` already; choose another name":
    "ツールサーバー `{name}` は既にあります。別の名前にしてください",
  "There is no tool server `{name}`": "ツールサーバー `{name}` はありません",
  "There is no tool server `{name}`; add it with `galley tool-server add {name}`":
    "ツールサーバー `{name}` はありません。設定の「ツールサーバー」で追加できます",
  "There is no tool server `{name}`; there is {known}": "ツールサーバー `{name}` はありません。あるのは {known} です",
  "This is not a file of MCP servers: {why}. Choose one with `mcpServers` in it, as other programs write it":
    "MCP サーバーのファイルではありません: {why}。ほかのプログラムが書き出した、`mcpServers` を含むファイルを選んでください",
  "You have {most} tool servers already; remove one first":
    "ツールサーバーは既に {most} 個あります。先に 1 つ削除してください",
  "`{name}` cannot be sent as a header": "`{name}` はヘッダーとして送れません",
  "`{name}` cannot be the name of a tool server; use lower-case letters, digits, `-` and `_`, at most {most} characters":
    "`{name}` はツールサーバーの名前にできません。英小文字、数字、`-`、`_` を使い、{most} 文字までにしてください",
  "`{name}` is not a variable or header of this tool server":
    "`{name}` はこのツールサーバーの変数でもヘッダーでもありません",
  "The response of `{tool}` does not match the schema that its server declares":
    "`{tool}` の応答が、自らのスキーマと合いません。サーバー側の問題です",
  "`{tool}` failed, and the server does not say why": "`{tool}` が失敗しました。サーバーは理由を示していません",
  "`{tool}` failed: {why}": "`{tool}` が失敗しました: {why}",
  "`{tool}` failed; the server says: {said}": "`{tool}` が失敗しました。サーバーの説明: {said}",
  "`{tool}` was stopped": "`{tool}` は停止されました",
  "`{url}` is not the address of a tool server; it begins with https:// or http://":
    "`{url}` はツールサーバーのアドレスではありません。https:// または http:// で始めてください",
  "`{variable}` of the tool server `{server}` is not kept for this command or address; save it again":
    "ツールサーバー `{server}` の `{variable}` は、このコマンドまたはアドレス用に保存されていません。もう一度保存してください",
  "it does not speak the protocol of tool servers": "ツールサーバーのプロトコルを話しません",
  "it ended: {last}": "終了しました: {last}",
  "it sent too much data": "求められた以上のものを送ってきました",
  "it speaks other versions of the protocol: {versions}": "プロトコルの別のバージョンを使っています: {versions}",
  "it was not ready in {seconds} seconds": "{seconds} 秒以内に準備が整いませんでした",
  "its response does not follow the protocol": "応答がプロトコルに合いません",
  "its name contains characters other than letters, digits, `_`, `-` and `.`, or is too long":
    "名前に英数字、`_`、`-`、`.` 以外の文字があるか、長すぎます",
  "its schema has more than {most} bytes": "スキーマが {most} バイトを超えています",
  "its schema is not valid: {error}": "スキーマが無効です: {error}",
  "no answer in {seconds} seconds": "{seconds} 秒以内に応答がありませんでした",
  "the connection broke": "接続が切れました",
  "the schema of its input is not that of an object": "入力のスキーマがオブジェクトではありません",
  "the server has two tools of this name": "サーバーに同じ名前のツールが 2 つあります",
  "received {bytes} bytes from {tool}": "{tool} から {bytes} バイト",
  "Your tool servers": "ツールサーバー",
  "What is kept of allowed tools": "許可したツールの記録",
  "it is too long": "長すぎます",
  "it names no server": "サーバーがありません",
  "`{tool}` was not called: its server has described it differently since the call was decided. Ask for it again":
    "`{tool}` は呼び出しませんでした。決定の後にサーバーが説明を変更したためです。もう一度求めてください",
  "its schema contains invisible characters": "スキーマに見えない文字が含まれています",
  "its schema expands to more than {most} parts": "スキーマを展開すると {most} 個を超える部分になります",
  "the server lists more tools than Galley reads": "サーバーの説明するツールが、読み取れる量を超えています",
  "The tool server `{name}` was removed, changed or ended":
    "ツールサーバー `{name}` は削除、変更、または終了されました",
  "`{tool}` asks before it continues: {message}": "`{tool}` が続ける前に尋ねています：{message}",
  "I have done it there": "ページで済ませました",
  "Do not tell": "答えない",
  "End the call": "呼び出しを終える",
  "`{tool}` asks something before it continues": "`{tool}` は続ける前に質問があります",
  "it asks more than Galley passes on": "Galley が取り次ぐ範囲を超える質問です",
  "it wants a model to answer it, which Galley refuses to tool servers":
    "モデルに答えさせようとしましたが、Galley はツールサーバーにそれを許可しません",
  "it wants to know your folders, which Galley refuses to tool servers":
    "フォルダーを知ろうとしましたが、Galley はツールサーバーにそれを許可しません",
  "its question cannot be shown: {why}": "質問を表示できません：{why}",
  "it wants a page opened whose address is not safe": "開こうとしたページのアドレスが安全ではありません",
  "it asks in a way that Galley does not know": "Galley の知らない形で質問しています",
  "its server ended while the question was open": "質問に答える前にサーバーが終了しました",
  "its server cancelled it": "サーバーが取り消しました",
  'No agent of `{pipeline}` takes tools of servers; write `added_tools = "called"` at one, in a copy of your own':
    '`{pipeline}` にはサーバーのツールを使うエージェントがありません。自分の複製で、エージェントに `added_tools = "called"` と書いてください',
  "`{tool}` is not a tool of a server that is set up; write SERVER/TOOL, or SERVER/* for all of its tools":
    "`{tool}` は設定済みのサーバーのツールではありません。SERVER/TOOL、またはすべてのツールなら SERVER/* と書いてください",
  "The tools that are added to `{pipeline}` take about {tokens} tokens of each plan; at most {most} are told. Add fewer of them":
    "`{pipeline}` に追加したツールは計画ごとに約 {tokens} トークンを使います。上限は {most} です。減らしてください",
  "The tool server `{name}` does not give this to read: {why}": "ツールサーバー `{name}` から読めません：{why}",
  "it is not a text": "テキストではありません",
  "it has more than {most} bytes": "{most} バイトを超えています",
  "The tool server `{name}` asks you to sign in: `galley tool-server sign-in {name}`":
    "ツールサーバー `{name}` がサインインを求めています。設定の「ツールサーバー」でサインインしてください",
  "The tool server `{name}` does not allow this to the account that you signed in with; sign in with another: `galley tool-server sign-in {name}`":
    "ツールサーバー `{name}` は、サインインしているアカウントにこの操作を許可していません。設定の「ツールサーバー」で、別のアカウントでサインインしてください",
  "The tool server `{name}` asks for more than you allowed: {scopes}. If you allow it, sign in again with `galley tool-server sign-in {name}`":
    "ツールサーバー `{name}` は、許可済みの範囲を超える権限を求めています: {scopes}。許可する場合は、設定の「ツールサーバー」でもう一度サインインしてください",
  "The sign-in at the tool server `{name}` is over; sign in again: `galley tool-server sign-in {name}`":
    "ツールサーバー `{name}` のサインインは無効になりました。設定の「ツールサーバー」でもう一度サインインしてください",
  "The sign-in at the tool server `{name}` failed: {why}":
    "ツールサーバー `{name}` へのサインインに失敗しました: {why}",
  "The sign-in at the tool server `{name}` cannot be renewed now: {why}. Try again later":
    "ツールサーバー `{name}` のサインインを今は更新できません: {why}。後でもう一度お試しください",
  "The sign-in at `{server}` is being changed by another program that does not let go of it; close it, then try again":
    "`{server}` のサインインを別のプログラムが変更中で、終わりません。そのプログラムを閉じてから、もう一度お試しください",
  "The sign-in at `{server}` cannot be kept in {folder}: {error}":
    "`{server}` のサインインを {folder} に保存できません: {error}",
  "The sign-in at `{name}` was cancelled": "`{name}` へのサインインを取り消しました",
  "The tool server `{name}` gets its header Authorization from you; remove that to sign in instead":
    "ツールサーバー `{name}` のヘッダー Authorization は自分で設定したものです。サインインを使う場合は、それを削除してください",
  "The tool server `{name}` is a program of this machine; there is nowhere to sign in":
    "ツールサーバー `{name}` はこのコンピューターのプログラムなので、サインイン先がありません",
  "The tool server `{name}` lets no program register itself. Register Galley there, then give the client ID: `galley tool-server sign-in {name} --client ID`":
    "ツールサーバー `{name}` では、プログラムが自分を登録できません。そこで Galley を登録し、クライアント ID を指定してサインインしてください",
  "Nobody signed in at `{name}` within {minutes} minutes; try again":
    "{minutes} 分以内に `{name}` へのサインインがありませんでした。もう一度お試しください",
  "No sign-in at `{name}` waits; begin one first": "`{name}` へのサインインは始まっていません。先に始めてください",
  "You are not signed in at the tool server `{name}`": "ツールサーバー `{name}` にサインインしていません",
  "You are signed out at `{name}`. It offers no way to revoke what it gave Galley, which ends by itself":
    "`{name}` からサインアウトしました。トークンを取り消す方法は提供されていませんが、トークンは自然に失効します",
  "You are signed out at `{name}`, but it did not revoke what it gave Galley: {why}. To be sure, remove Galley in your account there":
    "`{name}` からサインアウトしましたが、Galley のトークンは取り消されませんでした: {why}。念のため、そのサービスのアカウントで Galley を削除してください",
  "`{scope}` cannot be a scope; write one word without quotes":
    "`{scope}` はスコープにできません。引用符のない 1 語で書いてください",
  "it answers with HTTP {status}": "HTTP {status} が返りました",
  "it names another authorization server now": "今は別の認可サーバーを指定しています",
  "it publishes nothing about signing in with OAuth": "OAuth でのサインインについて何も公開していません",
  "its authorization server does not support PKCE with S256, which protects the sign-in":
    "認可サーバーが、サインインを保護する PKCE（S256）に対応していません",
  "no port of this machine can be used: {error}": "このコンピューターのポートを使用できません: {error}",
  "the address to revoke at cannot be used": "取り消し用のアドレスを使用できません",
  "A sign-in at `{name}` needs the system's keyring; make it available, then try again":
    "`{name}` へのサインインにはシステムのキーリングが必要です。使えるようにしてから、もう一度お試しください",
  "it does not know the scopes that it names: {scopes}":
    "サーバー自身が指定しているスコープが、認可サーバーで認識されません: {scopes}",
  "it does not give these scopes: {scopes}. The next sign-in asks for those that the server names":
    "次のスコープは与えられません: {scopes}。次回のサインインでは、サーバーが指定するスコープを求めます",
  "the address to sign in at cannot be used": "サインイン用のアドレスを使用できません",
  "the server gives no bearer token": "サーバーが Bearer トークンを返しません",
  "The tool server `{name}` gives tokens of {bytes} bytes; at most {most} are kept":
    "ツールサーバー `{name}` のトークンは {bytes} バイトです。保存できるのは {most} バイトまでです",
  "you ended it at its question": "質問のところで終了しました",
  "`{tool}` asked {most} times and still was not done; it was given up":
    "`{tool}` は {most} 回尋ねても終わらなかったため、打ち切りました",
  "it was given up, because too many questions of its server were open":
    "サーバーの未回答の質問が多すぎるため、打ち切りました",
};

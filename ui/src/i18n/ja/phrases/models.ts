// What the program says of models, the network and the keyring, in Japanese: by the English forms.
export const models: Record<string, string> = {
  "Profile `{profile}` has no base URL; give it one, such as http://127.0.0.1:8080/v1.":
    "プロファイル `{profile}` にアドレスがありません。http://127.0.0.1:8080/v1 のように入れてください。",
  "The base URL of profile `{profile}` is not an address; it should look like http://127.0.0.1:8080/v1.":
    "プロファイル `{profile}` のアドレスが正しくありません。http://127.0.0.1:8080/v1 のような形にしてください。",
  "The base URL of profile `{profile}` must begin with http:// or https:// and name a server.":
    "プロファイル `{profile}` のアドレスは http:// か https:// で始まり、サーバーを示す必要があります。",
  "The base URL of profile `{profile}` carries a name, a password, or a part behind ? or #; keep it out of the address, and give a key as the profile's.":
    "プロファイル `{profile}` のアドレスに名前、パスワード、または ? や # の後の部分が含まれています。アドレスには入れず、キーはプロファイルのキーとして入れてください。",
  "The base URL of profile `{profile}` is outside this machine, and {why}, or use a loopback address.":
    "プロファイル `{profile}` のアドレスはこのコンピューターの外にあります。{why}。またはループバックアドレスを使ってください。",
  "Model `{model}` at {server} refused the content of this request; change the topic or the text and try again.":
    "{server} のモデル `{model}` がこのリクエストの内容を拒否しました。話題か文章を変えてやり直してください。",
  "The answer of {server} was ended because it grew beyond {most} MB; ask for less or use another model.":
    "{server} の回答が {most} MB を超えたため打ち切られました。求める量を減らすか、別のモデルを使ってください。",
  "The answer of {server} broke off in the middle; try again.":
    "{server} の回答が途中で切れました。やり直してください。",
  "{server} sent an answer that cannot be read; try again, and if it stays so, check the base URL of profile `{profile}`.":
    "{server} の回答を読み取れません。やり直しても同じなら、プロファイル `{profile}` のアドレスを確かめてください。",
  "{server} answers, but not as a server of this provider does; check the base URL of profile `{profile}`.":
    "{server} は応答しますが、このプロバイダーのサーバーではないようです。プロファイル `{profile}` のアドレスを確かめてください。",
  "No connection to {server}; check that the server runs and that the base URL of profile `{profile}` is right.":
    "{server} に接続できません。サーバーが動いているか、プロファイル `{profile}` のアドレスが正しいか確かめてください。",
  "The base URL of profile `{profile}` cannot be used in a request; check it.":
    "プロファイル `{profile}` のアドレスはリクエストに使えません。確かめてください。",
  "The connection to {server} broke; try again.": "{server} との接続が切れました。やり直してください。",
  "{server} was silent for too long; try again.": "{server} から長い間応答がありません。やり直してください。",
  "The request is no JSON: {error}": "リクエストが JSON ではありません：{error}",
  "{server} does not know model `{model}`; it lists {names}. Name one of them in profile `{profile}`; `galley models {profile}` lists them all.":
    "{server} にモデル `{model}` はありません。あるのは {names} です。プロファイル `{profile}` にそのどれかを指定してください。",
  "Provider `{provider}` of profile `{profile}` is not known; known are {known}.":
    "プロファイル `{profile}` のプロバイダー `{provider}` は不明です。知られているのは {known} です。",
  "{server} lists no models; install or enable one there, or name one for profile `{profile}` yourself.":
    "{server} にモデルがありません。そこでインストールか有効化するか、プロファイル `{profile}` に自分で指定してください。",
  "{named} and {more} more": "{named} ほか {more} 個",
  "The key of profile `{profile}` has characters that no request can carry; it may have been pasted with something around it.":
    "プロファイル `{profile}` のキーにリクエストで送れない文字があります。余分なものと一緒に貼り付けられたのかもしれません。",
  "No HTTP client can be made for profile `{profile}`; the system's certificates may be missing.":
    "プロファイル `{profile}` の HTTP クライアントを作れません。システムの証明書がないのかもしれません。",
  "It names no version; such servers are mostly found at {address}.":
    "アドレスにバージョンがありません。このようなサーバーはたいてい {address} にあります。",
  " (HTTP {status})": "（HTTP {status}）",
  "{server} wants a key{status_words}, and profile `{profile}` has none; add the profile again with a key.":
    "{server} にはキーが必要ですが{status_words}、プロファイル `{profile}` にはありません。キーを付けて追加し直してください。",
  "Key of profile `{profile}` was refused by {server}{status_words}; check it with `galley profile test {profile}`.":
    "プロファイル `{profile}` のキーが {server} に拒否されました{status_words}。",
  "Quota or credit of profile `{profile}` at {server} is used up{status_words}; add credit, wait until it is renewed, or use another profile.":
    "プロファイル `{profile}` の {server} での割り当てまたは残高がなくなりました{status_words}。追加するか、回復を待つか、別のプロファイルを使ってください。",
  "{server} takes no more requests of profile `{profile}` just now{status_words}; it asks to wait {seconds} s.":
    "{server} は今、プロファイル `{profile}` のリクエストを受け付けません{status_words}。{seconds} 秒待つよう求めています。",
  "{server} takes no more requests of profile `{profile}` just now{status_words}; wait a little and try again.":
    "{server} は今、プロファイル `{profile}` のリクエストを受け付けません{status_words}。少し待ってからやり直してください。",
  "{server} gave no answer in time{status_words}; try again.":
    "{server} から時間内に回答がありません{status_words}。やり直してください。",
  "{server} refused the content of this request to model `{model}`{status_words}; change the topic or the text and try again.":
    "{server} がモデル `{model}` へのリクエストの内容を拒否しました{status_words}。話題か文章を変えてやり直してください。",
  "{server} has no list of models{status_words}; check the base URL of profile `{profile}`.":
    "{server} にモデルの一覧がありません{status_words}。プロファイル `{profile}` のアドレスを確かめてください。",
  "{server} does not know model `{model}` (any more), or is not the right address{status_words}; `galley models {profile}` lists the models there are, else check the base URL.":
    "{server} にモデル `{model}` がない（なくなった）か、アドレスが違います{status_words}。プロファイル `{profile}` のモデルとアドレスを確かめてください。",
  "{server} only points to another address{status_words}, which is not followed; give profile `{profile}` the base URL it points to.":
    "{server} は別のアドレスを示すだけです{status_words}。そこへは進みません。示されたアドレスをプロファイル `{profile}` に入れてください。",
  "{server} refused the request{status_words}; its words say why, check the base URL of profile `{profile}`.":
    "{server} がリクエストを拒否しました{status_words}。理由はその言葉にあります。プロファイル `{profile}` のアドレスを確かめてください。",
  "{server} refused the request to model `{model}`{status_words}; its words say why, check the model and the base URL of profile `{profile}`.":
    "{server} がモデル `{model}` へのリクエストを拒否しました{status_words}。理由はその言葉にあります。プロファイル `{profile}` のモデルとアドレスを確かめてください。",
  "{server} is overloaded or broken just now{status_words}; try again in a while.":
    "{server} は今、過負荷か故障しています{status_words}。しばらくしてからやり直してください。",
  "A value of a request to a model is not here, only its hash; this is an error of the program.":
    "モデルへのリクエストの値がここになく、ハッシュだけがあります。プログラムの不具合です。",
  "tokens not counted": "トークン数は不明",
  "{input} tokens in, {output} out": "入力 {input} トークン、出力 {output} トークン",
  "Its server refused {parts} and is asked without.": "サーバーが拒否した {parts} を除いて要求します。",
  "Model `{name}` answered in {seconds} s ({tokens}).": "モデル `{name}` が {seconds} 秒で答えました（{tokens}）。",
  "The trial of model `{model}` was ended because its answer was not complete within {seconds} s; if the server is still loading the model try again in a while, else check the server.":
    "モデル `{model}` の回答が {seconds} 秒以内に終わらなかったため、試行を打ち切りました。サーバーがモデルを読み込み中なら後でやり直し、そうでなければサーバーを確かめてください。",
  "an unspecified address": "未指定アドレス",
  "a private address": "プライベートアドレス",
  "an address inside a provider's network": "事業者ネットワーク内のアドレス",
  "a loopback address": "ループバックアドレス",
  "a link-local address": "リンクローカルアドレス",
  "an address of the protocol itself": "プロトコル自体のアドレス",
  "a documentation address": "文書用アドレス",
  "a relay address": "中継アドレス",
  "a benchmarking address": "ベンチマーク用アドレス",
  "a multicast address": "マルチキャストアドレス",
  "a broadcast address": "ブロードキャストアドレス",
  "a reserved address": "予約済みアドレス",
  "a translated private address": "変換されたプライベートアドレス",
  "a discarded address": "破棄用アドレス",
  "a 6to4 address": "6to4 アドレス",
  "a segment-routing address": "セグメントルーティングのアドレス",
  "an address outside the public internet": "公共のインターネットの外のアドレス",
  "it points to what is no address of the web": "指す先がウェブのアドレスではありません",
  "no client can be made: {why}": "クライアントを作れません：{why}",
  "`{text}` is not an address of the web; it should look like https://example.org/page":
    "`{text}` はウェブのアドレスではありません。https://example.org/page のような形にしてください",
  "{host} was not contacted: {reason}. If it is meant, add its base URL: `galley config set net.allow URL`":
    "{host} には接続しませんでした：{reason}。意図したものなら、設定でそのアドレスを許可してください",
  "{host} was not contacted, because {reason}": "{host} には接続しませんでした：{reason}",
  "{host} cannot be reached ({cause}); check the network and try again":
    "{host} に接続できません（{cause}）。ネットワークを確かめてやり直してください",
  "The connection to {host} broke ({cause}); try again": "{host} との接続が切れました（{cause}）。やり直してください",
  "{host} did not answer within {seconds} s; try again later":
    "{host} が {seconds} 秒以内に応答しませんでした。後でやり直してください",
  "{host} sent more than {most} bytes, which is not read; open the address in a browser":
    "{host} から {most} バイトを超える応答が来たため読み取りません。ブラウザーでアドレスを開いてください",
  "{host} led to more than {most} other addresses in a row; open the address in a browser":
    "{host} が続けて {most} 回を超えて別のアドレスへ転送しました。ブラウザーでアドレスを開いてください",
  "The page of {host} opened more than {most} connections; what is missing was not loaded":
    "{host} のページが {most} を超える接続を開きました。足りない部分は読み込まれていません",
  "its address has no valid path": "アドレスのパスが正しくありません",
  "The request to {host} cannot be written: {reason}": "{host} へのリクエストを作れません：{reason}",
  "its name stands for {address}, {kind}": "その名前は {address}（{kind}）を指しています",
  "GALLEY_OFFLINE=1 keeps the program on this machine; unset it":
    "GALLEY_OFFLINE=1 によりプログラムはこのコンピューターだけを使います。設定を外してください",
  "a build for development and tests keeps to this machine; set GALLEY_LIVE=1 to open the network":
    "開発とテスト用のビルドはこのコンピューターだけを使います。ネットワークを使うには GALLEY_LIVE=1 を設定してください",
  "the key has characters that no key has; set it anew": "キーに使えない文字があります。設定し直してください",
  "{host} wants what was sent to it passed on": "{host} が送られた内容を別の相手に渡すよう求めています",
  "`{scheme}` is neither http nor https": "`{scheme}` は http でも https でもありません",
  "it carries a name or a password": "名前かパスワードが含まれています",
  "it names no server": "サーバーが示されていません",
  "the program keeps to this machine": "プログラムはこのコンピューターだけを使います",
  "it is {kind}": "{kind}です",
  "a name without a dot is one of the local network": "ドットのない名前はローカルネットワークのものです",
  "it is a name of the local network": "ローカルネットワークの名前です",
  "port {port} is not one of the web": "ポート {port} はウェブのものではありません",
  "Keep the key for this session only, or name an environment variable that holds it.":
    "キーをこのセッションの間だけ使うか、キーを入れた環境変数を指定してください。",
  "There is no keyring here: the system's {keyring} does not answer.":
    "ここにはキーリングがありません。システムの {keyring} が応答しません。",
  "The system's {keyring} is locked or was not unlocked ({why}). Unlock it and try again.":
    "システムの {keyring} がロックされているか、解除されませんでした（{why}）。解除してからやり直してください。",
  "The key is longer than the {most} characters that the system's {keyring} takes.":
    "キーがシステムの {keyring} の上限 {most} 文字を超えています。",
  "What the system's {keyring} holds for this profile is no key. Save the key anew.":
    "システムの {keyring} にあるこのプロファイルの内容はキーではありません。保存し直してください。",
  "The system's {keyring} holds several keys for this profile. Remove all but one there, or save the key anew.":
    "システムの {keyring} にこのプロファイルのキーがいくつもあります。1 つだけ残すか、保存し直してください。",
  "The system's {keyring} refused.": "システムの {keyring} に拒否されました。",
  "The system's {keyring} could not be asked.": "システムの {keyring} に問い合わせできませんでした。",
  "The system's {keyring} did not answer within {seconds} seconds.":
    "システムの {keyring} が {seconds} 秒以内に応答しませんでした。",
  "This request needs at least {needed} tokens, {answer} of them for the answer, and the context window of model `{model}` at {server} has {window}; it was not sent.":
    "この要求には少なくとも {needed} トークン（うち回答に {answer}）が必要ですが、{server} のモデル `{model}` のコンテキストウィンドウは {window} です。送信していません。",
  "What helps: a model with a larger window, shorter inputs, or a lower limit `max_output_tokens`.":
    "対処：ウィンドウの大きいモデル、短い入力、または上限 `max_output_tokens` の引き下げ。",
  "{server} refused the request to model `{model}`, because it does not fit the model's context window{status_words}. What helps: a model with a larger window, shorter inputs, or a lower limit `max_output_tokens`.":
    "{server} はモデル `{model}` への要求を、コンテキストウィンドウに収まらないため拒否しました{status_words}。対処：ウィンドウの大きいモデル、短い入力、または上限 `max_output_tokens` の引き下げ。",
  "It serves no model. Start it with one: `llama-server -m FILE.gguf`.":
    "モデルがありません。モデルを指定して起動してください：`llama-server -m FILE.gguf`。",
  "Start the server with a larger context (`llama-server -c TOKENS`; `-np` divides it).":
    "サーバーをより大きなコンテキストで起動してください（`llama-server -c TOKENS`。`-np` で分割されます）。",
  "It has no model. Download one in LM Studio.": "モデルがありません。LM Studio でダウンロードしてください。",
  "Load the model with a larger context length, in its load settings in LM Studio.":
    "LM Studio の読み込み設定で、より長いコンテキスト長を指定してモデルを読み込んでください。",
  "It serves no model. Start it with one: `vllm serve MODEL`.":
    "モデルがありません。モデルを指定して起動してください：`vllm serve MODEL`。",
  "Start the server with a larger window (`--max-model-len TOKENS`).":
    "サーバーをより大きなウィンドウで起動してください（オプション `max-model-len`）。",
  "It has no model. Install one: `ollama pull MODEL`.":
    "モデルがありません。インストールしてください：`ollama pull MODEL`。",
};

// What the program says of profiles, keys and settings, in Japanese: by the English forms.
export const accounts: Record<string, string> = {
  "The name of the environment variable may hold letters, digits and _ only and begins with no digit; give the variable's name, never the key":
    "環境変数の名前に使えるのは文字、数字、_ だけで、数字では始められません。キーではなく変数の名前を入れてください",
  "No environment variable of this name is set; set it, start Galley again and give the variable's name, never the key":
    "この名前の環境変数は設定されていません。設定して Galley を再起動し、キーではなく変数の名前を入れてください",
  "`{name}` cannot be a profile's name; use letters, digits, - and _":
    "`{name}` はプロファイルの名前にできません。文字、数字、-、_ を使ってください",
  "Profile `{name}` cannot stand in for itself; name another profile, or none":
    "プロファイル `{name}` を自分自身の予備にはできません。別のプロファイルを指定するか、指定しないでください",
  "`{name}` is no fallback; choose `{built_in}`, which does a stage without a model, or `ask`":
    "`{name}` は予備の方法ではありません。モデルなしで行う `{built_in}` か `ask` を選んでください",
  "`{value}` is no level of a log; set error, warn, info, debug or trace, or CRATE=LEVEL,…; nothing for no log":
    "`{value}` はログのレベルではありません。error、warn、info、debug、trace か CRATE=LEVEL,… を設定してください。空にすると記録しません",
  "Profile `{name}` is of `{provider}` and cannot stand in for one of `{wanted}`; name a profile of `{wanted}`":
    "プロファイル `{name}` は `{provider}` のもので、`{wanted}` の予備にはできません。`{wanted}` のプロファイルを指定してください",
  "The address carries a name, a password, or a part behind ? or #; keep it out of the address, and give a key as the service's":
    "アドレスに名前、パスワード、または ? や # の後の部分が含まれています。アドレスには入れず、キーはサービスのキーとして入れてください",
  "This is no address of the web; it should look like http://127.0.0.1:8080":
    "これはウェブのアドレスではありません。http://127.0.0.1:8080 のような形にしてください",
  "a number from 0 on": "0 以上の数",
  "a whole number from 1 on": "1 以上の整数",
  "a whole number from 0 on": "0 以上の整数",
  "The limit `{limit}` cannot be {value}; give {wanted}":
    "上限 `{limit}` を {value} にはできません。{wanted}を入れてください",
  "`{key}` is `{choices}`, not `{value}`": "`{key}` は `{choices}` で、`{value}` にはできません",
  "`{agent}` may be asked {most} times, fewer than the {rounds} rounds in which it works. At its limit the run will pause and ask.":
    "`{agent}` に尋ねられるのは {most} 回までで、担当する {rounds} ラウンドに足りません。上限に達すると実行は一時停止して尋ねます。",
  "With {most} tokens the run cannot come to its end: it needs at least {least}. It will pause and ask.":
    "{most} トークンでは最後まで実行できません。少なくとも {least} 必要です。途中で止まって尋ねます。",
  "With ${most} the run cannot come to its end: it costs at least ${least}. It will pause and ask.":
    "${most} では最後まで実行できません。少なくとも ${least} かかります。途中で止まって尋ねます。",
  "Under the limit of ${most} nothing is sent to {models}: the price is not known. Put it into `prices.toml` in the data folder (0 where nobody is paid), or start without this limit. It will pause and ask.":
    "${most} の上限の下では {models} に何も送信しません。料金が不明なためです。データフォルダーの `prices.toml` に料金を書くか（無料なら 0）、この上限なしで始めてください。途中で止まって尋ねます。",
  "The environment variable `{variable}`, where profile `{name}` finds its key, is not set; set it and try again":
    "プロファイル `{name}` のキーを入れる環境変数 `{variable}` が設定されていません。設定してからやり直してください",
  "Profile `{name}` has no key here. Open the profile and save one, or `galley profile add {name} … --key-stdin`":
    "プロファイル `{name}` にはキーがありません。プロファイルを開いて保存してください",
  "The key of profile `{profile}` cannot be read.": "プロファイル `{profile}` のキーを読み取れません。",
  "The key is empty; paste it as the provider shows it": "キーが空です。プロバイダーが示すとおりに貼り付けてください",
  "Profile `{name}` was changed while its key was being saved, so the key was not kept; look at the profile and save the key again":
    "キーの保存中にプロファイル `{name}` が変更されたため、キーは保存されませんでした。プロファイルを確かめて、もう一度保存してください",
  "A built-in profile asks nobody, so it needs no key":
    "組み込みのプロファイルは誰にも問い合わせないので、キーは要りません",
  "This is no key: it holds blanks, line breaks or is too long; paste only the key":
    "これはキーではありません。空白や改行があるか、長すぎます。キーだけを貼り付けてください",
  "What earlier runs used cannot be read: {why}": "以前の実行の使用量を読み取れません：{why}",
  "{name}: {why}": "{name}：{why}",
  "{price} is no price (`{model}` of `{provider}`)": "{price} は料金ではありません（`{provider}` の `{model}`）",
  "Profile `{name}` is of `{provider}`, which is searched and has no models; name a profile of a provider of models":
    "プロファイル `{name}` は検索用の `{provider}` のもので、モデルがありません。モデルのプロバイダーのプロファイルを指定してください",
  "Profile `{name}` names no model for the role `{role}`; add one: `galley profile add {name} --model default=NAME …`":
    "プロファイル `{name}` には役割 `{role}` のモデルがありません。プロファイルに加えてください",
  "Profile `{name}` is of `{provider}`, so its key is not for `{service}`; name a profile of `{service}`":
    "プロファイル `{name}` は `{provider}` のもので、そのキーは `{service}` には使えません。`{service}` のプロファイルを指定してください",
  "The built-in profile cannot be removed; `galley profile list` names the others":
    "組み込みのプロファイルは削除できません",
  "Profile `{name}` is still named by `{uses}`; name another there first, then remove it":
    "プロファイル `{name}` はまだ `{uses}` で使われています。先にそこで別のものを指定してから削除してください",
  "Works without a model, a key or the network": "モデルもキーもネットワークも必要ありません",
  "Profile `{name}` works without a model, so there is none to list; `galley profile list` names the others":
    "プロファイル `{name}` はモデルなしで働くため、一覧にするモデルがありません",
  "Profile `{name}` was not added, because its key could not be kept.":
    "キーを保存できなかったため、プロファイル `{name}` は追加されませんでした。",
  "Profile `{name}` stays as it was, because its key could not be kept.":
    "キーを保存できなかったため、プロファイル `{name}` は元のままです。",
  "Profile `{profile}` stays as it is, because its key could not be removed from the keyring; unlock the keyring, or start its service, and try again. {why}":
    "キーをキーリングから削除できなかったため、プロファイル `{profile}` は元のままです。キーリングを解除するか、そのサービスを起動してやり直してください。{why}",
  "The environment variable `{variable}`, where the service `{name}` finds its key, is not set; set it and try again":
    "サービス `{name}` のキーを入れる環境変数 `{variable}` が設定されていません。設定してからやり直してください",
  "There is no search source `{id}`; there is {known}": "情報源 `{id}` はありません。あるのは {known} です",
  "There is no search source for `{provider}`": "`{provider}` の情報源はありません",
  "There is no tool `{tool}`": "ツール `{tool}` はありません",
  "{source} answered a search in {seconds} s, with this key.":
    "{source} がこのキーを使い、{seconds} 秒で検索に応答しました。",
  "{source} answered a search in {seconds} s, without a key.":
    "{source} がキーなしで、{seconds} 秒で検索に応答しました。",
  "This text is too long for settings; choose another file": "設定にしては長すぎます。別のファイルを選んでください",
  "This is not valid TOML: {why}; choose a file that Galley exported":
    "有効な TOML ではありません：{why}。Galley が書き出したファイルを選んでください",
  "In this text {error}; mend it, or choose another file":
    "このテキストでは {error}。直すか、別のファイルを選んでください",
  "are not valid TOML: {why}; mend or remove the file":
    "が有効な TOML ではありません：{why}。ファイルを直すか削除してください",
  "mend or remove the file": "ファイルを直すか削除してください",
  "move the folder away": "フォルダーを移動してください",
  "the link leads to nothing: mend or remove it": "リンク先がありません。直すか削除してください",
  "give yourself the right to read it": "読み取りの権限を得てください",
  "see to that, then try again": "それを解決してからやり直してください",
  "cannot be read: {error}; {advice}": "を読み取れません：{error}。{advice}",
  "The settings {file} {why}": "設定 {file} {why}",
  "The settings {file} are being changed by another program that does not let go of them; close it, then try again":
    "設定 {file} を別のプログラムが変更中で、手放しません。それを閉じてやり直してください",
  "The settings {file} cannot be written: {error}; nothing was changed":
    "設定 {file} に書き込めません：{error}。何も変更されていません",
  "There is no profile `{name}`; there is {known}": "プロファイル `{name}` はありません。あるのは {known} です",
  "`{setting}` is a number of seconds, like 20, and not `{value}`":
    "`{setting}` は 20 のような秒数です。`{value}` にはできません",
  "Profile `{name}` got another key while it was being changed; look at the profile and change it again":
    "変更中にプロファイル `{name}` のキーが替わりました。プロファイルを確かめて、もう一度変更してください",
  "There is no setting `{key}`; there is {known}": "設定 `{key}` はありません。あるのは {known} です",
  "`{key}` {wanted}": "`{key}` {wanted}",
  "`{name}` in the settings is not a table; mend the file":
    "設定の `{name}` がテーブルではありません。ファイルを直してください",
  "The built-in profile asks no model, so nothing of it has a price":
    "内蔵のプロファイルはモデルに尋ねないため、料金はありません",
  "A price is of one model; name the model": "料金は一つのモデルのものです。モデルを指定してください",
  "“{text}” is no price; write US dollars with a point, such as 0.25, or 0 where nobody is paid":
    "「{text}」は料金ではありません。0.25 のように小数点を使った米ドル、無料なら 0 を入力してください",
  "“{text}” is too high for a million tokens; at most {most} US dollars can be set":
    "「{text}」は 100 万トークンの料金として高すぎます。設定できるのは最大 {most} 米ドルです",
  "The prices {file} cannot be written: {error}; nothing was changed":
    "料金 {file} に書き込めません：{error}。何も変更していません",
  "The table of prices cannot be read, so nothing was changed; mend or remove it. {why}":
    "料金表を読み込めないため、何も変更していません。直すか削除してください。{why}",
  "another line of the table holds for `{model}`": "表の別の行が `{model}` に適用されます",
  "`{value}` is no contact address; give an e-mail address or a URL, in letters from a to z, without spaces and brackets, or nothing":
    "`{value}` は連絡先として要求に入れられません。メールアドレスかページのアドレスを、空白と括弧のない半角文字で指定するか、空にしてください",
};

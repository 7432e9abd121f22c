// What the program says of tools, what they may do, and the questions about it, in Japanese: by the English forms.
export const tools: Record<string, string> = {
  "`{tool}` gave no answer within {seconds} s": "`{tool}` は {seconds} 秒以内に応答しませんでした",
  "`{tool}` gave no answer in time. It may have been done or not; look there before it is tried again":
    "`{tool}` は時間内に応答しませんでした。実行されたかどうかは分かりません。もう一度試す前に、行き先で確かめてください",
  "`{tool}` may not be called as long as the rule `{rule}` of the settings cannot be read: it may forbid it":
    "設定のルール `{rule}` を読み取れず、禁止している可能性があるため、直すまで `{tool}` は呼び出せません",
  "`{tool}` may not be called: the settings forbid `{rule}`":
    "`{tool}` は呼び出せません：設定で `{rule}` が禁止されています",
  "`{tool}` may not act without permission, and nobody was there to be asked; allow it with `--allow {tool}`":
    "許可がないため `{tool}` は操作できず、確認できる人もいませんでした。設定の「ツールの許可」で `{tool}` を許可してください",
  "`{tool}` may not be called. The person refused it: {reason}":
    "`{tool}` は呼び出せません。ユーザーが拒否しました：{reason}",
  "`{tool}` may not be called: the person refused it": "`{tool}` は呼び出せません：ユーザーが拒否しました",
  "`{tool}` was sent on to {host}, where it may not go. Ask for that address itself, so that it can be allowed":
    "`{tool}` は {host} へ転送されましたが、そこへの接続は許可されていません。許可できるように、そのアドレスを直接指定してください",
  "The run {run} has no folder for files": "実行 {run} にはファイル用のフォルダーがありません",
  "every call of `{tool}` at {place}": "{place} に対する `{tool}` のすべての呼び出し",
  "every call of `{tool}`": "`{tool}` のすべての呼び出し",
  "Allow once": "今回だけ許可",
  "Allow in this run: {covered}": "この実行で許可：{covered}",
  "Always allow: {covered}": "常に許可：{covered}",
  "`{tool}` wants to act. {intent}. Allow it?": "`{tool}` が操作の許可を求めています。{intent}。許可しますか？",
  "This run asks several questions: {ids}. Say which one is answered; `galley show RUN --questions` lists them":
    "この実行には複数の質問があります：{ids}。どの質問への回答かを指定してください",
  "Question {id} was answered already: `{answer}`. Fork the run there to answer it in another way":
    "質問 {id} には回答済みです：`{answer}`。別の回答をするには、そこで分岐してください",
  "This run does not ask question {id}; `galley show RUN --questions` lists what it asks":
    "この実行は質問 {id} をしていません",
  "called {tool}": "{tool} を呼び出しました",
  "Calls {tool}": "{tool} を呼び出します",
  "`{tool}` gave no JSON: {why}": "`{tool}` の結果は JSON ではありません：{why}",
  "The input of `{tool}` does not fit: {why}": "`{tool}` への入力が形式に合いません：{why}",
  "The input of `{tool}` does not fit at `{place}`: {why}": "`{tool}` への入力が `{place}` で形式に合いません：{why}",
  "Two tools are called `{name}`: “{one}” and “{other}”. Rename one of them":
    "`{name}` という名前のツールが 2 つあります：「{one}」と「{other}」。どちらかの名前を変えてください",
  "The schema of `{tool}` is none: {why}": "`{tool}` のスキーマは無効です：{why}",
  "`{text}` is no rule; write TOOL, or TOOL@HOST with the host alone: `post@example.org`":
    "`{text}` はルールではありません。「ツール」、1 つのホストだけなら「ツール@ホスト」と書いてください：`post@example.org`",
  "The folder of the run could not be opened": "実行のフォルダーを開けませんでした",
  "The content {hash} of a file of this run is not kept here":
    "この実行のファイルの内容 {hash} はここに保存されていません",
  "{file} cannot be written: {error}": "{file} に書き込めません：{error}",
  "{most} rules are kept already; remove one first": "ルールはすでに {most} 件あります。先に 1 件削除してください",
  "There is no rule `{rule}`": "ルール `{rule}` はありません",
  "Your rules for tools": "ツールのルール",
  "{host} was not contacted: a redirect led there, and it is not allowed; ask for its address itself":
    "{host} には接続しませんでした：そこへ転送されましたが、許可されていません。そのアドレスを直接指定してください",
  "calculated {expression}": "{expression} を計算しました",
  "Calculates {expression}": "{expression} を計算します",
  "{expression} is {result}": "{expression} は {result} です",
  "`{expression}` cannot be calculated: {why}": "`{expression}` は計算できません：{why}",
  "the calculator stopped; write it in another way": "計算機が止まりました。別の書き方にしてください",
  "it has no result; write what is to be calculated": "結果がありません。計算する内容を書いてください",
  "its result is a text; only numbers, units and days are calculated":
    "結果が文字列です。計算できるのは数値、単位、日付だけです",
  "its result has more than {most} characters; ask for fewer digits, such as `to 15 sf`":
    "結果が {most} 文字を超えます。`to 15 sf` のように桁数を減らしてください",
  "The calculation was stopped": "計算は停止されました",
  "it takes longer than {seconds} s or nests too deep; calculate it in parts or with smaller numbers":
    "{seconds} 秒を超えるか、入れ子が深すぎます。分けて計算するか、小さい数にしてください",
  "the calculator does not know today; write the day itself, such as @2026-11-30":
    "計算機は今日の日付を知りません。@2026-11-30 のように日付を書いてください",
  "the calculator knows no rates of currencies; leave the currencies out and calculate with the numbers":
    "計算機は為替レートを知りません。通貨を外して数値で計算してください",
  "{why}; check the expression": "{why}。式を確かめてください",
  "it is no text in UTF-8": "UTF-8 のテキストではありません",
  "the file exists; choose another name, or replace it with `overwrite_file`":
    "ファイルはすでにあります。別の名前にするか、`overwrite_file` で置き換えてください",
  "it would have more than {most} bytes; use several files": "{most} バイトを超えます。複数のファイルに分けてください",
  "the run has as many files as it may ({bytes} bytes, {files} files); delete some first":
    "この実行のファイルは上限に達しています（{bytes} バイト、{files} 件）。先にいくつか削除してください",
  "a link is on its path": "パスの途中にリンクがあります",
  "a file stands where its path has a folder": "パスの途中のフォルダーの位置にファイルがあります",
  "it has more than {most} bytes": "{most} バイトを超えています",
  "it is a folder; name a file": "フォルダーです。ファイルを指定してください",
  "it is a link, which is not followed": "リンクのため、たどりません",
  "it is no ordinary file": "通常のファイルではありません",
  "`{path}` in the folder of the run: {why}": "実行のフォルダーの `{path}`：{why}",
  "there is no such file or folder; `list_files` shows what is there":
    "そのファイルやフォルダーはありません。`list_files` で中身を確認できます",
  "created the file {path}": "ファイル {path} を作成しました",
  "read the file {path}": "ファイル {path} を読み取りました",
  "added to the file {path}": "ファイル {path} に追記しました",
  "replaced the file {path}": "ファイル {path} を置き換えました",
  "deleted the file {path}": "ファイル {path} を削除しました",
  "listed the folder {path}": "フォルダー {path} の一覧を取得しました",
  "Writes {bytes} bytes to {path} in the folder of the run":
    "実行のフォルダーの {path} に {bytes} バイトを書き込みます",
  "Reads {path} in the folder of the run": "実行のフォルダーの {path} を読み取ります",
  "Adds {bytes} bytes to {path} in the folder of the run": "実行のフォルダーの {path} に {bytes} バイトを追記します",
  "Replaces {path} in the folder of the run by {bytes} bytes":
    "実行のフォルダーの {path} を {bytes} バイトの内容で置き換えます",
  "Deletes {path} in the folder of the run": "実行のフォルダーの {path} を削除します",
  "Lists {path} in the folder of the run": "実行のフォルダーの {path} の一覧を取得します",
  "`{tool}` works only in a run, which has a folder of its own":
    "`{tool}` は専用のフォルダーがある実行の中でだけ使えます",
  "The run was stopped before the file was touched": "ファイルに触れる前に実行が停止されました",
  "The work on a file of the run broke off": "実行のファイルの処理が途中で切れました",
  "{path} has {bytes} bytes": "{path} は {bytes} バイトです",
  "{path} is deleted": "{path} を削除しました",
  "there was no file {path}": "ファイル {path} はありませんでした",
  "read {bytes} bytes": "{bytes} バイトを読み取りました",
  "the folder is empty": "フォルダーは空です",
  "listed the first {n} files and folders": "最初の {n} 件のファイルとフォルダーを一覧にしました",
  "listed {n} files and folders": "{n} 件のファイルとフォルダーを一覧にしました",
  "read the page {url}": "ページ {url} を読み取りました",
  "Reads the page {url}": "ページ {url} を読み取ります",
  "{why}; check the address or read another page": "{why}。アドレスを確かめるか、別のページを読んでください",
  "read {characters} characters of {host}": "{host} から {characters} 文字を読み取りました",
  "{host} gave no text; {note}": "{host} からテキストを得られませんでした。{note}",
  "it shows little or nothing without a browser: {why}":
    "このページはブラウザーがないとほとんど何も表示しません：{why}",
  "read {characters} characters of {host}; {note}": "{host} から {characters} 文字を読み取りました。{note}",
  "read {characters} characters of {host} with a browser": "ブラウザーで {host} から {characters} 文字を読み取りました",
  "The browser is switched off; switch it on: `galley config set net.browser true`":
    "ブラウザーは無効になっています。設定で有効にしてください",
  "No Chromium, Google Chrome or Microsoft Edge is installed; install one and read the page again":
    "Chromium、Google Chrome、Microsoft Edge のいずれもインストールされていません。どれかをインストールして、もう一度ページを読み取ってください",
  "As root no browser is started, because Chromium has no sandbox then; start Galley as an ordinary user and read the page again":
    "root では Chromium のサンドボックスが働かないため、ブラウザーを起動しません。一般ユーザーで Galley を起動し、もう一度ページを読み取ってください",
  "The browser `{program}` cannot be started ({cause}); install it anew":
    "ブラウザー `{program}` を起動できません（{cause}）。インストールし直してください",
  "The browser cannot be read ({cause}); try again": "ブラウザーの出力を読み取れません（{cause}）。やり直してください",
  "The browser was not done with the page of {host} within {seconds} s; try again later or read another page":
    "ブラウザーは {host} のページを {seconds} 秒以内に処理できませんでした。後でやり直すか、別のページを読んでください",
  "The page of {host} is larger than {most} bytes after its scripts ran; read another page":
    "{host} のページはスクリプトの実行後に {most} バイトを超えました。別のページを読んでください",
  "The browser cannot start its sandbox here, and without one it opens no page; allow user namespaces on this machine or switch the browser off: `galley config set net.browser false`":
    "ブラウザーはここではサンドボックスを起動できず、サンドボックスなしではページを開きません。このコンピューターでユーザー名前空間を許可するか、設定でブラウザーを無効にしてください",
  "The browser could not open the page of {host}: {why}": "ブラウザーは {host} のページを開けませんでした：{why}",
  "The browser could not open the page of {host}; try again or read another page":
    "ブラウザーは {host} のページを開けませんでした。やり直すか、別のページを読んでください",
  "The browser loaded the page of {host} past Galley, so it is not used; remove the proxy that a policy of this machine sets for the browser, or switch the browser off: `galley config set net.browser false`":
    "ブラウザーが Galley を通さずに {host} のページを読み込んだため、使いません。このコンピューターのポリシーがブラウザーに設定したプロキシを外すか、設定でブラウザーを無効にしてください",
  "made the PDF file {path}": "PDF ファイル {path} を作りました",
  "Makes the PDF file {path} in the folder of the run": "実行のフォルダーに PDF ファイル {path} を作ります",
  "downloaded {url}": "{url} をダウンロードしました",
  "Downloads {url} into the folder of the run": "{url} を実行のフォルダーにダウンロードします",
  "Downloads {url} to {path} in the folder of the run": "{url} を実行のフォルダーの {path} にダウンロードします",
  "{why}; check the address or download another file":
    "{why}。アドレスを確かめるか、別のファイルをダウンロードしてください",
  "{path} has {bytes} bytes of {media_type}": "{path} は {bytes} バイトの {media_type} です",
  "{path} has {bytes} bytes of a web page, although the address looks like a .{extension} file; read the page to see why":
    "{path} は {bytes} バイトの ウェブページです。アドレスは .{extension} ファイルのように見えます。理由はページを読んで確かめてください",
  "Titles of animation with their Japanese and Chinese names, by Bangumi. Needs no key.":
    "アニメ作品とその日本語名・中国語名。Bangumi による。キーは不要です。",
  "{service} refused the request{status_words}: {next}": "{service} が要求を拒否しました{status_words}：{next}",
  "it refuses this program or this connection; try again later, or choose another source":
    "このプログラムまたはこの接続を拒否しています。しばらくしてから再試行するか、別の情報源を選んでください",
  "looked for the title “{title}” at {service}": "{service} で作品「{title}」を検索",
  "looked for the station “{name}” at {service}": "{service} で駅「{name}」を検索",
  "looked for points within {radius} km at {service}": "{service} で {radius} km 以内の地点を検索",
  "asked {service} for the weather of {day}": "{service} に {day} の天気を問い合わせ",
  "asked {service} for the ways between {n} points": "{service} に {n} 地点間の経路を問い合わせ",
  "The weather up to 16 days ahead, by Open-Meteo, for use that earns nothing. Needs no key.":
    "16 日先までの天気。Open-Meteo による。非営利の利用に限ります。キーは不要です。",
  "{service} tells no weather of days that are over, as {day} is; plan a day that is to come, or without the weather":
    "{service} は過ぎた日（{day}）の天気を提供しません。これからの日を計画するか、天気なしで計画してください",
  "{service} forecasts {most} days and {day} is beyond them; ask again nearer to the day, or plan without the weather":
    "{service} の予報は {most} 日間で、{day} はその先です。日が近づいてから再度問い合わせるか、天気なしで計画してください",
  "{service} has no weather of {day} for this place; ask again nearer to the day, or plan without the weather":
    "{service} にはこの場所の {day} の天気がありません。日が近づいてから再度問い合わせるか、天気なしで計画してください",
  "{service} answers this connection no more today; try again tomorrow, or choose another source":
    "{service} は今日これ以上この接続に応答しません。明日もう一度試すか、別の情報源を選んでください",
  "The stations of Japan, by HeartRails Express, and other places by Open-Meteo. Needs no key.":
    "日本の駅（HeartRails Express）と、その他の場所（Open-Meteo）。キーは不要です。",
  "Towns and some stations of the whole earth, by Open-Meteo. Needs no key.":
    "世界の町と一部の駅。Open-Meteo による。キーは不要です。",
  "{title} knows no station “{name}”, so {other} was asked":
    "{title} に駅「{name}」がないため、{other} に問い合わせました",
  "{title} knows Japanese names only, so {other} was asked for “{name}”":
    "{title} は日本語名しか扱えないため、{other} に「{name}」を問い合わせました",
  "Where scenes of a title were seen, by Anitabi, for use that earns nothing. Needs no key.":
    "作品の場面の舞台。Anitabi による。非営利の利用に限ります。キーは不要です。",
  "{service} cannot be reached ({why}); import points, take those of an earlier run, or try again later":
    "{service} に接続できません（{why}）。地点を取り込むか、以前の実行の地点を使うか、しばらくしてから再試行してください",
  "{service} has no points of the title {id}": "{service} には作品 {id} の地点がありません",
  "{service} gave {given} of the {total} points that it counts for this title":
    "{service} がこの作品について数える {total} 地点のうち、{given} 地点が得られました",
  "{unplaced} points were left out: nobody wrote down where they are":
    "位置が記録されていない {unplaced} 地点を除きました",
  "The weather of the next five days, by OpenWeatherMap. Needs a key.":
    "今後 5 日間の天気。OpenWeatherMap による。キーが必要です。",
  "{service} refused the key; a new key works after some hours: wait, check it, or set another":
    "{service} がキーを拒否しました。新しいキーが使えるまで数時間かかります。待つか、キーを確かめるか、別のキーを設定してください",
  "Ways on foot, by an OSRM of your own. Needs its base URL.":
    "徒歩の経路。自分の OSRM による。ベース URL が必要です。",
  "{service} gives ways on foot only": "{service} は徒歩の経路だけを提供します",
  "{service} knows no way between some of the points": "{service} には一部の地点間の経路がありません",
  "Point {index} is not on the earth: latitude is -90 to 90, longitude -180 to 180":
    "地点 {index} は地球上にありません。緯度は -90～90、経度は -180～180 です",
  "{service} is asked for the ways between {most} points at most, and these are {count}; choose fewer":
    "{service} に問い合わせられるのは最大 {most} 地点間の経路で、ここには {count} 地点あります。減らしてください",
  "Ways on foot, by a Valhalla of your own. Needs its base URL.":
    "徒歩の経路。自分の Valhalla による。ベース URL が必要です。",
  "Trains and buses, by Transitous or a MOTIS of your own, for use that earns nothing. Needs no key.":
    "列車とバス。Transitous または自分の MOTIS による。非営利の利用に限ります。キーは不要です。",
  "{service} gives trains and buses only": "{service} は列車とバスだけを提供します",
  "{service} is asked for the ways in the order of a trip only, one after the other":
    "{service} には旅程の順に一つずつだけ経路を問い合わせます",
  "{service} did not answer for the ways from point {index} on: {why}":
    "{service} は地点 {index} から先の経路に応答しませんでした：{why}",
  "`{departure}` is no moment with an offset; write it as 2026-11-29T10:00:00+09:00":
    "`{departure}` は時差付きの時刻ではありません。2026-11-29T10:00:00+09:00 のように書いてください",
  "Ways on foot, by train, bus or car, by Google. Needs a key; each way may cost something.":
    "徒歩、列車、バス、車の経路。Google による。キーが必要で、経路ごとに費用がかかることがあります。",
  "HTTP {status}": "HTTP {status}",
  "{service} requires a contact address; set your e-mail address or a URL: `galley config set net.contact ADDRESS`":
    "{service} には連絡先が必要です。設定の検索元で、メールアドレスかページのアドレスを入力してください",
  "The demonstration knows its invented title “{title}” only, not “{keyword}”":
    "デモには架空の作品「{title}」しかなく、「{keyword}」はありません",
  "The points cannot be read: {why}; give a file of KML, GPX or GeoJSON with points in it":
    "場所を読み取れません：{why}。場所を含む KML、GPX、GeoJSON のファイルを指定してください",
  "it is neither XML nor JSON": "XML でも JSON でもありません",
  "it has no points": "場所がありません",
  "it has {count} points, and {most} are taken at most":
    "場所が {count} か所ありますが、受け付けるのは {most} か所までです",
  "its JSON is malformed in line {line}, column {column}": "JSON が {line} 行 {column} 列で壊れています",
  "its JSON is no GeoJSON": "JSON が GeoJSON ではありません",
  "its XML is malformed at byte {place}": "XML が {place} バイト目で壊れています",
  "its XML is neither KML nor GPX": "XML が KML でも GPX でもありません",
  "it ends within the element `{element}`": "要素 `{element}` の途中で終わっています",
  "The points are those of the file that was given: {n} of them": "場所は指定されたファイルのもので、{n} か所あります",
  "{n} entries of the file were left out: they are no points": "ファイルの {n} 項目は場所ではないため省きました",
  "The earlier run {run} has no `{key}`; name one that planned a visit, or leave it out":
    "以前の実行 {run} には `{key}` がありません。計画を立てた実行を指定するか、指定を外してください",
  "Title, start and points are those of the earlier run {run}": "作品、出発地、場所は以前の実行 {run} のものです",
  "Addresses and opening hours of the nearest points, by Nominatim of OpenStreetMap or one of your own. Needs no key.":
    "最寄りの場所の住所と営業時間。OpenStreetMap の Nominatim または自分の Nominatim による。キーは不要です。",
  "{service} was asked about the nearest {most} of {count} points: it is run by volunteers":
    "{service} はボランティアが運営しているため、{count} か所のうち近い {most} か所だけを問い合わせました",
  "{service} did not answer from the point “{point}” on: {why}":
    "{service} は場所「{point}」から先に応答しませんでした：{why}",
  "asked {service} for the details of points": "{service} に場所の詳細を問い合わせました",
  "details of {n} points": "{n} か所の詳細",
  "asked nobody for the details of points": "場所の詳細は問い合わせていません",
  "nobody was asked": "問い合わせていません",
  "Points stay as they are. Needs no network.": "場所はそのままです。ネットワークは不要です。",
  nothing: "なし",
  "made the {format} file of the visit": "行程の {format} ファイルを作りました",
  "Makes the {format} file of the visit in the folder of the run":
    "実行のフォルダーに行程の {format} ファイルを作ります",
  "Makes the {format} file of the visit as {path} in the folder of the run":
    "実行のフォルダーに行程の {format} ファイルを {path} として作ります",
  "The file of the visit could not be made": "行程のファイルを作れませんでした",
  "A point of the visit is nowhere on the earth; give its latitude and longitude":
    "行程に地球上にない場所があります。緯度と経度を指定してください",
  "“{title}” holds no trip": "「{title}」に行程はありません",
  "There is no format `{format}`": "形式 `{format}` はありません",
  "{service} was asked for animation only": "{service} にはアニメだけを問い合わせました",
};

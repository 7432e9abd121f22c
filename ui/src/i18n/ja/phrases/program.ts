// What the program says of the program itself, in Japanese: by the English forms.
export const program: Record<string, string> = {
  "The clock of this computer is set to a day after the year 9998. Set the clock, then start again":
    "このコンピューターの時計が 9998 年より後になっています。時計を合わせてから、もう一度起動してください",
  "The clock of this computer is set to a day before 1970. Set the clock, then start again":
    "このコンピューターの時計が 1970 年より前になっています。時計を合わせてから、もう一度起動してください",
  "`{command}` cannot read its request: {error}": "`{command}` は要求を読み取れません：{error}",
  "The answer cannot be written: {error}": "応答を書き出せません：{error}",
  "There is no command `{command}`; there is {known}": "コマンド `{command}` はありません。あるのは {known} です",
  "No data folder is known; name one with --data-dir or GALLEY_DATA_DIR": "データフォルダーが分かりません",
  "The data folder {folder} cannot be made or written: {error}; choose another with --data-dir or mend its permissions":
    "データフォルダー {folder} を作成できないか、書き込めません：{error}。権限を直してください",
  "The program is closing": "プログラムは終了中です",
  "Something is being imported already; wait until it is done, or stop it":
    "すでに取り込み中です。終わるまで待つか、停止してください",
  "The article {name} was not removed lately; import it again":
    "記事 {name} は最近削除されたものではありません。もう一度取り込んでください",
  "The folder {folder} cannot be shown: {why}; open it in your file manager":
    "フォルダー {folder} を表示できません：{why}。ファイルマネージャーで開いてください",
  "is no setting": "は設定ではありません",
  "must be a text in quotes": "は引用符付きのテキストでなければなりません",
  "must be a text in quotes, or a list of them": "は引用符付きのテキストか、その一覧でなければなりません",
  "must be a number": "は数でなければなりません",
  "must be a table": "はテーブルでなければなりません",
  "The database is open here and in use; close Galley, then run `galley recover`":
    "データベースはここで開かれ、使われています。Galley を閉じて起動し直し、どこから始めるかを選んでください",
  "Runs are in progress; stop them first, then recover the database":
    "実行中のものがあります。先に停止してから、データベースを復旧してください",
  "{file} cannot be written: {error}; make the data folder writable":
    "{file} に書き込めません：{error}。データフォルダーを書き込み可能にしてください",
  "`{version}` is no version: {error}": "`{version}` はバージョンではありません：{error}",
  "the page of {version} is no address for a browser": "{version} のページはブラウザーで開けるアドレスではありません",
  "This program's own version: {error}": "このプログラム自身のバージョン：{error}",
  "No address of releases is set; set `{setting}` first":
    "リリース情報のアドレスが設定されていません。先に `{setting}` を設定してください",
  "`{setting}` is no address ({error}); mend it in the settings":
    "`{setting}` はアドレスではありません（{error}）。設定で直してください",
  "Whether there is a newer version cannot be asked: {why}": "新しいバージョンがあるかを問い合わせできません：{why}",
  "The feed of releases is not there: its server answers {status}; mend `{setting}`, or try again later":
    "リリース情報がありません。サーバーの応答は {status} です。`{setting}` を直すか、後でやり直してください",
  "What is at `{setting}` is no feed of releases: {why}; mend the address, or tell who keeps it":
    "`{setting}` にあるのはリリース情報ではありません：{why}。アドレスを直すか、管理者に知らせてください",
  "There is no window around this page; open `galley-desktop` for that":
    "この機能にはデスクトップのウィンドウが必要です。`galley-desktop` を開いてください",
  "The tiles file {path} cannot be opened: {error}; choose another in the settings":
    "タイルファイル {path} を開けません：{error}。設定で別のファイルを選んでください",
  "The tile {z}/{x}/{y} of {path} cannot be read: {error}; the file may be cut off, so fetch it once more":
    "{path} のタイル {z}/{x}/{y} を読み取れません：{error}。ファイルが途中で切れている可能性があるため、取得し直してください",
  "There is no tile {z}/{x}/{y} on the earth": "タイル {z}/{x}/{y} は存在しません",
  "{path} cannot be used as a file of map tiles: {error}; choose a whole PMTiles file of version 3 in the settings":
    "{path} は地図タイルのファイルとして使えません：{error}。設定でバージョン 3 の完全な PMTiles ファイルを選んでください",
  "No tiles file is set; choose one in the settings": "タイルファイルが設定されていません。設定で選んでください",
  "`{path}` depends on the folder one is in; give the whole path of the file":
    "`{path}` は現在のフォルダーによって変わります。ファイルのパス全体を入力してください",
  "The style {path} cannot be read: {error}; choose another in the settings":
    "スタイル {path} を読み取れません：{error}。設定で別のファイルを選んでください",
  "The style {path} is not JSON: {error}; mend it, or choose another in the settings":
    "スタイル {path} は JSON ではありません：{error}。直すか、設定で別のファイルを選んでください",
  "{path} is no style of a map; it should have `version` 8, `sources` and `layers`":
    "{path} は地図のスタイルではありません。`version` 8、`sources`、`layers` が必要です",
  "The style {path} takes {address} from the network, where the map takes nothing from; name its tiles `pmtiles://map`, and leave out `glyphs` and `sprite`":
    "スタイル {path} はネットワークの {address} を使いますが、地図はネットワークから何も取得しません。タイルを `pmtiles://map` と書き、`glyphs` と `sprite` を省いてください",
  "The collector answers with status {status}": "コレクターの応答はステータス {status} です",
  "The collector rejected {spans} spans": "コレクターが {spans} 個のスパンを拒否しました",
  "The collector took longer than {seconds} s": "コレクターの応答に {seconds} 秒より長くかかりました",
  "Galley ended before the collector had answered": "コレクターが応答する前に Galley が終了しました",
  "nothing was exported yet": "まだ何もエクスポートしていません",
  "the last export took {spans} spans there ({at})": "前回は {spans} 個のスパンをエクスポートしました（{at}）",
  "the last export failed ({at}): {why}": "前回のエクスポートは失敗しました（{at}）：{why}",
  "the collector takes spans; {last}": "コレクターはスパンを受け取ります。{last}",
  "{address}, without a model": "{address}、モデルなし",
  "{address}, without a model. {way}": "{address}、モデルなし。{way}",
  "{address}, models: {models}; profile `{profile}` asks it":
    "{address}、モデル {models} 件。プロファイル `{profile}` が使っています",
  "{address}, models: {models}; no profile asks it, `galley profile find --add` adds one":
    "{address}、モデル {models} 件。使うプロファイルがありません。設定の「モデル」で追加できます",
};

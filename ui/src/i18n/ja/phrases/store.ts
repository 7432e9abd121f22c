// What the program says of what is stored, in Japanese: by the English forms.
export const store: Record<string, string> = {
  "The run {run} is not in the trash. Put it there first.":
    "実行 {run} はごみ箱にありません。先にごみ箱へ移してください。",
  "The run {run} is being worked on. Stop it first, then erase it.":
    "実行 {run} は進行中です。先に停止してから消去してください。",
  "The database {file} is locked by another program that does not let go of it. Close that program, then try again.":
    "データベース {file} は別のプログラムがロックし、手放しません。それを閉じてやり直してください。",
  "The data folder {folder} cannot be written ({error}). Make it writable, or choose another one with --data-dir or GALLEY_DATA_DIR.":
    "データフォルダー {folder} に書き込めません（{error}）。書き込み可能にしてください。",
  "The disk refused to read or write {file} ({error}). Check the disk and the folder's permissions, then try again.":
    "ディスクが {file} の読み書きを拒否しました（{error}）。ディスクとフォルダーの権限を確かめてやり直してください。",
  "The database {file} refused a request of this program ({error}). Please report it.":
    "データベース {file} がこのプログラムの要求を拒否しました（{error}）。報告してください。",
  "The disk that holds {folder} is full: nothing of this was stored, what was stored before is safe. Free some space, then go on.":
    "{folder} のあるディスクがいっぱいです。今回のものは保存されませんでしたが、以前のものは無事です。空きを作ってから続けてください。",
  "What the run has in hand could not be kept in {file} either ({error}): it is in memory only.":
    "実行のまだ保存されていない内容は {file} にも保存できませんでした（{error}）。メモリにしかありません。",
  "The database {file} is damaged ({reason}).": "データベース {file} が壊れています（{reason}）。",
  "{file} is a link or no regular file, so the database is not opened. Put the file itself there, or name the folder in which it lies with --data-dir or GALLEY_DATA_DIR.":
    "{file} はリンクか通常のファイルではないため、データベースを開きません。ファイルそのものを置いてください。",
  "The database {file} is not the one any more that was opened ({what}): nothing more is stored. Put it back, or start Galley again to begin with what is there.":
    "データベース {file} は開いたときのものではありません（{what}）。これ以上は保存されません。元に戻すか、Galley を再起動して今あるものから始めてください。",
  "`galley recover` begins with the newest backup, {backup}, or empty.":
    "Galley を再起動すると、最新のバックアップ {backup} からか、空の状態から始められます。",
  "`galley recover` sets aside what is left of it and begins empty.":
    "Galley を再起動すると、残っているものを脇に移して空の状態から始められます。",
  "The database {file} {what}.": "データベース {file} は{what}。",
  "The database {file} was written by a newer Galley (its format is {found}, this program knows up to {known}). Update Galley, or choose another data folder with --data-dir or GALLEY_DATA_DIR.":
    "データベース {file} はより新しい Galley で書かれています（形式は {found}、このプログラムが扱えるのは {known} まで）。Galley を更新してください。",
  "The data folder {folder} cannot be made or written ({error}). Make it writable, or choose another one with --data-dir or GALLEY_DATA_DIR.":
    "データフォルダー {folder} を作成できないか、書き込めません（{error}）。書き込み可能にしてください。",
  "There is no backup yet: `galley recover` sets it aside with its log and begins with what can be read of it.":
    "バックアップはまだありません。Galley を再起動すると、データベースとそのログを脇に移し、読み取れる内容から始められます。",
  "`galley recover` sets it aside with its log and begins with the newest backup, {backup}, or with what can be read of it.":
    "Galley を再起動すると、データベースとそのログを脇に移し、最新のバックアップ {backup} か読み取れる内容から始められます。",
  "No value with the hash {hash} is stored in this data folder.":
    "このデータフォルダーにハッシュ {hash} の値はありません。",
  "There is no run in this data folder yet. Start one first.":
    "このデータフォルダーにはまだ実行がありません。先に始めてください。",
  "`{prefix}` is too short for a run's id. Give at least four characters of it, or `last`.":
    "`{prefix}` は実行の ID として短すぎます。4 文字以上か `last` を入れてください。",
  "Several runs begin with `{prefix}`: {several}. Give more of the id.":
    "`{prefix}` で始まる実行がいくつもあります：{several}。もっと長く入れてください。",
  "The run {run} is being worked on. Stop it first, then put it into the trash.":
    "実行 {run} は進行中です。先に停止してからごみ箱へ移してください。",
  "it was emptied or cut off": "空にされたか、途中で切られました",
  "it was overwritten": "上書きされました",
  "its write-ahead log was removed or replaced": "先行書き込みログが削除されたか、置き換えられました",
  "it was removed or renamed": "削除されたか、名前が変えられました",
  "another file is in its place": "その場所に別のファイルがあります",
  "Storing {what} failed: it is not JSON ({error}). Please report it.":
    "{what} を保存できません。JSON ではありません（{error}）。報告してください。",
  "There is no article {id} in the library. List the library to see the ids.":
    "ライブラリに記事 {id} はありません。ライブラリの一覧で ID を確かめてください。",
  "The run {run} must go on with event {expected}, not {found}: nothing was stored. Please report it.":
    "実行 {run} はイベント {expected} から続くはずですが、{found} でした。何も保存されていません。報告してください。",
  "The run {run} is not held by this program (any more): nothing was stored. Another Galley may have taken it; resume it from there, or once that one has let go.":
    "実行 {run} はこのプログラムのものではありません（なくなりました）。何も保存されていません。別の Galley が引き継いだのかもしれません。そちらで再開するか、手放されてから再開してください。",
  "There is a run {run} already. Begin with a new id.": "実行 {run} は既にあります。新しい ID で始めてください。",
  "The run {run} is being worked on by this program already. Wait until it ends, or stop it.":
    "実行 {run} はこのプログラムが既に進めています。終わるまで待つか、停止してください。",
  "The run {run} is held by another Galley (process {pid}). Wait until it ends there, or stop it there.":
    "実行 {run} は別の Galley（プロセス {pid}）が扱っています。そちらで終わるまで待つか、停止してください。",
  "The database {file} must be brought to the present format, and another Galley has it open. Close every other Galley that uses this folder, then start again.":
    "データベース {file} を今の形式に変える必要がありますが、別の Galley が開いています。このフォルダーを使うほかの Galley をすべて閉じて、起動し直してください。",
  "is empty": "空です",
  "holds nothing": "何も入っていません",
  "is missing": "ありません",
  "The data folder {folder} is a file. Choose a folder with --data-dir or GALLEY_DATA_DIR.":
    "データフォルダー {folder} はファイルです。フォルダーを選んでください。",
  "Bringing the database {file} to the present format failed ({other}); it is as it was before. Please report it.":
    "データベース {file} を今の形式に変えられませんでした（{other}）。元のままです。報告してください。",
  "Another Galley is bringing the database {file} to its own format. Wait until it is done, then start again.":
    "別の Galley がデータベース {file} を自分の形式に変えています。終わるまで待って起動し直してください。",
  "The system gave no thread to write with ({error}). Close other programs, then try again.":
    "書き込み用のスレッドをシステムから得られません（{error}）。ほかのプログラムを閉じてやり直してください。",
  "There is no run {run} in this data folder. List the runs to see their ids.":
    "このデータフォルダーに実行 {run} はありません。実行の一覧で ID を確かめてください。",
  "Another Galley has the data folder {folder} open. Close every other Galley that uses it, then try again.":
    "別の Galley がデータフォルダー {folder} を開いています。それを使うほかの Galley をすべて閉じてやり直してください。",
  "There is no backup `{name}` in {folder}; choose one of those that are listed.":
    "{folder} にバックアップ `{name}` はありません。一覧にあるものから選んでください。",
  "The backup {from} cannot be used ({reason}). Choose another one.":
    "バックアップ {from} は使えません（{reason}）。別のものを選んでください。",
  "Reading the history was cut off ({error}). Try again.":
    "履歴の読み取りが中断しました（{error}）。やり直してください。",
  "The store is closed: nothing more is written. Open it again.":
    "保存先は閉じられています。これ以上は書き込まれません。開き直してください。",
};

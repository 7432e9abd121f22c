// What the program says of data sets and evaluations, in Japanese: by the English forms.
export const evaluations: Record<string, string> = {
  "The file has no case; a case is a line with `inputs`":
    "ファイルにケースがありません。ケースは `inputs` のある 1 行です",
  "an expectation is an object such as {example}": "期待は {example} のようなオブジェクトです",
  "an expectation has exactly one of {known}": "期待には次のうちちょうど一つがあります：{known}",
  "`equals` needs the `key` whose value is compared": "`equals` には、値を比べるキーの `key` が必要です",
  "`check` takes no `key`": "`check` に `key` は使えません",
  "`at_least` belongs to a `rubric`": "`at_least` は `rubric` だけに使えます",
  "an expectation is wrong: {error}": "期待に誤りがあります：{error}",
  "`{criterion}` is empty": "`{criterion}` が空です",
  "`at_least` is a number from 0 to {most}": "`at_least` は 0 から {most} までの数です",
  "Line {line} cannot be read: {why}": "{line} 行目を読めません：{why}",
  "it is not JSON: {error}": "JSON ではありません：{error}",
  "it is not a JSON object": "JSON のオブジェクトではありません",
  "`set` is a JSON object": "`set` は JSON のオブジェクトです",
  "a case needs `inputs`, a JSON object with the inputs by key":
    "ケースには、キーごとの入力の JSON オブジェクト `inputs` が必要です",
  "`expect` is a list of expectations": "`expect` は期待のリストです",
  "`{name}` is a text": "`{name}` は文字列です",
  "there is no field `{name}`; there is {known}": "項目 `{name}` はありません。使えるのは {known} です",
  "The run has no text": "実行に文章がありません",
  "The run has no value `{key}`": "実行に値 `{key}` がありません",
  "“{text}” is missing": "「{text}」がありません",
  "“{text}” is not there": "「{text}」はありません",
  "“{text}” is there": "「{text}」があります",
  "The run has no checks": "実行に検査がありません",
  "The run has no check `{name}`; it has {known}": "実行に検査 `{name}` はありません。あるのは {known} です",
  "`{key}` is as expected": "`{key}` は期待どおりです",
  "`{key}` is {found}, not {expected}": "`{key}` は {expected} ではなく {found} です",
  "The model gave no judgement": "モデルが評価を出しませんでした",
  "The set is larger than {most} MB; divide it into several sets":
    "データセットが {most} MB を超えています。複数に分けてください",
  "The set has {count} cases; at most {most} are allowed, so divide it into several sets":
    "データセットに {count} 件のケースがあります。{most} 件までなので、複数に分けてください",
  "The file does not say for which pipeline its inputs are; name one, or begin the file with a line such as {example}":
    "ファイルの入力がどのパイプラインのものか書かれていません。パイプラインを指定するか、ファイルの先頭に {example} のような行を書いてください",
  "The run {id} has no text that could be a reference": "実行 {id} には参考にできる文章がありません",
  "The set `{name}` was removed meanwhile": "データセット `{name}` はその間に取り除かれました",
  "`{name}` cannot be the name of a set; use up to {most} letters, digits, -, _ and ., and none of the words {reserved}":
    "`{name}` はデータセットの名前にできません。{most} 文字までの文字、数字、-、_、. を使い、{reserved} は避けてください",
  "The judge could not be asked: {why}": "評価するモデルに尋ねられませんでした：{why}",
  "The run came to no end: {why}": "実行が終わりまで進みませんでした：{why}",
  "The run came to no end": "実行が終わりまで進みませんでした",
  "The run could not start: {why}": "実行を始められませんでした：{why}",
  "The evaluation broke off by an error of the program; it can be resumed":
    "評価はプログラムの誤りで途切れました。再開できます",
  "From 1 to {most} cells can be run at once": "同時に実行できるのは 1 から {most} 個のセルです",
  "The most money of an evaluation is a number of US dollars from 0 on": "評価の費用の上限は 0 以上の米ドルの数です",
  "The evaluation cannot be written: {error}": "評価を書き込めません：{error}",
  "The evaluation {id} is finished: nothing is left to resume": "評価 {id} は完了しています。再開するものはありません",
  "This process does not work on the evaluation {id}; stop it where it runs":
    "このプロセスは評価 {id} を進めていません。動いている所で止めてください",
  "What is kept of the evaluation {id} cannot be read: {error}": "評価 {id} の保存内容を読めません：{error}",
  "The case “{name}” cannot be run: {why}": "ケース「{name}」を実行できません：{why}",
  "The set `{name}` has no case; add one first": "データセット `{name}` にケースがありません。先に加えてください",
  "A rubric is judged by a model, and the profile `built-in` has none. Name a profile with a model for the judge":
    "評価基準はモデルが評価しますが、プロファイル `built-in` にモデルはありません。評価にはモデルのあるプロファイルを指定してください",
  "There is a set `{name}` already. Choose another name, or replace it with --replace":
    "データセット `{name}` はすでにあります。別の名前にするか、置き換えてください",
  "The set `{name}` is for the pipeline `{own}`, not for `{pipeline}`. Add the run to another set":
    "データセット `{name}` はパイプライン `{own}` のもので、`{pipeline}` のものではありません。実行は別のデータセットに加えてください",
  "There is no data set `{name}`. `galley set list` shows those there are": "データセット `{name}` はありません",
  "Several evaluations begin with `{prefix}`: {found}. Give more of the id":
    "`{prefix}` で始まる評価が複数あります：{found}。id をもう少し長く書いてください",
  "There is no evaluation `{id}`. `galley eval list` shows those there are": "評価 `{id}` はありません",
  "The evaluation {id} is being worked on. Wait for its end, or stop it first":
    "評価 {id} は進行中です。終わりを待つか、先に止めてください",
};

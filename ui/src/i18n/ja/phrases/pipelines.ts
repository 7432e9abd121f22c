// What the program says of pipelines and what they check, in Japanese: by the English forms.
export const pipelines: Record<string, string> = {
  "`examples` is no field of the top: write it under `[routing]`, at the end of the file":
    "`examples` は最上位の項目ではありません。ファイルの末尾の `[routing]` の下に書いてください",
  "there are no hits to choose from": "選べる検索結果がありません",
  "“{title}” needs a tool for `{slot}`; name one, for example `--source library`":
    "「{title}」の `{slot}` にはツールが必要です。選んでください",
  "There is no function `{name}`; there is {known}": "関数 `{name}` はありません。あるのは {known} です",
  "There is no agent `{name}`; there is {known}": "エージェント `{name}` はありません。あるのは {known} です",
  "A value to set is no template: {why}": "設定する値がテンプレートではありません：{why}",
  "The value of `{key}` cannot be filled in: {why}": "`{key}` の値を埋められません：{why}",
  "The value that is set has not the shape of `{key}`: {reason}": "設定する値が `{key}` の形ではありません：{reason}",
  "`{name}` stands in no step of the flow": "`{name}` はどのステップにもありません",
  "there is no key `{key}`; there is {known}": "キー `{key}` はありません。あるのは {known} です",
  "`{id}` is no id; write lower-case letters, digits and hyphens":
    "`{id}` は ID になりません。小文字、数字、ハイフンで書いてください",
  "the title is empty": "タイトルが空です",
  "`{name}` is no name; write letters, digits and underscores":
    "`{name}` は名前になりません。文字、数字、下線で書いてください",
  "`{name}` is an input already; a key has one meaning": "`{name}` は既に入力です。キーの意味は 1 つです",
  "the template is wrong: {why}": "テンプレートに誤りがあります：{why}",
  "the title of a run may use inputs only, not `{name}`": "実行のタイトルに使えるのは入力だけで、`{name}` は使えません",
  "a choice needs `choices`, and nothing else has them": "選択には `choices` が必要で、ほかの種類には付けられません",
  "the default of `{name}` is not of its kind": "`{name}` の既定値がその種類に合いません",
  "the limit `{name}` cannot be {value}": "上限 `{name}` を {value} にはできません",
  "there are no tools of kind `{kind}`; there is {known}": "種類 `{kind}` のツールはありません。あるのは {known} です",
  "there is no source `{default}`; there is {known}": "情報源 `{default}` はありません。あるのは {known} です",
  "a JSON Schema is a table": "JSON Schema はテーブルです",
  "this is no JSON Schema: {why}": "JSON Schema ではありません：{why}",
  "`{name}` stands for the person; choose another name": "`{name}` は利用者を表します。別の名前にしてください",
  "a step sets what `{key}` says, which perhaps nothing has written":
    "あるステップが `{key}` の内容を設定しますが、まだ書かれていない可能性があります",
  "there is no filter `{filter}`; there is {own}, and those of Jinja":
    "フィルター `{filter}` はありません。あるのは {own} と Jinja のものです",
  "the role names the field `{field}`, which the schema has not; it has {known}":
    "役割が項目 `{field}` を指していますが、スキーマにありません。あるのは {known} です",
  "`{condition}`: {reason}": "`{condition}`：{reason}",
  "`{condition}`: there is no field `{field}`; there is {known}":
    "`{condition}`：項目 `{field}` はありません。あるのは {known} です",
  "the flow has no steps": "フローにステップがありません",
  "there is no agent `{name}`; there is {known}": "エージェント `{name}` はありません。あるのは {known} です",
  "`{name}` ends its loop, and stands in none": "`{name}` はループを終えますが、ループの中にありません",
  "The input of `{agent}` does not fit: {why}": "`{agent}` の入力が合いません：{why}",
  "The output of `{agent}` does not fit: {why}": "`{agent}` の結果が合いません：{why}",
  "`at_most` is at least 1": "`at_most` は 1 以上です",
  "`{key}` is what each instance of `{name}` keeps to itself; choose another name":
    "`{key}` は `{name}` の各インスタンスが内部で使います。別の名前にしてください",
  "`{name}` is to run for {count} items; at most {most} are run":
    "`{name}` は {count} 件の項目で実行することになっていますが、最大 {most} 件です",
  "`{name}` runs for each item of `{path}`, which is no list":
    "`{name}` は `{path}` の項目ごとに実行されますが、これはリストではありません",
  "`{name}` runs on demand and stands in no loop that it could end":
    "`{name}` はオンデマンドで実行され、終了できる繰り返しの中にありません",
  "`{name}` runs on demand and stands in no step; run it with `for_each`":
    "`{name}` はオンデマンドで実行され、ステップには置けません。`for_each` で実行してください",
  "`{name}` runs on demand and writes no key: its answer is its output":
    "`{name}` はオンデマンドで実行され、キーには書き込みません。回答がそのまま結果です",
  "`{name}` stands in a step and takes no input; write `on_demand = true`":
    "`{name}` はステップにあり、入力を受け取りません。`on_demand = true` と書いてください",
  "no step runs `{name}`, which runs on demand; name it in the `run` of a `for_each`":
    "オンデマンドの `{name}` を実行するステップがありません。`for_each` の `run` に書いてください",
  "there is no agent `{name}` on demand; there is {known}":
    "オンデマンドのエージェント `{name}` はありません。あるのは {known} です",
  "two steps run `{name}`; declare a second agent":
    "`{name}` を 2 つのステップが実行しています。エージェントをもう 1 つ宣言してください",
  "`{key}` takes no list, which a `for_each` writes there":
    "`{key}` はリストを受け付けませんが、`for_each` はそこにリストを書きます",
  "`collect` and `failures` name the same key `{key}`; name two":
    "`collect` と `failures` が同じキー `{key}` を指しています。別々のキーを指定してください",
  "`{name}` holds what the person says to a run; choose another name":
    "`{name}` には実行への言葉が入ります。別の名前にしてください",
  "`{name}` would start itself without end; start another agent there":
    "`{name}` が際限なく自分自身を起動します。そこでは別のエージェントを起動してください",
  "`{name}` stands in two steps; put them into a loop, or declare a second agent":
    "`{name}` が 2 つのステップにあります。ループに入れるか、エージェントをもう 1 つ宣言してください",
  "a loop without steps does nothing": "ステップのないループは何もしません",
  "loops within each other make {all} rounds; at most {most} are run":
    "入れ子のループは合わせて {all} 回です。最大 {most} 回まで実行できます",
  "there is no function `{function}` here; there is {known}":
    "関数 `{function}` はここにはありません。あるのは {known} です",
  "there is no note `{id}`; declare it: `[note.{id}]`": "注記 `{id}` はありません。宣言してください：`[note.{id}]`",
  "`exit_loop` stands in no loop": "`exit_loop` がループの中にありません",
  "a loop has 1 to {most} rounds, not {number}": "ループは 1〜{most} 回です。{number} 回にはできません",
  "`rounds` needs a number, or an input that is a number with `most`; `{key}` is none, so the loop may never end":
    "`rounds` には数か、`most` のある数の入力が必要です。`{key}` はそうではなく、ループが終わらないかもしれません",
  "the value of `{key}` is no template: {why}": "`{key}` の値がテンプレートではありません：{why}",
  none: "なし",
  "`{key}` is an input; only the person writes it": "`{key}` は入力です。書き込めるのは利用者だけです",
  "an agent asks a model, asks the person, runs a function or is code by name: one of these":
    "エージェントがするのは、モデルに尋ねる、利用者に尋ねる、関数を実行する、名前で呼ぶコード、のどれか 1 つです",
  "`{name}` does nothing; give it an `instruction`, a `call`, a `question` or a function":
    "`{name}` は何もしません。`instruction`、`call`、`question`、関数のいずれかを書いてください",
  "`{name}` says in `writes` which key takes its answer": "`{name}` は答えを入れるキーを `writes` に書いてください",
  "`{name}` says in `writes` which key takes what the tool found":
    "`{name}` はツールの結果を入れるキーを `writes` に書いてください",
  "an agent with a `question`, `run` or `custom` does that alone; give the `call` to another":
    "`question`、`run`、`custom` のあるエージェントはそれだけを行います。`call` は別のエージェントに書いてください",
  "a temperature is a number from 0 to 2": "温度は 0 から 2 までの数です",
  "`{name}` asks no model; limits of their own have the agents that do":
    "`{name}` はモデルに尋ねません。独自の上限を持てるのはモデルに尋ねるエージェントだけです",
  "with `{limit}` of 0 `{name}` could never answer": "`{limit}` が 0 では `{name}` は回答できません",
  "the default of a question is one of its choices": "質問の既定値は選択肢のどれかです",
  "the schema of an answer is one of an object with `properties`":
    "答えの schema は `properties` のあるオブジェクトです",
  "`{field}` is no field of the answer that is true or false": "`{field}` は答えの真偽値の項目ではありません",
  "`check` judges by the checks; name their key in `reads`":
    "`check` は検査で判断します。検査のキーを `reads` に書いてください",
  "checks belong to an agent that writes a text": "検査は文を書くエージェントのものです",
  "no key takes the results; declare one with the role `checks`":
    "結果を入れるキーがありません。役割 `checks` のキーを宣言してください",
  "the template uses `{key}`; name it in `reads` or `may_read`":
    "テンプレートが `{key}` を使っています。`reads` か `may_read` に書いてください",
  "`{option}` is a whole number": "`{option}` は整数です",
  "a slot of kind `{kind}` has no `{option}`": "種類 `{kind}` のスロットに `{option}` はありません",
  "a tool of kind `{kind}` has no field `{field}`; it has {known}":
    "種類 `{kind}` のツールに項目 `{field}` はありません。あるのは {known} です",
  "With {most} model calls the run cannot come to its end: it needs at least {least}.":
    "モデル呼び出しが {most} 回では最後まで実行できません。少なくとも {least} 回必要です。",
  "With {most} model calls not every round can run: all rounds need {all}.":
    "モデル呼び出しが {most} 回ではすべてのラウンドを実行できません。全ラウンドに {all} 回必要です。",
  "The template of `{agent}` cannot be filled in: {why}": "`{agent}` のテンプレートを埋められません：{why}",
  "`{key}` must keep its shape: {reason}": "`{key}` は形を保たなければなりません：{reason}",
  "There is no key `{key}` to change; there is {known}": "変更できるキー `{key}` はありません。あるのは {known} です",
  "`{key}` is counted by the program; change the draft instead":
    "`{key}` はプログラムが数えます。代わりに草稿を変えてください",
  "line {line}, column {column}: {reason}": "{line} 行 {column} 列：{reason}",
  "the file has {bytes} bytes; a pipeline has at most {most}":
    "ファイルは {bytes} バイトです。パイプラインは最大 {most} バイトです",
  "the text is empty": "文章が空です",
  "over {most} words ({words})": "{most} 語を超えています（{words} 語）",
  "{words} words": "{words} 語",
  "{words} of at most {most} words": "上限 {most} 語のうち {words} 語",
  "nothing is cited": "引用が一つもありません",
  "{wrong}: no such source": "{wrong}：該当する出典がありません",
  "there is no source to compare with": "照らし合わせる出典がありません",
  "{used} citations, each of a source": "引用 {used} 件、いずれも出典を指しています",
  "a paragraph cites nothing: “{start}…”": "引用のない段落があります：「{start}…」",
  "every paragraph cites what it states": "どの段落も述べたことに引用があります",
  "no window is known": "期間が分かりません",
  "an unknown day": "不明な日",
  "“{title}” is of {day}, outside {from} to {until}": "「{title}」の日付は{day}で、{from} から {until} の外です",
  "all cited sources are of {from} to {until}": "引用した出典はすべて {from} から {until} のものです",
  "no source has {words}: “{start}”": "{words} はどの出典にもありません：「{start}」",
  "source [{number}] does not say {words}: “{start}”": "出典 [{number}] に {words} はありません：「{start}」",
  "every statement with a citation appears in its cited source": "引用のある記述はすべて、引用した出典にあります",
  "there is no text to take sentences from": "文を取り出せる文章がありません",
  "there are no sources to write about": "書くための出典がありません",
  "`rank` belongs to an agent that writes sources": "`rank` は出典を書くエージェントのものです",
  "only an agent can fill a form": "フォームを埋められるのはエージェントだけです",
  "`fill` belongs to an agent whose `output` is a JSON Schema":
    "`fill` は `output` が JSON Schema のエージェントのものです",
  "nothing that was read fills `{name}`": "読んだ内容に `{name}` を埋めるものがありません",
  "`check` belongs to an agent that writes a review": "`check` は査読を書くエージェントのものです",
  "there is no key of checks": "検査のキーがありません",
  "there are no checks yet": "まだ検査がありません",
  "it takes more than {most} steps; loop over less": "{most} ステップを超えます。繰り返しを減らしてください",
  "`{source}` is not there": "`{source}` がありません",
  "The title of a run cannot be made: {why}": "実行のタイトルを作れません：{why}",
  "it has {bytes} bytes, at most {most} are read": "{bytes} バイトあります。読み取れるのは最大 {most} バイトです",
  "a `{open} … {close}` has more than {most} bytes; split it":
    "`{open} … {close}` が {most} バイトを超えています。分けてください",
  "`{alias}` is taken; give `{name}` another alias": "`{alias}` は使われています。`{name}` に別の別名を付けてください",
  "“{written}” is gone without a value; leave it as it is written":
    "「{written}」が値なしで消えています。書かれたまま残してください",
  "“{words}” is no sentence of the template, or not at its place":
    "「{words}」はひな形の文ではないか、元の位置にありません",
  "“{words}” of the pruned template is missing or changed": "削ったひな形の「{words}」がないか、変えられています",
  "“{words}” is more than a value for a placeholder": "「{words}」は空欄の値の範囲を超えています",
  "“{words}” does not stand on its line behind its mark as in the text before":
    "「{words}」が前の文書と同じ行・同じ記号の後にありません",
  "“{words}” is none of the words to choose from": "「{words}」は選択肢にありません",
  "“{words}” of the filled template is missing, changed or not at its place":
    "埋めたひな形の「{words}」がないか、変えられたか、元の位置にありません",
  "the figure “{words}” of “{sentence}” stands in no sentence of the summary on the same subject":
    "「{sentence}」の数値「{words}」は、要約の同じ主題の文にありません",
  "the name “{words}” of “{sentence}” stands in no sentence of the summary on the same subject":
    "「{sentence}」の名称「{words}」は、要約の同じ主題の文にありません",
  "every sentence is one of the template, in its order": "すべての文はひな形のもので、順序も同じです",
  "only placeholders were replaced": "空欄だけが置き換えられています",
  "every sentence of the filled template stands": "埋めたひな形のすべての文があります",
  "every figure and name stands in a sentence of the summary on the same subject":
    "すべての数値と名称は、要約の同じ主題の文にあります",
  "open placeholders: {n} ({open})": "{n} 個の空欄が未記入です：{open}",
  "a title and {sections} sections": "題と {sections} 個の節があります",
  "no passage is copied without quotation marks": "引用符なしに写した箇所はありません",
  "taken from a source without quotation marks: “{passage}”": "出典から引用符なしに写されています：「{passage}」",
  "the list of references is not what the text cites": "参考文献の一覧が本文の引用と一致しません",
  "the references are what the text cites": "参考文献は本文の引用と一致しています",
  "the text cites none of its {count} sources as [1]": "{count} 件の出典を [1] の形で一つも引用していません",
  "the text cites its sources": "本文は出典を引用しています",
  "the text has no title (# …)": "文章に題（# …）がありません",
  "{sections} sections with a heading (## …), at least {least}":
    "見出し（## …）のある節は {sections} 個です。少なくとも {least} 個必要です",
  "{words} words, at least {least}; say more": "{words} 語です。少なくとも {least} 語必要です。もっと書いてください",
  "no placeholder is open": "未記入の空欄はありません",
  "done without a model, because the answers of the model could not be used: {flaws}":
    "モデルの回答を使えなかったため、モデルなしで行いました：{flaws}",
  "your sentences that are missing: {missing} of {count}": "自分の文の欠落：{count} 文のうち {missing} 文",
  "your sentences that stand word for word: {count}": "一字一句残る自分の文：{count}",
  "your sentences that stand word for word: {count}; put back: {back}":
    "一字一句残る自分の文：{count}、戻した文：{back}",
  "The draft has no sentence “{wanted}”": "草稿に「{wanted}」という文はありません",
  "There is no collision {id}: nothing is to be merged": "衝突 {id} はありません。統合するものはありません",
  "There is no collision {id}; there is {known}": "衝突 {id} はありません。あるのは {known} です",
  "There is no issue {id}: no review of this run has raised one":
    "指摘 {id} はありません。この実行の査読はまだ何も指摘していません",
  "There is no issue {id}; there is {known}": "指摘 {id} はありません。あるのは {known} です",
  "Issues to decide: {open}. Issues that are not dismissed go to the writer; when all are dismissed, the draft is taken as it is":
    "判断する指摘：{open} 件。取り下げない指摘は執筆担当に渡ります。すべて取り下げると、草稿をそのまま使います",
  "Go on": "続ける",
  "`{key}` follows from what is done at the review desk; decide, reply, lock or merge there":
    "`{key}` は査読パネルでの操作から決まります。そこで判断、返答、ロック、統合をしてください",
  "“{title}” has no draft with a review; edit the text instead":
    "「{title}」には査読付きの草稿がありません。文を直接編集してください",
  "There is no pipeline that could do it": "それができるパイプラインはありません",
  "Nothing clearly matches": "はっきり合うものはありません",
  "Matched words: {words}": "一致した言葉：{words}",
  "More than one pipeline could be meant": "複数のパイプラインが考えられます",
  "Only a task reads web pages, and this request needs a model to be planned: choose a profile with a model, or import the page into the library":
    "ウェブページを読むのはタスクだけで、この依頼の計画にはモデルが必要です。モデルのあるプロファイルを選ぶか、ページをライブラリに取り込んでください",
  "Only {words} tells which pipeline is meant": "どのパイプラインかを示すのは {words} だけです",
  "The request is empty; say in your own words what you need": "依頼が空です。必要なことを自分の言葉で書いてください",
  "The model did not answer in time, so the words of the pipelines decided":
    "モデルが時間内に答えなかったため、パイプラインの説明の言葉で決めました",
  "The model did not choose, so the words of the pipelines decided: {error}":
    "モデルが選ばなかったため、パイプラインの説明の言葉で決めました：{error}",
  "The model did not choose, so the words of the pipelines decided":
    "モデルが選ばなかったため、パイプラインの説明の言葉で決めました",
  "The ways could not be asked for, so they are estimated: {why}": "経路を問い合わせられないため見積もります：{why}",
  "“{title}” has no date; call it undated where it is cited":
    "「{title}」には日付がありません。引用した箇所に日付なしと書いてください",
  "all cited sources are of {from} to {until}, or called undated":
    "引用した出典はすべて {from} から {until} のもの、または日付なしと書かれています",
  "there is no tool `{slot}`; there is {known}. A slot is declared as `[tool.{slot}]`":
    "ツール `{slot}` はありません。あるのは {known} です。スロットは `[tool.{slot}]` として宣言します",
  "`{agent}` has nothing to choose from: its list is empty": "`{agent}` には選べるものがありません：一覧が空です",
  "The run {run} has no `{key}` yet; let it come to its end, or name another run":
    "実行 {run} にはまだ `{key}` がありません。終わるのを待つか、別の実行を指定してください",
  "an earlier run has no `default`; the person names it, or it is `optional`":
    "以前の実行に `default` はありません。人が指定するか `optional` にしてください",
  "`of_pipeline` is the id of a pipeline, and only an earlier run has it":
    "`of_pipeline` はパイプラインの ID で、以前の実行だけが持ちます",
  "`{key}` of the run {run} does not fit this pipeline: {why}":
    "実行 {run} の `{key}` はこのパイプラインに合いません：{why}",
  "Before event {at} of this imported run something waits for a decision of yours, so nothing can be replaced there; fork it at event {earlier} first":
    "この取り込んだ実行ではイベント {at} の前に判断を待つものがあり、そこでは置き換えられません。先にイベント {earlier} で分岐してください",
  "Event {seq} is an answer of the person; fork the run there to answer differently":
    "イベント {seq} は人の回答です。別の答えにするには、そこで実行を分岐してください",
};

// What the program says of tasks and their plans, in Japanese: by the English forms.
export const tasks: Record<string, string> = {
  "The plan: {why}.": "計画：{why}。",
  "The step `{step}`: {why}.": "ステップ `{step}`：{why}。",
  "it is no array of stages, each an array of steps with `stepId`, `assigned_agent_role`, `tool_name` and `sub_task_input`: {error}":
    "段階の配列ではありません（各段階はステップの配列で、ステップには `stepId`、`assigned_agent_role`、`tool_name`、`sub_task_input` があります）：{error}",
  "it has {count} steps; at most {most} are run": "ステップが {count} あります。実行できるのは {most} までです",
  "stage {number} has no steps": "段階 {number} にステップがありません",
  "`{id}` is no id; write 1 to {most} letters, digits, `_` or `-`":
    "`{id}` は識別子にできません。1～{most} 文字の英数字、`_`、`-` で書いてください",
  "another step has this id, too": "別のステップも同じ識別子です",
  "there is no role `{role}`; there is {known}": "役割 `{role}` はありません。あるのは {known} です",
  "`{tool}` is a tool of {owner}, not of {role}": "`{tool}` は {owner} のツールで、{role} のものではありません",
  "its input does not fit `{tool}`: {why}": "入力が `{tool}` に合いません：{why}",
  "it refers to `{other}`, which is no step of an earlier stage":
    "`{other}` を参照していますが、前の段階のステップではありません",
  "the step `{step}`, to which it refers, did not complete": "参照先のステップ `{step}` は完了していません",
  "the result of `{step}` has no field `{part}`": "`{step}` の結果に項目 `{part}` がありません",
  "The plan that was given is no JSON: {error}. Give an array of stages.":
    "渡された計画は JSON ではありません：{error}。段階の配列を渡してください。",
  "To carry out a plan, give one; to have one made, choose another mode":
    "計画を実行するには計画を渡してください。計画を作らせるには別の方式を選んでください",
  "The table of request forms is wrong: {why}": "依頼の形の表に誤りがあります：{why}",
  "A plan template is wrong: {why}": "計画のひな形に誤りがあります：{why}",
  "This plan cannot be carried out. {why}": "この計画は実行できません。{why}",
  "The run {run} has no plan under `{key}`": "実行 {run} の `{key}` に計画はありません",
  "`{pipeline}` takes no plan templates": "`{pipeline}` は計画テンプレートを使いません",
  "`{name}` is no name for a template; write 1 to {most} letters, digits, blanks, `_` or `-`":
    "`{name}` はテンプレートの名前になりません。文字・数字・空白・`_`・`-` を 1 から {most} 個で書いてください",
  "`{pattern}` is no pattern: {why}. Write a regular expression over the whole task":
    "`{pattern}` はパターンではありません：{why}。タスク全体に対する正規表現を書いてください",
  "There is a template `{name}` already; choose another name":
    "テンプレート `{name}` はすでにあります。別の名前を選んでください",
  "what its references stand for has more than {most} MB together": "参照が表す内容が合わせて {most} MB を超えます",
  "The task cannot be planned, and the model says no reason. Word it in another way, or choose another model":
    "タスクを計画できず、モデルは理由を述べていません。言い方を変えるか、別のモデルを選んでください",
  "The task was not completed: {why}": "タスクは完了しませんでした：{why}",
  "The text could not be set on pages": "テキストをページに組めませんでした",
  "The request is planned as a task without a model": "この依頼はモデルなしでタスクとして計画できます",
  "its prompt has the place `{name}`, and `{parameters}` has no such name":
    "プロンプトに `{name}` の欄がありますが、`{parameters}` にその名前はありません",
  "it asks for {what}, and no stage is before it": "{what} を求めていますが、前の段階がありません",
  "The plan templates in {file} cannot be read: {why}. Mend the file or take it out of the folder":
    "{file} の計画テンプレートを読み取れません：{why}。ファイルを直すか、フォルダーから出してください",
  "{file} cannot be read: {error}. Mend it or take it out of the folder":
    "{file} を読み取れません：{error}。直すか、フォルダーから出してください",
  "The input `{key}` is filled from the data folder; leave it out":
    "入力 `{key}` はデータフォルダーから入ります。指定しないでください",
  "own files need a `folder` of letters, digits and underscores, and nothing else has one":
    "自分のファイルには英数字とアンダースコアの `folder` が必要で、ほかの入力にはありません",
  "`{input}` is no yes-or-no input of the pipeline":
    "`{input}` はこのパイプラインの「はい・いいえ」の入力ではありません",
  "The step `{step}` of the plan failed: {why}": "計画のステップ `{step}` が失敗しました：{why}",
  "there is no tool `{tool}`; there is {known}": "ツール `{tool}` はありません。あるのは {known} です",
  "a reference in “{text}” is not well formed; write it as {form}, with fields below it behind dots":
    "「{text}」の参照の書き方が正しくありません。{form} のように書き、その下の項目は点の後に書いてください",
  "“{task}” fits no request that is planned without a model. Reword it in parts such as “calculate …”, “convert … to …”, “read …”, “write both to FILE”, give a plan, or choose a profile with a model":
    "「{task}」は、モデルなしで計画できる依頼に当てはまりません。「…を計算」「…を…に換算」「…を読む」「両方をファイルに書く」のような部分に分けて書き直すか、計画を渡すか、モデルのあるプロファイルを選んでください",
  "The plan has no steps; give at least one": "計画にステップがありません。少なくとも一つ渡してください",
  "The task cannot be planned: {why}": "タスクを計画できません：{why}",
  "No search was completed before; put a `{tool}` step into an earlier stage":
    "完了した検索がありません。前の段階に `{tool}` のステップを入れてください",
  "The search of `{step}` found no page to read": "`{step}` の検索では読むページが見つかりませんでした",
  "None of the pages could be read. {why}": "どのページも読めませんでした。{why}",
  "{address}: {why}": "{address}：{why}",
  "To write an answer anew, name the earlier run whose results it is written from":
    "回答を書き直すには、その結果を持つ以前の実行を指定してください",
  "`{tool}` was given up: {count} workers ended while they worked on it":
    "`{tool}` を断念しました：処理中に {count} 個のワーカーが停止しました",
  "The input `{key}` names {run}, a run of `{other}`; name one of `{pipeline}`":
    "入力 `{key}` が指す {run} は `{other}` の実行です。`{pipeline}` の実行を指定してください",
  "an earlier run needs `takes`, and nothing else has it": "以前の実行には `takes` が必要で、ほかの入力にはありません",
  "`{name}` takes `{key}`, which is no key of the pipeline":
    "`{name}` が取る `{key}` はこのパイプラインのキーではありません",
  "Workers do what agents on demand ask for; `{name}` is none":
    "ワーカーが担うのはオンデマンドのエージェントです。`{name}` はそうではありません",
  "it writes `{file}`, as `{other}` of its stage does; name another file, or do it in a later stage":
    "`{file}` に書き込みますが、同じ段階の `{other}` も書き込みます。別のファイル名にするか、後の段階で行ってください",
  "The run has more files than its folder may hold: at most {most} with {megabytes} MB":
    "実行のファイルがフォルダーの上限を超えています：最大 {most} 個、合計 {megabytes} MB",
};

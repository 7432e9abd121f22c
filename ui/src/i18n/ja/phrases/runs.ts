// What the program says of runs, their questions and their limits, in Japanese: by the English forms.
export const runs: Record<string, string> = {
  "The instruction of `{agent}` is empty; write one, or leave it out for the usual one":
    "`{agent}` の指示が空です。指示を書くか、指定せずに通常のものを使ってください",
  "There is no session `{session}`. Name that of an earlier run, or none for a new one":
    "セッション `{session}` はありません。以前の実行のセッションを指定するか、指定せずに新しく始めてください",
  "`{id}` is no id that Galley gives to a run or a session; export the run again":
    "`{id}` は Galley が実行やセッションに付ける ID ではありません。実行をもう一度書き出してください",
  "`{pipeline}` has no key `{key}`; it has {known}": "`{pipeline}` にキー `{key}` はありません。あるのは {known} です",
  "Who stands in cannot: {why}": "予備のプロファイルを使えません：{why}",
  "There is no tool `{name}`; there is {known}": "ツール `{name}` はありません。あるのは {known} です",
  "`{text}` is not a day; write it as YYYY-MM-DD, for example 2026-07-01":
    "`{text}` は日付ではありません。2026-07-01 のように YYYY-MM-DD で書いてください",
  "There is no export format `{id}`; this run can be exported as {formats}":
    "書き出し形式 `{id}` はありません。この実行は {formats} で書き出せます",
  "“{title}” holds every kind of event; leave kinds out of the journal (csv) instead":
    "「{title}」にはすべての種類のイベントが入ります。種類を除くには記録（csv）を書き出してください",
  "This run has no text for “{title}”; go on with it until a draft is there, or export its events":
    "この実行には「{title}」にする文章がありません。草稿ができるまで続けるか、イベントを書き出してください",
  "The Word document cannot be put together: {error}": "Word 文書を作成できません：{error}",
  "The journal cannot be written as CSV: {error}": "記録を CSV として書き込めません：{error}",
  "The export cannot be read: {error}": "書き出したデータを読み取れません：{error}",
  "Markdown text": "Markdown 文書",
  "Web page": "ウェブページ",
  PDF: "PDF",
  "The text cannot be set on pages: {reason}. Export it as Word document or web page instead":
    "テキストをページに組めません：{reason}。Word 文書またはウェブページとして書き出してください",
  "No font on this machine has {characters}. Install one that has them, or export the text as Word document or web page":
    "このコンピューターには {characters} を含むフォントがありません。含むフォントをインストールするか、Word 文書またはウェブページとして書き出してください",
  "Word document": "Word 文書",
  "Drawn map with itinerary": "地図と旅程",
  "Booklet of the trip": "旅のしおり",
  Calendar: "カレンダー",
  "Links to Google Maps": "Google マップへのリンク",
  "GPX route": "GPX ルート",
  GeoJSON: "GeoJSON",
  "KML for globes": "KML（地球儀ソフト用）",
  "This run has no planned trip for “{title}”; go on with it until its visits are planned, or export its events":
    "この実行には「{title}」にする旅程がありません。訪問の計画ができるまで続けるか、イベントを書き出してください",
  "Run report": "実行レポート",
  Prompts: "プロンプト",
  "Pages and results of tools": "ページとツールの結果",
  "Names of files": "ファイル名",
  Addresses: "アドレス",
  "Amounts of money": "金額",
  "Event {seq} of the run does not fit the others; export it again":
    "実行のイベント {seq} がほかと合いません。もう一度書き出してください",
  "The file holds no run that Galley can read: {error}": "ファイルに Galley が読める実行がありません：{error}",
  "The file holds no run; choose a report (report) or JSON (json) that Galley exported":
    "ファイルに実行がありません。Galley が書き出したレポート（report）か JSON（json）を選んでください",
  "The file holds no whole run; export it again": "ファイルに完全な実行がありません。もう一度書き出してください",
  "The file {file} cannot be read: {error}; name another":
    "ファイル {file} を読めません：{error}。別のファイルを指定してください",
  "The file {file} holds no run: it is no file, or larger than {most} MB":
    "{file} に実行がありません。ファイルでないか、{most} MB より大きいです",
  Keys: "キー",
  "The file holds more than a run that can be imported; leave pages out of it when it is exported":
    "ファイルの中身が取り込める実行より多いです。書き出すときにページを省いてください",
  "The run cannot be written: {error}": "実行を書き出せません：{error}",
  "The run was cut off or changed after it was exported; export it again":
    "実行は書き出した後で切れたか変えられています。もう一度書き出してください",
  "The run was exported by a newer Galley; import it with that one":
    "実行はより新しい Galley が書き出したものです。その版で取り込んでください",
  "What this run was started with was damaged and is lost. The run can be read and exported, but not resumed, replayed, forked or started again":
    "この実行の開始時の設定は破損して失われました。閲覧と書き出しはできますが、再開、再生、分岐、再実行はできません",
  "The run {id} can be neither replayed nor forked: {left_out} were left out of the file it came from. Ask for the whole run":
    "実行 {id} は再生も分岐もできません。元のファイルから {left_out} が省かれています。完全な実行を求めてください",
  "The run {id} was made elsewhere. Fork it to go on from any of its events":
    "実行 {id} はほかで作成されました。続けるにはいずれかのイベントから分岐してください",
  "There is another run {run} here, with other events; erase that one first, or keep it":
    "ここには別のイベントを持つ実行 {run} があります。先にそれを消去するか、そのまま残してください",
  "`{word}` cannot be left out of a run; {known} can": "`{word}` は実行から省けません。省けるのは {known} です",
  "{known} can be left out of a report (report) or of JSON (json), not of “{title}”":
    "{known} を省けるのはレポート（report）か JSON（json）だけで、「{title}」からは省けません",
  "JSON with all events": "全イベントの JSON",
  "Journal as CSV": "記録（CSV）",
  "ADK session": "ADK セッション",
  "Events as partial states": "部分状態としてのイベント",
  "The file {file} is there already; add --yes to replace it": "ファイル {file} は既にあります。別の名前にしてください",
  "The file {file} cannot be written: {error}; free some space, or name another place":
    "ファイル {file} に書き込めません：{error}。空きを作るか、別の場所を指定してください",
  "The file {file} cannot be written: {error}; name another":
    "ファイル {file} に書き込めません：{error}。別のファイルを指定してください",
  "A title has at most {most} characters; shorten it": "タイトルは最大 {most} 文字です。短くしてください",
  "Run {id} has no event {seq}; its last is {last_seq}":
    "実行 {id} にイベント {seq} はありません。最後は {last_seq} です",
  "There is no key `{key}`; there is {known}": "キー `{key}` はありません。あるのは {known} です",
  "A run has at most {most} tags of at most {longest} characters; shorten them":
    "タグは 1 つの実行に最大 {most} 個、それぞれ最大 {longest} 文字です。減らすか短くしてください",
  "`{pipeline}` has no input `{key}`; it has {known}":
    "`{pipeline}` に入力 `{key}` はありません。あるのは {known} です",
  "The input `{key}` is empty; say for example “{example}”": "入力 `{key}` が空です。例：「{example}」",
  "`{pipeline}` needs the input `{key}`; for example {example}": "`{pipeline}` には入力 `{key}` が必要です",
  "The input `{key}` has {bytes} bytes; at most {most} are allowed, so shorten it":
    "入力 `{key}` は {bytes} バイトあります。最大 {most} バイトなので短くしてください",
  "The input `{key}` must be a text": "入力 `{key}` はテキストでなければなりません",
  "The input `{key}` is one of {known}": "入力 `{key}` は次のどれかです：{known}",
  "The input `{key}` is a day, written as YYYY-MM-DD": "入力 `{key}` は YYYY-MM-DD の形の日付です",
  "The input `{key}` is yes or no": "入力 `{key}` は「はい」か「いいえ」です",
  "The input `{key}` is a list of texts, one a line": "入力 `{key}` は 1 行に 1 つずつのテキストの一覧です",
  " of at least {least}": "（{least} 以上）",
  " and at most {most}": "（{most} 以下）",
  "The input `{key}` is a number{least}{most}": "入力 `{key}` は数です{least}{most}",
  "No text of this run names this picture, so it is not fetched":
    "この実行のどのテキストもこの画像を示していないため、取得しません",
  "The address of this picture is none; nothing was fetched":
    "この画像のアドレスは正しくありません。何も取得していません",
  "The picture cannot be shown: {why}": "画像を表示できません：{why}",
  "The picture is not there: its server answers {status}": "画像がありません。サーバーの応答は {status} です",
  "What is at this address is no picture that can be shown here (PNG, JPEG, GIF, WebP)":
    "このアドレスにあるのは、ここで表示できる画像（PNG、JPEG、GIF、WebP）ではありません",
  "There is no pipeline `{id}`; there is {known}": "パイプライン `{id}` はありません。あるのは {known} です",
  "The pipeline {file} cannot run: {faults}": "パイプライン {file} は実行できません：{faults}",
  "What this run keeps of its pipeline cannot be read: {error}":
    "この実行に保存されたパイプラインを読み取れません：{error}",
  "The pipeline `{id}` is made of code and has no text":
    "パイプライン `{id}` はコードで作られていて、テキストがありません",
  "the program itself has a pipeline `{id}`; choose another id":
    "パイプライン `{id}` はプログラムのものです。別の ID にしてください",
  "there is a pipeline `{id}` already; choose another id": "パイプライン `{id}` は既にあります。別の ID にしてください",
  "its id is `{id}`; a file is named after the id of its pipeline: `{id}.toml`":
    "ID は `{id}` です。ファイル名はパイプラインの ID に合わせます：`{id}.toml`",
  "The pipeline {file} cannot be read: {error}": "パイプライン {file} を読み取れません：{error}",
  "This is no pipeline: {faults}": "これはパイプラインではありません：{faults}",
  "{most} copies have a name already; give some of them other names":
    "コピーの名前が {most} 個使われています。いくつかの名前を変えてください",
  "The text has {bytes} bytes; a pipeline has at most {most}":
    "テキストは {bytes} バイトあります。パイプラインは最大 {most} バイトです",
  "The file {file} cannot be changed: {error}": "ファイル {file} を変更できません：{error}",
  "There is no file of a pipeline `{id}`": "パイプライン `{id}` のファイルはありません",
  "Run {id} does not run; nothing is to be stopped": "実行 {id} は動いていません。停止するものはありません",
  "The run {id} is in the trash. Take it out first, then let it go on":
    "実行 {id} はごみ箱にあります。先に取り出してから続けてください",
  "This run is finished: nothing is left to resume. Fork it to go another way":
    "この実行は完了しています。再開するものはありません。別の進め方をするには分岐してください",
  "`{key}` is an input; fork the run to change it": "`{key}` は入力です。変えるには実行を分岐してください",
  "`{key}` has no field `{field}` yet; wait until it is written":
    "`{key}` にはまだ項目 `{field}` がありません。書き込まれるまで待ってください",
  "The slot `{name}` has no tool `{chosen}`; it has {known}":
    "スロット `{name}` にツール `{chosen}` はありません。あるのは {known} です",
  "`{id}` has no slots for tools": "`{id}` にツールのスロットはありません",
  "There is no slot `{name}`; there is {known}": "スロット `{name}` はありません。あるのは {known} です",
  "The source `{source}` has no key, so the search will fail; keys are given out at {page}, and a profile of `{name}` keeps one":
    "情報源 `{source}` にキーがないため、検索は失敗します。キーは {page} で取得でき、`{name}` のプロファイルに保存できます",
  "The source is `{source}`. {purpose}": "情報源は `{source}` です。{purpose}",
  "The latest article of {library} is of {latest}; searched as of {day}, nothing may be recent enough. Begin the run as of {latest}.":
    "{library}の最新の記事は {latest} です。{day} 時点で検索すると、十分に新しいものがないかもしれません。{latest} 時点として始めてください。",
  reads: "読み取り",
  writes: "書き込み",
  "The tool `{tool}` is not there any more": "ツール `{tool}` はもうありません",
  "`{agent}` needs a model; choose a profile with one":
    "`{agent}` にはモデルが必要です。モデルのあるプロファイルを選んでください",
  "A recorded answer of `{author}` cannot be read: {error}": "`{author}` の記録された回答を読み取れません：{error}",
  "An answer was taken for a failure": "回答が失敗として扱われました",
  "does something that is not recorded": "記録にないことをしています",
  "does not do what is recorded": "記録にあることをしていません",
  "does something else than recorded": "記録と違うことをしています",
  "At event {seq} `{path}` {what}; the program or a definition changed since. Fork the run there to go on with what is new":
    "イベント {seq} で `{path}` が{what}。その後、プログラムか定義が変わりました。新しい内容で続けるには、そこで実行を分岐してください",
  "You stopped the run; resume it to go on": "実行は停止されました。再開すると続きます",
  "The run waits for your answer: {question}": "実行は回答を待っています：{question}",
  "The records of this run break off here": "この実行の記録はここで途切れています",
  "`{agent}` needs `{key}`, which is not set": "`{agent}` には `{key}` が必要ですが、設定されていません",
  "`{key}` does not have the shape that `{agent}` expects: {reason}":
    "`{key}` は `{agent}` が求める形ではありません：{reason}",
  "`{agent}` {verb} `{key}`, which its contract does not declare":
    "`{agent}` は宣言していない `{key}` の{verb}をしました",
  "the price of `{model}` is not known, so it is not asked while cost is limited to ${most}":
    "`{model}` の料金が不明なため、費用の上限が ${most} の間は問い合わせません",
  "There is no session {session}": "セッション {session} はありません",
  "The input `{key}` is taken from the session; leave it out":
    "入力 `{key}` はセッションから取られます。指定しないでください",
  "The run made no file {path} at this event": "この実行はこのイベントでファイル {path} を作っていません",
  "The temperature cannot be {value}; give a number from 0 to {most}":
    "温度を {value} にはできません。0 から {most} までの数を指定してください",
  "`{agent}`: {used_up}": "`{agent}`：{used_up}",
  "{most} model calls are used up": "モデル呼び出し {most} 回を使い切りました",
  "{most} tokens are used up": "{most} トークンを使い切りました",
  "{most} calls of this tool are used up": "このツールの呼び出し {most} 回を使い切りました",
  "{most} seconds of active time are used up": "作業時間 {most} 秒を使い切りました",
  "{most} tokens of output are used up": "出力の {most} トークンを使い切りました",
  "${most} are used up, or the next call would pass them": "${most} を使い切ったか、次の呼び出しで超えます",
  "Resume the run with a higher limit to go on": "上限を上げて実行を再開してください",
  "Put the price into `prices.toml` in the data folder (0 where nobody is paid) and resume the run, or resume it with --limit max_cost=none":
    "データフォルダーの `prices.toml` に料金を書いて（無料なら 0）再開するか、この上限を外して再開してください",
  "The limit `{limit}` is reached: {what}. {next}": "上限 `{limit}` に達しました：{what}。{next}",
  "`{name}`: {why}": "`{name}`：{why}",
  "The answer of `{agent}` could not be used, even after one retry: {flaws}. {next}":
    "`{agent}` の回答は、一度再試行しても使えませんでした：{flaws}。{next}",
  "Correct it by hand, or fork with another model or instruction": "手で直すか、別のモデルか指示で分岐してください",
  "Raise it with `--limit max_output_tokens=N` (`AGENT.max_output_tokens=N` for one agent) in a new run or a fork, or in the pipeline, or correct the answer by hand":
    "新しい実行か分岐、またはパイプラインでこの上限を上げるか、回答を手で直してください",
  "it was cut off at {asked} tokens: the limit `max_output_tokens` of the run is {limit}":
    "回答は {asked} トークンで切れました：実行の上限 `max_output_tokens` は {limit} です",
  "it was cut off at {asked} tokens: the limit `max_output_tokens` of `{agent}` is {limit}":
    "回答は {asked} トークンで切れました：`{agent}` の上限 `max_output_tokens` は {limit} です",
  "the service cut it off after {used} tokens, although `max_output_tokens` is {limit}: the model or its server allows no more":
    "`max_output_tokens` は {limit} ですが、サービスは {used} トークンで回答を切りました：モデルかサーバーの上限です",
  "it is empty, and the service says why it ended: `{reason}`": "回答が空です。サービスが示す終了の理由：`{reason}`",
  "What the run has in hand is kept in {file} and taken up when the run goes on.":
    "実行のまだ保存されていない内容は {file} に入り、再開時に使われます。",
  "The run was stopped while its last answer was being stored, and the database did not take it in time. Resume the run once the database answers.":
    "最後の回答の保存中に実行が停止され、データベースへの保存が間に合いませんでした。データベースが応答したら実行を再開してください。",
  "The run ended before this was stored. Resume the run, then look whether the edit is there.":
    "これを保存する前に実行が終わりました。実行を再開し、編集が残っているか確かめてください。",
  "Try again": "やり直す",
  "Go on without this limit": "この上限なしで続ける",
  "Finish with the best so far": "ここまでの最良の結果で終える",
  "The call was not sent: {used_up}. Put the price into `prices.toml` in the data folder and try again, go on without this limit, finish with the best so far, or stop?":
    "呼び出しは送信されませんでした：{used_up}。データフォルダーの `prices.toml` に料金を書いてやり直すか、この上限なしで続けるか、ここまでの最良の結果で終えるか、停止しますか？",
  "{used_up}. Add to it, finish with the best so far, or stop?":
    "{used_up}。上限を増やすか、ここまでの最良の結果で終えるか、停止しますか？",
  "Add {more} calls and go on": "呼び出しを {more} 回増やして続ける",
  "Add {more} tool calls and go on": "ツールの呼び出しを {more} 回増やして続ける",
  "Add {more} tokens and go on": "{more} トークン増やして続ける",
  "Add {more} s and go on": "{more} 秒増やして続ける",
  "Add ${more} and go on": "${more} 増やして続ける",
  "Go on without a model": "モデルなしで続ける",
  "Go on with {profile}": "{profile} で続ける",
  "Do this stage without a model": "この段階をモデルなしで行う",
  "Ask the model again": "モデルにもう一度尋ねる",
  Refuse: "拒否する",
  "Use what it gave then": "そのときの結果を使う",
  "Do it again": "もう一度行う",
  "The run this one was forked from already did this: {what}. Do it again?":
    "分岐元の実行ですでに行われました：{what}。もう一度行いますか？",
  "Do not repeat it": "繰り返さない",
  "This was in flight when the program stopped and may have been done: {what}. Do it again?":
    "プログラムの停止時に行っている途中で、済んでいるかもしれません：{what}。もう一度行いますか？",
  "This run waits for no answer; `galley show RUN` tells how it stands": "この実行は回答を待っていません",
  "The edit broke off; look whether it was kept, or make it again":
    "編集が中断しました。保存されたか確かめるか、もう一度編集してください",
  "The run was dropped by its process; resume it to go on": "実行がプロセスから手放されました。再開すると続きます",
  "Event {at} does not exist in run {run}; choose one from 1 to {last}":
    "実行 {run} にイベント {at} はありません。1 から {last} までを選んでください",
  "An agent broke off by an error of the program; the run can be resumed":
    "エージェントがプログラムの不具合で中断しました。実行は再開できます",
  "`{author}` asked for the tool `{tool}`; it has {known}":
    "`{author}` がツール `{tool}` を求めましたが、使えるのは {known} です",
  "`{tool}` was in flight when the program stopped, and you chose not to repeat it":
    "プログラムの停止時に `{tool}` は途中でしたが、繰り返さないことが選ばれました",
  "`{agent}` reads `{key}`, but no input and no agent before it writes that key; add a writer or declare it `may_read`":
    "`{agent}` は `{key}` を読みますが、それより前に書く入力もエージェントもありません。書くものを加えるか、`may_read` にしてください",
  "`{writer}` writes `{key}` while `{other}`, which runs beside it, reads or writes it; run them in sequence or give each its own key":
    "`{writer}` が `{key}` を書く間に、並行する `{other}` も読み書きします。順に実行するか、キーを分けてください",
  "`{agent}` uses the key `{key}`, which the pipeline does not declare; declare it or correct the name":
    "`{agent}` はパイプラインが宣言していないキー `{key}` を使っています。宣言するか名前を直してください",
  "two agents are called `{agent}`; give each its own name":
    "`{agent}` という名前のエージェントが 2 つあります。別々の名前にしてください",
  "`{agent}` is a loop of no rounds; allow at least one":
    "`{agent}` は 0 回のループです。少なくとも 1 回にしてください",
  "`{answer}` does not answer “{text}”; choose one of {choices}, or a number to add":
    "`{answer}` は「{text}」の回答になりません。{choices} から選ぶか、増やす数を入れてください",
  "`{answer}` does not answer “{text}”; choose one of {choices}":
    "`{answer}` は「{text}」の回答になりません。{choices} から選んでください",
  "{first} {next}": "{first}{next}",
  "{first}; {next}": "{first}；{next}",
  "The input `{key}` is given as `{one}` and as `{other}`; give it once":
    "入力 `{key}` が `{one}` と `{other}` の両方で渡されています。一度だけ渡してください",
  "An agent of the run {id} is at work on the draft or its review. Do this when the run asks you, or when it has ended":
    "実行 {id} のエージェントが草稿または査読に取り組んでいます。実行から質問があったとき、または終わってから操作してください",
  "The run {id} is still at work. Stop it or wait for its end, then rewrite":
    "実行 {id} はまだ動いています。停止するか終わりを待ってから書き直してください",
  "“{title}” has no draft that could be rewritten after a review": "「{title}」には査読後に書き直せる草稿がありません",
  "`{value}` is not `true` or `false`": "`{value}` は `true` でも `false` でもありません",
  "The run stops before `{agent}` starts. Go on?": "`{agent}`の前で実行が止まっています。続けますか？",
  "The run stops after `{agent}`. Go on with what it made?":
    "`{agent}`の後で実行が止まっています。できたもので続けますか？",
  "A word to a run has 1 to {most} characters": "実行への言葉は 1 文字以上 {most} 文字以内です",
  "The run {run} is held by another process, which does not answer. Try again, or do it there":
    "実行 {run} は別のプロセスが扱っていますが、応答がありません。もう一度試すか、そちらで操作してください",
  "What another process asks is not understood: {why}": "別のプロセスからの要求を理解できません：{why}",
  "The run {id} does not go on, so no agent would read this. Resume it, or start the next run with it":
    "実行 {id} は動いていないため、読むエージェントがいません。再開するか、この言葉で次の実行を始めてください",
  "There is no agent `{place}`; there is {known}": "エージェント `{place}` はありません。あるのは {known} です",
  "`{key}` cannot be removed at a gate; set it to another value":
    "停止点で `{key}` を削除することはできません。別の値を設定してください",
  "`{place}` is no instance of an agent on demand, so it has the settings of `{name}`; set those":
    "`{place}` は必要に応じて動くエージェントのインスタンスではないため、`{name}` の設定に従います。`{name}` を設定してください",
  "`{name}` asks no model itself, so it has limits and no other settings; model agents are {known}":
    "`{name}` 自身はモデルを使わないため、設定できるのは上限だけです。モデルを使うエージェントは {known} です",
  "replaced by hand": "手で置き換えました",
  "Step {step} was not carried out in run {run}; choose one with a result":
    "実行 {run} ではステップ {step} は実行されていません。結果のあるステップを選んでください",
  "The plan of run {run} has no step {step}": "実行 {run} の計画にステップ {step} はありません",
  "Give step {step} either another input or another result":
    "ステップ {step} には別の入力か別の結果のどちらか一方を指定してください",
  "Event {seq} is no result of a tool with a value of this kind, no text of a model and no answer to an agent's question; choose one that is":
    "イベント {seq} は、この種類の値を持つツールの結果でも、モデルの文章でも、エージェントの質問への回答でもありません。該当するものを選んでください",
  Stop: "停止する",
};

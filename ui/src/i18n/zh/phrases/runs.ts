// What the program says of runs, their questions and their limits, in Simplified Chinese: by the English forms.
export const runs: Record<string, string> = {
  "The instruction of `{agent}` is empty; write one, or leave it out for the usual one":
    "`{agent}` 的指令是空的；请写出指令，或不提供以使用通常的指令",
  "There is no session `{session}`. Name that of an earlier run, or none for a new one":
    "没有会话 `{session}`。请指定先前某次运行的会话，或不指定以新建",
  "`{id}` is no id that Galley gives to a run or a session; export the run again":
    "`{id}` 不是 Galley 给运行或会话的 id；请重新导出该运行",
  "`{pipeline}` has no key `{key}`; it has {known}": "`{pipeline}` 没有键 `{key}`；现有 {known}",
  "Who stands in cannot: {why}": "备用配置无法使用：{why}",
  "There is no tool `{name}`; there is {known}": "没有工具 `{name}`；现有 {known}",
  "`{text}` is not a day; write it as YYYY-MM-DD, for example 2026-07-01":
    "`{text}` 不是日期；请写成 YYYY-MM-DD，例如 2026-07-01",
  "There is no export format `{id}`; this run can be exported as {formats}":
    "没有导出格式 `{id}`；此运行可导出为 {formats}",
  "“{title}” holds every kind of event; leave kinds out of the journal (csv) instead":
    "“{title}”包含所有种类的事件；要省略某些种类，请改为导出日志（csv）",
  "This run has no text for “{title}”; go on with it until a draft is there, or export its events":
    "此运行没有可用于“{title}”的文本；请继续运行直到有草稿，或导出其事件",
  "The Word document cannot be put together: {error}": "无法生成 Word 文档：{error}",
  "The journal cannot be written as CSV: {error}": "无法将日志写为 CSV：{error}",
  "The export cannot be read: {error}": "无法读取导出内容：{error}",
  "Markdown text": "Markdown 文本",
  "Web page": "网页",
  PDF: "PDF",
  "The text cannot be set on pages: {reason}. Export it as Word document or web page instead":
    "无法将文本排版成页面：{reason}。请改为导出为 Word 文档或网页",
  "No font on this machine has {characters}. Install one that has them, or export the text as Word document or web page":
    "本机没有任何字体包含 {characters}。请安装包含这些字符的字体，或将文本导出为 Word 文档或网页",
  "Word document": "Word 文档",
  "Drawn map with itinerary": "示意地图与行程",
  "Booklet of the trip": "行程小册子",
  Calendar: "日历",
  "Links to Google Maps": "谷歌地图链接",
  "GPX route": "GPX 路线",
  GeoJSON: "GeoJSON",
  "KML for globes": "KML（用于地球软件）",
  "This run has no planned trip for “{title}”; go on with it until its visits are planned, or export its events":
    "此运行没有可用于“{title}”的行程；请继续运行直到行程已规划好，或导出其事件",
  "Run report": "运行报告",
  Prompts: "提示",
  "Pages and results of tools": "网页和工具结果",
  "Names of files": "文件名",
  Addresses: "地址",
  "Amounts of money": "金额",
  "Event {seq} of the run does not fit the others; export it again": "运行的事件 {seq} 与其他事件不符；请重新导出",
  "The file holds no run that Galley can read: {error}": "文件中没有 Galley 能读取的运行：{error}",
  "The file holds no run; choose a report (report) or JSON (json) that Galley exported":
    "文件中没有运行；请选择 Galley 导出的报告（report）或 JSON（json）",
  "The file holds no whole run; export it again": "文件中没有完整的运行；请重新导出",
  "The file {file} cannot be read: {error}; name another": "无法读取文件 {file}：{error}；请指定另一个文件",
  "The file {file} holds no run: it is no file, or larger than {most} MB":
    "{file} 中没有运行：它不是文件，或大于 {most} MB",
  Keys: "密钥",
  "The file holds more than a run that can be imported; leave pages out of it when it is exported":
    "文件所含超出可导入的一次运行；导出时请略去页面",
  "The run cannot be written: {error}": "无法写出这次运行：{error}",
  "The run was cut off or changed after it was exported; export it again": "运行在导出后被截断或更改；请重新导出",
  "The run was exported by a newer Galley; import it with that one": "运行由更新版本的 Galley 导出；请用那个版本导入",
  "What this run was started with was damaged and is lost. The run can be read and exported, but not resumed, replayed, forked or started again":
    "此次运行的启动设定已损坏并丢失。可以查看和导出，但不能继续、重放、创建分支或重新运行",
  "The run {id} can be neither replayed nor forked: {left_out} were left out of the file it came from. Ask for the whole run":
    "运行 {id} 既不能重放，也不能创建分支：其来源文件略去了 {left_out}。请索取完整的运行",
  "The run {id} was made elsewhere. Fork it to go on from any of its events":
    "运行 {id} 来自别处。请从任一事件创建分支以继续",
  "There is another run {run} here, with other events; erase that one first, or keep it":
    "此处已有另一次运行 {run}，事件不同；请先清除它，或保留它",
  "`{word}` cannot be left out of a run; {known} can": "运行中不能略去 `{word}`；可以略去 {known}",
  "{known} can be left out of a report (report) or of JSON (json), not of “{title}”":
    "{known} 只能从报告（report）或 JSON（json）中略去，不能从“{title}”中略去",
  "JSON with all events": "含全部事件的 JSON",
  "Journal as CSV": "日志（CSV）",
  "ADK session": "ADK 会话",
  "Events as partial states": "作为部分状态的事件",
  "The file {file} is there already; add --yes to replace it": "文件 {file} 已存在；请改用其他名称",
  "The file {file} cannot be written: {error}; free some space, or name another place":
    "无法写入文件 {file}：{error}；请腾出空间，或指定其他位置",
  "The file {file} cannot be written: {error}; name another": "无法写入文件 {file}：{error}；请指定其他文件",
  "A title has at most {most} characters; shorten it": "标题最多 {most} 个字符；请缩短",
  "Run {id} has no event {seq}; its last is {last_seq}": "运行 {id} 没有事件 {seq}；最后一个是 {last_seq}",
  "There is no key `{key}`; there is {known}": "没有键 `{key}`；现有 {known}",
  "A run has at most {most} tags of at most {longest} characters; shorten them":
    "一次运行最多 {most} 个标签，每个最多 {longest} 个字符；请缩短",
  "`{pipeline}` has no input `{key}`; it has {known}": "`{pipeline}` 没有输入 `{key}`；现有 {known}",
  "The input `{key}` is empty; say for example “{example}”": "输入 `{key}` 为空；例如可填“{example}”",
  "`{pipeline}` needs the input `{key}`; for example {example}": "`{pipeline}` 需要输入 `{key}`",
  "The input `{key}` has {bytes} bytes; at most {most} are allowed, so shorten it":
    "输入 `{key}` 有 {bytes} 字节；最多允许 {most} 字节，请缩短",
  "The input `{key}` must be a text": "输入 `{key}` 必须是文本",
  "The input `{key}` is one of {known}": "输入 `{key}` 须为以下之一：{known}",
  "The input `{key}` is a day, written as YYYY-MM-DD": "输入 `{key}` 是日期，写成 YYYY-MM-DD",
  "The input `{key}` is yes or no": "输入 `{key}` 是“是”或“否”",
  "The input `{key}` is a list of texts, one a line": "输入 `{key}` 是文本列表，每行一个",
  " of at least {least}": "，至少为 {least}",
  " and at most {most}": "，最多为 {most}",
  "The input `{key}` is a number{least}{most}": "输入 `{key}` 是数字{least}{most}",
  "No text of this run names this picture, so it is not fetched": "此次运行的文本中没有提到这张图片，因此不获取它",
  "The address of this picture is none; nothing was fetched": "这张图片的地址无效；没有获取任何内容",
  "The picture cannot be shown: {why}": "无法显示图片：{why}",
  "The picture is not there: its server answers {status}": "图片不在那里：其服务器返回 {status}",
  "What is at this address is no picture that can be shown here (PNG, JPEG, GIF, WebP)":
    "此地址的内容不是可在此显示的图片（PNG、JPEG、GIF、WebP）",
  "There is no pipeline `{id}`; there is {known}": "没有流程 `{id}`；现有 {known}",
  "The pipeline {file} cannot run: {faults}": "流程 {file} 无法运行：{faults}",
  "What this run keeps of its pipeline cannot be read: {error}": "无法读取此次运行保存的流程：{error}",
  "The pipeline `{id}` is made of code and has no text": "流程 `{id}` 由代码构成，没有文本",
  "the program itself has a pipeline `{id}`; choose another id": "程序自带流程 `{id}`；请换一个 id",
  "there is a pipeline `{id}` already; choose another id": "已有流程 `{id}`；请换一个 id",
  "its id is `{id}`; a file is named after the id of its pipeline: `{id}.toml`":
    "它的 id 是 `{id}`；文件以流程的 id 命名：`{id}.toml`",
  "The pipeline {file} cannot be read: {error}": "无法读取流程 {file}：{error}",
  "This is no pipeline: {faults}": "这不是流程：{faults}",
  "{most} copies have a name already; give some of them other names": "已有 {most} 个副本占用名称；请给其中一些改名",
  "The text has {bytes} bytes; a pipeline has at most {most}": "文本有 {bytes} 字节；流程最多 {most} 字节",
  "The file {file} cannot be changed: {error}": "无法更改文件 {file}：{error}",
  "There is no file of a pipeline `{id}`": "没有流程 `{id}` 的文件",
  "Run {id} does not run; nothing is to be stopped": "运行 {id} 没有在进行；没有什么可停止的",
  "The run {id} is in the trash. Take it out first, then let it go on": "运行 {id} 在回收站中。请先取出，再让它继续",
  "This run is finished: nothing is left to resume. Fork it to go another way":
    "此次运行已完成：没有可继续的内容。如需另行继续，请创建分支",
  "`{key}` is an input; fork the run to change it": "`{key}` 是输入；如需更改，请创建分支",
  "`{key}` has no field `{field}` yet; wait until it is written": "`{key}` 还没有字段 `{field}`；请等它写入",
  "The slot `{name}` has no tool `{chosen}`; it has {known}": "槽位 `{name}` 没有工具 `{chosen}`；现有 {known}",
  "`{id}` has no slots for tools": "`{id}` 没有工具槽位",
  "There is no slot `{name}`; there is {known}": "没有槽位 `{name}`；现有 {known}",
  "The source `{source}` has no key, so the search will fail; keys are given out at {page}, and a profile of `{name}` keeps one":
    "来源 `{source}` 没有密钥，搜索会失败；可在 {page} 获取密钥，并保存在 `{name}` 的配置中",
  "The source is `{source}`. {purpose}": "来源是 `{source}`。{purpose}",
  "The latest article of {library} is of {latest}; searched as of {day}, nothing may be recent enough. Begin the run as of {latest}.":
    "{library}中最新的文章日期为 {latest}；以 {day} 为准搜索时，可能没有足够新的内容。请以 {latest} 为准开始运行。",
  reads: "读取",
  writes: "写入",
  "The tool `{tool}` is not there any more": "工具 `{tool}` 已不存在",
  "`{agent}` needs a model; choose a profile with one": "`{agent}` 需要模型；请选择带模型的配置",
  "A recorded answer of `{author}` cannot be read: {error}": "无法读取 `{author}` 的一个记录的回答：{error}",
  "An answer was taken for a failure": "一个回答被当作了失败",
  "does something that is not recorded": "做了没有记录的事",
  "does not do what is recorded": "没有做所记录的事",
  "does something else than recorded": "做了与记录不同的事",
  "At event {seq} `{path}` {what}; the program or a definition changed since. Fork the run there to go on with what is new":
    "在事件 {seq} 处 `{path}` {what}；程序或定义此后有变化。请在那里创建分支，以便用新内容继续",
  "You stopped the run; resume it to go on": "运行已停止；继续即可接着进行",
  "The run waits for your answer: {question}": "运行正在等待回答：{question}",
  "The records of this run break off here": "此次运行的记录到此中断",
  "`{agent}` needs `{key}`, which is not set": "`{agent}` 需要 `{key}`，但它没有设置",
  "`{key}` does not have the shape that `{agent}` expects: {reason}": "`{key}` 不符合 `{agent}` 期望的形式：{reason}",
  "`{agent}` {verb} `{key}`, which its contract does not declare": "`{agent}` 对 `{key}` 的操作（{verb}）未经声明",
  "the price of `{model}` is not known, so it is not asked while cost is limited to ${most}":
    "`{model}` 的价格未知，在费用上限为 ${most} 时不向它请求",
  "There is no session {session}": "没有会话 {session}",
  "The input `{key}` is taken from the session; leave it out": "输入 `{key}` 取自会话；请不要填写",
  "The run made no file {path} at this event": "该运行在此事件没有生成文件 {path}",
  "The temperature cannot be {value}; give a number from 0 to {most}":
    "温度不能是 {value}；请输入 0 到 {most} 之间的数字",
  "`{agent}`: {used_up}": "`{agent}`：{used_up}",
  "{most} model calls are used up": "{most} 次模型调用已用完",
  "{most} tokens are used up": "{most} 个词元已用完",
  "{most} calls of this tool are used up": "此工具的 {most} 次调用已用完",
  "{most} seconds of active time are used up": "{most} 秒工作时间已用完",
  "{most} tokens of output are used up": "{most} 个输出词元已用完",
  "${most} are used up, or the next call would pass them": "${most} 已用完，或下一次调用会超出",
  "Resume the run with a higher limit to go on": "请提高上限后继续运行",
  "Put the price into `prices.toml` in the data folder (0 where nobody is paid) and resume the run, or resume it with --limit max_cost=none":
    "请把价格写入数据文件夹中的 `prices.toml`（免费则写 0）后继续运行，或取消该上限后继续",
  "The limit `{limit}` is reached: {what}. {next}": "已达到上限 `{limit}`：{what}。{next}",
  "`{name}`: {why}": "`{name}`：{why}",
  "The answer of `{agent}` could not be used, even after one retry: {flaws}. {next}":
    "`{agent}` 的回答无法使用，重试一次后仍不行：{flaws}。{next}",
  "Correct it by hand, or fork with another model or instruction": "请手动更正，或用另一个模型或指令创建分支",
  "Raise it with `--limit max_output_tokens=N` (`AGENT.max_output_tokens=N` for one agent) in a new run or a fork, or in the pipeline, or correct the answer by hand":
    "请在新运行、分支或流程中提高该上限，或手动更正回答",
  "it was cut off at {asked} tokens: the limit `max_output_tokens` of the run is {limit}":
    "回答在 {asked} 个词元处被截断：运行的上限 `max_output_tokens` 为 {limit}",
  "it was cut off at {asked} tokens: the limit `max_output_tokens` of `{agent}` is {limit}":
    "回答在 {asked} 个词元处被截断：`{agent}` 的上限 `max_output_tokens` 为 {limit}",
  "the service cut it off after {used} tokens, although `max_output_tokens` is {limit}: the model or its server allows no more":
    "服务在 {used} 个词元后截断了回答，而 `max_output_tokens` 为 {limit}：模型或其服务器不允许更长",
  "it is empty, and the service says why it ended: `{reason}`": "回答为空，服务给出的结束原因：`{reason}`",
  "What the run has in hand is kept in {file} and taken up when the run goes on.":
    "运行尚未存储的内容保存在 {file} 中，继续运行时会取用。",
  "The run was stopped while its last answer was being stored, and the database did not take it in time. Resume the run once the database answers.":
    "运行在存储最后一个回答时被停止，数据库未能及时接收。数据库恢复响应后请继续运行。",
  "The run ended before this was stored. Resume the run, then look whether the edit is there.":
    "运行在存储此内容之前就结束了。请继续运行，然后查看编辑内容是否已保存。",
  "Try again": "重试",
  "Go on without this limit": "不设此上限继续",
  "Finish with the best so far": "以目前最好的结果结束",
  "The call was not sent: {used_up}. Put the price into `prices.toml` in the data folder and try again, go on without this limit, finish with the best so far, or stop?":
    "没有发出调用：{used_up}。请在数据文件夹的 `prices.toml` 中填写价格后重试，或不设此上限继续、以目前最好的结果结束、停止？",
  "{used_up}. Add to it, finish with the best so far, or stop?":
    "{used_up}。要增加上限、以目前最好的结果结束，还是停止？",
  "Add {more} calls and go on": "增加 {more} 次调用并继续",
  "Add {more} tool calls and go on": "增加 {more} 次工具调用并继续",
  "Add {more} tokens and go on": "增加 {more} 个词元并继续",
  "Add {more} s and go on": "增加 {more} 秒并继续",
  "Add ${more} and go on": "增加 ${more} 并继续",
  "Go on without a model": "不用模型继续",
  "Go on with {profile}": "改用 {profile} 继续",
  "Do this stage without a model": "不用模型完成此阶段",
  "Ask the model again": "再次询问模型",
  Refuse: "拒绝",
  "Use what it gave then": "使用当时的结果",
  "Do it again": "再做一次",
  "The run this one was forked from already did this: {what}. Do it again?": "来源运行已做过：{what}。要再做一次吗？",
  "Do not repeat it": "不再重复",
  "This was in flight when the program stopped and may have been done: {what}. Do it again?":
    "程序停止时此操作正在进行，可能已经完成：{what}。要再做一次吗？",
  "This run waits for no answer; `galley show RUN` tells how it stands": "此次运行没有在等待回答",
  "The edit broke off; look whether it was kept, or make it again": "编辑中断；请查看是否已保留，或重新编辑",
  "The run was dropped by its process; resume it to go on": "运行被其进程放弃；继续即可接着进行",
  "Event {at} does not exist in run {run}; choose one from 1 to {last}":
    "运行 {run} 中没有事件 {at}；请选择 1 到 {last} 之间的事件",
  "An agent broke off by an error of the program; the run can be resumed": "一个智能体因程序错误中断；可以继续运行",
  "`{author}` asked for the tool `{tool}`; it has {known}": "`{author}` 请求了工具 `{tool}`；它有 {known}",
  "`{tool}` was in flight when the program stopped, and you chose not to repeat it":
    "程序停止时 `{tool}` 正在进行，而你选择了不再重复",
  "`{agent}` reads `{key}`, but no input and no agent before it writes that key; add a writer or declare it `may_read`":
    "`{agent}` 读取 `{key}`，但此前没有输入或智能体写入它；请添加写入者，或声明为 `may_read`",
  "`{writer}` writes `{key}` while `{other}`, which runs beside it, reads or writes it; run them in sequence or give each its own key":
    "`{writer}` 写入 `{key}`，而并行的 `{other}` 也读取或写入它；请依次运行，或各用各的键",
  "`{agent}` uses the key `{key}`, which the pipeline does not declare; declare it or correct the name":
    "`{agent}` 使用了流程未声明的键 `{key}`；请声明它或更正名称",
  "two agents are called `{agent}`; give each its own name": "有两个智能体都叫 `{agent}`；请各用各的名称",
  "`{agent}` is a loop of no rounds; allow at least one": "`{agent}` 是零轮的循环；请至少允许一轮",
  "`{answer}` does not answer “{text}”; choose one of {choices}, or a number to add":
    "`{answer}` 不能回答“{text}”；请选择 {choices} 之一，或填写要增加的数字",
  "`{answer}` does not answer “{text}”; choose one of {choices}": "`{answer}` 不能回答“{text}”；请选择 {choices} 之一",
  "{first} {next}": "{first}{next}",
  "{first}; {next}": "{first}；{next}",
  "The input `{key}` is given as `{one}` and as `{other}`; give it once":
    "输入 `{key}` 以 `{one}` 和 `{other}` 各给了一次；请只给一次",
  "An agent of the run {id} is at work on the draft or its review. Do this when the run asks you, or when it has ended":
    "运行 {id} 的一个智能体正在处理草稿或审阅。请在运行提问时或结束后再操作",
  "The run {id} is still at work. Stop it or wait for its end, then rewrite":
    "运行 {id} 仍在进行。请先停止它或等它结束，再重写",
  "“{title}” has no draft that could be rewritten after a review": "“{title}”没有可在审阅后重写的草稿",
  "`{value}` is not `true` or `false`": "`{value}` 不是 `true` 或 `false`",
  "The run stops before `{agent}` starts. Go on?": "运行在`{agent}`开始之前停下。要继续吗？",
  "The run stops after `{agent}`. Go on with what it made?": "运行在`{agent}`之后停下。要用它的结果继续吗？",
  "A word to a run has 1 to {most} characters": "对运行说的话须有 1 到 {most} 个字符",
  "The run {run} is held by another process, which does not answer. Try again, or do it there":
    "运行 {run} 由另一个进程持有，而它没有回应。请重试，或在那里操作",
  "What another process asks is not understood: {why}": "无法理解另一个进程的请求：{why}",
  "The run {id} does not go on, so no agent would read this. Resume it, or start the next run with it":
    "运行 {id} 没有在进行，不会有智能体读到这段话。请继续该运行，或用这段话开始下一次运行",
  "There is no agent `{place}`; there is {known}": "没有智能体 `{place}`；现有 {known}",
  "`{key}` cannot be removed at a gate; set it to another value": "在停止处不能删除 `{key}`；请改为设置另一个值",
  "`{place}` is no instance of an agent on demand, so it has the settings of `{name}`; set those":
    "`{place}` 不是按需智能体的实例，因此使用 `{name}` 的设置；请设置 `{name}`",
  "`{name}` asks no model itself, so it has limits and no other settings; model agents are {known}":
    "`{name}` 自身不使用模型，因此只有限额，没有其他设置；使用模型的智能体有 {known}",
  "replaced by hand": "已手动替换",
  "Step {step} was not carried out in run {run}; choose one with a result":
    "运行 {run} 没有执行步骤 {step}；请选择已有结果的步骤",
  "The plan of run {run} has no step {step}": "运行 {run} 的计划中没有步骤 {step}",
  "Give step {step} either another input or another result": "请给步骤 {step} 另一个输入或另一个结果，二者只能选一",
  "Event {seq} is no result of a tool with a value of this kind, no text of a model and no answer to an agent's question; choose one that is":
    "事件 {seq} 不是带有这类值的工具结果，也不是模型的文本或对智能体提问的回答；请选择符合的一个",
  Stop: "停止",
};

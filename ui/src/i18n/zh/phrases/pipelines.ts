// What the program says of pipelines and what they check, in Simplified Chinese: by the English forms.
export const pipelines: Record<string, string> = {
  "`examples` is no field of the top: write it under `[routing]`, at the end of the file":
    "`examples` 不是顶层字段：请写在文件末尾的 `[routing]` 之下",
  "there are no hits to choose from": "没有可供选择的结果",
  "“{title}” needs a tool for `{slot}`; name one, for example `--source library`":
    "“{title}”的 `{slot}` 需要一个工具；请选择一个",
  "There is no function `{name}`; there is {known}": "没有函数 `{name}`；现有 {known}",
  "There is no agent `{name}`; there is {known}": "没有智能体 `{name}`；现有 {known}",
  "A value to set is no template: {why}": "要设置的值不是模板：{why}",
  "The value of `{key}` cannot be filled in: {why}": "无法填写 `{key}` 的值：{why}",
  "The value that is set has not the shape of `{key}`: {reason}": "所设置的值不符合 `{key}` 的形式：{reason}",
  "`{name}` stands in no step of the flow": "`{name}` 不在任何步骤中",
  "there is no key `{key}`; there is {known}": "没有键 `{key}`；现有 {known}",
  "`{id}` is no id; write lower-case letters, digits and hyphens": "`{id}` 不是 id；请使用小写字母、数字和连字符",
  "the title is empty": "标题为空",
  "`{name}` is no name; write letters, digits and underscores": "`{name}` 不是名称；请使用字母、数字和下划线",
  "`{name}` is an input already; a key has one meaning": "`{name}` 已是输入；一个键只有一个含义",
  "the template is wrong: {why}": "模板有误：{why}",
  "the title of a run may use inputs only, not `{name}`": "运行的标题只能使用输入，不能使用 `{name}`",
  "a choice needs `choices`, and nothing else has them": "选择项需要 `choices`，其他类型不能有",
  "the default of `{name}` is not of its kind": "`{name}` 的默认值与其类型不符",
  "the limit `{name}` cannot be {value}": "上限 `{name}` 不能为 {value}",
  "there are no tools of kind `{kind}`; there is {known}": "没有 `{kind}` 类的工具；现有 {known}",
  "there is no source `{default}`; there is {known}": "没有来源 `{default}`；现有 {known}",
  "a JSON Schema is a table": "JSON Schema 是一个表",
  "this is no JSON Schema: {why}": "这不是 JSON Schema：{why}",
  "`{name}` stands for the person; choose another name": "`{name}` 代表用户本人；请换一个名称",
  "a step sets what `{key}` says, which perhaps nothing has written": "某步骤设置的内容来自 `{key}`，而它可能尚未写入",
  "there is no filter `{filter}`; there is {own}, and those of Jinja":
    "没有过滤器 `{filter}`；现有 {own}，以及 Jinja 自带的过滤器",
  "the role names the field `{field}`, which the schema has not; it has {known}":
    "角色指定了字段 `{field}`，但模式中没有；现有 {known}",
  "`{condition}`: {reason}": "`{condition}`：{reason}",
  "`{condition}`: there is no field `{field}`; there is {known}": "`{condition}`：没有字段 `{field}`；现有 {known}",
  "the flow has no steps": "流程没有步骤",
  "there is no agent `{name}`; there is {known}": "没有智能体 `{name}`；现有 {known}",
  "`{name}` ends its loop, and stands in none": "`{name}` 会结束其循环，但不在任何循环中",
  "The input of `{agent}` does not fit: {why}": "`{agent}` 的输入不符合要求：{why}",
  "The output of `{agent}` does not fit: {why}": "`{agent}` 的结果不符合要求：{why}",
  "`at_most` is at least 1": "`at_most` 至少为 1",
  "`{key}` is what each instance of `{name}` keeps to itself; choose another name":
    "`{key}` 由 `{name}` 的每个实例各自保存；请换一个名称",
  "`{name}` is to run for {count} items; at most {most} are run":
    "`{name}` 要对 {count} 项运行；最多只能运行 {most} 项",
  "`{name}` runs for each item of `{path}`, which is no list": "`{name}` 要对 `{path}` 的每一项运行，但它不是列表",
  "`{name}` runs on demand and stands in no loop that it could end": "`{name}` 按需运行，不在任何可由它结束的循环中",
  "`{name}` runs on demand and stands in no step; run it with `for_each`":
    "`{name}` 按需运行，不能写在步骤中；请用 `for_each` 运行它",
  "`{name}` runs on demand and writes no key: its answer is its output":
    "`{name}` 按需运行，不写入任何键：它的回答就是它的结果",
  "`{name}` stands in a step and takes no input; write `on_demand = true`":
    "`{name}` 写在步骤中，不接受输入；请写 `on_demand = true`",
  "no step runs `{name}`, which runs on demand; name it in the `run` of a `for_each`":
    "`{name}` 按需运行，但没有步骤运行它；请在某个 `for_each` 的 `run` 中写上它",
  "there is no agent `{name}` on demand; there is {known}": "没有按需智能体 `{name}`；有 {known}",
  "two steps run `{name}`; declare a second agent": "有两个步骤运行 `{name}`；请再声明一个智能体",
  "`{key}` takes no list, which a `for_each` writes there": "`{key}` 不能存放列表，而 `for_each` 会在那里写入列表",
  "`collect` and `failures` name the same key `{key}`; name two":
    "`collect` 和 `failures` 指定了同一个键 `{key}`；请指定两个",
  "`{name}` holds what the person says to a run; choose another name":
    "`{name}` 用来存放用户对运行说的话；请换一个名称",
  "`{name}` would start itself without end; start another agent there":
    "`{name}` 会无休止地启动自己；请在那里启动另一个智能体",
  "`{name}` stands in two steps; put them into a loop, or declare a second agent":
    "`{name}` 出现在两个步骤中；请放入循环，或再声明一个智能体",
  "a loop without steps does nothing": "没有步骤的循环什么也不做",
  "loops within each other make {all} rounds; at most {most} are run": "嵌套的循环共 {all} 轮；最多运行 {most} 轮",
  "there is no function `{function}` here; there is {known}": "这里没有函数 `{function}`；现有 {known}",
  "there is no note `{id}`; declare it: `[note.{id}]`": "没有备注 `{id}`；请声明：`[note.{id}]`",
  "`exit_loop` stands in no loop": "`exit_loop` 不在任何循环中",
  "a loop has 1 to {most} rounds, not {number}": "循环为 1 到 {most} 轮，不能是 {number}",
  "`rounds` needs a number, or an input that is a number with `most`; `{key}` is none, so the loop may never end":
    "`rounds` 需要一个数字，或一个带 `most` 的数字输入；`{key}` 不是，循环可能永不结束",
  "the value of `{key}` is no template: {why}": "`{key}` 的值不是模板：{why}",
  none: "无",
  "`{key}` is an input; only the person writes it": "`{key}` 是输入；只有用户可以写入",
  "an agent asks a model, asks the person, runs a function or is code by name: one of these":
    "智能体可以询问模型、询问用户、运行函数或按名称使用代码：只能是其中之一",
  "`{name}` does nothing; give it an `instruction`, a `call`, a `question` or a function":
    "`{name}` 什么也不做；请给它 `instruction`、`call`、`question` 或函数",
  "`{name}` says in `writes` which key takes its answer": "`{name}` 须在 `writes` 中写明由哪个键接收答案",
  "`{name}` says in `writes` which key takes what the tool found":
    "`{name}` 须在 `writes` 中写明由哪个键接收工具的结果",
  "an agent with a `question`, `run` or `custom` does that alone; give the `call` to another":
    "带 `question`、`run` 或 `custom` 的智能体只做这一件事；请把 `call` 交给另一个智能体",
  "a temperature is a number from 0 to 2": "温度是 0 到 2 之间的数字",
  "`{name}` asks no model; limits of their own have the agents that do":
    "`{name}` 不向模型提问；只有向模型提问的智能体才有自己的上限",
  "with `{limit}` of 0 `{name}` could never answer": "`{limit}` 为 0 时，`{name}` 永远无法回答",
  "the default of a question is one of its choices": "问题的默认值须是其选项之一",
  "the schema of an answer is one of an object with `properties`": "答案的 schema 须是带 `properties` 的对象",
  "`{field}` is no field of the answer that is true or false": "`{field}` 不是答案中取值为真或假的字段",
  "`check` judges by the checks; name their key in `reads`": "`check` 依据检查作判断；请在 `reads` 中写明检查的键",
  "checks belong to an agent that writes a text": "检查只属于写文本的智能体",
  "no key takes the results; declare one with the role `checks`": "没有键接收结果；请声明一个角色为 `checks` 的键",
  "the template uses `{key}`; name it in `reads` or `may_read`":
    "模板使用了 `{key}`；请在 `reads` 或 `may_read` 中写明",
  "`{option}` is a whole number": "`{option}` 是整数",
  "a slot of kind `{kind}` has no `{option}`": "类型为 `{kind}` 的槽位没有 `{option}`",
  "a tool of kind `{kind}` has no field `{field}`; it has {known}":
    "类型为 `{kind}` 的工具没有字段 `{field}`；现有 {known}",
  "With {most} model calls the run cannot come to its end: it needs at least {least}.":
    "只有 {most} 次模型调用，运行无法完成：至少需要 {least} 次。",
  "With {most} model calls not every round can run: all rounds need {all}.":
    "只有 {most} 次模型调用，无法运行每一轮：所有轮次共需 {all} 次。",
  "The template of `{agent}` cannot be filled in: {why}": "无法填写 `{agent}` 的模板：{why}",
  "`{key}` must keep its shape: {reason}": "`{key}` 必须保持其形式：{reason}",
  "There is no key `{key}` to change; there is {known}": "没有可更改的键 `{key}`；现有 {known}",
  "`{key}` is counted by the program; change the draft instead": "`{key}` 由程序计算；请改为更改草稿",
  "line {line}, column {column}: {reason}": "第 {line} 行第 {column} 列：{reason}",
  "the file has {bytes} bytes; a pipeline has at most {most}": "文件有 {bytes} 字节；流程最多 {most} 字节",
  "the text is empty": "文本是空的",
  "over {most} words ({words})": "超过 {most} 词（{words} 词）",
  "{words} words": "{words} 词",
  "{words} of at most {most} words": "{words} 词，上限 {most} 词",
  "nothing is cited": "没有任何引用",
  "{wrong}: no such source": "{wrong}：没有这个来源",
  "there is no source to compare with": "没有可以对照的来源",
  "{used} citations, each of a source": "{used} 处引用，各对应一个来源",
  "a paragraph cites nothing: “{start}…”": "有一段没有引用：“{start}…”",
  "every paragraph cites what it states": "每一段都为其陈述注明了引用",
  "no window is known": "时间范围未知",
  "an unknown day": "未知日期",
  "“{title}” is of {day}, outside {from} to {until}": "“{title}”的日期为{day}，不在 {from} 至 {until} 之间",
  "all cited sources are of {from} to {until}": "所引来源都在 {from} 至 {until} 之间",
  "no source has {words}: “{start}”": "任何来源都没有{words}：“{start}”",
  "source [{number}] does not say {words}: “{start}”": "来源 [{number}] 没有提到{words}：“{start}”",
  "every statement with a citation appears in its cited source": "每条带引用的陈述都见于所引来源",
  "there is no text to take sentences from": "没有可取用句子的文本",
  "there are no sources to write about": "没有可写的来源",
  "`rank` belongs to an agent that writes sources": "`rank` 只属于写来源的智能体",
  "only an agent can fill a form": "只有智能体可以填写表单",
  "`fill` belongs to an agent whose `output` is a JSON Schema": "`fill` 只属于 `output` 为 JSON Schema 的智能体",
  "nothing that was read fills `{name}`": "读取的内容中没有可填入 `{name}` 的",
  "`check` belongs to an agent that writes a review": "`check` 只属于写审阅意见的智能体",
  "there is no key of checks": "没有检查的键",
  "there are no checks yet": "还没有检查",
  "it takes more than {most} steps; loop over less": "超过 {most} 步；请减少循环",
  "`{source}` is not there": "没有 `{source}`",
  "The title of a run cannot be made: {why}": "无法生成运行的标题：{why}",
  "it has {bytes} bytes, at most {most} are read": "有 {bytes} 字节，最多读取 {most} 字节",
  "a `{open} … {close}` has more than {most} bytes; split it": "一处 `{open} … {close}` 超过 {most} 字节；请拆分",
  "`{alias}` is taken; give `{name}` another alias": "`{alias}` 已被占用；请给 `{name}` 另一个别名",
  "“{written}” is gone without a value; leave it as it is written": "“{written}”消失而没有填入值；请保持原样",
  "“{words}” is no sentence of the template, or not at its place": "“{words}”不是模板中的句子，或不在原位",
  "“{words}” of the pruned template is missing or changed": "删减后模板中的“{words}”缺失或被改动",
  "“{words}” is more than a value for a placeholder": "“{words}”超出了占位符的值",
  "“{words}” does not stand on its line behind its mark as in the text before":
    "“{words}”没有像之前的文本那样位于自己的行和标记之后",
  "“{words}” is none of the words to choose from": "“{words}”不在可选词之中",
  "“{words}” of the filled template is missing, changed or not at its place":
    "填写后模板中的“{words}”缺失、被改动或不在原位",
  "the figure “{words}” of “{sentence}” stands in no sentence of the summary on the same subject":
    "“{sentence}”中的数字“{words}”不在摘要中同一主题的句子里",
  "the name “{words}” of “{sentence}” stands in no sentence of the summary on the same subject":
    "“{sentence}”中的名称“{words}”不在摘要中同一主题的句子里",
  "every sentence is one of the template, in its order": "每个句子都来自模板，且顺序不变",
  "only placeholders were replaced": "只替换了占位符",
  "every sentence of the filled template stands": "填写后模板的每个句子都在",
  "every figure and name stands in a sentence of the summary on the same subject":
    "每个数字和名称都在摘要中同一主题的句子里",
  "open placeholders: {n} ({open})": "{n} 个占位符未填：{open}",
  "a title and {sections} sections": "有标题和 {sections} 个小节",
  "no passage is copied without quotation marks": "没有未加引号照抄的段落",
  "taken from a source without quotation marks: “{passage}”": "未加引号照抄自来源：“{passage}”",
  "the list of references is not what the text cites": "参考文献列表与正文引用不符",
  "the references are what the text cites": "参考文献与正文引用一致",
  "the text cites none of its {count} sources as [1]": "本文没有以 [1] 的形式引用 {count} 个来源中的任何一个",
  "the text cites its sources": "本文引用了来源",
  "the text has no title (# …)": "文本没有标题（# …）",
  "{sections} sections with a heading (## …), at least {least}":
    "带标题（## …）的小节有 {sections} 个，至少要 {least} 个",
  "{words} words, at least {least}; say more": "{words} 个词，至少要 {least} 个；请多写一些",
  "no placeholder is open": "没有未填的占位符",
  "done without a model, because the answers of the model could not be used: {flaws}":
    "已不用模型完成，因为模型的回答无法使用：{flaws}",
  "your sentences that are missing: {missing} of {count}": "你的句子缺失：{count} 句中的 {missing} 句",
  "your sentences that stand word for word: {count}": "逐字保留的你的句子：{count}",
  "your sentences that stand word for word: {count}; put back: {back}": "逐字保留的你的句子：{count}；放回：{back}",
  "The draft has no sentence “{wanted}”": "草稿中没有句子“{wanted}”",
  "There is no collision {id}: nothing is to be merged": "没有冲突 {id}：没有什么需要合并",
  "There is no collision {id}; there is {known}": "没有冲突 {id}；有 {known}",
  "There is no issue {id}: no review of this run has raised one": "没有问题 {id}：此运行的审阅没有提出任何问题",
  "There is no issue {id}; there is {known}": "没有问题 {id}；有 {known}",
  "Issues to decide: {open}. Issues that are not dismissed go to the writer; when all are dismissed, the draft is taken as it is":
    "待决定的问题：{open}。未忽略的问题会交给撰稿人；全部忽略时，草稿按原样采用",
  "Go on": "继续",
  "`{key}` follows from what is done at the review desk; decide, reply, lock or merge there":
    "`{key}` 由审阅面板上的操作得出；请在那里决定、回复、锁定或合并",
  "“{title}” has no draft with a review; edit the text instead": "“{title}”没有带审阅的草稿；请直接编辑文本",
  "There is no pipeline that could do it": "没有可以做这件事的流程",
  "Nothing clearly matches": "没有明显匹配的",
  "Matched words: {words}": "匹配的词：{words}",
  "More than one pipeline could be meant": "可能指多个流程",
  "Only a task reads web pages, and this request needs a model to be planned: choose a profile with a model, or import the page into the library":
    "只有任务会读网页，而这个请求需要模型来计划：请选择带模型的配置，或将网页导入资料库",
  "Only {words} tells which pipeline is meant": "只有 {words} 提示了所指的流程",
  "The request is empty; say in your own words what you need": "请求为空；请用自己的话说明需要什么",
  "The model did not answer in time, so the words of the pipelines decided":
    "模型没有及时回答，因此按各流程的说明来决定",
  "The model did not choose, so the words of the pipelines decided: {error}":
    "模型没有作出选择，因此按各流程的说明来决定：{error}",
  "The model did not choose, so the words of the pipelines decided": "模型没有作出选择，因此按各流程的说明来决定",
  "The ways could not be asked for, so they are estimated: {why}": "无法查询路线，因此按估算：{why}",
  "“{title}” has no date; call it undated where it is cited": "“{title}”没有日期；请在引用处注明未注明日期",
  "all cited sources are of {from} to {until}, or called undated":
    "引用的来源都在 {from} 至 {until} 之间，或已注明未注明日期",
  "there is no tool `{slot}`; there is {known}. A slot is declared as `[tool.{slot}]`":
    "没有工具 `{slot}`；现有 {known}。槽位的声明方式是 `[tool.{slot}]`",
  "`{agent}` has nothing to choose from: its list is empty": "`{agent}` 没有可供选择的内容：列表为空",
  "The run {run} has no `{key}` yet; let it come to its end, or name another run":
    "运行 {run} 还没有 `{key}`；请等它结束，或指定另一个运行",
  "an earlier run has no `default`; the person names it, or it is `optional`":
    "先前的运行没有 `default`；由用户指定，或设为 `optional`",
  "`of_pipeline` is the id of a pipeline, and only an earlier run has it":
    "`of_pipeline` 是流程的 id，只有先前的运行才有",
  "`{key}` of the run {run} does not fit this pipeline: {why}": "运行 {run} 的 `{key}` 不适合此流程：{why}",
  "Before event {at} of this imported run something waits for a decision of yours, so nothing can be replaced there; fork it at event {earlier} first":
    "此导入的运行在事件 {at} 之前有待决定的事，因此那里不能替换；请先在事件 {earlier} 处创建分支",
  "Event {seq} is an answer of the person; fork the run there to answer differently":
    "事件 {seq} 是用户的回答；请在那里创建分支以换一个回答",
};

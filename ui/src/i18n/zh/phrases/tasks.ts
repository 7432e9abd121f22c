// What the program says of tasks and their plans, in Simplified Chinese: by the English forms.
export const tasks: Record<string, string> = {
  "The plan: {why}.": "计划：{why}。",
  "The step `{step}`: {why}.": "步骤 `{step}`：{why}。",
  "it is no array of stages, each an array of steps with `stepId`, `assigned_agent_role`, `tool_name` and `sub_task_input`: {error}":
    "它不是阶段的数组（每个阶段是步骤的数组，步骤含 `stepId`、`assigned_agent_role`、`tool_name` 和 `sub_task_input`）：{error}",
  "it has {count} steps; at most {most} are run": "它有 {count} 个步骤；最多执行 {most} 个",
  "stage {number} has no steps": "阶段 {number} 没有步骤",
  "`{id}` is no id; write 1 to {most} letters, digits, `_` or `-`":
    "`{id}` 不能作标识；请写 1 到 {most} 个字母、数字、`_` 或 `-`",
  "another step has this id, too": "另一个步骤也用了这个标识",
  "there is no role `{role}`; there is {known}": "没有角色 `{role}`；有 {known}",
  "`{tool}` is a tool of {owner}, not of {role}": "`{tool}` 是 {owner} 的工具，不是 {role} 的",
  "its input does not fit `{tool}`: {why}": "它的输入不符合 `{tool}` 的要求：{why}",
  "it refers to `{other}`, which is no step of an earlier stage": "它引用了 `{other}`，而那不是更早阶段的步骤",
  "the step `{step}`, to which it refers, did not complete": "它引用的步骤 `{step}` 没有完成",
  "the result of `{step}` has no field `{part}`": "`{step}` 的结果没有字段 `{part}`",
  "The plan that was given is no JSON: {error}. Give an array of stages.":
    "给出的计划不是 JSON：{error}。请给出阶段的数组。",
  "To carry out a plan, give one; to have one made, choose another mode":
    "要执行计划，请给出计划；要制定计划，请选择其他方式",
  "The table of request forms is wrong: {why}": "请求形式的表有误：{why}",
  "A plan template is wrong: {why}": "计划模板有误：{why}",
  "This plan cannot be carried out. {why}": "此计划无法执行。{why}",
  "The run {run} has no plan under `{key}`": "运行 {run} 的 `{key}` 中没有计划",
  "`{pipeline}` takes no plan templates": "`{pipeline}` 不使用计划模板",
  "`{name}` is no name for a template; write 1 to {most} letters, digits, blanks, `_` or `-`":
    "`{name}` 不能作为模板名称；请写 1 到 {most} 个字母、数字、空格、`_` 或 `-`",
  "`{pattern}` is no pattern: {why}. Write a regular expression over the whole task":
    "`{pattern}` 不是模式：{why}。请写一个覆盖整个任务的正则表达式",
  "There is a template `{name}` already; choose another name": "已有模板 `{name}`；请换一个名称",
  "what its references stand for has more than {most} MB together": "其引用所代表的内容合计超过 {most} MB",
  "The task cannot be planned, and the model says no reason. Word it in another way, or choose another model":
    "无法为任务制定计划，模型也没有说明原因。请换一种说法，或选择另一个模型",
  "The task was not completed: {why}": "任务没有完成：{why}",
  "The text could not be set on pages": "无法排版文本",
  "The request is planned as a task without a model": "该请求可以不用模型作为任务来计划",
  "its prompt has the place `{name}`, and `{parameters}` has no such name":
    "提示词中有位置 `{name}`，但 `{parameters}` 里没有这个名称",
  "it asks for {what}, and no stage is before it": "它需要 {what}，但前面没有阶段",
  "The plan templates in {file} cannot be read: {why}. Mend the file or take it out of the folder":
    "无法读取 {file} 中的计划模板：{why}。请修改文件或将其移出文件夹",
  "{file} cannot be read: {error}. Mend it or take it out of the folder":
    "无法读取 {file}：{error}。请修改它或将其移出文件夹",
  "The input `{key}` is filled from the data folder; leave it out": "输入 `{key}` 由数据文件夹填写；请不要填写",
  "own files need a `folder` of letters, digits and underscores, and nothing else has one":
    "自己的文件需要由字母、数字和下划线组成的 `folder`，其他输入都没有",
  "`{input}` is no yes-or-no input of the pipeline": "`{input}` 不是该流程的是否输入",
  "The step `{step}` of the plan failed: {why}": "计划的步骤 `{step}` 失败：{why}",
  "there is no tool `{tool}`; there is {known}": "没有工具 `{tool}`；有 {known}",
  "a reference in “{text}” is not well formed; write it as {form}, with fields below it behind dots":
    "“{text}”中的引用格式不对；请写成 {form}，其下的字段写在点号之后",
  "“{task}” fits no request that is planned without a model. Reword it in parts such as “calculate …”, “convert … to …”, “read …”, “write both to FILE”, give a plan, or choose a profile with a model":
    "“{task}”不符合任何无需模型即可计划的请求。请分成“计算……”“把……换算成……”“读取……”“把两个结果写入文件”这样的部分来写，或给出计划，或选择有模型的配置",
  "The plan has no steps; give at least one": "计划没有步骤；请至少给出一个",
  "The task cannot be planned: {why}": "无法为任务制定计划：{why}",
  "No search was completed before; put a `{tool}` step into an earlier stage":
    "之前没有完成任何搜索；请在更早的阶段加入 `{tool}` 步骤",
  "The search of `{step}` found no page to read": "`{step}` 的搜索没有找到可读的网页",
  "None of the pages could be read. {why}": "没有一个网页能读取。{why}",
  "{address}: {why}": "{address}：{why}",
  "To write an answer anew, name the earlier run whose results it is written from":
    "要重写答案，请指明其结果所在的以前的运行",
  "`{tool}` was given up: {count} workers ended while they worked on it":
    "`{tool}` 已放弃：有 {count} 个工作者在处理它时中止",
  "The input `{key}` names {run}, a run of `{other}`; name one of `{pipeline}`":
    "输入 `{key}` 指的是 {run}，它是 `{other}` 的运行；请指明 `{pipeline}` 的运行",
  "an earlier run needs `takes`, and nothing else has it": "以前的运行需要 `takes`，其他输入都没有",
  "`{name}` takes `{key}`, which is no key of the pipeline": "`{name}` 取用 `{key}`，而它不是该流程的键",
  "Workers do what agents on demand ask for; `{name}` is none": "工作进程替按需智能体做事；`{name}` 不是按需智能体",
  "it writes `{file}`, as `{other}` of its stage does; name another file, or do it in a later stage":
    "它写入 `{file}`，而同一阶段的 `{other}` 也写入它；请换一个文件名，或放到更晚的阶段",
  "The run has more files than its folder may hold: at most {most} with {megabytes} MB":
    "该运行的文件超过其文件夹的上限：最多 {most} 个、共 {megabytes} MB",
};

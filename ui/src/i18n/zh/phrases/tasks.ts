// What the program says of tasks and their plans, in Simplified Chinese: by the English forms.
export const tasks: Record<string, string> = {
  "The plan: {why}.": "计划：{why}。",
  "The step `{step}`: {why}.": "步骤 `{step}`：{why}。",
  "it is no array of stages, each an array of steps with `stepId`, `assigned_agent_role`, `tool_name` and `sub_task_input`: {error}":
    "它不是阶段的数组（每个阶段是步骤的数组，步骤含 `stepId`、`assigned_agent_role`、`tool_name` 和 `sub_task_input`）：{error}",
  "it has {count} steps; at most {most} are run": "它有 {count} 个步骤；最多执行 {most} 个",
  "stage {number} has no steps": "阶段 {number} 没有步骤",
  "`{id}` is no id; write 1 to {most} letters, digits, `_` or `-`": "`{id}` 不能作标识；请写 1 到 {most} 个字母、数字、`_` 或 `-`",
  "another step has this id, too": "另一个步骤也用了这个标识",
  "there is no role `{role}`; there is {known}": "没有角色 `{role}`；有 {known}",
  "`{tool}` is a tool of {owner}, not of {role}": "`{tool}` 是 {owner} 的工具，不是 {role} 的",
  "its input does not fit `{tool}`: {why}": "它的输入不符合 `{tool}` 的要求：{why}",
  "it refers to `{other}`, which is no step of an earlier stage": "它引用了 `{other}`，而那不是更早阶段的步骤",
  "the step `{step}`, to which it refers, did not complete": "它引用的步骤 `{step}` 没有完成",
  "the result of `{step}` has no field `{part}`": "`{step}` 的结果没有字段 `{part}`",
  "The plan that was given is no JSON: {error}. Give an array of stages.": "给出的计划不是 JSON：{error}。请给出阶段的数组。",
  "To carry out a plan, give one; to have one made, choose another mode": "要执行计划，请给出计划；要制定计划，请选择其他方式",
  "The table of request forms is wrong: {why}": "请求形式的表有误：{why}",
  "A plan template is wrong: {why}": "计划模板有误：{why}",
  "The step `{step}` of the plan failed: {why}": "计划的步骤 `{step}` 失败：{why}",
  "there is no tool `{tool}`; there is {known}": "没有工具 `{tool}`；有 {known}",
  "a reference in “{text}” is not well formed; write it as {form}, with fields below it behind dots":
    "“{text}”中的引用格式不对；请写成 {form}，其下的字段写在点号之后",
  "“{task}” fits no request that is planned without a model. Reword it in parts such as “calculate …”, “convert … to …”, “read …”, “write both to FILE”, give a plan, or choose a profile with a model":
    "“{task}”不符合任何无需模型即可计划的请求。请分成“计算……”“把……换算成……”“读取……”“把两个结果写入文件”这样的部分来写，或给出计划，或选择有模型的配置",
  "The plan has no steps; give at least one": "计划没有步骤；请至少给出一个",
  "The task cannot be planned: {why}": "无法为任务制定计划：{why}",
};

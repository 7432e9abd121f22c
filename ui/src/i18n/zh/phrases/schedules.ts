// What the program says of schedules, in Simplified Chinese: by the English forms.
export const schedules: Record<string, string> = {
  "The schedule “{name}” cannot be read: {error}. Remove it and make it again":
    "无法读取计划“{name}”：{error}。请移除后重新创建",
  "It is not said when; write one of these kinds: {examples}, or cron as `0 7 * * 1-5`":
    "没有写明时间；请按以下方式之一填写：{examples}，或写 cron，例如 `0 7 * * 1-5`",
  "“{rest}” is not understood as a time; write one of these kinds: {examples}, or cron as `0 7 * * 1-5`":
    "“{rest}”不是能理解的时间；请按以下方式之一填写：{examples}，或写 cron，例如 `0 7 * * 1-5`",
  "“{when}” names no time of day; add one, as in “{when} at 7:30”": "“{when}”没有写时刻；请补上，例如“{when} at 7:30”",
  "The times of “{when}” have different minutes, which one rule cannot say; make a schedule for each":
    "“{when}”中各时刻的分钟不同，一条规则无法表达；请为每个时刻各建一个计划",
  "{number} hours do not divide the day, so the steps would not be equal; choose 1, 2, 3, 4, 6, 8 or 12 hours":
    "{number} 小时不能整除一天，间隔会不相等；请选 1、2、3、4、6、8 或 12 小时",
  "{number} minutes do not divide the hour, so the steps would not be equal; choose 1, 2, 3, 4, 5, 6, 10, 12, 15, 20 or 30 minutes":
    "{number} 分钟不能整除一小时，间隔会不相等；请选 1、2、3、4、5、6、10、12、15、20 或 30 分钟",
  "“{when}” is not cron with five fields (minute, hour, day, month, weekday): {reason}; or write words: {examples}":
    "“{when}”不是五个字段（分、时、日、月、星期）的 cron：{reason}；也可以写文字：{examples}",
  "This computer knows no time zone `{name}`; write an IANA name such as `Europe/Berlin` or `Asia/Tokyo`":
    "这台计算机不认识时区 `{name}`；请写 IANA 名称，例如 `Europe/Berlin` 或 `Asia/Tokyo`",
  "“{when}” never comes; choose a day that exists": "“{when}”永远不会到来；请选择存在的日期",
  "Profile `{name}` asks another provider or address than when the schedule was saved. Save the schedule again if that is meant":
    "配置 `{name}` 现在的提供方或地址与保存计划时不同。如果确实如此，请重新保存计划",
  "A schedule needs a name; type one": "计划需要名称；请填写",
  "You have {most} schedules already; remove one first": "已有 {most} 个计划；请先移除一个",
  "A run of a schedule may take from 1 to {most} minutes, not {minutes}":
    "计划的一次运行可用 1 到 {most} 分钟，不能是 {minutes} 分钟",
  "The schedule cannot be written: {error}": "无法写入计划：{error}",
  "You have a schedule “{name}” already; choose another name": "已有名为“{name}”的计划；请换一个名称",
  "There is no schedule “{name}”": "没有名为“{name}”的计划",
  "The budget of a month is a number above 0; leave it out for no budget": "每月预算应是大于 0 的数；不设预算请留空",
  "The budget of this month is used up: ${used} of ${most}": "本月预算已用完：${used}，上限 ${most}",
  "The budget of this month is used up: {used} of {most} tokens": "本月预算已用完：{used} 个令牌，上限 {most} 个",
  "The run took longer than the {minutes} minutes that its schedule allows, and was ended":
    "运行超过了计划允许的 {minutes} 分钟，已被结束",
  "The schedule “{name}” failed {times} times in a row and stopped itself. Mend what failed, then resume it":
    "计划“{name}”连续失败 {times} 次，已自行停止。请先排除故障，再恢复它",
  "A run of the schedule “{name}” was refused `{tool}` at {place}. Allow it by saving the schedule with this tool, if it should be allowed":
    "计划“{name}”的一次运行被拒绝在 {place} 使用 `{tool}`。若应允许，请在保存计划时允许此工具",
  "A run of the schedule “{name}” was refused `{tool}`. Allow it by saving the schedule with this tool, if it should be allowed":
    "计划“{name}”的一次运行被拒绝使用 `{tool}`。若应允许，请在保存计划时允许此工具",
  "A run of the schedule “{name}” waits for your answer": "计划“{name}”的一次运行在等待你的回答",
  "the program `{program}` is not found beside this one": "在本程序旁找不到程序 `{program}`",
  "this account has no folder for settings": "此帐户没有存放设置的文件夹",
  "no timer of `{system}` is known": "不知道 `{system}` 的定时器",
  "the file {file} cannot be written: {error}": "无法写入文件 {file}：{error}",
  "`{command}` fails: {why}": "`{command}` 失败：{why}",
  "it was not set up when the schedules were saved": "保存计划时没有设置它",
  "While no window is open nothing begins by itself, because the system has no timer for it: {why}. Let something else run `galley schedule run-due` each minute":
    "窗口关闭时不会自动开始任何运行，因为系统没有相应的定时器：{why}",
};

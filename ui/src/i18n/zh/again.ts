// What a run asks again, and what becomes of it after it was interrupted, in Chinese.
import type { again as en } from "../en/again";

export const again: Record<keyof typeof en, string> = {
  "again.asks": "约询问模型 {n} 次",
  "again.asks_at_least": "至少询问模型 {n} 次",
  "again.asks_none": "不询问模型",
  "again.then": "；",
  "again.used": "本次运行中相同的调用用了 {tokens} 词元，费用：{cost}",
  "again.used_no_price": "本次运行中相同的调用用了 {tokens} 词元，价格未知",
  "again.some_price": "{cost} + 价格未知的调用",
  "again.unknown": "本次运行没有这些调用的数据",
  "again.first": "{who}尚未运行，未计入",
  "again.reused": "沿用 {n} 个阶段 – {cost}",
  "halted.at": "停在：{who}。",
  "halted.between": "停在两个阶段之间。",
  "halted.restored": "已恢复：{who}。",
  "halted.will_run": "将运行：{who}。",
  "halted.repeats_nothing": "不会重复任何操作。",
  "halted.may_repeat": "可能重复：{what}。",
  "halted.in_flight": "{what}（当时正在进行）",
  "halted.asked_first": "{what}（当时正在进行，重复前会先询问）",
  "halted.round": "（第 {n} 轮，共 {most} 轮）",
  "halted.item": "（第 {n} 项）",
  "halted.resume": "从这里继续",
};

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
};

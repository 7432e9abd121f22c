// Prices that a person sets for models, in Simplified Chinese.
import type { prices as en } from "../en/prices";

export const prices: Record<keyof typeof en, string> = {
  "price.title": "{model} 的价格",
  "price.set": "设置价格",
  "price.set_of": "{model}：设置价格",
  "price.input": "每百万输入词元的美元价格",
  "price.output": "每百万输出词元的美元价格",
  "price.help": "用于此前没有价格的调用，以及今后的所有调用。",
  "price.help.unknown": "此模型的价格未知。设置的价格用于此前没有价格的调用，以及今后的所有调用。",
  "price.file": "价格保存在 {file}。",
  "price.save": "保存价格",
  "price.close": "关闭",
  "price.saved": "已保存。今后的合计会使用此价格。",
  "price.later": "按后来设置的价格",
  "price.open": "价格",
  "price.open_named": "{name} 的价格",
  "price.none": "价格未知",
  "price.some": "+ 价格未知的调用",
  "price.where": "费用明细，可在其中设置价格",
};

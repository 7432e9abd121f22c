// A call of a model as it is read, in Simplified Chinese.
import type { calls as en } from "../en/calls";

export const calls: Record<keyof typeof en, string> = {
  "journal.json": "JSON",
  "journal.copy_json": "复制 JSON",
  "journal.answered": "回答：事件 {n}",
  "call.temperature": "温度",
  "call.max_tokens": "回答上限",
  "call.tokens": "{n} 个词元",
  "call.shape": "回答格式",
  "call.any_text": "任意文本",
  "call.tools": "可用工具",
  "call.instruction": "指令",
  "call.user": "请求",
  "call.model": "模型（之前）",
  "call.tool_result": "工具 {tool} 的结果",
  "call.tool_use": "调用工具 {tool}",
  "call.answer": "回答",
  "call.thinking": "思考",
  "call.none": "无。",
  "call.empty": "回答没有文本。",
  "call.open": "尚无回答。",
  "call.interrupted": "回答中断。以下是已收到的内容：",
  "call.used": "输入 {input} 个词元，输出 {output} 个词元",
  "call.ended": "结束原因：{why}",
  "call.show_all": "显示全部 {n} 个字符",
};

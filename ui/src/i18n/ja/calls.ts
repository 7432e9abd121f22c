// A call of a model as it is read, in Japanese.
import type { calls as en } from "../en/calls";

export const calls: Record<keyof typeof en, string> = {
  "journal.json": "JSON",
  "journal.copy_json": "JSON をコピー",
  "journal.answered": "回答：イベント {n}",
  "call.temperature": "温度",
  "call.max_tokens": "回答の上限",
  "call.tokens": "{n} トークン",
  "call.shape": "回答の形式",
  "call.any_text": "自由なテキスト",
  "call.tools": "使えるツール",
  "call.instruction": "指示",
  "call.user": "依頼",
  "call.model": "モデル（以前）",
  "call.tool_result": "ツール {tool} の結果",
  "call.tool_use": "ツール {tool} の呼び出し",
  "call.answer": "回答",
  "call.thinking": "思考",
  "call.none": "なし。",
  "call.empty": "回答にテキストがありません。",
  "call.open": "まだ回答がありません。",
  "call.interrupted": "回答は途中で切れました。受け取った内容：",
  "call.used": "入力 {input} トークン、出力 {output} トークン",
  "call.ended": "終了理由：{why}",
  "call.show_all": "全 {n} 文字を表示",
};

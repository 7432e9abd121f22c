// What a run asks again, and what becomes of it after it was interrupted, in Japanese.
import type { again as en } from "../en/again";

export const again: Record<keyof typeof en, string> = {
  "again.asks": "モデルに約 {n} 回尋ねます",
  "again.asks_at_least": "モデルに少なくとも {n} 回尋ねます",
  "again.asks_none": "モデルには尋ねません",
  "again.then": "。",
  "again.used": "この実行での同じ呼び出しは {tokens} トークン、費用：{cost}",
  "again.used_no_price": "この実行での同じ呼び出しは {tokens} トークン、料金不明",
  "again.some_price": "{cost} + 料金不明の呼び出し",
  "again.unknown": "この実行にはこれらの呼び出しの記録がありません",
  "again.first": "{who}は未実行のため含まれていません",
  "again.reused": "{n} 段階を引き継ぎ – {cost}",
  "halted.at": "停止した段階：{who}。",
  "halted.between": "段階と段階の間で停止しました。",
  "halted.restored": "復元済み：{who}。",
  "halted.will_run": "これから実行：{who}。",
  "halted.repeats_nothing": "繰り返される操作はありません。",
  "halted.may_repeat": "繰り返される可能性：{what}。",
  "halted.in_flight": "{what}（実行中でした）",
  "halted.asked_first": "{what}（実行中でした。繰り返す前に確認します）",
  "halted.round": "（{most} 回中 {n} 回目）",
  "halted.item": "（項目 {n}）",
  "halted.resume": "ここから再開",
};

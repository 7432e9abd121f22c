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
};

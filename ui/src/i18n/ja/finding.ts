// Finding words in the draft, in Japanese.
import type { finding as en } from "../en/finding";

export const finding: Record<keyof typeof en, string> = {
  "find.title": "草稿内を検索",
  "find.count": "{all} 件中 {at} 件目",
  "find.none": "一致なし",
  "find.previous": "前の一致",
  "find.next": "次の一致",
  "find.close": "検索を閉じる",
  "keys.find": "草稿内の次または前の一致",
};

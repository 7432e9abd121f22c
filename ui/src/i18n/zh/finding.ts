// Finding words in the draft, in Simplified Chinese.
import type { finding as en } from "../en/finding";

export const finding: Record<keyof typeof en, string> = {
  "find.title": "在草稿中查找",
  "find.count": "第 {at} 处，共 {all} 处",
  "find.none": "没有匹配",
  "find.previous": "上一处",
  "find.next": "下一处",
  "find.close": "关闭查找",
  "keys.find": "草稿中的下一处或上一处匹配",
};

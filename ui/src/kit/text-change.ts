// Changes of a text by place, and how several of them become one.

/** What is written in place of a part of a text; places count UTF-16 units. */
export type Change = { from: number; to: number; insert: string };

/** The text after changes that do not overlap. */
export function withChanges(text: string, changes: readonly Change[]): string {
  let [result, at] = ["", 0];
  for (const { from, to, insert } of [...changes].sort((one, other) => one.from - other.from || one.to - other.to)) {
    result += text.slice(at, from) + insert;
    at = to;
  }
  return result + text.slice(at);
}

/** The one change that makes a text another: what they begin and end with alike stays. */
export function changeBetween(before: string, after: string): Change[] {
  if (before === after) return [];
  let from = 0;
  while (from < before.length && before[from] === after[from]) from += 1;
  let kept = 0;
  while (kept < Math.min(before.length, after.length) - from && before.at(-1 - kept) === after.at(-1 - kept)) kept += 1;
  return [{ from, to: before.length - kept, insert: after.slice(from, after.length - kept) }];
}

// Changes of the items of an array in a TOML text: lines, commas and comments of the other items stay.
import type { AST } from "toml-eslint-parser";
import type { Change } from "./text-change";

/** An item with what belongs to it: the comments above it, its comma, and a comment that ends its line. */
type Slot = { from: number; itemFrom: number; itemTo: number; commaTo: number | null; to: number };

/** Behind the blanks and comments that begin at a place. */
function afterBlanks(text: string, at: number): number {
  return at + (/^(?:\s|#[^\n]*)*/.exec(text.slice(at))?.[0].length ?? 0);
}

function slotsOf(text: string, array: AST.TOMLArray): Slot[] {
  let from = array.range[0] + 1;
  return array.elements.map(({ range: [itemFrom, itemTo] }) => {
    const next = afterBlanks(text, itemTo);
    const commaTo = text[next] === "," ? next + 1 : null;
    const end = commaTo ?? itemTo;
    const comment = /^[ \t]*#[^\n]*/.exec(text.slice(end))?.[0] ?? "";
    const slot = { from, itemFrom, itemTo, commaTo, to: end + comment.length };
    from = slot.to;
    return slot;
  });
}

/** The blanks directly before an item. */
function lead(text: string, slot: Slot): string {
  return /\s*$/.exec(text.slice(slot.from, slot.itemFrom))?.[0] ?? "";
}

/** Whether a comment ends the line of an item. */
const isCommented = (slot: Slot | undefined) => slot !== undefined && slot.to > (slot.commaTo ?? slot.itemTo);
/** Whether a text begins with the end of a line, so that a comment can stand before it. */
const endsLine = (text: string) => /^[ \t]*(?:\n|$)/.test(text);
const commentsIn = (text: string): readonly string[] => text.match(/#[^\n]*/g) ?? [];

/** The comments of an item: those above it, each a line, and the one behind it. */
export type ItemComments = { above: readonly string[]; behind: string };
const NO_COMMENTS: ItemComments = { above: [], behind: "" };

/** The comments that go when an item is removed. */
export function commentsOf(text: string, array: AST.TOMLArray, index: number): ItemComments {
  const slots = slotsOf(text, array);
  const [slot, next] = [slots[index], slots[index + 1]];
  if (!slot || (next && !lead(text, next).includes("\n"))) return NO_COMMENTS;
  const above = [
    ...commentsIn(text.slice(slot.from, slot.itemFrom)),
    ...commentsIn(text.slice(slot.itemTo, slot.commaTo ?? slot.itemTo)),
  ];
  return { above, behind: text.slice(slot.commaTo ?? slot.itemTo, slot.to) };
}

export function insertItem(
  text: string,
  array: AST.TOMLArray,
  index: number,
  item: string,
  comments = NO_COMMENTS,
): Change[] {
  const slots = slotsOf(text, array);
  const [last, next] = [slots.at(-1), slots[index]];
  const inside = { from: array.range[0] + 1, to: array.range[1] - 1 };
  if (comments.above.length > 0 || comments.behind !== "")
    return insertLines(text, slots, index, inside.from, item, comments);
  if (!last)
    return [
      text.slice(inside.from, inside.to).includes("#")
        ? { ...inside, to: inside.from, insert: item }
        : { ...inside, insert: item },
    ];
  if (next) {
    const blanks = lead(text, next);
    if (blanks.includes("\n")) return [{ from: next.from, to: next.from, insert: `${blanks}${item},` }];
    return [{ from: next.itemFrom, to: next.itemFrom, insert: `${item}, ` }];
  }
  const own = lead(text, last);
  const single = slots.length > 1 ? own : " ";
  const blanks = own.includes("\n") ? own : isCommented(last) ? "\n" : single;
  if (last.commaTo !== null) return [{ from: last.to, to: last.to, insert: `${blanks}${item},` }];
  if (last.to === last.itemTo) return [{ from: last.to, to: last.to, insert: `,${blanks}${item}` }];
  return [
    { from: last.itemTo, to: last.itemTo, insert: "," },
    { from: last.to, to: last.to, insert: `${blanks}${item}` },
  ];
}

/** Inserts an item with its comments, on lines of its own. */
function insertLines(
  text: string,
  slots: readonly Slot[],
  index: number,
  start: number,
  item: string,
  { above, behind }: ItemComments,
): Change[] {
  const [last, next] = [slots.at(-1), slots[index]];
  const neighbour = next ?? last;
  const own = neighbour ? lead(text, neighbour) : "";
  const blanks = own.includes("\n") ? own : "\n";
  const at = next?.from ?? last?.to ?? start;
  const comma = next || last?.commaTo !== null ? "," : "";
  const insert = `${above.map((comment) => blanks + comment).join("")}${blanks}${item}${comma}${behind}${endsLine(text.slice(at)) ? "" : "\n"}`;
  if (next || !last || last.commaTo !== null) return [{ from: at, to: at, insert }];
  return isCommented(last)
    ? [
        { from: last.itemTo, to: last.itemTo, insert: "," },
        { from: at, to: at, insert },
      ]
    : [{ from: at, to: at, insert: `,${insert}` }];
}

export function removeItem(text: string, array: AST.TOMLArray, index: number): Change[] {
  const slots = slotsOf(text, array);
  const [before, slot, next] = [slots[index - 1], slots[index], slots[index + 1]];
  if (!slot) return [];
  if (next) {
    if (lead(text, next).includes("\n")) return [{ from: slot.from, to: slot.to, insert: "" }];
    return [{ from: slot.itemFrom, to: next.itemFrom, insert: "" }];
  }
  // The end of the array does not come into the comment of the item before.
  const cut = {
    from: slot.from,
    to: slot.to,
    insert: isCommented(before) && !endsLine(text.slice(slot.to)) ? "\n" : "",
  };
  if (!before) {
    const end = array.range[1] - 1;
    return [text.slice(slot.to, end).trim() === "" ? { ...cut, to: end } : cut];
  }
  if (slot.commaTo !== null || before.commaTo === null) return [cut];
  return before.commaTo === before.to
    ? [{ ...cut, from: before.commaTo - 1 }]
    : [{ from: before.commaTo - 1, to: before.commaTo, insert: "" }, cut];
}

/** Exchanges an item with the next one; comments go with the item that they belong to. */
export function swapItems(text: string, array: AST.TOMLArray, index: number): Change[] {
  const slots = slotsOf(text, array);
  const [before, one, other] = [slots[index - 1], slots[index], slots[index + 1]];
  if (!one || !other) return [];
  const hasComment = [one, other].some((slot) => text.slice(slot.from, slot.itemFrom).includes("#"));
  const body = (slot: Slot) => ({ from: hasComment ? slot.from : slot.itemFrom, to: slot.itemTo });
  const tail = (slot: Slot) => ({ from: slot.commaTo ?? slot.itemTo, to: slot.to });
  const textAt = ({ from, to }: { from: number; to: number }) => text.slice(from, to);
  const [oneBody, otherBody, oneTail, otherTail] = [
    textAt(body(one)),
    textAt(body(other)),
    textAt(tail(one)),
    textAt(tail(other)),
  ];
  /** What comes behind a comment begins on the next line. */
  const lineEnd = (comment: boolean, behind: string) => (comment && !endsLine(behind) ? "\n" : "");
  const afterOne = hasComment ? oneBody : text.slice(one.to);
  return [
    { ...body(one), insert: lineEnd(hasComment && isCommented(before), otherBody) + otherBody },
    { ...tail(one), insert: otherTail + lineEnd(otherTail !== "", afterOne) },
    { ...body(other), insert: oneBody },
    { ...tail(other), insert: oneTail + lineEnd(oneTail !== "", text.slice(other.to)) },
  ].filter(({ from, to, insert }) => text.slice(from, to) !== insert);
}

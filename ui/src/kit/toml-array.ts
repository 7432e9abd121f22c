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

export function insertItem(text: string, array: AST.TOMLArray, index: number, item: string): Change[] {
  const slots = slotsOf(text, array);
  const [last, next] = [slots.at(-1), slots[index]];
  const inside = { from: array.range[0] + 1, to: array.range[1] - 1 };
  if (!last) return [text.slice(inside.from, inside.to).includes("#") ? { ...inside, to: inside.from, insert: item } : { ...inside, insert: item }];
  if (next) {
    const blanks = lead(text, next);
    if (blanks.includes("\n")) return [{ from: next.from, to: next.from, insert: `${blanks}${item},` }];
    return [{ from: next.itemFrom, to: next.itemFrom, insert: `${item}, ` }];
  }
  const own = lead(text, last);
  const blanks = own.includes("\n") || slots.length > 1 ? own : " ";
  if (last.commaTo !== null) return [{ from: last.to, to: last.to, insert: `${blanks}${item},` }];
  if (last.to === last.itemTo) return [{ from: last.to, to: last.to, insert: `,${blanks}${item}` }];
  return [
    { from: last.itemTo, to: last.itemTo, insert: "," },
    { from: last.to, to: last.to, insert: `${blanks}${item}` },
  ];
}

export function removeItem(text: string, array: AST.TOMLArray, index: number): Change[] {
  const slots = slotsOf(text, array);
  const [before, slot, next] = [slots[index - 1], slots[index], slots[index + 1]];
  if (!slot) return [];
  if (next) {
    if (lead(text, next).includes("\n")) return [{ from: slot.from, to: slot.to, insert: "" }];
    return [{ from: slot.itemFrom, to: next.itemFrom, insert: "" }];
  }
  const cut = { from: slot.from, to: slot.to, insert: "" };
  if (!before) {
    const end = array.range[1] - 1;
    return [text.slice(slot.to, end).trim() === "" ? { ...cut, to: end } : cut];
  }
  if (slot.commaTo !== null || before.commaTo === null) return [cut];
  return before.commaTo === before.to ? [{ ...cut, from: before.commaTo - 1 }] : [{ from: before.commaTo - 1, to: before.commaTo, insert: "" }, cut];
}

/** Exchanges an item with the next one; comments go with the item that they belong to. */
export function swapItems(text: string, array: AST.TOMLArray, index: number): Change[] {
  const slots = slotsOf(text, array);
  const [one, other] = [slots[index], slots[index + 1]];
  if (!one || !other) return [];
  const hasComment = [one, other].some((slot) => text.slice(slot.from, slot.itemFrom).includes("#"));
  const body = (slot: Slot) => ({ from: hasComment ? slot.from : slot.itemFrom, to: slot.itemTo });
  const tail = (slot: Slot) => ({ from: slot.commaTo ?? slot.itemTo, to: slot.to });
  return [body, tail].flatMap((part) => {
    const [first, second] = [part(one), part(other)];
    const [left, right] = [text.slice(first.from, first.to), text.slice(second.from, second.to)];
    return left === right
      ? []
      : [
          { ...first, insert: right },
          { ...second, insert: left },
        ];
  });
}

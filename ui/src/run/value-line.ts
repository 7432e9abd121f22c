// A value in one line, where there is no room for more: of a row, of a sentence of the journal.
import { wholeNumber } from "../i18n";
import { isStored } from "./value";

/** So many characters stand in a line, and so many parts of a list or an object are looked at. */
const ROOM = 160;
const PARTS = 24;
/** What lies deeper than this is left out. */
const DEEP = 3;

/** A text as it is, of other values what they hold; empty where the value stands by its hash. */
export function valueLine(value: unknown, room = ROOM): string {
  const text = written(value, 0).replace(/\s+/g, " ").trim();
  return text.length > room ? `${[...text.slice(0, 2 * room)].slice(0, room).join("").trimEnd()}…` : text;
}

/** The same of a value that stands as JSON where it is no text. What was cut is no JSON, and stands as it is. */
export function jsonLine(text: string): string {
  if (!/^[[{]/.test(text)) return valueLine(text);
  try {
    return valueLine(JSON.parse(text));
  } catch {
    return valueLine(text);
  }
}

/** So much of the end of an address is always seen. */
const END = 14;

/**
 * The address with which a line begins, of the web or of a file, without its scheme: its start, its end, which tells it
 * apart from others, and what stands behind it in the line. Null where it begins with none, or a short one.
 */
export function addressIn(line: string): { start: string; end: string; rest: string } | null {
  const [, , address = ""] = /^([a-z][a-z+.-]*:\/\/)?(\S*\/\S*)/i.exec(line) ?? [];
  const letters = [...address];
  if (letters.length <= END) return null;
  const rest = line.slice(line.indexOf(address) + address.length);
  return { start: letters.slice(0, -END).join(""), end: letters.slice(-END).join(""), rest };
}

function written(value: unknown, depth: number): string {
  if (value === undefined || value === null || isStored(value)) return "";
  if (typeof value === "string") return value.slice(0, 4 * ROOM);
  if (typeof value === "number") return wholeNumber(value);
  if (typeof value !== "object") return String(value);
  if (depth >= DEEP) return "…";
  if (Array.isArray(value)) {
    const parts = value.slice(0, PARTS).map((part) => written(part, depth + 1));
    return parts.filter((part) => part !== "").join(", ");
  }
  // The names of fields are the same for each item: what they hold tells them apart.
  const parts = Object.values(value)
    .slice(0, PARTS)
    .map((inner) => written(inner, depth + 1));
  return parts.filter((part) => part !== "").join(" · ");
}

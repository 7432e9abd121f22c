// Strings of TOML: printed, and changed only where they differ, so that the escapes and the style of the rest stay.
import type { Change } from "./text-change";

const ESCAPES: Record<string, string> = {
  b: "\b",
  t: "\t",
  n: "\n",
  f: "\f",
  r: "\r",
  e: "\u001b",
  '"': '"',
  "\\": "\\",
};
const SHORT: Record<string, string> = { "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r" };

/** A piece of a literal: the text that it means, and where it is written. */
type Unit = { text: string; from: number; to: number };
type Style = { quote: string; isBasic: boolean; isLong: boolean };

function styleOf(literal: string): Style {
  const quote = /^("""|'''|"|')/.exec(literal)?.[0] ?? '"';
  return { quote, isBasic: quote.startsWith('"'), isLong: quote.length === 3 };
}

/** The pieces of a literal; null where it is none. */
function unitsOf(literal: string): Unit[] | null {
  const { quote, isBasic, isLong } = styleOf(literal);
  let at = quote.length;
  const end = literal.length - quote.length;
  if (end < at || !literal.endsWith(quote)) return null;
  if (isLong && literal[at] === "\n") at += 1;
  const units: Unit[] = [];
  while (at < end) {
    const unit = isBasic && literal[at] === "\\" ? escaped(literal, at) : plain(literal, at);
    if (!unit || unit.to > end || (!isLong && unit.text === "\n" && literal[at] === "\n")) return null;
    if (at + quote.length <= end && literal.startsWith(quote, at)) return null;
    units.push(unit);
    at = unit.to;
  }
  return units;
}

function plain(literal: string, at: number): Unit {
  const text = String.fromCodePoint(literal.codePointAt(at) ?? 0);
  return { text, from: at, to: at + text.length };
}

function escaped(literal: string, at: number): Unit | null {
  const rest = literal.slice(at + 1);
  const continued = /^[ \t]*\n\s*/.exec(rest);
  if (continued) return { text: "", from: at, to: at + 1 + continued[0].length };
  const code = /^(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8}))/.exec(rest);
  if (code) {
    const point = Number.parseInt(code[1] ?? code[2] ?? code[3] ?? "", 16);
    return point > 0x10ffff ? null : { text: String.fromCodePoint(point), from: at, to: at + 1 + code[0].length };
  }
  const text = ESCAPES[rest[0] ?? ""];
  return text === undefined ? null : { text, from: at, to: at + 2 };
}

/** A text within a basic string. A long one keeps its lines, and its quotes where they cannot be taken for its end. */
function escape(text: string, isLong: boolean, isQuoteEscaped = !isLong): string {
  const special = isLong ? /\\|(?![\t\n])\p{Cc}/gu : /\\|\p{Cc}/gu;
  const escapedText = text.replace(special, (char) =>
    char === "\\" ? "\\\\" : (SHORT[char] ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`),
  );
  return isQuoteEscaped ? escapedText.replaceAll('"', '\\"') : escapedText;
}

/** A string as it is written anew: over several lines where it has some. */
export function printString(value: string): string {
  if (!value.includes("\n")) return `"${escape(value, false)}"`;
  return `"""\n${escape(value, true).replace(/"(?="|$)/g, '\\"')}"""`;
}

/** What has to change in a literal for it to mean a value; places are within the literal. */
export function changeString(literal: string, value: string): Change {
  const whole = { from: 0, to: literal.length, insert: printString(value) };
  const units = unitsOf(literal);
  const { isBasic, isLong } = styleOf(literal);
  if (!units) return whole;
  const before = units.map(({ text }) => text).join("");
  if (!isLong && !before.includes("\n") && value.includes("\n")) return whole;
  let [first, start] = [0, 0];
  for (let unit = units[first]; unit && value.startsWith(unit.text, start); unit = units[first]) {
    start += unit.text.length;
    first += 1;
  }
  let [last, end] = [units.length, value.length];
  for (
    let unit = units[last - 1];
    unit && last > first && end - unit.text.length >= start && value.slice(0, end).endsWith(unit.text);
    unit = units[last - 1]
  ) {
    end -= unit.text.length;
    last -= 1;
  }
  const body = units.length > 0 ? (units[0]?.from ?? 0) : literal.length - styleOf(literal).quote.length;
  const from = units[first]?.from ?? units.at(-1)?.to ?? body;
  const to = last > first ? (units[last - 1]?.to ?? from) : from;
  const added = value.slice(start, end);
  // The line that ends behind the opening quotes is no part of the text.
  const lead = isLong && from === styleOf(literal).quote.length && added.startsWith("\n") ? "\n" : "";
  const choices = isBasic ? [escape(added, isLong), escape(added, isLong, true)] : [added];
  for (const insert of choices) {
    const next = literal.slice(0, from) + lead + insert + literal.slice(to);
    if (
      unitsOf(next)
        ?.map(({ text }) => text)
        .join("") === value
    )
      return { from, to, insert: lead + insert };
  }
  return whole;
}

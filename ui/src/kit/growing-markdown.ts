// Markdown while it is being written, set as it will stand. Finished blocks are set once; what is unfinished at the
// end is closed where its form is clear, and held back where it is not, so that no word changes its form once it is
// seen.
import { blocksOf, endOf, type Definitions } from "./markdown";

export class GrowingMarkdown {
  #text = "";
  #done: string[] = [];
  /** Where the blocks begin that are not finished. */
  #from = 0;
  #definitions: Definitions = {};

  /** The text so far as blocks of HTML: those that were given before stay the same while the text only grows. */
  take(text: string): readonly string[] {
    text = text.replace(/\r\n?/g, "\n");
    if (!text.startsWith(this.#text)) [this.#done, this.#from, this.#definitions] = [[], 0, {}];
    this.#text = text;
    this.#finish();
    // A copy: what the end defines may still change.
    const definitions = {
      ...this.#definitions,
      references: { ...(this.#definitions["references"] as object | undefined) },
    };
    const end = blocksOf(settled(text.slice(this.#from)), definitions)
      .map(({ html }) => html)
      .join("");
    return end === "" ? this.#done : [...this.#done, end];
  }

  /** Of the lines that are whole, all blocks but the last are finished: a later line may still belong to that one. */
  #finish(): void {
    const whole = this.#text.slice(this.#from, this.#text.lastIndexOf("\n") + 1);
    const blocks = whole === "" ? [] : blocksOf(whole, this.#definitions);
    const last = blocks.pop();
    if (!last || blocks.length === 0) return;
    this.#done = [...this.#done, ...blocks.map(({ html }) => html)];
    this.#from += lineStart(whole, last.line);
  }
}

/** Where a line begins, counted from 0. */
function lineStart(text: string, line: number): number {
  let at = 0;
  for (let n = 0; n < line; n++) at = text.indexOf("\n", at) + 1;
  return at;
}

/** A last line of marks alone, which may become a heading, an item, a quotation, code or a rule. */
const UNDECIDED =
  /(?:^|\n)[ \t>]*(?:#{1,6}|[-*+_=]+|\d{1,9}[.)]?|[-*+]\s+(?:[-*+]|\d{1,9}[.)]?|\[[ x]?\]?)|(?:`{1,2}|`{3}[^\n]*|~~~[^\n]*)|\|)?[ \t]*$/;
/** A link or a citation whose end has not come; what is longer is no link. */
const UNFINISHED_LINK = /!?\[[^\]\n]{0,300}(?:\]|\]\([^)\n]{0,1000})?$/;
/** Rows of a table at the end, whole lines and the one that is being written. */
const ROWS = /(?:^|\n)((?:[ \t]*\|[^\n]*\n)*)([ \t]*\|[^\n]*)?$/;

/** The end of a text that is being written, without what cannot be told yet and with its open marks closed. */
export function settled(text: string): string {
  const isCode = endOf(text) === null;
  if (isCode) return text.replace(UNDECIDED, "\n");
  let shown = heldTable(text)
    .replace(UNFINISHED_LINK, "")
    .replace(/[*_~`\\]+$/, "");
  shown = shown.replace(UNDECIDED, "").trimEnd();
  // Inside code no other mark counts.
  shown += "`".repeat(openCode(endOf(shown)?.content ?? ""));
  const { open } = endOf(shown) ?? { open: "" };
  return shown + [...(open.match(/~~|./g) ?? [])].reverse().join("");
}

/** Without a table's first row until the line below it says that it is one. */
function heldTable(text: string): string {
  const [rows, whole = ""] = ROWS.exec(text) ?? [""];
  const isKnown = whole.split("\n").length > 2;
  return rows.trim() === "" || isKnown ? text : text.slice(0, text.length - rows.length);
}

/** How many backticks began code that has not ended; 0 where none has. */
function openCode(content: string): number {
  let open = 0;
  for (const [run] of content.matchAll(/`+/g)) open = open === 0 ? run.length : run.length === open ? 0 : open;
  return open;
}

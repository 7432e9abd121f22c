// Two texts compared as they are set: block beside block, the words that differ marked in each, or both in one text.
import { aligned, byWords, type Piece } from "./diff";
import { blocksOf } from "./markdown";

/** What is marked in a block: nothing, words, all of it, or only that its form differs and not its words. */
export type Change = "none" | "words" | "whole" | "form";
export type Side = { html: string; change: Change };
/** A block of each text; null where one has none beside the other's. */
export type Row = { before: Side | null; after: Side | null };
/** Labels for screen readers. */
export type Marks = { removed: string; added: string };

type RenderedBlock = { html: string; text: string };

/** Two texts block by block. */
export function rowsOf(before: string, after: string, marks: Marks): Row[] {
  return pairsOf(before, after).map(([was, is, isAligned]): Row => {
    if (!was || !is)
      return { before: was && { html: was.html, change: "whole" }, after: is && { html: is.html, change: "whole" } };
    if (was.html === is.html)
      return { before: { html: was.html, change: "none" }, after: { html: is.html, change: "none" } };
    if (was.text === is.text)
      return { before: { html: was.html, change: "form" }, after: { html: is.html, change: "form" } };
    const pieces = isAligned ? byWords(was.text, is.text) : [];
    const change = pieces.some(({ kind }) => kind === "same") ? "words" : "whole";
    if (change === "whole") return { before: { html: was.html, change }, after: { html: is.html, change } };
    return {
      before: { html: marked(was.html, without(pieces, "added"), "removed", marks), change },
      after: { html: marked(is.html, without(pieces, "removed"), "added", marks), change },
    };
  });
}

/**
 * Both texts in one: a block that was rewritten stands before the new one, removed words stand before those in their
 * place.
 */
export function mergedRows(before: string, after: string, marks: Marks): (Side & { kind: Piece["kind"] })[] {
  return pairsOf(before, after).flatMap(([was, is, isAligned]): (Side & { kind: Piece["kind"] })[] => {
    if (was && is && was.text === is.text)
      return [{ html: is.html, change: was.html === is.html ? "none" : "form", kind: "same" }];
    const pieces = was && is && isAligned ? byWords(was.text, is.text) : [];
    if (is && pieces.some(({ kind }) => kind === "same"))
      return [{ html: marked(is.html, pieces, "added", marks), change: "words", kind: "same" }];
    return [
      ...(was ? [{ html: was.html, change: "whole", kind: "removed" } as const] : []),
      ...(is ? [{ html: is.html, change: "whole", kind: "added" } as const] : []),
    ];
  });
}

type Pair = [
  RenderedBlock | null,
  RenderedBlock | null,
  /** Whether both are the same block, perhaps changed. */ boolean,
];

/** Blocks that are the same one stand together; what was removed stands beside what was added in its place. */
function pairsOf(before: string, after: string): Pair[] {
  const [left, right] = [renderedBlocks(before), renderedBlocks(after)];
  const places = aligned(
    left.map(({ text }) => text),
    right.map(({ text }) => text),
  );
  const pairs: Pair[] = [];
  const [gone, made]: [RenderedBlock[], RenderedBlock[]] = places ? [[], []] : [left, right];
  const release = () => {
    while (gone.length > 0 || made.length > 0) {
      // A heading stands beside a heading or alone: beside a paragraph it would leave a gap as long as that.
      const [isGone, isMade] = [gone[0], made[0]].map((block) => block && /^<h\d/.test(block.html));
      const [takesGone, takesMade] = isGone === isMade || !gone[0] || !made[0] ? [true, true] : [isGone, isMade];
      pairs.push([(takesGone && gone.shift()) || null, (takesMade && made.shift()) || null, false]);
    }
  };
  for (const [one, other] of places ?? []) {
    const [was, is] = [one === null ? undefined : left[one], other === null ? undefined : right[other]];
    if (was && is) {
      release();
      pairs.push([was, is, true]);
    } else if (was) gone.push(was);
    else if (is) made.push(is);
  }
  release();
  return pairs;
}

/** The blocks of a text; its citations are words here, since what they lead to is of one of the two texts only. */
const renderedBlocks = (text: string): RenderedBlock[] =>
  blocksOf(text).map((block) => {
    const root = elementOf(block.html.trim());
    for (const button of root.querySelectorAll("button")) {
      const span = document.createElement("span");
      span.append(...button.childNodes);
      button.replaceWith(span);
    }
    return { html: root.innerHTML, text: root.textContent ?? "" };
  });

const without = (pieces: readonly Piece[], kind: Piece["kind"]) => pieces.filter((piece) => piece.kind !== kind);

const elementOf = (html: string) => new DOMParser().parseFromString(html, "text/html").body;

/**
 * The HTML of a text with marks around the pieces of one kind, which it holds; those that it does not hold are set
 * in.
 */
function marked(html: string, pieces: readonly Piece[], held: "added" | "removed", marks: Marks): string {
  const root = elementOf(html);
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const nodes: Text[] = [];
  while (walker.nextNode()) nodes.push(walker.currentNode as Text);
  let next = nodes.shift();
  let last: ChildNode | undefined;
  /** The last node that a mark can stand behind. */
  let inline: ChildNode | undefined;
  for (const { kind, text } of pieces) {
    if (kind !== "same" && kind !== held) {
      if (text.trim() === "") continue;
      const made = mark(kind, text, marks);
      if (last && !isBetween(last)) last.after(made);
      else if (next && !isBetween(next)) next.before(made);
      else if (inline) inline.after(made);
      else nodes.find((node) => !isBetween(node))?.before(made);
      continue;
    }
    // A piece may run through several elements: each gets its own mark.
    for (let length = text.length; length > 0 && next;) {
      const following = next.length > length ? next.splitText(length) : nodes.shift();
      length -= next.length;
      last = next;
      if (kind !== "same" && next.data.trim() !== "" && !isBetween(next)) {
        last = mark(kind, next.data, marks);
        next.replaceWith(last);
      }
      if (!isBetween(last)) inline = last;
      next = following;
    }
  }
  return root.innerHTML;
}

/** Whether a node stands between the parts of a table or a list, where no mark can. */
const isBetween = (node: ChildNode) => /^(?:TABLE|THEAD|TBODY|TR|UL|OL)$/.test(node.parentElement?.tagName ?? "");

function mark(kind: "added" | "removed", text: string, marks: Marks): HTMLElement {
  const element = document.createElement(kind === "added" ? "ins" : "del");
  const unseen = document.createElement("span");
  unseen.className = "unseen";
  unseen.textContent = `${marks[kind]} `;
  element.append(unseen, text);
  return element;
}

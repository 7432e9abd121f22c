// Marks passages in a rendered text, across the elements they run through. The marks are taken away before they are set
// anew: nothing else of the text is touched.

/** `issue` is the number of the issue that concerns the passage. */
export type Marking = { text: string; kind: "concern" | "own" | "locked" | "pointed"; issue?: number };

/** Sets the marks and returns the elements of the passage that is pointed at. */
export function markPassages(root: HTMLElement, marks: readonly Marking[]): HTMLElement | null {
  for (const old of root.querySelectorAll("mark[data-mark]")) {
    const parent = old.parentNode;
    old.replaceWith(...old.childNodes);
    parent?.normalize();
  }
  let pointed: HTMLElement | null = null;
  for (const { text, kind, issue } of marks) {
    const made = wrap(root, text, kind, issue);
    if (kind === "pointed") pointed ??= made;
  }
  return pointed;
}

function wrap(
  root: HTMLElement,
  passage: string,
  kind: Marking["kind"],
  issue: number | undefined,
): HTMLElement | null {
  const wanted = flat(passage);
  if (wanted.length < 2) return null;
  const { text, places } = read(root);
  const at = text.indexOf(wanted);
  if (at < 0) return null;
  // Of each text node the part that belongs to the passage.
  const parts = new Map<Text, [number, number]>();
  for (const { node, offset } of places.slice(at, at + wanted.length)) {
    const part = parts.get(node);
    parts.set(node, part ? [part[0], offset + 1] : [offset, offset + 1]);
  }
  let first: HTMLElement | null = null;
  for (const [node, [from, to]] of parts) {
    const range = document.createRange();
    range.setStart(node, from);
    range.setEnd(node, to);
    const mark = document.createElement("mark");
    mark.dataset["mark"] = kind;
    if (issue !== undefined) mark.dataset["issue"] = String(issue);
    range.surroundContents(mark);
    first ??= mark;
  }
  return first;
}

const flat = (text: string): string =>
  text
    .replace(/[*_`]+/g, "")
    .replace(/\s+/g, " ")
    .trim()
    .toLowerCase();

/** The text of an element with single spaces, and where each of its characters stands. */
function read(root: HTMLElement): { text: string; places: { node: Text; offset: number }[] } {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const places: { node: Text; offset: number }[] = [];
  let text = "";
  for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
    for (let offset = 0; offset < node.data.length; offset++) {
      const letter = node.data[offset] ?? "";
      const isSpace = /\s/.test(letter);
      if (isSpace && (text === "" || text.endsWith(" "))) continue;
      // A letter may become two when it is made small; the place of one stands for both.
      const small = isSpace ? " " : letter.toLowerCase().slice(0, 1);
      text += small;
      places.push({ node, offset });
    }
  }
  return { text, places };
}

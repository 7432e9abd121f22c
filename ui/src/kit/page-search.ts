// Searches a text as it is shown. Matches are highlighted through the CSS Custom Highlight API, or, where there is
// none, by boxes that lie over the page: its elements stay as they are.
import { firstFrom, fold, offsetsOf, type TextSearch } from "./text-search";

/** The names of the highlights in the style sheet. */
const MATCH = "find-match";
const CURRENT = "find-current";
/** What begins a paragraph of its own: no match runs across it. */
const BLOCKS = new Set("P LI H1 H2 H3 H4 H5 H6 TD TH BLOCKQUOTE PRE DIV ARTICLE SECTION DD DT HEADER".split(" "));
/** Between paragraphs; nobody can type it. */
const BREAK = "\0";

type Place = { node: Text; start: number };

export class PageSearch implements TextSearch {
  #text = "";
  #places: Place[] = [];
  #starts: number[] = [];
  #isRead = false;
  #found: number[] = [];
  #length = 0;
  #current = -1;
  #boxes = new HighlightBoxes();

  /** `roots` are the elements that hold the text now. */
  constructor(readonly roots: () => readonly Element[]) {}

  forget(): void {
    this.#isRead = false;
  }

  find(query: string): number {
    if (!this.#isRead) this.#read();
    this.#found = offsetsOf(this.#text, query);
    this.#length = query.length;
    this.#current = -1;
    this.#paint();
    return this.#found.length;
  }

  nearest(): number {
    const top = scrollerOf(this.#places[0]?.node)?.getBoundingClientRect().top ?? 0;
    // What holds only spaces has no box of its own.
    const seen = this.#places.filter(({ node }) => node.data.trim() !== "");
    let [low, high] = [0, seen.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((boxOf(seen[middle]?.node)?.bottom ?? 0) <= top) low = middle + 1;
      else high = middle;
    }
    const index = firstFrom(this.#found, seen[low]?.start ?? 0);
    return index < this.#found.length ? index : 0;
  }

  show(index: number, isSought: boolean): void {
    this.#current = index;
    this.#paint();
    const range = isSought ? this.#rangeOf(index) : null;
    if (range) bringIntoSight(range);
  }

  clear(): void {
    this.#found = [];
    this.#current = -1;
    this.#paint();
    this.forget();
  }

  #read(): void {
    [this.#places, this.#isRead] = [[], true];
    let [offset, block] = [0, null as Element | null];
    const parts: string[] = [];
    const put = (part: string) => {
      parts.push(part);
      offset += part.length;
    };
    for (const root of this.roots()) {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
      put(BREAK);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        if (node instanceof Text) {
          const own = blockOf(node, root);
          if (own !== block) put(BREAK);
          block = own;
          this.#places.push({ node, start: offset });
          put(fold(node.data));
        } else if (node.nodeName === "BR") put(" ");
      }
    }
    this.#text = parts.join("");
    this.#starts = this.#places.map(({ start }) => start);
  }

  /** The end of a match lies in the node that holds its last letter. */
  #pointsOf(index: number): { from: Place; to: Place; start: number; end: number } | null {
    const start = this.#found[index];
    if (start === undefined) return null;
    const end = start + this.#length;
    const from = this.#places[firstFrom(this.#starts, start + 1) - 1];
    const to = this.#places[firstFrom(this.#starts, end) - 1];
    return from && to && from.node.isConnected && to.node.isConnected ? { from, to, start, end } : null;
  }

  #rangeOf(index: number): Range | null {
    const points = this.#pointsOf(index);
    if (!points) return null;
    const { from, to, start, end } = points;
    const range = document.createRange();
    // A node may have become shorter since it was read: the search is made again shortly after.
    range.setStart(from.node, Math.min(from.node.length, start - from.start));
    range.setEnd(to.node, Math.min(to.node.length, end - to.start));
    return range;
  }

  #paint(): void {
    const registry = globalThis.CSS?.highlights;
    if (!registry) return this.#boxes.draw(this.#found.length, (index) => this.#rangeOf(index), this.#current);
    const ranges = this.#found.flatMap((_, index) => {
      const points = index === this.#current ? null : this.#pointsOf(index);
      if (!points) return [];
      const { from, to, start, end } = points;
      // Cheaper than a range that follows every change: these are made anew.
      return [
        new StaticRange({
          startContainer: from.node,
          startOffset: Math.min(from.node.length, start - from.start),
          endContainer: to.node,
          endOffset: Math.min(to.node.length, end - to.start),
        }),
      ];
    });
    const current = this.#rangeOf(this.#current);
    if (this.#found.length === 0) {
      registry.delete(MATCH);
      registry.delete(CURRENT);
      return;
    }
    registry.set(MATCH, new Highlight(...ranges));
    const above = current ? new Highlight(current) : new Highlight();
    above.priority = 1;
    registry.set(CURRENT, above);
  }
}

/**
 * Boxes over the matches in sight, for engines without the highlight API. They take no clicks and follow the
 * scrolling.
 */
class HighlightBoxes {
  #layer: HTMLElement | null = null;
  #again: (() => void) | null = null;

  draw(count: number, rangeOf: (index: number) => Range | null, current: number): void {
    this.#remove();
    if (count === 0) return;
    const layer = document.createElement("div");
    layer.className = "find-boxes";
    layer.ariaHidden = "true";
    document.body.append(layer);
    const paint = () => {
      const area = scrollerOf(rangeOf(0)?.startContainer)?.getBoundingClientRect();
      const boxes: HTMLElement[] = [];
      for (let index = 0; index < count && area; index++) {
        for (const box of rangeOf(index)?.getClientRects?.() ?? []) {
          if (box.bottom <= area.top || box.top >= area.bottom) continue;
          const drawn = document.createElement("i");
          drawn.className = index === current ? "current" : "";
          drawn.style.cssText = `left: ${box.left}px; top: ${box.top}px; width: ${box.width}px; height: ${box.height}px`;
          boxes.push(drawn);
        }
      }
      layer.replaceChildren(...boxes);
    };
    paint();
    [this.#layer, this.#again] = [layer, paint];
    addEventListener("scroll", paint, { capture: true, passive: true });
    addEventListener("resize", paint);
  }

  #remove(): void {
    this.#layer?.remove();
    if (!this.#again) return;
    removeEventListener("scroll", this.#again, { capture: true });
    removeEventListener("resize", this.#again);
    this.#again = null;
  }
}

function blockOf(node: Node, root: Element): Element {
  let block = node.parentElement;
  while (block && block !== root && !BLOCKS.has(block.nodeName)) block = block.parentElement;
  return block ?? root;
}

const scrollerOf = (node: Node | undefined): Element | null => node?.parentElement?.closest(".scrolls") ?? null;

function boxOf(node: Text | undefined): DOMRect | undefined {
  if (!node) return undefined;
  const range = document.createRange();
  range.selectNodeContents(node);
  return range.getBoundingClientRect?.();
}

/** Scrolls only where the place is out of sight, and then so that some text stands before it. */
function bringIntoSight(range: Range): void {
  const scroller = scrollerOf(range.startContainer);
  const box = range.getBoundingClientRect?.();
  if (!scroller || !box) return;
  const area = scroller.getBoundingClientRect();
  if (box.top < area.top + 8 || box.bottom > area.bottom - 8)
    scroller.scrollTop += box.top - area.top - area.height / 3;
  // Long lines of code scroll sideways in their own box.
  const code = range.startContainer.parentElement?.closest("pre");
  const line = code?.getBoundingClientRect();
  if (code && line && (box.left < line.left || box.right > line.right))
    code.scrollLeft += box.left - line.left - line.width / 3;
  const shown = range.getBoundingClientRect();
  if (shown.top < 0 || shown.bottom > innerHeight) scroller.scrollIntoView({ block: "nearest" });
}

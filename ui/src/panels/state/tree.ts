// The state as rows of a tree: only what is unfolded becomes a row. Pure, so that it can be tested without a page.

export type Row = {
  /** As it is copied: `key.field[2]`. */
  path: string;
  depth: number;
  label: string;
  value: unknown;
  /** What a folded value is, in short. */
  preview: string;
  canUnfold: boolean;
  isOpen: boolean;
};

/** Deeper or longer than this nothing is unfolded: what a model wrote may be of any shape. */
const MOST_DEPTH = 40;
const MOST_CHILDREN = 200;
const LONG = 160;
const LINES = 20;
/** A key whose value is shorter than this is unfolded from the start. */
const SMALL = 600;

/** Whether a text does not fit its row. */
export function isLong(value: unknown): boolean {
  return typeof value === "string" && (value.length > LONG || value.includes("\n"));
}

/** How long a text is. */
export function measure(text: string): { lines: number; characters: number; isVeryLong: boolean } {
  const lines = text.split("\n").length;
  return { lines, characters: [...text].length, isVeryLong: lines > LINES || text.length > 4_000 };
}

export function previewOf(value: unknown): string {
  if (value === null || value === undefined) return "null";
  if (typeof value === "string") return value.replace(/\s+/g, " ").slice(0, LONG);
  if (Array.isArray(value)) return `[${value.length}]`;
  if (typeof value === "object")
    return `{${Object.keys(value).slice(0, 6).join(", ")}${Object.keys(value).length > 6 ? ", …" : ""}}`;
  return String(value);
}

/**
 * The rows of a state. `folds` is what was folded and unfolded by hand; `filter` keeps paths and texts that contain
 * it.
 */
export function rowsOf(
  keys: readonly string[],
  state: Readonly<Record<string, unknown>>,
  folds: ReadonlyMap<string, boolean>,
  filter: string,
): Row[] {
  const words = filter.trim().toLowerCase();
  const rows: Row[] = [];
  for (const key of keys) if (key in state) put(rows, key, key, state[key], 0, folds, words);
  return rows;
}

function put(
  rows: Row[],
  path: string,
  label: string,
  value: unknown,
  depth: number,
  folds: ReadonlyMap<string, boolean>,
  words: string,
): void {
  if (words !== "" && !contains(path, value, words)) return;
  const children = childrenOf(path, value);
  const canUnfold = children.length > 0 || isLong(value);
  const isOpen =
    canUnfold &&
    (folds.get(path) ??
      (words !== "" ? children.length > 0 : depth === 0 && children.length > 0 && sizeOf(value) < SMALL));
  rows.push({ path, depth, label, value, preview: previewOf(value), canUnfold, isOpen });
  if (!isOpen || depth >= MOST_DEPTH) return;
  const shown = children.slice(0, MOST_CHILDREN);
  for (const [below, name, child] of shown)
    put(rows, below, name, child, depth + 1, folds, path.toLowerCase().includes(words) ? "" : words);
  const left = children.length - shown.length;
  if (left > 0)
    rows.push({
      path: `${path}[…]`,
      depth: depth + 1,
      label: "…",
      value: null,
      preview: `+ ${left}`,
      canUnfold: false,
      isOpen: false,
    });
}

function childrenOf(path: string, value: unknown): [string, string, unknown][] {
  if (Array.isArray(value)) return value.map((child, index) => [`${path}[${index}]`, String(index), child]);
  if (typeof value === "object" && value !== null)
    return Object.entries(value).map(([name, child]) => [
      /^[\w$]+$/.test(name) ? `${path}.${name}` : `${path}[${JSON.stringify(name)}]`,
      name,
      child,
    ]);
  return [];
}

function contains(path: string, value: unknown, words: string, depth = 0): boolean {
  if (path.toLowerCase().includes(words)) return true;
  const children = childrenOf(path, value);
  if (children.length > 0)
    return depth < MOST_DEPTH && children.some(([below, , child]) => contains(below, child, words, depth + 1));
  return String(value ?? "")
    .toLowerCase()
    .includes(words);
}

function sizeOf(value: unknown): number {
  try {
    return JSON.stringify(value).length;
  } catch {
    return Infinity;
  }
}

/** A value as text to copy: a text as it is, everything else as JSON. */
export function textOfValue(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

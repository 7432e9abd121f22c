// Keys that work everywhere. What belongs to one panel is handled there.
export type Shortcut = "new" | "settings" | "sidebar" | "search" | "state" | `tab-${number}`;

/** The shortcut of a key press, if it is one; Control and Command are the same. */
export function shortcutOf(event: KeyboardEvent): Shortcut | null {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return null;
  const key = event.key.toLowerCase();
  if (event.shiftKey) return key === "s" ? "state" : null;
  if (key === "n") return "new";
  if (key === ",") return "settings";
  if (key === "b") return "sidebar";
  if (key === "k") return "search";
  if (/^[1-9]$/.test(key)) return `tab-${Number(key)}`;
  return null;
}

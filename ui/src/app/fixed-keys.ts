// Keys that belong to one place and cannot be changed: shown beside those that can, and never given to two things in
// silence.
import type { Words } from "../i18n";
import type { Section } from "./actions.svelte";

/** Where keys belong: with the actions of a section, or in a place of their own. */
export type KeyGroup = Section | "list" | "draft";
export const KEY_GROUPS = [
  "go",
  "favourites",
  "list",
  "run",
  "draft",
  "panels",
  "pipeline",
  "look",
] as const satisfies readonly KeyGroup[];

export type Fixed = {
  chords: readonly string[];
  title: Words;
  group: KeyGroup;
  /** The actions that have them besides. */ actions?: readonly string[];
};

export const FIXED: readonly Fixed[] = [
  { chords: ["mod+shift+p"], title: "action.palette", group: "go", actions: ["palette"] },
  { chords: ["alt+t"], title: "keys.notices", group: "go" },
  { chords: ["arrowup", "arrowdown"], title: "keys.rows", group: "list" },
  { chords: ["home", "end"], title: "keys.rows_ends", group: "list" },
  { chords: ["enter"], title: "keys.open", group: "list" },
  { chords: ["mod+space", "x"], title: "keys.select", group: "list" },
  { chords: ["shift+space", "shift+arrowup", "shift+arrowdown"], title: "keys.range", group: "list" },
  { chords: ["mod+a"], title: "keys.select_all", group: "list" },
  { chords: ["escape"], title: "selection.clear", group: "list" },
  { chords: ["f2", "delete"], title: "keys.list", group: "list" },
  { chords: ["shift+f10"], title: "keys.menu", group: "list" },
  { chords: ["arrowleft", "arrowright"], title: "keys.moments", group: "run" },
  { chords: ["home", "end"], title: "keys.ends", group: "run" },
  { chords: ["mod+enter"], title: "keys.start", group: "run", actions: ["stop", "answer"] },
  { chords: ["escape", "escape"], title: "action.stop", group: "run", actions: ["stop"] },
  { chords: ["f3", "shift+f3"], title: "keys.find", group: "draft" },
  { chords: ["mod+z"], title: "keys.undo", group: "draft" },
  { chords: ["mod+shift+z", "mod+y"], title: "keys.redo", group: "draft" },
  { chords: ["mod+s"], title: "keys.keep", group: "draft", actions: ["pipeline-save"] },
  { chords: ["j", "k"], title: "keys.issues", group: "panels" },
  { chords: ["a", "d", "r"], title: "keys.answers", group: "panels" },
  { chords: ["?"], title: "action.keys", group: "look", actions: ["keys"] },
];

/** What has a chord already and keeps it. */
export function fixed(chord: string, action: string): Fixed | undefined {
  return FIXED.find((one) => !one.actions?.includes(action) && one.chords.includes(chord));
}

/** Whether a chord may be an action's: what is pressed while writing may not. */
export function isFree(chord: string): boolean {
  return /^(mod|alt)\+./.test(chord) || /^(shift\+)?f\d+$/.test(chord);
}

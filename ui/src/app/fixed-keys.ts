// Keys that belong to one place and cannot be changed: shown beside those that can, and never given to two things in silence.
import type { Words } from "../i18n";

export type Fixed = { chords: readonly string[]; title: Words; /** The action that has them besides. */ action?: string };

export const FIXED: readonly Fixed[] = [
  { chords: ["arrowleft", "arrowright"], title: "keys.moments" },
  { chords: ["home", "end"], title: "keys.ends" },
  { chords: ["j", "k"], title: "keys.issues" },
  { chords: ["a", "d", "r"], title: "keys.answers" },
  { chords: ["f2", "delete"], title: "keys.list" },
  { chords: ["f3", "shift+f3"], title: "keys.find" },
  { chords: ["mod+enter"], title: "keys.start", action: "stop" },
  { chords: ["escape", "escape"], title: "action.stop", action: "stop" },
  { chords: ["mod+z"], title: "keys.undo" },
  { chords: ["mod+shift+z", "mod+y"], title: "keys.redo" },
  { chords: ["mod+s"], title: "keys.keep", action: "pipeline-save" },
  { chords: ["mod+shift+p"], title: "action.palette", action: "palette" },
  { chords: ["?"], title: "action.keys", action: "keys" },
];

/** What has a chord already and keeps it. */
export function fixed(chord: string, action: string): Fixed | undefined {
  return FIXED.find((one) => one.action !== action && one.chords.includes(chord));
}

/** Whether a chord may be an action's: what is pressed while writing may not. */
export function isFree(chord: string): boolean {
  return /^(mod|alt)\+./.test(chord) || /^(shift\+)?f\d+$/.test(chord);
}

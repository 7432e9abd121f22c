// What a pressed key does on the whole page: the action of its chord, or the end of the open run, which Escape pressed
// twice is. What a key does inside a panel is said there, and whoever takes it there keeps it from coming here.
import { actions } from "./actions.svelte";
import { isFree } from "./fixed-keys";
import { chordOf, isMac } from "./keymap.svelte";
import { closeLast } from "./layers";

/** Escape twice in this time stops the open run. */
const TWICE_MS = 600;
/** What Escape closes before it means anything else. */
const LAYERS = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"], [data-popover-content]';
/** Where a person types; a slider and a tick are moved by keys, but nobody writes in them. */
const FIELDS = 'input:not([type="range"], [type="checkbox"], [type="radio"]), textarea, select, [contenteditable]';

type Frame = {
  openPalette: () => void;
  openSheet: () => void;
  /** Closes the list of runs where it lies over the page; false where it does not. */
  closeDrawer: () => boolean;
};

/** Hears every key until the returned function is called. */
export function listenForKeys(frame: Frame): () => void {
  let escapedAt = -Infinity;
  /** When Escape was pressed before, if this press is the next key and nothing else wants it; null otherwise. */
  let before: number | null = null;
  /** Whether a window or a menu stood open when the key was pressed: it has closed itself by now. */
  let isCovered = false;

  // In the capture phase: what this key closes still stands open, and what takes the key has not taken it.
  function coming(event: KeyboardEvent) {
    isCovered = document.querySelector(LAYERS) !== null;
    const isPlain =
      chordOf(event) === "escape" && !event.repeat && !event.isComposing && fieldOf(event) === null && !isCovered;
    before = isPlain ? escapedAt : null;
    escapedAt = -Infinity;
  }

  function pressed(event: KeyboardEvent) {
    if (event.defaultPrevented || event.isComposing) return;
    const chord = chordOf(event);
    if (chord === "escape" && !isCovered && closeLast(fieldOf(event))) return event.preventDefault();
    if (chord === "escape" && before !== null && !frame.closeDrawer()) {
      if (event.timeStamp - before < TWICE_MS) stop();
      else escapedAt = event.timeStamp;
    }
    const field = fieldOf(event);
    if (chord === null || (field !== null && !isFree(chord))) return;
    // Option with a digit types a sign on a Mac.
    if (isMac && field !== null && /^alt\+(shift\+)?\d$/.test(chord)) return;
    if (chord === "?" || chord === "mod+shift+p") {
      event.preventDefault();
      if (chord === "?") frame.openSheet();
      else frame.openPalette();
      return;
    }
    if (chord === "mod+enter" && field !== null) {
      // Whoever writes sends what is written.
      event.preventDefault();
      field.closest("form")?.requestSubmit();
      return;
    }
    const action = actions.by(chord);
    if (!action) return;
    event.preventDefault();
    const popover = document.querySelector("[data-popover-content]");
    if (!popover) return action.run();
    // A popover holds the focus. It is closed first, so that what the action opens can have it.
    popover.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
    setTimeout(action.run);
  }

  window.addEventListener("keydown", coming, { capture: true });
  window.addEventListener("keydown", pressed);
  return () => {
    window.removeEventListener("keydown", coming, { capture: true });
    window.removeEventListener("keydown", pressed);
  };
}

const fieldOf = ({ target }: KeyboardEvent) => (target instanceof Element ? target.closest(FIELDS) : null);

function stop() {
  actions.all.find(({ id }) => id === "stop")?.run();
}

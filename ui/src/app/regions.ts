// The parts of the page as the keys step through them: the list of runs, and every marked part of the open screen, or
// the whole screen where no part of it is marked.

/** What had the focus last in each part. */
const last = new WeakMap<HTMLElement, HTMLElement>();

const FOCUSABLE =
  ':is(a[href], button, input, select, textarea, summary, [tabindex="0"], [contenteditable="true"]):not(:disabled, [tabindex="-1"])';

function regions(): HTMLElement[] {
  const all = [...document.querySelectorAll<HTMLElement>("nav, main, [data-region]")];
  return all.filter((region) => region.getClientRects().length > 0 && !region.matches("main:has([data-region])"));
}

/** Remembers where the focus is, until the returned function is called. */
export function rememberFocus(): () => void {
  const focused = ({ target }: FocusEvent) => {
    if (!(target instanceof HTMLElement)) return;
    const region = target.closest<HTMLElement>("[data-region], nav, main");
    if (region) last.set(region, target);
  };
  document.addEventListener("focusin", focused);
  return () => document.removeEventListener("focusin", focused);
}

/** Moves the focus to the next part of the page, or to the one before. */
export function stepRegion(by: 1 | -1): void {
  // A window over the page keeps the focus.
  if (document.querySelector('[role="dialog"], [role="alertdialog"]')) return;
  const all = regions();
  // Of a part in another part, the inner one has the focus.
  const at = all.map((region) => region.contains(document.activeElement)).lastIndexOf(true);
  const next = at < 0 ? (by === 1 ? 0 : all.length - 1) : (at + by + all.length) % all.length;
  const region = all[next];
  if (region) enterRegion(region);
}

/** Puts the focus where it was in a part, else at its first control, else at the part itself. */
export function enterRegion(region: HTMLElement): void {
  const before = last.get(region);
  const to =
    before?.isConnected && region.contains(before) && before.getClientRects().length > 0
      ? before
      : region.querySelector<HTMLElement>(FOCUSABLE);
  (to ?? region).focus();
  if (document.activeElement === to) return;
  region.tabIndex = -1;
  region.focus();
}

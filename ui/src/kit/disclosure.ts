// The summary of a `details` as a button that says whether it is open: WebKit on Linux gives it no role of its own.

/** Keeps the state that a screen reader reads at the summary like that of its `details`. */
export function disclosure(summary: HTMLElement): (() => void) | void {
  const details = summary.parentElement;
  if (!(details instanceof HTMLDetailsElement)) return;
  const tell = () => summary.setAttribute("aria-expanded", String(details.open));
  summary.setAttribute("role", "button");
  tell();
  details.addEventListener("toggle", tell);
  return () => details.removeEventListener("toggle", tell);
}

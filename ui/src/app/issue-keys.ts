// The keys of the issues beside a draft: they are heard wherever nobody writes and nothing lies over the page.
const KEYS = ["j", "k", "a", "d", "r"];
const ELSEWHERE =
  'input, textarea, select, [contenteditable], [role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]';

/** Whether a key is one of the issues, pressed where it can mean nothing else. */
export function isIssueKey(event: KeyboardEvent): boolean {
  const { key, target, ctrlKey, metaKey, altKey, defaultPrevented } = event;
  return (
    KEYS.includes(key) &&
    !ctrlKey &&
    !metaKey &&
    !altKey &&
    !defaultPrevented &&
    target instanceof Element &&
    target.closest(ELSEWHERE) === null
  );
}

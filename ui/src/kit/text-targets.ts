// What stands in a rendered text at an element that was clicked.

/** The citation, and which of those of its source it is in the whole text, from 0. */
export function citationAt(target: Element, text: HTMLElement | undefined): { number: number; nth: number } | null {
  const citation = target.closest<HTMLElement>("[data-citation]");
  if (!citation) return null;
  const number = Number(citation.dataset["citation"]);
  const same = [...(text?.querySelectorAll(`[data-citation="${number}"]`) ?? [])];
  return { number, nth: same.indexOf(citation) };
}

/** The number of the issue that concerns the passage. */
export function issueAt(target: Element): number | null {
  const issue = target.closest<HTMLElement>("mark[data-issue]")?.dataset["issue"];
  return issue === undefined ? null : Number(issue);
}

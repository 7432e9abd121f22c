// What can be searched on the page. Each part registers how its own search is opened while it is there; the place of
// the focus decides which of them is meant.

type SearchPlace = { place: HTMLElement; open: () => void };

const places: SearchPlace[] = [];

/** The parts of the page that the focus is in as a whole. */
const PARTS = '[data-region], [role="dialog"], main';

/**
 * An attachment: with the focus in the same part of the page, `open` begins the search; without it the field itself
 * does.
 */
export function searchable(open?: () => void): (element: HTMLElement) => () => void {
  return (element) => {
    const enter = () => {
      element.focus();
      if (element instanceof HTMLInputElement) element.select();
    };
    const one = { place: element.closest<HTMLElement>(PARTS) ?? element, open: open ?? enter };
    places.push(one);
    return () => void places.splice(places.indexOf(one), 1);
  };
}

/** Opens the search of the innermost part around the focus; false where it has none, and is no window over the page. */
export function searchHere(): boolean {
  const at = focusedNode();
  const around = places.filter(({ place }) => at !== null && place.contains(at));
  const innermost = around.find(({ place }) => around.every((other) => other.place.contains(place)));
  innermost?.open();
  return innermost !== undefined || (at instanceof Element && at.closest('[role="dialog"]') !== null);
}

/** Where the person is: at the focus, else at the text that was clicked last, else at the open screen. */
function focusedNode(): Node | null {
  const { activeElement } = document;
  if (activeElement && activeElement !== document.body) return activeElement;
  const clicked = document.getSelection()?.anchorNode;
  return clicked && clicked !== document.body ? clicked : document.querySelector("main > *");
}

// What lies over a part of the page and is no window of its own: Escape closes the one opened last, or the one in
// whose field the focus is, and the focus goes back to where it was when it was opened. Windows and menus do the same
// by themselves.
import { lastWhere } from "../platform/last-where";

type Open = { place: HTMLElement; close: () => void };

const open: Open[] = [];

/**
 * An attachment: the element is closed by Escape; the first field of a form in it has the focus, or what is marked as
 * first.
 */
export function layer(close: () => void): (place: HTMLElement) => () => void {
  return (place) => {
    const opener = document.activeElement;
    const one = { place, close };
    open.push(one);
    if (!place.contains(opener))
      place.querySelector<HTMLElement>("form :is(select, input, textarea), [data-first]")?.focus();
    return () => {
      open.splice(open.indexOf(one), 1);
      setTimeout(() => {
        if (document.activeElement === document.body && opener instanceof HTMLElement && opener.isConnected)
          opener.focus();
      });
    };
  };
}

const holdsField = ({ place }: Open) => place.querySelector("input, textarea, select") !== null;

/**
 * Closes what was opened last, or, where the key was pressed in `field`, the layer of this field or a later one
 * without fields.
 * False where nothing is open, or where `field` is in none of them.
 */
export function closeLast(field: Element | null): boolean {
  const isWithin = ({ place }: Open) => place.contains(field);
  const last =
    field === null
      ? open.at(-1)
      : open.some(isWithin)
        ? lastWhere(open, (one) => isWithin(one) || !holdsField(one))
        : undefined;
  if (!last) return false;
  last.close();
  return true;
}

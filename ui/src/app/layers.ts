// What lies over a part of the page and is no window of its own: Escape closes the one opened last, wherever the focus is, and
// the focus goes back to where it was when it was opened. Windows and menus do the same by themselves.
type Open = { place: HTMLElement; close: () => void };

const open: Open[] = [];

/** An attachment: the element is closed by Escape; the first field of a form in it has the focus. */
export function layer(close: () => void): (place: HTMLElement) => () => void {
  return (place) => {
    const opener = document.activeElement;
    const one = { place, close };
    open.push(one);
    if (!place.contains(opener)) place.querySelector<HTMLElement>("form :is(select, input, textarea)")?.focus();
    return () => {
      open.splice(open.indexOf(one), 1);
      setTimeout(() => {
        if (document.activeElement === document.body && opener instanceof HTMLElement && opener.isConnected) opener.focus();
      });
    };
  };
}

/** Closes what was opened last; false where nothing is open, or where `field`, in which the key was pressed, is in none of them. */
export function closeLast(field: Element | null): boolean {
  const last = open.at(-1);
  if (!last || (field !== null && !open.some(({ place }) => place.contains(field)))) return false;
  last.close();
  return true;
}

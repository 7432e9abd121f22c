// Small things remembered between two starts: the theme, the open run, the tab. A page that may keep nothing forgets
// them.

export function remember(name: string, value: string): void {
  try {
    localStorage.setItem(`galley.${name}`, value);
  } catch {
    // Storage is full or forbidden: the choice holds until the page is left.
  }
}

export function forget(name: string): void {
  try {
    localStorage.removeItem(`galley.${name}`);
  } catch {
    // Where nothing may be kept there is nothing to forget.
  }
}

export function remembered(name: string): string | null {
  try {
    return localStorage.getItem(`galley.${name}`);
  } catch {
    return null;
  }
}

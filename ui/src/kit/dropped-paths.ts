// Paths in what was dropped on the page: a list of addresses as file managers give it, or lines of text.

/** Paths of this machine, one for each line that is one. */
export function pathsIn(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .flatMap((line) => {
      if (/^(\/|[A-Za-z]:[\\/]|~\/)/.test(line)) return [line];
      if (!line.startsWith("file://")) return [];
      try {
        const { pathname } = new URL(line);
        const path = decodeURIComponent(pathname);
        // Where drives have letters the address has one more stroke before them.
        return [/^\/[A-Za-z]:/.test(path) ? path.slice(1) : path];
      } catch {
        return [];
      }
    });
}

// Files that are dropped on the window: an input or a screen that takes them has them at once, else the person is asked
// what to do with them.
import { pathsIn } from "../kit/dropped-paths";

/** What takes files where it stands. */
export type FileInput = {
  hasFocus: () => boolean;
  isEmpty: () => boolean;
  fits: (paths: readonly string[]) => boolean;
  take: (paths: readonly string[]) => void;
};

class FileDrops {
  readonly #inputs: FileInput[] = [];
  /** Whether something is held over the window. */
  isOver = $state(false);
  /** Files for which the person has not yet chosen what to do. */
  offered = $state.raw<readonly string[]>([]);
  /** Whether the browser does not tell where the dropped files are. */
  isPathUnknown = $state(false);

  /** Offers an input until the function that is returned is called. */
  add(input: FileInput): () => void {
    this.#inputs.push(input);
    return () => void this.#inputs.splice(this.#inputs.indexOf(input), 1);
  }

  /**
   * Gives files to the input that has the focus, else to the first empty one that they fit; else asks what to do with
   * them.
   */
  drop(paths: readonly string[]): void {
    this.isOver = false;
    const fitting = this.#inputs.filter((one) => one.fits(paths));
    const input = fitting.find((one) => one.hasFocus()) ?? fitting.find((one) => one.isEmpty());
    if (input) input.take(paths);
    else this.offered = paths;
  }

  /** Something was done with some of the files. */
  settle(paths: readonly string[]): void {
    this.offered = this.offered.filter((path) => !paths.includes(path));
  }

  close(): void {
    this.offered = [];
    this.isPathUnknown = false;
  }

  /**
   * Takes what is dropped on the page of a browser, until the returned function is called. A window tells of it by
   * itself.
   */
  follow(): () => void {
    const over = (event: DragEvent) => {
      if (!this.#isWanted(event)) return;
      event.preventDefault();
      this.isOver = true;
    };
    const left = (event: DragEvent) => {
      if (event.relatedTarget === null) this.isOver = false;
    };
    const dropped = (event: DragEvent) => {
      if (!this.#isWanted(event)) return;
      event.preventDefault();
      const paths = pathsIn(
        event.dataTransfer?.getData("text/uri-list") || event.dataTransfer?.getData("text/plain") || "",
      );
      this.isPathUnknown = paths.length === 0 && event.dataTransfer?.types.includes("Files") === true;
      this.drop(paths);
    };
    const pairs = [
      ["dragover", over],
      ["dragleave", left],
      ["drop", dropped],
    ] as const;
    for (const [type, heard] of pairs) document.addEventListener(type, heard);
    return () => pairs.forEach(([type, heard]) => document.removeEventListener(type, heard));
  }

  /** A text that is dragged into a field is the field's. */
  #isWanted({ dataTransfer, target, defaultPrevented }: DragEvent): boolean {
    if (!dataTransfer || defaultPrevented) return false;
    if (dataTransfer.types.includes("Files")) return true;
    return (
      dataTransfer.types.includes("text/uri-list") &&
      !(target instanceof Element && target.closest("input, textarea, [contenteditable]"))
    );
  }
}

export const fileDrops = new FileDrops();

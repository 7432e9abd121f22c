// Where a file that is dropped on the window goes: to an input of a form that takes documents, else into the library.

/** An input that takes the text of a file. */
export type FileInput = { hasFocus: () => boolean; isEmpty: () => boolean; take: (path: string) => void };

class FileDrops {
  readonly #inputs: FileInput[] = [];

  /** Offers an input until the function that is returned is called. */
  add(input: FileInput): () => void {
    this.#inputs.push(input);
    return () => void this.#inputs.splice(this.#inputs.indexOf(input), 1);
  }

  /** Gives one file to the input that has the focus, else to the first empty one; false when no input takes it. */
  give(paths: readonly string[]): boolean {
    const [path, ...others] = paths;
    const input = this.#inputs.find((one) => one.hasFocus()) ?? this.#inputs.find((one) => one.isEmpty());
    if (path === undefined || others.length > 0 || !input) return false;
    input.take(path);
    return true;
  }
}

export const fileDrops = new FileDrops();

// Settings of the program as a section of the page shows them: read once, set one by one, reset together.
import { SvelteMap } from "svelte/reactivity";
import type { ApiError } from "../ipc/bindings";
import { call } from "../ipc/client";
import { toApiError } from "../ipc/errors";

export class SettingValues {
  error = $state.raw<ApiError | null>(null);
  /** Whether the last change was stored. */
  isSaved = $state(false);
  /** How often an error was closed: the fields then show the stored values again. */
  closedErrors = $state(0);
  /** The work that failed last. */
  #failed: () => Promise<void> = async () => {};
  readonly #values = new SvelteMap<string, { value: string; usual: string }>();

  constructor(
    readonly keys: readonly string[],
    readonly onSet: () => void = () => {},
  ) {
    void this.load();
  }

  load = (): Promise<void> =>
    this.attempt(async () => void (await Promise.all(this.keys.map((key) => this.#read(key)))));

  valueOf(key: string): string {
    return this.#values.get(key)?.value ?? "";
  }

  /** What `SettingField` shows of a setting. */
  field(key: string): { name: string; value: string; usual: string; onSet: (value: string) => void } {
    const { value = "", usual = "" } = this.#values.get(key) ?? {};
    return { name: key, value, usual, onSet: (wanted) => void this.set(key, wanted) };
  }

  set(key: string, value: string): Promise<void> {
    return this.attempt(async () => {
      await this.#write(key, value);
      this.isSaved = true;
      this.onSet();
    });
  }

  /** Sets every setting to its default. */
  reset = (): Promise<void> =>
    this.attempt(async () => {
      for (const key of this.keys) await this.#write(key, "");
      this.isSaved = true;
      this.onSet();
    });

  /** Does again what failed last. */
  retry = (): Promise<void> => this.attempt(this.#failed);

  closeError = (): void => {
    this.error = null;
    this.closedErrors += 1;
  };

  /** Does the work, and keeps it for another try when it fails. */
  async attempt(work: () => Promise<void>): Promise<void> {
    [this.error, this.isSaved] = [null, false];
    try {
      await work();
    } catch (thrown) {
      this.error = toApiError(thrown);
      this.#failed = work;
    }
  }

  async #read(key: string): Promise<void> {
    this.#values.set(key, await call("get_setting", { key, value: "" }));
  }

  async #write(key: string, value: string): Promise<void> {
    const stored = await call("set_setting", { key, value: value.trim() });
    this.#values.set(key, stored);
  }
}

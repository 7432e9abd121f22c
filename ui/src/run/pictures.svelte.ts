// Pictures of the web that a person agreed to see: by run and host, for as long as the page is open.
import { SvelteMap, SvelteSet } from "svelte/reactivity";
import type { ApiError } from "../ipc/bindings";
import { call } from "../ipc/client";
import { toApiError } from "../ipc/errors";

class Pictures {
  readonly #agreed = new SvelteSet<string>();
  /** What was fetched for a run, by its id; then by address. */
  readonly #fetched = new SvelteMap<string, ReadonlyMap<string, string>>();
  readonly #asked = new Set<string>();
  error = $state.raw<ApiError | null>(null);

  of(run: string): ReadonlyMap<string, string> | undefined {
    return this.#fetched.get(run);
  }

  isAgreed(run: string, host: string): boolean {
    return this.#agreed.has(`${run} ${host}`);
  }

  agree(run: string, host: string): void {
    this.#agreed.add(`${run} ${host}`);
  }

  /** Fetches pictures that the texts of the run name at this moment; what was asked for once is not asked for again. */
  async bring(run: string, seq: number, urls: readonly string[]): Promise<void> {
    for (const url of urls) {
      if (this.#asked.has(`${run} ${url}`)) continue;
      this.#asked.add(`${run} ${url}`);
      try {
        const { data_url: data } = await call("fetch_image", { run, seq, url });
        this.#fetched.set(run, new Map(this.#fetched.get(run)).set(url, data));
      } catch (thrown) {
        this.error = toApiError(thrown);
      }
    }
  }
}

export const pictures = new Pictures();

/** The host of an address. */
export function hostOf(url: string): string {
  try {
    return new URL(url).host;
  } catch {
    return url;
  }
}

// The tiles and the style that the person chose in the settings, and which kind of map the person wants to see.
import type { ApiError, MapFiles } from "../../ipc/bindings";
import { call } from "../../ipc/client";
import { toApiError } from "../../ipc/errors";
import { remember, remembered } from "../../platform/storage";

export const KINDS = ["tiles", "drawn"] as const;
export type MapKind = (typeof KINDS)[number];

class MapChoice {
  /** Nothing until the program has said. */
  files = $state.raw<MapFiles | null>(null);
  error = $state.raw<ApiError | null>(null);
  #wanted = $state<MapKind | null>(KINDS.find((kind) => kind === remembered("map")) ?? null);

  /** Without a choice, tiles where there are some. */
  get kind(): MapKind {
    return this.#wanted ?? (this.files?.tiles ? "tiles" : "drawn");
  }
  set kind(kind: MapKind) {
    this.#wanted = kind;
    remember("map", kind);
  }

  async load(): Promise<void> {
    try {
      this.files = await call("describe_map", {});
      this.error = null;
    } catch (thrown) {
      this.files = { tiles: null, style: null };
      this.error = toApiError(thrown);
    }
  }
}

export const mapChoice = new MapChoice();

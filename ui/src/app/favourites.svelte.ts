// Favourites: forms that the person keeps under a name. Each is an action, so that the palette and a key lead to it.
import { toast } from "svelte-sonner";
import { t } from "../i18n";
import type { Favourite, StartRun } from "../ipc/bindings";
import { call } from "../ipc/client";
import { filledFavourite } from "../run/filled";
import { actions, type Action } from "./actions.svelte";
import { router } from "./route.svelte";
import { toastError } from "./toast-error";

/** So many of them have a key. */
const WITH_KEYS = 9;

class Favourites {
  /** In the person's order. */
  list = $state.raw<readonly Favourite[]>([]);

  async load(): Promise<void> {
    try {
      this.#take((await call("list_favourites", {})).favourites);
    } catch (thrown) {
      toastError(thrown);
    }
  }

  /** Saves a form in place of the favourite `replaces`, or as a new one. Rejects with what the program refuses. */
  async save(name: string, request: StartRun, replaces: string | null): Promise<void> {
    this.#take((await call("save_favourite", { name, request, replaces })).favourites);
  }

  /** Removes a favourite, and for a while offers to put it back; then it stands at the end. */
  async remove({ name, request }: Favourite): Promise<void> {
    try {
      this.#take((await call("remove_favourite", { name })).favourites);
      toast(t("favourites.removed", { name }), {
        duration: 10_000,
        action: {
          label: t("runs.undo"),
          onClick: () => void this.save(name, request, null).catch((thrown: unknown) => toastError(thrown)),
        },
      });
    } catch (thrown) {
      toastError(thrown);
    }
  }

  /** Opens the filled form of a favourite; without its pipeline there is no form, and a notice says so. */
  async open(favourite: Favourite): Promise<void> {
    const { pipeline } = favourite.request;
    try {
      const { pipelines } = await call("list_pipelines", {});
      if (pipelines.some(({ id }) => id === pipeline))
        router.go({ screen: "launch", pipeline, filled: filledFavourite(favourite) });
      else toast.error(t("favourites.no_pipeline", { name: favourite.name, pipeline }));
    } catch (thrown) {
      toastError(thrown);
    }
  }

  /** The action that opens a favourite. */
  action(favourite: Favourite): Action {
    const place = this.list.indexOf(favourite) + 1;
    return {
      id: `favourite-${place}`,
      title: "favourites.open",
      label: () => t("favourites.open", { name: favourite.name }),
      section: "favourites",
      keys: place <= WITH_KEYS ? `alt+${place}` : "",
      run: () => void this.open(favourite),
    };
  }

  #take(list: readonly Favourite[]): void {
    this.list = list;
    actions.setFavourites(list.map((favourite) => this.action(favourite)));
  }
}

export const favourites = new Favourites();

// The window around the page: what it says (it is asked to close, a notification was clicked), and what it is told when
// the person looks elsewhere. A browser's tab has no such window and is never asked for anything here.
import { toast } from "svelte-sonner";
import type { Closing, DamageCard, OpenQuestion, RunCard, WatchItem } from "../ipc/bindings";
import { call } from "../ipc/client";
import { foundOf, remedyOf } from "../i18n/finding-text";
import { t } from "../i18n";
import { learnKnownTitles, unquoted } from "../i18n/titles";
import { lineOf } from "../run/question-text";
import { knownTitles } from "../run/titles";
import { actions } from "./actions.svelte";
import { choose, menuOf } from "./menu";
import { learnPipelines } from "./pipelines";
import { fileDrops } from "./file-drops.svelte";
import { importing } from "./library-import.svelte";
import { preferences } from "./preferences.svelte";
import { router } from "./route.svelte";
import { chooseRun } from "./run-import";
import { updates } from "./updates.svelte";
import { toastError } from "./toast-error";

/** A run that takes longer is one that a person does not wait for. */
const LONG_MS = 30_000;
export const NOTIFICATIONS = "notifications";

class HostWindow {
  isWindow = $state(false);
  /** Why there is nothing behind the page but a damaged database. */
  damage = $state.raw<DamageCard | null>(null);
  /** How much of the database the doctor has looked at, of a hundred; nothing while it does not. */
  inspected = $state<number | null>(null);
  /** How many runs go on while the window is asked to close; none while it is not. */
  closing = $state(0);
  /** The run that may turn out to take long. */
  #long: { run: string; timer: ReturnType<typeof setTimeout> } | undefined;

  async begin(): Promise<void> {
    void preferences.follow();
    try {
      const host = await call("describe_host", {});
      ({ is_window: this.isWindow, damage: this.damage } = host);
      for (const remark of host.remarks) {
        const text = `${t(`doctor.${remark.topic}`)} ${remark.subject} ${foundOf(remark)}. ${remedyOf(remark)}`;
        toast.warning(text, { id: text, duration: Infinity, closeButton: true });
      }
      const { pipelines } = await call("list_pipelines", {});
      learnPipelines(pipelines);
      learnKnownTitles(knownTitles(pipelines));
    } catch {
      // A program that cannot say it shows why on every screen.
    }
    void updates.begin();
    if (this.isWindow)
      actions.add({
        id: "import-run",
        title: "action.import_run",
        section: "go",
        keys: "mod+o",
        run: () => void chooseRun(),
      });
    if (this.isWindow)
      actions.add({
        id: "close",
        title: "action.close",
        section: "go",
        keys: "mod+q",
        run: () => void this.close("ask"),
      });
  }

  /** Takes what the list of runs is told; `before` is how a run stood until now. */
  receive(item: WatchItem, before: RunCard | undefined): void {
    if (item.type === "inspection") this.inspected = Math.round((100 * item.done) / item.total);
    if (item.type === "closing") this.closing = item.runs;
    if (item.type === "command") {
      const action = actions.all.find(({ id }) => id === item.id);
      if (action) choose(action, actions.keysOf(action));
    }
    importing.receive(item);
    if (item.type === "dragging") fileDrops.isOver = item.is_over;
    if (item.type === "dropped") fileDrops.drop(item.paths);
    if (item.type === "show") router.go({ screen: "run", run: item.run });
    if (item.type !== "run" || !this.isWindow) return;
    const { card } = item;
    if (card.status === "running") return this.#offerLater(card);
    this.#offerNotFor(card);
    if (before?.status === "running" || before?.status === "waiting_for_disk") void this.#notify(card);
  }

  /** Tells the window what its menu bar holds; it does nothing with it where the system has none. */
  tellMenu(): void {
    if (!this.isWindow || this.damage) return;
    // Without a menu bar everything is still in the palette.
    void call("show_menu", { menus: menuOf(actions.all, (action) => actions.keysOf(action)) }).catch(() => {});
  }

  async close(how: Closing): Promise<void> {
    this.closing = 0;
    try {
      await call("close_window", { how });
    } catch (thrown) {
      toastError(thrown);
    }
  }

  async #notify({ run, title, status }: RunCard): Promise<void> {
    // What a run asks is told by its question.
    if (status !== "finished" && status !== "failed" && status !== "limited") return;
    try {
      if ((await this.#notices()) !== "on") return;
      await call("notify", { run, title: t(`run.ended.${status}`), text: title });
    } catch {
      // Nobody misses a notification as much as they would mind an error about one.
    }
  }

  /**
   * Tells of a question while the person looks elsewhere, unless they want no notifications; a click leads to the
   * run.
   */
  async tellQuestion({ run, title, question }: OpenQuestion): Promise<void> {
    if (!this.isWindow) return;
    try {
      const wanted = await this.#notices();
      if (wanted === "off") return;
      await call("notify", { run, title: t("run.ended.waiting"), text: `${title}: ${unquoted(lineOf(question))}` });
      if (wanted === "ask") await this.#offer();
    } catch {
      // The question stands under “Needs you” all the same.
    }
  }

  async #notices(): Promise<string> {
    return (await call("get_setting", { key: NOTIFICATIONS, value: "" })).value;
  }

  /** Offers notifications once, on the first run that takes long. */
  #offerLater({ run }: RunCard): void {
    if (this.#long) return;
    // From now on: an edit holds a run for a moment that ended long ago.
    const timer = setTimeout(() => {
      this.#long = undefined;
      void this.#offer();
    }, LONG_MS);
    this.#long = { run, timer };
  }

  #offerNotFor({ run }: RunCard): void {
    if (this.#long?.run !== run) return;
    clearTimeout(this.#long.timer);
    this.#long = undefined;
  }

  async #offer(): Promise<void> {
    if ((await this.#notices()) !== "ask") return;
    const answer = (value: "on" | "off") => ({
      onClick: () => {
        toast.dismiss(NOTIFICATIONS);
        void call("set_setting", { key: NOTIFICATIONS, value }).catch((thrown: unknown) => toastError(thrown));
      },
    });
    // Closed without an answer, it is offered again on the next long run.
    toast(t("notices.offer"), {
      id: NOTIFICATIONS,
      duration: 60_000,
      action: { label: t("notices.yes"), ...answer("on") },
      cancel: { label: t("notices.no"), ...answer("off") },
    });
  }
}

export const hostWindow = new HostWindow();

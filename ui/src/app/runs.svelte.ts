// The list of runs, followed live, and what a search in it finds.
import { tick } from "svelte";
import { toast } from "svelte-sonner";
import type { ChangeRun, ApiError, RunCard, WatchItem } from "../ipc/bindings";
import { call, watch } from "../ipc/client";
import { toApiError } from "../ipc/errors";
import { t } from "../i18n";
import { remember, remembered } from "../platform/storage";
import { runCosts } from "./run-costs.svelte";
import { inOrder, ORDERS, type Order } from "./run-order";
import { toastError } from "./toast-error";

/** Runs that go on are told of many times a second; what was looked for is looked for again this much later. */
const AGAIN_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/** So many runs that are found are listed at first, and with each more. */
const PAGE = 50;
/** The program lists no more than these; a narrower search finds the others. */
const MOST_LISTED = 1_000;

class Runs {
  /** By id; null until the first answer. */
  #known = $state.raw<ReadonlyMap<string, RunCard> | null>(null);
  /**
   * What was told before that answer, which is older: what is gone is null. A list that grew by it would move under
   * the hand.
   */
  #early: Map<string, RunCard | null> | null = null;
  #found = $state.raw<readonly RunCard[] | null>(null);
  /** In how many runs the words are found, on all pages, and how many could not be looked into yet. */
  counted = $state.raw({ found: 0, missing: 0 });
  /** Whether more is found than is listed. */
  readonly hasMore = $derived(this.#found !== null && this.#found.length < Math.min(this.counted.found, MOST_LISTED));
  error = $state.raw<ApiError | null>(null);
  search = $state("");
  #order = $state<Order>(ORDERS.find((order) => order === remembered("order")) ?? "date");
  #delay: ReturnType<typeof setTimeout> | undefined;
  #asked = 0;
  #again: ReturnType<typeof setTimeout> | undefined;
  #pauseMs = AGAIN_MS;

  readonly list = $derived.by((): readonly RunCard[] => {
    const known = this.#known;
    const fits = (card: RunCard) => this.tag === "" || card.tags.includes(this.tag);
    if (this.#found)
      return this.#found.map((card) => ({ ...(known?.get(card.run) ?? card), snippet: card.snippet })).filter(fits);
    return [...(known?.values() ?? [])].filter(fits).sort((a, b) => inOrder(a, b, this.#order, runCosts.of));
  });
  /** Every tag that a known run has. */
  readonly tags = $derived([...new Set([...(this.#known?.values() ?? [])].flatMap(({ tags }) => tags))].sort());
  #tag = $state("");
  /** What was thrown away; null until it is looked at. */
  trashed = $state.raw<readonly RunCard[] | null>(null);
  /** Every run that is known, whatever is looked for. */
  readonly all = $derived([...(this.#known?.values() ?? [])]);
  readonly isLoaded = $derived(this.#known !== null);
  readonly isEmpty = $derived(this.#known?.size === 0);

  /** Only runs with this tag are listed; all of them while it is empty, or when its last run lost it. */
  get tag(): string {
    return this.tags.includes(this.#tag) ? this.#tag : "";
  }
  set tag(tag: string) {
    this.#tag = tag;
  }

  get order(): Order {
    return this.#order;
  }
  set order(order: Order) {
    this.#order = order;
    remember("order", order);
    this.#askCosts();
  }

  card(run: string): RunCard | undefined {
    return this.#known?.get(run) ?? this.#early?.get(run) ?? undefined;
  }

  /**
   * Follows the list until the returned function is called; everything it is told is passed on, before it is known
   * here.
   */
  follow(pass: (item: WatchItem, before: RunCard | undefined) => void = () => {}): () => void {
    this.#early = new Map();
    void this.#load();
    this.#askCosts();
    return watch(null, 0, (item) => {
      pass(item, item.type === "run" ? this.card(item.card.run) : undefined);
      if (item.type === "run") this.#take(item.card);
      if (item.type === "run" && item.card.status !== "running") this.#askCosts();
      if (item.type === "run_gone") this.#forget(item.run);
      if (item.type === "run" || item.type === "run_gone") this.#lookAgain();
      if (item.type === "error") this.error = item.error;
    });
  }

  /** Renames, pins or tags a run. */
  async change(
    run: string,
    { title = null, is_pinned = null, tags = null }: Partial<Omit<ChangeRun, "run">>,
  ): Promise<void> {
    await this.#attempt(async () => this.#take(await call("change_run", { run, title, is_pinned, tags })));
  }

  /**
   * Throws runs away, and for a while offers to take that back; `onBack` is called when it was taken back. An
   * error of one run does not stop the others; a notice shows the first error.
   */
  async trash(cards: readonly RunCard[], onBack: () => void = () => {}): Promise<void> {
    await this.#attempt(async () => {
      const gone: RunCard[] = [];
      const errors: unknown[] = [];
      for (const card of cards) {
        try {
          await call("trash_run", { run: card.run });
          this.#forget(card.run);
          gone.push(card);
        } catch (thrown) {
          errors.push(thrown);
        }
      }
      if (gone.length > 0) this.#offerBack(gone, onBack);
      if (errors.length > 0) toastError(errors[0]);
      if (this.trashed) await this.#trashAgain();
    });
  }

  #offerBack(gone: readonly RunCard[], onBack: () => void): void {
    const back = async () => {
      for (const { run } of gone) await this.restore(run);
      // Their rows are to be there when one of them gets the focus.
      if (this.#found) await this.#find(this.search.trim(), this.#found.length);
      onBack();
      await this.#lead(gone[0]?.run ?? "");
    };
    const words =
      gone.length === 1
        ? t("runs.trashed", { title: gone[0]?.title ?? "" })
        : t("runs.trashed_many", { n: gone.length });
    toast(words, { duration: 10_000, action: { label: t("runs.undo"), onClick: () => void back() } });
  }

  /** Leads to a run's row: the offer that was pressed is gone. */
  async #lead(run: string): Promise<void> {
    await tick();
    document.querySelector<HTMLElement>(`[data-run="${CSS.escape(run)}"]`)?.focus();
  }

  async restore(run: string): Promise<void> {
    await this.#attempt(async () => {
      this.#take(await call("restore_run", { run }));
      this.#lookAgain();
    });
  }

  /** Erases a run that is in the trash; nothing brings it back. */
  async erase(run: string): Promise<void> {
    await this.#attempt(async () => {
      await call("erase_run", { run });
      await this.#trashAgain();
    });
  }

  async lookInTrash(): Promise<void> {
    await this.#attempt(
      async () => (this.trashed = (await call("list_runs", { search: null, limit: null, is_trash: true })).runs),
    );
  }

  /** What is in the trash now, unless it was left meanwhile. */
  async #trashAgain(): Promise<void> {
    const { runs } = await call("list_runs", { search: null, limit: null, is_trash: true });
    if (this.trashed) this.trashed = runs;
  }

  closeTrash(): void {
    this.trashed = null;
  }

  #askCosts(): void {
    if (this.#order === "cost") runCosts.ask();
  }

  async #attempt(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (thrown) {
      toastError(thrown);
    }
  }

  #take(card: RunCard): void {
    if (this.#early) this.#early.set(card.run, card);
    else this.#known = new Map(this.#known ?? []).set(card.run, card);
  }

  #forget(run: string): void {
    this.#early?.set(run, null);
    if (this.#known) this.#known = new Map([...this.#known].filter(([id]) => id !== run));
    this.#found = this.#found?.filter((card) => card.run !== run) ?? null;
  }

  /** What stands in the list besides all runs, asked for anew: something of it may fit now, or no longer. */
  #lookAgain(afterMs = AGAIN_MS): void {
    this.#again ??= setTimeout(() => {
      this.#again = undefined;
      if (this.#found) void this.#find(this.search.trim(), this.#found.length);
      if (this.trashed) void this.#attempt(() => this.#trashAgain());
    }, afterMs);
  }

  async #load(): Promise<void> {
    try {
      const { runs } = await call("list_runs", { search: null, limit: null });
      this.#known = new Map(runs.map((card) => [card.run, card]));
    } catch (thrown) {
      this.error = toApiError(thrown);
    }
    const early = this.#early ?? [];
    this.#early = null;
    for (const [run, card] of early) {
      if (card) this.#take(card);
      else this.#forget(run);
    }
  }

  /** Looks for words in titles and texts, when typing has paused. */
  find(words: string): void {
    this.search = words;
    // What is looked for is looked for among the runs that are not thrown away.
    this.trashed = null;
    clearTimeout(this.#delay);
    if (words.trim() === "") {
      this.#asked++;
      this.#found = null;
      return;
    }
    this.#delay = setTimeout(() => void this.#find(words.trim()), 150);
  }

  /** Lists the next page of what is found, too. */
  more(): Promise<void> {
    return this.#find(this.search.trim(), (this.#found?.length ?? 0) + PAGE);
  }

  async #find(words: string, limit = PAGE): Promise<void> {
    const asked = ++this.#asked;
    try {
      const {
        runs,
        found = runs.length,
        not_indexed: missing = 0,
      } = await call("list_runs", { search: words, limit: Math.max(limit, PAGE) });
      if (asked !== this.#asked) return;
      // What cannot be looked into at all is asked for less and less often.
      this.#pauseMs = missing === this.counted.missing ? Math.min(2 * this.#pauseMs, LONGEST_PAUSE_MS) : AGAIN_MS;
      this.#found = runs;
      this.counted = { found, missing };
      if (missing > 0) this.#lookAgain(this.#pauseMs);
    } catch (thrown) {
      this.error = toApiError(thrown);
    }
  }
}

export const runs = new Runs();

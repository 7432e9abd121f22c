// A host without a program: recorded runs in memory, and one that plays when a run is started. For tests and for
// looking at the page while it is being made; a release does not contain it.
import type { Commands, Event, Fact, JournalEntry, RunCard, RunPage, RunStatus, WatchItem } from "../ipc/bindings";
import type { Host } from "../ipc/host";
import { pipelineFiles } from "./fake-pipelines";
import { offer, recordings, type Recording } from "./fake-records";
import { citedAt, excerpt, fold, history, spoken, stateAt } from "./fake-state";
import { evaluations } from "./fake-evaluations";
import { exported, FORMATS } from "./fake-exports";
import { askedOf, openQuestions } from "./fake-questions";
import { queue } from "./fake-queue";
import { schedules } from "./fake-schedules";
import { steering } from "./fake-gates";
import { toolRules } from "./fake-rules";
import { toolServers } from "./fake-tool-servers";
import { shelf } from "./fake-settings";
import { apiError } from "./fake-error";
import { surroundings } from "./fake-window";
import { indexed, journalEntry, viewed, type Recorded } from "./fake-view";

type Kept = Omit<Recording, "streams"> & { streams: Map<string, string> };
type Handlers = { [K in keyof Commands]: (payload: Commands[K][0]) => Commands[K][1] };
export type Options = { runs?: Recording[]; speed?: number };

export function fakeHost({ runs = recordings(), speed = 1 }: Options = {}): Host {
  const kept = new Map<string, Kept>(
    runs.map((run) => [
      run.page.card.run,
      { ...structuredClone(run), streams: new Map(Object.entries(run.streams ?? {})) },
    ]),
  );
  const watchers = new Set<{ run: string | null; send: (item: WatchItem) => void }>();
  const playing = new Map<string, ReturnType<typeof setTimeout>>();

  const tell = (run: string | null, item: WatchItem) => {
    for (const watcher of watchers) if (watcher.run === run) watcher.send(item);
  };
  const find = (run: string): Kept => {
    const found = kept.get(run);
    if (!found) throw apiError("not_found", `there is no run ${run}; the list shows those there are`);
    return found;
  };

  function append(run: Kept, event: Omit<Event, "seq" | "at_ms" | "ran_ms">): number {
    const seq = run.entries.length + 1;
    const full = journalEntry({ ...event, seq, at_ms: Date.now(), ran_ms: run.entries.at(-1)?.event.ran_ms ?? 0 });
    run.entries.push(full);
    run.page.card = { ...run.page.card, last_seq: seq, last_at_ms: full.event.at_ms };
    tell(run.page.card.run, { type: "event", entry: full });
    return seq;
  }

  function setStatus(run: Kept, status: RunStatus): void {
    run.page.card = { ...run.page.card, status };
    tell(null, { type: "run", card: run.page.card });
  }

  function end(run: Kept, outcome: "cancelled" | "finished"): void {
    clearTimeout(playing.get(run.page.card.run));
    playing.delete(run.page.card.run);
    for (const path of run.streams.keys()) tell(run.page.card.run, { type: "text", path, text: "", received: 0 });
    run.streams.clear();
    const root = run.page.outline.name;
    const fact = { kind: "run_ended", outcome, error: null } as const;
    append(run, { v: 2, author: root, path: root, n: 99, surface: false, fact });
    run.page.outcome = outcome;
    setStatus(run, outcome);
  }

  /** Plays a recording from one of its entries on, with streaming text in place of the wait for a model. */
  function play(run: Kept, script: readonly JournalEntry[], from: number): void {
    const id = run.page.card.run;
    const entry = script[from];
    if (!entry) {
      const last = script.at(-1)?.event.fact;
      run.page.outcome = last?.kind === "run_ended" ? last.outcome : "finished";
      playing.delete(id);
      setStatus(run, run.page.outcome);
      return;
    }
    append(run, entry.event);
    const next = script[from + 1];
    const wait = next ? Math.min(2_500, next.event.at_ms - entry.event.at_ms) / speed : 0;
    const field = run.page.outline.children.find((child) => child.name === entry.event.author)?.stream?.field;
    const fact = next?.event.fact;
    const text =
      fact?.kind === "effect_answered" && fact.answer.status === "done" && field
        ? spoken(fact.answer.result, field)
        : "";
    const steps = text === "" ? 1 : 24;
    let step = 0;
    const tick = () => {
      step += 1;
      if (step < steps) {
        const part = text.slice(0, Math.round((text.length * step) / steps));
        run.streams.set(entry.event.path, part);
        tell(id, { type: "text", path: entry.event.path, text: part, received: part.length });
        playing.set(id, setTimeout(tick, wait / steps));
        return;
      }
      run.streams.delete(entry.event.path);
      play(run, script, from + 1);
    };
    playing.set(id, setTimeout(tick, Math.max(wait / steps, 8)));
  }

  function start(
    like: Recorded,
    title: string,
    entries: JournalEntry[],
    from: number,
    origin: RunCard["origin"] = null,
  ): { run: string } {
    const run = `run-${Date.now()}-${kept.size}`;
    const card: RunCard = {
      ...like.page.card,
      run,
      title,
      origin,
      status: "running",
      started_at_ms: Date.now(),
      last_at_ms: Date.now(),
    };
    const page: RunPage = { ...structuredClone(like.page), card, outcome: null, error: null };
    const started: Kept = { ...like, page, entries: structuredClone(entries), streams: new Map() };
    kept.set(run, started);
    tell(null, { type: "run", card });
    play(started, like.entries, from);
    return { run };
  }

  const handlers: Handlers = {
    ...shelf(),
    ...toolRules(),
    ...toolServers(),
    ...queue(),
    ...schedules(),
    ...evaluations(find),
    ...surroundings(),
    ...pipelineFiles(),
    ...steering(find, (found, fact) =>
      append(found, { v: 2, author: "user", path: "user", n: 0, surface: false, fact }),
    ),
    start_run({ pipeline, inputs, gates }) {
      const card = offer().pipelines.find((offered) => offered.id === pipeline);
      const like = [...recordings()].find((recording) => recording.page.card.pipeline === pipeline);
      if (!card || !like) throw apiError("not_found", `there is no pipeline ${pipeline}`);
      const first = card.inputs[0];
      const topic = String(inputs[first?.key ?? ""] ?? "").trim();
      if (topic === "")
        throw apiError("bad_input", `${first?.title ?? "The input"} is empty; write what the run is about`);
      return start({ ...like, ...(gates ? { gates } : {}) }, topic, [], 0);
    },
    change_run({ run, title, is_pinned, tags }) {
      const found = find(run);
      found.page.card = {
        ...found.page.card,
        title: title === null || title === "" ? found.page.card.title : title,
        is_pinned: is_pinned ?? found.page.card.is_pinned,
        tags: (tags ?? found.page.card.tags).map((tag) => tag.trim()).filter((tag) => tag !== ""),
      };
      return found.page.card;
    },
    trash_run({ run }) {
      const found = find(run);
      found.page.card = { ...found.page.card, trashed_at_ms: Date.now() };
      tell(null, { type: "run_gone", run });
      return {};
    },
    erase_run({ run }) {
      if (find(run).page.card.trashed_at_ms === null) throw apiError("bad_input", `the run ${run} is not in the trash`);
      kept.delete(run);
      return {};
    },
    restore_run({ run }) {
      const found = find(run);
      return (found.page.card = { ...found.page.card, trashed_at_ms: null });
    },
    read_value: ({ hash }) => {
      throw apiError("not_found", `there is no value ${hash}`);
    },
    list_runs({ search, limit, is_trash: isTrash = false }) {
      const words = (search ?? "").toLowerCase();
      const runs = [...kept.values()]
        .map(({ page, entries }) => ({ card: page.card, text: JSON.stringify(fold(entries)) }))
        .filter(({ card }) => (card.trashed_at_ms !== null) === isTrash)
        .filter(({ card, text }) => `${card.title} ${text}`.toLowerCase().includes(words))
        .map(({ card, text }) => ({ ...card, snippet: words === "" ? null : excerpt(text, words) }))
        .sort((a, b) => b.started_at_ms - a.started_at_ms);
      return { runs: runs.slice(0, limit ?? 200) };
    },
    open_run: ({ run }) => find(run).page,
    view_at: ({ run, seq }) => viewed(find(run), seq ?? find(run).entries.length),
    index_events: ({ run }) => indexed(find(run).entries),
    read_events: ({ run, from_seq, limit }) => ({
      entries: find(run).entries.slice(from_seq - 1, from_seq - 1 + limit),
    }),
    state_at: ({ run, seq }) => stateAt(find(run), seq),
    citations_at: ({ run, seq }) => citedAt(find(run), seq),
    key_history: ({ run, key }) => ({ changes: history(find(run).entries, key) }),
    edit_state({ run, key, field, value }) {
      const found = find(run);
      const before = fold(found.entries)[key];
      const words = found.page.keys.find((declaration) => declaration.name === key)?.role;
      const next = field ? { ...(before as object), [field]: value } : value;
      if (words?.kind === "draft" && words.words !== "")
        Object.assign(next as object, { [words.words]: String(value).split(/\s+/).length });
      const fact: Fact = { kind: "state_changed", delta: { set: { [key]: next }, removed: [] } };
      return { seq: append(found, { v: 2, author: "user", path: "user", n: 0, surface: false, fact }) };
    },
    list_questions: ({ run }) => ({ questions: openQuestions(run === undefined ? [...kept.values()] : [find(run)]) }),
    answer_run({ run, question, value }) {
      const found = find(run);
      const asked = askedOf(found, question, value);
      if (found.page.outcome === "waiting") {
        found.page.outcome = null;
        const overrides = { agents: {}, limits: {}, allowed_tools: [], already_done: [] };
        const resumed: Fact = { kind: "run_resumed", drops: [], delta: { set: {}, removed: [] }, overrides };
        append(found, { v: 2, author: "user", path: "user", n: 0, surface: false, fact: resumed });
      }
      const { path, author, n } = asked;
      const fact: Fact = {
        kind: "effect_answered",
        asked: n,
        answer: { status: "done", result: value },
        took_ms: 0,
        waited_ms: 0,
        retries: [],
        summary: {},
      };
      append(found, { v: 2, author, path, n: n + 1, surface: false, fact });
      const isWaiting = openQuestions([found]).length > 0;
      setStatus(found, isWaiting ? "waiting" : "running");
      if (!isWaiting) setTimeout(() => end(found, "finished"), 300 / speed);
      return { run };
    },
    stop_run({ run }) {
      end(find(run), "cancelled");
      return {};
    },
    resume_run: ({ run }) => {
      throw apiError("busy", `the recorded run ${run} cannot go on: nobody is behind it`);
    },
    correct_answer: ({ run }) => ({ run }),
    fork_run({ run, at }) {
      const parent = find(run);
      return start(parent, parent.page.card.title, parent.entries.slice(0, at), at, { run, seq: at });
    },
    fork_step({ run, seq }) {
      const at = seq ?? find(run).entries.length;
      return start(find(run), find(run).page.card.title, find(run).entries.slice(0, at), at, { run, seq: at });
    },
    replay_run({ run }) {
      const { entries } = find(run);
      return {
        run,
        events: entries.length,
        effects: entries.filter(({ event }) => event.fact.kind === "effect_answered").length,
        difference: null,
      };
    },
    list_export_formats: () => ({ formats: FORMATS }),
    export_run: (request) => exported(find(request.run), request),
  };

  return {
    call: (command, payload) =>
      new Promise((resolve, reject) => {
        setTimeout(() => {
          try {
            const handle = handlers[command as keyof Commands] as ((payload: unknown) => unknown) | undefined;
            if (!handle) throw apiError("not_found", `there is no command ${command}`);
            resolve(structuredClone(handle(payload)));
          } catch (thrown) {
            reject(thrown as Error);
          }
        }, 5);
      }),
    watch(run, fromSeq, onItem) {
      const watcher = { run, send: (item: WatchItem) => onItem(structuredClone(item)) };
      const begun = setTimeout(() => {
        const found = run === null ? undefined : kept.get(run);
        for (const entry of found?.entries.slice(fromSeq - 1) ?? []) watcher.send({ type: "event", entry });
        for (const [path, text] of found?.streams ?? [])
          watcher.send({ type: "text", path, text, received: text.length });
        watcher.send({ type: "live", seq: found?.entries.length ?? 0 });
        watchers.add(watcher);
      }, 5);
      return () => {
        clearTimeout(begun);
        watchers.delete(watcher);
      };
    },
    save: () => Promise.resolve(null),
    openLink: () => {},
  };
}

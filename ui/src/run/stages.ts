// How a stage stands: derived from the outline and the view, never stored.
import type {
  ApiError,
  LimitName,
  Note,
  Outline,
  Question,
  ResumeRun,
  Role,
  RunPage,
  RunStatus,
} from "../ipc/bindings";
import type { Call, Resolve, View, Waiting } from "./view-types";
import { USER, USER_WORDS } from "../ipc/names";
import { lastWhere } from "../platform/last-where";
import { countedAt } from "./place";
import { isStored, textOf, unwrapped } from "./value";

export type StageState = "waiting" | "running" | "done" | "failed" | "skipped" | "needs_you" | "stopped" | "unreached";

export type Stage = {
  state: StageState;
  /** The instance within which it stands. */
  instance: string | null;
  call: Call | null;
  /** How often the agent was called, and how many of these calls go on now. */
  times: number;
  running: number;
  /** Whether the person changed something that it had read before. */
  isStale: boolean;
  round: number | null;
  mostRounds: number | null;
  /** What its last call waits for. */
  waiting: Waiting | null;
};

/**
 * The stage of an agent, of those within an instance where one is named. `isHalted` says that nobody works on the run
 * although it has not ended: its process died.
 */
export function stageOf(
  view: View,
  outline: Outline,
  isHalted: boolean,
  isSkipped = false,
  instance: string | null = null,
): Stage {
  const place = countedAt(instance ?? "", outline.name);
  const paths = view.callsOf.get(place) ?? [];
  const path = paths.at(-1);
  const call = path === undefined ? null : (view.calls.get(path) ?? null);
  const gate = openGate(view, outline.name, place);
  const waiting = gate ?? (call === null ? null : waitingAt(view, call.path));
  const hasEnded = view.outcome !== null && view.outcome !== "waiting";
  const stage = {
    instance,
    call,
    times: view.times.get(place) ?? 0,
    running: paths.filter((each) => view.calls.get(each)?.endedSeq === null).length,
    isStale: call !== null && changedSince(view, call).length > 0,
    round: view.rounds.get(place) ?? null,
    mostRounds: outline.agent.kind === "loop" ? outline.agent.max_rounds : null,
    waiting,
  };
  if (gate) return { ...stage, state: "needs_you" };
  return { ...stage, state: call === null ? state() : stateOf(view, call, waiting, isHalted) };

  function state(): StageState {
    if (isSkipped || view.skipped.has(place)) return "skipped";
    if (view.outcome === "finished") return "skipped";
    return hasEnded || isHalted ? "unreached" : "waiting";
  }
}

/**
 * The question of a gate around an agent that waits for the person: it is asked before the call begins, or after its
 * end.
 */
function openGate(view: View, agent: string, place: string): Waiting | null {
  const isHere = ({ path, question }: Waiting) =>
    question?.kind.kind === "gate" && question.kind.agent === agent && countedAt(path, agent) === place;
  return lastWhere(questions(view), isHere) ?? null;
}

/** How a call stands that waits for something, or for nothing. */
export function stateOf(view: View, call: Call, waiting: Waiting | null, isHalted: boolean): StageState {
  // A gate asks after the call has ended.
  if (waiting?.question?.kind.kind === "gate" && (view.outcome === null || view.outcome === "waiting"))
    return "needs_you";
  if (call.error) return isEndedEarly(call.error) ? "stopped" : "failed";
  if (call.endedSeq !== null) return "done";
  if (waiting?.for === "person" && (view.outcome === null || view.outcome === "waiting")) return "needs_you";
  return view.outcome !== null || isHalted ? "stopped" : "running";
}

/** Whether the person, or a limit that they set, ended the work: nothing failed. */
export function isEndedEarly({ code }: Pick<ApiError, "code">): boolean {
  return code === "cancelled" || code === "limit_reached";
}

/** Roles whose values the program derives from a text, or from what is done at the review desk. */
const DERIVED: ReadonlySet<string> = new Set<Role["kind"]>(["checks", "issues", "own_text"]);

/** Whether a person cannot set the values of a role. */
export const isDerived = (role: Role | undefined): boolean => role !== undefined && DERIVED.has(role.kind);

/**
 * Whether a value follows from the draft: the checks always, the person's sentences where the draft changed with them
 * or later.
 */
function followsDraft(view: View, key: string, seq: number): boolean {
  const kind = view.roles.get(key)?.kind;
  if (kind !== "own_text") return kind === "checks";
  return [...view.roles].some(([name, role]) => {
    const draft = role.kind === "draft" ? view.state.get(name) : undefined;
    return draft?.author === USER && draft.seq >= seq;
  });
}

/**
 * The keys, other than the words to the run, that a person wrote after a call that had read them ended, unless they
 * made them
 * again what it had read, or the same event has all that the call writes: then it follows from them. What the program
 * derived
 * from the draft is no key of its own here: the draft is.
 */
export function changedSince(view: View, call: Call): string[] {
  const endedSeq = call.endedSeq ?? Infinity;
  const follows = (seq: number) => call.wrote.length > 0 && call.wrote.every((key) => view.state.get(key)?.seq === seq);
  return call.reads.filter((key) => {
    const held = view.state.get(key);
    if (
      key === USER_WORDS ||
      held === undefined ||
      followsDraft(view, key, held.seq) ||
      held.author !== USER ||
      held.seq <= endedSeq ||
      call.wrote.includes(key)
    )
      return false;
    return !follows(held.seq) && !isAsBefore(view, key, endedSeq);
  });
}

/**
 * Whether a text is again what it was at an event, as far as its values are here. What was written together with such a
 * text follows from it.
 */
export function isAsBefore(view: View, key: string, seq: number): boolean {
  if (!view.versions.some((version) => version.key === key)) {
    const at = view.state.get(key)?.seq;
    const texts = new Set(view.versions.map((version) => version.key));
    return [...texts].some((text) => view.state.get(text)?.seq === at && isAsBefore(view, text, seq));
  }
  const [role, held, before] = [
    view.roles.get(key),
    view.state.get(key),
    lastWhere(view.versions, (version) => version.key === key && version.seq <= seq),
  ];
  if (!held || !before || isStored(held.value) || isStored(before.value)) return false;
  const text = (value: unknown) => textOf(value, role?.kind === "draft" ? role.edit : "");
  return text(held.value) !== "" && text(held.value) === text(before.value);
}

/** Whether a call was not made in this run but taken over from the one it was forked from. */
export function wasTakenOver(view: View, call: Call | null): boolean {
  return view.origin !== null && call !== null && call.endedSeq !== null && call.endedSeq <= view.origin.seq;
}

/** What the call at a path waits for, the latest first. */
function waitingAt(view: View, path: string): Waiting | null {
  let found: Waiting | null = null;
  for (const waiting of view.waiting.values()) {
    if (waiting.path === path && waiting.seq > (found?.seq ?? 0)) found = waiting;
  }
  return found;
}

/** A question that waits for the person; `seq` is the number by which it is answered. */
export type OpenQuestion = Waiting & { question: Question };

/** Every question that the run asks at this moment, the oldest first: branches beside each other may each ask. */
export function questions(view: View): OpenQuestion[] {
  if (view.outcome !== null && view.outcome !== "waiting") return [];
  const open = [...view.waiting.values()].filter((waiting): waiting is OpenQuestion => waiting.question !== null);
  return open.sort((one, other) => one.seq - other.seq);
}

/**
 * How a run stands: its events tell sooner than the list, once they are here, while only the list knows that its
 * process
 * died or that the disk takes nothing.
 */
export function statusOf(view: View | null, listed: RunStatus | undefined): RunStatus {
  if (view === null) return listed ?? "running";
  if (view.outcome !== null) return view.outcome;
  return listed === "interrupted" || listed === "waiting_for_disk"
    ? listed
    : questions(view).length > 0
      ? "waiting"
      : "running";
}

/**
 * Whether a run that stands so can be resumed. One that a limit ended goes on with a higher one, which its card
 * offers.
 */
export function canGoOn(status: RunStatus): boolean {
  return status === "interrupted" || status === "failed" || status === "cancelled";
}

/** Whether the run asks what becomes of a limit that it reached. */
export function asksForMore(view: View): boolean {
  return [...view.waiting.values()].some(({ question: asked }) => asked?.kind.kind === "limit");
}

/** Agents by name, over the whole tree. */
export function agents(outline: Outline): Map<string, Outline> {
  const all = new Map([[outline.name, outline]]);
  for (const child of outline.children) for (const [name, found] of agents(child)) all.set(name, found);
  return all;
}

/** An answer that could not be used, with the shape it had to have and what was tried. */
export type Broken = {
  seq: number;
  /** Undefined while it is being fetched. */ text: string | undefined;
  schema: unknown;
  agent: string;
  tried: readonly Note[];
};

/** The answer that made a stage fail because it could not be used, if the run ended by it or asks about it. */
export function repairable(view: View, resolve: Resolve): Broken | null {
  const asks = questions(view).find(({ question }) => question.kind.kind === "malformed")?.path ?? null;
  if (view.error?.code !== "malformed_answer" && asks === null) return null;
  for (const call of [...view.calls.values()].reverse()) {
    if ((call.error?.code === "malformed_answer" || call.path === asks) && call.reply) {
      const { seq, result } = call.reply;
      const reply = resolve("", seq, result);
      return {
        seq,
        text: reply === undefined ? undefined : textOf(reply, "text"),
        schema: resolve("", seq, unwrapped(call.shape)) ?? null,
        agent: call.agent,
        tried: call.tried,
      };
    }
  }
  return null;
}

/**
 * After which event a fork of a run that has ended begins, unless the person chooses: before the last work of an
 * agent.
 */
export function forkPoint(view: View): number | null {
  if (view.outcome === null || view.outcome === "waiting") return null;
  const last = Math.max(0, ...[...view.calls.values()].map(({ startedSeq }) => startedSeq));
  return last > 1 ? last - 1 : null;
}

/**
 * The limit that ended the run, twice as high: more than what is used up by then, so that a resumption gets
 * somewhere. A price that is not known fits into none: there it is lifted.
 */
export function raised(view: View, page: RunPage): { to: number | null; limits: ResumeRun["limits"] } | null {
  const reached = view.error?.code === "limit_reached" ? view.error.limit : null;
  if (!reached) return null;
  const limit = reached.name;
  if (reached.unpriced !== undefined) return { to: null, limits: { [limit]: null } };
  const { used } = view;
  const spent: Record<LimitName, number> = {
    max_llm_calls: used.calls,
    max_output_tokens: 0,
    max_execution_time_s: used.active_ms / 1000,
    max_total_tokens: used.input_tokens + used.output_tokens,
    max_tool_calls: Math.max(0, ...Object.values(used.tool_calls)),
    max_cost: used.cost ?? 0,
  };
  const to = Math.ceil(2 * Math.max(page.limits[limit] ?? 0, spent[limit], 1));
  return { to, limits: { [limit]: to } };
}

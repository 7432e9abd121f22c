// What is done to the run that is open, and what came of it: the error of the last action, and how to try it again.
// Which of them can be reached by a key is said elsewhere.
import { router } from "../app/route.svelte";
import type { ApiError, Gate, ReplayReport, ResumeRun, Role, RunRef, RunStatus } from "../ipc/bindings";
import { call } from "../ipc/client";
import { toApiError } from "../ipc/errors";
import type { Call, View } from "../run/view-types";
import { changedSince } from "../run/stages";

export class RunActions {
  error = $state.raw<ApiError | null>(null);
  isStopping = $state(false);
  report = $state.raw<ReplayReport | null>(null);
  /** What is done as soon as the run has stopped. */
  #afterStop: (() => void) | null = null;
  /** The work that `error` belongs to. */
  #failed: () => Promise<unknown> = () => Promise.resolve();

  constructor(readonly run: string) {}

  /** Whether the work succeeded; its error is kept, and `retry` does it again. */
  async ask(work: () => Promise<unknown>): Promise<boolean> {
    this.error = null;
    try {
      await work();
      return true;
    } catch (thrown) {
      this.#failed = work;
      this.error = toApiError(thrown);
      return false;
    }
  }

  retry(): void {
    void this.ask(this.#failed);
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    if (await this.ask(() => call("stop_run", { run: this.run }))) return;
    this.isStopping = false;
    this.#afterStop = null;
  }

  /** Stops the run, and does something once it has stopped: not where it came to another end meanwhile. */
  stopThen(work: () => void): void {
    this.#afterStop = work;
    void this.stop();
  }

  /** Nobody works on the run any more. */
  ended(status: RunStatus): void {
    const work = this.#afterStop;
    this.isStopping = false;
    this.#afterStop = null;
    if (status === "cancelled") work?.();
  }

  resume(limits: ResumeRun["limits"] = {}): void {
    void this.ask(() => call("resume_run", { run: this.run, limits, allow: [] }));
  }

  /** Sets where the run stops around an agent. */
  setGate(agent: string, gate: Gate): void {
    void this.ask(() => call("set_gates", { run: this.run, gates: { [agent]: gate } }));
  }

  /** Whether the replay could be made. */
  async replay(): Promise<boolean> {
    this.report = null;
    return this.ask(async () => (this.report = await call("replay_run", { run: this.run })));
  }

  /**
   * What a person changed goes to a fork that begins before the stages that had read it: only they run anew. Checks are
   * computed from the text, so they are not set. Decisions and locks can be set by nobody: a rewrite takes them over.
   */
  rerun(head: View, stage: Call): void {
    const { run } = this;
    void this.ask(async () => {
      const changed = changedSince(head, stage);
      const has = (kind: Role["kind"]) => changed.some((key) => head.roles.get(key)?.kind === kind);
      const isOfReview = has("issues") || (has("own_text") && !has("draft"));
      const { run: made } = await (isOfReview
        ? call("rewrite_run", { run })
        : this.#fork(changed.filter(isSet), stage));
      router.go({ screen: "run", run: made });

      function isSet(key: string): boolean {
        const kind = head.roles.get(key)?.kind;
        return kind !== "checks" && kind !== "own_text";
      }
    });
  }

  async #fork(keys: readonly string[], stage: Call): Promise<RunRef> {
    const { run } = this;
    const { state } = await call("state_at", { run, seq: null });
    const set = Object.fromEntries(keys.map((key) => [key, state[key] ?? null]));
    return call("fork_run", { run, at: stage.startedSeq - 1, set, agents: {}, limits: {}, profile: null, allow: [] });
  }
}

// What is done to the run that is open, and what came of it: the fault of the last deed, and how to try it again. Which of
// them can be reached by a key is said elsewhere.
import { router } from "../app/route.svelte";
import type { Fault, ReplayReport, ResumeRun } from "../ipc/bindings";
import { call } from "../ipc/client";
import { toFault } from "../ipc/errors";
import type { Call, View } from "../run/shape";
import { changedSince } from "../run/stages";

export class Deeds {
  fault = $state.raw<Fault | null>(null);
  isStopping = $state(false);
  report = $state.raw<ReplayReport | null>(null);
  #last: () => Promise<unknown> = () => Promise.resolve();

  constructor(readonly run: string) {}

  async ask(work: () => Promise<unknown>): Promise<void> {
    this.#last = work;
    this.fault = null;
    try {
      await work();
    } catch (error) {
      this.fault = toFault(error);
    }
  }

  retry(): void {
    void this.ask(this.#last);
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    await this.ask(() => call("stop_run", { run: this.run }));
    if (this.fault) this.isStopping = false;
  }

  resume(limits: ResumeRun["limits"] = {}): void {
    void this.ask(() => call("resume_run", { run: this.run, limits, allow: [] }));
  }

  /** Whether the replay could be made. */
  async replay(): Promise<boolean> {
    this.report = null;
    await this.ask(async () => (this.report = await call("replay_run", { run: this.run })));
    return this.fault === null;
  }

  /** What a person changed goes to a fork that begins before the stages that had read it: only they run anew. */
  rerun(head: View, stage: Call): void {
    const { run } = this;
    void this.ask(async () => {
      const { state } = await call("state_at", { run, seq: null });
      const set = Object.fromEntries(changedSince(head, stage).map((key) => [key, state[key] ?? null]));
      const made = await call("fork_run", { run, at: stage.startedSeq - 1, set, instructions: {}, models: {}, limits: {}, profile: null, allow: [] });
      router.go({ screen: "run", run: made.run });
    });
  }
}

// The form that is open above the desk, and the moment that it brought the desk to.
import type { AgentInstruction } from "../run/instruction";
import type { LiveRun } from "../run/live-run.svelte";
import { forkPoint } from "../run/stages";
import type { Call } from "../run/view-types";
import type { ToolName } from "./desk-actions";

export class OpenTool {
  name = $state<ToolName | null>(null);
  /** What an agent is to be told, when that is what the fork form was opened for. */
  instructed = $state.raw<AgentInstruction | null>(null);
  /** Whether the fork form was opened for another profile. */
  isForProfile = $state(false);
  /** The moment that a fork form brought the desk to by itself. */
  #broughtTo: number | null = null;

  constructor(readonly live: LiveRun) {}

  /** Opens a form in place of another, or closes it. */
  use(which: ToolName | null): void {
    this.instructed = null;
    this.isForProfile = false;
    // Where the form alone moved the slider, it goes back with the form.
    if (this.#broughtTo !== null && this.live.at === this.#broughtTo) void this.live.seek(this.live.head.seq);
    this.#broughtTo = null;
    this.name = which;
    // After the last event nothing is left to run: a fork from there would only be a copy.
    const before = which === "fork" && this.live.isAtEnd ? forkPoint(this.live.head) : null;
    if (before !== null) void this.live.seek((this.#broughtTo = before));
  }

  /** A fork before a call, open and filled in: the person starts it. */
  instruct({ agent, startedSeq }: Call, said: string): void {
    this.instructed = { agent, said, at: startedSeq - 1 };
    this.name = "fork";
    void this.live.seek(startedSeq - 1);
  }

  /** A fork before a call whose model is another one: the person chooses the profile. */
  changeProfile({ startedSeq }: Call): void {
    this.use(null);
    this.isForProfile = true;
    this.name = "fork";
    void this.live.seek((this.#broughtTo = startedSeq - 1));
  }
}

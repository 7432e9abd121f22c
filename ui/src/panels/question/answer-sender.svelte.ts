// Sends the answer to one question, by its number, or to where an answer that was given is given anew.
import type { ApiError, Json } from "../../ipc/bindings";
import { call } from "../../ipc/client";
import { toApiError } from "../../ipc/errors";

export class AnswerSender {
  isSending = $state(false);
  error = $state.raw<ApiError | null>(null);
  /** Whether the program took the answer: the question goes as soon as the run says so. */
  isTaken = false;

  constructor(
    readonly run: string,
    /** The number of the event that asks. */
    readonly question: number,
    readonly deliver: (value: Json) => Promise<unknown> = (value) => call("answer_run", { run, question, value }),
  ) {}

  async send(value: Json): Promise<void> {
    this.isSending = true;
    this.error = null;
    try {
      await this.deliver(value);
      this.isTaken = true;
    } catch (thrown) {
      this.error = toApiError(thrown);
    } finally {
      this.isSending = false;
    }
  }
}

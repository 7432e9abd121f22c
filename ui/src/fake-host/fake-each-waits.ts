// What instances of the recordings in fake-each.ts fail with and wait for.
import { verbatim } from "../ipc/verbatim";
import type { ApiError, Question } from "../ipc/bindings";
import { item } from "./fake-journey";

export const timedOut: ApiError = {
  code: "timeout",
  message: "atlas.example was silent for too long; try again.",
  phrase: { id: "{server} was silent for too long; try again.", parameters: { server: "atlas.example" } },
  provider_words: null,
  retry_after_ms: null,
  limit: null,
};
export const ferry: Question = {
  kind: { kind: "agent" },
  text: verbatim("The ferry does not run in winter. Go by bus?"),
  choices: [
    { value: "bus", label: verbatim("By bus") },
    { value: "skip", label: verbatim("Leave this place out") },
  ],
  default: "bus",
  is_free: true,
  details: null,
};

/** Asked before an instance begins. A key that is read for two reasons is named twice, as an older program did. */
export const before = (number: number): Question => ({
  kind: { kind: "gate", agent: "guide", side: "before" },
  text: { id: "The run stops before `{agent}` starts. Go on?", parameters: { agent: "guide" } },
  choices: [
    { value: "go_on", label: { id: "Go on", parameters: {} } },
    { value: "stop", label: { id: "Stop", parameters: {} } },
  ],
  default: "go_on",
  is_free: false,
  details: {
    keys: ["item", "item"],
    takes_changes: false,
    item: item(number),
    input: { type: "object", required: ["place"] },
  },
});

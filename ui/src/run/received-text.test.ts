// @vitest-environment node
import { expect, test } from "vitest";
import { recording } from "../fake-host/fake-records";
import { begunText, receivedOf } from "./received-text";
import { agents } from "./stages";
import { empty } from "./empty-view";
import { applyAll } from "./view";

test("of JSON that breaks off the begun text is read, with its escapes, and no more", () => {
  expect(begunText('{"body": "One\\nline \\u00e9 and \\"more\\"", "x": 1}', "body")).toBe('One\nline é and "more"');
  expect(begunText('{"other": 1, "body" : "cut \\u00', "body")).toBe("cut ");
  expect(begunText('{"body": "ends\\', "body")).toBe("ends");
  expect(begunText('{"body": "raw\nline', "body")).toBe("raw\nline");
  expect(begunText('{"body', "body")).toBe("");
  expect(begunText("plain", "")).toBe("plain");
});

test("what a stage was writing when it was stopped is shown, unless a version came behind it", () => {
  const { page, entries } = recording("run-two-drafts");
  const writer = [...agents(page.outline).values()].find(({ stream }) => stream?.key === "manuscript")!;
  const view = applyAll(
    empty(page.keys),
    entries.map(({ event }) => event),
  );
  const last = entries.at(-1)!;
  const answer = {
    status: "interrupted" as const,
    reason: "cancelled" as const,
    partial: `{"${writer.stream!.field}": "Begun and`,
  };
  const stopped = {
    ...last,
    event: {
      ...last.event,
      path: `desk/${writer.name}#3`,
      fact: { kind: "effect_answered" as const, asked: 1, answer, took_ms: 1, waited_ms: 0, retries: [], summary: {} },
    },
  };
  const peek = (seq: number) => (seq === view.seq ? stopped : undefined);
  expect(receivedOf({ peek }, view, page.outline, view.versions.at(-1)!.seq)?.text).toBe("Begun and");
  expect(receivedOf({ peek }, view, page.outline, view.seq)).toBeNull();
});

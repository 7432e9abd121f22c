import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useHost } from "../ipc/client";
import { Autosave, sitting } from "./autosave.svelte";

let answers: ((answer: { seq: number } | Error) => void)[];
let sent: Record<string, unknown>[];

beforeEach(() => {
  vi.useFakeTimers();
  answers = [];
  sent = [];
  useHost({
    call: (_command, payload) => {
      sent.push(payload as Record<string, unknown>);
      return new Promise((done, fail) =>
        answers.push((answer) => (answer instanceof Error ? fail(answer) : done(answer))),
      );
    },
    watch: () => () => {},
    save: () => Promise.resolve(null),
    openLink: () => {},
  });
});
afterEach(() => vi.useRealTimers());

test("what is typed in one sitting continues one version; what follows a save on purpose is another", async () => {
  const saving = new Autosave("r", "text", "body");
  const typed = async (text: string) => {
    saving.change(text);
    await vi.advanceTimersByTimeAsync(1_000);
    answers.at(-1)?.({ seq: sent.length });
    await vi.advanceTimersByTimeAsync(0);
  };
  await typed("a");
  await typed("ab");
  await saving.keep();
  expect(saving.isKept).toBe(true);
  await typed("abc");
  expect(sent.map(({ is_new_version: isNew }) => isNew)).toEqual([true, false, true]);
  expect(saving.isKept).toBe(false);
});

test("what is typed is saved within a second of the last key, whole, one request at a time", async () => {
  const saving = new Autosave("r", "text", "body");
  for (const text of ["a", "ab", "abc"]) {
    saving.change(text);
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(sent).toHaveLength(0);
  await vi.advanceTimersByTimeAsync(900);
  expect(sent).toEqual([{ run: "r", key: "text", field: "body", value: "abc", is_new_version: true }]);
  saving.change("abcd");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sent).toHaveLength(1);
  answers[0]?.({ seq: 9 });
  await vi.advanceTimersByTimeAsync(0);
  expect(sent.map(({ value }) => value)).toEqual(["abc", "abcd"]);
  answers[1]?.({ seq: 10 });
  await vi.advanceTimersByTimeAsync(0);
  expect([saving.state, saving.seq]).toEqual(["saved", 10]);
});

test("a text that could not be saved is kept and goes with the next attempt", async () => {
  const saving = new Autosave("r", "text", "");
  saving.change("mine");
  const flushed = saving.flush();
  answers[0]?.(new Error("no room"));
  await flushed;
  expect([saving.state, saving.error?.message]).toEqual(["failed", "no room"]);
  const again = saving.flush();
  answers[1]?.({ seq: 3 });
  await again;
  expect(sent[1]).toEqual({ run: "r", key: "text", field: null, value: "mine", is_new_version: true });
  expect(saving.state).toBe("saved");
});

test("an editor that comes anew while a text is on its way writes on in the same version", async () => {
  const before = sitting("r", "text", "body");
  before.change("mine");
  void before.flush();
  sitting("r", "text", "body").change("mine, and more");
  await vi.advanceTimersByTimeAsync(1_000);
  answers[0]?.({ seq: 3 });
  await vi.advanceTimersByTimeAsync(1_000);
  answers[1]?.({ seq: 4 });
  await vi.advanceTimersByTimeAsync(0);
  expect(sent.map(({ value, is_new_version: isNew }) => [value, isNew])).toEqual([
    ["mine", true],
    ["mine, and more", false],
  ]);
  // It is saved: who begins now begins a version.
  expect(sitting("r", "text", "body")).not.toBe(before);
});

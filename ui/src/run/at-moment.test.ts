// @vitest-environment node
import { expect, test } from "vitest";
import { AtMoment } from "./at-moment.svelte";

/** Answers that come when the test says so. */
function asking() {
  const open = new Map<number, { resolve: (answer: string) => void; reject: (error: unknown) => void }>();
  const state = new AtMoment((seq) => new Promise<string>((resolve, reject) => open.set(seq, { resolve, reject })));
  const settle = async (how: () => void) => {
    how();
    await new Promise((done) => setTimeout(done));
  };
  return {
    state,
    answer: (seq: number) => settle(() => open.get(seq)?.resolve(`at ${seq}`)),
    fail: (seq: number) => settle(() => open.get(seq)?.reject(new Error("lost"))),
  };
}

test("a late answer does not replace what was chosen after it was asked", async () => {
  const { state, answer, fail } = asking();
  state.want(1);
  await answer(1);
  state.want(2);
  state.want(1);
  await answer(2);
  expect([state.seq, state.value]).toEqual([1, "at 1"]);
  // It is kept all the same, and shown once it is wanted.
  state.want(2);
  expect([state.seq, state.value]).toEqual([2, "at 2"]);
  state.want(3);
  state.want(1);
  await fail(3);
  expect([state.seq, state.error]).toEqual([1, null]);
});

test("while the moment moves on, what has come is shown until the newest is there", async () => {
  const { state, answer, fail } = asking();
  state.want(1);
  state.want(2);
  await answer(1);
  expect(state.seq).toBe(1);
  await answer(2);
  expect(state.seq).toBe(2);
  state.want(3);
  await fail(3);
  expect(state.error).not.toBeNull();
});

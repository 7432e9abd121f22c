// @vitest-environment node
import { expect, test } from "vitest";
import { latestOnly } from "./latest-only";

test("an answer that comes after something else was asked is not heard, and neither is its failure", async () => {
  const told: unknown[] = [];
  const ask = (answer: Promise<string>) =>
    latestOnly(
      answer,
      (got) => told.push(got),
      (error) => told.push(error.message),
    );
  ask(Promise.reject(new Error("no room")));
  let answer = (_: string) => {};
  const leave = ask(new Promise((go) => (answer = go)));
  const refused = Promise.reject(new Error("late"));
  leave();
  answer("late");
  ask(refused)();
  ask(Promise.resolve("newest"));
  await new Promise((go) => setTimeout(go));
  expect(told).toEqual(["no room", "newest"]);
});

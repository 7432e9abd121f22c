import { fireEvent, render, screen, waitFor, cleanup } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useHost } from "../ipc/client";
import { fakeHost } from "../fake-host/fake";
import { recording } from "../fake-host/fake-records";
import Message from "../panels/message/Message.svelte";
import { whole } from "../run/recorded-views";
import { RunActions } from "./run-actions.svelte";

const RUN = "run-two-drafts";
let fails = true;
/** Lets the request that is held back fail. */
let release = () => {};
const sent: [string, Record<string, unknown>][] = [];

beforeEach(() => {
  fails = true;
  sent.length = 0;
  const fake = fakeHost({ speed: 400 });
  const refused = { code: "network", message: "refused" };
  useHost({
    ...fake,
    call: async (command, payload) => {
      sent.push([command, payload as Record<string, unknown>]);
      if (command === "replay_run") await new Promise<void>((go) => (release = go));
      if (fails && command !== "list_pipelines") throw refused;
      return command === "say_to_run" ? {} : fake.call(command, payload);
    },
  });
});
afterEach(cleanup);

const count = (command: string) => sent.filter(([one]) => one === command).length;

test("a retry repeats the action that failed, not a later one that succeeded", async () => {
  const runActions = new RunActions(RUN);
  const replayed = runActions.replay();
  const said = vi.fn(() => Promise.resolve());
  expect(await runActions.ask(said)).toBe(true);
  release();
  expect(await replayed).toBe(false);
  runActions.retry();
  expect(said).toHaveBeenCalledOnce();
  expect(count("replay_run")).toBe(2);
  release();
});

test("an action that succeeded is not reported as failed because another one was", async () => {
  fails = false;
  const runActions = new RunActions(RUN);
  const replayed = runActions.replay();
  expect(await runActions.ask(() => Promise.reject(new Error("no")))).toBe(false);
  release();
  expect(await replayed).toBe(true);
});

test("what follows a stop is done once it has stopped, once, and not where the run finished meanwhile", async () => {
  const runActions = new RunActions(RUN);
  const work = vi.fn();
  runActions.stopThen(work);
  await waitFor(() => expect(runActions.error).not.toBeNull());
  runActions.ended("cancelled");
  fails = false;
  runActions.stopThen(work);
  runActions.ended("finished");
  expect([work.mock.calls.length, runActions.isStopping]).toEqual([0, false]);
  runActions.stopThen(work);
  runActions.ended("cancelled");
  runActions.ended("cancelled");
  expect(work).toHaveBeenCalledOnce();
});

test("a stale stage runs again with what can be set: checks follow from the text, and decisions go to a rewrite", async () => {
  fails = false;
  const head = whole(recording(RUN));
  const draft = [...head.roles].find(([, role]) => role.kind === "draft")![0];
  const roles = new Map([
    ...head.roles,
    ["checks", { kind: "checks" } as const],
    ["issues", { kind: "issues" } as const],
  ]);
  const rerun = (...changed: string[]) => {
    const held = (key: string) => ({ ...head.state.get(draft)!, value: key, author: "user", seq: head.seq + 1 });
    const view = { ...head, roles, versions: [], state: new Map(changed.map((key) => [key, held(key)])) };
    new RunActions(RUN).rerun(view, { ...[...head.calls.values()][0]!, reads: changed, wrote: [], endedSeq: 2 });
  };
  rerun(draft, "checks");
  await waitFor(() => expect(count("fork_run")).toBe(1));
  expect(Object.keys(sent.find(([one]) => one === "fork_run")![1].set as object)).toEqual([draft]);
  rerun("issues", "checks");
  await waitFor(() => expect(count("rewrite_run")).toBe(1));
  expect(count("fork_run")).toBe(1);
});

test("the retry of a message sends what failed, keeps what was typed since, and starts nothing twice meanwhile", async () => {
  const run = recording(RUN);
  const runActions = new RunActions(RUN);
  render(Message, {
    page: run.page,
    view: whole(run),
    isRunning: true,
    onState: () => {},
    onRun: () => {},
    onAsk: (work: () => Promise<void>) => runActions.ask(work),
    onInstruct: () => {},
  });
  const line = screen.getByLabelText<HTMLInputElement>("Message", { selector: "input" });
  await fireEvent.input(line, { target: { value: "shorter" } });
  await fireEvent.submit(line.form!);
  await waitFor(() => expect(runActions.error).not.toBeNull());
  await waitFor(() => expect(line.disabled).toBe(false));
  expect(line.value).toBe("shorter");
  await fireEvent.input(line, { target: { value: "and in plain words" } });
  fails = false;
  runActions.retry();
  await fireEvent.submit(line.form!);
  await waitFor(() => expect(line.disabled).toBe(false));
  expect(runActions.error).toBeNull();
  expect(line.value).toBe("and in plain words");
  expect(sent.filter(([command]) => command === "say_to_run").map(([, { text }]) => text)).toEqual([
    "shorter",
    "shorter",
  ]);
});

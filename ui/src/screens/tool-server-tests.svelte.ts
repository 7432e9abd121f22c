// What the tests of tool servers found since the page was loaded, by their names.
import type { ApiError, ForeignToolCard, Phrase, ToolServerTest } from "../ipc/bindings";
import { call } from "../ipc/client";
import { toApiError } from "../ipc/errors";

/** How a listed tool differs from what it was before; what is gone is named. */
export type ListChange = { changed: ReadonlyMap<string, string>; added: ReadonlySet<string>; gone: readonly string[] };
export type TestState = {
  isRunning: boolean;
  atMs: number;
  found: ToolServerTest | null;
  error: ApiError | null;
  change: ListChange;
};

const NO_CHANGE: ListChange = { changed: new Map(), added: new Set(), gone: [] };

/** What became of a list of tools. Where there was none, nothing is new. */
export function changeOf(before: readonly ForeignToolCard[], now: readonly ForeignToolCard[]): ListChange {
  if (before.length === 0) return NO_CHANGE;
  const [former, present] = [new Map(before.map((tool) => [tool.name, tool])), new Set(now.map(({ name }) => name))];
  const changed = now.flatMap(({ name, description, tokens }): [string, string][] => {
    const was = former.get(name);
    return was && (was.description !== description || was.tokens !== tokens) ? [[name, was.description]] : [];
  });
  return {
    changed: new Map(changed),
    added: new Set([...present].filter((name) => !former.has(name))),
    gone: before.filter(({ name }) => !present.has(name)).map(({ name }) => name),
  };
}

/** What is wrong with a server, without the sentence that leads to its settings: they are open. */
function reasonOf(error: ApiError): ApiError {
  const { why } = error.phrase.parameters;
  const isReason = typeof why === "object" && why !== null && "id" in why && "parameters" in why;
  return isReason ? { ...error, phrase: why as Phrase } : error;
}

class ToolServerTests {
  #states = $state.raw<Readonly<Record<string, TestState | undefined>>>({});

  of(name: string): TestState | undefined {
    return this.#states[name];
  }

  #set(name: string, state: TestState | undefined) {
    this.#states = { ...this.#states, [name]: state };
  }

  /** What is known of a server no longer holds. */
  forget(name: string) {
    this.#set(name, undefined);
  }

  forgetAll() {
    this.#states = {};
  }

  closeError(name: string) {
    const state = this.#states[name];
    if (state) this.#set(name, state.found ? { ...state, error: null } : undefined);
  }

  /** Starts a server and asks for its tools; `before` is what it listed last. */
  async run(name: string, before: readonly ForeignToolCard[]): Promise<void> {
    const begun: TestState = { isRunning: true, atMs: Date.now(), found: null, error: null, change: NO_CHANGE };
    this.#set(name, begun);
    let ended: TestState;
    try {
      const found = await call("test_tool_server", { name });
      ended = { ...begun, isRunning: false, atMs: Date.now(), found, change: changeOf(before, found.tools) };
    } catch (thrown) {
      ended = { ...begun, isRunning: false, atMs: Date.now(), error: reasonOf(toApiError(thrown)) };
    }
    // It may have been changed or removed meanwhile.
    if (this.#states[name] === begun) this.#set(name, ended);
  }
}

export const toolServerTests = new ToolServerTests();

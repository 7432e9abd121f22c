// The queue of the host without a program: a server with workers, one where nobody works, and one that does not answer.
import { verbatim } from "../ipc/verbatim";
import type { Commands, QueueCard, QueueServer, WorkerCard } from "../ipc/bindings";
import { apiError } from "./fake-error";

type Names = "describe_queue" | "save_queue";
type Handlers = { [K in Names]: (payload: Commands[K][0]) => Commands[K][1] };

const WORKERS: readonly Omit<WorkerCard, "heard_at_ms">[] = [
  { role: "ResearchAgent", name: "mill-3-4711", working: 2, at_once: 4 },
  { role: "ResearchAgent", name: "mill-3-4711", working: 0, at_once: 4 },
  {
    role: "UtilityAgent",
    name: `a-machine-with-a-long-name.${"rack-".repeat(12)}example.org-90210`,
    working: 16,
    at_once: 16,
  },
];

export function queue(): Handlers {
  let set: Pick<QueueCard, "url" | "key_env" | "keeps_key" | "has_session_key"> = {
    url: "",
    key_env: "",
    keeps_key: false,
    has_session_key: false,
  };
  /** What the server says, by the host of its address. */
  function answer(): Pick<QueueCard, "server" | "error"> {
    if (set.url === "") return { server: null, error: null };
    if (set.url.includes("no-such"))
      return { server: null, error: verbatim(`The queue ${set.url} cannot be reached: no such host.`) };
    const isIdle = set.url.includes("idle");
    const now = Date.now();
    const server: QueueServer = {
      version: "2.14.1",
      is_encrypted: set.url.startsWith("tls://"),
      sub_tasks: isIdle ? 0 : 12_345,
      dead_letters: isIdle ? 0 : 2,
      workers: isIdle ? [] : WORKERS.map((worker, at) => ({ ...worker, heard_at_ms: now - 3_000 * at })),
    };
    return { server, error: null };
  }
  const card = (): QueueCard => ({ ...set, ...answer() });
  return {
    describe_queue: card,
    save_queue({ url, key_env, key, for_session }) {
      const address = url.trim();
      if (address !== "" && !/^(nats|tls):\/\/[^/]/.test(address))
        throw apiError(
          "bad_input",
          `\`${address}\` is no address of a queue; write \`nats://HOST:PORT\`, or \`tls://HOST:PORT\` for an encrypted one`,
        );
      const before = set.url === address ? set : { keeps_key: false, has_session_key: false };
      const after =
        key === null ? before : { keeps_key: key !== "" && !for_session, has_session_key: key !== "" && for_session };
      const { keeps_key, has_session_key } = address === "" ? { keeps_key: false, has_session_key: false } : after;
      set = { url: address, key_env: address === "" ? "" : key_env, keeps_key, has_session_key };
      return card();
    },
  };
}

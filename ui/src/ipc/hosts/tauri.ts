// The window's host: the shell's two commands. A watch is ended by naming its channel again.
import { Channel, invoke } from "@tauri-apps/api/core";
import type { Commands, WatchItem } from "../bindings";
import { toApiError } from "../errors";
import type { Host } from "../host";

export function tauriHost(): Host {
  return {
    call: (command, payload) => invoke("rpc", { cmd: command, payload }),
    watch(run, fromSeq, onItem) {
      const channel = new Channel<WatchItem>();
      let isEnded = false;
      channel.onmessage = (item) => {
        if (!isEnded) onItem(item);
      };
      invoke("watch", { run, from_seq: fromSeq, channel }).catch((thrown: unknown) => {
        if (!isEnded) onItem({ type: "error", error: toApiError(thrown) });
      });
      return () => {
        isEnded = true;
        // A watch that has already ended need not be told.
        invoke("watch", { run: null, channel, stop: true }).catch(() => {});
      };
    },
    // The program writes the file: the web view of a window downloads nothing.
    async save(content) {
      const { path } = await invoke<Commands["save_file"][1]>("rpc", { cmd: "save_file", payload: { content } });
      return path;
    },
    // The shell gives every address that is not the page's own to the system.
    openLink: (url) => void globalThis.open(url, "_blank", "noopener"),
  };
}

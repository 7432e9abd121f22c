// The word of every status, in one place.
import type { Words } from "../i18n";
import type { RunStatus } from "../ipc/bindings";

export const STATUS: Record<RunStatus, Words> = {
  running: "status.running",
  finished: "status.finished",
  failed: "status.failed",
  limited: "status.limited",
  waiting: "status.waiting",
  cancelled: "status.cancelled",
  interrupted: "status.interrupted",
};

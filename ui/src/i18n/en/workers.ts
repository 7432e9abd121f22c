// The workers on other machines and their queue, in English.
export const workers = {
  "workers.title": "Workers",
  "workers.help":
    "Steps of a task and items of a list can be done by other machines. They take them from a NATS server.",
  "workers.url": "Address of the queue",
  "workers.url.help": "`nats://HOST:4222`, or `tls://HOST:4222` for an encrypted one. Empty: everything is done here.",
  "workers.key.help":
    "A token, the password of `USER` in `nats://USER@HOST`, an nkey seed, or the content of a credentials file.",
  "workers.key.keeps": "Leave empty to keep the stored key.",
  "workers.key.again": "The stored key was for another address. Enter it again.",
  "workers.key.missing": "a key",
  "workers.save": "Save",
  "workers.saved": "Saved.",
  "workers.here": "Work here again",
  "workers.here.done": "Everything is done here again.",
  "workers.connecting": "Asking the server…",
  "workers.unusable": "The queue cannot be used",
  "workers.unusable.advice":
    "Check the address and the key. Until then, steps that are sent to workers fail and can be resumed.",
  "workers.queue": "Queue",
  "workers.server": "Server",
  "workers.server.encrypted": "NATS {version}, encrypted",
  "workers.server.open": "NATS {version}, not encrypted",
  "workers.server.open.warning":
    "The connection is not encrypted: whoever sees the network can read the key and the sub-tasks. Use `tls://`.",
  "workers.sub_tasks": "Sub-tasks in the queue",
  "workers.dead": "Laid aside",
  "workers.dead.help": {
    one: "1 sub-task was given up after several attempts, or cannot be read. It is kept in the stream `GALLEY_DEAD_LETTERS` with the reason.",
    other:
      "{n} sub-tasks were given up after several attempts, or cannot be read. They are kept in the stream `GALLEY_DEAD_LETTERS` with the reason.",
  },
  "workers.list": "Workers heard of in the last half minute",
  "workers.role": "Role",
  "workers.name": "Name",
  "workers.load": "Load",
  "workers.load.of": "{working} of {most}",
  "workers.heard": "Last heard",
  "workers.heard.ago": "{seconds} s ago",
  "workers.none": "No worker is there. Start one on another machine:",
  "workers.none.key": "The variable `{name}` there holds the key of the queue.",
  "workers.command": "Command that starts a worker",
  "workers.command.copy": "Copy the command",
  "find.workers": "queue, NATS, JetStream, workers, machines, cluster, distributed, remote",
};

// What the queue of workers on other machines says, in Chinese.
export const queue: Record<string, string> = {
  "A message of the queue cannot be read: {why}": "队列中的一条消息无法读取：{why}",
  "A value of {bytes} bytes is too large for the queue, which takes {most} at the most. Ask for less at once":
    "一个值有 {bytes} 字节，超过队列的上限 {most} 字节。请一次少要一些",
  "A worker gave no answer of a model: {why}": "工作进程没有给出模型的回答：{why}",
  "A worker needs a queue: `--queue nats://HOST:PORT`, or the setting `queue.url`":
    "工作进程需要一个队列：它的地址，或设置 `queue.url`",
  "A worker needs a role: `--role ResearchAgent`": "工作进程需要一个角色，例如 `ResearchAgent`",
  "A worker of the role `{role}` could not do this: {reason}": "角色为 `{role}` 的工作进程无法完成：{reason}",
  "A worker takes from 1 to {most} sub-tasks at once, not {count}":
    "一个工作进程同时处理 1 到 {most} 个子任务，不能是 {count} 个",
  "No worker of the role `{role}` was heard of at {address} for {seconds} s. Start one: `galley worker --role {role} --queue {address}`":
    "{seconds} 秒内在 {address} 没有角色为 `{role}` 的工作进程。请启动一个，或在设置的“工作进程”中清除队列",
  "The NATS server at {address} has no JetStream, or none for this account; start it with `-js`":
    "{address} 的 NATS 服务器没有启用 JetStream，或未对此帐户启用；请用 `-js` 启动它",
  "The NATS server at {address} is {version}; {needed} or newer is needed":
    "{address} 的 NATS 服务器版本为 {version}；需要 {needed} 或更新版本",
  "The address of a queue holds no password: it would stand in the settings. Write `nats://USER@HOST:PORT` and give the password apart":
    "队列地址不能含密码，否则它会写进设置。请写 `nats://USER@HOST:PORT`，并单独提供密码",
  "The environment variable `{variable}`, which holds the key of the queue, is not set":
    "存放队列密钥的环境变量 `{variable}` 未设置",
  "The key of a queue has {most} bytes at the most": "队列的密钥最多 {most} 字节",
  "The queue {address} cannot be reached: {why}. Start its server, or clear the setting `queue.url`":
    "无法连接队列 {address}：{why}。请启动其服务器，或清除设置 `queue.url`",
  "The name of a role has {most} bytes at the most": "角色的名称最多 {most} 字节",
  "The queue {address} has lost this sub-task several times. See that nobody empties its streams, then resume the run":
    "队列 {address} 多次丢失此子任务。请确认没有人清空它的流，然后继续运行",
  "The queue {address} refused the credentials. Save the right ones: `galley queue set {address} --key-stdin`":
    "队列 {address} 拒绝了凭据。请在设置的“工作进程”中保存正确的凭据",
  "The queue {address} takes no more sub-tasks: {why}. Start more workers, or raise the limit of its stream":
    "队列 {address} 不再接收子任务：{why}。请启动更多工作进程，或提高其流的上限",
  "The setting `{key}` is `{value}`; it is a number of seconds from 1 to 3600":
    "设置 `{key}` 为 `{value}`；它应是 1 到 3600 的秒数",
  "This worker asks no model with the profile `{profile}` for others; start it with `--profile {profile}` where it may":
    "此工作进程不替他人用配置 `{profile}` 询问模型；需以该配置启动它",
  "This worker does not call `{tool}` for others; start it with `--allow {tool}` where it may":
    "此工作进程不替他人调用 `{tool}`；需以相应的许可启动它",
  "`{address}` is no address of a queue; write `nats://HOST:PORT`, or `tls://HOST:PORT` for an encrypted one":
    "`{address}` 不是队列地址；请写 `nats://HOST:PORT`，加密的写 `tls://HOST:PORT`",
  "`{tool}` was not called: its server describes it differently to this worker. Set both up alike":
    "未调用 `{tool}`：其服务器对此工作进程的描述不同。请让两边的设置一致",
  "`{tool}` works in the folder of its run, which a worker does not have; give its agent no `worker`":
    "`{tool}` 在运行的文件夹中工作，而工作进程没有它；请不要给其智能体写 `worker`",
  "{role}: {name} ({working} of {most}, heard {seconds} s ago)":
    "{role}：{name}（{working}/{most}，{seconds} 秒前有消息）",
  "NATS {version} at {url}, {way}; {sub_tasks} sub-tasks wait, {dead} were laid aside; no worker was heard of":
    "NATS {version}，{url}，{way}；{sub_tasks} 个子任务在排队，{dead} 个被搁置；没有工作进程",
  "NATS {version} at {url}, {way}; {sub_tasks} sub-tasks wait, {dead} were laid aside; {workers}":
    "NATS {version}，{url}，{way}；{sub_tasks} 个子任务在排队，{dead} 个被搁置；{workers}",
  encrypted: "已加密",
  "not encrypted": "未加密",
};

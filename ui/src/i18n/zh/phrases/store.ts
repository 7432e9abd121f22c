// What the program says of what is stored, in Simplified Chinese: by the English forms.
export const store: Record<string, string> = {
  "The run {run} is not in the trash. Put it there first.": "运行 {run} 不在回收站中。请先放入回收站。",
  "The run {run} is being worked on. Stop it first, then erase it.": "运行 {run} 正在进行。请先停止，再彻底删除。",
  "The database {file} is locked by another program that does not let go of it. Close that program, then try again.":
    "数据库 {file} 被另一个程序锁定且未释放。请关闭那个程序后重试。",
  "The data folder {folder} cannot be written ({error}). Make it writable, or choose another one with --data-dir or GALLEY_DATA_DIR.":
    "无法写入数据文件夹 {folder}（{error}）。请使其可写。",
  "The disk refused to read or write {file} ({error}). Check the disk and the folder's permissions, then try again.":
    "磁盘拒绝读写 {file}（{error}）。请检查磁盘和文件夹的权限后重试。",
  "The database {file} refused a request of this program ({error}). Please report it.":
    "数据库 {file} 拒绝了本程序的请求（{error}）。请报告此问题。",
  "The disk that holds {folder} is full: nothing of this was stored, what was stored before is safe. Free some space, then go on.":
    "{folder} 所在的磁盘已满：这些内容都没有存储，之前存储的都安全。请腾出空间后继续。",
  "What the run has in hand could not be kept in {file} either ({error}): it is in memory only.":
    "运行尚未存储的内容也无法保存到 {file}（{error}）：它只在内存中。",
  "The database {file} is damaged ({reason}).": "数据库 {file} 已损坏（{reason}）。",
  "{file} is a link or no regular file, so the database is not opened. Put the file itself there, or name the folder in which it lies with --data-dir or GALLEY_DATA_DIR.":
    "{file} 是链接或不是普通文件，因此没有打开数据库。请把文件本身放在那里。",
  "The database {file} is not the one any more that was opened ({what}): nothing more is stored. Put it back, or start Galley again to begin with what is there.":
    "数据库 {file} 已不是打开时的那个（{what}）：不再存储任何内容。请放回原处，或重新启动 Galley 从现有内容开始。",
  "`galley recover` begins with the newest backup, {backup}, or empty.":
    "重新启动 Galley，即可从最新的备份 {backup} 或从空白开始。",
  "`galley recover` sets aside what is left of it and begins empty.":
    "重新启动 Galley，它会把剩下的部分移到一旁并从空白开始。",
  "The database {file} {what}.": "数据库 {file} {what}。",
  "The database {file} was written by a newer Galley (its format is {found}, this program knows up to {known}). Update Galley, or choose another data folder with --data-dir or GALLEY_DATA_DIR.":
    "数据库 {file} 由更新的 Galley 写成（其格式为 {found}，本程序最多支持 {known}）。请更新 Galley。",
  "The data folder {folder} cannot be made or written ({error}). Make it writable, or choose another one with --data-dir or GALLEY_DATA_DIR.":
    "无法创建或写入数据文件夹 {folder}（{error}）。请使其可写。",
  "There is no backup yet: `galley recover` sets it aside with its log and begins with what can be read of it.":
    "还没有备份。重新启动 Galley，它会把数据库及其日志移到一旁，从可读取的内容开始。",
  "`galley recover` sets it aside with its log and begins with the newest backup, {backup}, or with what can be read of it.":
    "重新启动 Galley，它会把数据库及其日志移到一旁，从最新的备份 {backup} 或可读取的内容开始。",
  "No value with the hash {hash} is stored in this data folder.": "此数据文件夹中没有存储哈希为 {hash} 的值。",
  "There is no run in this data folder yet. Start one first.": "此数据文件夹中还没有运行。请先开始一个。",
  "`{prefix}` is too short for a run's id. Give at least four characters of it, or `last`.":
    "`{prefix}` 作为运行的 id 太短。请至少给出四个字符，或用 `last`。",
  "Several runs begin with `{prefix}`: {several}. Give more of the id.":
    "有多个运行以 `{prefix}` 开头：{several}。请给出更多字符。",
  "The run {run} is being worked on. Stop it first, then put it into the trash.":
    "运行 {run} 正在进行。请先停止，再放入回收站。",
  "it was emptied or cut off": "它被清空或截断",
  "it was overwritten": "它被覆盖",
  "its write-ahead log was removed or replaced": "其预写日志被移除或替换",
  "it was removed or renamed": "它被移除或改名",
  "another file is in its place": "其位置上是另一个文件",
  "Storing {what} failed: it is not JSON ({error}). Please report it.":
    "存储{what}失败：它不是 JSON（{error}）。请报告此问题。",
  "There is no article {id} in the library. List the library to see the ids.":
    "资料库中没有文章 {id}。请列出资料库以查看 id。",
  "The run {run} must go on with event {expected}, not {found}: nothing was stored. Please report it.":
    "运行 {run} 应以事件 {expected} 继续，而不是 {found}：没有存储任何内容。请报告此问题。",
  "The run {run} is not held by this program (any more): nothing was stored. Another Galley may have taken it; resume it from there, or once that one has let go.":
    "运行 {run} 不由（或不再由）本程序占用：没有存储任何内容。可能被另一个 Galley 接管；请在那里继续，或等它释放后继续。",
  "There is a run {run} already. Begin with a new id.": "已有运行 {run}。请使用新的 id。",
  "The run {run} is being worked on by this program already. Wait until it ends, or stop it.":
    "运行 {run} 已由本程序进行。请等它结束，或将其停止。",
  "The run {run} is held by another Galley (process {pid}). Wait until it ends there, or stop it there.":
    "运行 {run} 由另一个 Galley（进程 {pid}）占用。请等它在那里结束，或在那里停止。",
  "The database {file} must be brought to the present format, and another Galley has it open. Close every other Galley that uses this folder, then start again.":
    "数据库 {file} 需要转换为当前格式，而另一个 Galley 正打开着它。请关闭使用此文件夹的所有其他 Galley，然后重新启动。",
  "is empty": "是空的",
  "holds nothing": "没有任何内容",
  "is missing": "不见了",
  "The data folder {folder} is a file. Choose a folder with --data-dir or GALLEY_DATA_DIR.":
    "数据文件夹 {folder} 是一个文件。请选择一个文件夹。",
  "Bringing the database {file} to the present format failed ({other}); it is as it was before. Please report it.":
    "将数据库 {file} 转换为当前格式失败（{other}）；它与之前一样。请报告此问题。",
  "Another Galley is bringing the database {file} to its own format. Wait until it is done, then start again.":
    "另一个 Galley 正在把数据库 {file} 转换为它的格式。请等它完成后重新启动。",
  "The system gave no thread to write with ({error}). Close other programs, then try again.":
    "系统没有提供用于写入的线程（{error}）。请关闭其他程序后重试。",
  "There is no run {run} in this data folder. List the runs to see their ids.":
    "此数据文件夹中没有运行 {run}。请列出运行以查看其 id。",
  "Another Galley has the data folder {folder} open. Close every other Galley that uses it, then try again.":
    "另一个 Galley 正打开数据文件夹 {folder}。请关闭使用它的所有其他 Galley 后重试。",
  "There is no backup `{name}` in {folder}; choose one of those that are listed.":
    "{folder} 中没有备份 `{name}`；请从列出的备份中选择。",
  "The backup {from} cannot be used ({reason}). Choose another one.": "备份 {from} 无法使用（{reason}）。请另选一个。",
  "Reading the history was cut off ({error}). Try again.": "读取历史时中断（{error}）。请重试。",
  "The store is closed: nothing more is written. Open it again.": "存储已关闭：不再写入任何内容。请重新打开。",
};

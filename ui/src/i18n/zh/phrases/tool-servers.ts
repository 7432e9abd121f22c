// What the program says of tool servers, in Simplified Chinese: by the English forms.
export const toolServers: Record<string, string> = {
  "A call of `{name}` may take from 1 to {most} seconds, not {seconds}":
    "`{name}` 的一次调用可用 1 至 {most} 秒，而不是 {seconds} 秒",
  "Calls `{tool}` of the tool server `{server}`": "调用工具服务器 `{server}` 的 `{tool}`",
  "Calls `{tool}` of the tool server `{server}`, which says that this may destroy or overwrite something":
    "调用工具服务器 `{server}` 的 `{tool}`；该服务器说明，这可能会删除或覆盖内容",
  "The result of `{tool}` has {bytes} bytes; at most {most} are read. Ask for less":
    "`{tool}` 的结果有 {bytes} 字节；最多读取 {most} 字节。请减少要求的内容",
  "The tool server `{name}` cannot be used: {why}. `galley tool-server test {name}` tries it again":
    "工具服务器 `{name}` 无法使用：{why}。可在设置的“工具服务器”中再测试一次",
  "The tool server `{name}` does not list its tools: {why}": "工具服务器 `{name}` 没有列出工具：{why}",
  "The tool server `{name}` has both a command and a URL; leave one out":
    "工具服务器 `{name}` 同时有命令和 URL；请去掉其中一个",
  "The tool server `{name}` has neither a command nor a URL; give it one":
    "工具服务器 `{name}` 既没有命令也没有 URL；请填写其中一个",
  "The tool server `{name}` has no tool `{tool}`; it offers {known}":
    "工具服务器 `{name}` 没有工具 `{tool}`；它提供 {known}",
  "The tool server `{name}` is switched off": "工具服务器 `{name}` 已关闭",
  "The tool server `{server}` needs the environment variable `{env}`, which is not set":
    "工具服务器 `{server}` 需要环境变量 `{env}`，但它没有设置",
  "The value of `{variable}` is empty, has a line break, or is too long; paste only the value":
    "`{variable}` 的值为空、含有换行或过长；请只粘贴值本身",
  "There is a tool server `{name}` already; choose another name": "已有工具服务器 `{name}`；请另选名称",
  "There is no tool server `{name}`": "没有工具服务器 `{name}`",
  "There is no tool server `{name}`; add it with `galley tool-server add {name}`":
    "没有工具服务器 `{name}`；可在设置的“工具服务器”中添加",
  "There is no tool server `{name}`; there is {known}": "没有工具服务器 `{name}`；现有 {known}",
  "This is not a file of MCP servers: {why}. Choose one with `mcpServers` in it, as other programs write it":
    "这不是 MCP 服务器的文件：{why}。请选择其他程序写出的、含有 `mcpServers` 的文件",
  "You have {most} tool servers already; remove one first": "已有 {most} 个工具服务器；请先移除一个",
  "`{name}` cannot be sent as a header": "`{name}` 不能作为标头发送",
  "`{name}` cannot be the name of a tool server; use lower-case letters, digits, `-` and `_`, at most {most} characters":
    "`{name}` 不能作为工具服务器的名称；请使用小写字母、数字、`-` 和 `_`，最多 {most} 个",
  "`{name}` is not a variable or header of this tool server": "`{name}` 不是此工具服务器的变量或标头",
  "The response of `{tool}` does not match the schema that its server declares":
    "`{tool}` 的回答不符合它自己的模式；问题出在其服务器",
  "`{tool}` failed, and the server does not say why": "`{tool}` 失败，服务器没有说明原因",
  "`{tool}` failed: {why}": "`{tool}` 失败：{why}",
  "`{tool}` failed; the server says: {said}": "`{tool}` 失败；服务器的说明：{said}",
  "`{tool}` was stopped": "`{tool}` 已停止",
  "`{url}` is not the address of a tool server; it begins with https:// or http://":
    "`{url}` 不是工具服务器的地址；地址以 https:// 或 http:// 开头",
  "`{variable}` of the tool server `{server}` is not kept for this command or address; save it again":
    "工具服务器 `{server}` 的 `{variable}` 没有为此命令或地址保存；请重新保存",
  "it does not speak the protocol of tool servers": "它不使用工具服务器的协议",
  "it ended: {last}": "它已结束：{last}",
  "it sent too much data": "它发送的内容超出了请求",
  "it speaks other versions of the protocol: {versions}": "它使用协议的其他版本：{versions}",
  "it was not ready in {seconds} seconds": "它在 {seconds} 秒内没有就绪",
  "its response does not follow the protocol": "它的回答不符合协议",
  "its name contains characters other than letters, digits, `_`, `-` and `.`, or is too long":
    "名称含有字母、数字、`_`、`-`、`.` 以外的字符，或过长",
  "its schema has more than {most} bytes": "其模式超过 {most} 字节",
  "its schema is not valid: {error}": "其模式无效：{error}",
  "no answer in {seconds} seconds": "{seconds} 秒内没有回答",
  "the connection broke": "连接中断",
  "the schema of its input is not that of an object": "其输入的模式不是对象",
  "the server has two tools of this name": "服务器有两个同名工具",
  "received {bytes} bytes from {tool}": "{tool} 给出 {bytes} 字节",
  "Your tool servers": "你的工具服务器",
  "What is kept of allowed tools": "已允许工具的记录",
  "it is too long": "文件太长",
  "it names no server": "其中没有服务器",
  "`{tool}` was not called: its server has described it differently since the call was decided. Ask for it again":
    "没有调用 `{tool}`：在决定之后，其服务器更改了对它的说明。请重新提出请求",
  "its schema contains invisible characters": "其模式含有不可见的字符",
  "its schema expands to more than {most} parts": "其模式展开后超过 {most} 个部分",
  "the server lists more tools than Galley reads": "服务器说明的工具超过可读取的数量",
  "The tool server `{name}` was removed, changed or ended": "工具服务器 `{name}` 已被移除、更改或结束",
  "`{tool}` asks before it continues: {message}": "`{tool}` 在继续之前询问：{message}",
  "I have done it there": "已在网页上完成",
  "Do not tell": "不告知",
  "End the call": "结束调用",
  "`{tool}` asks something before it continues": "`{tool}` 在继续之前有问题要问",
  "it asks more than Galley passes on": "它的提问超出了 Galley 转达的范围",
  "it wants a model to answer it, which Galley refuses to tool servers":
    "它想让模型来回答，Galley 不允许工具服务器这样做",
  "it wants to know your folders, which Galley refuses to tool servers":
    "它想知道您的文件夹，Galley 不允许工具服务器这样做",
  "its question cannot be shown: {why}": "它的提问无法显示：{why}",
  "it wants a page opened whose address is not safe": "它要打开的网页地址不安全",
  "it asks in a way that Galley does not know": "它的提问方式 Galley 不认识",
  "its server ended while the question was open": "问题尚未回答时服务器就结束了",
  "its server cancelled it": "服务器取消了它",
  'No agent of `{pipeline}` takes tools of servers; write `added_tools = "called"` at one, in a copy of your own':
    '`{pipeline}` 没有使用服务器工具的智能体；请在自己的副本中为某个智能体写上 `added_tools = "called"`',
  "`{tool}` is not a tool of a server that is set up; write SERVER/TOOL, or SERVER/* for all of its tools":
    "`{tool}` 不是已设置的服务器的工具；请写 SERVER/TOOL，或用 SERVER/* 表示其全部工具",
  "The tools that are added to `{pipeline}` take about {tokens} tokens of each plan; at most {most} are told. Add fewer of them":
    "添加到 `{pipeline}` 的工具在每个计划中约占 {tokens} 个令牌；最多 {most} 个。请少添加一些",
  "The tool server `{name}` does not give this to read: {why}": "无法从工具服务器 `{name}` 读取：{why}",
  "it is not a text": "它不是文本",
  "it has more than {most} bytes": "它超过 {most} 字节",
  "The tool server `{name}` asks you to sign in: `galley tool-server sign-in {name}`":
    "工具服务器 `{name}` 要求登录；请在设置的“工具服务器”中登录",
  "The tool server `{name}` does not allow this to the account that you signed in with; sign in with another: `galley tool-server sign-in {name}`":
    "工具服务器 `{name}` 不允许你登录的帐户这样做；请在设置的“工具服务器”中换一个帐户登录",
  "The tool server `{name}` asks for more than you allowed: {scopes}. If you allow it, sign in again with `galley tool-server sign-in {name}`":
    "工具服务器 `{name}` 要求的权限超出你已允许的范围：{scopes}。如果允许，请在设置的“工具服务器”中重新登录",
  "The sign-in at the tool server `{name}` is over; sign in again: `galley tool-server sign-in {name}`":
    "工具服务器 `{name}` 的登录已失效；请在设置的“工具服务器”中重新登录",
  "The sign-in at the tool server `{name}` failed: {why}": "登录工具服务器 `{name}` 失败：{why}",
  "The sign-in at the tool server `{name}` cannot be renewed now: {why}. Try again later":
    "工具服务器 `{name}` 的登录现在无法续期：{why}。请稍后再试",
  "The sign-in at `{server}` is being changed by another program that does not let go of it; close it, then try again":
    "另一个程序正在更改 `{server}` 的登录，并且没有放开；请关闭该程序后再试",
  "The sign-in at `{server}` cannot be kept in {folder}: {error}": "`{server}` 的登录无法保存在 {folder}：{error}",
  "The sign-in at `{name}` was cancelled": "已取消登录 `{name}`",
  "The tool server `{name}` gets its header Authorization from you; remove that to sign in instead":
    "工具服务器 `{name}` 的标头 Authorization 由你设置；要改用登录，请先移除它",
  "The tool server `{name}` is a program of this machine; there is nowhere to sign in":
    "工具服务器 `{name}` 是本机的程序，没有可登录的地方",
  "The tool server `{name}` lets no program register itself. Register Galley there, then give the client ID: `galley tool-server sign-in {name} --client ID`":
    "工具服务器 `{name}` 不允许程序自行注册。请在那里注册 Galley，然后用客户端 ID 登录",
  "Nobody signed in at `{name}` within {minutes} minutes; try again": "{minutes} 分钟内没有人登录 `{name}`；请重试",
  "No sign-in at `{name}` waits; begin one first": "没有等待完成的 `{name}` 登录；请先开始登录",
  "You are not signed in at the tool server `{name}`": "你没有登录工具服务器 `{name}`",
  "You are signed out at `{name}`. It offers no way to revoke what it gave Galley, which ends by itself":
    "已从 `{name}` 注销。它没有提供撤销令牌的方式；令牌会自行失效",
  "You are signed out at `{name}`, but it did not revoke what it gave Galley: {why}. To be sure, remove Galley in your account there":
    "已从 `{name}` 注销，但它没有撤销给 Galley 的令牌：{why}。为保险起见，请在那里的帐户中移除 Galley",
  "`{scope}` cannot be a scope; write one word without quotes": "`{scope}` 不能作为权限范围；请写一个不带引号的词",
  "it answers with HTTP {status}": "它返回 HTTP {status}",
  "it names another authorization server now": "它现在指定了另一个授权服务器",
  "it publishes nothing about signing in with OAuth": "它没有公布如何用 OAuth 登录",
  "its authorization server does not support PKCE with S256, which protects the sign-in":
    "其授权服务器不支持保护登录的 PKCE（S256）",
  "no port of this machine can be used: {error}": "本机没有可用的端口：{error}",
  "the address to revoke at cannot be used": "用于撤销的地址无法使用",
  "A sign-in at `{name}` needs the system's keyring; make it available, then try again":
    "登录 `{name}` 需要系统的密钥环；请先使其可用，然后再试",
  "it does not know the scopes that it names: {scopes}": "它不认识自己列出的权限范围：{scopes}",
  "it does not give these scopes: {scopes}. The next sign-in asks for those that the server names":
    "它不给予这些权限范围：{scopes}。下次登录将请求服务器列出的权限范围",
  "the address to sign in at cannot be used": "登录地址无法使用",
  "the server gives no bearer token": "服务器没有给出 Bearer 令牌",
  "The tool server `{name}` gives tokens of {bytes} bytes; at most {most} are kept":
    "工具服务器 `{name}` 给出的令牌有 {bytes} 字节；最多保存 {most} 字节",
  "you ended it at its question": "您在它提问时结束了它",
  "`{tool}` asked {most} times and still was not done; it was given up": "`{tool}` 问了 {most} 次仍未完成；已放弃",
  "it was given up, because too many questions of its server were open": "其服务器未回答的问题过多，已放弃此调用",
};

// What the program says of models, the network and the keyring, in Simplified Chinese: by the English forms.
export const models: Record<string, string> = {
  "Profile `{profile}` has no base URL; give it one, such as http://127.0.0.1:8080/v1.":
    "配置 `{profile}` 没有地址；请填写一个，例如 http://127.0.0.1:8080/v1。",
  "The base URL of profile `{profile}` is not an address; it should look like http://127.0.0.1:8080/v1.":
    "配置 `{profile}` 的地址不是网络地址；应类似 http://127.0.0.1:8080/v1。",
  "The base URL of profile `{profile}` must begin with http:// or https:// and name a server.":
    "配置 `{profile}` 的地址必须以 http:// 或 https:// 开头并指明服务器。",
  "The base URL of profile `{profile}` carries a name, a password, or a part behind ? or #; keep it out of the address, and give a key as the profile's.":
    "配置 `{profile}` 的地址中含有名称、密码，或 ? 或 # 之后的部分；请勿放在地址中，密钥请作为该配置的密钥填写。",
  "The base URL of profile `{profile}` is outside this machine, and {why}, or use a loopback address.":
    "配置 `{profile}` 的地址在本机之外，而{why}，或使用回环地址。",
  "Model `{model}` at {server} refused the content of this request; change the topic or the text and try again.":
    "{server} 上的模型 `{model}` 拒绝了此请求的内容；请更改主题或文本后重试。",
  "The answer of {server} was ended because it grew beyond {most} MB; ask for less or use another model.":
    "{server} 的回答超过 {most} MB，已被终止；请减少要求或换用其他模型。",
  "The answer of {server} broke off in the middle; try again.": "{server} 的回答中途中断；请重试。",
  "{server} sent an answer that cannot be read; try again, and if it stays so, check the base URL of profile `{profile}`.":
    "{server} 发来的回答无法读取；请重试，若仍如此，请检查配置 `{profile}` 的地址。",
  "{server} answers, but not as a server of this provider does; check the base URL of profile `{profile}`.":
    "{server} 有响应，但不像此服务商的服务器；请检查配置 `{profile}` 的地址。",
  "No connection to {server}; check that the server runs and that the base URL of profile `{profile}` is right.":
    "无法连接到 {server}；请检查服务器是否在运行，以及配置 `{profile}` 的地址是否正确。",
  "The base URL of profile `{profile}` cannot be used in a request; check it.":
    "配置 `{profile}` 的地址无法用于请求；请检查。",
  "The connection to {server} broke; try again.": "与 {server} 的连接中断；请重试。",
  "{server} was silent for too long; try again.": "{server} 长时间没有响应；请重试。",
  "The request is no JSON: {error}": "请求不是 JSON：{error}",
  "{server} does not know model `{model}`; it lists {names}. Name one of them in profile `{profile}`; `galley models {profile}` lists them all.":
    "{server} 没有模型 `{model}`；它提供 {names}。请在配置 `{profile}` 中填写其中之一。",
  "Provider `{provider}` of profile `{profile}` is not known; known are {known}.":
    "配置 `{profile}` 的服务商 `{provider}` 未知；已知的有 {known}。",
  "{server} lists no models; install or enable one there, or name one for profile `{profile}` yourself.":
    "{server} 没有列出任何模型；请在那里安装或启用一个，或在配置 `{profile}` 中自行填写。",
  "{named} and {more} more": "{named} 等，另有 {more} 个",
  "The key of profile `{profile}` has characters that no request can carry; it may have been pasted with something around it.":
    "配置 `{profile}` 的密钥含有请求无法携带的字符；粘贴时可能带上了别的内容。",
  "No HTTP client can be made for profile `{profile}`; the system's certificates may be missing.":
    "无法为配置 `{profile}` 创建 HTTP 客户端；系统可能缺少证书。",
  "It names no version; such servers are mostly found at {address}.": "地址中没有版本；这类服务器大多位于 {address}。",
  " (HTTP {status})": "（HTTP {status}）",
  "{server} wants a key{status_words}, and profile `{profile}` has none; add the profile again with a key.":
    "{server} 需要密钥{status_words}，而配置 `{profile}` 没有；请重新添加带密钥的配置。",
  "Key of profile `{profile}` was refused by {server}{status_words}; check it with `galley profile test {profile}`.":
    "配置 `{profile}` 的密钥被 {server} 拒绝{status_words}。",
  "Quota or credit of profile `{profile}` at {server} is used up{status_words}; add credit, wait until it is renewed, or use another profile.":
    "配置 `{profile}` 在 {server} 的配额或余额已用完{status_words}；请充值、等待恢复或使用其他配置。",
  "{server} takes no more requests of profile `{profile}` just now{status_words}; it asks to wait {seconds} s.":
    "{server} 目前不再接受配置 `{profile}` 的请求{status_words}；它要求等待 {seconds} 秒。",
  "{server} takes no more requests of profile `{profile}` just now{status_words}; wait a little and try again.":
    "{server} 目前不再接受配置 `{profile}` 的请求{status_words}；请稍候重试。",
  "{server} gave no answer in time{status_words}; try again.": "{server} 没有及时回答{status_words}；请重试。",
  "{server} refused the content of this request to model `{model}`{status_words}; change the topic or the text and try again.":
    "{server} 拒绝了发给模型 `{model}` 的此请求的内容{status_words}；请更改主题或文本后重试。",
  "{server} has no list of models{status_words}; check the base URL of profile `{profile}`.":
    "{server} 没有模型列表{status_words}；请检查配置 `{profile}` 的地址。",
  "{server} does not know model `{model}` (any more), or is not the right address{status_words}; `galley models {profile}` lists the models there are, else check the base URL.":
    "{server} 没有（或不再有）模型 `{model}`，或者地址不对{status_words}；请检查配置 `{profile}` 中的模型和地址。",
  "{server} only points to another address{status_words}, which is not followed; give profile `{profile}` the base URL it points to.":
    "{server} 只指向另一个地址{status_words}，不会跟随；请把它指向的地址填入配置 `{profile}`。",
  "{server} refused the request{status_words}; its words say why, check the base URL of profile `{profile}`.":
    "{server} 拒绝了请求{status_words}；原因见其说明，请检查配置 `{profile}` 的地址。",
  "{server} refused the request to model `{model}`{status_words}; its words say why, check the model and the base URL of profile `{profile}`.":
    "{server} 拒绝了对模型 `{model}` 的请求{status_words}；原因见其说明，请检查配置 `{profile}` 的模型和地址。",
  "{server} is overloaded or broken just now{status_words}; try again in a while.":
    "{server} 目前过载或出现故障{status_words}；请稍后重试。",
  "A value of a request to a model is not here, only its hash; this is an error of the program.":
    "请求模型所需的一个值不在这里，只有其哈希；这是程序的错误。",
  "tokens not counted": "词元未计数",
  "{input} tokens in, {output} out": "输入 {input} 个词元，输出 {output} 个",
  "Its server refused {parts} and is asked without.": "其服务器拒绝了 {parts}，因此请求时不再包含。",
  "Model `{name}` answered in {seconds} s ({tokens}).": "模型 `{name}` 在 {seconds} 秒内作答（{tokens}）。",
  "The trial of model `{model}` was ended because its answer was not complete within {seconds} s; if the server is still loading the model try again in a while, else check the server.":
    "模型 `{model}` 的回答未在 {seconds} 秒内完成，试用已终止；如果服务器仍在加载模型，请稍后重试，否则请检查服务器。",
  "an unspecified address": "未指定的地址",
  "a private address": "私有地址",
  "an address inside a provider's network": "运营商网络内部的地址",
  "a loopback address": "回环地址",
  "a link-local address": "链路本地地址",
  "an address of the protocol itself": "协议自身的地址",
  "a documentation address": "文档用地址",
  "a relay address": "中继地址",
  "a benchmarking address": "基准测试用地址",
  "a multicast address": "多播地址",
  "a broadcast address": "广播地址",
  "a reserved address": "保留地址",
  "a translated private address": "转换后的私有地址",
  "a discarded address": "丢弃用地址",
  "a 6to4 address": "6to4 地址",
  "a segment-routing address": "分段路由地址",
  "an address outside the public internet": "公共互联网之外的地址",
  "it points to what is no address of the web": "它指向的不是网络地址",
  "no client can be made: {why}": "无法创建客户端：{why}",
  "`{text}` is not an address of the web; it should look like https://example.org/page":
    "`{text}` 不是网络地址；应类似 https://example.org/page",
  "{host} was not contacted: {reason}. If it is meant, add its base URL: `galley config set net.allow URL`":
    "没有联系 {host}：{reason}。如果确实要访问，请在设置中允许其地址",
  "{host} was not contacted, because {reason}": "没有联系 {host}：{reason}",
  "{host} cannot be reached ({cause}); check the network and try again": "无法访问 {host}（{cause}）；请检查网络后重试",
  "The connection to {host} broke ({cause}); try again": "与 {host} 的连接中断（{cause}）；请重试",
  "{host} did not answer within {seconds} s; try again later": "{host} 未在 {seconds} 秒内响应；请稍后重试",
  "{host} sent more than {most} bytes, which is not read; open the address in a browser":
    "{host} 发来超过 {most} 字节，不予读取；请在浏览器中打开该地址",
  "{host} led to more than {most} other addresses in a row; open the address in a browser":
    "{host} 连续转向了超过 {most} 个其他地址；请在浏览器中打开该地址",
  "The page of {host} opened more than {most} connections; what is missing was not loaded":
    "{host} 的网页打开了超过 {most} 个连接；缺少的内容没有加载",
  "its address has no valid path": "其地址没有有效的路径",
  "The request to {host} cannot be written: {reason}": "无法写出对 {host} 的请求：{reason}",
  "its name stands for {address}, {kind}": "其名称解析为 {address}（{kind}）",
  "GALLEY_OFFLINE=1 keeps the program on this machine; unset it": "GALLEY_OFFLINE=1 使程序只在本机活动；请取消设置",
  "a build for development and tests keeps to this machine; set GALLEY_LIVE=1 to open the network":
    "供开发和测试的构建只在本机活动；要开放网络请设置 GALLEY_LIVE=1",
  "the key has characters that no key has; set it anew": "密钥含有密钥不会有的字符；请重新设置",
  "{host} wants what was sent to it passed on": "{host} 要求转交发给它的内容",
  "`{scheme}` is neither http nor https": "`{scheme}` 既不是 http 也不是 https",
  "it carries a name or a password": "其中含有名称或密码",
  "it names no server": "没有指明服务器",
  "the program keeps to this machine": "程序只在本机活动",
  "it is {kind}": "它是{kind}",
  "a name without a dot is one of the local network": "不带点的名称属于本地网络",
  "it is a name of the local network": "它是本地网络的名称",
  "port {port} is not one of the web": "端口 {port} 不是网页端口",
  "Keep the key for this session only, or name an environment variable that holds it.":
    "请仅在本次会话中保留密钥，或指定存放密钥的环境变量。",
  "There is no keyring here: the system's {keyring} does not answer.": "这里没有密钥环：系统的 {keyring} 没有响应。",
  "The system's {keyring} is locked or was not unlocked ({why}). Unlock it and try again.":
    "系统的 {keyring} 已锁定或未解锁（{why}）。请解锁后重试。",
  "The key is longer than the {most} characters that the system's {keyring} takes.":
    "密钥超过系统的 {keyring} 可接受的 {most} 个字符。",
  "What the system's {keyring} holds for this profile is no key. Save the key anew.":
    "系统的 {keyring} 中此配置的内容不是密钥。请重新保存密钥。",
  "The system's {keyring} holds several keys for this profile. Remove all but one there, or save the key anew.":
    "系统的 {keyring} 中此配置有多个密钥。请只保留一个，或重新保存密钥。",
  "The system's {keyring} refused.": "系统的 {keyring} 拒绝了请求。",
  "The system's {keyring} could not be asked.": "无法访问系统的 {keyring}。",
  "The system's {keyring} did not answer within {seconds} seconds.": "系统的 {keyring} 在 {seconds} 秒内没有响应。",
  "This request needs at least {needed} tokens, {answer} of them for the answer, and the context window of model `{model}` at {server} has {window}; it was not sent.":
    "此请求至少需要 {needed} 个词元，其中 {answer} 个用于回答，而 {server} 上的模型 `{model}` 的上下文窗口只有 {window} 个；请求没有发送。",
  "What helps: a model with a larger window, shorter inputs, or a lower limit `max_output_tokens`.":
    "可行的办法：换用窗口更大的模型、缩短输入，或降低限额 `max_output_tokens`。",
  "{server} refused the request to model `{model}`, because it does not fit the model's context window{status_words}. What helps: a model with a larger window, shorter inputs, or a lower limit `max_output_tokens`.":
    "{server} 拒绝了发给模型 `{model}` 的请求，因为它超出了模型的上下文窗口{status_words}。可行的办法：换用窗口更大的模型、缩短输入，或降低限额 `max_output_tokens`。",
  "It serves no model. Start it with one: `llama-server -m FILE.gguf`.":
    "它没有加载模型。请带模型启动：`llama-server -m FILE.gguf`。",
  "Start the server with a larger context (`llama-server -c TOKENS`; `-np` divides it).":
    "请用更大的上下文启动服务器（`llama-server -c TOKENS`；`-np` 会将其平分）。",
  "It has no model. Download one in LM Studio.": "它没有模型。请在 LM Studio 中下载一个。",
  "Load the model with a larger context length, in its load settings in LM Studio.":
    "请在 LM Studio 的加载设置中用更大的上下文长度加载模型。",
  "It serves no model. Start it with one: `vllm serve MODEL`.": "它没有加载模型。请带模型启动：`vllm serve MODEL`。",
  "Start the server with a larger window (`--max-model-len TOKENS`).":
    "请用更大的窗口启动服务器（其选项 `max-model-len`）。",
  "It has no model. Install one: `ollama pull MODEL`.": "它没有模型。请安装一个：`ollama pull MODEL`。",
};

// What the program says of profiles, keys and settings, in Simplified Chinese: by the English forms.
export const accounts: Record<string, string> = {
  "The name of the environment variable may hold letters, digits and _ only and begins with no digit; give the variable's name, never the key":
    "环境变量的名称只能包含字母、数字和 _，且不能以数字开头；请填写变量名，不要填写密钥",
  "No environment variable of this name is set; set it, start Galley again and give the variable's name, never the key":
    "没有设置此名称的环境变量；请设置后重新启动 Galley，并填写变量名，不要填写密钥",
  "`{name}` cannot be a profile's name; use letters, digits, - and _":
    "`{name}` 不能作为配置名称；请使用字母、数字、- 和 _",
  "Profile `{name}` cannot stand in for itself; name another profile, or none":
    "配置 `{name}` 不能作为自己的备用配置；请指定另一个配置，或不指定",
  "`{name}` is no fallback; choose `{built_in}`, which does a stage without a model, or `ask`":
    "`{name}` 不是备用方式；请选择 `{built_in}`（不用模型完成该阶段）或 `ask`",
  "`{value}` is no level of a log; set error, warn, info, debug or trace, or CRATE=LEVEL,…; nothing for no log":
    "`{value}` 不是日志级别；请设为 error、warn、info、debug 或 trace，或 CRATE=LEVEL,…；留空则不记录",
  "Profile `{name}` is of `{provider}` and cannot stand in for one of `{wanted}`; name a profile of `{wanted}`":
    "配置 `{name}` 属于 `{provider}`，不能作为 `{wanted}` 配置的备用；请指定 `{wanted}` 的配置",
  "The address carries a name, a password, or a part behind ? or #; keep it out of the address, and give a key as the service's":
    "地址中含有名称、密码，或 ? 或 # 之后的部分；请勿放在地址中，密钥请作为该服务的密钥填写",
  "This is no address of the web; it should look like http://127.0.0.1:8080":
    "这不是网络地址；应类似 http://127.0.0.1:8080",
  "a number from 0 on": "不小于 0 的数字",
  "a whole number from 1 on": "不小于 1 的整数",
  "a whole number from 0 on": "不小于 0 的整数",
  "The limit `{limit}` cannot be {value}; give {wanted}": "上限 `{limit}` 不能为 {value}；请填写{wanted}",
  "`{key}` is `{choices}`, not `{value}`": "`{key}` 只能是 `{choices}`，不能是 `{value}`",
  "`{agent}` may be asked {most} times, fewer than the {rounds} rounds in which it works. At its limit the run will pause and ask.":
    "`{agent}` 最多可被询问 {most} 次，少于它参与的 {rounds} 轮。达到上限时，运行会暂停并询问。",
  "With {most} tokens the run cannot come to its end: it needs at least {least}. It will pause and ask.":
    "{most} 个词元不够运行到结束：至少需要 {least} 个。届时会暂停并询问。",
  "With ${most} the run cannot come to its end: it costs at least ${least}. It will pause and ask.":
    "${most} 不够运行到结束：至少需要 ${least}。届时会暂停并询问。",
  "Under the limit of ${most} nothing is sent to {models}: the price is not known. Put it into `prices.toml` in the data folder (0 where nobody is paid), or start without this limit. It will pause and ask.":
    "在 ${most} 的上限下不会向 {models} 发送任何请求：价格未知。请把价格写入数据文件夹中的 `prices.toml`（免费则写 0），或不设此上限再开始。届时会暂停并询问。",
  "The environment variable `{variable}`, where profile `{name}` finds its key, is not set; set it and try again":
    "配置 `{name}` 的密钥应在环境变量 `{variable}` 中，但该变量未设置；请设置后重试",
  "Profile `{name}` has no key here. Open the profile and save one, or `galley profile add {name} … --key-stdin`":
    "配置 `{name}` 没有密钥。请打开该配置并保存一个密钥",
  "The key of profile `{profile}` cannot be read.": "无法读取配置 `{profile}` 的密钥。",
  "The key is empty; paste it as the provider shows it": "密钥为空；请粘贴服务商显示的密钥",
  "Profile `{name}` was changed while its key was being saved, so the key was not kept; look at the profile and save the key again":
    "保存密钥期间配置 `{name}` 被更改，因此没有保留密钥；请查看该配置后重新保存密钥",
  "A built-in profile asks nobody, so it needs no key": "内置配置不向任何人请求，因此不需要密钥",
  "This is no key: it holds blanks, line breaks or is too long; paste only the key":
    "这不是密钥：含有空格、换行或过长；请只粘贴密钥",
  "What earlier runs used cannot be read: {why}": "无法读取以前运行的用量：{why}",
  "{name}: {why}": "{name}：{why}",
  "{price} is no price (`{model}` of `{provider}`)": "{price} 不是价格（`{provider}` 的 `{model}`）",
  "Profile `{name}` is of `{provider}`, which is searched and has no models; name a profile of a provider of models":
    "配置 `{name}` 属于 `{provider}`，它用于搜索，没有模型；请指定提供模型的服务商的配置",
  "Profile `{name}` names no model for the role `{role}`; add one: `galley profile add {name} --model default=NAME …`":
    "配置 `{name}` 没有为角色 `{role}` 指定模型；请在该配置中填写",
  "Profile `{name}` is of `{provider}`, so its key is not for `{service}`; name a profile of `{service}`":
    "配置 `{name}` 属于 `{provider}`，其密钥不用于 `{service}`；请指定 `{service}` 的配置",
  "The built-in profile cannot be removed; `galley profile list` names the others": "内置配置不能移除",
  "Profile `{name}` is still named by `{uses}`; name another there first, then remove it":
    "配置 `{name}` 仍被 `{uses}` 引用；请先在那里指定另一个，然后再移除",
  "Works without a model, a key or the network": "无需模型、密钥或网络即可使用",
  "Profile `{name}` works without a model, so there is none to list; `galley profile list` names the others":
    "配置 `{name}` 不用模型工作，因此没有模型可列出",
  "Profile `{name}` was not added, because its key could not be kept.": "无法保存密钥，因此没有添加配置 `{name}`。",
  "Profile `{name}` stays as it was, because its key could not be kept.": "无法保存密钥，因此配置 `{name}` 保持不变。",
  "Profile `{profile}` stays as it is, because its key could not be removed from the keyring; unlock the keyring, or start its service, and try again. {why}":
    "无法从密钥环中移除密钥，因此配置 `{profile}` 保持不变；请解锁密钥环或启动其服务后重试。{why}",
  "The environment variable `{variable}`, where the service `{name}` finds its key, is not set; set it and try again":
    "服务 `{name}` 的密钥应在环境变量 `{variable}` 中，但该变量未设置；请设置后重试",
  "There is no search source `{id}`; there is {known}": "没有搜索来源 `{id}`；现有 {known}",
  "There is no search source for `{provider}`": "没有用于 `{provider}` 的搜索来源",
  "There is no tool `{tool}`": "没有工具 `{tool}`",
  "{source} answered a search in {seconds} s, with this key.": "{source} 使用此密钥在 {seconds} 秒内完成了搜索。",
  "{source} answered a search in {seconds} s, without a key.": "{source} 无需密钥，在 {seconds} 秒内完成了搜索。",
  "This text is too long for settings; choose another file": "此文本过长，不能作为设置；请选择另一个文件",
  "This is not valid TOML: {why}; choose a file that Galley exported":
    "这不是有效的 TOML：{why}；请选择由 Galley 导出的文件",
  "In this text {error}; mend it, or choose another file": "此文本中 {error}；请修正，或选择另一个文件",
  "are not valid TOML: {why}; mend or remove the file": "不是有效的 TOML：{why}；请修正或移除该文件",
  "mend or remove the file": "请修正或移除该文件",
  "move the folder away": "请移走该文件夹",
  "the link leads to nothing: mend or remove it": "链接没有指向任何文件：请修正或移除它",
  "give yourself the right to read it": "请取得读取它的权限",
  "see to that, then try again": "请处理后重试",
  "cannot be read: {error}; {advice}": "无法读取：{error}；{advice}",
  "The settings {file} {why}": "设置 {file} {why}",
  "The settings {file} are being changed by another program that does not let go of them; close it, then try again":
    "设置 {file} 正被另一个程序更改且未释放；请关闭它后重试",
  "The settings {file} cannot be written: {error}; nothing was changed":
    "无法写入设置 {file}：{error}；没有更改任何内容",
  "There is no profile `{name}`; there is {known}": "没有配置 `{name}`；现有 {known}",
  "`{setting}` is a number of seconds, like 20, and not `{value}`": "`{setting}` 是秒数，例如 20，不能是 `{value}`",
  "Profile `{name}` got another key while it was being changed; look at the profile and change it again":
    "更改期间配置 `{name}` 得到了另一个密钥；请查看该配置后重新更改",
  "There is no setting `{key}`; there is {known}": "没有设置项 `{key}`；现有 {known}",
  "`{key}` {wanted}": "`{key}` {wanted}",
  "`{name}` in the settings is not a table; mend the file": "设置中的 `{name}` 不是表；请修正该文件",
  "The built-in profile asks no model, so nothing of it has a price": "内置配置不请求模型，因此没有价格",
  "A price is of one model; name the model": "价格属于一个模型；请指定模型",
  "“{text}” is no price; write US dollars with a point, such as 0.25, or 0 where nobody is paid":
    "“{text}”不是价格；请用小数点填写美元金额，例如 0.25，免费则填 0",
  "“{text}” is too high for a million tokens; at most {most} US dollars can be set":
    "“{text}”作为每百万词元的价格过高；最多可设 {most} 美元",
  "The prices {file} cannot be written: {error}; nothing was changed": "无法写入价格文件 {file}：{error}；未做任何更改",
  "The table of prices cannot be read, so nothing was changed; mend or remove it. {why}":
    "无法读取价格表，因此未做任何更改；请修正或删除该文件。{why}",
  "another line of the table holds for `{model}`": "表中另一行适用于 `{model}`",
  "`{value}` is no contact address; give an e-mail address or a URL, in letters from a to z, without spaces and brackets, or nothing":
    "`{value}` 不能作为联系方式放进请求；请填写邮件地址或网页地址，只用英文字母等字符，不含空格和括号，或者留空",
};

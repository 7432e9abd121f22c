// What the program says of search sources and files that are read, in Simplified Chinese: by the English forms.
export const sources: Record<string, string> = {
  "The articles on this machine: what you imported, and the sample library. Needs no network.":
    "本机上的文章：导入的内容和自带的示例资料库。无需网络。",
  "the library": "资料库",
  "`{tool}` cannot read its input: {error}": "`{tool}` 无法读取其输入：{error}",
  "`{tool}` cannot read the field `{field}` of its input: {why}": "`{tool}` 无法读取其输入的字段 `{field}`：{why}",
  '"{file}" {reason}': "“{file}”{reason}",
  "was not found: check the path.": "未找到：请检查路径。",
  "could not be read ({reason}): check its permissions.": "无法读取（{reason}）：请检查其权限。",
  "is empty: there is nothing to import.": "是空的：没有可导入的内容。",
  "is larger than 64 MB, which is the most that is read: split it and import the parts.":
    "超过可读取的上限 64 MB：请拆分后分别导入。",
  "is of a kind that cannot be read: Markdown, text, HTML, PDF, Word (docx), JSONL, RSS and Atom files can.":
    "的类型无法读取：可读取 Markdown、文本、HTML、PDF、Word（docx）、JSONL、RSS 和 Atom 文件。",
  "is not UTF-8 text, and its encoding is not clear: save it as UTF-8 and import it again.":
    "不是 UTF-8 文本，其编码也不明确：请另存为 UTF-8 后重新导入。",
  "could not be understood: {reason}.": "无法理解：{reason}。",
  "stopped its reader: it is damaged, or unpacks to more than is read; save it anew with another program.":
    "使其读取器停止：文件已损坏，或解压后超过可读取的上限；请用其他程序重新保存。",
  "took longer than {seconds} s to read and was given up: import a smaller part of it.":
    "读取超过 {seconds} 秒，已放弃：请导入其中较小的部分。",
  "is a folder without a file that can be read: Markdown, text, HTML, PDF, Word (docx), JSONL, RSS and Atom files can.":
    "是没有可读取文件的文件夹：可读取 Markdown、文本、HTML、PDF、Word（docx）、JSONL、RSS 和 Atom 文件。",
  "permission was denied": "权限不足",
  "the feed has no entries with a title or a text": "订阅源中没有带标题或文本的条目",
  "{count} of its dates could not be read; their entries have no day": "其中 {count} 个日期无法读取；相应条目没有日期",
  "{left} of {total} entries are empty or too many and were left out": "{total} 个条目中有 {left} 个为空或过多，已略去",
  "its elements are nested deeper than {most}": "其元素嵌套超过 {most} 层",
  "it has more than {files} files or is deeper than {folders} folders; the rest was left out":
    "文件超过 {files} 个或深度超过 {folders} 层文件夹；其余部分已略去",
  "the page is too large or too deep to find its article in; all its text was taken":
    "页面过大或过深，无法找出文章；已采用全部文本",
  "the article of the page could not be found; all its text was taken": "无法找到页面的文章；已采用全部文本",
  "none of its {total} lines is a record with a title and a summary": "{total} 行中没有一行是带标题和摘要的记录",
  "{count} of {total} lines are no records and were left out: line {numbers}, and more":
    "{total} 行中有 {count} 行不是记录，已略去：第 {numbers} 行等",
  "{count} of {total} lines are no records and were left out: line {numbers}":
    "{total} 行中有 {count} 行不是记录，已略去：第 {numbers} 行",
  '"{title}" is longer than {most} bytes; its end was left out': "“{title}”超过 {most} 字节；结尾已略去",
  "it is neither an ordinary file nor a folder": "它既不是普通文件也不是文件夹",
  "it has no text; if its pages are pictures, have them recognised first": "没有文本；如果页面是图片，请先进行文字识别",
  "{damaged} of its pages are damaged and were left out": "其中 {damaged} 页已损坏，已略去",
  "its last {omitted} pages or parts were left out: it is too long": "最后 {omitted} 页或部分已略去：内容过长",
  "its reader had to be stopped; what it read until then was taken": "其读取器被迫停止；已采用此前读取的内容",
  "no reader for it: {reason}": "没有可用的读取器：{reason}",
  "no article has “{word}”; searched for “{meant}”": "没有文章包含“{word}”；已改为搜索“{meant}”",
  "found nothing on this topic": "没有找到与该主题相关的内容",
  "found 1 article": "找到 1 篇文章",
  "found {n} articles": "找到 {n} 篇文章",
  "{found}. {note}": "{found}。{note}",
  "searched {what} for “{query}” from {from} to {until}": "在{what}中搜索“{query}”，{from} 至 {until}",
  "arXiv refused the question; ask it in other words": "arXiv 拒绝了该查询；请换用其他词语",
  "The open news; falls back to the library and says so when the web cannot be searched.":
    "公开新闻；无法搜索网络时使用资料库，并会说明。",
  "the library, which is searched where the web cannot be reached,": "无法访问网络时搜索的资料库",
  "what can be reached": "可访问的来源",
  "articles were compared by their words alone: the files of the language model are not beside the program; install Galley again":
    "文章只按字词进行了比较：语言模型的文件不在程序旁边，请重新安装 Galley",
  "articles were compared by their words alone: `{file}` of the language model is damaged; install Galley again":
    "文章只按字词进行了比较：语言模型的 `{file}` 已损坏，请重新安装 Galley",
  "articles were compared by their words alone: comparing their meaning broke down; please report it":
    "文章只按字词进行了比较：按含义比较时出错，请报告此问题",
  "The web could not be searched, so the library was": "无法搜索网络，因此改为搜索资料库",
  "News by Brave Search. Needs a key of a paid plan.": "Brave Search 的新闻。需要付费方案的密钥。",
  "None of the {total} feeds could be read. The first: {why}": "{total} 个订阅源都无法读取。第一个：{why}",
  "The feed {title}: {why}": "订阅源 {title}：{why}",
  "{more} more feeds could not be read": "另有 {more} 个订阅源无法读取",
  "{host} answered with HTTP {status}; look whether the feed has moved":
    "{host} 返回 HTTP {status}；请查看该订阅源是否已迁移",
  "Google Search through a Gemini model. Needs a key; each search is a model call and counts as one.":
    "通过 Gemini 模型进行 Google 搜索。需要密钥；每次搜索计为一次模型调用。",
  "`{model}` is no name of a model; set services.gemini.model anew":
    "`{model}` 不是模型名称；请重新设置 services.gemini.model",
  "The model answered without a search that found something": "模型没有通过有结果的搜索就作答",
  "{title} refused the topic ({reason}); ask in other words, or choose another source":
    "{title} 拒绝了该主题（{reason}）；请换用其他词语，或选择其他来源",
  "Google's programmable search, until 2027-01-01 and for customers it has. Needs a key and an engine.":
    "Google 可编程搜索，仅限现有客户，至 2027-01-01。需要密钥和搜索引擎 ID。",
  "{title} needs the id of your search engine: `galley config set services.google-cse.engine ID`":
    "{title} 需要搜索引擎 ID；请在设置中填写",
  "The search of Hacker News gave nothing ({why}); only its front page was read":
    "Hacker News 的搜索没有给出结果（{why}）；只读取了其首页",
  "{title} has no base URL yet; set where it is: `galley config set services.{service}.base_url URL`":
    "{title} 还没有地址；请在设置中填写它的地址",
  "Hacker News, arXiv and the feeds of your list; Wikipedia if you switch it on. Needs no key.":
    "Hacker News、arXiv 和列表中的订阅源；可启用 Wikipedia。无需密钥。",
  "The feeds": "订阅源",
  "{name} gave nothing: {why}": "{name} 没有给出结果：{why}",
  "{first}. {next}": "{first}。{next}",
  "No part of the open news could be reached. {each}": "公开新闻的所有来源都无法访问。{each}",
  "Many engines at once, by a SearXNG of your own. Needs its base URL, and `json` among its formats.":
    "通过自己的 SearXNG 同时使用多个引擎。需要其地址，且其格式中要有 json。",
  "{title} answers only people: add `json` to `search.formats` of its settings, or allow this machine in its limiter":
    "{title} 只回答人的请求：请把 `json` 加入其设置的 `search.formats`，或在其限流器中允许本机",
  "None of the engines of {title} answered ({silent}); try again later, or choose another source":
    "{title} 的引擎都没有响应（{silent}）；请稍后重试，或选择其他来源",
  "Engines that did not answer: {silent}": "没有响应的引擎：{silent}",
  "News by the search service Tavily. One credit a search; without a key only a few searches.":
    "搜索服务 Tavily 的新闻。每次搜索一个点数；无密钥时仅能搜索几次。",
  "The list of feeds {file} {why}; mend the file, or remove it to begin anew":
    "订阅源列表 {file} {why}；请修正该文件，或移除它以重新开始",
  "cannot be read: {error}": "无法读取：{error}",
  "is not OPML: {why}": "不是 OPML：{why}",
  "it has no element `opml`": "没有元素 `opml`",
  "{service} sent an answer that cannot be read; try again, and if it stays so, check its base URL":
    "{service} 发来的回答无法读取；请重试，若仍如此，请检查其地址",
  "{name} sent no feed: {why}": "{name} 发来的不是订阅源：{why}",
  "`{link}` is not an address of the web": "`{link}` 不是网络地址",
  "{host} {reason}": "{host} {reason}",
  "answered with HTTP {status}": "返回 HTTP {status}",
  "gave no page but `{kind}`": "给出的不是页面，而是 `{kind}`",
  "gave a page that cannot be read: {why}": "给出的页面无法读取：{why}",
  "gave a page that cannot be read": "给出的页面无法读取",
  "The turn to ask {name} cannot be kept in {folder}: {error}": "无法在 {folder} 中保留询问 {name} 的顺序：{error}",
  "Others on this machine are asking {name}, one at a time; try again in a minute":
    "本机上有其他程序正在逐一询问 {name}；请一分钟后重试",
  "it wants a key; set one for this service": "它需要密钥；请为此服务设置一个",
  "check the key, or set another": "请检查密钥，或换一个",
  "what the key allows is used up; choose another source or wait until it is renewed":
    "密钥的额度已用完；请选择其他来源，或等待恢复",
  "try again a little later": "请稍后重试",
  "try again later, or choose another source": "请稍后重试，或选择其他来源",
  "check its settings, and that its base URL is right": "请检查其设置，以及地址是否正确",
  "{service} refused the search{status_words}: {next}": "{service} 拒绝了搜索{status_words}：{next}",
  "{service} answered, but not as this service does; check its base URL":
    "{service} 有响应，但不像此服务；请检查其地址",
  "{what} (“{words}”)": "{what}（“{words}”）",
  "{undated} results were left out: they are older or name no day": "{undated} 个结果已略去：它们过旧或没有日期",
  "{unread} pages could not be read; what the service says of them is all there is":
    "{unread} 个页面无法读取；只有服务对它们的说明",
  "The base URL of {title} is not an address of the web; set it anew: `galley config set services.{service}.base_url URL`":
    "{title} 的地址不是网络地址；请在设置中重新填写",
  "{title} needs a key; get one at {page} and name the environment variable that holds it: `galley config set services.{name}.key_env VARIABLE`":
    "{title} 需要密钥；请在 {page} 获取，并在设置中填写存放它的环境变量",
};

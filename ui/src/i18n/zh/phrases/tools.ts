// What the program says of tools, what they may do, and the questions about it, in Simplified Chinese: by the English
// forms.
export const tools: Record<string, string> = {
  "`{tool}` gave no answer within {seconds} s": "`{tool}` 在 {seconds} 秒内没有给出结果",
  "`{tool}` gave no answer in time. It may have been done or not; look there before it is tried again":
    "`{tool}` 没有及时给出结果。操作可能已完成，也可能没有；再次尝试之前请先到那里确认",
  "`{tool}` may not be called as long as the rule `{rule}` of the settings cannot be read: it may forbid it":
    "设置中的规则 `{rule}` 无法读取，可能禁止了此调用，因此在修正之前不能调用 `{tool}`",
  "`{tool}` may not be called: the settings forbid `{rule}`": "不能调用 `{tool}`：设置禁止 `{rule}`",
  "`{tool}` may not act without permission, and nobody was there to be asked; allow it with `--allow {tool}`":
    "没有许可，`{tool}` 不能操作，而当时无人可以询问；请在设置的“工具权限”中允许 `{tool}`",
  "`{tool}` may not be called. The person refused it: {reason}": "不能调用 `{tool}`。用户拒绝了：{reason}",
  "`{tool}` may not be called: the person refused it": "不能调用 `{tool}`：用户拒绝了",
  "`{tool}` was sent on to {host}, where it may not go. Ask for that address itself, so that it can be allowed":
    "`{tool}` 被转到 {host}，而它不能访问那里。请直接请求该地址，以便得到允许",
  "The run {run} has no folder for files": "运行 {run} 没有存放文件的文件夹",
  "every call of `{tool}` at {place}": "对 {place} 的每次 `{tool}` 调用",
  "every call of `{tool}`": "每次 `{tool}` 调用",
  "Allow once": "允许一次",
  "Allow in this run: {covered}": "在本次运行中允许：{covered}",
  "Always allow: {covered}": "始终允许：{covered}",
  "`{tool}` wants to act. {intent}. Allow it?": "`{tool}` 请求操作。{intent}。允许吗？",
  "This run asks several questions: {ids}. Say which one is answered; `galley show RUN --questions` lists them":
    "此运行有多个问题：{ids}。请指明要回答哪一个",
  "Question {id} was answered already: `{answer}`. Fork the run there to answer it in another way":
    "问题 {id} 已有回答：`{answer}`。若要换一个回答，请在该处创建分支",
  "This run does not ask question {id}; `galley show RUN --questions` lists what it asks": "此运行没有提出问题 {id}",
  "called {tool}": "已调用 {tool}",
  "Calls {tool}": "调用 {tool}",
  "`{tool}` gave no JSON: {why}": "`{tool}` 给出的不是 JSON：{why}",
  "The input of `{tool}` does not fit: {why}": "`{tool}` 的输入不符合要求：{why}",
  "The input of `{tool}` does not fit at `{place}`: {why}": "`{tool}` 的输入在 `{place}` 处不符合要求：{why}",
  "Two tools are called `{name}`: “{one}” and “{other}”. Rename one of them":
    "有两个工具都叫 `{name}`：“{one}”和“{other}”。请给其中一个改名",
  "The schema of `{tool}` is none: {why}": "`{tool}` 的模式无效：{why}",
  "`{text}` is no rule; write TOOL, or TOOL@HOST with the host alone: `post@example.org`":
    "`{text}` 不是规则；请写成“工具”，若只针对一个主机，请写成“工具@主机”：`post@example.org`",
  "The folder of the run could not be opened": "无法打开此运行的文件夹",
  "The content {hash} of a file of this run is not kept here": "此运行某个文件的内容 {hash} 没有保存在这里",
  "{file} cannot be written: {error}": "无法写入 {file}：{error}",
  "{most} rules are kept already; remove one first": "已有 {most} 条规则；请先删除一条",
  "There is no rule `{rule}`": "没有规则 `{rule}`",
  "Your rules for tools": "工具规则",
  "{host} was not contacted: a redirect led there, and it is not allowed; ask for its address itself":
    "没有连接 {host}：有重定向指向那里，而它不被允许；请直接请求它的地址",
  "calculated {expression}": "已计算 {expression}",
  "Calculates {expression}": "计算 {expression}",
  "{expression} is {result}": "{expression} 等于 {result}",
  "`{expression}` cannot be calculated: {why}": "无法计算 `{expression}`：{why}",
  "the calculator stopped; write it in another way": "计算器中断了；请换一种写法",
  "it has no result; write what is to be calculated": "没有结果；请写出要计算的内容",
  "its result is a text; only numbers, units and days are calculated": "结果是文本；只能计算数字、单位和日期",
  "its result has more than {most} characters; ask for fewer digits, such as `to 15 sf`":
    "结果超过 {most} 个字符；请减少位数，例如 `to 15 sf`",
  "The calculation was stopped": "计算已停止",
  "it takes longer than {seconds} s or nests too deep; calculate it in parts or with smaller numbers":
    "耗时超过 {seconds} 秒或嵌套过深；请分步计算，或使用较小的数",
  "the calculator does not know today; write the day itself, such as @2026-11-30":
    "计算器不知道今天的日期；请直接写出日期，例如 @2026-11-30",
  "the calculator knows no rates of currencies; leave the currencies out and calculate with the numbers":
    "计算器没有汇率；请去掉货币，直接用数字计算",
  "{why}; check the expression": "{why}；请检查算式",
  "it is no text in UTF-8": "不是 UTF-8 文本",
  "the file exists; choose another name, or replace it with `overwrite_file`":
    "文件已存在；请换一个名称，或用 `overwrite_file` 替换它",
  "it would have more than {most} bytes; use several files": "将超过 {most} 字节；请分成几个文件",
  "the run has as many files as it may ({bytes} bytes, {files} files); delete some first":
    "此运行的文件已达上限（{bytes} 字节，{files} 个文件）；请先删除一些",
  "a link is on its path": "路径上有链接",
  "a file stands where its path has a folder": "路径中应为文件夹的位置是一个文件",
  "it has more than {most} bytes": "超过 {most} 字节",
  "it is a folder; name a file": "这是文件夹；请指定文件",
  "it is a link, which is not followed": "这是链接，不会跟随",
  "it is no ordinary file": "这不是普通文件",
  "`{path}` in the folder of the run: {why}": "运行文件夹中的 `{path}`：{why}",
  "there is no such file or folder; `list_files` shows what is there":
    "没有这个文件或文件夹；`list_files` 会列出现有内容",
  "created the file {path}": "已创建文件 {path}",
  "read the file {path}": "已读取文件 {path}",
  "added to the file {path}": "已追加到文件 {path}",
  "replaced the file {path}": "已替换文件 {path}",
  "deleted the file {path}": "已删除文件 {path}",
  "listed the folder {path}": "已列出文件夹 {path}",
  "Writes {bytes} bytes to {path} in the folder of the run": "向运行文件夹中的 {path} 写入 {bytes} 字节",
  "Reads {path} in the folder of the run": "读取运行文件夹中的 {path}",
  "Adds {bytes} bytes to {path} in the folder of the run": "向运行文件夹中的 {path} 追加 {bytes} 字节",
  "Replaces {path} in the folder of the run by {bytes} bytes": "用 {bytes} 字节替换运行文件夹中的 {path}",
  "Deletes {path} in the folder of the run": "删除运行文件夹中的 {path}",
  "Lists {path} in the folder of the run": "列出运行文件夹中的 {path}",
  "`{tool}` works only in a run, which has a folder of its own": "`{tool}` 只能在运行中使用，因为运行有自己的文件夹",
  "The run was stopped before the file was touched": "运行已停止，文件未被改动",
  "The work on a file of the run broke off": "对运行文件的操作中断了",
  "{path} has {bytes} bytes": "{path} 有 {bytes} 字节",
  "{path} is deleted": "{path} 已删除",
  "there was no file {path}": "没有文件 {path}",
  "read {bytes} bytes": "已读取 {bytes} 字节",
  "the folder is empty": "文件夹为空",
  "listed the first {n} files and folders": "已列出前 {n} 个文件和文件夹",
  "listed {n} files and folders": "已列出 {n} 个文件和文件夹",
  "read the page {url}": "已读取网页 {url}",
  "Reads the page {url}": "读取网页 {url}",
  "{why}; check the address or read another page": "{why}；请检查地址，或读取其他网页",
  "read {characters} characters of {host}": "已从 {host} 读取 {characters} 个字符",
  "{host} gave no text; {note}": "{host} 没有给出文字；{note}",
  "it shows little or nothing without a browser: {why}": "不用浏览器时，该网页几乎不显示内容：{why}",
  "read {characters} characters of {host}; {note}": "已从 {host} 读取 {characters} 个字符；{note}",
  "read {characters} characters of {host} with a browser": "已用浏览器从 {host} 读取 {characters} 个字符",
  "The browser is switched off; switch it on: `galley config set net.browser true`": "浏览器已关闭；请在设置中开启",
  "No Chromium, Google Chrome or Microsoft Edge is installed; install one and read the page again":
    "没有安装 Chromium、Google Chrome 或 Microsoft Edge；请安装其中一个，然后重新读取网页",
  "As root no browser is started, because Chromium has no sandbox then; start Galley as an ordinary user and read the page again":
    "以 root 身份运行时不会启动浏览器，因为此时 Chromium 没有沙箱；请以普通用户身份启动 Galley，然后重新读取网页",
  "The browser `{program}` cannot be started ({cause}); install it anew":
    "无法启动浏览器 `{program}`（{cause}）；请重新安装",
  "The browser cannot be read ({cause}); try again": "无法读取浏览器的输出（{cause}）；请重试",
  "The browser was not done with the page of {host} within {seconds} s; try again later or read another page":
    "浏览器未能在 {seconds} 秒内处理完 {host} 的网页；请稍后重试，或读取其他网页",
  "The page of {host} is larger than {most} bytes after its scripts ran; read another page":
    "{host} 的网页在脚本运行后超过 {most} 字节；请读取其他网页",
  "The browser cannot start its sandbox here, and without one it opens no page; allow user namespaces on this machine or switch the browser off: `galley config set net.browser false`":
    "浏览器无法在此处启动沙箱，而没有沙箱就不打开任何网页；请在本机允许用户命名空间，或在设置中关闭浏览器",
  "The browser could not open the page of {host}: {why}": "浏览器无法打开 {host} 的网页：{why}",
  "The browser could not open the page of {host}; try again or read another page":
    "浏览器无法打开 {host} 的网页；请重试，或读取其他网页",
  "The browser loaded the page of {host} past Galley, so it is not used; remove the proxy that a policy of this machine sets for the browser, or switch the browser off: `galley config set net.browser false`":
    "浏览器绕过 Galley 加载了 {host} 的网页，因此不予采用；请移除本机策略为浏览器设置的代理，或在设置中关闭浏览器",
  "made the PDF file {path}": "制作了 PDF 文件 {path}",
  "Makes the PDF file {path} in the folder of the run": "在运行的文件夹中制作 PDF 文件 {path}",
  "downloaded {url}": "已下载 {url}",
  "Downloads {url} into the folder of the run": "将 {url} 下载到运行文件夹",
  "Downloads {url} to {path} in the folder of the run": "将 {url} 下载到运行文件夹中的 {path}",
  "{why}; check the address or download another file": "{why}；请检查地址，或下载其他文件",
  "{path} has {bytes} bytes of {media_type}": "{path} 有 {bytes} 字节，类型为 {media_type}",
  "{path} has {bytes} bytes of a web page, although the address looks like a .{extension} file; read the page to see why":
    "{path} 是 {bytes} 字节的网页，而地址看起来是 .{extension} 文件；请阅读该网页了解原因",
  "Titles of animation with their Japanese and Chinese names, by Bangumi. Needs no key.":
    "动画作品及其日文名和中文名，来自 Bangumi。不需要密钥。",
  "{service} refused the request{status_words}: {next}": "{service} 拒绝了请求{status_words}：{next}",
  "it refuses this program or this connection; try again later, or choose another source":
    "它拒绝本程序或此网络连接；请稍后重试，或选择其他来源",
  "looked for the title “{title}” at {service}": "在 {service} 查找作品“{title}”",
  "looked for the station “{name}” at {service}": "在 {service} 查找车站“{name}”",
  "looked for points within {radius} km at {service}": "在 {service} 查找 {radius} 公里以内的地点",
  "asked {service} for the weather of {day}": "向 {service} 查询 {day} 的天气",
  "asked {service} for the ways between {n} points": "向 {service} 查询 {n} 个地点之间的路线",
  "The weather up to 16 days ahead, by Open-Meteo, for use that earns nothing. Needs no key.":
    "未来 16 天以内的天气，来自 Open-Meteo，仅限非商业用途。不需要密钥。",
  "{service} tells no weather of days that are over, as {day} is; plan a day that is to come, or without the weather":
    "{service} 不提供已经过去的日期（{day}）的天气；请规划将来的日期，或不考虑天气",
  "{service} forecasts {most} days and {day} is beyond them; ask again nearer to the day, or plan without the weather":
    "{service} 只预报 {most} 天，{day} 超出范围；请临近当天再查询，或不考虑天气",
  "{service} has no weather of {day} for this place; ask again nearer to the day, or plan without the weather":
    "{service} 没有该地点 {day} 的天气；请临近当天再查询，或不考虑天气",
  "{service} answers this connection no more today; try again tomorrow, or choose another source":
    "{service} 今天不再回应此网络连接；请明天重试，或选择其他来源",
  "The stations of Japan, by HeartRails Express, and other places by Open-Meteo. Needs no key.":
    "日本的车站，来自 HeartRails Express；其他地点来自 Open-Meteo。不需要密钥。",
  "Towns and some stations of the whole earth, by Open-Meteo. Needs no key.":
    "全球的城镇和部分车站，来自 Open-Meteo。不需要密钥。",
  "{title} knows no station “{name}”, so {other} was asked": "{title} 没有车站“{name}”，因此改为查询 {other}",
  "{title} knows Japanese names only, so {other} was asked for “{name}”":
    "{title} 只认识日文名称，因此改为向 {other} 查询“{name}”",
  "Where scenes of a title were seen, by Anitabi, for use that earns nothing. Needs no key.":
    "作品场景的取景地，来自 Anitabi，仅限非商业用途。不需要密钥。",
  "{service} cannot be reached ({why}); import points, take those of an earlier run, or try again later":
    "无法连接 {service}（{why}）；请导入地点、使用以前运行的地点，或稍后重试",
  "{service} has no points of the title {id}": "{service} 没有作品 {id} 的地点",
  "{service} gave {given} of the {total} points that it counts for this title":
    "{service} 为该作品统计了 {total} 个地点，给出了其中 {given} 个",
  "{unplaced} points were left out: nobody wrote down where they are": "略去了 {unplaced} 个地点：没有记录它们的位置",
  "The weather of the next five days, by OpenWeatherMap. Needs a key.":
    "未来五天的天气，来自 OpenWeatherMap。需要密钥。",
  "{service} refused the key; a new key works after some hours: wait, check it, or set another":
    "{service} 拒绝了密钥；新密钥需数小时后才生效：请等待、检查密钥，或另设一个",
  "Ways on foot, by an OSRM of your own. Needs its base URL.": "步行路线，来自自己的 OSRM。需要其地址。",
  "{service} gives ways on foot only": "{service} 只提供步行路线",
  "{service} knows no way between some of the points": "{service} 不知道其中一些地点之间的路线",
  "Point {index} is not on the earth: latitude is -90 to 90, longitude -180 to 180":
    "第 {index} 个地点不在地球上：纬度应为 -90 到 90，经度应为 -180 到 180",
  "{service} is asked for the ways between {most} points at most, and these are {count}; choose fewer":
    "{service} 一次最多查询 {most} 个地点之间的路线，而这里有 {count} 个；请减少地点",
  "Ways on foot, by a Valhalla of your own. Needs its base URL.": "步行路线，来自自己的 Valhalla。需要其地址。",
  "Trains and buses, by Transitous or a MOTIS of your own, for use that earns nothing. Needs no key.":
    "火车和公交，来自 Transitous 或自己的 MOTIS，仅限非商业用途。不需要密钥。",
  "{service} gives trains and buses only": "{service} 只提供火车和公交",
  "{service} is asked for the ways in the order of a trip only, one after the other":
    "{service} 只按行程顺序逐段查询路线",
  "{service} did not answer for the ways from point {index} on: {why}":
    "从第 {index} 个地点起，{service} 没有给出路线：{why}",
  "`{departure}` is no moment with an offset; write it as 2026-11-29T10:00:00+09:00":
    "`{departure}` 不是带时差的时刻；请写成 2026-11-29T10:00:00+09:00",
  "Ways on foot, by train, bus or car, by Google. Needs a key; each way may cost something.":
    "步行、火车、公交或驾车路线，来自 Google。需要密钥；每条路线都可能产生费用。",
  "HTTP {status}": "HTTP {status}",
  "{service} requires a contact address; set your e-mail address or a URL: `galley config set net.contact ADDRESS`":
    "{service} 需要联系方式；请在设置的搜索来源中填写邮箱或网页地址",
  "The demonstration knows its invented title “{title}” only, not “{keyword}”":
    "演示数据只有虚构的作品“{title}”，没有“{keyword}”",
  "The points cannot be read: {why}; give a file of KML, GPX or GeoJSON with points in it":
    "无法读取地点：{why}；请提供含有地点的 KML、GPX 或 GeoJSON 文件",
  "it is neither XML nor JSON": "它既不是 XML 也不是 JSON",
  "it has no points": "其中没有地点",
  "it has {count} points, and {most} are taken at most": "其中有 {count} 个地点，最多接受 {most} 个",
  "its JSON is malformed in line {line}, column {column}": "其 JSON 在第 {line} 行第 {column} 列有误",
  "its JSON is no GeoJSON": "其 JSON 不是 GeoJSON",
  "its XML is malformed at byte {place}": "其 XML 在第 {place} 字节处有误",
  "its XML is neither KML nor GPX": "其 XML 既不是 KML 也不是 GPX",
  "it ends within the element `{element}`": "它在元素 `{element}` 中间就结束了",
  "The points are those of the file that was given: {n} of them": "地点来自所给的文件，共 {n} 个",
  "{n} entries of the file were left out: they are no points": "文件中有 {n} 项不是地点，已略去",
  "The earlier run {run} has no `{key}`; name one that planned a visit, or leave it out":
    "先前的运行 {run} 没有 `{key}`；请指明一次规划了行程的运行，或不指明",
  "Title, start and points are those of the earlier run {run}": "作品、出发地和地点都取自先前的运行 {run}",
  "Addresses and opening hours of the nearest points, by Nominatim of OpenStreetMap or one of your own. Needs no key.":
    "最近地点的地址和开放时间，来自 OpenStreetMap 的 Nominatim 或自己的 Nominatim。不需要密钥。",
  "{service} was asked about the nearest {most} of {count} points: it is run by volunteers":
    "{service} 由志愿者运行，因此只询问了 {count} 个地点中最近的 {most} 个",
  "{service} did not answer from the point “{point}” on: {why}": "从地点“{point}”起，{service} 没有回答：{why}",
  "asked {service} for the details of points": "向 {service} 查询了地点的详情",
  "details of {n} points": "{n} 个地点的详情",
  "asked nobody for the details of points": "没有查询地点的详情",
  "nobody was asked": "没有查询",
  "Points stay as they are. Needs no network.": "地点保持原样。不需要网络。",
  nothing: "无",
  "made the {format} file of the visit": "生成了行程的 {format} 文件",
  "Makes the {format} file of the visit in the folder of the run": "在运行的文件夹中生成行程的 {format} 文件",
  "Makes the {format} file of the visit as {path} in the folder of the run":
    "在运行的文件夹中把行程的 {format} 文件生成为 {path}",
  "The file of the visit could not be made": "无法生成行程的文件",
  "A point of the visit is nowhere on the earth; give its latitude and longitude":
    "行程中有一个地点不在地球上；请给出它的纬度和经度",
  "“{title}” holds no trip": "“{title}”不含行程",
  "There is no format `{format}`": "没有格式 `{format}`",
  "{service} was asked for animation only": "{service} 只查询了动画",
};

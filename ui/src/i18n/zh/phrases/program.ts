// What the program says of the program itself, in Simplified Chinese: by the English forms.
export const program: Record<string, string> = {
  "The clock of this computer is set to a day after the year 9998. Set the clock, then start again":
    "此计算机的时钟设在 9998 年之后。请校准时钟后重新启动",
  "The clock of this computer is set to a day before 1970. Set the clock, then start again":
    "此计算机的时钟设在 1970 年之前。请校准时钟后重新启动",
  "`{command}` cannot read its request: {error}": "`{command}` 无法读取其请求：{error}",
  "The answer cannot be written: {error}": "无法写出回答：{error}",
  "There is no command `{command}`; there is {known}": "没有命令 `{command}`；现有 {known}",
  "No data folder is known; name one with --data-dir or GALLEY_DATA_DIR": "不知道数据文件夹在哪里",
  "The data folder {folder} cannot be made or written: {error}; choose another with --data-dir or mend its permissions":
    "无法创建或写入数据文件夹 {folder}：{error}；请修正其权限",
  "The program is closing": "程序正在关闭",
  "Something is being imported already; wait until it is done, or stop it": "已有导入正在进行；请等它完成，或将其停止",
  "The article {name} was not removed lately; import it again": "文章 {name} 最近没有被移除；请重新导入",
  "The folder {folder} cannot be shown: {why}; open it in your file manager":
    "无法显示文件夹 {folder}：{why}；请在文件管理器中打开它",
  "is no setting": "不是设置项",
  "must be a text in quotes": "必须是带引号的文本",
  "must be a text in quotes, or a list of them": "必须是带引号的文本或其列表",
  "must be a number": "必须是数字",
  "must be a table": "必须是表",
  "The database is open here and in use; close Galley, then run `galley recover`":
    "数据库已在此处打开并使用；请关闭 Galley 后重新启动，再选择从哪里开始",
  "Runs are in progress; stop them first, then recover the database": "有运行正在进行；请先停止，再恢复数据库",
  "{file} cannot be written: {error}; make the data folder writable": "无法写入 {file}：{error}；请使数据文件夹可写",
  "`{version}` is no version: {error}": "`{version}` 不是版本号：{error}",
  "the page of {version} is no address for a browser": "版本 {version} 的页面不是浏览器可用的地址",
  "This program's own version: {error}": "本程序自身的版本：{error}",
  "No address of releases is set; set `{setting}` first": "没有设置发布信息的地址；请先设置 `{setting}`",
  "`{setting}` is no address ({error}); mend it in the settings": "`{setting}` 不是地址（{error}）；请在设置中修正",
  "Whether there is a newer version cannot be asked: {why}": "无法询问是否有新版本：{why}",
  "The feed of releases is not there: its server answers {status}; mend `{setting}`, or try again later":
    "发布信息不在那里：其服务器返回 {status}；请修正 `{setting}`，或稍后重试",
  "What is at `{setting}` is no feed of releases: {why}; mend the address, or tell who keeps it":
    "`{setting}` 处的内容不是发布信息：{why}；请修正地址，或联系其维护者",
  "There is no window around this page; open `galley-desktop` for that": "此功能需要桌面窗口；请打开 `galley-desktop`",
  "The tiles file {path} cannot be opened: {error}; choose another in the settings":
    "无法打开瓦片文件 {path}：{error}；请在设置中选择其他文件",
  "The tile {z}/{x}/{y} of {path} cannot be read: {error}; the file may be cut off, so fetch it once more":
    "无法读取 {path} 中的瓦片 {z}/{x}/{y}：{error}；文件可能不完整，请重新获取",
  "There is no tile {z}/{x}/{y} on the earth": "瓦片 {z}/{x}/{y} 不存在",
  "{path} cannot be used as a file of map tiles: {error}; choose a whole PMTiles file of version 3 in the settings":
    "{path} 不能用作地图瓦片文件：{error}；请在设置中选择完整的第 3 版 PMTiles 文件",
  "No tiles file is set; choose one in the settings": "未设置瓦片文件；请在设置中选择",
  "`{path}` depends on the folder one is in; give the whole path of the file":
    "`{path}` 取决于当前所在的文件夹；请填写文件的完整路径",
  "The style {path} cannot be read: {error}; choose another in the settings":
    "无法读取样式 {path}：{error}；请在设置中选择其他文件",
  "The style {path} is not JSON: {error}; mend it, or choose another in the settings":
    "样式 {path} 不是 JSON：{error}；请修正，或在设置中选择其他文件",
  "{path} is no style of a map; it should have `version` 8, `sources` and `layers`":
    "{path} 不是地图样式；它应包含 `version` 8、`sources` 和 `layers`",
  "The style {path} takes {address} from the network, where the map takes nothing from; name its tiles `pmtiles://map`, and leave out `glyphs` and `sprite`":
    "样式 {path} 要从网络获取 {address}，而地图不从网络获取任何内容；请把瓦片写作 `pmtiles://map`，并去掉 `glyphs` 和 `sprite`",
  "The collector answers with status {status}": "收集器返回状态 {status}",
  "The collector rejected {spans} spans": "收集器拒绝了 {spans} 个 span",
  "The collector took longer than {seconds} s": "收集器用时超过 {seconds} 秒",
  "Galley ended before the collector had answered": "收集器回应之前 Galley 已结束",
  "nothing was exported yet": "尚未导出任何内容",
  "the last export took {spans} spans there ({at})": "上次导出了 {spans} 个 span（{at}）",
  "the last export failed ({at}): {why}": "上次导出失败（{at}）：{why}",
  "the collector takes spans; {last}": "收集器接收 span；{last}",
  "{address}, without a model": "{address}，没有模型",
  "{address}, without a model. {way}": "{address}，没有模型。{way}",
  "{address}, models: {models}; profile `{profile}` asks it": "{address}，模型：{models} 个；配置 `{profile}` 使用它",
  "{address}, models: {models}; no profile asks it, `galley profile find --add` adds one":
    "{address}，模型：{models} 个；没有配置使用它，可在设置的“模型”中添加",
};

// 拖放到窗口上的文件，以及可以对它们做什么。
export const drops = {
  "drops.title": "要对这些文件做什么？",
  "drops.files": "拖放的文件",
  "drops.count": "{n} 个文件",
  "drops.runs": "导入 {what}",
  "drops.pipelines": "把 {what} 加入自己的流水线",
  "drops.library": "把 {what} 加入资料库",
  "drops.start": "用 {what} 启动“{title}”…",
  "drops.nothing_yet": "还没有执行任何操作。按 Esc 放弃。",
  "drops.no_path": "浏览器不提供拖放文件的位置。可以在资料库中输入文件路径。",
  "drops.to_library": "打开资料库",
  "drops.too_many": "未能添加 {name}：同名的流水线太多。",
};

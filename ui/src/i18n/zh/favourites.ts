// Favourites, in Chinese.
export const favourites = {
  "favourites.title": "收藏",
  "favourites.open": "打开“{name}”",
  "favourites.no_pipeline": "“{name}”需要流程 {pipeline}，但它已不存在。",
  "favourites.keep": "加入收藏",
  "favourites.change": "更改收藏",
  "favourites.name": "名称",
  "favourites.save": "保存",
  "favourites.replace": "替换",
  "favourites.save_new": "另存为新收藏",
  "favourites.cancel": "取消",
  "favourites.saved": "“{name}”已加入收藏。",
  "favourites.remove": "从收藏中移除“{name}”",
  "favourites.removed": "已从收藏中移除“{name}”",
  "launch.favourite": "已按收藏“{request}”填写。",
  "palette.favourites": "收藏",
};

// What the program says of favourites and saved files, in Simplified Chinese: by the English forms.
export const favourites: Record<string, string> = {
  "Your favourites": "你的收藏",
  "The favourite “{name}” in {file} cannot be read: {error}; mend or remove it there":
    "无法读取 {file} 中的收藏“{name}”：{error}；请在其中修正或删除",
  "A favourite needs a name; type one": "收藏需要名称；请填写",
  "A name has at most {most} characters; shorten it": "名称最多 {most} 个字符；请缩短",
  "The favourite cannot be written: {error}": "无法写入收藏：{error}",
  "You have a favourite “{name}” already; choose another name": "已有名为“{name}”的收藏；请换一个名称",
  "You have {most} favourites already; remove one first": "已有 {most} 个收藏；请先移除一个",
  "You have no favourite “{name}”": "没有名为“{name}”的收藏",
  "The file {path} was not saved lately; find it in your file manager":
    "文件 {path} 不是最近保存的；请在文件管理器中查找",
  "The file {path} cannot be shown: {why}; find it in your file manager":
    "无法显示文件 {path}：{why}；请在文件管理器中查找",
  "{what} would have {bytes} bytes; at most {most} are allowed, so shorten or remove something":
    "{what}会有 {bytes} 字节；最多 {most} 字节，请缩短或移除一些内容",
};

// What the program says of favourites and saved files, in Japanese: by the English forms.
export const favourites: Record<string, string> = {
  "Your favourites": "お気に入り",
  "The favourite “{name}” in {file} cannot be read: {error}; mend or remove it there":
    "{file} のお気に入り「{name}」を読めません：{error}。ファイルの中で直すか、取り除いてください",
  "A favourite needs a name; type one": "お気に入りには名前が必要です。入力してください",
  "A name has at most {most} characters; shorten it": "名前は {most} 文字までです。短くしてください",
  "The favourite cannot be written: {error}": "お気に入りを書き込めません：{error}",
  "You have a favourite “{name}” already; choose another name":
    "「{name}」というお気に入りは既にあります。別の名前にしてください",
  "You have {most} favourites already; remove one first":
    "お気に入りが既に {most} 件あります。先にどれかを外してください",
  "You have no favourite “{name}”": "「{name}」というお気に入りはありません",
  "The file {path} was not saved lately; find it in your file manager":
    "ファイル {path} は最近保存したものではありません。ファイルマネージャーで探してください",
  "The file {path} cannot be shown: {why}; find it in your file manager":
    "ファイル {path} を表示できません：{why}。ファイルマネージャーで探してください",
  "{what} would have {bytes} bytes; at most {most} are allowed, so shorten or remove something":
    "{what}が {bytes} バイトになります。上限は {most} バイトです。短くするか、何かを取り除いてください",
};

// Favourites, in Japanese.
export const favourites = {
  "favourites.title": "お気に入り",
  "favourites.open": "「{name}」を開く",
  "favourites.no_pipeline": "「{name}」に必要なパイプライン {pipeline} はもうありません。",
  "favourites.keep": "お気に入りに追加",
  "favourites.change": "お気に入りを変更",
  "favourites.name": "名前",
  "favourites.save": "保存",
  "favourites.replace": "置き換える",
  "favourites.save_new": "新しく保存",
  "favourites.cancel": "キャンセル",
  "favourites.saved": "「{name}」をお気に入りに保存しました。",
  "favourites.remove": "「{name}」をお気に入りから外す",
  "favourites.removed": "「{name}」をお気に入りから外しました",
  "launch.favourite": "お気に入り「{request}」の内容を記入しました。",
  "palette.favourites": "お気に入り",
};

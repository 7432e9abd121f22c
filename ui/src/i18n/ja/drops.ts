// ウィンドウにドロップされたファイルと、それでできること。
export const drops = {
  "drops.title": "これらのファイルをどうしますか？",
  "drops.files": "ドロップされたファイル",
  "drops.count": "{n} 件のファイル",
  "drops.runs": "{what} を取り込む",
  "drops.pipelines": "{what} を自分のパイプラインに加える",
  "drops.library": "{what} をライブラリに加える",
  "drops.start": "{what} で「{title}」を始める…",
  "drops.nothing_yet": "まだ何も行っていません。Esc で取りやめます。",
  "drops.no_path": "このブラウザーはドロップされたファイルの場所を知らせません。ライブラリでパスを入力できます。",
  "drops.to_library": "ライブラリを開く",
  "drops.too_many": "{name} を加えられませんでした。同じ名前のパイプラインが多すぎます。",
};

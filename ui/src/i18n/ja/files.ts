// What leaves the program as a file: exports of runs, settings.
import type { files as english } from "../en/files";

export const files: Record<keyof typeof english, string> = {
  "export.title": "書き出し",
  "export.save": "{name} として保存",
  "export.lines": "{n} 行",
  "export.contains": "内容：{what}",
  "export.events": "イベント {n} 件",
  "export.prompts": "プロンプトと回答 {n} 件",
  "export.answers": "モデルの回答 {n} 件",
  "export.tool_calls": "ツールの呼び出しと結果 {n} 件",
  "export.links": "ウェブアドレス {n} 件",
  "export.redactions": "キー {n} 箇所を「[key]」に置き換え",
  "export.no_redactions": "キーなし",
  "export.without": "含めないもの",
  "export.saved": "保存しました：{path}",
  "portable.title": "設定の書き出しと読み込み",
  "portable.help": "設定とプロファイルを 1 つのファイルにします。キーは含まれません。",
  "portable.export": "書き出す",
  "portable.import": "ファイルを読み込む…",
  "portable.preview": "このファイルで変わるもの:",
  "portable.nothing": "このファイルで変わるものはありません。",
  "portable.profile": "新しいプロファイル {name}（{provider}）",
  "portable.kept": "すでにあり、そのまま残るもの: {names}",
  "portable.bring": "読み込む",
  "portable.done": "読み込みました。新しいプロファイルのキーはここで入力してください。",
};

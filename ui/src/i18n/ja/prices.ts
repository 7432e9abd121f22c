// Prices that a person sets for models, in Japanese.
import type { prices as en } from "../en/prices";

export const prices: Record<keyof typeof en, string> = {
  "price.title": "{model} の料金",
  "price.set": "料金を設定",
  "price.set_of": "{model} の料金を設定",
  "price.input": "入力 100 万トークンあたりの米ドル",
  "price.output": "出力 100 万トークンあたりの米ドル",
  "price.help": "これまでの料金不明の呼び出しと、今後のすべての呼び出しに使います。",
  "price.help.unknown":
    "このモデルの料金は不明です。設定した料金は、これまでの料金不明の呼び出しと、今後のすべての呼び出しに使います。",
  "price.file": "{file} に保存されます。",
  "price.save": "料金を保存",
  "price.close": "閉じる",
  "price.saved": "保存しました。今後の合計に使われます。",
  "price.later": "後で設定した料金による",
  "price.open": "料金",
  "price.open_named": "{name} の料金",
  "price.none": "料金不明",
  "price.some": "+ 料金不明の呼び出し",
  "price.where": "費用の内訳。料金はここで設定します",
};

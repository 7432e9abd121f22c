// Profiles, keys and what they cost, in Japanese.
import type { profiles as en } from "../en/profiles";

export const profiles: Record<keyof typeof en, string> = {
  "profile.provider": "提供元",
  "profile.key_page": "キーの取得先",
  "profile.key": "キー",
  "profile.reveal": "押している間だけキーを表示",
  "profile.key_from": "キーの置き場所",
  "profile.key_from.keyring": "システムのキーリング",
  "profile.key_from.session": "このセッションのみ",
  "profile.key_from.variable": "環境変数",
  "profile.key_from.none": "キー不要",
  "profile.key_from.keyring.help": "{name} だけが保管します。以後は表示されません。",
  "profile.key_from.session.help": "プログラムの終了とともに忘れます。",
  "profile.key_from.variable.help": "変数の名前だけを保存します。",
  "profile.key_from.none.help": "キーを求めないサーバー用です。",
  "profile.found": "{name} が設定されています。",
  "profile.key_ends": "キーの末尾は {four}",
  "profile.fallback": "キー・残高・頻度の制限時に代わるもの",
  "profile.fallback.none": "なし（実行は待機します）",
  "profile.fallback.help": "切り替えは記録に残ります。",
  "profile.stands_in": "次は {name}",
  "profile.untested": "未テストです。",
  "profile.month": "今月 {calls} 回、{price}",
  "profile.price.unknown": "料金不明",
  "profile.price.least": "{cost} 以上",
};

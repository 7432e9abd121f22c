// Profiles, keys and what they cost, in Simplified Chinese.
import type { profiles as en } from "../en/profiles";

export const profiles: Record<keyof typeof en, string> = {
  "profile.provider": "服务方",
  "profile.key_page": "在哪里获取密钥？",
  "profile.key": "密钥",
  "profile.reveal": "按住以显示密钥",
  "profile.key_from": "密钥来源",
  "profile.key_from.keyring": "存入系统钥匙串",
  "profile.key_from.session": "仅用于本次会话",
  "profile.key_from.variable": "来自环境变量",
  "profile.key_from.none": "不需要密钥",
  "profile.key_from.keyring.help": "只由 {name} 保管，别处没有，之后不再显示。",
  "profile.key_from.session.help": "程序结束后即忘记。",
  "profile.key_from.variable.help": "只保存变量的名称。",
  "profile.key_from.none.help": "用于不要求密钥的服务器。",
  "profile.found": "此处已设置 {name}。",
  "profile.key_ends": "密钥以 {four} 结尾",
  "profile.fallback": "密钥、额度或速率受限时由谁代替",
  "profile.fallback.none": "无：运行会等待",
  "profile.fallback.help": "切换会记入日志。",
  "profile.stands_in": "其后为 {name}",
  "profile.untested": "尚未测试。",
  "profile.month": "本月调用 {calls} 次，{price}",
  "profile.price.unknown": "价格未知",
  "profile.price.least": "至少 {cost}",
};

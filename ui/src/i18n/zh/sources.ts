// Search sources, what they want shown, and the hosts that were contacted, in Simplified Chinese.
import type { sources as en } from "../en/sources";

export const sources: Record<keyof typeof en, string> = {
  "help.hosts": "本次会话联系过的主机",
  "help.hosts.help": "自程序启动以来搜索和模型联系过的每个主机，最近的在前。",
  "help.hosts.none": "还没有。",
  "help.hosts.count": "共 {n} 次，最近在 {when}",
  "settings.sources": "搜索来源",
  "settings.sources.help": "运行可以搜索的来源，以及各来源所需的设置。",
  "settings.sources.key.none": "无需密钥即可使用",
  "settings.sources.key.optional": "密钥可选",
  "settings.sources.key.required": "需要密钥",
  "settings.sources.of": "{title} 的设置",
  "settings.sources.unset": "未设置",
  "settings.contact": "服务的联系地址",
  "settings.contact.help":
    "电子邮件地址或网页地址，随工具的请求一起发送。Transitous 和 OpenStreetMap 的公共服务器要求填写。留空则不发送。",
  "settings.sources.feeds": "订阅源列表位于 {path}",
  "attribution.title": "服务要求显示的署名",
  "attribution.by": "由 {provider} 找到",
  "attribution.frame": "{provider} 的搜索建议",
  "attribution.searched": "搜索了：{queries}",
  "attribution.links": "{n} 个原始链接",
  "sources.undated": "未注明日期",
};

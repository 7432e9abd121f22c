// What leaves the program as a file: exports of runs, settings.
import type { files as english } from "../en/files";

export const files: Record<keyof typeof english, string> = {
  "export.title": "导出",
  "export.save": "另存为 {name}",
  "export.lines": "{n} 行",
  "export.contains": "内容：{what}",
  "export.events": "{n} 个事件",
  "export.prompts": "{n} 条提示及回答",
  "export.answers": "{n} 条模型回答",
  "export.tool_calls": "{n} 次工具调用及结果",
  "export.links": "{n} 个网址",
  "export.redactions": "{n} 处密钥已替换为“[key]”",
  "export.no_redactions": "不含密钥",
  "export.without": "不包含",
  "export.saved": "已保存：{path}",
  "portable.title": "导出或导入设置",
  "portable.help": "将设置和配置导出为一个文件，绝不包含密钥。",
  "portable.export": "导出",
  "portable.import": "导入文件…",
  "portable.preview": "此文件将更改：",
  "portable.nothing": "此文件不会更改任何设置。",
  "portable.profile": "新配置 {name}，使用 {provider}",
  "portable.kept": "已存在，保持不变：{names}",
  "portable.bring": "导入",
  "portable.done": "已导入。请在此填写新配置的密钥。",
};

// What the program says of rewrites in one step and of the instructions for them, in Simplified Chinese: by the
// English forms.
export const rewrites: Record<string, string> = {
  "A run of `{pipeline}` does not begin with the key `{key}`; give its inputs alone":
    "`{pipeline}` 的运行不能以键 `{key}` 开始；只给出它的输入",
  "An instruction has a name and a text; fill in both": "指令要有名称和内容；请都填写",
  "The name of an instruction is one line": "指令的名称只能是一行",
  "Galley itself has the instruction `{name}`; choose another name": "Galley 自身已有指令 `{name}`；请换一个名称",
  "The name has {bytes} bytes; at most {most} are allowed, so shorten it":
    "名称有 {bytes} 字节；最多 {most} 字节，请缩短",
  "The instruction has {bytes} bytes; at most {most} are allowed, so shorten it":
    "指令有 {bytes} 字节；最多 {most} 字节，请缩短",
  "You have an instruction `{name}` already; choose another name, or change that one":
    "已有指令 `{name}`；请换一个名称，或修改那一条",
  "{most} instructions are saved already; remove one first": "已保存 {most} 条指令；请先删除一条",
  "Name an instruction, or say one in words": "请指明一条指令，或用文字说明",
  "`{name}` needs the language into which is translated; name it, for example Japanese":
    "`{name}` 需要目标语言；请指明，例如日语",
  "“{language}” is no name of a language": "“{language}”不是语言名称",
  "There is no instruction `{name}`; there is {known}": "没有指令 `{name}`；现有 {known}",
  "You have no instruction `{name}`": "没有保存指令 `{name}`",
  "Only `translate` takes a language; leave it out": "只有 `translate` 需要语言；请去掉",
  "The run {id} has no text yet that could be rewritten": "运行 {id} 还没有可改写的文本",
  "Nothing can be left out of this text without a model: every sentence is needed by another one, locked, quoted, or the only one of its kind. Choose a profile with a model":
    "没有模型时，这段文本无法删减：每句话都被其他句子需要、被锁定、属于引文，或是同类中唯一的一句。请选择带模型的配置",
  "An instruction of your own needs a model, and the profile `built-in` has none. Choose a profile with a model":
    "自己的指令需要模型，而配置 `built-in` 没有模型。请选择带模型的配置",
  "`{name}` needs a model, and the profile `built-in` has none. Choose a profile with a model":
    "`{name}` 需要模型，而配置 `built-in` 没有模型。请选择带模型的配置",
  "`{check}` is no check of `{name}`; name it in `checks` too":
    "`{check}` 不是 `{name}` 的检查；请也在 `checks` 中列出",
  "the text before does not cite {wrong}": "改写前的文本没有引用 {wrong}",
  "{count} sources cited, each cited before": "引用了 {count} 个来源，之前都引用过",
  "the text before cited {before} sources, this one cites none": "改写前的文本引用了 {before} 个来源，现在一个也没有",
  "{now} of {before} sources are still cited": "{before} 个来源中仍引用 {now} 个",
  "this instruction needs a model; choose a profile with a model": "此指令需要模型；请选择带模型的配置",
  "no sentence can be left out without a model": "没有模型时，没有可以删去的句子",
  "Make it shorter": "改短",
  "Make it longer": "改长",
  "Say it in plainer words": "改用更浅显的说法",
  Translate: "翻译",
  "{what} cannot be written as TOML: {error}": "无法将{what}写成 TOML：{error}",
  "{what} in {file} cannot be read: {error}. Correct the file, or move it away":
    "无法读取 {file} 中的{what}：{error}。请修正该文件，或将其移走",
  "Your saved instructions": "保存的指令",
};

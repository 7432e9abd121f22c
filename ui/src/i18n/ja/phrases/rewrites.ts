// What the program says of rewrites in one step and of the instructions for them, in Japanese: by the English forms.
export const rewrites: Record<string, string> = {
  "A run of `{pipeline}` does not begin with the key `{key}`; give its inputs alone":
    "`{pipeline}` の実行はキー `{key}` から始められません。入力だけを与えてください",
  "An instruction has a name and a text; fill in both": "指示には名前と内容が必要です。両方を記入してください",
  "The name of an instruction is one line": "指示の名前は一行です",
  "Galley itself has the instruction `{name}`; choose another name":
    "指示 `{name}` は Galley 自身のものです。別の名前を選んでください",
  "The name has {bytes} bytes; at most {most} are allowed, so shorten it":
    "名前は {bytes} バイトです。{most} バイトまでなので短くしてください",
  "The instruction has {bytes} bytes; at most {most} are allowed, so shorten it":
    "指示は {bytes} バイトです。{most} バイトまでなので短くしてください",
  "You have an instruction `{name}` already; choose another name, or change that one":
    "指示 `{name}` はすでにあります。別の名前を選ぶか、それを変更してください",
  "{most} instructions are saved already; remove one first":
    "指示はすでに {most} 件保存されています。先に一つ削除してください",
  "Name an instruction, or say one in words": "指示の名前を挙げるか、言葉で書いてください",
  "`{name}` needs the language into which is translated; name it, for example Japanese":
    "`{name}` には訳す先の言語が必要です。たとえば日本語のように指定してください",
  "“{language}” is no name of a language": "「{language}」は言語の名前ではありません",
  "There is no instruction `{name}`; there is {known}": "指示 `{name}` はありません。あるのは {known} です",
  "You have no instruction `{name}`": "指示 `{name}` は保存されていません",
  "Only `translate` takes a language; leave it out": "言語を指定できるのは `translate` だけです。外してください",
  "The run {id} has no text yet that could be rewritten": "実行 {id} には書き直せる文章がまだありません",
  "Nothing can be left out of this text without a model: every sentence is needed by another one, locked, quoted, or the only one of its kind. Choose a profile with a model":
    "モデルなしでは、この文章から省けるものがありません。どの文もほかの文に必要か、ロックされているか、引用か、ほかに代わりがありません。モデルのあるプロファイルを選んでください",
  "An instruction of your own needs a model, and the profile `built-in` has none. Choose a profile with a model":
    "自分の指示にはモデルが必要ですが、プロファイル `built-in` にはありません。モデルのあるプロファイルを選んでください",
  "`{name}` needs a model, and the profile `built-in` has none. Choose a profile with a model":
    "`{name}` にはモデルが必要ですが、プロファイル `built-in` にはありません。モデルのあるプロファイルを選んでください",
  "`{check}` is no check of `{name}`; name it in `checks` too":
    "`{check}` は `{name}` の検査ではありません。`checks` にも書いてください",
  "the text before does not cite {wrong}": "書き直す前の文章は {wrong} を引用していません",
  "{count} sources cited, each cited before": "引用した出典は {count} 件で、どれも以前から引用されています",
  "the text before cited {before} sources, this one cites none":
    "書き直す前は出典を {before} 件引用していましたが、今は一つも引用していません",
  "{now} of {before} sources are still cited": "出典 {before} 件のうち {now} 件を引き続き引用しています",
  "this instruction needs a model; choose a profile with a model":
    "この指示にはモデルが必要です。モデルのあるプロファイルを選んでください",
  "no sentence can be left out without a model": "モデルなしでは省ける文がありません",
  "Make it shorter": "短くする",
  "Make it longer": "長くする",
  "Say it in plainer words": "やさしい言葉にする",
  Translate: "翻訳する",
  "{what} cannot be written as TOML: {error}": "{what}を TOML として書き込めません：{error}",
  "{what} in {file} cannot be read: {error}. Correct the file, or move it away":
    "{file} の{what}を読み取れません：{error}。ファイルを直すか、別の場所へ移してください",
  "Your saved instructions": "保存した指示",
};

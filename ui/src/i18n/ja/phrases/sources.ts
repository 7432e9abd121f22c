// What the program says of search sources and files that are read, in Japanese: by the English forms.
export const sources: Record<string, string> = {
  "The articles on this machine: what you imported, and the sample library. Needs no network.":
    "このコンピューターにある記事。取り込んだものと付属のサンプルです。ネットワークは不要です。",
  "the library": "ライブラリ",
  "`{tool}` cannot read its input: {error}": "`{tool}` は入力を読み取れません：{error}",
  "`{tool}` cannot read the field `{field}` of its input: {why}":
    "`{tool}` は入力の項目 `{field}` を読み取れません：{why}",
  '"{file}" {reason}': "「{file}」{reason}",
  "was not found: check the path.": "が見つかりません。パスを確かめてください。",
  "could not be read ({reason}): check its permissions.": "を読み取れません（{reason}）。権限を確かめてください。",
  "is empty: there is nothing to import.": "は空です。取り込むものがありません。",
  "is larger than 64 MB, which is the most that is read: split it and import the parts.":
    "は読み取れる上限の 64 MB を超えています。分けて取り込んでください。",
  "is of a kind that cannot be read: Markdown, text, HTML, PDF, Word (docx), JSONL, RSS and Atom files can.":
    "は読み取れない種類です。読み取れるのは Markdown、テキスト、HTML、PDF、Word（docx）、JSONL、RSS、Atom です。",
  "is not UTF-8 text, and its encoding is not clear: save it as UTF-8 and import it again.":
    "は UTF-8 のテキストではなく、文字コードも分かりません。UTF-8 で保存して取り込み直してください。",
  "could not be understood: {reason}.": "を解釈できません：{reason}。",
  "stopped its reader: it is damaged, or unpacks to more than is read; save it anew with another program.":
    "の読み取りが止まりました。壊れているか、展開すると読み取れる上限を超えます。別のプログラムで保存し直してください。",
  "took longer than {seconds} s to read and was given up: import a smaller part of it.":
    "の読み取りに {seconds} 秒を超えたため中止しました。小さく分けて取り込んでください。",
  "is a folder without a file that can be read: Markdown, text, HTML, PDF, Word (docx), JSONL, RSS and Atom files can.":
    "は読み取れるファイルのないフォルダーです。読み取れるのは Markdown、テキスト、HTML、PDF、Word（docx）、JSONL、RSS、Atom です。",
  "permission was denied": "権限がありません",
  "the feed has no entries with a title or a text": "フィードにタイトルや本文のある項目がありません",
  "{count} of its dates could not be read; their entries have no day":
    "日付のうち {count} 件は読み取れず、その項目には日付がありません",
  "{left} of {total} entries are empty or too many and were left out":
    "{total} 件のうち {left} 件は空か多すぎるため省きました",
  "its elements are nested deeper than {most}": "要素の入れ子が {most} 段を超えています",
  "it has more than {files} files or is deeper than {folders} folders; the rest was left out":
    "ファイルが {files} 個を超えるか、フォルダーが {folders} 段より深いため、残りは省きました",
  "the page is too large or too deep to find its article in; all its text was taken":
    "ページが大きすぎるか深すぎて記事を見つけられないため、全文を取り込みました",
  "the article of the page could not be found; all its text was taken":
    "ページの記事が見つからないため、全文を取り込みました",
  "none of its {total} lines is a record with a title and a summary":
    "{total} 行のどれもタイトルと要約のあるレコードではありません",
  "{count} of {total} lines are no records and were left out: line {numbers}, and more":
    "{total} 行のうち {count} 行はレコードではないため省きました：{numbers} 行目など",
  "{count} of {total} lines are no records and were left out: line {numbers}":
    "{total} 行のうち {count} 行はレコードではないため省きました：{numbers} 行目",
  '"{title}" is longer than {most} bytes; its end was left out':
    "「{title}」は {most} バイトを超えるため、終わりを省きました",
  "it is neither an ordinary file nor a folder": "通常のファイルでもフォルダーでもありません",
  "it has no text; if its pages are pictures, have them recognised first":
    "テキストがありません。ページが画像なら、先に文字認識をしてください",
  "{damaged} of its pages are damaged and were left out": "壊れている {damaged} ページを省きました",
  "its last {omitted} pages or parts were left out: it is too long":
    "長すぎるため、最後の {omitted} ページまたは部分を省きました",
  "its reader had to be stopped; what it read until then was taken":
    "読み取りを止める必要があったため、それまでに読んだ分を取り込みました",
  "no reader for it: {reason}": "読み取り用のプロセスがありません：{reason}",
  "no article has “{word}”; searched for “{meant}”": "「{word}」を含む記事がないため、「{meant}」で検索しました",
  "found nothing on this topic": "この話題の記事は見つかりませんでした",
  "found 1 article": "記事が 1 件見つかりました",
  "found {n} articles": "記事が {n} 件見つかりました",
  "{found}. {note}": "{found}。{note}",
  "searched {what} for “{query}” from {from} to {until}": "{what}で「{query}」を検索（{from}～{until}）",
  "arXiv refused the question; ask it in other words": "arXiv がこの検索を拒否しました。別の言葉にしてください",
  "The open news; falls back to the library and says so when the web cannot be searched.":
    "公開ニュース。ウェブを検索できないときはライブラリを使い、その旨を表示します。",
  "the library, which is searched where the web cannot be reached,": "ウェブに接続できないときに検索するライブラリ",
  "what can be reached": "利用できる情報源",
  "articles were compared by their words alone: the files of the language model are not beside the program; install Galley again":
    "記事は語だけで比べられました：言語モデルのファイルがプログラムの横にありません。Galley をもう一度インストールしてください",
  "articles were compared by their words alone: `{file}` of the language model is damaged; install Galley again":
    "記事は語だけで比べられました：言語モデルの `{file}` が壊れています。Galley をもう一度インストールしてください",
  "articles were compared by their words alone: comparing their meaning broke down; please report it":
    "記事は語だけで比べられました：意味の比較が途中で止まりました。お知らせください",
  "The web could not be searched, so the library was": "ウェブを検索できなかったため、ライブラリを検索しました",
  "News by Brave Search. Needs a key of a paid plan.": "Brave Search のニュース。有料プランのキーが必要です。",
  "None of the {total} feeds could be read. The first: {why}":
    "{total} 件のフィードはどれも読めませんでした。最初のもの：{why}",
  "The feed {title}: {why}": "フィード {title}：{why}",
  "{more} more feeds could not be read": "ほかに {more} 件のフィードを読めませんでした",
  "{host} answered with HTTP {status}; look whether the feed has moved":
    "{host} の応答は HTTP {status} です。フィードが移動していないか確かめてください",
  "Google Search through a Gemini model. Needs a key; each search is a model call and counts as one.":
    "Gemini モデルによる Google 検索。キーが必要です。検索 1 回がモデル呼び出し 1 回に数えられます。",
  "`{model}` is no name of a model; set services.gemini.model anew":
    "`{model}` はモデルの名前ではありません。services.gemini.model を設定し直してください",
  "The model answered without a search that found something": "モデルは検索結果なしに答えました",
  "{title} refused the topic ({reason}); ask in other words, or choose another source":
    "{title} がこの話題を拒否しました（{reason}）。別の言葉にするか、別の情報源を選んでください",
  "Google's programmable search, until 2027-01-01 and for customers it has. Needs a key and an engine.":
    "Google のプログラム可能な検索。既存の顧客向けで 2027-01-01 まで。キーと検索エンジンの ID が必要です。",
  "{title} needs the id of your search engine: `galley config set services.google-cse.engine ID`":
    "{title} には検索エンジンの ID が必要です。設定で入力してください",
  "The search of Hacker News gave nothing ({why}); only its front page was read":
    "Hacker News の検索からは何も得られませんでした（{why}）。トップページだけを読みました",
  "{title} has no base URL yet; set where it is: `galley config set services.{service}.base_url URL`":
    "{title} のアドレスがまだありません。設定で入力してください",
  "Hacker News, arXiv and the feeds of your list; Wikipedia if you switch it on. Needs no key.":
    "Hacker News、arXiv、一覧のフィード。Wikipedia も有効にできます。キーは不要です。",
  "The feeds": "フィード",
  "{name} gave nothing: {why}": "{name} からは何も得られませんでした：{why}",
  "{first}. {next}": "{first}。{next}",
  "No part of the open news could be reached. {each}": "公開ニュースのどの情報源にも接続できませんでした。{each}",
  "Many engines at once, by a SearXNG of your own. Needs its base URL, and `json` among its formats.":
    "自分の SearXNG で多くのエンジンを一度に検索します。そのアドレスと、形式に json が必要です。",
  "{title} answers only people: add `json` to `search.formats` of its settings, or allow this machine in its limiter":
    "{title} は人にしか応答しません。設定の `search.formats` に `json` を加えるか、制限でこのコンピューターを許可してください",
  "None of the engines of {title} answered ({silent}); try again later, or choose another source":
    "{title} のエンジンはどれも応答しませんでした（{silent}）。後でやり直すか、別の情報源を選んでください",
  "Engines that did not answer: {silent}": "応答しなかったエンジン：{silent}",
  "News by the search service Tavily. One credit a search; without a key only a few searches.":
    "検索サービス Tavily のニュース。検索 1 回に 1 クレジット。キーなしでは数回だけ検索できます。",
  "The list of feeds {file} {why}; mend the file, or remove it to begin anew":
    "フィードの一覧 {file} {why}。ファイルを直すか、削除して始め直してください",
  "cannot be read: {error}": "を読み取れません：{error}",
  "is not OPML: {why}": "は OPML ではありません：{why}",
  "it has no element `opml`": "要素 `opml` がありません",
  "{service} sent an answer that cannot be read; try again, and if it stays so, check its base URL":
    "{service} の応答を読み取れません。やり直しても同じなら、アドレスを確かめてください",
  "{name} sent no feed: {why}": "{name} の応答はフィードではありません：{why}",
  "`{link}` is not an address of the web": "`{link}` はウェブのアドレスではありません",
  "{host} {reason}": "{host} {reason}",
  "answered with HTTP {status}": "の応答は HTTP {status} です",
  "gave no page but `{kind}`": "の内容はページではなく `{kind}` です",
  "gave a page that cannot be read: {why}": "のページを読み取れません：{why}",
  "gave a page that cannot be read": "のページを読み取れません",
  "The turn to ask {name} cannot be kept in {folder}: {error}":
    "{name} に尋ねる順番を {folder} に記録できません：{error}",
  "Others on this machine are asking {name}, one at a time; try again in a minute":
    "このコンピューターのほかのプログラムが順番に {name} に尋ねています。1 分後にやり直してください",
  "it wants a key; set one for this service": "キーが必要です。このサービスに設定してください",
  "check the key, or set another": "キーを確かめるか、別のものにしてください",
  "what the key allows is used up; choose another source or wait until it is renewed":
    "キーの割り当てがなくなりました。別の情報源を選ぶか、回復を待ってください",
  "try again a little later": "少し後でやり直してください",
  "try again later, or choose another source": "後でやり直すか、別の情報源を選んでください",
  "check its settings, and that its base URL is right": "設定と、アドレスが正しいかを確かめてください",
  "{service} refused the search{status_words}: {next}": "{service} が検索を拒否しました{status_words}：{next}",
  "{service} answered, but not as this service does; check its base URL":
    "{service} は応答しますが、このサービスではないようです。アドレスを確かめてください",
  "{what} (“{words}”)": "{what}（「{words}」）",
  "{undated} results were left out: they are older or name no day":
    "{undated} 件の結果は古いか日付がないため省きました",
  "{unread} pages could not be read; what the service says of them is all there is":
    "{unread} 件のページを読めませんでした。サービスの説明だけがあります",
  "The base URL of {title} is not an address of the web; set it anew: `galley config set services.{service}.base_url URL`":
    "{title} のアドレスがウェブのアドレスではありません。設定で入れ直してください",
  "{title} needs a key; get one at {page} and name the environment variable that holds it: `galley config set services.{name}.key_env VARIABLE`":
    "{title} にはキーが必要です。{page} で取得し、キーを入れた環境変数を設定で指定してください",
};

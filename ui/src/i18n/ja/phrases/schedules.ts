// What the program says of schedules, in Japanese: by the English forms.
export const schedules: Record<string, string> = {
  "The schedule “{name}” cannot be read: {error}. Remove it and make it again":
    "スケジュール「{name}」を読めません：{error}。取り除いて作り直してください",
  "It is not said when; write one of these kinds: {examples}, or cron as `0 7 * * 1-5`":
    "いつ始めるかが書かれていません。次のいずれかの形で書いてください：{examples}。または cron で `0 7 * * 1-5` のように書きます",
  "“{rest}” is not understood as a time; write one of these kinds: {examples}, or cron as `0 7 * * 1-5`":
    "「{rest}」は時刻として理解できません。次のいずれかの形で書いてください：{examples}。または cron で `0 7 * * 1-5` のように書きます",
  "“{when}” names no time of day; add one, as in “{when} at 7:30”":
    "「{when}」には時刻がありません。「{when} at 7:30」のように加えてください",
  "The times of “{when}” have different minutes, which one rule cannot say; make a schedule for each":
    "「{when}」の時刻は分がそろっていないため、1 つの規則では表せません。時刻ごとにスケジュールを作ってください",
  "{number} hours do not divide the day, so the steps would not be equal; choose 1, 2, 3, 4, 6, 8 or 12 hours":
    "{number} 時間では 1 日を割り切れず、間隔がそろいません。1、2、3、4、6、8、12 時間のいずれかにしてください",
  "{number} minutes do not divide the hour, so the steps would not be equal; choose 1, 2, 3, 4, 5, 6, 10, 12, 15, 20 or 30 minutes":
    "{number} 分では 1 時間を割り切れず、間隔がそろいません。1、2、3、4、5、6、10、12、15、20、30 分のいずれかにしてください",
  "“{when}” is not cron with five fields (minute, hour, day, month, weekday): {reason}; or write words: {examples}":
    "「{when}」は 5 項目（分、時、日、月、曜日）の cron ではありません：{reason}。言葉でも書けます：{examples}",
  "This computer knows no time zone `{name}`; write an IANA name such as `Europe/Berlin` or `Asia/Tokyo`":
    "このコンピューターはタイムゾーン `{name}` を知りません。`Europe/Berlin` や `Asia/Tokyo` のような IANA 名を書いてください",
  "“{when}” never comes; choose a day that exists": "「{when}」は決して来ません。実在する日を選んでください",
  "Profile `{name}` asks another provider or address than when the schedule was saved. Save the schedule again if that is meant":
    "プロファイル `{name}` の提供元かアドレスが、スケジュールの保存時と異なります。意図したものなら、スケジュールを保存し直してください",
  "A schedule needs a name; type one": "スケジュールには名前が必要です。入力してください",
  "You have {most} schedules already; remove one first":
    "スケジュールが既に {most} 件あります。先にどれかを取り除いてください",
  "A run of a schedule may take from 1 to {most} minutes, not {minutes}":
    "スケジュールの実行時間は 1～{most} 分です。{minutes} 分にはできません",
  "The schedule cannot be written: {error}": "スケジュールを書き込めません：{error}",
  "You have a schedule “{name}” already; choose another name":
    "「{name}」というスケジュールは既にあります。別の名前にしてください",
  "There is no schedule “{name}”": "「{name}」というスケジュールはありません",
  "The budget of a month is a number above 0; leave it out for no budget":
    "1 か月の予算は 0 より大きい数です。予算を設けない場合は空にしてください",
  "The budget of this month is used up: ${used} of ${most}": "今月の予算を使い切りました：${most} のうち ${used}",
  "The budget of this month is used up: {used} of {most} tokens":
    "今月の予算を使い切りました：{most} トークンのうち {used}",
  "The run took longer than the {minutes} minutes that its schedule allows, and was ended":
    "実行がスケジュールの許す {minutes} 分を超えたため、終了しました",
  "The schedule “{name}” failed {times} times in a row and stopped itself. Mend what failed, then resume it":
    "スケジュール「{name}」は続けて {times} 回失敗し、自ら停止しました。原因を直してから再開してください",
  "A run of the schedule “{name}” was refused `{tool}` at {place}. Allow it by saving the schedule with this tool, if it should be allowed":
    "スケジュール「{name}」の実行は、{place} での `{tool}` の使用を拒否されました。許可する場合は、このツールを許可してスケジュールを保存してください",
  "A run of the schedule “{name}” was refused `{tool}`. Allow it by saving the schedule with this tool, if it should be allowed":
    "スケジュール「{name}」の実行は `{tool}` の使用を拒否されました。許可する場合は、このツールを許可してスケジュールを保存してください",
  "A run of the schedule “{name}” waits for your answer": "スケジュール「{name}」の実行があなたの回答を待っています",
  "the program `{program}` is not found beside this one": "このプログラムの隣にプログラム `{program}` が見つかりません",
  "this account has no folder for settings": "このアカウントには設定用のフォルダーがありません",
  "no timer of `{system}` is known": "`{system}` のタイマーは分かりません",
  "the file {file} cannot be written: {error}": "ファイル {file} に書き込めません：{error}",
  "`{command}` fails: {why}": "`{command}` が失敗しました：{why}",
  "it was not set up when the schedules were saved": "スケジュールの保存時に設定されませんでした",
  "While no window is open nothing begins by itself, because the system has no timer for it: {why}. Let something else run `galley schedule run-due` each minute":
    "ウィンドウが開いていない間は何も自動で始まりません。システムにそのためのタイマーがないからです：{why}",
};

// What the program says of trips and their itineraries, in Japanese: by the English forms.
export const itinerary: Record<string, string> = {
  "The input `{key}` is a time of a day, written as HH:MM": "入力 `{key}` は HH:MM の形の時刻です",
  "The legs between {count} points: row {row} has {found} entries; give one for each point":
    "{count} 地点間の区間：{row} 行目の項目は {found} 個です。地点ごとに 1 個ずつ指定してください",
  "The trip has {count} points, more than the {most} that are planned; leave some out":
    "旅程の地点は {count} か所で、計画できる {most} か所を超えています。地点を減らしてください",
  "Two points of the trip have the id `{id}`; give each point its own":
    "旅程の 2 つの地点の識別子が同じ `{id}` です。地点ごとに別の識別子を付けてください",
  "The legs are those of {found} points, but the trip has {count} with its start; compute them anew":
    "区間は {found} 地点分ですが、旅程は出発地を含めて {count} 地点です。区間を計算し直してください",
  "The start `{name}` has no position on the earth; give its coordinates":
    "出発地「{name}」に有効な位置がありません。座標を指定してください",
  "No leg from `{from}` to `{to}` is known; give one, or drop the point":
    "`{from}` から `{to}` への区間がありません。区間を指定するか、この地点を外してください",
  "The itinerary has no point `{id}`, as it has no points; add points first":
    "旅程にはまだ地点がないため、地点 `{id}` もありません。先に地点を追加してください",
  "The itinerary has no point `{id}`; name one of its points: {known}":
    "旅程に地点 `{id}` はありません。次の地点から指定してください：{known}",
  "The point `{id}` is not visited, as it was dropped; add it first":
    "地点 `{id}` は外されているため、訪問しません。先に追加してください",
  "The point `{id}` is visited already; to move it, fix it at a position or reorder the points":
    "地点 `{id}` はすでに訪問先にあります。移動するには、位置を固定するか、地点を並べ替えてください",
  "The point `{id}` cannot be visited, as it has no position on the earth; give its coordinates first":
    "地点 `{id}` には有効な位置がないため、訪問できません。先に座標を指定してください",
  "The point `{id}` cannot be visited at position {position}, which does not exist; choose 1 to {count}":
    "地点 `{id}` を {position} 番目にすることはできません。その位置はありません。1～{count} から選んでください",
  "The point `{id}` cannot be visited at position {position}, where `{other}` is fixed; unfix `{other}` first or choose another position":
    "地点 `{id}` を {position} 番目にすることはできません。そこには `{other}` が固定されています。先に `{other}` の固定を解除するか、別の位置を選んでください",
  "The order names the point `{id}` twice; name every visited point once":
    "順序に地点 `{id}` が 2 回あります。訪問する地点を 1 回ずつ指定してください",
  "The order lacks the point `{id}`; name every visited point once, or drop this one":
    "順序に地点 `{id}` がありません。訪問する地点を 1 回ずつ指定するか、この地点を外してください",
  "An agent of the run {id} is at work. Change the visit when the run asks you, or when it has ended":
    "実行 {id} のエージェントが作業中です。実行が尋ねてきたとき、または終わってから行程を変えてください",
  "An invented weather that depends on the day alone. Needs no network.":
    "日付だけで決まる架空の天気。ネットワークは不要です。",
  "One invented title. Needs no network.": "架空の作品が一つ。ネットワークは不要です。",
  "The order of the places under `{key}` cannot be changed": "`{key}` の場所の順番は変えられません",
  "The points of the invented title. Needs no network.": "架空の作品の場所。ネットワークは不要です。",
  "The station of the invented title. Needs no network.": "架空の作品の駅。ネットワークは不要です。",
  "The visit has no start or no time to begin; give a station and a day":
    "行程に出発地か開始時刻がありません。駅と日付を指定してください",
  "There is no route yet; let the route be planned first": "経路がまだありません。先に経路を計画してください",
  "There is no visit to change yet; wait until it is planned":
    "変えられる行程がまだありません。計画ができるまで待ってください",
  "Title, points, opening hours and weather are invented, to show how Galley plans a trip":
    "作品、場所、営業時間、天気は架空のもので、Galley が旅をどう計画するかを示します",
  "Ways between {count} points are too many; give at most {most}":
    "{count} 地点間の経路は多すぎます。最大 {most} 地点にしてください",
  "Ways on foot, estimated from straight lines. Needs no network.":
    "直線距離から見積もる徒歩の経路。ネットワークは不要です。",
  "`{agent}` needs a tool for `{slot}`": "`{agent}` には `{slot}` のツールが必要です",
  "`{day}` is no day; write it as 2026-11-29": "`{day}` は日付ではありません。2026-11-29 のように書いてください",
  "`{time}` is no time of a day; write it as 09:30": "`{time}` は時刻ではありません。09:30 のように書いてください",
  "estimated the ways between {n} points": "{n} 地点間の経路を見積もりました",
  "invented the weather of {day}": "{day} の天気を作りました",
  "looked for points within {radius} km in the demonstration": "デモの {radius} km 以内の場所を探しました",
  "looked for the station “{name}” in the demonstration": "デモで駅「{name}」を探しました",
  "looked for the title “{title}” in the demonstration": "デモで作品「{title}」を探しました",
  "the demonstration area": "デモの区域",
  "the weather of {day}": "{day} の天気",
  "there is no plan to answer from": "回答の元になる計画がありません",
  "{n} of {total} points": "{total} か所のうち {n} か所",
  "{n} stations": "駅 {n} 件",
  "{n} titles": "作品 {n} 件",
  "{n} ways": "経路 {n} 件",
  "Estimated ways on foot, and an invented bus. Needs no network.":
    "見積もった徒歩の経路と架空のバス。ネットワークは不要です。",
  "invented the ways between {n} points": "{n} 地点間の経路を作りました",
  "straight lines": "直線距離",
};

// What the program says of trips and their itineraries, in Simplified Chinese: by the English forms.
export const itinerary: Record<string, string> = {
  "The input `{key}` is a time of a day, written as HH:MM": "输入 `{key}` 是一天中的时刻，写成 HH:MM",
  "The legs between {count} points: row {row} has {found} entries; give one for each point":
    "{count} 个地点之间的路段：第 {row} 行有 {found} 项；请为每个地点各给一项",
  "The trip has {count} points, more than the {most} that are planned; leave some out":
    "行程有 {count} 个地点，最多只能规划 {most} 个；请去掉一些",
  "Two points of the trip have the id `{id}`; give each point its own":
    "行程中有两个地点的标识都是 `{id}`；请为每个地点指定不同的标识",
  "The legs are those of {found} points, but the trip has {count} with its start; compute them anew":
    "路段对应 {found} 个地点，而行程连同起点共有 {count} 个；请重新计算路段",
  "The start `{name}` has no position on the earth; give its coordinates":
    "起点“{name}”没有有效的地理位置；请给出它的坐标",
  "No leg from `{from}` to `{to}` is known; give one, or drop the point":
    "没有从 `{from}` 到 `{to}` 的路段；请给出路段，或去掉这个地点",
  "The itinerary has no point `{id}`, as it has no points; add points first":
    "行程中没有地点 `{id}`，因为还没有任何地点；请先添加地点",
  "The itinerary has no point `{id}`; name one of its points: {known}":
    "行程中没有地点 `{id}`；请指明其中一个地点：{known}",
  "The point `{id}` is not visited, as it was dropped; add it first": "地点 `{id}` 已被去掉，不在路线中；请先添加它",
  "The point `{id}` is visited already; to move it, fix it at a position or reorder the points":
    "地点 `{id}` 已在路线中；要移动它，请把它固定到某个位置，或重新排列地点",
  "The point `{id}` cannot be visited, as it has no position on the earth; give its coordinates first":
    "地点 `{id}` 没有有效的地理位置，无法前往；请先给出它的坐标",
  "The point `{id}` cannot be visited at position {position}, which does not exist; choose 1 to {count}":
    "地点 `{id}` 不能排在第 {position} 位，没有这个位置；请选择 1 到 {count}",
  "The point `{id}` cannot be visited at position {position}, where `{other}` is fixed; unfix `{other}` first or choose another position":
    "地点 `{id}` 不能排在第 {position} 位，该位置已固定为 `{other}`；请先取消固定 `{other}`，或选择其他位置",
  "The order names the point `{id}` twice; name every visited point once":
    "顺序中地点 `{id}` 出现了两次；请把路线中的每个地点各写一次",
  "The order lacks the point `{id}`; name every visited point once, or drop this one":
    "顺序中缺少地点 `{id}`；请把路线中的每个地点各写一次，或去掉这个地点",
  "An agent of the run {id} is at work. Change the visit when the run asks you, or when it has ended":
    "运行 {id} 的智能体正在工作。请在运行提问时或结束后更改行程",
  "An invented weather that depends on the day alone. Needs no network.": "只取决于日期的虚构天气。不需要网络。",
  "One invented title. Needs no network.": "一部虚构的作品。不需要网络。",
  "The order of the places under `{key}` cannot be changed": "`{key}` 中地点的顺序无法更改",
  "The points of the invented title. Needs no network.": "虚构作品的地点。不需要网络。",
  "The station of the invented title. Needs no network.": "虚构作品的车站。不需要网络。",
  "The visit has no start or no time to begin; give a station and a day": "行程没有出发地或开始时间；请给出车站和日期",
  "There is no route yet; let the route be planned first": "还没有路线；请先规划路线",
  "There is no visit to change yet; wait until it is planned": "还没有可更改的行程；请等待规划完成",
  "Title, points, opening hours and weather are invented, to show how Galley plans a trip":
    "作品、地点、开放时间和天气都是虚构的，用来展示 Galley 如何安排行程",
  "Ways between {count} points are too many; give at most {most}": "{count} 个地点之间的路线太多；最多给出 {most} 个",
  "Ways on foot, estimated from straight lines. Needs no network.": "按直线距离估算的步行路线。不需要网络。",
  "`{agent}` needs a tool for `{slot}`": "`{agent}` 需要用于 `{slot}` 的工具",
  "`{day}` is no day; write it as 2026-11-29": "`{day}` 不是日期；请写成 2026-11-29",
  "`{time}` is no time of a day; write it as 09:30": "`{time}` 不是时刻；请写成 09:30",
  "estimated the ways between {n} points": "估算了 {n} 个地点之间的路线",
  "invented the weather of {day}": "虚构了 {day} 的天气",
  "looked for points within {radius} km in the demonstration": "在演示区中查找 {radius} 公里内的地点",
  "looked for the station “{name}” in the demonstration": "在演示区中查找车站“{name}”",
  "looked for the title “{title}” in the demonstration": "在演示区中查找作品“{title}”",
  "the demonstration area": "演示区",
  "the weather of {day}": "{day} 的天气",
  "there is no plan to answer from": "没有可据以回答的计划",
  "{n} of {total} points": "{total} 个地点中的 {n} 个",
  "{n} stations": "{n} 个车站",
  "{n} titles": "{n} 部作品",
  "{n} ways": "{n} 条路线",
  "Estimated ways on foot, and an invented bus. Needs no network.": "估算的步行路线和一路虚构的公交。不需要网络。",
  "invented the ways between {n} points": "虚构了 {n} 个地点之间的路线",
  "straight lines": "直线距离",
};

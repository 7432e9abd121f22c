// What the program says of trips and their itineraries, in Japanese: by the English forms.
export const itinerary: Record<string, string> = {
  "The legs between {count} points: row {row} has {found} entries; give one for each point":
    "{count} 地点間の区間：{row} 行目の項目は {found} 個です。地点ごとに 1 個ずつ指定してください",
};

// What the program says of trips and their itineraries, in Simplified Chinese: by the English forms.
export const itinerary: Record<string, string> = {
  "The legs between {count} points: row {row} has {found} entries; give one for each point":
    "{count} 个地点之间的路段：第 {row} 行有 {found} 项；请为每个地点各给一项",
};

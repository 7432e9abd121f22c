// What a run asks again, and what becomes of it after it was interrupted, in English.
export const again = {
  "again.asks": { one: "asks models about once", other: "asks models about {n} times" },
  "again.asks_at_least": { one: "asks models at least once", other: "asks models at least {n} times" },
  "again.asks_none": "asks no model",
  "again.then": "; ",
  "again.used": "the same calls of this run used {tokens} tokens and {cost}",
  "again.used_no_price": "the same calls of this run used {tokens} tokens, price not known",
  "again.some_price": "{cost} + calls of unknown price",
  "again.unknown": "this run has no figures for these calls",
  "again.first": "{who} has not run yet and is not counted",
  "again.reused": { one: "1 stage reused – {cost}", other: "{n} stages reused – {cost}" },
};

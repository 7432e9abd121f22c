// Prices that a person sets for models, in English.
export const prices = {
  "price.title": "Price of {model}",
  "price.set": "Set price",
  "price.set_of": "Set price of {model}",
  "price.input": "US dollars per million tokens in",
  "price.output": "US dollars per million tokens out",
  "price.help": "Used for earlier calls without a price, and for all calls from now on.",
  "price.help.unknown":
    "The price of this model is unknown. The price you set is used for earlier calls without a price, and for all calls from now on.",
  "price.file": "Saved in {file}.",
  "price.save": "Save the price",
  "price.close": "Close",
  "price.saved": "Saved. Totals use it from now on.",
  "price.later": "at a price set later",
  "price.open": "Price",
  "price.open_named": "Price of {name}",
  "price.none": "price not known",
  "price.some": "+ calls of unknown price",
  "price.where": "What it cost, and where a price is set",
};

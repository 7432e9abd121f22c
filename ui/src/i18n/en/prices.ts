// Prices that a person sets for models, in English.
export const prices = {
  "price.title": "Price of {model}",
  "price.set": "Set price",
  "price.set_of": "Set price of {model}",
  "price.input": "US dollars per million tokens in",
  "price.output": "US dollars per million tokens out",
  "price.help": "Calls whose price was unknown are added up with it, and so are those that follow.",
  "price.help.unknown": "The price of this model is not known. Calls without a price are added up with the one you set, and so are those that follow.",
  "price.file": "It is kept in {file}.",
  "price.save": "Save the price",
  "price.close": "Close",
  "price.saved": "Saved. What is added up from now on uses it.",
  "price.later": "by a price set later",
  "price.open": "Price",
  "price.open_named": "Price of {name}",
};

// Search sources, what they want shown, and the hosts that were contacted, in English.
export const sources = {
  "help.hosts": "Hosts contacted in this session",
  "help.hosts.help": "Every host that searches and models of this program asked since it started, the newest first.",
  "help.hosts.none": "None yet.",
  "help.hosts.count": { one: "asked once, at {when}", other: "asked {n} times, last at {when}" },
  "settings.sources": "Search sources",
  "settings.sources.help": "Where a run may search, and what each place wants to be asked with.",
  "settings.sources.key.none": "works without a key",
  "settings.sources.key.optional": "a key may be given",
  "settings.sources.key.required": "needs a key",
  "settings.sources.of": "Settings of {title}",
  "settings.sources.unset": "not set",
  "settings.contact": "Whom services can turn to",
  "settings.contact.help":
    "An address of mail or of a page, sent with the requests of tools. The public servers of Transitous and OpenStreetMap answer only programs that name one. Empty: none is sent.",
  "settings.sources.feeds": "The list of feeds stands in {path}",
  "attribution.title": "What the services ask to show",
  "attribution.by": "Found by {provider}",
  "attribution.frame": "Suggestions of {provider}",
  "attribution.searched": "Searched for: {queries}",
  "attribution.links": { one: "1 link as given", other: "{n} links as given" },
  "sources.undated": "undated",
};

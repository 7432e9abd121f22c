// Search sources, what they want shown, and the hosts that were contacted, in English.
export const sources = {
  "help.hosts": "Hosts contacted in this session",
  "help.hosts.help": "Every host that searches and models contacted since Galley started, newest first.",
  "help.hosts.none": "None yet.",
  "help.hosts.count": { one: "asked once, at {when}", other: "asked {n} times, last at {when}" },
  "settings.sources": "Search sources",
  "settings.sources.help": "Where a run can search, and what each source needs.",
  "settings.sources.key.none": "works without a key",
  "settings.sources.key.optional": "key optional",
  "settings.sources.key.required": "needs a key",
  "settings.sources.of": "Settings of {title}",
  "settings.sources.unset": "not set",
  "settings.contact": "Contact address for services",
  "settings.contact.help":
    "Your e-mail address or web page, sent with every request of a tool. The public servers of Transitous and OpenStreetMap require one. Leave it empty to send none.",
  "settings.sources.feeds": "The list of feeds is in {path}",
  "attribution.title": "Attributions required by the services",
  "attribution.by": "Found by {provider}",
  "attribution.frame": "Suggestions from {provider}",
  "attribution.searched": "Searched for: {queries}",
  "attribution.links": { one: "1 original link", other: "{n} original links" },
  "sources.undated": "undated",
};

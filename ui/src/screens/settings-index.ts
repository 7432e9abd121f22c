// The settings by the words that a person looks for them with: titles, help texts, choices, and other words for them.
import type { SettingsSection } from "../app/settings-sections";
import { SECTION_TITLES } from "../app/settings-sections";
import { t, type Words } from "../i18n";
import { unquoted } from "../i18n/titles";

export type SettingEntry = {
  section: SettingsSection;
  /** As `settingPlace` has it; empty for the section as a whole. */
  name: string;
  title: string;
  /** The texts that stand at it. */
  texts: readonly string[];
  /** Search terms that are not shown. */
  synonyms: readonly string[];
};
/** An entry that fits, with its title and one more text, in which `[[` and `]]` mark what was found. */
export type SettingHit = { section: SettingsSection; name: string; title: string; text: string };

type Known = readonly [section: SettingsSection, name: string, title: Words, texts: readonly Words[], synonyms?: Words];

const KNOWN: readonly Known[] = [
  [
    "appearance",
    "theme",
    "settings.theme",
    ["settings.theme.system", "settings.theme.light", "settings.theme.dark"],
    "find.theme",
  ],
  ["appearance", "language", "settings.language", ["settings.language.system"], "find.language"],
  ["appearance", "zoom", "settings.zoom", [], "find.zoom"],
  ["appearance", "keys", "action.keys", ["settings.keys"], "find.keys"],
  ["runs", "default_profile", "settings.default_profile", ["settings.default_profile.help"], "find.default_profile"],
  ["runs", "default_source", "settings.default_source", ["settings.default_source.help"], "find.default_source"],
  [
    "runs",
    "default_fallback",
    "settings.default_fallback",
    ["settings.default_fallback.help", "settings.default_fallback.ask", "settings.default_fallback.built_in"],
    "find.default_fallback",
  ],
  ["runs", "decide_issues", "launch.decide", ["launch.decide.yes", "launch.decide.no"], "find.decide"],
  [
    "runs",
    "keep_awake",
    "settings.keep_awake",
    ["settings.keep_awake.help", "settings.keep_awake.true", "settings.keep_awake.false"],
    "find.keep_awake",
  ],
  ["runs", "limits", "settings.limits", ["settings.limits.help"], "find.limits"],
  [
    "profiles",
    "profiles",
    "settings.profiles",
    [
      "settings.profiles.help",
      "settings.address",
      "settings.model",
      "settings.variable",
      "profile.key_from.keyring",
      "profile.key_from.session",
    ],
    "find.profiles",
  ],
  ["profiles", "profiles", "profile.fallback", ["profile.fallback.help"], "find.fallback"],
  ["profiles", "profiles", "price.open", ["price.help"], "find.price"],
  ["sources", "net.contact", "settings.contact", ["settings.contact.help"], "find.contact"],
  ["sources", "", "settings.sources", ["settings.sources.help", "settings.sources.feeds"], "find.sources"],
  [
    "servers",
    "servers",
    "servers.title",
    [
      "servers.help",
      "servers.add",
      "servers.import.title",
      "servers.env",
      "servers.headers",
      "servers.choose",
      "servers.timeout",
    ],
    "find.servers",
  ],
  ["servers", "servers.added", "servers.added.title", ["servers.added.help", "servers.added.all"], "find.servers"],
  [
    "workers",
    "queue.url",
    "workers.title",
    ["workers.help", "workers.url", "workers.url.help", "workers.key.help", "workers.here"],
    "find.workers",
  ],
  ["tools", "rules", "rules.title", ["rules.help", "rules.allowed", "rules.forbidden"], "find.rules"],
  [
    "tools",
    "net.browser",
    "settings.browser",
    ["settings.browser.help", "settings.browser.true", "settings.browser.false"],
    "find.browser",
  ],
  ["tools", "net.allow", "settings.allow", ["settings.allow.help"], "find.allow"],
  ["tools", "proxy", "settings.proxy", ["settings.proxy.help"], "find.proxy"],
  ["map", "map.tiles", "settings.map.tiles", ["settings.map.tiles.help", "settings.map.help"], "find.map"],
  ["map", "map.style", "settings.map.style", ["settings.map.style.help"], "find.map"],
  [
    "notifications",
    "notifications",
    "settings.notifications",
    [
      "settings.notifications.help",
      "settings.notifications.ask",
      "settings.notifications.on",
      "settings.notifications.off",
    ],
    "find.notifications",
  ],
  [
    "updates",
    "updates.check",
    "updates.check",
    ["updates.check.on", "updates.check.off", "updates.help"],
    "find.updates",
  ],
  ["updates", "updates.channel", "updates.channel", ["updates.channel.stable", "updates.channel.beta"], "find.updates"],
  ["updates", "updates.address", "updates.address", ["updates.address.help"]],
  ["data", "data.folder", "doctor.data_folder", ["data.open", "data.copy"], "find.folder"],
  ["data", "data.back_up", "data.back_up", ["data.back_up.help", "data.backups"], "find.backup"],
  ["data", "portable", "portable.title", ["portable.help", "portable.export", "portable.import"], "find.portable"],
  ["data", "log.level", "settings.log", ["settings.log.help", "settings.log.none"], "find.log"],
  ["data", "otlp.url", "settings.otlp", ["settings.otlp.help"], "find.otlp"],
  ["data", "disk_wait_s", "settings.disk_wait", ["settings.disk_wait.help"], "find.disk"],
];

const listOf = (words: Words | undefined) => (words ? t(words).split(/[,、，]\s*/) : []);

/** Every setting of these sections, in the language of the window. */
export function settingEntries(sections: readonly SettingsSection[]): SettingEntry[] {
  return KNOWN.filter(([section]) => sections.includes(section)).map(([section, name, title, texts, synonyms]) => ({
    section,
    name,
    title: t(title),
    texts: texts.map((text) => unquoted(t(text))),
    synonyms: listOf(synonyms),
  }));
}

const fold = (text: string) => text.normalize("NFKC").toLowerCase();

/** Marks every one of the terms in a text. A text whose folding has another length stays unmarked. */
function marked(text: string, terms: readonly string[]): string {
  const folded = fold(text);
  if (folded.length !== text.length) return text;
  const isHit = new Array<boolean>(text.length).fill(false);
  for (const term of terms)
    for (let at = folded.indexOf(term); at >= 0; at = folded.indexOf(term, at + term.length))
      isHit.fill(true, at, at + term.length);
  let result = "";
  for (let at = 0; at < text.length; at++) {
    const [is, was] = [isHit[at], isHit[at - 1] ?? false];
    if (is !== was) result += is ? "[[" : "]]";
    result += text.charAt(at);
  }
  return isHit.at(-1) ? `${result}]]` : result;
}

/** The settings in whose words every term of the search stands; those with a hit in the title come first. */
export function findSettings(entries: readonly SettingEntry[], search: string): SettingHit[] {
  const terms = fold(search)
    .split(/\s+/)
    .filter((term) => term !== "");
  if (terms.length === 0) return [];
  const has = (text: string) => terms.some((term) => fold(text).includes(term));
  const found = entries.filter(({ section, title, texts, synonyms }) => {
    const all = fold([t(SECTION_TITLES[section]), title, ...texts, ...synonyms].join("\n"));
    return terms.every((term) => all.includes(term));
  });
  return [...found.filter(({ title }) => has(title)), ...found.filter(({ title }) => !has(title))].map(
    ({ section, name, title, texts, synonyms }) => ({
      section,
      name,
      title: marked(title, terms),
      text: marked(texts.find(has) ?? synonyms.find(has) ?? texts[0] ?? "", terms),
    }),
  );
}

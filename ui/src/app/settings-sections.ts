// The sections of the settings, in the order of their list. A link to one of them names it in its route.
import type { Words } from "../i18n";

export const SETTINGS_SECTIONS = [
  "appearance",
  "runs",
  "profiles",
  "sources",
  "servers",
  "workers",
  "tools",
  "map",
  "notifications",
  "updates",
  "data",
] as const;
export type SettingsSection = (typeof SETTINGS_SECTIONS)[number];

export const SECTION_TITLES: Record<SettingsSection, Words> = {
  appearance: "settings.appearance",
  runs: "settings.defaults",
  profiles: "settings.profiles",
  sources: "settings.sources",
  servers: "servers.title",
  workers: "workers.title",
  tools: "settings.tools",
  map: "settings.map.title",
  notifications: "settings.window",
  updates: "updates.title",
  data: "data.title",
};

/** The sections that the host has: a browser's tab shows no notifications of the desktop. */
export const sectionsOf = (isWindow: boolean): SettingsSection[] =>
  SETTINGS_SECTIONS.filter((section) => section !== "notifications" || isWindow);

export const isSettingsSection = (value: unknown): value is SettingsSection =>
  SETTINGS_SECTIONS.some((section) => section === value);

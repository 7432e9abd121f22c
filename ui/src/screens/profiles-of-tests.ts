// A profile and providers that no program knows, for tests of the settings.
import type { ProfileCard } from "../ipc/bindings";

export const work: ProfileCard = {
  name: "work",
  provider: "near",
  base_url: "http://127.0.0.1:1/v1",
  models: { default: "old-1" },
  key_env: "",
  last_four: "",
  fallback: "",
  limits: {},
  tested: null,
};
export const near = {
  id: "near",
  title: "Near",
  needs_key: true,
  key_page: "",
  key_variable: "NEAR_KEY",
  is_key_found: true,
  base_url: "http://127.0.0.1:1/v1",
  models: { default: "old-1" },
  is_of_service: false,
};
export const hound = {
  ...near,
  id: "hound",
  title: "Hound",
  key_variable: "",
  is_key_found: false,
  base_url: "https://hound.example",
  models: {},
  is_of_service: true,
};
export const open = { ...near, id: "open", title: "Open", needs_key: false, is_key_found: false };

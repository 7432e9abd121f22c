// Library, profiles, settings and the doctor of the host without a program.
import type { Code, Commands, Fault, LibraryCard, ProfileCard } from "../bindings";
import { recording } from "./fake-records";

type Names = "list_library" | "import_library" | "remove_library" | "list_profiles" | "add_profile" | "remove_profile" | "test_profile" | "get_setting" | "set_setting" | "doctor" | "list_sources";
type Handlers = { [K in Names]: (payload: Commands[K][0]) => Commands[K][1] };

export function fault(code: Code, message: string): Fault {
  return { code, message, provider_words: null, retry_after_ms: null, limit: null };
}

export function shelf(): Handlers {
  const found = recording("run-two-drafts").entries.flatMap(({ event }) =>
    event.fact.kind === "state_changed" ? Object.values(event.fact.delta.set) : [],
  );
  const list = (found.find((value) => typeof value === "object" && value !== null && "entries" in value) as { entries: Record<string, string>[] } | undefined)?.entries ?? [];
  let library: LibraryCard[] = list.map((entry, index) => ({
    id: `entry-${index}`,
    title: entry["title"] ?? "",
    url: entry["url"] ?? "",
    source: entry["source"] ?? "",
    published: entry["published"] ?? "",
    snippet: entry["summary"] ?? "",
  }));
  let profiles: ProfileCard[] = [
    { name: "built-in", provider: "built-in", base_url: "", models: {}, key_env: "" },
    { name: "work", provider: "openai-compatible", base_url: "http://127.0.0.1:8080/v1", models: { default: "medium-2" }, key_env: "WORK_KEY" },
  ];
  const settings = new Map([["default_profile", "built-in"], ["default_source", "auto"]]);

  return {
    list_library({ search, limit }) {
      const matching = library.filter((entry) => `${entry.title} ${entry.snippet}`.toLowerCase().includes(search.toLowerCase()));
      return { total: matching.length, entries: matching.slice(0, limit ?? 100) };
    },
    import_library: ({ paths }) => ({ added: 0, unchanged: 0, skipped: paths.map((path) => `${path}: there is no file behind this page`) }),
    remove_library({ name }) {
      library = library.filter((entry) => entry.id !== name);
      return {};
    },
    list_sources: () => ({ sources: [], contacted: [], feeds_file: "" }),
    list_profiles: () => ({ profiles }),
    add_profile(profile) {
      if (profiles.some(({ name }) => name === profile.name)) throw fault("bad_input", `there is already a profile ${profile.name}; choose another name`);
      profiles = [...profiles, profile];
      return {};
    },
    remove_profile({ name }) {
      profiles = profiles.filter((profile) => profile.name !== name);
      return {};
    },
    test_profile({ name }) {
      if (name !== "built-in") throw fault("network", `nobody answers at the address of the profile ${name}`);
      return { key: name, value: "answers without a model" };
    },
    get_setting: ({ key }) => ({ key, value: settings.get(key) ?? "" }),
    set_setting(setting) {
      settings.set(setting.key, setting.value);
      return setting;
    },
    doctor: () => ({
      lines: [
        { name: "Program", is_well: true, found: "version 0.1.0", fix: "" },
        { name: "Data folder", is_well: true, found: "can be written, 3.2 GB free", fix: "" },
        { name: "History", is_well: true, found: "8 runs, whole", fix: "" },
        { name: "Network", is_well: false, found: "no provider can be reached", fix: "Check the connection; runs on the library need none." },
      ],
    }),
  };
}

// Library, profiles, settings and the doctor of the host without a program.
import type { Commands, LibraryCard, ProfileCard } from "../ipc/bindings";
import { verbatim } from "../ipc/verbatim";
import { apiError } from "./fake-error";
import { recording } from "./fake-records";

type Names =
  | "list_providers"
  | "find_servers"
  | "save_key"
  | "forget_key"
  | "total_usage"
  | "model_price"
  | "set_price"
  | "list_library"
  | "import_library"
  | "import_run"
  | "remove_library"
  | "restore_library"
  | "stop_import"
  | "list_profiles"
  | "add_profile"
  | "remove_profile"
  | "test_profile"
  | "list_models"
  | "offer_models"
  | "list_sources"
  | "get_setting"
  | "set_setting"
  | "doctor";
type Handlers = { [K in Names]: (payload: Commands[K][0]) => Commands[K][1] };

export function shelf(): Handlers {
  const found = recording("run-two-drafts").entries.flatMap(({ event }) =>
    event.fact.kind === "state_changed" ? Object.values(event.fact.delta.set) : [],
  );
  const list =
    (
      found.find((value) => typeof value === "object" && value !== null && "entries" in value) as
        { entries: Record<string, string>[] } | undefined
    )?.entries ?? [];
  let library: LibraryCard[] = list.map((entry, index) => ({
    id: `entry-${index}`,
    title: entry["title"] ?? "",
    url: entry["url"] ?? "",
    source: entry["source"] ?? "",
    published: entry["published"] ?? "",
    snippet: entry["summary"] ?? "",
  }));
  const removed: LibraryCard[] = [];
  const blank = { base_url: "", models: {}, key_env: "", last_four: "", fallback: "", limits: {}, tested: null };
  const prices = new Map<string, { input: number; output: number }>();
  let profiles: ProfileCard[] = [
    { ...blank, name: "built-in", provider: "built-in" },
    {
      ...blank,
      name: "work",
      provider: "openai-compatible",
      base_url: "http://127.0.0.1:8080/v1",
      models: { default: "medium-2" },
      key_env: "WORK_KEY",
    },
  ];
  const settings = new Map([
    ["default_profile", "built-in"],
    ["default_source", "auto"],
  ]);

  return {
    list_library({ search, limit }) {
      const matching = library.filter((entry) =>
        `${entry.title} ${entry.snippet}`.toLowerCase().includes(search.toLowerCase()),
      );
      return { total: matching.length, entries: matching.slice(0, limit ?? 100) };
    },
    import_run: () => ({ run: "run-news", was_here: true, left_out: [] }),
    import_library: ({ paths }) => ({
      added: 0,
      unchanged: 0,
      undated: 0,
      was_stopped: false,
      skipped: paths.map((path) => verbatim(`${path}: there is no file behind this page`)),
    }),
    stop_import: () => ({}),
    restore_library({ name }) {
      library = [...library, ...removed.filter((entry) => entry.id === name)];
      return {};
    },
    remove_library({ name }) {
      removed.push(...library.filter((entry) => entry.id === name));
      library = library.filter((entry) => entry.id !== name);
      return {};
    },
    list_sources: () => ({ sources: [], contacted: [], feeds_file: "" }),
    list_profiles: () => ({
      profiles: profiles.map((profile) => ({
        ...profile,
        used_by: settings.get("default_profile") === profile.name ? ["default_profile"] : [],
      })),
    }),
    list_providers: () => ({
      keyring: "Secret Service",
      keyring_error: null,
      providers: [
        {
          id: "medium",
          title: "Medium",
          needs_key: true,
          key_page: "https://keys.example.org",
          key_variable: "MEDIUM_API_KEY",
          is_key_found: true,
          base_url: "https://api.example.org",
          models: { default: "medium-2" },
          is_of_service: false,
        },
        {
          id: "openai-compatible",
          title: "Any compatible server",
          needs_key: false,
          key_page: "",
          key_variable: "",
          is_key_found: false,
          base_url: "",
          models: {},
          is_of_service: false,
        },
      ],
    }),
    find_servers: () => ({
      servers: [
        {
          provider: "near",
          title: "Near server",
          address: "http://127.0.0.1:8000",
          base_url: "",
          models: ["near-8b", "near-1b"],
          next_step: null,
          profile: null,
          free_name: "near-server",
        },
      ],
    }),
    save_key({ profile, key, for_session: forSession }) {
      if (key.trim() === "") throw apiError("bad_input", "The key is empty; paste it as the provider shows it");
      const last_four = key.trim().slice(-4);
      if (!forSession) profiles = profiles.map((one) => (one.name === profile ? { ...one, last_four } : one));
      return { last_four };
    },
    forget_key({ name }) {
      profiles = profiles.map((one) => (one.name === name ? { ...one, last_four: "" } : one));
      return {};
    },
    total_usage: () => ({
      lines: [
        {
          month: "2026-11",
          profile: "work",
          model: "medium-2",
          agent: "scribe",
          calls: 14,
          failed_calls: 1,
          open_calls: 0,
          input_tokens: 31_200,
          output_tokens: 5_400,
          cost: 0.42,
          unpriced_calls: 0,
          is_priced_later: false,
          cached_tokens: 12_000,
        },
      ],
      damaged_runs: [],
    }),
    model_price: ({ model }) => ({
      provider: "openai-compatible",
      model,
      price: prices.get(model) ?? null,
      file: "/data/prices.toml",
    }),
    set_price({ model, input, output }) {
      const price = { input: Number(input), output: Number(output) };
      if (Number.isNaN(price.input + price.output))
        throw apiError("bad_input", `“${input}” is no price; write US dollars with a point, such as 0.25`);
      prices.set(model, price);
      return { provider: "openai-compatible", model, price, file: "/data/prices.toml" };
    },
    add_profile({ key, for_session: forSession, ...profile }) {
      const last_four = forSession ? "" : key.trim().slice(-4);
      profiles = [...profiles.filter(({ name }) => name !== profile.name), { ...profile, last_four }];
      return {};
    },
    remove_profile({ name }) {
      profiles = profiles.filter((profile) => profile.name !== name);
      return { unset: [] };
    },
    test_profile({ name }) {
      if (name !== "built-in") throw apiError("network", `nobody answers at the address of the profile ${name}`);
      return { at_ms: 1_764_000_000_000, phrase: verbatim("answers without a model") };
    },
    list_models({ name }) {
      if (name === "built-in")
        throw apiError("bad_input", "The built-in profile works without a model, so there is none to list");
      return {
        models: [
          {
            name: "medium-2",
            title: "Medium 2",
            shutdown_date: "2027-01-14",
            input_tokens: 128000,
            output_tokens: 8192,
          },
        ],
      };
    },
    offer_models: () => ({
      models: [{ name: "medium-2", title: "Medium 2", shutdown_date: "", input_tokens: 0, output_tokens: 0 }],
    }),
    get_setting: ({ key }) => ({ key, value: settings.get(key) ?? "", usual: "" }),
    set_setting(setting) {
      settings.set(setting.key, setting.value);
      return { ...setting, usual: "" };
    },
    doctor: () => ({
      redacted: "ok: Galley: 0.1.0\n",
      lines: [
        {
          topic: "program",
          subject: "",
          name: "Galley",
          is_well: true,
          found: "0.1.0",
          finding: { kind: "text", phrase: verbatim("0.1.0") },
          fix: "",
          remedy: { kind: "nothing" },
        },
        {
          topic: "data_folder",
          subject: "",
          name: "Data folder",
          is_well: true,
          found: "/home/somebody/.local/share/galley",
          finding: { kind: "text", phrase: verbatim("/home/somebody/.local/share/galley") },
          fix: "",
          remedy: { kind: "nothing" },
        },
        {
          topic: "database",
          subject: "",
          name: "Database",
          is_well: true,
          found: "8 runs, whole",
          finding: { kind: "text", phrase: verbatim("8 runs, whole") },
          fix: "",
          remedy: { kind: "nothing" },
        },
        {
          topic: "profile",
          subject: "work",
          name: "Profile work",
          is_well: false,
          found: "the variable WORK_KEY is not set",
          finding: { kind: "variable_not_set", provider: "", variable: "WORK_KEY" },
          fix: "Set the variable, or save a key.",
          remedy: { kind: "set_variable", name: "work" },
        },
      ],
    }),
  };
}

// The host without a program stands in a browser's tab: there is no window around it.
import type { Commands, DataFolder, Favourite, Instructions } from "../ipc/bindings";
import { apiError } from "./fake-error";

type Names =
  | "back_up"
  | "check_update"
  | "choose_paths"
  | "close_window"
  | "data_folder"
  | "fetch_image"
  | "describe_host"
  | "describe_map"
  | "export_settings"
  | "import_settings"
  | "notify"
  | "open_data_folder"
  | "read_document"
  | "dismiss_update"
  | "recover"
  | "review_draft"
  | "change_visit"
  | "rewrite_run"
  | "list_favourites"
  | "save_favourite"
  | "remove_favourite"
  | "list_files"
  | "list_instructions"
  | "save_instruction"
  | "remove_instruction"
  | "read_file"
  | "read_library"
  | "read_map_tile"
  | "read_request"
  | "save_file"
  | "run_costs"
  | "show_files"
  | "show_menu"
  | "show_saved_file"
  | "show_tray";
type Handlers = { [K in Names]: (payload: Commands[K][0]) => Commands[K][1] };

const none = (): never => {
  throw apiError("bad_input", "there is no window around this page");
};

const unreviewed = (): never => {
  throw apiError("bad_input", "these runs have no draft with a review");
};

export function surroundings(): Handlers {
  const named = (name: string, title: string, takes_language = false) => ({
    name,
    title: { id: title, parameters: {} },
    takes_language,
  });
  const own = [named("shorter", "Make it shorter"), named("translate", "Translate", true)];
  const instructions: Instructions = { own, saved: [], max_bytes: 2_000 };
  let favourites: readonly Favourite[] = [];
  const folder: DataFolder = {
    path: "/home/somebody/.local/share/galley",
    database_bytes: 3_400_000,
    runs: 8,
    trashed_runs: 0,
    backups: [],
  };
  return {
    data_folder: () => folder,
    back_up() {
      const at_ms = Date.now();
      folder.backups = [
        { file: `galley-backup-15-${folder.backups.length + 1}.sqlite3`, at_ms, bytes: folder.database_bytes },
        ...folder.backups,
      ];
      return folder;
    },
    check_update: () => ({ version: "0.1.0", newer: null, package: null }),
    dismiss_update: () => ({}),
    open_data_folder: none,
    read_document: none,
    choose_paths: none,
    fetch_image: none,
    describe_map: () => ({ tiles: null, style: null }),
    read_map_tile: none,
    export_settings: () => ({ toml: 'theme = "dark"\n' }),
    import_settings: ({ toml }) => ({
      settings: toml.includes("dark") ? [{ key: "theme", from: "system", to: "dark" }] : [],
      profiles: [],
      kept: [],
    }),
    describe_host: () => ({ is_window: false, damage: null, remarks: [] }),
    close_window: none,
    notify: none,
    recover: none,
    review_draft: unreviewed,
    change_visit: unreviewed,
    rewrite_run: unreviewed,
    list_files: () => ({ files: [] }),
    list_instructions: () => instructions,
    save_instruction({ name, text, replaces }) {
      const others = instructions.saved.filter((saved) => saved.name !== replaces);
      return Object.assign(instructions, { saved: [...others, { name, text }] });
    },
    remove_instruction({ name }) {
      return Object.assign(instructions, { saved: instructions.saved.filter((saved) => saved.name !== name) });
    },
    list_favourites: () => ({ favourites: [...favourites] }),
    save_favourite({ name, request, replaces }) {
      const kept = { name, request };
      const isNew = !favourites.some((one) => one.name === replaces);
      favourites = isNew ? [...favourites, kept] : favourites.map((one) => (one.name === replaces ? kept : one));
      return { favourites: [...favourites] };
    },
    remove_favourite({ name }) {
      favourites = favourites.filter((one) => one.name !== name);
      return { favourites: [...favourites] };
    },
    read_file: none,
    read_library: none,
    run_costs: () => ({ costs: {} }),
    read_request: unreviewed,
    save_file: none,
    show_files: none,
    show_menu: none,
    show_saved_file: none,
    show_tray: none,
  };
}

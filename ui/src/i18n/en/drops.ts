// Files that were dropped on the window, and what can be done with them.
export const drops = {
  "drops.title": "What should happen with these files?",
  "drops.files": "Dropped files",
  "drops.count": { one: "1 file", other: "{n} files" },
  "drops.runs": "Import {what}",
  "drops.pipelines": "Add {what} to your pipelines",
  "drops.library": "Add {what} to the library",
  "drops.start": "Start “{title}” with {what}…",
  "drops.nothing_yet": "Nothing has happened yet. Esc leaves the files alone.",
  "drops.no_path": "This browser does not tell where dropped files are. In the library their paths can be typed.",
  "drops.to_library": "Open the library",
  "drops.too_many": "{name} was not added: too many pipelines have this name.",
};

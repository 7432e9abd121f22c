// Favourites: forms that are kept under a name.
export const favourites = {
  "favourites.title": "Favourites",
  "favourites.open": "Open “{name}”",
  "favourites.no_pipeline": "“{name}” needs the pipeline {pipeline}, which is not there any more.",
  "favourites.keep": "Add to favourites",
  "favourites.change": "Change favourite",
  "favourites.name": "Name",
  "favourites.save": "Save",
  "favourites.replace": "Replace",
  "favourites.save_new": "Save as new",
  "favourites.cancel": "Cancel",
  "favourites.saved": "“{name}” is a favourite now.",
  "favourites.remove": "Remove “{name}” from favourites",
  "favourites.removed": "“{name}” removed from favourites",
  "launch.favourite": "Filled from the favourite “{request}”.",
  "palette.favourites": "Favourites",
};

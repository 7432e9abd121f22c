// What can be done wherever one is in the program.
import type { Action } from "./actions.svelte";
import { makePipeline } from "./pipelines";
import { preferences } from "./preferences.svelte";
import { stepRegion } from "./regions";
import { router } from "./route.svelte";
import { searchHere } from "./search-places";

type Frame = {
  openPalette: () => void;
  openSheet: () => void;
  searchRuns: () => void;
  showInbox: () => void;
  turnSidebar: () => void;
};

export const pageActions = (frame: Frame): Action[] => [
  { id: "palette", title: "action.palette", section: "go", keys: "mod+k", run: frame.openPalette },
  { id: "new", title: "action.new", section: "go", keys: "mod+n", run: () => router.go({ screen: "launch" }) },
  { id: "new-pipeline", title: "pipeline.new", section: "go", keys: "", run: () => makePipeline(null) },
  { id: "find", title: "action.find", section: "go", keys: "mod+f", run: () => searchHere() || frame.searchRuns() },
  { id: "search", title: "action.search", section: "go", keys: "mod+shift+l", run: frame.searchRuns },
  { id: "inbox", title: "action.inbox", section: "go", keys: "mod+i", run: frame.showInbox },
  { id: "schedules", title: "schedules.title", section: "go", keys: "", run: () => router.go({ screen: "schedules" }) },
  { id: "library", title: "action.library", section: "go", keys: "", run: () => router.go({ screen: "library" }) },
  {
    id: "settings",
    title: "action.settings",
    section: "go",
    keys: "mod+,",
    run: () => router.go({ screen: "settings" }),
  },
  { id: "key", title: "welcome.model", section: "go", keys: "", run: () => router.go({ screen: "key" }) },
  { id: "doctor", title: "action.doctor", section: "go", keys: "", run: () => router.go({ screen: "doctor" }) },
  { id: "welcome", title: "action.welcome", section: "go", keys: "", run: () => router.go({ screen: "welcome" }) },
  { id: "help", title: "action.help", section: "go", keys: "", run: () => router.go({ screen: "help" }) },
  { id: "region-next", title: "action.region_next", section: "go", keys: "f6", run: () => stepRegion(1) },
  { id: "region-back", title: "action.region_back", section: "go", keys: "shift+f6", run: () => stepRegion(-1) },
  { id: "sidebar", title: "action.sidebar", section: "look", keys: "mod+b", run: frame.turnSidebar },
  { id: "zoom-in", title: "action.zoom_in", section: "look", keys: "mod+plus", run: () => preferences.zoomBy(1) },
  { id: "zoom-out", title: "action.zoom_out", section: "look", keys: "mod+-", run: () => preferences.zoomBy(-1) },
  { id: "zoom-none", title: "action.zoom_none", section: "look", keys: "mod+0", run: () => (preferences.zoom = 100) },
  { id: "keys", title: "action.keys", section: "look", keys: "mod+/", run: frame.openSheet },
  { id: "theme-light", title: "action.light", section: "look", keys: "", run: () => (preferences.theme = "light") },
  { id: "theme-dark", title: "action.dark", section: "look", keys: "", run: () => (preferences.theme = "dark") },
  { id: "theme-system", title: "action.system", section: "look", keys: "", run: () => (preferences.theme = "system") },
];

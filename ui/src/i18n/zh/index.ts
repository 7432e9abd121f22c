// Every string of the page in Simplified Chinese; the type keeps its keys equal to the English ones. These languages
// have one form for every number.
import type { en } from "../en/index";
import { hostWindow } from "./host-window";
import { again } from "./again";
import { calls } from "./calls";
import { desk } from "./desk";
import { drops } from "./drops";
import { errors } from "./errors";
import { favourites } from "./favourites";
import { files } from "./files";
import { finding } from "./finding";
import { found } from "./findings";
import { gates } from "./gates";
import { instances } from "./instances";
import { notes } from "./notes";
import { keyboard } from "./keyboard";
import { panels } from "./panels";
import { permissions } from "./permissions";
import { pipelines } from "./pipelines";
import { plan } from "./plan";
import { prices } from "./prices";
import { profiles } from "./profiles";
import { questions } from "./questions";
import { rewrites } from "./rewrites";
import { schedules } from "./schedules";
import { screens } from "./screens";
import { settings } from "./settings";
import { selection } from "./selection";
import { sources } from "./sources";
import { toolServers } from "./tool-servers";
import { visit } from "./visit";
import { workers } from "./workers";

export const zh: Record<keyof typeof en, string> = {
  ...hostWindow,
  ...again,
  ...calls,
  ...desk,
  ...drops,
  ...favourites,
  ...files,
  ...finding,
  ...found,
  ...gates,
  ...instances,
  ...notes,
  ...keyboard,
  ...panels,
  ...permissions,
  ...pipelines,
  ...plan,
  ...prices,
  ...profiles,
  ...questions,
  ...rewrites,
  ...schedules,
  ...screens,
  ...settings,
  ...selection,
  ...sources,
  ...toolServers,
  ...visit,
  ...workers,
  ...errors,
};

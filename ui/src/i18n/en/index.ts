// Every string of the page in English. `{name}` is filled in; an entry with `one` and `other` follows `n`. Not here:
// what the program says itself (titles, faults), which comes over the border, and the texts that it defines by id.
import { ENGLISH } from "../../ipc/bindings";
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

export const en = {
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
  ...ENGLISH,
};

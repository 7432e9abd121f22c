// Every string of the page in Japanese; the type keeps its keys equal to the English ones. These languages have one form for
// every number.
import type { en } from "../en/index";
import { hostWindow } from "./host-window";
import { desk } from "./desk";
import { errors } from "./errors";
import { files } from "./files";
import { found } from "./findings";
import { notes } from "./notes";
import { panels } from "./panels";
import { pipelines } from "./pipelines";
import { profiles } from "./profiles";
import { questions } from "./questions";
import { rewrites } from "./rewrites";
import { screens } from "./screens";
import { sources } from "./sources";

export const ja: Record<keyof typeof en, string> = {
  ...hostWindow,
  ...desk,
  ...files,
  ...found,
  ...notes,
  ...panels,
  ...pipelines,
  ...profiles,
  ...questions,
  ...rewrites,
  ...screens,
  ...sources,
  ...errors,
};

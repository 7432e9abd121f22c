// Every string of the page in Simplified Chinese; the type keeps its keys equal to the English ones. These languages have one form for
// every number.
import type { en } from "../en/index";
import { around } from "./around";
import { desk } from "./desk";
import { errors } from "./errors";
import { files } from "./files";
import { found } from "./found";
import { panels } from "./panels";
import { profiles } from "./profiles";
import { questions } from "./questions";
import { screens } from "./screens";
import { sources } from "./sources";

export const zh: Record<keyof typeof en, string> = { ...around, ...desk, ...files, ...found, ...panels, ...profiles, ...questions, ...screens, ...sources, ...errors };

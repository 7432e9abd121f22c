// The phrases of the program by their English forms, one catalogue a language. A test compares them with the sources.
import { phrases as en } from "./en/phrases";
import { accounts as accountsJa } from "./ja/phrases/accounts";
import { accounts as accountsZh } from "./zh/phrases/accounts";
import { evaluations as evaluationsJa } from "./ja/phrases/evaluations";
import { evaluations as evaluationsZh } from "./zh/phrases/evaluations";
import { favourites as favouritesJa } from "./ja/phrases/favourites";
import { favourites as favouritesZh } from "./zh/phrases/favourites";
import { itinerary as itineraryJa } from "./ja/phrases/itinerary";
import { itinerary as itineraryZh } from "./zh/phrases/itinerary";
import { models as modelsJa } from "./ja/phrases/models";
import { models as modelsZh } from "./zh/phrases/models";
import { pipelines as pipelinesJa } from "./ja/phrases/pipelines";
import { pipelines as pipelinesZh } from "./zh/phrases/pipelines";
import { program as programJa } from "./ja/phrases/program";
import { program as programZh } from "./zh/phrases/program";
import { queue as queueJa } from "./ja/phrases/queue";
import { queue as queueZh } from "./zh/phrases/queue";
import { rewrites as rewritesJa } from "./ja/phrases/rewrites";
import { rewrites as rewritesZh } from "./zh/phrases/rewrites";
import { runs as runsJa } from "./ja/phrases/runs";
import { runs as runsZh } from "./zh/phrases/runs";
import { schedules as schedulesJa } from "./ja/phrases/schedules";
import { sources as sourcesJa } from "./ja/phrases/sources";
import { schedules as schedulesZh } from "./zh/phrases/schedules";
import { sources as sourcesZh } from "./zh/phrases/sources";
import { store as storeJa } from "./ja/phrases/store";
import { store as storeZh } from "./zh/phrases/store";
import { tasks as tasksJa } from "./ja/phrases/tasks";
import { tasks as tasksZh } from "./zh/phrases/tasks";
import { toolServers as toolServersJa } from "./ja/phrases/tool-servers";
import { toolServers as toolServersZh } from "./zh/phrases/tool-servers";
import { tools as toolsJa } from "./ja/phrases/tools";
import { tools as toolsZh } from "./zh/phrases/tools";
import type { Language } from "./language.svelte";

export const PHRASES: Record<Language, Readonly<Record<string, string>>> = {
  en,
  zh: {
    ...accountsZh,
    ...evaluationsZh,
    ...favouritesZh,
    ...itineraryZh,
    ...modelsZh,
    ...pipelinesZh,
    ...programZh,
    ...queueZh,
    ...rewritesZh,
    ...runsZh,
    ...schedulesZh,
    ...sourcesZh,
    ...storeZh,
    ...tasksZh,
    ...toolServersZh,
    ...toolsZh,
  },
  ja: {
    ...accountsJa,
    ...evaluationsJa,
    ...favouritesJa,
    ...itineraryJa,
    ...modelsJa,
    ...pipelinesJa,
    ...programJa,
    ...queueJa,
    ...rewritesJa,
    ...runsJa,
    ...schedulesJa,
    ...sourcesJa,
    ...storeJa,
    ...tasksJa,
    ...toolServersJa,
    ...toolsJa,
  },
};

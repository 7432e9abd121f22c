// What the doctor found, and what search sources are, in the reader's language: by its kind and by its stable name.
import { bytes, isWords, momentWithHour, t, type Words } from "./";
import { exactPhraseText, phraseText } from "./phrase";
import { speech } from "./language.svelte";
import type {
  DefinitionFault,
  DoctorLine,
  Finding,
  ProfileTest,
  Remedy,
  RequestPart,
  ServiceCard,
  SourceCard,
} from "../ipc/bindings";

/** What a line of the doctor says. */
export function foundOf({ finding }: DoctorLine): string {
  return findingOf(finding);
}

/** What a line of the doctor advises; empty where all is well. */
export function remedyOf({ remedy }: DoctorLine): string {
  return wordsOf(remedy);
}

/** What is wrong with the text of a pipeline, and where. */
export function faultOf({ line, column, reason: phrase }: DefinitionFault): string {
  const reason = exactPhraseText(phrase);
  return line === 0 ? reason : t("pipeline.fault", { line, column, reason });
}

/** What the parts of a request are called that a server may refuse. */
export const PARTS: Record<RequestPart, Words> = {
  json_schema: "profile.part.json_schema",
  json_object: "profile.part.json_object",
  stream_options: "profile.part.stream_options",
  stream: "profile.part.stream",
  tools: "profile.part.tools",
  temperature: "profile.part.temperature",
  max_tokens: "profile.part.max_tokens",
  max_completion_tokens: "profile.part.max_completion_tokens",
  thinking: "profile.part.thinking",
  system_message: "profile.part.system_message",
};

export const isPart = (word: unknown): word is RequestPart => typeof word === "string" && Object.hasOwn(PARTS, word);

/** What came of the last trial of a profile, with its moment as the reader writes it. */
export function testedOf({ at_ms: at, phrase }: ProfileTest): string {
  return t("profile.tested", { when: momentWithHour(at), words: phraseText(phrase) });
}

function findingOf(finding: Finding): string {
  /** Whose it is stands before it, where it is somebody's. */
  const of = (provider: string, words: string) => (provider === "" ? words : `${provider}: ${words}`);
  switch (finding.kind) {
    case "text":
      return phraseText(finding.phrase);
    case "unknown_version":
      return t("found.unknown_version");
    case "only_owner":
      return t("found.only_owner");
    case "others_may_read":
      return t("found.others_may_read", { path: finding.path });
    case "whole_database":
      return t("found.whole_database", { file: finding.file, runs: finding.runs, values: finding.values });
    case "damaged_database":
      return t("found.damaged_database", { file: finding.file, problem: finding.problem, runs: finding.runs });
    case "setting":
      return t(`found.setting.${finding.wanted}`);
    case "backups":
      return finding.newest === null
        ? t("found.no_backups")
        : t("found.backups", { n: finding.count, size: bytes(finding.bytes), newest: finding.newest });
    case "articles":
      return t("found.articles", { n: finding.count });
    case "pipeline_files":
      return t("found.pipeline_files", { n: finding.count });
    case "faulty_pipeline":
      return t("found.faulty_pipeline", { faults: finding.faults.map(faultOf).join("; ") });
    case "no_keyring":
      return t("found.no_keyring");
    case "key_in_keyring":
      return finding.last_four === ""
        ? of(finding.provider, t("found.in_keyring"))
        : t("found.in_keyring.of", { provider: finding.provider, end: finding.last_four });
    case "key_for_session":
      return of(finding.provider, t("found.for_session"));
    case "no_key_kept":
      return t("found.no_key", { provider: finding.provider });
    case "key_in_environment":
      return of(finding.provider, t("found.in_environment", { variable: finding.variable }));
    case "variable_not_set":
      return of(finding.provider, t("found.not_set", { variable: finding.variable }));
    case "source_not_set_up":
      return t("found.not_set_up", { page: finding.page });
    case "source_without_key":
      return t("found.without_key");
    case "feeds":
      return t("found.feeds", { n: finding.count, file: finding.file });
    case "no_hosts":
      return t("found.no_hosts");
    case "answers":
    case "does_not_answer":
      return t(`found.${finding.kind}`);
    case "own_prices":
      return t("found.own_prices");
    case "prices_in":
      return t("found.prices_in", { file: finding.file });
  }
}

function wordsOf(remedy: Remedy): string {
  switch (remedy.kind) {
    case "nothing":
      return "";
    case "install_web_view":
    case "make_writable":
    case "free_database":
    case "recover_database":
    case "import_files":
    case "unlock_keyring":
    case "mend_feeds":
    case "mend_prices":
    case "check_network":
    case "check_collector":
      return t(`remedy.${remedy.kind}`);
    case "get_model":
      return phraseText(remedy.way);
    case "make_private":
      return t("remedy.make_private", { folder: remedy.folder });
    case "mend_settings":
      return t("remedy.mend_settings", { file: remedy.file });
    case "mend_pipeline":
      return t("remedy.mend_pipeline", { file: remedy.file });
    case "add_profile":
      return t("remedy.add_profile", { name: remedy.name });
    case "save_key":
      return t("remedy.save_key", { name: remedy.name });
    case "set_variable":
      return t("remedy.set_variable", { name: remedy.name });
    case "set_variable_of_service":
      return t("remedy.set_service_variable", { name: remedy.name });
  }
}

/** A text by its stable name, where the catalogue has words for it; else as the program says it. */
function named(key: string, english: string): string {
  return speech.current === "en" || !isWords(key) ? english : t(key);
}

export const sourceTitle = ({ id, title }: Pick<SourceCard, "id" | "title">): string => named(`source.${id}`, title);
export const sourcePurpose = ({ purpose }: SourceCard): string => phraseText(purpose);
/** A service by its name. */
export const serviceTitle = ({ name, title }: ServiceCard): string => named(`source.service.${name}`, title);
/** What a setting of a source is called, by its last name; that name where it has no words. */
export function settingTitle(name: string): string {
  const key = `source.field.${name}`;
  return isWords(key) ? t(key) : name;
}
/** What a setting of a source is for, by its last name. */
export const settingHelp = (name: string, help: string): string => named(`source.setting.${name}`, help);

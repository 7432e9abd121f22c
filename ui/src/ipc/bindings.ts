// Made from the desk's command list by a test (docs/develop.md, Generated files). Not to be edited.

export type AddProfile = { 
/**
 * Its key as it was typed or pasted; empty to leave its key as it is.
 */
key: string, 
/**
 * Whether the key is kept in memory only, until the program ends.
 */
for_session: boolean, 
/**
 * Its name.
 */
name: string, 
/**
 * The provider's id.
 */
provider: string, 
/**
 * Where requests go; empty for the provider's own address.
 */
base_url: string, 
/**
 * Models by role (`default`, `search`, `write`, `review`).
 */
models: { [key in string]: string }, 
/**
 * The environment variable that holds the key; empty for none.
 */
key_env: string, 
/**
 * The last four characters of the key that the keyring holds; empty when it holds none.
 */
last_four: string, 
/**
 * The profile that stands in when this one's key, credit or rate fails; empty for none.
 */
fallback: string, 
/**
 * Limits of every run that it is chosen for, where the run sets none of its own.
 */
limits: { [key in LimitName]?: number }, 
/**
 * Whether it asks a service that is searched, and no models. Told, never taken.
 */
is_of_service?: boolean, 
/**
 * The last four characters of the key that is kept for it until the program ends; nothing when none is. Told, never
 * taken.
 */
session_last_four?: string, 
/**
 * The settings that name it, dotted: `default_profile`, `profiles.NAME.fallback`. Told, never taken.
 */
used_by?: Array<string>, 
/**
 * What its server refused of requests, by model, and is not sent to it again until it is tested. Told, never taken.
 */
refused?: { [key in string]: Array<RequestPart> }, 
/**
 * What came of its last trial; nothing when it never was tried.
 */
tested: ProfileTest | null, };

export type AddRule = { 
/**
 * The rule: `TOOL` or `TOOL@PLACE`.
 */
rule: string, 
/**
 * Whether it allows; else it forbids.
 */
is_allowed: boolean, };

export type AddRunToSet = { 
/**
 * The set, which is created if there is none with this name.
 */
set: string, 
/**
 * The run.
 */
run: string, 
/**
 * The name of the case; the run's title when not given.
 */
case?: string, 
/**
 * Whether the run's text becomes the reference of the case.
 */
with_reference: boolean, };

export type AddTools = { 
/**
 * The pipeline's id.
 */
pipeline: string, 
/**
 * `SERVER/TOOL`, or `SERVER/*` for all of a server.
 */
tools: Array<string>, };

export type AgentChange = { 
/**
 * Another instruction.
 */
instruction: Value | null, 
/**
 * Another profile.
 */
profile: string | null, 
/**
 * Another model.
 */
model: string | null, 
/**
 * Another temperature.
 */
temperature?: number, 
/**
 * New limits of this agent alone, by name; nothing lifts one.
 */
limits?: { [key in LimitName]?: number | null }, 
/**
 * Other fallbacks.
 */
fallbacks?: Array<Fallback> | null, };

export type AgentKind = { "kind": "llm" } | { "kind": "sequential" } | { "kind": "parallel" } | { "kind": "for_each", 
/**
 * How many at once; all when not given.
 */
at_most: number | null, } | { "kind": "loop", 
/**
 * Most rounds.
 */
max_rounds: number, } | { "kind": "custom" };

export type AgentSettings = { 
/**
 * The instruction.
 */
instruction?: string, 
/**
 * The profile.
 */
profile?: string, 
/**
 * The model; of the profile, when not given.
 */
model?: string, 
/**
 * The temperature.
 */
temperature?: number, 
/**
 * Limits of this agent alone, by name, beside those of the run; nothing lifts one.
 */
limits?: { [key in LimitName]?: number | null }, };

export type AgentUsage = { 
/**
 * Requests to a model.
 */
calls: number, 
/**
 * Tokens in and out together.
 */
tokens: number, 
/**
 * Money in US dollars, of the calls whose price is known.
 */
cost: number, 
/**
 * Calls whose price is not known.
 */
unpriced_calls: number, 
/**
 * Calls of each tool.
 */
tool_calls: { [key in string]: number }, 
/**
 * Milliseconds in which models and tools worked for it, also those that worked at the same time.
 */
active_ms: number, };

export type Anchor = { 
/**
 * The passage.
 */
exact: string, 
/**
 * What stands before it; empty at the beginning of the text.
 */
prefix: string, 
/**
 * What stands behind it; empty at the end of the text.
 */
suffix: string, };

export type Answer = { "status": "done", 
/**
 * The result.
 */
result: Value, } | { "status": "failed", 
/**
 * Why.
 */
error: ApiError, } | { "status": "interrupted", 
/**
 * Why.
 */
reason: Interruption, 
/**
 * The text received until then.
 */
partial: string, };

export type AnswerRun = { 
/**
 * The run.
 */
run: string, 
/**
 * The number of the event that asks; where it is not given, the only question that is open.
 */
question?: number, 
/**
 * The answer: a text; of a permission a [`PermissionAnswer`](kernel::PermissionAnswer).
 */
value: Json, };

export type AnswerSummary = { 
/**
 * How often it was sent to a model or a tool. 0: it failed before anything was sent. Absent where nothing is sent.
 */
sent?: number, 
/**
 * Of a model, or of a tool that asked one: the tokens.
 */
tokens?: TokenUsage, 
/**
 * Of a model, or of a tool that asked one: what it cost, in US dollars; nothing where the price is not known.
 */
cost?: number, 
/**
 * Of a model: what happened on the way to the answer.
 */
remarks?: Array<Remark>, 
/**
 * Of a tool: its sentence for the journal.
 */
tool_summary?: Phrase, };

export type ApiError = { 
/**
 * What kind.
 */
code: Code, 
/**
 * One sentence or two: the thing, the reason, the next step.
 */
phrase: Phrase, 
/**
 * The phrase in English.
 */
message: string, 
/**
 * The provider's own words, cut and free of secrets.
 */
provider_words: string | null, 
/**
 * How long the provider asked to wait, in milliseconds.
 */
retry_after_ms: number | null, 
/**
 * Which limit, when one was reached.
 */
limit: Reached | null, 
/**
 * The profile whose key, credit or rate it is about.
 */
profile?: string, 
/**
 * Of a call of a tool: what kind of failure it is.
 */
tool_failure?: ToolFailure, };

export type AskedInput = { "kind": "form", 
/**
 * JSON Schema: an object of texts, numbers, choices, and yes or no.
 */
schema: Json, } | { "kind": "page", 
/**
 * Its address, `https` or of this machine.
 */
url: string, };

export type AskedModel = { 
/**
 * The provider, by which it is priced.
 */
provider: string, 
/**
 * The model's name.
 */
name: string, };

export type Attribution = { 
/**
 * Who gave them.
 */
name: string, 
/**
 * Its address; empty where there is none.
 */
url: string, 
/**
 * The licence or the terms in short; empty where there are none.
 */
licence: string, };

export type BackupCard = { 
/**
 * Its name in the data folder.
 */
file: string, 
/**
 * When it was made, milliseconds since 1970 UTC.
 */
at_ms: number, 
/**
 * Its bytes.
 */
bytes: number, };

export type Budget = { 
/**
 * What it used up.
 */
used: AgentUsage, 
/**
 * What it may use up, beside what the run may.
 */
limits: Limits, };

export type CallRange = { 
/**
 * When all goes well.
 */
least: number, 
/**
 * When every answer needs its repair and every loop its last round.
 */
most: number, };

export type Case = { 
/**
 * Its name; empty: its number in the set, from 1.
 */
name: string, 
/**
 * The inputs of the run by key.
 */
inputs: { [key in string]: Json }, 
/**
 * What is expected beside the expectations of the set.
 */
expect: Array<Expectation>, 
/**
 * A result that is known to be good, for the model that judges.
 */
reference: string | null, 
/**
 * The run of the history that it was made of.
 */
run: string | null, };

export type CellResult = { 
/**
 * How the run ended; `null` when it could not be started.
 */
outcome: Outcome | null, 
/**
 * Why, unless it simply finished.
 */
error: ApiError | null, 
/**
 * The resulting text; empty without one.
 */
output: string, 
/**
 * One judgement for each expectation of the case, in their order.
 */
judgements: Array<Judgement>, 
/**
 * The tools that were not called because nobody was there to allow them.
 */
refused?: Array<string>, 
/**
 * What the run used up.
 */
spent: Spent, 
/**
 * What the judging models used up.
 */
judging: Spent, };

export type ChangeRun = { 
/**
 * The run.
 */
run: string, 
/**
 * Its title; empty for the one it began with.
 */
title: string | null, 
/**
 * Whether it stands above the others.
 */
is_pinned: boolean | null, 
/**
 * The words by which the person sorts it, all of them.
 */
tags: Array<string> | null, };

export type ChangeVisit = { 
/**
 * The run.
 */
run: string, 
/**
 * The key with the places.
 */
key: string, 
/**
 * What is changed.
 */
operation: Operation, };

export type ChangedSetting = { 
/**
 * Its key, dotted.
 */
key: string, 
/**
 * Its value now; its default when it was not set.
 */
from: string, 
/**
 * Its value afterwards.
 */
to: string, };

export type CheckCount = { 
/**
 * Checks that passed.
 */
passed: number, 
/**
 * Checks that failed.
 */
failed: number, 
/**
 * Places at which they found faults, of those that count them.
 */
places?: number, };

export type CheckPipeline = { 
/**
 * The TOML.
 */
text: string, 
/**
 * The file that it was opened from; nothing for a text of no file of the data folder.
 */
id: string | null, };

export type CheckReason = "new_year" | "unreadable" | "uncertain";

export type CheckResult = { 
/**
 * Its name.
 */
name: string, 
/**
 * Whether what was checked holds.
 */
passed: boolean, 
/**
 * What was found, in one sentence.
 */
detail: string, 
/**
 * The same for people in other languages, where the program checked.
 */
phrase?: Phrase | null, 
/**
 * In how many places it found a fault; 0 where it does not count them.
 */
places?: number, };

export type CheckUpdate = { 
/**
 * Whether the person asks: then the feed is read at once, versions that were put off count too, and an error is shown.
 */
is_asked: boolean, };

export type Checks = Array<CheckResult>;

export type Choice = { 
/**
 * What is recorded when it is chosen.
 */
value: string, 
/**
 * What the person reads.
 */
label: Phrase, 
/**
 * What is to be known of it, in a sentence or two.
 */
details?: string, 
/**
 * The address of a picture of it.
 */
picture?: string, };

export type ChoiceComparison = { 
/**
 * Cases with more expectations that hold, or with as many and a higher score.
 */
better: number, 
/**
 * Cases with fewer.
 */
worse: number, 
/**
 * Cases without a difference.
 */
same: number, 
/**
 * How likely so uneven a result is when both choices are equally good, from 0 to 1: a two-sided sign test.
 */
chance: number, };

export type ChoosePaths = { 
/**
 * Of which kind.
 */
kind: PathKind, };

export type CitationEntry = { 
/**
 * The number that is cited; null where the sentence cites none.
 */
number: number | null, 
/**
 * The sentence, Markdown.
 */
sentence: string, 
/**
 * What the citation is worth.
 */
verdict: CitationVerdict, 
/**
 * The words that decide it: what the source has of the sentence where it supports it, else what it lacks.
 */
words: Array<string>, 
/**
 * The stored sentence that comes nearest, or empty.
 */
passage: string, };

export type CitationLedger = { 
/**
 * The event that wrote the text; 0 where no text stands.
 */
seq: number, 
/**
 * The sources, number 1 first.
 */
sources: Array<CitedSource>, 
/**
 * Every citation, and every sentence without one that has a figure or a name of no source, in the order of the text.
 */
citations: Array<CitationEntry>, };

export type CitationVerdict = "supported" | "weak" | "not_found" | "out_of_range";

export type CitedSource = { 
/**
 * Its number in the text.
 */
number: number, 
/**
 * Its title.
 */
title: string, 
/**
 * Its address, or empty.
 */
url: string, 
/**
 * Where it is from, or empty.
 */
source: string, 
/**
 * The day it was published, `2026-06-30`, or empty.
 */
published: string, 
/**
 * When its text came into the run, milliseconds since 1970 UTC; null where the run does not know it.
 */
fetched_at_ms: number | null, 
/**
 * The words that are stored of it.
 */
stored: string, };

export type CloseWindow = { 
/**
 * What becomes of it.
 */
how: Closing, };

export type Closing = "ask" | "keep" | "stop" | "cancel";

export type Code = "bad_input" | "not_found" | "key_refused" | "key_unavailable" | "quota_exhausted" | "rate_limited" | "overloaded" | "timeout" | "network" | "content_refused" | "request_refused" | "context_exceeded" | "malformed_answer" | "limit_reached" | "tool_failed" | "permission_needed" | "contract_broken" | "replay_differs" | "cancelled" | "waiting" | "busy" | "database_newer" | "database_corrupt" | "database_missing" | "database_locked" | "disk_full" | "read_only" | "internal";

export type Collision = { 
/**
 * Its number.
 */
id: number, 
/**
 * What both began from; empty where the sentence was new.
 */
base: string, 
/**
 * The person's sentence.
 */
yours: string, 
/**
 * The agent's sentence; empty where it wrote none.
 */
agents: string, };

export type CompareRuns = { 
/**
 * The one.
 */
one: string, 
/**
 * The other.
 */
other: string, };

export type ComparedAgent = { 
/**
 * The agent.
 */
agent: string, 
/**
 * In the one.
 */
one: AgentSettings | null, 
/**
 * In the other.
 */
other: AgentSettings | null, };

export type ComparedCheck = { 
/**
 * Its name.
 */
name: string, 
/**
 * In the one.
 */
one: CheckResult | null, 
/**
 * In the other.
 */
other: CheckResult | null, };

export type ComparedPart = "same" | "removed" | "added";

export type ComparedRun = { 
/**
 * As in the list.
 */
card: RunCard, 
/**
 * The hash of its pipeline's definition: two versions differ in it.
 */
version: string, 
/**
 * How it ended; `null` while it is open.
 */
outcome: Outcome | null, 
/**
 * Why, unless it simply finished.
 */
error: ApiError | null, 
/**
 * What it used up.
 */
usage: Usage, 
/**
 * Issues of its reviews at the end; `null` without a review.
 */
issues: number | null, };

export type ComparedText = { 
/**
 * Where it is.
 */
part: ComparedPart, 
/**
 * The text.
 */
text: string, };

export type ComparedValue = { 
/**
 * The key.
 */
key: string, 
/**
 * Its title.
 */
title: string, 
/**
 * In the one.
 */
one: Json | null, 
/**
 * In the other.
 */
other: Json | null, };

export type ContactedHost = { 
/**
 * Its name, with the port when that is not the usual one.
 */
host: string, 
/**
 * How often.
 */
requests: number, 
/**
 * When last, milliseconds since 1970 UTC.
 */
last_at_ms: number, };

export type Contract = { 
/**
 * Keys that must be there when the agent starts.
 */
reads: Array<string>, 
/**
 * Keys it uses when they are there.
 */
may_read: Array<string>, 
/**
 * Keys it may set.
 */
writes: Array<string>, };

export type Coordinates = { 
/**
 * North of the equator, -90 to 90.
 */
latitude: number, 
/**
 * East of Greenwich, -180 to 180.
 */
longitude: number, };

export type CorrectAnswer = { 
/**
 * The run.
 */
run: string, 
/**
 * The event of the answer.
 */
seq: number, 
/**
 * The corrected text.
 */
text: string, };

export type CreatePipeline = { 
/**
 * The one that is copied; the smallest that there is when not given.
 */
of: string | null, };

export type CredentialRoute = { 
/**
 * The profile; `services.NAME` where the service has a key without a profile.
 */
profile: string, 
/**
 * The profile that stands in when the key, the credit or the rate of this one fails.
 */
fallback: string | null, 
/**
 * The model that the tool asks, where it asks one: that is a call of a model like any other.
 */
model: AskedModel | null, };

export type DamageCard = { 
/**
 * What is the matter.
 */
error: ApiError, 
/**
 * Where the folder is.
 */
path: string, 
/**
 * Whole copies of the database, the newest first.
 */
backups: Array<BackupCard>, };

export type DataFolder = { 
/**
 * Where it is.
 */
path: string, 
/**
 * Bytes of the database with what was not yet moved into it.
 */
database_bytes: number, 
/**
 * How many runs of the history there are, and how many are in the trash.
 */
runs: number, 
/**
 * Of these, those in the trash.
 */
trashed_runs: number, 
/**
 * Whole copies of the database, the newest first.
 */
backups: Array<BackupCard>, };

export type DataSet = { 
/**
 * Its name.
 */
name: string, 
/**
 * The pipeline that its inputs are for.
 */
pipeline: string, 
/**
 * What is expected of every case.
 */
expect: Array<Expectation>, 
/**
 * The cases in order.
 */
cases: Array<Case>, };

export type DataSetCard = { 
/**
 * Its name.
 */
name: string, 
/**
 * The pipeline that its inputs are for.
 */
pipeline: string, 
/**
 * The number of its cases.
 */
cases: number, 
/**
 * When it was changed, milliseconds since 1970 UTC.
 */
changed_at_ms: number, };

export type DataSetCards = { 
/**
 * The sets.
 */
sets: Array<DataSetCard>, };

export type DayWeather = { 
/**
 * The day, `YYYY-MM-DD`.
 */
date: string, 
/**
 * Where.
 */
location: string, 
/**
 * What it is like, in words.
 */
condition: string, 
/**
 * Its highest temperature, °C.
 */
temperature_high: number, 
/**
 * Its lowest temperature, °C.
 */
temperature_low: number, 
/**
 * The chance of rain or snow, percent; nothing where it is not known.
 */
precipitation_chance: number | null, 
/**
 * The wind, km/h; nothing where it is not known.
 */
wind_speed_kmh: number | null, 
/**
 * What that means for the visit, a sentence or two.
 */
recommendation: string, };

export type DecidedBy = "never" | "run" | "always" | "default" | "person" | "nobody";

export type Decision = { 
/**
 * Whether it may.
 */
is_allowed: boolean, 
/**
 * What decided.
 */
by: DecidedBy, 
/**
 * The rule, where one decided or was made.
 */
rule?: Rule, 
/**
 * Why the person refused, in their words.
 */
reason?: string, 
/**
 * Whether the person changed the input.
 */
is_changed?: boolean, };

export type DefinitionFault = { 
/**
 * The line, from 1; 0 for the file as a whole.
 */
line: number, 
/**
 * The column in characters, from 1; 0 for the file as a whole.
 */
column: number, 
/**
 * What is wrong and what helps.
 */
reason: Phrase, };

export type Delta = { 
/**
 * New values by key.
 */
set: { [key in string]: Value }, 
/**
 * Keys that are gone.
 */
removed: Array<string>, };

export type Difference = { 
/**
 * The number of the recorded event; of one that is missing in the records, the last before it.
 */
seq: number, 
/**
 * The place.
 */
path: string, 
/**
 * One sentence.
 */
phrase: Phrase, 
/**
 * The recorded side.
 */
recorded: Json, 
/**
 * The replayed side.
 */
replayed: Json, };

export type DismissUpdate = { 
/**
 * The version.
 */
version: string, };

export type DoctorLine = { 
/**
 * What was looked at.
 */
topic: Topic, 
/**
 * The same in words, with which one it is.
 */
name: string, 
/**
 * Which one of several it is: the name of the profile or source; empty where there is one.
 */
subject: string, 
/**
 * Whether it is well.
 */
is_well: boolean, 
/**
 * What was found.
 */
found: string, 
/**
 * The same by its kind, for other languages.
 */
finding: Finding, 
/**
 * What to do, when it is not well.
 */
fix: string, 
/**
 * The same by its kind, for other languages.
 */
remedy: Remedy, };

export type DoctorReport = { 
/**
 * Line by line.
 */
lines: Array<DoctorLine>, 
/**
 * The same as a text for strangers: without the person's folders, names of profiles and addresses.
 */
redacted: string, };

export type DocumentText = { 
/**
 * Markdown and text as they stand, of other documents what they say.
 */
text: string, };

export type EditState = { 
/**
 * The run.
 */
run: string, 
/**
 * The key.
 */
key: string, 
/**
 * The field of the key's value; the whole value when not given.
 */
field: string | null, 
/**
 * The new value of the field or key.
 */
value: Json, 
/**
 * Whether this begins a version of its own, also where the last one is the person's: when they sat down
 * anew, or saved on purpose. What they type on without this continues their version.
 */
is_new_version: boolean, };

export type Effect = { "effect": "model", 
/**
 * The request.
 */
request: ModelRequest, } | { "effect": "tool", 
/**
 * The call.
 */
call: ToolCall, } | { "effect": "clock" } | { "effect": "id" } | { "effect": "question", 
/**
 * The question.
 */
question: Question, };

export type EffectClass = "pure" | "repeatable" | "once";

export type EvaluatedCase = { 
/**
 * Its name.
 */
name: string, 
/**
 * Its inputs.
 */
inputs: { [key in string]: Json }, 
/**
 * A result that is known to be good.
 */
reference: string | null, 
/**
 * The titles of its expectations, in the order of the judgements.
 */
criteria: Array<string>, 
/**
 * Whether the choices differ in an expectation that holds.
 */
differs: boolean, 
/**
 * One cell for each choice.
 */
cells: Array<EvaluatedCell>, };

export type EvaluatedCell = { 
/**
 * Its run; `null` before it began. The run may have been erased since.
 */
run: string | null, 
/**
 * Its result; `null` before its end.
 */
result: CellResult | null, };

export type EvaluatedChoice = { 
/**
 * Its name.
 */
label: string, 
/**
 * Its pipeline.
 */
pipeline: string, 
/**
 * The hash of the pipeline's definition: two versions differ in it.
 */
version: string, 
/**
 * What its agents run with.
 */
agents: { [key in string]: AgentSettings }, 
/**
 * The sum of its cells.
 */
totals: Totals, 
/**
 * How it differs from the first choice; `null` of the first.
 */
difference: ChoiceComparison | null, };

export type EvaluationCard = { 
/**
 * Its id.
 */
evaluation: string, 
/**
 * The name of its data set at the start.
 */
set: string, 
/**
 * How it stands.
 */
status: EvaluationStatus, 
/**
 * When it began, milliseconds since 1970 UTC.
 */
started_at_ms: number, 
/**
 * When it ended; `null` while it is open.
 */
ended_at_ms: number | null, 
/**
 * Its cells: cases times choices.
 */
cells: number, 
/**
 * Cells with a result.
 */
done: number, 
/**
 * Its choices in order.
 */
choices: Array<EvaluatedChoice>, };

export type EvaluationCards = { 
/**
 * The evaluations.
 */
evaluations: Array<EvaluationCard>, };

export type EvaluationChoice = { 
/**
 * Its name in tables; made of what it chooses when not given.
 */
label?: string, 
/**
 * Another pipeline than that of the set, with the same inputs.
 */
pipeline?: string, 
/**
 * A run whose version of the pipeline is used.
 */
pipeline_of_run?: string, 
/**
 * The profile.
 */
profile?: string, 
/**
 * The temperature of every agent.
 */
temperature?: number, 
/**
 * What single agents run with, by name.
 */
agents: { [key in string]: AgentSettings }, };

export type EvaluationRef = { 
/**
 * Its id.
 */
evaluation: string, };

export type EvaluationStatus = "running" | "finished" | "limited" | "stopped" | "failed" | "interrupted";

export type EvaluationTable = { 
/**
 * As in the list.
 */
card: EvaluationCard, 
/**
 * Why it could not go on, in this process.
 */
error: ApiError | null, 
/**
 * The cases in order.
 */
cases: Array<EvaluatedCase>, };

export type Event = { 
/**
 * The version of the format.
 */
v: number, 
/**
 * Its number in the run.
 */
seq: number, 
/**
 * When, milliseconds since 1970 UTC. Between two effects of a place no time passes.
 */
at_ms: number, 
/**
 * When by the run's own clock: for how many milliseconds the program had worked on the run. It is monotonic, and
 * stands while the machine sleeps and while no process works on the run; what counts against a limit is measured by it.
 */
ran_ms: number, 
/**
 * The agent's name, or `user`.
 */
author: string, 
/**
 * The place in the tree.
 */
path: Path, 
/**
 * Its ordinal in that place, from 1.
 */
n: number, 
/**
 * Whether it is put before the person's eyes.
 */
surface: boolean, 
/**
 * What happened.
 */
fact: Fact, };

export type EventIndex = { 
/**
 * Authors in the order in which they first appear.
 */
authors: Array<string>, 
/**
 * The kinds, in the order that `marks` counts them.
 */
kinds: Array<EventKind>, 
/**
 * Of each event, from the first: the index of its kind, and 128 more where it is trouble.
 */
marks: Array<number>, 
/**
 * Of each event the index of its author.
 */
by: Array<number>, };

export type EventKind = "run" | "stage" | "state" | "asked" | "answered" | "note";

export type Expectation = { 
/**
 * Its name; the criterion's own words when not given.
 */
name?: string, 
/**
 * The key whose value it is about, with fields after dots: `draft.title`; the run's text when not given.
 */
key?: string, 
/**
 * The least score of a rubric, from 0 to 10; without one the rubric is passed or not.
 */
at_least?: number, } & ({ "check": string } | { "contains": string } | { "lacks": string } | { "equals": Json } | { "rubric": string });

export type ExportContents = { 
/**
 * Lines of text.
 */
lines: number, 
/**
 * Events of the run; 0 when only its result is exported.
 */
events: number, 
/**
 * Prompts sent to models, with the answers.
 */
prompts: number, 
/**
 * Answers of models without their prompts.
 */
answers: number, 
/**
 * Tool calls, with what they returned.
 */
tool_calls: number, 
/**
 * Web addresses.
 */
links: number, 
/**
 * Places where a key stood and was replaced.
 */
redactions: number, 
/**
 * Of a whole run, whether the file is larger than what can be imported.
 */
is_too_large: boolean, 
/**
 * Of a whole run, what can be left out of it.
 */
things: Array<ExportThing>, };

export type ExportFormat = { 
/**
 * The word by which it is asked for.
 */
id: string, 
/**
 * Its title for people.
 */
title: Phrase, 
/**
 * The ending of its files, without the dot.
 */
extension: string, 
/**
 * Its media type.
 */
media_type: string, 
/**
 * Whether kinds of events can be left out of it.
 */
leaves_out: boolean, 
/**
 * Whether prompts, pages and the like can be left out of it.
 */
redacts: boolean, };

export type ExportFormats = { 
/**
 * The formats.
 */
formats: Array<ExportFormat>, };

export type ExportRun = { 
/**
 * The run.
 */
run: string, 
/**
 * The id of one of the formats that the run offers.
 */
format: string, 
/**
 * Kinds of events to leave out of the journal.
 */
without?: Array<EventKind>, 
/**
 * What to leave out of a whole run, by the words of [`ExportThing`].
 */
left_out?: Array<string>, };

export type ExportThing = { 
/**
 * The word by which it is left out.
 */
word: string, 
/**
 * Its title for people.
 */
title: Phrase, 
/**
 * How much of it the run holds.
 */
count: number, };

export type Exported = { 
/**
 * A file name that fits.
 */
file_name: string, 
/**
 * Its media type.
 */
media_type: string, 
/**
 * The content: text, or Base64.
 */
content: string, 
/**
 * Whether the content is Base64, because the file is no text.
 */
is_base64: boolean, 
/**
 * The beginning of what is in it as text, to be shown; at most 20 000 characters.
 */
preview: string, 
/**
 * Of the run's text, in whichever format, its forms for copying.
 */
forms: TextForms | null, 
/**
 * A picture of the first page, where there are pages: PNG in Base64.
 */
picture: string | null, 
/**
 * What is in it.
 */
contents: ExportContents, };

export type Fact = { "kind": "run_started", 
/**
 * The run.
 */
run: RunId, 
/**
 * Its session.
 */
session: SessionId, 
/**
 * The pipeline's id.
 */
pipeline: string, 
/**
 * The definition by content hash.
 */
definition: Hash, 
/**
 * The parent, of a fork.
 */
origin: Origin | null, } | { "kind": "run_resumed", 
/**
 * Events that no longer hold; they stay in the log.
 */
drops: Array<number>, 
/**
 * What leads from the state before to the state without the dropped events.
 */
delta: Delta, 
/**
 * What is different from here on.
 */
overrides: Overrides, } | { "kind": "gates_set", 
/**
 * By the agent or by the place of one call of it.
 */
gates: { [key in string]: Gate }, } | { "kind": "agent_started", 
/**
 * Up to which event it knows what the person did.
 */
sees: number, 
/**
 * Of an agent on demand, what it was started with.
 */
instance?: Instance, } | { "kind": "agent_ended", 
/**
 * Keys it read since its last effect.
 */
reads: Array<string>, 
/**
 * How long it took, milliseconds.
 */
took_ms: number, 
/**
 * What an agent on demand came to.
 */
output?: Value, } & ({ "ended": "done", 
/**
 * Whether it asked its loop to end.
 */
exits_loop: boolean, } | { "ended": "failed", 
/**
 * Why.
 */
error: ApiError, }) | { "kind": "round_ended", 
/**
 * What was measured of it.
 */
round: Round, 
/**
 * Why the loop goes on, or ended.
 */
exit: LoopExit, 
/**
 * The number of the best round so far; nothing where nothing is checked or reviewed.
 */
best: number | null, } | { "kind": "state_changed", 
/**
 * How.
 */
delta: Delta, } | { "kind": "effect_asked", 
/**
 * What.
 */
effect: Effect, 
/**
 * Keys it read for this since its last effect.
 */
reads: Array<string>, } | { "kind": "request_failed", 
/**
 * The ordinal of the request in this place.
 */
asked: number, 
/**
 * Why it failed.
 */
error: ApiError, } | { "kind": "request_sent", 
/**
 * The ordinal of the request in this place.
 */
asked: number, 
/**
 * The number of the attempt; the first request is 1.
 */
attempt: number, } | { "kind": "effect_answered", 
/**
 * The ordinal of the request in this place.
 */
asked: number, 
/**
 * The answer.
 */
answer: Answer, 
/**
 * How long it took, milliseconds.
 */
took_ms: number, 
/**
 * How much of that was waiting which a provider ordered or for the person.
 */
waited_ms: number, 
/**
 * What went wrong on the way, before this answer.
 */
retries: Array<ApiError>, 
/**
 * What is known of it without its text.
 */
summary: AnswerSummary, } | { "kind": "fell_back", 
/**
 * The profile that failed.
 */
from: string, 
/**
 * The profile that is asked instead.
 */
to: string, 
/**
 * Why the first failed.
 */
error: ApiError, } | { "kind": "noted", 
/**
 * The note.
 */
note: Note, } | { "kind": "run_ended", 
/**
 * How.
 */
outcome: Outcome, 
/**
 * Why, when it is not simply finished.
 */
error: ApiError | null, };

export type Fallback = { 
/**
 * The profile's name.
 */
profile: string, 
/**
 * The model's name.
 */
model: string, };

export type FaultyPipeline = { 
/**
 * Its name without its ending.
 */
id: string, 
/**
 * What is wrong.
 */
faults: Array<DefinitionFault>, };

export type Favourite = { 
/**
 * Its name, one line.
 */
name: string, 
/**
 * What its run is started with.
 */
request: StartRun, };

export type Favourites = { 
/**
 * The first nine have the number keys.
 */
favourites: Array<Favourite>, };

export type FetchImage = { 
/**
 * The run whose text it is.
 */
run: string, 
/**
 * The event after which its texts name it; the last one when not given.
 */
seq: number | null, 
/**
 * Its address.
 */
url: string, };

export type FetchedImage = { 
/**
 * The picture itself, as an address that leads nowhere.
 */
data_url: string, };

export type FileCard = { 
/**
 * Its path below the folder of the run.
 */
path: string, 
/**
 * How many bytes it has.
 */
bytes: number, 
/**
 * The event of the tool that last wrote it.
 */
seq: number, 
/**
 * The agent whose tool made it.
 */
author: string, 
/**
 * The step of a plan in which it was made; empty where it was none.
 */
step: string, };

export type FileContent = { "kind": "run" } & ExportRun | { "kind": "settings" };

export type FilePreview = { "kind": "text", 
/**
 * Its beginning.
 */
text: string, 
/**
 * Whether it is written in Markdown.
 */
is_markdown: boolean, 
/**
 * Whether there is more.
 */
is_cut: boolean, } | { "kind": "picture", 
/**
 * `data:image/…`.
 */
data_url: string, } | { "kind": "pdf", 
/**
 * Its beginning.
 */
text: string, 
/**
 * Whether there is more.
 */
is_cut: boolean, } | { "kind": "other" };

export type FileRef = { 
/**
 * The run.
 */
run: string, 
/**
 * The path of the file.
 */
path: string, 
/**
 * The event of the tool that wrote it.
 */
seq: number, };

export type Finding = { "kind": "text", 
/**
 * They.
 */
phrase: Phrase, } | { "kind": "unknown_version" } | { "kind": "only_owner" } | { "kind": "others_may_read", 
/**
 * The first thing that they may read.
 */
path: string, } | { "kind": "whole_database", 
/**
 * Where it is.
 */
file: string, 
/**
 * How many runs it holds.
 */
runs: number, 
/**
 * How many large values.
 */
values: number, } | { "kind": "damaged_database", 
/**
 * Where it is.
 */
file: string, 
/**
 * How many runs are damaged.
 */
runs: number, 
/**
 * What is wrong, as far as it is known.
 */
problem: string, } | { "kind": "backups", 
/**
 * How many there are.
 */
count: number, 
/**
 * Bytes of all of them.
 */
bytes: number, 
/**
 * The name of the newest in the data folder.
 */
newest: string | null, } | { "kind": "setting", 
/**
 * What would have one.
 */
wanted: Wanted, } | { "kind": "articles", 
/**
 * How many there are.
 */
count: number, } | { "kind": "pipeline_files", 
/**
 * How many there are.
 */
count: number, } | { "kind": "faulty_pipeline", 
/**
 * What is wrong.
 */
faults: Array<DefinitionFault>, } | { "kind": "no_keyring" } | { "kind": "key_in_keyring", 
/**
 * Whose it is.
 */
provider: string, 
/**
 * Its end.
 */
last_four: string, } | { "kind": "key_for_session", 
/**
 * Whose it is.
 */
provider: string, } | { "kind": "no_key_kept", 
/**
 * Whom it asks.
 */
provider: string, } | { "kind": "key_in_environment", 
/**
 * Whose it is; empty for a search source.
 */
provider: string, 
/**
 * Where it is.
 */
variable: string, } | { "kind": "variable_not_set", 
/**
 * Whose it is; empty for a search source.
 */
provider: string, 
/**
 * Where it is to be.
 */
variable: string, } | { "kind": "source_not_set_up", 
/**
 * Where a key is given out.
 */
page: string, } | { "kind": "source_without_key" } | { "kind": "feeds", 
/**
 * How many there are.
 */
count: number, 
/**
 * Where they stand.
 */
file: string, } | { "kind": "no_hosts" } | { "kind": "answers" } | { "kind": "does_not_answer" } | { "kind": "own_prices" } | { "kind": "prices_in", 
/**
 * Where they stand.
 */
file: string, };

export type FiringCard = { 
/**
 * The schedule.
 */
schedule: string, 
/**
 * The instant.
 */
due: ScheduledTime, 
/**
 * When it was handled, milliseconds since 1970 UTC.
 */
begun_at_ms: number, 
/**
 * When it ended.
 */
ended_at_ms: number | null, 
/**
 * What became of it.
 */
outcome: FiringOutcome, 
/**
 * Its run, where one began and is still there.
 */
run: string | null, 
/**
 * Why it failed or nothing began.
 */
error: ApiError | null, 
/**
 * Calls of its run that were refused.
 */
refused: Array<RefusedCall>, 
/**
 * The number of earlier instants that were missed with it.
 */
missed: number, };

export type FiringOutcome = "running" | "finished" | "failed" | "limited" | "waiting" | "cancelled" | "timed_out" | "interrupted" | "skipped_busy" | "skipped_missed" | "skipped_budget";

export type ForeignToolCard = { 
/**
 * Its name at the server.
 */
name: string, 
/**
 * What the server says of it.
 */
description: string, 
/**
 * About so many tokens it takes in each request to a model.
 */
tokens: number, };

export type ForkRun = { 
/**
 * The parent.
 */
run: string, 
/**
 * The last event that is reused.
 */
at: number, 
/**
 * Keys changed from there.
 */
set: { [key in string]: Json }, 
/**
 * The temperature of every agent from there.
 */
temperature?: number, 
/**
 * What single agents run with from there, by name.
 */
agents: { [key in string]: AgentSettings }, 
/**
 * Limits from there; nothing lifts one.
 */
limits: { [key in LimitName]?: number | null }, 
/**
 * The profile from there.
 */
profile: string | null, 
/**
 * Tools that may act without asking.
 */
allow: Array<string>, 
/**
 * Where the run stops and asks, by the agent or by the place of one call of it.
 */
gates?: { [key in string]: Gate }, 
/**
 * What takes the place of the answer at event `at`: of a tool its output, of a model its text, of an agent's question what the person says.
 */
result?: Json, };

export type ForkStep = { 
/**
 * The run.
 */
run: string, 
/**
 * The moment at which the step was seen: what was carried out behind it does not count. Nothing means the end.
 */
seq?: number, 
/**
 * The step.
 */
step: string, 
/**
 * Its input, where it is done again.
 */
input?: Json, 
/**
 * Its result, where it is not done again.
 */
result?: Json, };

export type FoundServer = { 
/**
 * The provider's id.
 */
provider: string, 
/**
 * Its name for people.
 */
title: string, 
/**
 * The address at which it was found.
 */
address: string, 
/**
 * The base URL of its profile; empty for the provider's own address.
 */
base_url: string, 
/**
 * The models installed there, which may be none; those that are loaded come first.
 */
models: Array<string>, 
/**
 * What to do before it can be used; `None` where it has a model.
 */
next_step: Phrase | null, 
/**
 * The profile that asks it already; `None` where there is none.
 */
profile: string | null, 
/**
 * A name for a new profile that no other has.
 */
free_name: string, };

export type FoundServers = { 
/**
 * By kind.
 */
servers: Array<FoundServer>, };

export type Gate = { 
/**
 * Before it starts.
 */
before: boolean, 
/**
 * When it has ended well.
 */
after: boolean, };

export type GateSide = "before" | "after";

export type GivenInput = { 
/**
 * The answers, by the names of the questions.
 */
answers: { [key in string]: ServerAnswer }, 
/**
 * What the server gave with its questions.
 */
state?: string, };

export type GivenValue = { "from": "text", 
/**
 * The value.
 */
text: string, } | { "from": "variable", 
/**
 * The variable.
 */
variable: string, } | { "from": "keyring" };

export type Hash = string;

export type HeldValue = { 
/**
 * The value.
 */
value: Json, 
/**
 * The event that set it.
 */
seq: number, 
/**
 * Who set it.
 */
author: string, };

export type HostCard = { 
/**
 * Whether it is a window of its own, with dialogs, notifications and an end; a browser's tab has none of them.
 */
is_window: boolean, 
/**
 * Why there is no desk behind the page, and what can be done; none where there is one.
 */
damage: DamageCard | null, 
/**
 * Settings that have no effect as they stand, one line each as the doctor has them.
 */
remarks: Array<DoctorLine>, };

export type ImportLibrary = { 
/**
 * Paths on this machine.
 */
paths: Array<string>, };

export type ImportRun = { 
/**
 * Where it lies.
 */
path: string, };

export type ImportSettings = { 
/**
 * The text, as an export gave it.
 */
toml: string, 
/**
 * Whether the answer only lists what would change.
 */
is_trial: boolean, };

export type ImportToolServers = { 
/**
 * The text of the file, with `mcpServers` or `servers` in it.
 */
text: string, 
/**
 * Whether values are kept in memory only, until the program ends.
 */
for_session: boolean, };

export type Imported = { 
/**
 * New or changed entries.
 */
added: number, 
/**
 * Entries that were already there.
 */
unchanged: number, 
/**
 * How many of both tell no date: what searches by date finds them last.
 */
undated: number, 
/**
 * What could not be read, each with its reason.
 */
skipped: Array<Phrase>, 
/**
 * Whether it was stopped before it had read everything.
 */
was_stopped: boolean, };

export type ImportedRun = { 
/**
 * The run.
 */
run: string, 
/**
 * Whether the same run was here before, so that nothing was stored.
 */
was_here: boolean, 
/**
 * The kinds of things that were left out of the file, by their words.
 */
left_out: Array<string>, };

export type ImportedSettings = { 
/**
 * Settings that get another value.
 */
settings: Array<ChangedSetting>, 
/**
 * Profiles that are new, by name and the address that they ask; their keys are to be given here.
 */
profiles: Array<NewProfile>, 
/**
 * Names of profiles that are here already and stay as they are.
 */
kept: Array<string>, };

export type ImportedToolServers = { 
/**
 * Those that were added.
 */
added: Array<string>, 
/**
 * Those that were not, and why.
 */
refused: Array<RefusedTool>, };

export type InputField = { 
/**
 * The key it sets.
 */
key: string, 
/**
 * Its label.
 */
title: string, 
/**
 * A sentence of help.
 */
help: string, 
/**
 * `text` (one line), `long_text`, `number`, `choice`, `date`, `time`, `yes_no`.
 */
kind: string, 
/**
 * Whether the run cannot start without it.
 */
is_required: boolean, 
/**
 * What can be chosen, of a choice.
 */
choices: Array<string>, 
/**
 * An example that works.
 */
example: string, 
/**
 * Further ones, each of which works without a key and without a network.
 */
more_examples?: Array<string>, 
/**
 * Most bytes.
 */
max_bytes: number, 
/**
 * What is taken when it is not given.
 */
default?: Json, 
/**
 * Of a number, the least.
 */
least?: number, 
/**
 * Of a number, the most.
 */
most?: number, };

export type Instance = { 
/**
 * The agent as the tree declares it.
 */
agent: string, 
/**
 * Its input.
 */
input: Value, };

export type Instructions = { 
/**
 * Those of the program.
 */
own: Array<OwnInstruction>, 
/**
 * Those that the person saved, by name.
 */
saved: Array<SavedInstruction>, 
/**
 * Bytes that the text of an instruction has at the most.
 */
max_bytes: number, };

export type Interruption = "cancelled" | { "time_used_up": { 
/**
 * The active time that was allowed, in seconds.
 */
most: number, 
/**
 * The agent whose own time it is; else it is the run's.
 */
agent?: string, } };

export type Issue = { 
/**
 * Its number, which it keeps from review to review.
 */
id: number, 
/**
 * What is to be changed, in the words of the last review that raised it.
 */
text: string, 
/**
 * How grave it is, in a word.
 */
severity?: string, 
/**
 * The passage that it concerns; nothing where it concerns the whole draft.
 */
anchor?: Anchor | null, 
/**
 * What became of it.
 */
standing: IssueStanding, 
/**
 * The number of the first review that raised it, from 1.
 */
first_review: number, 
/**
 * The number of the last review that raised it.
 */
last_review: number, 
/**
 * What the person decided; nothing while it is undecided.
 */
decision?: IssueDecision | null, 
/**
 * What the person replied.
 */
reply?: string, };

export type IssueDecision = "accepted" | "dismissed";

export type IssueStanding = "open" | "came_back" | "resolved";

export type Issues = { 
/**
 * How many reviews there were.
 */
reviews: number, 
/**
 * The issues, in the order in which they were first raised.
 */
issues: Array<Issue>, 
/**
 * Whether the person dismissed every open issue before the rewrite: the draft is taken as it is.
 */
is_draft_accepted?: boolean, };

export type Itinerary = { 
/**
 * The id of the start.
 */
start_id: string, 
/**
 * The name of the start.
 */
start_name: string, 
/**
 * Where the start is.
 */
start_coordinates: Coordinates, 
/**
 * When it begins.
 */
departure: string, 
/**
 * How many minutes its clock is ahead of UTC; nothing where that is not known.
 */
utc_offset_minutes: number | null, 
/**
 * The visits in order.
 */
visits: Array<Visit>, 
/**
 * The way back to the start, where the trip returns.
 */
return_leg: ReturnLeg | null, 
/**
 * The points that are not visited, and why.
 */
left_out: Array<LeftOut>, 
/**
 * What it comes to.
 */
totals: Totals, 
/**
 * Who or what chose the order.
 */
order: OrderOrigin, 
/**
 * What the person chose; the operations of the person change it.
 */
choice: VisitChoice, };

export type JournalEntry = { 
/**
 * The event; values above 4 KiB stand by hash.
 */
event: Event, 
/**
 * What kind of event it is.
 */
kind: EventKind, 
/**
 * Whether it tells of something that went wrong.
 */
is_trouble: boolean, };

export type JournalPage = { 
/**
 * In the order of their numbers.
 */
entries: Array<JournalEntry>, };

export type Json = unknown;

export type JudgedRound = { 
/**
 * The number of the round, from 1.
 */
round: number, 
/**
 * The score; the more the better.
 */
score: number | null, 
/**
 * The scores by criterion.
 */
scores: { [key in string]: number }, 
/**
 * The verdict, in a word.
 */
verdict: string, 
/**
 * What changed in the round, in a sentence.
 */
changed: string, };

export type JudgedRounds = Array<JudgedRound>;

export type Judgement = { 
/**
 * Whether it holds.
 */
verdict: Verdict, 
/**
 * Why.
 */
reason: Phrase, 
/**
 * The score of a rubric, from 0 to 10.
 */
score?: number, 
/**
 * The run of the model that judged.
 */
run?: string, };

export type KeyChange = { 
/**
 * The event.
 */
seq: number, 
/**
 * When, milliseconds since 1970 UTC.
 */
at_ms: number, 
/**
 * Who wrote.
 */
author: string, 
/**
 * Where in the tree.
 */
path: Path, 
/**
 * The round of the innermost loop, if there is one.
 */
round: number | null, 
/**
 * The new value; `None` when the key was removed.
 */
value: Value | null, 
/**
 * The agents that read this value before the next change.
 */
read_by: Array<string>, };

export type KeyChanges = { 
/**
 * Its versions so far; what one person saves again and again is one.
 */
versions: number, 
/**
 * The numbers of older changes, not all of them.
 */
older: Array<number>, };

export type KeyDeclaration = { 
/**
 * The key's name in the state.
 */
name: string, 
/**
 * A title for people.
 */
title: string, 
/**
 * What it is for.
 */
role: Role, 
/**
 * JSON Schema of its value.
 */
schema: Json, };

export type KeyHistory = { 
/**
 * Every change, oldest first.
 */
changes: Array<KeyChange>, };

export type KeyOfRun = { 
/**
 * The run.
 */
run: string, 
/**
 * The key.
 */
key: string, };

export type Landed = { 
/**
 * Its number.
 */
seq: number, };

export type Ledger = { 
/**
 * One line for each month, profile, model, run's pipeline and agent, the newest month first.
 */
lines: Array<LedgerLine>, 
/**
 * Runs that are damaged, so that what they used since they were last read is not in it.
 */
damaged_runs: Array<string>, };

export type LedgerLine = { 
/**
 * The month in UTC: `2026-11`.
 */
month: string, 
/**
 * The profile.
 */
profile: string, 
/**
 * The model that was asked.
 */
model: string, 
/**
 * The agent that asked.
 */
agent: string, 
/**
 * Requests sent, with those that were tried again.
 */
calls: number, 
/**
 * Of these, requests that failed.
 */
failed_calls: number, 
/**
 * Of these, requests that are not answered yet, or never will be because the program ended before.
 */
open_calls: number, 
/**
 * Tokens of the requests, where the provider counted them.
 */
input_tokens: number, 
/**
 * Tokens of the answers.
 */
output_tokens: number, 
/**
 * US dollars, of the calls whose price is known; `None` when none is.
 */
cost: number | null, 
/**
 * Calls that used tokens at a price that is not known, or whose answer never came.
 */
unpriced_calls: number, 
/**
 * Whether the cost is that of a price set after the calls, which had none.
 */
is_priced_later: boolean, 
/**
 * Of the tokens of the requests, those that the provider still had from an earlier one.
 */
cached_tokens: number, };

export type LeftOut = { 
/**
 * Its id.
 */
id: string, 
/**
 * Its name.
 */
name: string, 
/**
 * Why.
 */
reason: LeftOutReason, };

export type LeftOutReason = "dropped" | "no_position";

export type Leg = { 
/**
 * How it is travelled.
 */
mode: TravelMode, 
/**
 * Its length in metres.
 */
distance_m: number, 
/**
 * Its duration in seconds.
 */
duration_s: number, 
/**
 * Whether it was computed from a straight line; else a service gave it.
 */
is_estimate: boolean, 
/**
 * What the service says of the way.
 */
instructions?: string, };

export type LibraryCard = { 
/**
 * Its id.
 */
id: string, 
/**
 * Title.
 */
title: string, 
/**
 * Address, or empty.
 */
url: string, 
/**
 * Where it is from.
 */
source: string, 
/**
 * `YYYY-MM-DD`, or empty.
 */
published: string, 
/**
 * The beginning of the text, or where a search found it.
 */
snippet: string, };

export type LibraryEntry = { 
/**
 * Title.
 */
title: string, 
/**
 * Address, or empty.
 */
url: string, 
/**
 * Where it is from.
 */
source: string, 
/**
 * `YYYY-MM-DD`, or empty.
 */
published: string, 
/**
 * The text: plain, or Markdown.
 */
text: string, };

export type LibraryPage = { 
/**
 * How many entries there are, or match, in all.
 */
total: number, 
/**
 * Some of them.
 */
entries: Array<LibraryCard>, };

export type LimitName = "max_llm_calls" | "max_output_tokens" | "max_execution_time_s" | "max_total_tokens" | "max_tool_calls" | "max_cost";

export type Limits = { 
/**
 * Max model calls.
 */
max_llm_calls: number | null, 
/**
 * Most tokens of visible text of one answer.
 */
max_output_tokens: number | null, 
/**
 * Most active time in seconds.
 */
max_execution_time_s: number | null, 
/**
 * Most tokens, in and out together.
 */
max_total_tokens: number | null, 
/**
 * Most calls of each tool.
 */
max_tool_calls: number | null, 
/**
 * Most money. A call whose price is not known is not sent under it.
 */
max_cost: number | null, };

export type ListLibrary = { 
/**
 * Words to find; all entries when empty.
 */
search: string, 
/**
 * Most entries; 100 when not given.
 */
limit: number | null, };

export type ListQuestions = { 
/**
 * The run; all runs when not given.
 */
run?: string, };

export type ListRuns = { 
/**
 * Words to find in titles, drafts and the journal.
 */
search: string | null, 
/**
 * Most runs, 1000 at the most; when not given 200, of those that are searched 50.
 */
limit: number | null, 
/**
 * Only runs that began before this one: the last of one page leads to the next.
 */
before?: string, 
/**
 * The runs in the trash instead of the history; without search and `before`.
 */
is_trash?: boolean, };

export type LoopExit = { "why": "went_on" } | { "why": "condition_held" } | { "why": "exit_field", 
/**
 * The agent.
 */
agent: string, } | { "why": "exit_tool", 
/**
 * The agent.
 */
agent: string, } | { "why": "exit_agent", 
/**
 * The agent.
 */
agent: string, } | { "why": "exit_step" } | { "why": "rounds_used_up" } | { "why": "limit_reached" } | { "why": "failed" } | { "why": "run_ended" };

export type MapFiles = { 
/**
 * The tiles, where a file of them is chosen.
 */
tiles: TileSet | null, 
/**
 * The style, where a file of one is chosen: as MapLibre reads it, its tiles named `pmtiles://…`.
 */
style: Json | null, };

export type MapTile = { 
/**
 * Its bytes, unpacked, in base64; `null` where the file has no such tile.
 */
data: string | null, };

export type Menu = { 
/**
 * What it is called.
 */
title: string, 
/**
 * What stands in it.
 */
entries: Array<MenuEntry>, };

export type MenuEntry = { "kind": "command", 
/**
 * Its id, which the page receives when it is chosen.
 */
id: string, 
/**
 * What it is called.
 */
title: string, 
/**
 * Its keys as the page writes them, `mod+shift+s`; empty for none.
 */
keys: string, } | { "kind": "standard", 
/**
 * Which.
 */
command: StandardCommand, 
/**
 * What it is called.
 */
title: string, } | { "kind": "rule" };

export type MergeChoice = "yours" | "agents" | "base" | "both";

export type Message = { 
/**
 * Who speaks.
 */
speaker: Speaker, 
/**
 * The text; of a tool, its result as JSON text; of a model that called tools, may be empty.
 */
content: Value, 
/**
 * Calls the model made in this message.
 */
tool_requests: Array<ToolRequest>, 
/**
 * For a tool's message: the id of the call it answers.
 */
answers: string | null, };

export type Missed = "once" | "skip" | "all";

export type ModelCard = { 
/**
 * The name by which a profile names it.
 */
name: string, 
/**
 * Its name for people, or its size; may be empty.
 */
title: string, 
/**
 * The day on which it will be shut down, `YYYY-MM-DD`; empty when none is announced.
 */
shutdown_date: string, 
/**
 * Most tokens of a request; 0 when the provider does not say.
 */
input_tokens: number, 
/**
 * Most tokens of an answer; 0 when the provider does not say.
 */
output_tokens: number, };

export type ModelList = { 
/**
 * In the provider's order.
 */
models: Array<ModelCard>, };

export type ModelPrice = { 
/**
 * The provider that has this price.
 */
provider: string, 
/**
 * The model's name.
 */
model: string, 
/**
 * The price; none where it is not known.
 */
price: TokenPrice | null, 
/**
 * The table of the data folder, where a price of one's own is kept.
 */
file: string, };

export type ModelRequest = { 
/**
 * The agent that asks.
 */
agent: string, 
/**
 * The profile's name; `built-in` for the function that needs no model.
 */
profile: string, 
/**
 * The model's name.
 */
model: string, 
/**
 * The system instruction.
 */
instruction: Value, 
/**
 * The conversation.
 */
messages: Array<Message>, 
/**
 * The shape of the answer, if it is to be JSON.
 */
shape: ReplyShape | null, 
/**
 * Tools the model may call.
 */
tools: Array<ToolOffer>, 
/**
 * Sampling temperature.
 */
temperature: number, 
/**
 * Most tokens of visible text.
 */
max_output_tokens: number, };

export type Moment = { 
/**
 * The run.
 */
run: string, 
/**
 * The event after which; the last one when not given.
 */
seq: number | null, };

export type Named = { 
/**
 * The name or id.
 */
name: string, };

export type NeededInput = { 
/**
 * The questions, by the names that the server gives them.
 */
questions: { [key in string]: ServerQuestion }, 
/**
 * Given back to the server with the answers, unread.
 */
state?: string, };

export type NewProfile = { 
/**
 * Its name.
 */
name: string, 
/**
 * Whom it asks.
 */
provider: string, 
/**
 * Where; empty for the provider's own address.
 */
base_url: string, };

export type Note = { "kind": "skipped", 
/**
 * Their names.
 */
agents: Array<string>, } | { "kind": "repair", 
/**
 * What was done to it.
 */
rungs: Array<Phrase>, } | { "kind": "asked_again", 
/**
 * What is wrong with the answer.
 */
flaws: Array<Phrase>, 
/**
 * By how much the limit of output tokens grows.
 */
room: number, } | { "kind": "malformed", 
/**
 * The answer.
 */
raw: string, 
/**
 * What is wrong with it.
 */
flaws: Array<Phrase>, } | { "kind": "without_model" } | { "kind": "instruction_unread" } | { "kind": "refused", 
/**
 * The key.
 */
key: string, } | { "kind": "kept", 
/**
 * The key.
 */
key: string, } | { "kind": "remark" } & Remark | { "kind": "decision" } & Phrase;

export type Nothing = Record<symbol, never>;

export type Notice = { 
/**
 * The run that it is about; a click on it shows that run.
 */
run: string, 
/**
 * One line.
 */
title: string, 
/**
 * What happened, in plain text.
 */
text: string, };

export type OfferedLeg = { 
/**
 * The index of the point it leaves: 0 is the start, then the stops of the trip from 1.
 */
from: number, 
/**
 * The index of the point it reaches.
 */
to: number, 
/**
 * The leg.
 */
leg: Leg, };

export type OnFailure = "ask" | "built-in";

export type OnceDone = { 
/**
 * The tool.
 */
tool: string, 
/**
 * Its input.
 */
input: Value, 
/**
 * What it answered.
 */
result: Value, };

export type OpenQuestion = { 
/**
 * The run.
 */
run: string, 
/**
 * The run's title.
 */
title: string, 
/**
 * The number of the event that asks: by it the question is answered.
 */
id: number, 
/**
 * When it was asked, milliseconds since 1970 UTC.
 */
asked_at_ms: number, 
/**
 * The agent that asks.
 */
agent: string, 
/**
 * Of an instance of an agent on demand, the item that it works on, its texts and lists cut: JSON where it is no text.
 */
item?: string, 
/**
 * The question.
 */
question: Question, };

export type OpenQuestions = { 
/**
 * The questions.
 */
questions: Array<OpenQuestion>, };

export type OpeningState = { "state": "open", 
/**
 * When it closes; nothing where it stays open for the next week.
 */
until: string | null, } | { "state": "opens_at", 
/**
 * When.
 */
at: string, } | { "state": "closed" } | { "state": "check", 
/**
 * Why.
 */
reason: CheckReason, } | { "state": "unknown" };

export type Operation = { "operation": "reorder", 
/**
 * The ids.
 */
ids: Array<string>, } | { "operation": "drop", 
/**
 * Its id.
 */
id: string, } | { "operation": "add", 
/**
 * Its id.
 */
id: string, 
/**
 * The position.
 */
position: number, } | { "operation": "fix", 
/**
 * Its id.
 */
id: string, 
/**
 * The position.
 */
position: number, } | { "operation": "unfix", 
/**
 * Its id.
 */
id: string, } | { "operation": "optimize" };

export type OrderOrigin = "person" | "best" | "good";

export type Origin = { 
/**
 * The parent.
 */
run: RunId, 
/**
 * The last event that is reused.
 */
seq: number, };

export type Outcome = "finished" | "failed" | "limited" | "waiting" | "cancelled";

export type Outline = { 
/**
 * The agent's name, unique in its tree.
 */
name: string, 
/**
 * A title for people.
 */
title: string, 
/**
 * How it composes.
 */
agent: AgentKind, 
/**
 * The keys it uses itself.
 */
contract: Contract, 
/**
 * The field that streams, of a model's agent.
 */
stream: Stream | null, 
/**
 * Whether it stands in no step: instances of it are started with an input each.
 */
is_on_demand?: boolean, 
/**
 * Model calls of this agent and all below it in one pass.
 */
calls: CallRange, 
/**
 * What is below it, in order.
 */
children: Array<Outline>, };

export type Overrides = { 
/**
 * Changes by agent.
 */
agents: { [key in string]: AgentChange }, 
/**
 * New limits by name; nothing lifts one.
 */
limits: { [key in LimitName]?: number | null }, 
/**
 * Whether what tools were allowed before holds no more: somebody else allowed it, on their own machine.
 */
forgets_grants?: boolean, 
/**
 * What tools may do without asking.
 */
allowed_tools: Array<Rule>, 
/**
 * Where the run stops and asks from here on, by the agent or by the place of one call of it.
 */
gates?: { [key in string]: Gate }, 
/**
 * What the parent already did and must not be done again unasked.
 */
already_done: Array<OnceDone>, 
/**
 * What is done where a model fails for good.
 */
on_failure?: OnFailure, };

export type OwnInstruction = { 
/**
 * Its name.
 */
name: string, 
/**
 * What it does.
 */
title: Phrase, 
/**
 * Whether it needs a language.
 */
takes_language: boolean, };

export type OwnSentence = { 
/**
 * The sentence in the draft.
 */
anchor: Anchor, 
/**
 * The agent's sentence in whose place the person typed it; empty where it is new.
 */
base?: string, 
/**
 * Whether the person typed it; else they locked what an agent wrote.
 */
is_typed: boolean, 
/**
 * Whether agents must keep it word for word.
 */
is_locked: boolean, };

export type OwnText = { 
/**
 * The draft as an agent wrote it last, where the person has edited it since.
 */
base?: string | null, 
/**
 * The sentences.
 */
sentences: Array<OwnSentence>, 
/**
 * What the person may merge.
 */
collisions?: Array<Collision>, };

export type PackageKind = "deb" | "rpm" | "app_image";

export type Path = string;

export type PathKind = "files" | "folders";

export type Paths = { 
/**
 * Paths on this machine.
 */
paths: Array<string>, };

export type PermissionRules = { 
/**
 * The rules, by what they cover.
 */
rules: Array<StandingRule>, 
/**
 * The tools that there are.
 */
tools: Array<string>, };

export type Phrase = { 
/**
 * The id: the English form with its places as `{name}`, or a tag of a list with texts of its own.
 */
id: string, 
/**
 * What fills the places of the text, by name: a text, a number, a phrase, or a list of these.
 */
parameters: { [key in string]: Json }, };

export type PipelineCard = { 
/**
 * Its id.
 */
id: string, 
/**
 * Its title.
 */
title: string, 
/**
 * What it is for, one line.
 */
purpose: string, 
/**
 * Whether it is a file of the person.
 */
is_own_file: boolean, 
/**
 * Whether it is a text, which can be copied.
 */
is_text: boolean, 
/**
 * Its inputs.
 */
inputs: Array<InputField>, 
/**
 * Its tree.
 */
outline: Outline, 
/**
 * Its keys in display order.
 */
keys: Array<KeyDeclaration>, 
/**
 * Its slots for tools.
 */
slots: Array<SlotCard>, 
/**
 * Whether tools of servers can be added to it.
 */
takes_tools: boolean, 
/**
 * Its limits when nothing else is said.
 */
limits: Limits, 
/**
 * Named sets of limits.
 */
presets: Array<Preset>, 
/**
 * What it says of itself, by language (`zh`, `ja`) and by the English words.
 */
words: { [key in string]: { [key in string]: string } }, };

export type PipelineCards = { 
/**
 * Those of the program, then those of the person's own files.
 */
pipelines: Array<PipelineCard>, 
/**
 * Files that cannot run.
 */
faulty: Array<FaultyPipeline>, };

export type PipelineCheck = { 
/**
 * The id under which it would be saved: another one than it was opened as where the text says so.
 */
saved_as: string | null, 
/**
 * The pipeline, where the text has no faults.
 */
card: PipelineCard | null, 
/**
 * What is wrong, in the order of the text.
 */
faults: Array<DefinitionFault>, };

export type PipelineRef = { 
/**
 * Its id; of a file its name without its ending.
 */
id: string, };

export type PipelineText = { 
/**
 * Its id.
 */
id: string, 
/**
 * The TOML.
 */
text: string, 
/**
 * What is named when the file is saved over; nothing for a pipeline of the program, which cannot be changed.
 */
revision: string | null, };

export type Place = { 
/**
 * Its name.
 */
name: string, 
/**
 * Where it is; nothing where that is not known.
 */
coordinates: Coordinates | null, 
/**
 * What is to be known of it, in a sentence.
 */
description: string, 
/**
 * What it belongs to.
 */
title: string, };

export type Places = { 
/**
 * The places.
 */
places: Array<Place>, 
/**
 * The order in which they are visited: their indexes, from 0.
 */
route: Array<number>, };

export type Plan = { 
/**
 * The plan stages.
 */
stages: Array<Array<PlanStep>>, 
/**
 * How often the plan was revised.
 */
revision: number, 
/**
 * How often it may be; nothing for no limit.
 */
most_revisions: number | null, 
/**
 * Why it was revised.
 */
reason: string, };

export type PlanStep = { 
/**
 * Its id, unique in the plan: other steps refer to it.
 */
stepId: string, 
/**
 * What is to be done, in a sentence.
 */
narrative_step: string, 
/**
 * Who does it.
 */
assigned_agent_role: string, 
/**
 * With which tool.
 */
tool_name: string, 
/**
 * What goes into it. `@{outputs.ID.field}` refers to what a step before it gave.
 */
sub_task_input: Json, 
/**
 * Steps that it waits for beside those it refers to.
 */
depends_on: Array<string>, 
/**
 * How it stands.
 */
status: StepStatus, 
/**
 * What came of it, in a sentence.
 */
outcome: string, };

export type Preflight = { 
/**
 * Least and most model calls.
 */
calls: CallRange, 
/**
 * Tokens in and out together, all calls.
 */
tokens: Span, 
/**
 * How many earlier runs the most is taken from: what they used of the same models, doubled. 0: it is the bound.
 */
earlier_runs: number, 
/**
 * The tokens that it cannot use more than, by the lengths of what may be read and written.
 */
bound_tokens: number, 
/**
 * US dollars; nothing where the price of a model is not known.
 */
cost: Span | null, 
/**
 * Models whose price is not known.
 */
unpriced: Array<string>, 
/**
 * The profiles that would be asked.
 */
profiles: Array<string>, 
/**
 * The models that would be asked; none when the pipeline's own functions do the work.
 */
models: Array<string>, 
/**
 * The limits in force.
 */
limits: Limits, 
/**
 * Why the time limit is another than the pipeline's own.
 */
time_limit?: TimeLimitReason, 
/**
 * The day as of which the library has something recent, where it has nothing as of the run's day.
 */
recent_as_of: string | null, 
/**
 * Remarks: a limit that cuts something off, a missing input, in sentences.
 */
remarks: Array<Phrase>, };

export type Preset = { 
/**
 * Its name.
 */
name: string, 
/**
 * What it means, with what cannot happen under it.
 */
description: string, 
/**
 * The limits.
 */
limits: Limits, };

export type PreviewSchedule = { 
/**
 * As of [`SaveSchedule`].
 */
when: string, 
/**
 * As of [`SaveSchedule`].
 */
zone?: string, };

export type PriceOf = { 
/**
 * The profile that asks the model.
 */
profile: string, 
/**
 * The model's name.
 */
model: string, };

export type ProfileCard = { 
/**
 * Its name.
 */
name: string, 
/**
 * The provider's id.
 */
provider: string, 
/**
 * Where requests go; empty for the provider's own address.
 */
base_url: string, 
/**
 * Models by role (`default`, `search`, `write`, `review`).
 */
models: { [key in string]: string }, 
/**
 * The environment variable that holds the key; empty for none.
 */
key_env: string, 
/**
 * The last four characters of the key that the keyring holds; empty when it holds none.
 */
last_four: string, 
/**
 * The profile that stands in when this one's key, credit or rate fails; empty for none.
 */
fallback: string, 
/**
 * Limits of every run that it is chosen for, where the run sets none of its own.
 */
limits: { [key in LimitName]?: number }, 
/**
 * Whether it asks a service that is searched, and no models. Told, never taken.
 */
is_of_service?: boolean, 
/**
 * The last four characters of the key that is kept for it until the program ends; nothing when none is. Told, never
 * taken.
 */
session_last_four?: string, 
/**
 * The settings that name it, dotted: `default_profile`, `profiles.NAME.fallback`. Told, never taken.
 */
used_by?: Array<string>, 
/**
 * What its server refused of requests, by model, and is not sent to it again until it is tested. Told, never taken.
 */
refused?: { [key in string]: Array<RequestPart> }, 
/**
 * What came of its last trial; nothing when it never was tried.
 */
tested: ProfileTest | null, };

export type ProfileTest = { 
/**
 * When, in milliseconds since 1970 UTC.
 */
at_ms: number, 
/**
 * What came of it.
 */
phrase: Phrase, };

export type Profiles = { 
/**
 * By name.
 */
profiles: Array<ProfileCard>, };

export type ProviderCard = { 
/**
 * Its id: `gemini`.
 */
id: string, 
/**
 * Its name for people.
 */
title: string, 
/**
 * Whether it refuses requests without a key.
 */
needs_key: boolean, 
/**
 * Where a key is to be had; empty where there is no such page.
 */
key_page: string, 
/**
 * The environment variable that its own tools read; empty for none.
 */
key_variable: string, 
/**
 * Whether that variable is set here. Its value is not looked at.
 */
is_key_found: boolean, 
/**
 * Its address when the person gives none; empty when they must.
 */
base_url: string, 
/**
 * Its models by role.
 */
models: { [key in string]: string }, 
/**
 * Whether it has no models but is searched.
 */
is_of_service: boolean, };

export type Providers = { 
/**
 * By id.
 */
providers: Array<ProviderCard>, 
/**
 * The name of the system's keyring.
 */
keyring: string, 
/**
 * Why it cannot be used; empty when it can.
 */
keyring_error: Phrase | null, };

export type Question = { 
/**
 * Why it is asked.
 */
kind: QuestionKind, 
/**
 * The question in words.
 */
text: Phrase, 
/**
 * What can be chosen; empty for a free text.
 */
choices: Array<Choice>, 
/**
 * The answer that is taken when the person says “go on” (`--yes`).
 */
default: string, 
/**
 * Whether an answer outside the choices is allowed.
 */
is_free: boolean, 
/**
 * What it is about, shown beside it.
 */
details: Value, };

export type QuestionKind = { "kind": "agent" } | { "kind": "limit", 
/**
 * Which limit.
 */
limit: LimitName, } | { "kind": "repeat" } | { "kind": "profile", 
/**
 * The profile.
 */
profile: string, 
/**
 * What of it failed.
 */
code: Code, } | { "kind": "issues" } | { "kind": "malformed" } | { "kind": "gate", 
/**
 * The agent.
 */
agent: string, 
/**
 * At which side of it.
 */
side: GateSide, } | { "kind": "permission", 
/**
 * The tool.
 */
tool: string, } | { "kind": "tool_server", 
/**
 * The tool.
 */
tool: string, };

export type QueueCard = { 
/**
 * The server's address; empty where the calls are made in this process.
 */
url: string, 
/**
 * The environment variable that holds the token or password; empty where none is named.
 */
key_env: string, 
/**
 * Whether the keyring keeps one for this address.
 */
keeps_key: boolean, 
/**
 * Whether one was given for this address that is in memory until the program ends.
 */
has_session_key: boolean, 
/**
 * The server, where it answers.
 */
server: QueueServer | null, 
/**
 * Why it does not.
 */
error: Phrase | null, };

export type QueueServer = { 
/**
 * Its version.
 */
version: string, 
/**
 * Whether the way there is encrypted.
 */
is_encrypted: boolean, 
/**
 * So many sub-tasks wait or are worked on.
 */
sub_tasks: number, 
/**
 * So many were laid aside because no worker could do them.
 */
dead_letters: number, 
/**
 * Who works, by role and name.
 */
workers: Array<WorkerCard>, };

export type RaisedIssue = string | { 
/**
 * The sentence.
 */
text: string, 
/**
 * The words of the draft that it is about.
 */
passage: string, 
/**
 * How grave it is, in a word.
 */
severity: string, };

export type Reached = { 
/**
 * Which.
 */
name: LimitName, 
/**
 * What it allowed then, in the unit of its name.
 */
most: number, 
/**
 * The agent whose own limit it is; else it is the run's.
 */
agent: string | null, 
/**
 * The model whose price is not known, where a limit of money stands before a call of unknown cost.
 */
unpriced?: string, };

export type ReadDocument = { 
/**
 * Its path on this machine.
 */
path: string, };

export type ReadEvents = { 
/**
 * The run.
 */
run: string, 
/**
 * The first number wanted.
 */
from_seq: number, 
/**
 * Most events; 500 at the most.
 */
limit: number, 
/**
 * Whether values above 4 KiB are there whole too.
 */
is_whole?: boolean, };

export type ReadRequest = { 
/**
 * The run.
 */
run: string, 
/**
 * Inputs that take the place of its own.
 */
inputs?: { [key in string]: Json }, };

export type ReadServerText = { 
/**
 * The server.
 */
server: string, } & ({ "kind": "resource", 
/**
 * Its address.
 */
uri: string, } | { "kind": "prompt", 
/**
 * Its name.
 */
prompt: string, 
/**
 * What it is filled in with.
 */
arguments: { [key in string]: string }, });

export type ReadValue = { 
/**
 * The hash, as in `$stored`.
 */
hash: string, 
/**
 * The run of the event.
 */
run: string, 
/**
 * The event: what is not large enough to be kept apart is looked for in it.
 */
seq: number, };

export type Recover = { 
/**
 * What takes its place.
 */
replacement: Replacement, };

export type Recovered = { 
/**
 * The name of the database in the data folder now; none when there was none.
 */
kept: string | null, 
/**
 * The backup that took its place; none when it was no backup.
 */
backup: string | null, 
/**
 * How many runs there are now.
 */
runs: number, 
/**
 * Of these, those that end before what could not be read.
 */
shortened: number, 
/**
 * Of these, those whose definition or inputs could not be read: they can be shown and exported, not executed.
 */
without_definition: number, 
/**
 * Runs that could not be read at all.
 */
lost: number, };

export type RefusedCall = { 
/**
 * The tool.
 */
tool: string, 
/**
 * The host, where the call has one.
 */
place: string | null, };

export type RefusedTool = { 
/**
 * Its name, as far as it can be shown.
 */
name: string, 
/**
 * Why.
 */
why: Phrase, };

export type Release = { 
/**
 * Its version, as semantic versions are written.
 */
version: string, 
/**
 * What is new in it, plain text.
 */
notes: string, 
/**
 * Where it can be had: an address for a browser, `http` or `https`.
 */
page: string, };

export type Remark = { "remark": "left_out", 
/**
 * The profile.
 */
profile: string, 
/**
 * The model.
 */
model: string, 
/**
 * The part.
 */
part: RequestPart, 
/**
 * What the server said, cut and free of secrets.
 */
words: string, } | { "remark": "unended_streams", 
/**
 * The profile.
 */
profile: string, 
/**
 * The model.
 */
model: string, } | { "remark": "pieces_skipped", 
/**
 * How many.
 */
count: number, };

export type Remedy = { "kind": "nothing" } | { "kind": "install_web_view" } | { "kind": "make_writable" } | { "kind": "make_private", 
/**
 * Where it is.
 */
folder: string, } | { "kind": "free_database" } | { "kind": "recover_database" } | { "kind": "mend_settings", 
/**
 * Where they stand.
 */
file: string, } | { "kind": "import_files" } | { "kind": "mend_pipeline", 
/**
 * Its file.
 */
file: string, } | { "kind": "unlock_keyring" } | { "kind": "add_profile", 
/**
 * Its name.
 */
name: string, } | { "kind": "save_key", 
/**
 * Its name.
 */
name: string, } | { "kind": "set_variable", 
/**
 * The profile's name.
 */
name: string, } | { "kind": "set_variable_of_service", 
/**
 * The service's name.
 */
name: string, } | { "kind": "mend_feeds" } | { "kind": "mend_prices" } | { "kind": "check_network" } | { "kind": "get_model", 
/**
 * How to get one.
 */
way: Phrase, } | { "kind": "check_collector" };

export type RemovedProfile = { 
/**
 * The settings that named it and are not set any more, dotted.
 */
unset: Array<string>, };

export type Replacement = { "kind": "backup", 
/**
 * Its name in the data folder.
 */
file: string, } | { "kind": "readable" } | { "kind": "empty" } | { "kind": "fullest" };

export type ReplayReport = { 
/**
 * The run.
 */
run: string, 
/**
 * How many events came out.
 */
events: number, 
/**
 * How many effects were answered from the records.
 */
effects: number, 
/**
 * The first difference, if any.
 */
difference: Difference | null, };

export type ReplyShape = { 
/**
 * A name of letters, digits and underscores.
 */
name: string, 
/**
 * JSON Schema: closed objects, every property required.
 */
schema: Value, };

export type RequestPart = "json_schema" | "json_object" | "stream_options" | "stream" | "tools" | "temperature" | "max_tokens" | "max_completion_tokens" | "thinking" | "system_message";

export type ResumeEvaluation = { 
/**
 * Its id.
 */
evaluation: string, 
/**
 * Most cells at once; 2 when not given.
 */
at_once?: number, 
/**
 * Most money of the whole evaluation, in US dollars, with what was spent before.
 */
max_cost?: number, };

export type ResumeRun = { 
/**
 * The run.
 */
run: string, 
/**
 * New limits by name; nothing lifts one.
 */
limits: { [key in LimitName]?: number | null }, 
/**
 * New limits of single agents, by agent.
 */
agent_limits?: { [key in string]: { [key in LimitName]?: number | null } }, 
/**
 * Tools that may act without asking.
 */
allow: Array<string>, 
/**
 * Where the run stops and asks, by the agent or by the place of one call of it.
 */
gates?: { [key in string]: Gate }, 
/**
 * What is done from here on where a model fails for good; as before when not given.
 */
fallback?: OnFailure, };

export type ReturnLeg = { 
/**
 * The way.
 */
leg: Leg, 
/**
 * When one arrives.
 */
arrival: string, };

export type Review = { 
/**
 * The reviewer's notes, Markdown.
 */
notes: string, 
/**
 * What is to be changed.
 */
issues: Array<RaisedIssue>, 
/**
 * Whether the draft may be published.
 */
ready: boolean, };

export type ReviewAction = { "kind": "decide", 
/**
 * The number of the issue.
 */
issue: number, 
/**
 * The decision.
 */
decision: IssueDecision | null, } | { "kind": "reply", 
/**
 * The number of the issue.
 */
issue: number, 
/**
 * The reply.
 */
reply: string, } | { "kind": "lock", 
/**
 * The sentence, or a part of it as it is read.
 */
sentence: string, 
/**
 * Whether agents must keep it.
 */
is_locked: boolean, } | { "kind": "merge", 
/**
 * The number of the collision.
 */
collision: number, 
/**
 * What the draft takes.
 */
take: MergeChoice, };

export type ReviewDraft = { 
/**
 * The run.
 */
run: string, 
/**
 * What they do.
 */
action: ReviewAction, };

export type RewriteRun = { 
/**
 * The run.
 */
run: string, 
/**
 * The one step that is done; the whole way from the writer on, with the notes of the review, when not given.
 */
step?: RewriteStep, };

export type RewriteStep = { 
/**
 * The name of an instruction of the program or of the person.
 */
instruction?: string, 
/**
 * The instruction in words, in place of a name.
 */
text?: string, 
/**
 * The language into which is translated.
 */
language?: string, 
/**
 * The profile; that of the run when not given.
 */
profile?: string, };

export type Role = { "kind": "input" } | { "kind": "draft", 
/**
 * The field that holds the text a person edits, Markdown.
 */
edit: string, 
/**
 * The field that holds the measured number of words.
 */
words: string, 
/**
 * The most words allowed, 0 for no limit.
 */
word_limit: number, } | { "kind": "review", 
/**
 * The field with the reviewer's notes, Markdown.
 */
notes: string, 
/**
 * The field with the list of issues.
 */
issues: string, 
/**
 * The field that tells whether the draft may be published.
 */
ready: string, } | { "kind": "issues" } | { "kind": "own_text" } | { "kind": "checks" } | { "kind": "sources", 
/**
 * The field with the list.
 */
items: string, } | { "kind": "plan" } | { "kind": "steps" } | { "kind": "rounds" } | { "kind": "places", 
/**
 * The function that does what the person changes of the visit of the places; empty where it cannot be changed.
 */
changed_by: string | null, } | { "kind": "final" } | { "kind": "remark" } | { "kind": "data" };

export type Round = { 
/**
 * Its number, from 1.
 */
number: number, 
/**
 * The key of the draft that the loop works on; its value at this event is the text of the round.
 */
draft: string | null, 
/**
 * Words of the draft.
 */
words: number | null, 
/**
 * Checks of the draft.
 */
checks: CheckCount | null, 
/**
 * Issues that the review of this round leaves open.
 */
issues: number | null, 
/**
 * What the answers of the round that hold cost, in US dollars; nothing where no price is known.
 */
cost: number | null, 
/**
 * Calls of models in the round whose price is not known.
 */
unpriced_calls: number, };

export type RouteRequest = { 
/**
 * What is needed, in the person's words.
 */
text: string, 
/**
 * The profile whose model chooses; the setting `default_profile` when not given. `built-in` goes by the words of
 * the pipelines.
 */
profile: string | null, };

export type RoutedRequest = { 
/**
 * The pipeline; nothing where the confidence is below 0.6 and the person is to choose.
 */
pipeline: string | null, 
/**
 * Confidence in the likeliest pipeline, from 0 to 1.
 */
confidence: number, 
/**
 * Why.
 */
reason: Phrase, 
/**
 * The likeliest pipelines, at most three, the likeliest first.
 */
candidates: Array<RoutingCandidate>, 
/**
 * The run in which a model chose; nothing where no model was asked.
 */
run: string | null, 
/**
 * What kept the model from choosing, where the words of the pipelines decided in its place.
 */
remark: Phrase | null, };

export type RoutingCandidate = { 
/**
 * Its id.
 */
pipeline: string, 
/**
 * Probability from 0 to 1.
 */
confidence: number, 
/**
 * Its inputs as far as the request fills them, by key.
 */
inputs: { [key in string]: Json }, };

export type Rule = string;

export type RuleRef = { 
/**
 * The rule as it stands.
 */
rule: string, };

export type RunCard = { 
/**
 * Its id.
 */
run: string, 
/**
 * Its session.
 */
session: string, 
/**
 * Its pipeline.
 */
pipeline: string, 
/**
 * Its title.
 */
title: string, 
/**
 * How it stands.
 */
status: RunStatus, 
/**
 * When it began, milliseconds since 1970 UTC.
 */
started_at_ms: number, 
/**
 * When its last event happened.
 */
last_at_ms: number, 
/**
 * The number of its last event.
 */
last_seq: number, 
/**
 * Whether an agent put its last change before the person, who has changed nothing since.
 */
is_raised: boolean, 
/**
 * Its parent, of a fork.
 */
origin: Origin | null, 
/**
 * Whether it stands above the others.
 */
is_pinned: boolean, 
/**
 * When it was put into the trash; `null` when it is not there.
 */
trashed_at_ms: number | null, 
/**
 * The words by which the person sorts it.
 */
tags: Array<string>, 
/**
 * Of a run that was made elsewhere and taken in from a file, the kinds of things that were left out of it.
 */
imported: Array<string> | null, 
/**
 * Where a search found it, with `[[` and `]]` around the hits.
 */
snippet: string | null, };

export type RunCards = { 
/**
 * The runs.
 */
runs: Array<RunCard>, 
/**
 * Of a search, how many there are on all pages.
 */
found?: number, 
/**
 * Of a search, how many runs it could not look into yet; they are made ready meanwhile.
 */
not_indexed?: number, };

export type RunComparison = { 
/**
 * The one.
 */
one: ComparedRun, 
/**
 * The other.
 */
other: ComparedRun, 
/**
 * Inputs that differ.
 */
inputs: Array<ComparedValue>, 
/**
 * Agents whose settings differ.
 */
agents: Array<ComparedAgent>, 
/**
 * Limits that differ.
 */
limits: { [key in LimitName]?: [number | null, number | null] }, 
/**
 * Tools that differ, by slot.
 */
tools: { [key in string]: [string | null, string | null] }, 
/**
 * Every check of either run.
 */
checks: Array<ComparedCheck>, 
/**
 * The resulting texts, from the one to the other.
 */
text: Array<ComparedText>, 
/**
 * Other values at the end that differ.
 */
values: Array<ComparedValue>, };

export type RunCosts = { 
/**
 * US dollars by run; `null` where no call has a known price. A run that asked no model is left out.
 */
costs: { [key in string]: number | null }, };

export type RunFiles = { 
/**
 * The files.
 */
files: Array<FileCard>, };

export type RunId = string;

export type RunPage = { 
/**
 * As in the list.
 */
card: RunCard, 
/**
 * The tree it runs.
 */
outline: Outline, 
/**
 * Its keys in display order.
 */
keys: Array<KeyDeclaration>, 
/**
 * The texts of the notes that its pipeline makes, by id.
 */
notes: { [key in string]: string }, 
/**
 * What its pipeline says of itself in other languages, by language (`zh`, `ja`) and by the English words.
 */
words: { [key in string]: { [key in string]: string } }, 
/**
 * What is used up.
 */
usage: Usage, 
/**
 * What of it the parent of a fork used before the fork began: it is counted by the limits and was not spent again.
 */
inherited: Usage, 
/**
 * The limits in force now.
 */
limits: Limits, 
/**
 * How often a call is attempted at the most, when its provider does not answer.
 */
most_attempts: number, 
/**
 * The profile that the first of its agents uses now.
 */
profile: string, 
/**
 * The profile of each agent when the run began; what was changed since stands in a view.
 */
profiles: { [key in string]: string }, 
/**
 * The tool behind each slot, by the name under which it is chosen.
 */
tools: { [key in string]: string }, 
/**
 * The day that counts as today in it, YYYY-MM-DD; `null` when it is the day of the run.
 */
as_of: string | null, 
/**
 * How it ended.
 */
outcome: Outcome | null, 
/**
 * Why.
 */
error: ApiError | null, 
/**
 * Agents whose work was done without a model, because theirs failed.
 */
without_model?: Array<string>, };

export type RunRef = { 
/**
 * Its id.
 */
run: string, };

export type RunStatus = "running" | "waiting_for_disk" | "finished" | "failed" | "limited" | "waiting" | "cancelled" | "interrupted";

export type RunView = { 
/**
 * The moment: the number of the last event that counts.
 */
seq: number, 
/**
 * When the event of the moment happened, milliseconds since 1970 UTC.
 */
at_ms: number, 
/**
 * The events from which the moment is drawn, in order; what lies between them was left out.
 */
entries: Array<JournalEntry>, 
/**
 * Events before this one carry by hash what is not short, as if it were large.
 */
whole_from: number, 
/**
 * The state: every key with the event that set it. Large values stand by hash.
 */
state: { [key in string]: HeldValue }, 
/**
 * What is used up.
 */
usage: Usage, 
/**
 * Agents whose profile was changed since the run began, with the one they ask at the moment.
 */
profiles: { [key in string]: string }, 
/**
 * Where the run stops and asks at the moment, by the agent or by the place of one call of it.
 */
gates: { [key in string]: Gate }, 
/**
 * What each agent used up, with all that runs below it, and the limits of that which are in force: by its name, of one
 * instance that has limits of its own by its path.
 */
budgets: { [key in string]: Budget }, 
/**
 * Of keys that changed more often than `entries` tell: how many versions there were, and where some of the
 * older ones are.
 */
changes: { [key in string]: KeyChanges }, 
/**
 * What each agent read and wrote so far.
 */
touched: { [key in string]: Touched }, 
/**
 * How often each agent was called.
 */
times: { [key in string]: number }, };

export type SaveFavourite = { 
/**
 * Its name, one line.
 */
name: string, 
/**
 * What its run is started with.
 */
request: StartRun, 
/**
 * The favourite whose place it takes; a new one at the end when not given.
 */
replaces: string | null, };

export type SaveFile = { 
/**
 * What is in it.
 */
content: FileContent, };

export type SaveInstruction = { 
/**
 * Its name.
 */
name: string, 
/**
 * What the model reads.
 */
text: string, 
/**
 * The saved instruction that it replaces; a new one when not given.
 */
replaces?: string, };

export type SaveKey = { 
/**
 * The profile.
 */
profile: string, 
/**
 * The key as it was typed or pasted.
 */
key: string, 
/**
 * Whether it is kept in memory only, until the program ends.
 */
for_session: boolean, };

export type SavePipeline = { 
/**
 * The file that it was opened as.
 */
id: string, 
/**
 * The TOML, with faults or without.
 */
text: string, 
/**
 * The revision that it was opened as; nothing when there is to be no file yet.
 */
revision: string | null, };

export type SavePlanTemplate = { 
/**
 * The run.
 */
run: string, 
/**
 * The key that holds the plan.
 */
key: string, 
/**
 * The name of the template and of its file.
 */
name: string, 
/**
 * The regular expression over the whole task, regardless of case. Its named groups fill `{{ NAME }}` in the plan.
 */
pattern: string, };

export type SaveQueue = { 
/**
 * The server's address, `nats://[USER@]HOST[:PORT]` or `tls://…`; empty: calls are made in this process.
 */
url: string, 
/**
 * The environment variable that holds the token or password; empty for none.
 */
key_env: string, 
/**
 * A token, a password, an nkey's seed or the content of a credentials file, for the keyring. None: what is kept for this
 * address stays; empty: it is forgotten.
 */
key: string | null, 
/**
 * Whether the key is kept in memory only, until the program ends.
 */
for_session: boolean, };

export type SaveSchedule = { 
/**
 * Its name.
 */
name: string, 
/**
 * The schedule whose place it takes; a new one when not given.
 */
replaces?: string, 
/**
 * When: plain words such as `every weekday at 7`, or cron's grammar with five fields.
 */
when: string, 
/**
 * The IANA name of the time zone; that of the system when not given.
 */
zone?: string, 
/**
 * What becomes of instants that passed while nothing could fire.
 */
missed: Missed, 
/**
 * What it starts.
 */
request: StartRun, 
/**
 * Profiles that may stand in for a failing one; without them, none does.
 */
fallback_profiles?: Array<string>, 
/**
 * After so many minutes a run is ended; 240 when not given.
 */
time_limit_minutes?: number, 
/**
 * Most US dollars in a month of the zone.
 */
monthly_cost?: number, 
/**
 * Most tokens in a month of the zone.
 */
monthly_tokens?: number, };

export type SaveSet = { 
/**
 * Its name.
 */
name: string, 
/**
 * The form of the text.
 */
form: SetFileForm, 
/**
 * The text.
 */
text: string, 
/**
 * The pipeline; that of the file when not given.
 */
pipeline?: string, 
/**
 * What is expected of every case beside what the file says, each as JSON.
 */
expect: Array<Json>, 
/**
 * Whether a set of the same name is replaced.
 */
replaces: boolean, };

export type SaveToolServer = { 
/**
 * How it is set up.
 */
setup: ToolServerSetup, 
/**
 * The name of the one that it takes the place of; a new one when not given.
 */
replaces: string | null, 
/**
 * Values for the keyring, by variable or header. They go in and never come back.
 */
values: { [key in string]: string }, 
/**
 * Whether these values are kept in memory only, until the program ends.
 */
for_session: boolean, };

export type SavedFile = { 
/**
 * Its path; nothing when the dialog was left.
 */
path: string | null, };

export type SavedInstruction = { 
/**
 * Its name.
 */
name: string, 
/**
 * What the model reads.
 */
text: string, };

export type SavedKey = { 
/**
 * Its last four characters; empty for a key too short to show any.
 */
last_four: string, };

export type SavedPipeline = { "kind": "saved", 
/**
 * The id under which it stands now.
 */
id: string, 
/**
 * What is named when it is saved over.
 */
revision: string, } | { "kind": "changed" };

export type SavedPlanTemplate = { 
/**
 * Its file.
 */
path: string, };

export type SayToRun = { 
/**
 * The run.
 */
run: string, 
/**
 * What is said.
 */
text: string, };

export type ScheduleCard = { 
/**
 * Its name.
 */
name: string, 
/**
 * When, as it was given.
 */
when: string, 
/**
 * When, in cron's grammar.
 */
cron: string, 
/**
 * The IANA name of its time zone.
 */
zone: string, 
/**
 * What becomes of missed instants.
 */
missed: Missed, 
/**
 * Whether it fires.
 */
status: ScheduleStatus, 
/**
 * What it starts, with all that is settled.
 */
request: StartRun, 
/**
 * Profiles that may stand in for a failing one.
 */
fallback_profiles: Array<string>, 
/**
 * After so many minutes a run is ended.
 */
time_limit_minutes: number, 
/**
 * Most US dollars in a month.
 */
monthly_cost: number | null, 
/**
 * Most tokens in a month.
 */
monthly_tokens: number | null, 
/**
 * The US dollars of this month, of the calls with a known price.
 */
month_cost: number, 
/**
 * The tokens of this month.
 */
month_tokens: number, 
/**
 * The next times; empty where it does not fire.
 */
next: Array<ScheduledTime>, 
/**
 * What became of its last instants, newest first.
 */
last: Array<FiringCard>, 
/**
 * Its failures in a row.
 */
failures: number, 
/**
 * What waits for the person.
 */
needs: Array<ScheduleNeed>, };

export type ScheduleNeed = { "kind": "stopped", 
/**
 * In words, with the next step.
 */
text: Phrase, } | { "kind": "refused", 
/**
 * The run.
 */
run: string | null, 
/**
 * The tool.
 */
call: RefusedCall, 
/**
 * In words, with the next step.
 */
text: Phrase, } | { "kind": "waiting", 
/**
 * The run.
 */
run: string, 
/**
 * In words, with the next step.
 */
text: Phrase, };

export type SchedulePreview = { 
/**
 * The rule in cron's grammar; empty where it cannot be read.
 */
cron: string, 
/**
 * The IANA name of the time zone.
 */
zone: string, 
/**
 * The next times.
 */
next: Array<ScheduledTime>, 
/**
 * Why it cannot be used.
 */
problem: ApiError | null, 
/**
 * Rules that can be read.
 */
examples: Array<string>, };

export type ScheduleStatus = "active" | "paused" | "stopped";

export type ScheduledTime = { 
/**
 * Milliseconds since 1970 UTC.
 */
at_ms: number, 
/**
 * As the clocks of its zone show it: `2026-12-07 07:00 +01:00`.
 */
local: string, };

export type Schedules = { 
/**
 * By name.
 */
schedules: Array<ScheduleCard>, 
/**
 * The system's timer, which fires while no window is open; `null` where this host sets none.
 */
timer: TimerCard | null, };

export type ServerAnswer = { "accept": Json } | "done" | "decline" | "cancel";

export type ServerPromptArgument = { 
/**
 * Its name.
 */
name: string, 
/**
 * What the server says of it; may be empty.
 */
description: string, 
/**
 * Whether it is needed.
 */
is_required: boolean, };

export type ServerPromptCard = { 
/**
 * Its name at the server.
 */
name: string, 
/**
 * Its title, in the server's words.
 */
title: string, 
/**
 * What it is for, in the server's words; may be empty.
 */
description: string, 
/**
 * What it is filled in with.
 */
arguments: Array<ServerPromptArgument>, };

export type ServerQuestion = { 
/**
 * The server's words.
 */
message: string, 
/**
 * How it is answered.
 */
asks_for: AskedInput, };

export type ServerResourceCard = { 
/**
 * Its address at the server.
 */
uri: string, 
/**
 * Its title, in the server's words.
 */
title: string, 
/**
 * What it is, in the server's words; may be empty.
 */
description: string, };

export type ServerTexts = { 
/**
 * What it has to read.
 */
resources: Array<ServerResourceCard>, 
/**
 * What it fills in.
 */
prompts: Array<ServerPromptCard>, };

export type ServiceCard = { 
/**
 * Its name in settings.
 */
name: string, 
/**
 * Its name for people.
 */
title: string, 
/**
 * Where it is asked unless another base URL is set; empty when there is no usual place.
 */
base_url: string, 
/**
 * Everything that can be set.
 */
settings: Array<ServiceSetting>, };

export type ServiceSetting = { 
/**
 * The whole key of the setting.
 */
key: string, 
/**
 * What it means.
 */
help: string, 
/**
 * What it is set to, or empty.
 */
value: string, };

export type SessionId = string;

export type SetFileForm = "json_lines" | "csv";

export type SetGates = { 
/**
 * The run.
 */
run: string, 
/**
 * By the agent or by the place of one call of it; a gate that stops at no side is taken away.
 */
gates: { [key in string]: Gate }, };

export type SetPrice = { 
/**
 * The profile that asks the model: the price is one of its provider.
 */
profile: string, 
/**
 * The model's name.
 */
model: string, 
/**
 * US dollars for a million tokens of requests, as it was typed.
 */
input: string, 
/**
 * US dollars for a million tokens of answers, as it was typed.
 */
output: string, };

export type SetText = { 
/**
 * The text.
 */
text: string, };

export type Setting = { 
/**
 * Its key, dotted.
 */
key: string, 
/**
 * Its value; empty text when it is not set.
 */
value: string, };

export type SettingInForce = { 
/**
 * Its key, dotted.
 */
key: string, 
/**
 * Its value.
 */
value: string, 
/**
 * The value that it has when it is not set.
 */
usual: string, };

export type SettingsText = { 
/**
 * The text.
 */
toml: string, };

export type ShowMenu = { 
/**
 * The columns from the left.
 */
menus: Array<Menu>, };

export type ShowTray = { 
/**
 * The tooltip of the icon.
 */
title: string, 
/**
 * The runs that work or wait for an answer.
 */
runs: Array<TrayRun>, 
/**
 * The label of the entry that shows the window.
 */
show: string, 
/**
 * The label of the entry that closes the window.
 */
quit: string, };

export type SignInToolServer = { 
/**
 * The name of the server.
 */
name: string, 
/**
 * What is asked for, beside what the server names, what was granted before, and what the server wanted since.
 */
scopes: Array<string>, 
/**
 * Whether `scopes` are asked for without any other.
 */
is_exact?: boolean, 
/**
 * The client ID that the person got from the authorization server; as before where not given. Without one Galley
 * registers itself.
 */
client: string | null, };

export type SignedInCard = { 
/**
 * What the server may be asked for, in the words of the server.
 */
scopes: Array<string>, 
/**
 * When its token ends, in milliseconds since 1970 UTC, where the server says so. It is renewed before, where the server
 * allows that.
 */
until_ms: number | null, };

export type SlotCard = { 
/**
 * Its name.
 */
name: string, 
/**
 * Its title, or empty.
 */
title: string, 
/**
 * The tool that the pipeline takes unless the person chooses; `None` where the settings decide.
 */
default: string | null, 
/**
 * What fits.
 */
choices: Array<SlotChoice>, };

export type SlotChoice = { 
/**
 * The name under which it is chosen.
 */
id: string, 
/**
 * Its name for people.
 */
title: string, 
/**
 * Whether it needs no network.
 */
is_offline: boolean, };

export type Source = { 
/**
 * Its title.
 */
title: string, 
/**
 * Its address.
 */
url: string, 
/**
 * Who published it.
 */
source: string, 
/**
 * When, `2026-06-30`.
 */
published: string, 
/**
 * What it says, in short.
 */
summary: string, 
/**
 * What it says.
 */
text: string, };

export type SourceCard = { 
/**
 * Its id.
 */
id: string, 
/**
 * Its name for people.
 */
title: string, 
/**
 * What it searches and what it takes.
 */
purpose: Phrase, 
/**
 * `none`, `optional` or `required`.
 */
key: string, 
/**
 * Where a key is given out, or empty.
 */
key_page: string, 
/**
 * The services it asks.
 */
services: Array<ServiceCard>, };

export type SourceCards = { 
/**
 * Alphabetic.
 */
sources: Array<SourceCard>, 
/**
 * Alphabetic.
 */
contacted: Array<ContactedHost>, 
/**
 * The file with the list of feeds.
 */
feeds_file: string, };

export type Sources = Array<Source>;

export type Span = { 
/**
 * The least.
 */
least: number, 
/**
 * The most.
 */
most: number, };

export type Speaker = "user" | "model" | "tool";

export type Spent = { 
/**
 * Requests to a model.
 */
calls: number, 
/**
 * Tokens in and out together.
 */
tokens: number, 
/**
 * Money in US dollars, of the calls whose price is known; `null` when none is.
 */
cost: number | null, 
/**
 * Calls whose price is not known.
 */
unpriced_calls: number, 
/**
 * Active time in milliseconds.
 */
active_ms: number, };

export type StandardCommand = "hide" | "undo" | "redo" | "cut" | "copy" | "paste" | "select_all" | "minimize" | "full_screen";

export type StandingRule = { 
/**
 * The rule: `TOOL` or `TOOL@PLACE`.
 */
rule: string, 
/**
 * Whether it allows; else it forbids.
 */
is_allowed: boolean, 
/**
 * Whether it can be read. One that forbids and cannot be read stops every tool.
 */
is_readable: boolean, 
/**
 * Since when it holds, milliseconds since 1970 UTC.
 */
since_ms: number | null, 
/**
 * When it decided last, milliseconds since 1970 UTC.
 */
last_used_ms: number | null, };

export type StartEvaluation = { 
/**
 * The data set.
 */
set: string, 
/**
 * The choices; one with the usual settings when none is given.
 */
choices: Array<EvaluationChoice>, 
/**
 * The profile of the model that judges by rubrics; the usual one when not given.
 */
judge?: string, 
/**
 * Tools by slot.
 */
tools: { [key in string]: string }, 
/**
 * The clock of every run, `YYYY-MM-DD`; now when not given.
 */
as_of?: string, 
/**
 * Limits of every run, by name.
 */
limits: { [key in LimitName]?: number | null }, 
/**
 * Tools that may act without asking; others are refused, because nobody is asked.
 */
allow: Array<string>, 
/**
 * Most cells at once; 2 when not given.
 */
at_once?: number, 
/**
 * Most money of the whole evaluation, in US dollars.
 */
max_cost?: number, 
/**
 * Whether a new one is started also where the same evaluation is not finished yet.
 */
is_new: boolean, };

export type StartRun = { 
/**
 * The pipeline's id.
 */
pipeline: string, 
/**
 * Inputs by key.
 */
inputs: { [key in string]: Json }, 
/**
 * What a one-step rewrite begins with beside its inputs, by key: the text as the draft, the person's sentences in it
 * and its sources.
 */
state?: { [key in string]: Json }, 
/**
 * The title; of the inputs when not given.
 */
title?: string, 
/**
 * The profile; the setting `default_profile` when not given.
 */
profile: string | null, 
/**
 * Tools by slot; what is not given is as the pipeline says, else as the setting `default_source` says.
 */
tools: { [key in string]: string }, 
/**
 * The run's clock, `YYYY-MM-DD`; now when not given.
 */
as_of: string | null, 
/**
 * A session to belong to; a new one when not given.
 */
session: string | null, 
/**
 * The temperature of every agent.
 */
temperature?: number, 
/**
 * What single agents run with, by name.
 */
agents: { [key in string]: AgentSettings }, 
/**
 * Limits by name; nothing lifts one.
 */
limits: { [key in LimitName]?: number | null }, 
/**
 * Tools that may act without asking.
 */
allow: Array<string>, 
/**
 * Where the run stops and asks, by the agent or by the place of one call of it.
 */
gates?: { [key in string]: Gate }, 
/**
 * What is done where a model fails for good; the setting `default_fallback` when not given.
 */
fallback?: OnFailure, 
/**
 * Whether the person is asked to decide the issues of a review before the draft is rewritten; the setting
 * `decide_issues` when not given.
 */
decide_issues?: boolean, };

export type StatePage = { 
/**
 * The moment.
 */
seq: number, 
/**
 * Values by key.
 */
state: { [key in string]: Json }, 
/**
 * The exact text of “display all states”.
 */
text: string, };

export type StepError = { 
/**
 * In a sentence.
 */
message: string, 
/**
 * Of which kind.
 */
type: Code, };

export type StepRecord = { 
/**
 * Its input with what the references stood for; null where one could not be resolved.
 */
resolved_input: Json, 
/**
 * What came of it; null where it failed.
 */
result_data: Json, 
/**
 * The summary of a long result.
 */
processed_result_data?: Json | null, 
/**
 * Why it failed.
 */
error_details?: StepError | null, 
/**
 * What the answers of models in it cost, in US dollars; nothing where none with a known price answered.
 */
cost?: number | null, 
/**
 * How long it worked by the run's own clock, in milliseconds.
 */
worked_ms: number, 
/**
 * Its id, unique in the plan: other steps refer to it.
 */
stepId: string, 
/**
 * What is to be done, in a sentence.
 */
narrative_step: string, 
/**
 * Who does it.
 */
assigned_agent_role: string, 
/**
 * With which tool.
 */
tool_name: string, 
/**
 * What goes into it. `@{outputs.ID.field}` refers to what a step before it gave.
 */
sub_task_input: Json, 
/**
 * Steps that it waits for beside those it refers to.
 */
depends_on: Array<string>, 
/**
 * How it stands.
 */
status: StepStatus, 
/**
 * What came of it, in a sentence.
 */
outcome: string, };

export type StepRecords = Array<StepRecord>;

export type StepStatus = "planned" | "running" | "waiting" | "done" | "failed" | "skipped" | "unknown";

export type Stop = { 
/**
 * Its id, unique in the trip.
 */
id: string, 
/**
 * Its name.
 */
name: string, 
/**
 * Where it is; nothing where that is not known.
 */
coordinates: Coordinates | null, 
/**
 * Its opening hours as OpenStreetMap writes them; nothing where they are not known.
 */
opening_hours: string | null, 
/**
 * How long it is visited, in minutes; nothing for [`DEFAULT_STAY_MINUTES`].
 */
stay_minutes: number | null, };

export type StopDetails = { 
/**
 * Its name in the language of the place, where that is another one.
 */
local_name: string, 
/**
 * What it belongs to: the title of the work.
 */
title: string, 
/**
 * The colour of its title, as `#rrggbb`; empty where there is none.
 */
color: string, 
/**
 * Where it is seen in the work: `Episode 3, 12:40`.
 */
scene: string, 
/**
 * Its address.
 */
address: string, 
/**
 * What it costs.
 */
admission: string, 
/**
 * What is to be known of it, in a sentence.
 */
description: string, 
/**
 * The address of a picture; it is asked for only when the person wants pictures.
 */
picture: string, 
/**
 * Who made the picture or told of the point.
 */
origin: string, 
/**
 * The address of the origin.
 */
origin_url: string, };

export type Stream = { 
/**
 * The key that the answer becomes.
 */
key: string, 
/**
 * The field of the answer that is shown as it comes; empty for the whole text.
 */
field: string, };

export type TextForms = { 
/**
 * As Markdown.
 */
markdown: string, 
/**
 * As a web page: what a program that takes rich text pastes.
 */
html: string, };

export type TileFormat = "mvt" | "mlt" | "image";

export type TileRef = { 
/**
 * The zoom.
 */
z: number, 
/**
 * The column.
 */
x: number, 
/**
 * The row.
 */
y: number, };

export type TileSet = { 
/**
 * The kind of its tiles.
 */
format: TileFormat, 
/**
 * The lowest zoom that it has.
 */
min_zoom: number, 
/**
 * The highest zoom that it has.
 */
max_zoom: number, 
/**
 * West, south, east, north, in degrees.
 */
bounds: [number, number, number, number], 
/**
 * Whose data it has, in HTML of the file: not to be shown as it is.
 */
attribution: string, 
/**
 * The names of its layers, of vector tiles.
 */
layers: Array<string>, };

export type TimeLimitReason = { "kind": "set" } | { "kind": "local_server", 
/**
 * The profile of that server.
 */
profile: string, } | { "kind": "measured", 
/**
 * The profile of that server.
 */
profile: string, 
/**
 * How fast it answers.
 */
tokens_per_second: number, };

export type TimerCard = { 
/**
 * Its name: systemd, launchd, Task Scheduler.
 */
system: string, 
/**
 * Whether it is set up.
 */
is_set: boolean, 
/**
 * Why not, with the next step.
 */
problem: Phrase | null, };

export type TokenPrice = { 
/**
 * US dollars for a million tokens of requests.
 */
input: number, 
/**
 * US dollars for a million tokens of answers.
 */
output: number, };

export type TokenUsage = { 
/**
 * Tokens of the request.
 */
input_tokens: number, 
/**
 * Tokens of the answer, thinking included.
 */
output_tokens: number, 
/**
 * Of the request's tokens, those that the provider still had from an earlier one and bills for less.
 */
cached_tokens?: number, };

export type ToolCall = { 
/**
 * The tool's name.
 */
tool: string, 
/**
 * Its input, by its schema.
 */
input: Value, 
/**
 * How it may be repeated, as the tool declares.
 */
class: EffectClass, 
/**
 * A title for the journal: “search the library for …”.
 */
title: Phrase, 
/**
 * The host or folder that it is about, where the tool has one.
 */
place?: string, 
/**
 * Whether it gives what somebody on the web wrote.
 */
is_of_web?: boolean, 
/**
 * The tool as it was: a hash of its description and schemas.
 */
version?: Hash, 
/**
 * Whether it is permitted, and who decided. `None` for a call that cannot be made, which needs no decision.
 */
decision?: Decision, 
/**
 * Whose key it uses, where it needs one.
 */
credential_route?: CredentialRoute, 
/**
 * What its server asked when the call was made before, with the answers.
 */
given?: GivenInput, };

export type ToolFailure = { "failure": "not_offered", 
/**
 * What it has.
 */
offered: Array<string>, } | { "failure": "bad_input", 
/**
 * Where in the input: `/days/2`; empty for the whole.
 */
place: string, } | { "failure": "refused", 
/**
 * By whom.
 */
decision: Decision, } | { "failure": "failed" } | { "failure": "sign_in_needed", 
/**
 * The name of the server.
 */
server: string, 
/**
 * What it asks for beside what was allowed.
 */
scopes: Array<string>, } | { "failure": "timed_out" } | { "failure": "outcome_unknown" } | { "failure": "needs_input", 
/**
 * What it asks.
 */
input: NeededInput, };

export type ToolOffer = { 
/**
 * The tool's name.
 */
name: string, 
/**
 * What it does, for the model.
 */
description: string, 
/**
 * JSON Schema of its input.
 */
schema: Value, };

export type ToolRequest = { 
/**
 * The provider's id of this call.
 */
id: string, 
/**
 * The tool's name.
 */
tool: string, 
/**
 * The input as the model gave it.
 */
input: Json, 
/**
 * What the provider wants back with the conversation, as it came.
 */
opaque?: string, };

export type ToolServerCard = { 
/**
 * How it is set up.
 */
setup: ToolServerSetup, 
/**
 * The tools that it listed last; empty before its first start.
 */
listed: Array<ForeignToolCard>, 
/**
 * The sign-in at it, where somebody is signed in.
 */
signed_in?: SignedInCard, };

export type ToolServerCards = { 
/**
 * By name.
 */
servers: Array<ToolServerCard>, 
/**
 * The tools that are added to pipelines, by the ids of these: `SERVER/TOOL`, or `SERVER/*` for all of a server.
 */
pipelines: { [key in string]: Array<string> }, 
/**
 * What the person should know of the change that was made: a sign-in that was not revoked.
 */
remark?: Phrase, };

export type ToolServerSetup = { 
/**
 * Its name: small letters, digits, `-` and `_`.
 */
name: string, 
/**
 * The program; empty where it has an address.
 */
command: string, 
/**
 * Its arguments.
 */
args: Array<string>, 
/**
 * The folder it is started in; empty for that of the program.
 */
folder: string, 
/**
 * The address; empty where it is a program.
 */
url: string, 
/**
 * Variables of its environment; of an address, headers.
 */
given: { [key in string]: GivenValue }, 
/**
 * The tools that are offered; all of them where none are named.
 */
tools: Array<string>, 
/**
 * How long one call may take, in seconds; as usual where not given.
 */
timeout_s: number | null, 
/**
 * Whether it is switched off.
 */
is_off: boolean, };

export type ToolServerSignIn = { 
/**
 * The address to open in a browser: https, or on this machine.
 */
address: string, };

export type ToolServerTest = { 
/**
 * What it calls itself, with its version.
 */
title: string, 
/**
 * Whether it speaks the protocol as of 2026-07-28.
 */
is_new_protocol: boolean, 
/**
 * Its tools.
 */
tools: Array<ForeignToolCard>, 
/**
 * The tools that cannot be offered, and why.
 */
refused: Array<RefusedTool>, 
/**
 * The end of what it said on standard error.
 */
standard_error: string, };

export type Topic = "program" | "system" | "web_view" | "data_folder" | "access" | "database" | "backups" | "settings" | "library" | "pipelines" | "pipeline" | "providers" | "keyring" | "profile" | "source" | "feeds" | "hosts" | "prices" | "server" | "local_server" | "queue" | "collector";

export type TotalUsage = { 
/**
 * Those of one run.
 */
run: string | null, 
/**
 * Those of one profile.
 */
profile: string | null, 
/**
 * Those of one month, `2026-11`, in UTC.
 */
month: string | null, };

export type Totals = { 
/**
 * The length of all ways in metres.
 */
distance_m: number, 
/**
 * The time of all ways in seconds.
 */
travel_s: number, 
/**
 * The time of all waits in seconds.
 */
wait_s: number, 
/**
 * The time of all stays in seconds.
 */
stay_s: number, 
/**
 * The time from the begin to the end in seconds.
 */
duration_s: number, 
/**
 * When it ends: the last departure, or the arrival at the start.
 */
end: string, 
/**
 * How many points are closed on arrival.
 */
closed_on_arrival: number, 
/**
 * How many points have hours that the person has to check.
 */
to_check: number, 
/**
 * Whether one of its ways is an estimate: then so are the distances and times.
 */
is_estimate: boolean, };

export type Touched = { 
/**
 * Keys it read.
 */
reads: Array<string>, 
/**
 * Keys it wrote.
 */
wrote: Array<string>, };

export type TravelMode = "walking" | "transit" | "driving";

export type TrayRun = { 
/**
 * Its id.
 */
run: string, 
/**
 * Its title and what it does, one line.
 */
title: string, };

export type Trip = { 
/**
 * Where it begins: the station. Its hours and stay do not count.
 */
start: Stop, 
/**
 * The points.
 */
stops: Array<Stop>, 
/**
 * When it begins, in the local time of the start: `2026-11-29T10:00:00`. All times of the itinerary are of this
 * clock.
 */
departure: string, 
/**
 * Whether it ends where it began.
 */
returns_to_start: boolean, 
/**
 * How many minutes the local time is ahead of UTC (Japan: 540), for hours that name sunrise or sunset.
 */
utc_offset_minutes: number | null, 
/**
 * The country whose public holidays count, by its code of two letters (`JP`).
 */
country: string | null, };

export type TripPlan = { 
/**
 * What it is called, for people.
 */
title: string, 
/**
 * The language of its texts and of the names of its points: `en`, `zh`, `ja`.
 */
language: string, 
/**
 * The time zone of its clock as IANA names it (`Asia/Tokyo`); nothing where that is not known.
 */
time_zone: string | null, 
/**
 * Where it starts, its points, and when it begins.
 */
trip: Trip, 
/**
 * The ways that services gave.
 */
offers: Array<OfferedLeg>, 
/**
 * What is to be known of the points, by their ids.
 */
details: { [key in string]: StopDetails }, 
/**
 * The weather of the day; nothing where it is not known.
 */
weather: DayWeather | null, 
/**
 * What the person should know of it, each a sentence: that the data are invented, that points are missing, ….
 */
remarks: Array<string>, 
/**
 * Where its data are from.
 */
attributions: Array<Attribution>, 
/**
 * The order, the ways and the times.
 */
itinerary: Itinerary, };

export type UpdateCard = { 
/**
 * The version of this program.
 */
version: string, 
/**
 * The newest version that is newer; none when there is none, it was put off, or the check is off.
 */
newer: Release | null, 
/**
 * The package that installed this program; none where it was built here.
 */
package: PackageKind | null, };

export type Usage = { 
/**
 * Requests to a model that were answered, failed for good, are in flight, or were so at a crash. Those of tools
 * that ask a model are among them.
 */
calls: number, 
/**
 * Tokens of the requests.
 */
input_tokens: number, 
/**
 * Tokens of the answers.
 */
output_tokens: number, 
/**
 * Money in US dollars, of the calls whose price is known; `None` when none is.
 */
cost: number | null, 
/**
 * Calls whose price is not known, or whose answer never came: they cost something beside.
 */
unpriced_calls: number, 
/**
 * Calls by tool.
 */
tool_calls: { [key in string]: number }, 
/**
 * Calls by agent.
 */
agent_calls: { [key in string]: number }, 
/**
 * Active time in milliseconds: without waiting for the person, without waiting a provider
 * ordered, without time in which the program did not run.
 */
active_ms: number, };

export type Value = unknown;

export type Verdict = "held" | "failed" | "unjudged";

export type Visit = { 
/**
 * The id of the point.
 */
id: string, 
/**
 * Its name.
 */
name: string, 
/**
 * Where it is.
 */
coordinates: Coordinates, 
/**
 * Its position, from 1.
 */
position: number, 
/**
 * Whether the person fixed it at this position.
 */
is_fixed: boolean, 
/**
 * The way to it from the point before, or from the start.
 */
leg: Leg, 
/**
 * When one arrives.
 */
arrival: string, 
/**
 * How long one waits until it opens, in seconds.
 */
wait_s: number, 
/**
 * How long it is visited, in seconds.
 */
stay_s: number, 
/**
 * When one leaves it.
 */
departure: string, 
/**
 * The length of the way from the start to it, in metres.
 */
cumulative_distance_m: number, 
/**
 * The time from the begin of the trip to the arrival, in seconds: ways, waits and stays.
 */
cumulative_duration_s: number, 
/**
 * Its opening hours as they were given.
 */
opening_hours: string | null, 
/**
 * Whether it is open on arrival.
 */
opening: OpeningState, 
/**
 * Why its hours have to be checked although they decide `opening`; nothing where they are certain.
 */
check: CheckReason | null, 
/**
 * Whether it is closed on arrival and does not open later that day.
 */
is_closed_on_arrival: boolean, 
/**
 * Whether it closes before one leaves it.
 */
closes_during_stay: boolean, };

export type VisitChoice = { 
/**
 * The order of the person, by ids; nothing where the program chooses it.
 */
order: Array<string> | null, 
/**
 * The ids of points at fixed positions, which count from 1.
 */
fixed: { [key in string]: number }, 
/**
 * The ids of dropped points.
 */
dropped: Array<string>, };

export type Wanted = "nothing" | "text" | "texts" | "number" | "table";

export type WatchItem = { "type": "event", 
/**
 * The entry.
 */
entry: JournalEntry, } | { "type": "text", 
/**
 * The agent's place.
 */
path: string, 
/**
 * The text so far; empty as long as the model writes what only the program reads.
 */
text: string, 
/**
 * How many bytes of the answer have come; none when it is complete.
 */
received: number, } | { "type": "live", 
/**
 * The last number sent.
 */
seq: number, } | { "type": "run", 
/**
 * The card.
 */
card: RunCard, } | { "type": "run_gone", 
/**
 * Its id.
 */
run: string, } | { "type": "closing", 
/**
 * How many runs go on.
 */
runs: number, } | { "type": "command", 
/**
 * Its id.
 */
id: string, } | { "type": "show", 
/**
 * Its id.
 */
run: string, } | { "type": "import", 
/**
 * The file.
 */
path: string, 
/**
 * How many were read before it.
 */
done: number, 
/**
 * How many there are in its folder.
 */
total: number, } | { "type": "inspection", 
/**
 * How much of it was looked at.
 */
done: number, 
/**
 * Of how much.
 */
total: number, } | { "type": "dragging", 
/**
 * Whether it is over it.
 */
is_over: boolean, } | { "type": "dropped", 
/**
 * Their paths.
 */
paths: Array<string>, } | { "type": "error", 
/**
 * The error.
 */
error: ApiError, };

export type WholeValue = { 
/**
 * The value.
 */
value: Json, };

export type WorkerCard = { 
/**
 * Its name: host and process, unless it was given one.
 */
name: string, 
/**
 * Whose sub-tasks it takes.
 */
role: string, 
/**
 * So many it has in hand.
 */
working: number, 
/**
 * So many it takes at once.
 */
at_once: number, 
/**
 * When it was last heard, in milliseconds since 1970.
 */
heard_at_ms: number, };

/** Every command: what it takes and what it gives. */
export type Commands = {
  add_profile: [AddProfile, Nothing];
  add_rule: [AddRule, PermissionRules];
  add_run_to_set: [AddRunToSet, DataSetCard];
  add_tools_to_pipeline: [AddTools, ToolServerCards];
  answer_run: [AnswerRun, RunRef];
  back_up: [Nothing, DataFolder];
  cancel_sign_in: [Named, Nothing];
  change_run: [ChangeRun, RunCard];
  check_pipeline: [CheckPipeline, PipelineCheck];
  change_visit: [ChangeVisit, Landed];
  check_update: [CheckUpdate, UpdateCard];
  choose_paths: [ChoosePaths, Paths];
  citations_at: [Moment, CitationLedger];
  close_window: [CloseWindow, Nothing];
  compare_runs: [CompareRuns, RunComparison];
  correct_answer: [CorrectAnswer, RunRef];
  create_pipeline: [CreatePipeline, PipelineRef];
  data_folder: [Nothing, DataFolder];
  delete_pipeline: [PipelineRef, Nothing];
  describe_host: [Nothing, HostCard];
  describe_map: [Nothing, MapFiles];
  describe_queue: [Nothing, QueueCard];
  dismiss_update: [DismissUpdate, Nothing];
  doctor: [Nothing, DoctorReport];
  edit_state: [EditState, Landed];
  erase_run: [RunRef, Nothing];
  evaluation: [EvaluationRef, EvaluationTable];
  export_run: [ExportRun, Exported];
  export_set: [Named, SetText];
  export_settings: [Nothing, SettingsText];
  fetch_image: [FetchImage, FetchedImage];
  find_servers: [Nothing, FoundServers];
  finish_sign_in: [Named, ToolServerCards];
  forget_key: [Named, Nothing];
  fork_run: [ForkRun, RunRef];
  fork_step: [ForkStep, RunRef];
  get_setting: [Setting, SettingInForce];
  import_library: [ImportLibrary, Imported];
  import_run: [ImportRun, ImportedRun];
  import_settings: [ImportSettings, ImportedSettings];
  import_tool_servers: [ImportToolServers, ImportedToolServers];
  index_events: [RunRef, EventIndex];
  key_history: [KeyOfRun, KeyHistory];
  list_evaluations: [Nothing, EvaluationCards];
  list_export_formats: [RunRef, ExportFormats];
  list_favourites: [Nothing, Favourites];
  list_files: [Moment, RunFiles];
  list_instructions: [Nothing, Instructions];
  list_library: [ListLibrary, LibraryPage];
  list_models: [Named, ModelList];
  list_pipelines: [Nothing, PipelineCards];
  list_profiles: [Nothing, Profiles];
  list_providers: [Nothing, Providers];
  list_questions: [ListQuestions, OpenQuestions];
  list_rules: [Nothing, PermissionRules];
  list_runs: [ListRuns, RunCards];
  list_schedules: [Nothing, Schedules];
  list_server_texts: [Named, ServerTexts];
  list_sets: [Nothing, DataSetCards];
  list_sources: [Nothing, SourceCards];
  list_tool_servers: [Nothing, ToolServerCards];
  model_price: [PriceOf, ModelPrice];
  notify: [Notice, Nothing];
  offer_models: [AddProfile, ModelList];
  open_data_folder: [Nothing, Nothing];
  open_pipeline: [PipelineRef, PipelineText];
  open_run: [RunRef, RunPage];
  pause_schedule: [Named, Schedules];
  preflight: [StartRun, Preflight];
  preview_schedule: [PreviewSchedule, SchedulePreview];
  read_document: [ReadDocument, DocumentText];
  read_events: [ReadEvents, JournalPage];
  read_file: [FileRef, FilePreview];
  read_library: [Named, LibraryEntry];
  read_map_tile: [TileRef, MapTile];
  read_request: [ReadRequest, StartRun];
  read_server_text: [ReadServerText, DocumentText];
  read_set: [Named, DataSet];
  read_value: [ReadValue, WholeValue];
  recover: [Recover, Recovered];
  remove_evaluation: [Named, Nothing];
  remove_favourite: [Named, Favourites];
  remove_instruction: [Named, Instructions];
  remove_library: [Named, Nothing];
  remove_profile: [Named, RemovedProfile];
  remove_rule: [RuleRef, PermissionRules];
  remove_schedule: [Named, Schedules];
  remove_set: [Named, Nothing];
  remove_tool_server: [Named, ToolServerCards];
  replay_run: [RunRef, ReplayReport];
  restore_library: [Named, Nothing];
  restore_run: [RunRef, RunCard];
  resume_evaluation: [ResumeEvaluation, EvaluationRef];
  resume_run: [ResumeRun, RunRef];
  resume_schedule: [Named, Schedules];
  review_draft: [ReviewDraft, Landed];
  rewrite_run: [RewriteRun, RunRef];
  route_request: [RouteRequest, RoutedRequest];
  say_to_run: [SayToRun, Landed];
  run_costs: [Nothing, RunCosts];
  save_favourite: [SaveFavourite, Favourites];
  save_file: [SaveFile, SavedFile];
  save_instruction: [SaveInstruction, Instructions];
  save_key: [SaveKey, SavedKey];
  save_pipeline: [SavePipeline, SavedPipeline];
  save_plan_template: [SavePlanTemplate, SavedPlanTemplate];
  save_queue: [SaveQueue, QueueCard];
  save_schedule: [SaveSchedule, Schedules];
  save_set: [SaveSet, DataSetCard];
  save_tool_server: [SaveToolServer, ToolServerCards];
  set_gates: [SetGates, Landed];
  set_price: [SetPrice, ModelPrice];
  set_setting: [Setting, SettingInForce];
  show_files: [RunRef, Nothing];
  show_saved_file: [SavedFile, Nothing];
  show_menu: [ShowMenu, Nothing];
  show_tray: [ShowTray, Nothing];
  sign_in_tool_server: [SignInToolServer, ToolServerSignIn];
  sign_out_tool_server: [Named, ToolServerCards];
  start_evaluation: [StartEvaluation, EvaluationRef];
  start_run: [StartRun, RunRef];
  state_at: [Moment, StatePage];
  stop_import: [Nothing, Nothing];
  stop_evaluation: [EvaluationRef, Nothing];
  stop_run: [RunRef, Nothing];
  test_profile: [Named, ProfileTest];
  test_tool_server: [Named, ToolServerTest];
  total_usage: [TotalUsage, Ledger];
  trash_run: [RunRef, Nothing];
  view_at: [Moment, RunView];
};

/** The English texts by id. */
export const ENGLISH = {
  "request.failed": "{who} asks again: {why}",
  "request.failed_in": "{who} asks again in {s} s: {why}",
  "request.sent": "{who} asks now: attempt {n}",
  "request.fell_back": "{who} goes on with profile {to} in place of {from}: {why}",
  "note.skipped": "Skipped: {agents}",
  "note.repair": "The answer of {who} was repaired: {rungs}",
  "note.asked_again": "The answer of {who} cannot be used, it is asked once more: {flaws}",
  "note.malformed": "The answer of {who} could not be used, even after one repair: {flaws}",
  "note.without_model": "{who} works without a model, because its model failed",
  "note.instruction_unread": "{who} works without a model and does not follow the instruction given for this run",
  "note.refused": "{who} tried to write {key}, which it does not declare; nothing was changed",
  "note.kept": "The version of {key} so far is kept",
  "note.left_out": "The server of profile {profile} refused {part} for model {model}; it was asked again without, and will be from now on",
  "note.unended_streams": "The server of profile {profile} does not say where streams of model {model} end; its answers are asked for in one piece from now on",
  "note.pieces_skipped": "Pieces of the answer that could not be read and were passed over: {n}",
  "round.ended": "Round {n} of {who} ended: {exit}",
  "round.ended_measured": "Round {n} of {who} ended ({measures}): {exit}",
  "round.checks": "checks passed: {passed} of {all}",
  "round.issues": "open issues: {n}",
  "round.words": "words: {n}",
  "round.best": "the best so far",
  "exit.went_on": "the next round follows",
  "exit.condition_held": "the loop ended, its condition holds",
  "exit.exit_field": "the loop ended, {agent} is satisfied",
  "exit.exit_tool": "the loop ended, {agent} called `exit_loop`",
  "exit.exit_agent": "the loop ended, {agent} asked for it",
  "exit.exit_step": "the loop ended, its exit condition is met",
  "exit.rounds_used_up": "the loop ended, its rounds are used up",
  "exit.limit_reached": "the loop ended, a limit was reached",
  "exit.failed": "the loop ended, a step of it failed",
  "exit.run_ended": "a step of it ended the run",
  "rung.thinking": "thinking left out",
  "rung.from_thinking": "taken from the thinking",
  "rung.from_tool_call": "taken from a call of `{tool}`",
  "rung.fence": "fence stripped",
  "rung.talk": "text around it left out",
  "rung.drafts": "earlier versions left out",
  "rung.merged": "fields of {parts} objects put together",
  "rung.lenient": "read leniently",
  "rung.labelled": "read as named fields",
  "rung.named": "read as a list of titles",
  "rung.closed": "closing brackets added",
  "rung.json_in_text": "read as JSON inside a text",
  "rung.unwrapped": "unwrapped ({fields})",
  "rung.plain_text": "plain text taken as `{field}`",
  "rung.bare_list": "bare list taken as `{field}`",
  "rung.partial": "cut off, the whole items of `{field}` taken",
  "rung.renamed": "names matched ({fields})",
  "rung.dropped": "unknown fields dropped ({fields})",
  "rung.filled": "defaults filled in ({fields})",
  "rung.retyped": "types converted ({fields})",
  "rung.listed": "turned into lists ({fields})",
  "rung.joined": "turned into text ({fields})",
  "flaw.empty": "it is empty",
  "flaw.cut": "it was cut off before its end",
  "flaw.too_long": "it is longer than {most} bytes",
  "flaw.too_deep": "it is nested deeper than {most} levels",
  "flaw.entangled": "it is too entangled to be read",
  "flaw.stopped": "its reading was stopped",
  "flaw.not_json": "it is not JSON",
  "flaw.no_text": "it is no text for readers",
  "flaw.echo": "it repeats the format instead of filling it",
  "flaw.shape": "`{field}` {problem}",
  "flaw.whole_shape": "it {problem}",
  "flaw.check": "{problem}",
  "flaw.unknown_tool": "there is no tool `{tool}`",
} as const;

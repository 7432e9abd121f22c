// The few words of the border that are values and not types. Names of pipelines, agents and keys have no place here.

/** The author of what the person does. */
export const USER = "user";

/** The profile that needs no model and no key. */
export const BUILT_IN = "built-in";

/** What stands in place of the day of a source that has none. */
export const UNDATED = "undated";

/** The key under which the words of the person to a running run stand. */
export const USER_WORDS = "user_words";

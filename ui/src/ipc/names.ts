// The few words of the border that are values and not types. Names of pipelines, agents and keys have no place here.

/** The author of what the person does. */
export const USER = "user";

/** The profile that needs no model and no key. */
export const BUILT_IN = "built-in";

/** The search source that is the person's own library, with the sample in it. */
export const LIBRARY = "library";

/** The provider of a profile that is given by its address. */
export const BY_ADDRESS = "openai-compatible";

/** The search source that is chosen by the program. */
export const AUTO = "auto";

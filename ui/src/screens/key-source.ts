// From where a profile may have its key, and which of these is usual. Not here: the fields (`KeyChoice`).
import type { ProfileCard, ProviderCard } from "../ipc/bindings";

export type KeySource = "keyring" | "session" | "variable" | "none";

/**
 * Where the key of this provider can come from, the usual place first. A keyring that cannot be used is never usual.
 */
export function placesOf(chosen: ProviderCard | undefined, hasKeyring: boolean): KeySource[] {
  const places: KeySource[] = hasKeyring ? ["keyring", "session", "variable"] : ["session", "keyring", "variable"];
  // Every service takes a key, though some answer without one; a server of models may know of none.
  return chosen && !chosen.needs_key && !chosen.is_of_service ? ["none", ...places] : places;
}

/** Where the key of a profile comes from now; null where it has none. */
export function placeOf(profile: ProfileCard | null): KeySource | null {
  if (!profile) return null;
  if (profile.session_last_four) return "session";
  return profile.key_env !== "" ? "variable" : profile.last_four === "" ? null : "keyring";
}

/** A name that no profile has yet: the provider's own, or with a number. */
export function freeName(wanted: string, profiles: readonly ProfileCard[]): string {
  const isTaken = (name: string) => profiles.some((profile) => profile.name === name);
  let name = wanted;
  for (let n = 2; isTaken(name); n += 1) name = `${wanted}-${n}`;
  return name;
}

/** What is known of a profile before its form is filled in: the variable with its key, or the server and its models. */
export type ProfileStart = { variable?: string; base_url?: string; models?: readonly string[] };

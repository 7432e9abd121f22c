// What the checks of the program are called.
import { isWords, t } from "../i18n";

/** The title of a check; one of which nothing is known stands by its name. */
export function checkName(name: string): string {
  const key = `check.${name}`;
  return isWords(key) ? t(key) : name;
}

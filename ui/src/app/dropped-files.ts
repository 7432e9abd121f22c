// What can be done with files, told by their names: a report of a run is imported, a pipeline becomes one of the
// person's own, everything else is a document.
export type FileKind = "report" | "pipeline" | "document";

export function kindOf(path: string): FileKind {
  const name = path.toLowerCase();
  if (name.endsWith(".report.html")) return "report";
  return name.endsWith(".toml") ? "pipeline" : "document";
}

export const areDocuments = (paths: readonly string[]) =>
  paths.length > 0 && paths.every((path) => kindOf(path) === "document");

/** The name of a file without its folder. */
export function nameOf(path: string): string {
  return (
    path
      .split(/[\\/]/)
      .filter((part) => part !== "")
      .at(-1) ?? path
  );
}

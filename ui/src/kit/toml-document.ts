// A TOML text with the places of everything in it: what is at a path, and the path of a place. The text itself is
// changed by `toml-edit`, never printed anew.
import { getStaticTOMLValue, ParseError, parseTOML, type AST } from "toml-eslint-parser";

export type Path = readonly (string | number)[];
/** From the first character to behind the last one. */
export type Span = { from: number; to: number };
type Line = AST.TOMLKeyValue;

/** What a text has at one path. */
export type TomlNode = {
  /** The value, where one is written. */
  value?: AST.TOMLContentNode;
  /** The key with its value, where it stands alone and not as an item of an array. */
  line?: Line;
  /** The tables whose header is the path. */
  tables: AST.TOMLTable[];
  children: Map<string | number, TomlNode>;
};

export type TomlProblem = { line: number; column: number };

export const spanOf = ({ range: [from, to] }: { range: [number, number] }): Span => ({ from, to });
export const nameOf = (key: AST.TOMLBare | AST.TOMLQuoted): string => (key.type === "TOMLBare" ? key.name : key.value);
export const namesOf = (line: { key: AST.TOMLKey }): string[] => line.key.keys.map(nameOf);
/** A path as one text, to compare it. */
export const pathText = (path: Path): string => JSON.stringify(path);

export class TomlDocument {
  readonly root: TomlNode = { tables: [], children: new Map() };
  readonly top: AST.TOMLTopLevelTable;
  readonly #data: unknown;

  private constructor(
    readonly text: string,
    program: AST.TOMLProgram,
  ) {
    this.top = program.body[0];
    this.#data = getStaticTOMLValue(program);
    for (const part of this.top.body) {
      if (part.type === "TOMLKeyValue") this.#addLine([], part);
      else {
        this.#make(part.resolvedKey).tables.push(part);
        for (const line of part.body) this.#addLine(part.resolvedKey, line);
      }
    }
  }

  /** The document of a text, or the place where it is no TOML. */
  static parse(text: string): TomlDocument | TomlProblem {
    try {
      return new TomlDocument(text, parseTOML(text, { tomlVersion: "1.1" }));
    } catch (thrown) {
      if (thrown instanceof ParseError) return { line: thrown.lineNumber, column: thrown.column };
      throw thrown;
    }
  }

  /** The value at a path, as JavaScript has it; undefined where there is none. */
  data(path: Path): unknown {
    let value: unknown = this.#data;
    for (const name of path) {
      if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
      value = (value as Record<string | number, unknown>)[name];
    }
    return value;
  }

  node(path: Path): TomlNode | undefined {
    let node: TomlNode | undefined = this.root;
    for (const name of path) node = node?.children.get(name);
    return node;
  }

  /** The names of what a table holds, in the order of the text. */
  names(path: Path): string[] {
    return [...(this.node(path)?.children.keys() ?? [])].map(String);
  }

  /** The text of a value, as it is written. */
  raw(path: Path): string {
    const value = this.node(path)?.value;
    return value ? this.text.slice(...value.range) : "";
  }

  /** Where something is written first: its value, the line of its key, or the header of its table. */
  place(path: Path): Span | null {
    const node = this.node(path);
    if (!node) return null;
    const part = node.line ?? node.value ?? node.tables[0]?.key;
    if (part) return spanOf(part);
    for (const name of node.children.keys()) return this.place([...path, name]);
    return null;
  }

  /**
   * The path of what is written at a place, as deep as it goes; a place between two things belongs to the table
   * there.
   */
  pathAt(at: number): Path {
    const table = this.top.body.filter((part) => part.type === "TOMLTable" && part.range[0] <= at).at(-1) as
      AST.TOMLTable | undefined;
    const found = this.#within(table?.body ?? this.top.body.filter((part) => part.type === "TOMLKeyValue"), at);
    return [...(table?.resolvedKey ?? []), ...found];
  }

  #within(lines: readonly Line[], at: number): Path {
    const line = lines.find(({ range: [from, to] }) => from <= at && at <= to);
    return line ? [...namesOf(line), ...this.#inValue(line.value, at)] : [];
  }

  #inValue(value: AST.TOMLContentNode, at: number): Path {
    if (value.type === "TOMLInlineTable") return this.#within(value.body, at);
    if (value.type !== "TOMLArray") return [];
    const index = value.elements.findIndex(({ range: [from, to] }) => from <= at && at <= to);
    const item = value.elements[index];
    return item ? [index, ...this.#inValue(item, at)] : [];
  }

  #addLine(path: Path, line: Line): void {
    const node = this.#make([...path, ...namesOf(line)]);
    node.line = line;
    this.#addValue(node, line.value);
  }

  #addValue(node: TomlNode, value: AST.TOMLContentNode): void {
    node.value = value;
    if (value.type === "TOMLArray") value.elements.forEach((item, index) => this.#addValue(child(node, index), item));
    if (value.type !== "TOMLInlineTable") return;
    for (const line of value.body) {
      let inner = node;
      for (const name of namesOf(line)) inner = child(inner, name);
      inner.line = line;
      this.#addValue(inner, line.value);
    }
  }

  #make(path: Path): TomlNode {
    let node = this.root;
    for (const name of path) node = child(node, name);
    return node;
  }
}

function child(node: TomlNode, name: string | number): TomlNode {
  const found = node.children.get(name) ?? { tables: [], children: new Map() };
  node.children.set(name, found);
  return found;
}

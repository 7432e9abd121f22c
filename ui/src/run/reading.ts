// How values are read that may be anything: what has not the shape of its type is read as nothing.
import { field } from "./value";

/** Reads a value; undefined for one of another shape. */
export type Read<T> = (value: unknown) => T | undefined;

export const text: Read<string> = (value) => (typeof value === "string" ? value : undefined);
export const flag: Read<boolean> = (value) => (typeof value === "boolean" ? value : undefined);
export const figure: Read<number> = (value) =>
  typeof value === "number" && Number.isFinite(value) ? value : undefined;
export const count: Read<number> = (value) =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : undefined;
export const within =
  (most: number): Read<number> =>
  (value) =>
    typeof value === "number" && Math.abs(value) <= most ? value : undefined;
export const anything: Read<unknown> = (value) => value ?? null;

/** What may be absent. */
export const or =
  <T, M>(read: Read<T>, missing: M): Read<T | M> =>
  (value) =>
    value === undefined || value === null ? missing : read(value);

export const list =
  <T>(one: Read<T>): Read<T[]> =>
  (value) => {
    if (!Array.isArray(value)) return undefined;
    const read = value.map(one);
    return read.every((item) => item !== undefined) ? (read as T[]) : undefined;
  };

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const table =
  <T>(one: Read<T>): Read<Record<string, T>> =>
  (value) => {
    if (!isObject(value)) return undefined;
    const read = Object.entries(value).map(([name, inner]): [string, T | undefined] => [name, one(inner)]);
    return read.every(([, inner]) => inner !== undefined) ? (Object.fromEntries(read) as Record<string, T>) : undefined;
  };

/**
 * An object with exactly the fields of its type; further ones are left alone. `names` are those that it has in the
 * state.
 */
export const object =
  <T extends object>(
    fields: { [Name in keyof T]-?: Read<T[Name]> },
    names: Partial<Record<keyof T, string>> = {},
  ): Read<T> =>
  (value) => {
    if (!isObject(value)) return undefined;
    const read = (Object.keys(fields) as (keyof T & string)[]).map((name): [string, unknown] => [
      name,
      fields[name](field(value, names[name] ?? name)),
    ]);
    return read.every(([, inner]) => inner !== undefined) ? (Object.fromEntries(read) as T) : undefined;
  };

export const oneOf =
  <T extends string>(...words: T[]): Read<T> =>
  (value) =>
    words.find((word) => word === value);

// Reads a request body field by field and refuses what the real services refuse, in each service's own words.

import { isRecord } from "./json.ts";

/** An error answer, before a wire shape gives it its body. */
export interface Refusal {
  status: number;
  message: string;
  /** The vendor's own word for the kind of error; the shape knows the usual one for each status. */
  type?: string;
  code?: string | number;
  param?: string;
  headers?: Record<string, string>;
  /** Gemini's `details`. */
  details?: unknown[];
  /** Replaces the shape's body; null sends none. */
  body?: string | null;
}

export class RefusalError extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

export type Path = readonly (string | number)[];

/** How a service says what is wrong with a field. */
export interface Dialect {
  missing(path: Path): Refusal;
  wrongType(path: Path, expected: string, given: unknown): Refusal;
  unknown(path: Path): Refusal;
  invalid(path: Path, complaint: string): Refusal;
}

/** `messages[0].content` */
export const bracketPath = (path: Path): string =>
  path.map((part, index) => (typeof part === "number" ? `[${part}]` : index === 0 ? part : `.${part}`)).join("");

/** `messages.0.content` */
export const dotPath = (path: Path): string => path.join(".");

export class Field {
  readonly value: unknown;
  readonly path: Path;
  readonly #dialect: Dialect;

  constructor(value: unknown, path: Path, dialect: Dialect) {
    this.value = value;
    this.path = path;
    this.#dialect = dialect;
  }

  /** Null counts as absent, as it does for the services. */
  get present(): boolean {
    return this.value !== undefined && this.value !== null;
  }

  fail(complaint: string): never {
    throw new RefusalError(this.#dialect.invalid(this.path, complaint));
  }

  at(key: string): Field {
    const value = isRecord(this.value) ? this.value[key] : undefined;
    return new Field(value, [...this.path, key], this.#dialect);
  }

  required(key: string): Field {
    const field = this.at(key);
    if (!field.present) throw new RefusalError(this.#dialect.missing(field.path));
    return field;
  }

  /** The object; with `known`, one with no other keys. */
  object(known?: readonly string[]): Record<string, unknown> {
    if (!isRecord(this.value)) this.#wrongType("object");
    for (const key of Object.keys(this.value)) {
      if (known !== undefined && !known.includes(key)) {
        throw new RefusalError(this.#dialect.unknown([...this.path, key]));
      }
    }
    return this.value;
  }

  list(): Field[] {
    if (!Array.isArray(this.value)) this.#wrongType("array");
    return this.value.map((item: unknown, index) => new Field(item, [...this.path, index], this.#dialect));
  }

  string(): string {
    if (typeof this.value !== "string") this.#wrongType("string");
    return this.value;
  }

  boolean(): boolean {
    if (typeof this.value !== "boolean") this.#wrongType("boolean");
    return this.value;
  }

  number(from: number, to: number): number {
    if (typeof this.value !== "number") this.#wrongType("number");
    if (this.value < from || this.value > to) this.fail(`must be between ${from} and ${to}`);
    return this.value;
  }

  integer(from: number): number {
    const value = this.number(from, Number.MAX_SAFE_INTEGER);
    if (!Number.isInteger(value)) this.#wrongType("integer");
    return value;
  }

  oneOf<Word extends string>(words: readonly Word[]): Word {
    const word = words.find((candidate) => candidate === this.value);
    if (word === undefined) {
      this.fail(`${JSON.stringify(this.value)} is not one of ${words.map((each) => `'${each}'`).join(", ")}`);
    }
    return word;
  }

  #wrongType(expected: string): never {
    throw new RefusalError(this.#dialect.wrongType(this.path, expected, this.value));
  }
}

/** How deep the objects and arrays of a JSON text are nested. */
export function depthOf(json: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"|[[{]|[\]}]/gs)) {
    if (token === "[" || token === "{") deepest = Math.max(deepest, (depth += 1));
    else if (!token.startsWith('"')) depth -= 1;
  }
  return deepest;
}

/** Whether any string in the value holds half of a surrogate pair. */
export function hasLoneSurrogate(value: unknown): boolean {
  if (typeof value === "string") {
    return /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(value);
  }
  if (Array.isArray(value)) return value.some(hasLoneSurrogate);
  return isRecord(value) && Object.entries(value).some(([key, item]) => hasLoneSurrogate(key) || hasLoneSurrogate(item));
}

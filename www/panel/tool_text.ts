// Arguments and results as text for people. A model may send broken JSON, which is shown as it is.

const HINT_LENGTH = 120;

/** JSON with two spaces; anything else untouched. */
export function prettyJson(text: string): string {
  const value = parsed(text);
  return value === undefined ? text : JSON.stringify(value, null, 2);
}

/** The first argument that says something in a few words, such as an address or a query. */
export function argumentHint(text: string): string {
  const parts: unknown[] = Object.values(parsedObject(text) ?? {});
  const words = parts.find((part) => typeof part === "string" && part.trim() !== "");
  return typeof words === "string" ? words.slice(0, HINT_LENGTH) : "";
}

/** Each argument by its name: text as it is, anything else as JSON. Null when they are no object. */
export function argumentRows(text: string): { name: string; value: string }[] | null {
  const value = text.trim() === "" ? {} : parsedObject(text);
  if (value === null) return null;
  return Object.entries(value).map(([name, part]) => ({
    name,
    value: typeof part === "string" ? part : JSON.stringify(part, null, 2),
  }));
}

/** One argument's text; empty when it is not there, or no text. */
export function argument(text: string, name: string): string {
  return stringIn(parsedObject(text) ?? {}, name) ?? "";
}

/** Which kind of error a result tells of; empty when it tells of none. */
export function errorCode(result: string): string {
  return argument(result, "code");
}

/** The text under a name; null when there is none. */
export function stringIn(value: Readonly<Record<string, unknown>>, name: string): string | null {
  const part = value[name];
  return typeof part === "string" ? part : null;
}

/** JSON that is an object; null for everything else. */
export function parsedObject(text: string): Readonly<Record<string, unknown>> | null {
  const value = parsed(text);
  return isObject(value) ? value : null;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

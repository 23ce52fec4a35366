// Arguments and results as text for people. A model may send broken JSON, which is shown as it is.

const HINT_LENGTH = 120;

/** JSON with two spaces; anything else untouched. */
export function prettyJson(text: string): string {
  const value = parsed(text);
  return value === undefined ? text : JSON.stringify(value, null, 2);
}

/** The first argument that says something in a few words, such as an address or a query. */
export function argumentHint(text: string): string {
  const value = parsed(text);
  if (typeof value !== "object" || value === null) return "";
  const parts: unknown[] = Object.values(value);
  const words = parts.find((part) => typeof part === "string" && part.trim() !== "");
  return typeof words === "string" ? words.slice(0, HINT_LENGTH) : "";
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

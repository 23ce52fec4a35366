// JSON with raw pieces in it: the misbehaviours need arguments that no serialiser would write.

/** A text that stands in the JSON as it is. */
export class RawJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Like JSON.stringify, with each RawJson spliced in as it is. `indent` spreads the text over lines. */
export function toJson(value: unknown, indent?: number): string {
  const raw: string[] = [];
  // The marks hold a private-use character, so that no text of a script can be taken for one.
  const text = JSON.stringify(
    value,
    (_key, item: unknown) => (item instanceof RawJson ? `\uf8ffraw${raw.push(item.text) - 1}\uf8ff` : item),
    indent,
  );
  return text.replace(/"\uf8ffraw(\d+)\uf8ff"/g, (_mark, index: string) => raw[Number(index)] ?? "");
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The parsed text, or undefined when it is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

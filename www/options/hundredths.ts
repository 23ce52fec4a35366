// Numbers with at most two decimals, as people write them and as the core keeps them.

/** The hundredths of a number from 0 to `most`, with a point or a comma; null for anything else. */
export function hundredths(text: string, most: number): number | null {
  const match = /^(\d*)(?:[.,](\d{0,2}))?$/.exec(text.trim());
  if (match === null) return null;
  const [, whole = "", decimals = ""] = match;
  if (whole + decimals === "") return null;
  const value = Number(whole) * 100 + Number(decimals.padEnd(2, "0"));
  return value <= most * 100 ? value : null;
}

/** The number in figures, without zeros at its end. */
export function inFigures(value: number): string {
  return String(value / 100);
}

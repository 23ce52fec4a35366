// Amounts of money as people write them, and as the core keeps them: whole numbers of a small part.

/**
 * The amount in whole numbers of its last decimal, with a point or a comma; null for anything else.
 * `decimals` is how many there may be: 2 for cents.
 */
export function amount(text: string, decimals: number): number | null {
  const match = /^\$?\s*(\d*)(?:[.,](\d*))?$/.exec(text.trim());
  if (match === null) return null;
  const [, whole = "", part = ""] = match;
  if (whole + part === "" || part.length > decimals || whole.length > 9) return null;
  return Number(whole) * 10 ** decimals + Number(part.padEnd(decimals, "0"));
}

/** The amount in figures, with two decimals at least where it has any. */
export function inDollars(value: number, decimals: number): string {
  const [whole = "0", part = ""] = (value / 10 ** decimals).toFixed(decimals).split(".");
  const shown = part.replace(/0+$/, "");
  return shown === "" ? whole : `${whole}.${shown.padEnd(2, "0")}`;
}

// Numbers as people write them.

/** No field takes more: the core reads none that is larger. */
const LARGEST = 0xffff_ffff;

/**
 * The number, its digits grouped or not ("128,000"). Null for what the core could not even read;
 * whether a number is in range is the core's to say.
 */
export function wholeNumber(value: FormDataEntryValue | null): number | null {
  if (typeof value !== "string") return null;
  const digits = value.trim().replaceAll(/(?<=\d)[\s,'’](?=\d{3}(?!\d))/g, "");
  if (!/^\d+$/.test(digits)) return null;
  const number = Number(digits);
  return number <= LARGEST ? number : null;
}

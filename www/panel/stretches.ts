// A long list in stretches, each of which stays the same object while nothing in it changes.

/** So many entries make a stretch: few enough to draw one again, enough that there are few of them. */
const LENGTH = 40;

/** The entries in stretches. One that holds the very entries of the stretch before is that stretch. */
export function stretchesOf<Entry>(
  entries: readonly Entry[],
  before: readonly (readonly Entry[])[],
  length = LENGTH,
): readonly (readonly Entry[])[] {
  const stretches: (readonly Entry[])[] = [];
  for (let start = 0; start < entries.length; start += length) {
    const known = before[stretches.length];
    const end = Math.min(start + length, entries.length);
    const isKnown = known?.length === end - start && known.every((entry, at) => entry === entries[start + at]);
    stretches.push(isKnown ? known : entries.slice(start, end));
  }
  return stretches;
}

// Where the headings of a model's text stand among each other.
//
// Models begin at any level and leave levels out. Whoever goes through a page by its headings is
// lost there, so a heading's place is how many it stands under, and not the number it was given.

import type { Block } from "../generated/protocol.ts";

/** For each block how many headings it stands under, itself included, below the `base` there are around it. */
export function headingDepths(blocks: readonly Block[], base: number): number[] {
  const open: number[] = [];
  return blocks.map((block) => {
    if (block.block === "heading") {
      while (open.length > 0 && (open.at(-1) ?? 0) >= block.level) open.pop();
      open.push(block.level);
    }
    return base + open.length;
  });
}

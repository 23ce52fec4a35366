import assert from "node:assert/strict";
import { test } from "node:test";

import type { Block } from "../generated/protocol.ts";
import { headingDepths } from "./heading_depths.ts";

/** Levels in, 0 for a paragraph; depths out. */
function check(levels: readonly number[], expected: readonly number[], base = 0): void {
  const blocks = levels.map((level): Block =>
    level === 0 ? { block: "paragraph", content: [] } : { block: "heading", level, content: [] },
  );
  assert.deepEqual(headingDepths(blocks, base), expected);
}

test("a heading's depth follows from the headings it stands under", () => {
  check([], []);
  check([0, 1, 0, 2, 0], [0, 1, 1, 2, 2]);
  check([1, 2, 3, 2, 1], [1, 2, 3, 2, 1]);
});

test("text that begins below the first level, or leaves one out, has no gaps", () => {
  check([3, 3], [1, 1]);
  check([2, 4, 6, 4, 2], [1, 2, 3, 2, 1]);
  check([3, 2, 3], [1, 1, 2]);
});

test("what is quoted stands below what is around it", () => {
  check([0, 1, 3], [2, 3, 4], 2);
});

import assert from "node:assert/strict";
import { test } from "node:test";

import { stretchesOf } from "./stretches.ts";

test("a list is cut into stretches, and all of it is there in order", () => {
  const check = (count: number, lengths: number[]) => {
    const entries = Array.from({ length: count }, (_, at) => ({ at }));
    const stretches = stretchesOf(entries, [], 3);
    assert.deepEqual(stretches.map(({ length }) => length), lengths);
    assert.deepEqual(stretches.flat(), entries);
  };
  check(0, []);
  check(3, [3]);
  check(7, [3, 3, 1]);
});

test("a stretch stays the same object until something of it changes", () => {
  const entries = Array.from({ length: 7 }, (_, at) => ({ at }));
  const first = stretchesOf(entries, [], 3);
  const added = stretchesOf([...entries, { at: 7 }], first, 3);
  assert.deepEqual(added.map((stretch, at) => stretch === first[at]), [true, true, false]);
  const changed = stretchesOf(entries.with(4, { at: 4 }), added, 3);
  assert.deepEqual(changed.map((stretch, at) => stretch === added[at]), [true, false, false]);
  const shorter = stretchesOf(entries.slice(0, 3), changed, 3);
  assert.deepEqual(shorter, [first[0]]);
});

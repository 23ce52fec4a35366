import assert from "node:assert/strict";
import { test } from "node:test";

import { hundredths, inFigures } from "./hundredths.ts";

test("a number is read to the hundredth, with a point or a comma", () => {
  const check = (text: string, expected: number | null) => assert.equal(hundredths(text, 2), expected, text);
  check("0", 0);
  check(" 0.7 ", 70);
  check("0,7", 70);
  check(".05", 5);
  check("1.", 100);
  check("1.29", 129);
  check("2.00", 200);
  for (const text of ["", " ", ".", "2.01", "3", "0.705", "-1", "1e1", "warm", "1.2.3"]) check(text, null);
});

test("what was read is written as it was, for every step there is", () => {
  for (let value = 0; value <= 200; value += 1) {
    const text = inFigures(value);
    assert.ok(text.length <= 4, text);
    assert.equal(hundredths(text, 2), value);
  }
});

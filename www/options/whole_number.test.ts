import assert from "node:assert/strict";
import { test } from "node:test";

import { wholeNumber } from "./whole_number.ts";

function check(text: string, expected: number | null): void {
  assert.equal(wholeNumber(text), expected);
}

test("a whole number is read, its digits grouped or not", () => {
  check("50", 50);
  check(" 0 ", 0);
  check("128000", 128_000);
  check("128,000", 128_000);
  check("128 000", 128_000);
  check("2'000'000", 2_000_000);
  check("4294967295", 4_294_967_295);
});

test("what is no whole number, or one that the core could not read, is none", () => {
  for (const text of ["", "  ", "1.5", "1.500", "12,34", "-1", "1e3", "fifty", "4294967296"]) check(text, null);
  assert.equal(wholeNumber(null), null);
});

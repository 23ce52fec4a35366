import assert from "node:assert/strict";
import { test } from "node:test";

import { amount, inDollars } from "./dollars.ts";

test("an amount is read in whole numbers of its last decimal", () => {
  const check = (text: string, decimals: number, value: number | null) =>
    assert.equal(amount(text, decimals), value, text);
  check("2.50", 2, 250);
  check("$ 2,5", 2, 250);
  check("3", 6, 3_000_000);
  check("0.028", 6, 28_000);
  check(".5", 2, 50);
  check("0", 2, 0);
  check("2.505", 2, null);
  check("", 2, null);
  check(".", 2, null);
  check("-1", 2, null);
  check("1e9", 2, null);
  check("1234567890", 2, null);
});

test("an amount is shown as it would be written", () => {
  const check = (value: number, decimals: number, text: string) => assert.equal(inDollars(value, decimals), text);
  check(250, 2, "2.50");
  check(300, 2, "3");
  check(28_000, 6, "0.028");
  check(3_000_000, 6, "3");
  check(100_000, 6, "0.10");
  check(0, 2, "0");
});

import assert from "node:assert/strict";
import { test } from "node:test";

import { formatDuration, formatLeft, formatList, formatSeconds, formatWhen } from "./format.ts";

/** Locales differ in their spaces and units; the digits are what matters. */
function check(shown: string, digits: string[]): void {
  assert.deepEqual(shown.match(/[\d.]+/g), digits);
}

test("a duration is as fine as it is short", () => {
  check(formatDuration(42), ["42"]);
  check(formatDuration(1_440), ["1.4"]);
  check(formatDuration(12_400), ["12"]);
  check(formatDuration(59_700), ["1", "0"]);
  check(formatDuration(125_000), ["2", "5"]);
});

test("a running count goes by whole seconds and never below nought", () => {
  check(formatSeconds(1_999), ["1"]);
  check(formatSeconds(-5), ["0"]);
  check(formatSeconds(61_000), ["1", "1"]);
});

test("what is left is told in minutes, and in seconds only when it is less than one", () => {
  check(formatLeft(300_000), ["5"]);
  check(formatLeft(240_001), ["5"]);
  check(formatLeft(60_000), ["1"]);
  check(formatLeft(59_999), ["59"]);
  check(formatLeft(-1), ["0"]);
});

test("several words are listed, one is itself", () => {
  assert.equal(formatList(["red"]), "red");
  assert.match(formatList(["red", "blue"]), /^red.+blue$/);
});

test("today is told by the clock, another year by its number", () => {
  const now = new Date(2025, 5, 15, 12, 0).getTime();
  assert.match(formatWhen(new Date(2025, 5, 15, 9, 7).getTime(), now), /9.07/);
  assert.match(formatWhen(new Date(2025, 5, 14, 9, 7).getTime(), now), /14/);
  assert.doesNotMatch(formatWhen(new Date(2025, 5, 14).getTime(), now), /2025/);
  assert.match(formatWhen(new Date(2023, 5, 14).getTime(), now), /2023/);
});

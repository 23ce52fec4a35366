import assert from "node:assert/strict";
import { test } from "node:test";

import { answersOf, areButtons, type Outcome, outcomeOf } from "./answers.ts";

test("few short options of which one is chosen are buttons, and all others a list", () => {
  const check = (options: string[], isMultiple: boolean, expected: boolean) =>
    assert.equal(areButtons(options, isMultiple), expected);
  check(["Yes", "No"], false, true);
  check(["a".repeat(24)], false, true);
  check(["a".repeat(25)], false, false);
  check(["1", "2", "3", "4"], false, true);
  check(["1", "2", "3", "4", "5"], false, false);
  check(["Yes", "No"], true, false);
  check([], false, false);
});

test("what is sent is what was chosen, in the order of the options, and what was written", () => {
  const check = (chosen: number[], free: string, isMultiple: boolean, expected: string[]) =>
    assert.deepEqual(answersOf(["red", "blue", "red"], new Set(chosen), free, isMultiple), expected);
  check([], "", false, []);
  check([1], "", false, ["blue"]);
  check([1], "  green ", false, ["green"]);
  check([1, 0], "", true, ["red", "blue"]);
  check([0, 2], " green", true, ["red", "red", "green"]);
  check([], " \n", true, []);
});

test("what became of a question is read from the result", () => {
  const check = (result: string, expected: Outcome | null) => assert.deepEqual(outcomeOf(result), expected);
  check('{"answer":"red"}', { answers: ["red"], isStopped: false });
  check('{"answer":"[\\"red\\",\\"blue\\"]","answers":["red","blue"]}', { answers: ["red", "blue"], isStopped: false });
  check('{"answer":null,"reason":"timeout"}', { answers: [], isStopped: false });
  check('{"answer":null,"reason":"aborted"}', { answers: [], isStopped: true });
  for (const other of ["", "red", "[]", "null", "{}", '{"answer":7}']) check(other, null);
});

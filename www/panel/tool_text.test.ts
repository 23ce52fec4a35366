import assert from "node:assert/strict";
import { test } from "node:test";

import { argumentHint, prettyJson } from "./tool_text.ts";

test("arguments are hinted at by their first words", () => {
  assert.equal(argumentHint('{"active":true,"url_pattern":"github"}'), "github");
  assert.equal(argumentHint("{}"), "");
  assert.equal(argumentHint("null"), "");
  assert.equal(argumentHint('{"broken'), "");
});

test("JSON is laid out, anything else is left as it is", () => {
  assert.equal(prettyJson('{"a":1}'), '{\n  "a": 1\n}');
  assert.equal(prettyJson('{"a":'), '{"a":');
});

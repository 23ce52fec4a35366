import assert from "node:assert/strict";
import { test } from "node:test";

import { argument, argumentHint, argumentRows, errorCode, prettyJson } from "./tool_text.ts";

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

test("arguments are told apart by their names, text as it is and anything else as JSON", () => {
  assert.deepEqual(argumentRows('{"url":"https://a.test/","active":true,"ids":[1]}'), [
    { name: "url", value: "https://a.test/" },
    { name: "active", value: "true" },
    { name: "ids", value: "[\n  1\n]" },
  ]);
  assert.deepEqual(argumentRows(""), []);
  for (const broken of ['{"broken', "[1]", "null", "7"]) assert.equal(argumentRows(broken), null);
});

test("an error result is known by its code", () => {
  assert.equal(errorCode('{"error":"The person did not allow it.","code":"denied"}'), "denied");
  for (const other of ["", "[]", '{"error":"No."}', "It broke."]) assert.equal(errorCode(other), "");
});

test("one argument is its text, and nothing where there is none", () => {
  assert.equal(argument('{"prompt":"Compare."}', "prompt"), "Compare.");
  for (const other of ["{}", '{"prompt":7}', "[]", '{"broken']) assert.equal(argument(other, "prompt"), "");
});

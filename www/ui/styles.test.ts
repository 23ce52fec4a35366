// Style sheets that stay quick however long a conversation is.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

const ROOT = new URL("..", import.meta.url).pathname;

test("no rule of the panel is for what follows something", () => {
  // Wherever something is put in, the browser styles everything beside it anew that such a rule
  // could be for: in a conversation of a hundred lines that took longer than all else.
  // `:where(:not(:first-child))` costs nothing, and so does a margin on both sides.
  const found = sheets().flatMap(([name, text]) => [...text.matchAll(/[^{};]*\s[+~]\s[^{};]*(?=\{)/g)].map(([rule]) => `${name}: ${rule.trim()}`));
  assert.deepEqual(found, []);
});

function sheets(): [name: string, text: string][] {
  const files = ["panel", "ui"].flatMap((folder) => readdirSync(ROOT + folder).map((name) => `${folder}/${name}`));
  const names = files.filter((name) => name.endsWith(".css"));
  assert.ok(names.length > 5);
  return names.map((name) => [name, readFileSync(ROOT + name, "utf8").replaceAll(/\/\*[^]*?\*\//g, "")]);
}

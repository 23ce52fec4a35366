import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { LOGO_PATH } from "./logo_path.ts";

test("the logo on the page is the logo of the icons", () => {
  const svg = readFileSync(new URL("../icons/logo.svg", import.meta.url), "utf8");
  assert.ok(svg.includes(`d="${LOGO_PATH}"`));
});

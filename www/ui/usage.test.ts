import assert from "node:assert/strict";
import { test } from "node:test";

import type { Usage } from "../generated/protocol.ts";
import type { t } from "./i18n.ts";
import { usageDetail, usageShort } from "./usage.ts";

const said = ((key: string, ...words: string[]) => [key, ...words].join(" ")) as typeof t;

function usage(changed: Partial<Usage>): Usage {
  const tokens = { input: 12_000, cached: 9_000, written: 0, output: 300, reasoning: 20 };
  return { ...tokens, cost: 0, unpriced: 0, ...changed };
}

function check(changed: Partial<Usage>, short: string): void {
  assert.equal(usageShort(usage(changed), said), short);
}

test("a cost is told where it is known, with as many decimals as it is worth", () => {
  check({}, "turn_tokens 12.3K");
  check({ cost: 1_254_000_000 }, "turn_tokens 12.3K · $1.25");
  check({ cost: 3_420_000 }, "turn_tokens 12.3K · $0.0034");
  check({ cost: 10_000_000 }, "turn_tokens 12.3K · $0.01");
});

test("tokens without a price are not taken for free ones", () => {
  check({ cost: 20_000_000, unpriced: 500 }, "turn_tokens 12.3K · cost_and_more $0.02");
  check({ unpriced: 12_300 }, "turn_tokens 12.3K");
  assert.equal(
    usageDetail(usage({ unpriced: 12_300 }), said),
    "turn_tokens_detail 12,000 9,000 300 20. tokens_unpriced 12,300",
  );
});

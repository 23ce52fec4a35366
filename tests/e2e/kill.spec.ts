// A part of the kill matrix of tests/kill: whatever is taken away, and whenever, the turn ends by
// itself, nothing is lost, nothing is written twice, and what is not known is told.
// `cargo xtask kill` runs all of it.

import { fileURLToPath } from "node:url";
import { runAll } from "../kill/matrix.ts";
import { pointNamed } from "../kill/points.ts";
import { isWay, WAYS } from "../kill/stage.ts";
import { expect, test } from "../rig/fixtures.ts";

const DIST = process.env["TABWRIGHT_DIST"] ?? fileURLToPath(new URL("../../dist", import.meta.url));

const POINTS = [
  "message just acknowledged",
  "request 6 not answered",
  "answer 6 half streamed",
  "answer 6 whole but not ended",
  "write 6 begun, its page not answered",
  "write 6 done, its page half loaded",
  "write 6 just shown as done",
  "last answer half streamed",
].map(pointNamed);

for (const way of Object.keys(WAYS).filter(isWay)) {
  test(`a turn of twelve writes outlives it at any of eight points: ${WAYS[way].what}`, async () => {
    test.setTimeout(240_000);
    const outcomes = await runAll(DIST, POINTS, [way], () => undefined);
    expect(outcomes.flatMap(({ point, findings }) => findings.map((finding) => ({ point, ...finding })))).toEqual([]);
    expect(outcomes).toHaveLength(POINTS.length);
  });
}

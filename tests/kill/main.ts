// The kill matrix: a turn of twelve writes, in the middle of which something is taken away.
//
//     cargo xtask kill [--points N] [--ways sw,panel,worker,browser]
//     node --import tsx tests/kill/main.ts      (with the extension built)

import { parseArgs } from "node:util";
import { runAll } from "./matrix.ts";
import { POINTS } from "./points.ts";
import { report } from "./report.ts";
import { isWay, type Way, WAYS } from "./stage.ts";

const DIST = process.env["TABWRIGHT_DIST"] ?? new URL("../../dist", import.meta.url).pathname;
const DEFAULT_POINTS = "24";

class UsageError extends Error {}

function readArguments(): { points: number; ways: Way[] } {
  const { values } = parseArgs({
    options: {
      points: { type: "string", default: DEFAULT_POINTS },
      ways: { type: "string", default: Object.keys(WAYS).join(",") },
    },
  });
  const points = Number(values.points);
  if (!Number.isInteger(points) || points < 1 || points > POINTS.length) {
    throw new UsageError(`--points needs a number from 1 to ${POINTS.length}, not ${values.points}.`);
  }
  const names = values.ways.split(",");
  const ways = names.filter(isWay);
  const unknown = names.find((name) => !isWay(name));
  if (unknown !== undefined) throw new UsageError(`There is no way “${unknown}”. The ways are: ${Object.keys(WAYS).join(", ")}.`);
  return { points, ways };
}

async function main(): Promise<void> {
  const { points, ways } = readArguments();
  const began = performance.now();
  const outcomes = await runAll(DIST, POINTS.slice(0, points), ways, ({ way, point, findings, millis }) => {
    const verdict = findings.length === 0 ? "ok" : findings.map(({ fault, why }) => `${fault}: ${why}`).join("; ");
    process.stderr.write(`${WAYS[way].what} × ${point} (${(millis / 1_000).toFixed(1)} s): ${verdict}\n`);
  });
  console.log(report(outcomes));
  const seconds = Math.round((performance.now() - began) / 1_000);
  console.log(JSON.stringify({ kill: { points, ways, runs: outcomes.length, failed: outcomes.filter(({ findings }) => findings.length > 0).length, seconds } }));
  if (outcomes.some(({ findings }) => findings.length > 0)) process.exitCode = 1;
}

try {
  await main();
} catch (thrown) {
  const isUsage = thrown instanceof UsageError || (thrown instanceof TypeError && "code" in thrown);
  if (!isUsage) throw thrown;
  process.stderr.write(`error: ${thrown.message}\n`);
  process.exitCode = 2;
}

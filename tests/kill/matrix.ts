// Runs points in ways, and keeps what came of it.

import type { Point } from "./points.ts";
import { Scene } from "./scene.ts";
import { Stage, type Way, WAYS } from "./stage.ts";
import { type Evidence, type Finding, judge, unknownWrites } from "./verdict.ts";

const REACH_MILLIS = 20_000;

/** What came of one run. */
export interface Outcome {
  readonly point: string;
  readonly way: Way;
  readonly findings: readonly Finding[];
  /** Writes that were shown as unknown. */
  readonly unknown: number;
  readonly millis: number;
}

/** Every point in every way, one after the other. Each outcome is told as it comes. */
export async function runAll(dist: string, points: readonly Point[], ways: readonly Way[], told: (outcome: Outcome) => void): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  let stage = await Stage.set(dist);
  try {
    for (const way of ways) {
      for (const point of points) {
        const outcome = await run(stage, point, way);
        outcomes.push(outcome);
        told(outcome);
        if (outcome.findings.length === 0) continue;
        // What it left behind is not the next run's fault.
        await stage.strike();
        stage = await Stage.set(dist);
      }
    }
  } finally {
    await stage.strike();
  }
  return outcomes;
}

/** One run. A run that cannot be played to its end has not finished. */
async function run(stage: Stage, point: Point, way: Way): Promise<Outcome> {
  const began = performance.now();
  const outcome = { point: point.name, way };
  try {
    const evidence = await play(stage, point, way);
    return { ...outcome, findings: judge(evidence), unknown: unknownWrites(evidence), millis: performance.now() - began };
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    return { ...outcome, findings: [{ fault: "not finished", why }], unknown: 0, millis: performance.now() - began };
  }
}

/** Something is taken away at that point, and nothing else is done but what only a person can do. */
async function play(stage: Stage, point: Point, way: Way): Promise<Evidence> {
  await stage.clear(point.model ?? "large", point.settings ?? {});
  const scene = new Scene(stage, point.asksIn ?? null);
  await scene.listen();
  await withinLimit(point.reach(scene), point.name);
  const goOn = scene.standing();
  const again = point.again?.(scene);
  await WAYS[way].take(stage, goOn);
  scene.deaf();
  goOn();
  if (again !== undefined) {
    await withinLimit(again, `${point.name}, the second death`);
    const goOnAgain = scene.standing();
    await WAYS[way].take(stage, goOnAgain);
    goOnAgain();
  }
  await point.goOn?.(scene);
  await scene.ended();
  return scene.evidence();
}

async function withinLimit(reached: Promise<void>, name: string): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`The point “${name}” did not come within ${REACH_MILLIS / 1_000} s.`));
    }, REACH_MILLIS);
  });
  try {
    await Promise.race([reached, limit]);
  } finally {
    clearTimeout(timer);
  }
}

// Waiting for what will be true.

import { setTimeout as sleep } from "node:timers/promises";

const PAUSE_MILLIS = 20;

/** Asks again and again until the answer is not null. `what` completes "Waited in vain until". */
export async function until<T>(what: string, limitMillis: number, ask: () => Promise<T | null>): Promise<T> {
  const deadline = Date.now() + limitMillis;
  for (;;) {
    const answer = await ask();
    if (answer !== null) return answer;
    if (Date.now() > deadline) throw new Error(`Waited in vain for ${limitMillis / 1_000} s until ${what}.`);
    await sleep(PAUSE_MILLIS);
  }
}

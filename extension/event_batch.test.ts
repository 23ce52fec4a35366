import assert from "node:assert/strict";
import { test } from "node:test";
import type { EventEnvelope } from "../www/generated/protocol.ts";
import { EventBatch } from "./event_batch.ts";

const event = (seq: number): EventEnvelope => ({ epoch: 1, seq, event: { type: "conversation_deleted", conversation: "c" } });

test("what is said in one go is one message, in its order, and nothing is said twice", async () => {
  const sent: number[][] = [];
  const batch = new EventBatch((envelopes) => void sent.push(envelopes.map(({ seq }) => seq)), queueMicrotask);
  for (const seq of [1, 2, 3]) batch.add(event(seq));
  assert.deepEqual(sent, []);
  await Promise.resolve();
  assert.deepEqual(sent, [[1, 2, 3]]);
  batch.add(event(4));
  await Promise.resolve();
  await Promise.resolve();
  assert.deepEqual(sent, [[1, 2, 3], [4]]);
});

test("what is said while a message goes out is in the next one", () => {
  const sent: number[][] = [];
  const works: (() => void)[] = [];
  const batch: EventBatch = new EventBatch(
    (envelopes) => {
      sent.push(envelopes.map(({ seq }) => seq));
      if (sent.length === 1) batch.add(event(2));
    },
    (work) => void works.push(work),
  );
  batch.add(event(1));
  while (works.length > 0) works.shift()?.();
  assert.deepEqual(sent, [[1], [2]]);
});

// What a service refuses, and what it takes.

import assert from "node:assert/strict";
import { test } from "node:test";

import type { ShapeName } from "../script.ts";
import { requestOf, send, withServer } from "../support.ts";
import type { RawRequest } from "../support.ts";
import { errorOf } from "./case.ts";

export type Body = Record<string, unknown>;
export type Change = (body: Body, raw: RawRequest) => Body | Buffer | string;

/** Sends a good request with one change, and expects it to be refused in these words without using up a step. */
export function refuses(shape: ShapeName, what: string, change: Change, words: RegExp, status = 400): void {
  test(`${shape} refuses ${what}`, async () => {
    await withServer([{ text: "x" }], async (server) => {
      const raw = requestOf(shape);
      const reply = await send(server, { ...raw, body: change(structuredClone(raw.body) as Body, raw) });
      assert.equal(reply.status, status, reply.text);
      const message = errorOf(reply);
      assert.match(message, words);
      assert.equal(server.requests[0]?.refused, message);
      assert.equal(server.stepsLeft, 1);
    });
  });
}

/** Sends a good request with one change, and expects an answer. */
export function accepts(shape: ShapeName, what: string, change: Change): void {
  test(`${shape} accepts ${what}`, async () => {
    await withServer([{ text: "x" }], async (server) => {
      const raw = requestOf(shape);
      const reply = await send(server, { ...raw, body: change(structuredClone(raw.body) as Body, raw) });
      assert.equal(reply.status, 200, reply.text);
    });
  });
}

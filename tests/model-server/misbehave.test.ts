import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import { callCases } from "./cases/calls.ts";
import { sight } from "./cases/case.ts";
import type { Case } from "./cases/case.ts";
import { framingCases } from "./cases/framing.ts";
import { refusalCases } from "./cases/refusals.ts";
import { transportCases } from "./cases/transport.ts";
import { Faults, catalogue } from "./misbehave.ts";
import type { Misbehaviour, MisbehaviourKind } from "./misbehave.ts";
import { ModelServer } from "./server.ts";
import { anthropic } from "./shapes/anthropic.ts";
import { gemini } from "./shapes/gemini.ts";
import { ollama } from "./shapes/ollama.ts";
import { openai } from "./shapes/openai.ts";
import { responses } from "./shapes/responses.ts";
import { requestOf, send, shapes, withServer } from "./support.ts";

/** Every misbehaviour has a case: the type says so. */
const cases: Record<MisbehaviourKind, Case[]> = { ...refusalCases, ...transportCases, ...framingCases, ...callCases };

const shapesByName = { openai, "openai-responses": responses, anthropic, gemini, ollama };

for (const [kind, variants] of Object.entries(cases)) {
  for (const each of variants) {
    for (const shape of each.shapes ?? shapes) {
      test(`${kind}${each.what === undefined ? "" : ` (${each.what})`} in the ${shape} shape`, async () => {
        const named = typeof each.misbehave === "string" ? each.misbehave : each.misbehave.kind;
        assert.equal(named, kind);
        await withServer([{ ...(each.step ?? { text: "an answer" }), misbehave: each.misbehave }], async (server) => {
          const reply = await send(server, requestOf(shape, each.ask), each.options);
          assert.doesNotMatch(reply.text, /The model server failed/);
          await each.see(sight(shape, reply, server));
        });
      });
    }
  }
}

test("ping-only goes on until the client leaves", async () => {
  await withServer([{ misbehave: { kind: "ping-only", everyMs: 10 } }], async (server) => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 150);
    const reply = await send(server, requestOf("anthropic"), { signal: controller.signal });
    await server.requests[0]?.ended;
    assert.ok(reply.chunks.length >= 5, `${reply.chunks.length} pings`);
    assert.equal(server.requests[0]?.outcome, "aborted");
  });
});

test("misbehaviours can be combined", async () => {
  await withServer([{ text: "中文", misbehave: ["crlf", "bom", "one-byte-chunks", "no-done"] }], async (server) => {
    const reply = await send(server, requestOf("openai"));
    assert.match(reply.text, /^\ufeffdata: .*\r\n\r\n/);
    assert.ok(reply.chunks.every((chunk) => chunk.length === 1));
    assert.doesNotMatch(reply.text, /\[DONE\]/);
  });
});

test("always holds for every request, until it is set anew", async () => {
  await withServer(() => ({ text: "x" }), async (server) => {
    server.always("crlf");
    for (const shape of shapes) assert.match((await send(server, requestOf(shape))).text, /\}\r\n/);
    server.always();
    assert.doesNotMatch((await send(server, requestOf("openai"))).text, /\r\n/);
  });
});

test("a misbehaviour that a shape cannot have is said, not ignored", async () => {
  for (const [shape, misbehave] of [["gemini", "call-name-in-pieces"], ["anthropic", "call-name-in-pieces"], ["anthropic", { kind: "usage", how: "with-last-delta" }], ["gemini", "finish-says-stop"], ["openai-responses", "finish-says-stop"], ["ollama", "ping-only"], ["ollama", "arguments-as-object"], ["ollama", "refuse-required-tool-choice"], ["gemini", { kind: "overloaded", when: "inside", as: "flat" }]] as const) {
    await withServer([{ text: "x", misbehave }], async (server) => {
      const reply = await send(server, requestOf(shape));
      assert.equal(reply.status, 500);
      assert.match(reply.text, /has no form in the/);
    });
  }
});

test("each misbehaviour is seen in each shape, or the shape says that it has no form for it", () => {
  const unseen: string[] = [];
  for (const [kind, variants] of Object.entries(cases)) {
    for (const shape of shapes) {
      const isSeen = variants.some((each) => (each.shapes ?? shapes).includes(shape));
      const isSaid = shapesByName[shape].cannot(new Faults(variants.map((each) => each.misbehave).slice(0, 1))) !== null;
      if (isSeen === isSaid) unseen.push(`${kind} in ${shape}: ${isSeen ? "seen, and said to have no form" : "not seen"}`);
    }
  }
  // Only where arguments are text can a client send back broken ones.
  assert.deepEqual(unseen, ["refuse-broken-history in anthropic: not seen", "refuse-broken-history in gemini: not seen"]);
});

test("a misbehaviour that does not exist is refused", async () => {
  const server = await ModelServer.start();
  assert.throws(() => server.always("no-such-thing" as Misbehaviour), /There is no misbehaviour "no-such-thing"/);
  await server.close();
});

test("the README's table is the catalogue", async () => {
  const readme = await readFile(new URL("README.md", import.meta.url), "utf8");
  const rows = readme.split("\n").filter((line) => /^\| `[a-z0-9-]+`/.test(line));
  const told = rows.map((row) => {
    const [, name = "", text = ""] = /^\| `([a-z0-9-]+)` \| (?:`[^`]*` )?\| (.*) \|$/.exec(row) ?? [];
    return [name, text];
  });
  assert.deepEqual(Object.fromEntries(told), catalogue);
});

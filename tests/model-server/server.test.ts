import assert from "node:assert/strict";
import { test } from "node:test";

import type { Gate } from "./gate.ts";
import type { ShapeName } from "./script.ts";
import { ModelServer } from "./server.ts";
import { read, requestOf, send, shapes, withServer } from "./support.ts";
import type { Reply } from "./support.ts";

/** What has come when the answer stands at the gate. */
async function replyUpTo(gate: Gate, server: ModelServer, shape: ShapeName): Promise<Reply> {
  const controller = new AbortController();
  const pending = send(server, requestOf(shape), { signal: controller.signal });
  await gate.reached;
  // What was written before is on its way in this very process.
  setTimeout(() => controller.abort(), 100);
  return pending;
}

test("steps are played in order, whatever the shape of each request", async () => {
  await withServer([{ text: "one" }, { text: "two" }, { text: "three" }, { text: "four" }, { text: "five" }], async (server) => {
    const texts: string[] = [];
    for (const shape of shapes) texts.push(read(shape, (await send(server, requestOf(shape))).text).text);
    assert.deepEqual(texts, ["one", "two", "three", "four", "five"]);
    assert.equal(server.stepsLeft, 0);
    assert.deepEqual(server.requests.map((request) => request.shape), [...shapes]);
  });
});

test("a function step sees the request and decides", async () => {
  await withServer([{ text: "first" }, (request) => ({ text: `you said ${request.conversation.messages.at(-1)?.text ?? ""}` })], async (server) => {
    await send(server, requestOf("openai"));
    const reply = await send(server, requestOf("openai", { text: "banana" }));
    assert.equal(read("openai", reply.text).text, "you said banana");
  });
});

test("one function can answer every request", async () => {
  await withServer((request) => ({ text: `number ${request.number}` }), async (server) => {
    for (const number of [1, 2, 3]) {
      assert.equal(read("gemini", (await send(server, requestOf("gemini"))).text).text, `number ${number}`);
    }
  });
});

test("play replaces what was left", async () => {
  await withServer([{ text: "old" }, { text: "old" }], async (server) => {
    server.play([{ text: "new" }]);
    assert.equal(server.stepsLeft, 1);
    assert.equal(read("openai", (await send(server, requestOf("openai"))).text).text, "new");
  });
});

test("a request without a step is told so, and marked", async () => {
  await withServer([], async (server) => {
    const reply = await send(server, requestOf("anthropic"));
    assert.equal(reply.status, 500);
    assert.match(reply.text, /has no step/);
    assert.equal(server.requests[0]?.unscripted, true);
  });
});

test("the rules answer when the script is played out", async () => {
  await withServer([{ text: "scripted" }], async (server) => {
    assert.equal(read("openai", (await send(server, requestOf("openai"))).text).text, "scripted");
    assert.equal(read("openai", (await send(server, requestOf("openai"))).text).text, "by rule");
  }, { rules: () => ({ text: "by rule" }) });
});

test("the record holds time, shape, path, headers and body", async () => {
  await withServer([{ text: "x" }], async (server) => {
    const before = Date.now();
    const raw = requestOf("openai", { origin: "chrome-extension://abc" });
    await send(server, raw);
    const [request] = server.requests;
    assert.ok(request !== undefined);
    await request.ended;
    assert.ok(request.at >= before && request.at <= Date.now());
    assert.equal(request.path, "/v1/chat/completions");
    assert.equal(request.headers["origin"], "chrome-extension://abc");
    assert.deepEqual(request.body, raw.body);
    assert.equal(request.text, JSON.stringify(raw.body));
    assert.deepEqual([request.status, request.outcome, request.aborted, request.refused], [200, "complete", null, null]);
  });
});

test("model lists, preflights and unknown paths are recorded apart", async () => {
  await withServer([], async (server) => {
    const get = (path: string, method = "GET") => send(server, { method, path, headers: {}, body: "" });
    const list = await get("/v1/models");
    assert.deepEqual((JSON.parse(list.text) as { data: { id: string }[] }).data.map((model) => model.id), ["tabwright-demo"]);
    const preflight = await get("/v1/chat/completions", "OPTIONS");
    assert.equal(preflight.status, 204);
    assert.equal(preflight.headers["access-control-allow-origin"], "*");
    const wrong = await get("/chat/completions", "POST");
    assert.equal(wrong.status, 404);
    assert.match(wrong.text, /Invalid URL \(POST \/chat\/completions\)/);
    assert.deepEqual(server.others.map((other) => `${other.method} ${other.path}`), ["GET /v1/models", "OPTIONS /v1/chat/completions", "POST /chat/completions"]);
    assert.equal(server.requests.length, 0);
  });
});

test("ollama: its models are listed, and each says what it can do", async () => {
  await withServer([], async (server) => {
    const get = (path: string, body?: object) => send(server, { method: body === undefined ? "GET" : "POST", path, headers: {}, body: body ?? "" });
    const { models } = JSON.parse((await get("/api/tags")).text) as { models: { name: string }[] };
    assert.deepEqual(models.map(({ name }) => name), ["tabwright-demo:latest", "other:7b"]);
    for (const model of ["tabwright-demo", "tabwright-demo:latest", "other:7b"]) {
      const shown = JSON.parse((await get("/api/show", { model })).text) as { capabilities: string[] };
      assert.ok(shown.capabilities.includes("tools"));
    }
    const missing = await get("/api/show", { model: "other" });
    assert.deepEqual([missing.status, JSON.parse(missing.text)], [404, { error: "model 'other' not found" }]);
    assert.equal((await get("/api/show", {})).status, 400);
    assert.match((await get("/api/version")).text, /"version":"\d/);
    assert.deepEqual([(await get("/api/weather")).status, (await get("/api/weather")).text], [404, "404 page not found"]);
    assert.equal(server.requests.length, 0);
  }, { models: ["tabwright-demo", "other:7b"] });
});

for (const shape of shapes) {
  test(`${shape}: a key, when one is set, is needed`, async () => {
    await withServer([{ text: "in" }], async (server) => {
      assert.equal((await send(server, requestOf(shape))).status, shape === "gemini" ? 400 : 401);
      const raw = requestOf(shape);
      const bearer = { authorization: "Bearer secret" };
      const header = { openai: bearer, "openai-responses": bearer, ollama: bearer, anthropic: { "x-api-key": "secret" }, gemini: { "x-goog-api-key": "secret" } }[shape];
      const reply = await send(server, { ...raw, headers: { ...raw.headers, ...header } });
      assert.equal(read(shape, reply.text).text, "in");
    }, { key: "secret" });
  });

  test(`${shape}: a model that is not there is refused`, async () => {
    await withServer([{ text: "x" }], async (server) => {
      const reply = await send(server, requestOf(shape));
      assert.equal(reply.status, shape === "openai-responses" ? 400 : 404);
      assert.match(reply.text, /some-model/);
      assert.equal(server.stepsLeft, 1);
    }, { models: ["other"] });
  });

  test(`${shape}: a gate between pieces stops the stream there and lets it go on`, async () => {
    await withServer(null, async (server) => {
      const gate = server.gate();
      server.play([{ pieces: ["before ", gate, "after"] }]);
      let settled = false;
      const pending = send(server, requestOf(shape)).finally(() => {
        settled = true;
      });
      await gate.reached;
      assert.equal(settled, false);
      assert.equal(server.requests[0]?.outcome, "pending");
      gate.open();
      assert.equal(read(shape, (await pending).text).text, "before after");
    });
  });

  test(`${shape}: what is before a gate has arrived, and what is behind it has not`, async () => {
    await withServer(null, async (server) => {
      const gate = server.gate();
      server.play([{ pieces: ["before ", gate, "after"] }]);
      const reply = await replyUpTo(gate, server, shape);
      assert.match(reply.text, /before/);
      assert.doesNotMatch(reply.text, /after/);
    });
  });

  test(`${shape}: until waits at the end of the answer`, async () => {
    await withServer(null, async (server) => {
      const gate = server.gate();
      server.play([{ text: "all of it", until: gate }]);
      const reply = await replyUpTo(gate, server, shape);
      const seen = read(shape, reply.text);
      assert.deepEqual([seen.text, seen.finishes, seen.done], ["all of it", [], false]);
    });
  });
}

test("a gate inside arguments stops in the middle of their JSON", async () => {
  await withServer(null, async (server) => {
    const gate = server.gate();
    server.play([{ calls: [{ name: "list_tabs", pieces: ['{"title_', gate, 'pattern":"a"}'] }] }]);
    const pending = send(server, requestOf("openai"));
    await gate.reached;
    gate.open();
    assert.equal(read("openai", (await pending).text).calls[0]?.arguments, '{"title_pattern":"a"}');
  });
});

test("hold keeps even the head back", async () => {
  await withServer([{ text: "late" }], async (server) => {
    const hold = server.hold();
    const pending = send(server, requestOf("openai"));
    await hold.reached;
    const request = await server.waitForRequest(1);
    assert.deepEqual([request.status, hold.isOpen], [0, false]);
    hold.open();
    assert.equal(read("openai", (await pending).text).text, "late");
    assert.equal(request.status, 200);
  });
});

test("waitForRequest resolves on arrival, not on the answer", async () => {
  await withServer(null, async (server) => {
    const gate = server.gate();
    server.play([{ text: "a" }, { pieces: [gate, "b"] }]);
    await send(server, requestOf("openai"));
    const waiting = server.waitForRequest(2);
    const pending = send(server, requestOf("openai"));
    assert.equal((await waiting).number, 2);
    gate.open();
    await pending;
    await assert.rejects(server.waitForRequest(3, 30), /Request 3 did not arrive within 30 ms; 2 did/);
  });
});

test("a client that goes away is recorded with the time", async () => {
  await withServer(null, async (server) => {
    const gate = server.gate();
    server.play([{ pieces: ["a", gate, "b"] }]);
    const controller = new AbortController();
    const pending = send(server, requestOf("openai"), { signal: controller.signal });
    await gate.reached;
    const before = Date.now();
    controller.abort();
    const request = await server.waitForRequest(1);
    await request.ended;
    await pending;
    assert.equal(request.outcome, "aborted");
    assert.ok(request.aborted !== null && request.aborted >= before && request.aborted - before < 1000);
  });
});

test("a client that goes away while it is held back is recorded too", async () => {
  await withServer([{ text: "x" }], async (server) => {
    const hold = server.hold();
    const pending = send(server, requestOf("openai"), { leaveAfterMs: 30 });
    await hold.reached;
    await pending;
    const request = await server.waitForRequest(1);
    await request.ended;
    assert.deepEqual([request.outcome, request.status, server.stepsLeft], ["aborted", 0, 1]);
  });
});

test("delays are kept", async () => {
  await withServer([{ pieces: ["a", "b", "c"], delayMs: 80, chunkDelayMs: 40 }], async (server) => {
    const { times } = await send(server, requestOf("openai"));
    assert.ok((times[0] ?? 0) >= 75, `first after ${times[0]} ms`);
    assert.ok((times.at(-1) ?? 0) >= 80 + 4 * 40 - 10, `last after ${times.at(-1)} ms`);
  });
});

test("close ends what hangs", async () => {
  const server = await ModelServer.start();
  server.play([{ text: "x", misbehave: { kind: "stall", at: "headers" } }]);
  const pending = send(server, requestOf("openai"));
  const request = await server.waitForRequest(1);
  await server.close();
  assert.equal((await pending).ended, "broken");
  await request.ended;
  assert.equal(request.outcome, "dropped");
});

test("requests at the same time get different steps", async () => {
  await withServer([{ text: "a" }, { text: "b" }, { text: "c" }, { text: "d" }, { text: "e" }], async (server) => {
    const replies = await Promise.all(shapes.map((shape) => send(server, requestOf(shape))));
    const texts = replies.map((reply, index) => read(shapes[index] ?? "openai", reply.text).text);
    assert.deepEqual(texts.sort(), ["a", "b", "c", "d", "e"]);
  });
});

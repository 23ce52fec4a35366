import assert from "node:assert/strict";
import { test } from "node:test";
import { describeFault } from "./fault.ts";
import { relay } from "./relay.ts";

test("a fault is told by its kind and place, without its message", () => {
  const error = new TypeError("Cannot read 'sk-secret'");
  error.stack = "TypeError: Cannot read 'sk-secret'\n    at submit (chrome-extension://id/core.worker.js:12:34)\n    at x.js:1:1";
  assert.equal(describeFault(error), "TypeError at core.worker.js:12:34.");
  assert.equal(describeFault("sk-secret"), "a thrown string.");
  assert.equal(describeFault(null), "a thrown null.");
});

test("a trap is told in the engine's words", () => {
  const trap = new WebAssembly.RuntimeError("unreachable");
  trap.stack = "RuntimeError: unreachable\n    at core.wasm.step (chrome-extension://id/core.wasm:wasm-function[17]:0x2f)";
  assert.equal(describeFault(trap), "RuntimeError (unreachable) at core.wasm:wasm-function[17]:0x2f.");
});

async function check(send: () => Promise<unknown>, expected: unknown): Promise<void> {
  assert.deepEqual(await relay({ call: "tabs_list" }, send, 50), expected);
}

test("the broker's own answer passes through, whatever it is", async () => {
  for (const reply of [{ reply: "ok", value: { value: "done" } }, { reply: "error", kind: "invalid", message: "x" }]) {
    await check(() => Promise.resolve(reply), reply);
  }
});

test("a service worker that went away, or does not answer, leaves the effect unknown", async () => {
  const unavailable = (message: string) => ({ reply: "error", kind: "unavailable", message });
  await check(() => Promise.reject(new Error("The message port closed.")), unavailable("The message port closed."));
  await check(() => Promise.resolve(undefined), unavailable("The service worker gave no answer."));
  await check(() => new Promise(() => undefined), { reply: "error", kind: "timeout", message: "No answer within 0.05 s." });
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { admittedKind, classOf, type Sender, type SenderClass } from "./senders.ts";

const ID = "abcdefghijklmnopabcdefghijklmnop";
const OTHER = "ponmlkjihgfedcbaponmlkjihgfedcba";
const OURS = `chrome-extension://${ID}`;
const own = (page: string, more: Partial<Sender> = {}): Sender => ({ id: ID, origin: OURS, url: `${OURS}/${page}`, ...more });

function check(cases: [string, Sender, SenderClass | null][]): void {
  for (const [name, sender, expected] of cases) assert.equal(classOf(sender, ID), expected, name);
}

test("our own contexts are told apart by their address and tab", () => {
  check([
    ["side panel", own("panel.html"), "view"],
    ["panel in a tab", own("panel.html", { tab: {} }), "view"],
    ["options with a fragment", own("options.html#models", { tab: {} }), "view"],
    ["offscreen document", own("offscreen.html"), "offscreen"],
    ["service worker", own("sw.js"), "service_worker"],
    ["service worker without an origin", own("sw.js", { origin: undefined }), "service_worker"],
  ]);
});

test("nobody else has a class", () => {
  check([
    ["nothing known", {}, null],
    ["offscreen page opened in a tab", own("offscreen.html", { tab: {} }), null],
    ["service worker's file opened in a tab", own("sw.js", { tab: {} }), null],
    ["a page of ours that is not on the list", own("sandbox.html"), null],
    ["a page below a directory of that name", own("panel.html/x"), null],
    ["content script", { id: ID, origin: "https://a.test", url: "https://a.test/panel.html", tab: {} }, null],
    ["content script that claims our address", own("panel.html", { origin: "https://a.test", tab: {} }), null],
    ["sandboxed frame of ours", own("panel.html", { origin: "null" }), null],
    ["view without an origin", own("panel.html", { origin: undefined }), null],
    ["other extension", { id: OTHER, origin: `chrome-extension://${OTHER}`, url: `chrome-extension://${OTHER}/panel.html` }, null],
    ["other extension with our address", own("panel.html", { id: OTHER }), null],
    ["our id in front of another host", own("", { url: `${OURS}.a.test/panel.html` }), null],
    ["our id as user info", own("", { url: `https://${ID}@a.test/panel.html` }), null],
    ["no address", own("", { url: undefined }), null],
    ["broken address", own("", { url: "panel.html" }), null],
  ]);
});

test("each kind is admitted from the classes it lists, and from no other", () => {
  const senders: Record<string, Sender> = {
    view: own("panel.html"),
    offscreen: own("offscreen.html"),
    service_worker: own("sw.js"),
    content_script: { id: ID, origin: "https://a.test", url: "https://a.test/", tab: {} },
  };
  const admitted = (message: unknown): string[] =>
    Object.keys(senders).filter((name) => admittedKind(message, senders[name] ?? {}, ID) !== null);
  assert.deepEqual(admitted({ to: "worker", kind: "ensure_core" }), ["view"]);
  assert.deepEqual(admitted({ to: "worker", kind: "broker", call: {} }), ["offscreen"]);
  assert.deepEqual(admitted({ to: "worker", kind: "line", name: "" }), ["offscreen"]);
  for (const message of [
    { to: "offscreen", kind: "ensure" },
    { to: "worker", kind: "constructor" },
    { to: "worker", kind: ["broker"] },
    { to: "worker" },
    { kind: "broker" },
    "broker",
    null,
    undefined,
    [],
  ]) {
    assert.deepEqual(admitted(message), [], JSON.stringify(message));
  }
});

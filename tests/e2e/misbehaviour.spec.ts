// Model servers that do not do as they should, against the real core over real sockets: each turn
// ends in an answer or in one clear notice, its tool runs at most once, and the core lives on.

import type { ItemView, ProviderKind } from "../../www/generated/protocol.ts";
import { Faults, type Misbehaviour } from "../model-server/misbehave.ts";
import type { ModelServer } from "../model-server/server.ts";
import { anthropic } from "../model-server/shapes/anthropic.ts";
import { gemini } from "../model-server/shapes/gemini.ts";
import { ollama } from "../model-server/shapes/ollama.ts";
import { openai } from "../model-server/shapes/openai.ts";
import { responses } from "../model-server/shapes/responses.ts";
import type { Shape } from "../model-server/shapes/shape.ts";
import { expect, test } from "../rig/fixtures.ts";
import { clientIn, panelWithModel } from "./turn_page.ts";

/** How a turn must end: with an answer after one tool call, or with a notice of this code. */
type End = "answer" | { readonly notice: string; readonly calls?: number };

const ANSWERED: readonly Misbehaviour[] = [
  "crlf",
  "lone-cr",
  "bom",
  "comments",
  "bare-colon",
  "rewrapped-comments",
  "no-space-after-data",
  "several-data-lines",
  "no-final-blank-line",
  "unknown-events",
  "no-done",
  "text-after-done",
  "split-utf8",
  "one-byte-chunks",
  { kind: "chunks-of", bytes: 7 },
  "one-chunk",
  "json-instead-of-stream",
  { kind: "usage", how: "twice" },
  { kind: "usage", how: "negative" },
  { kind: "usage", how: "missing" },
  "missing-call-id",
  "missing-call-index",
  "call-name-in-pieces",
  "arguments-as-object",
  "empty-arguments",
  "repeated-arguments",
  "two-finishes",
  "finish-says-stop",
  { kind: "rate-limit", form: "zero" },
  { kind: "server-error", status: 503 },
  { kind: "overloaded", when: "before" },
  "throttle-like-overflow",
  { kind: "drop", at: "headers" },
  "json-error-as-stream",
];

const TOLD: readonly (readonly [Misbehaviour, End])[] = [
  ["unauthorized", { notice: "model_auth" }],
  ["model-not-found", { notice: "model_not_found" }],
  [{ kind: "overflow", vendor: "openai" }, { notice: "model_context_overflow" }],
  ["html-error-page", { notice: "model_malformed" }],
  [{ kind: "end-early", at: "text" }, { notice: "model_cut" }],
  [{ kind: "drop", at: "text" }, { notice: "model_cut" }],
  ["truncated-arguments", { notice: "answer_cut", calls: 1 }],
];

/** Where a format's own nature makes another end of it. */
const OWN_ENDS: Readonly<Partial<Record<ProviderKind, readonly (readonly [Misbehaviour, End])[]>>> = {
  gemini: [
    // Its only end marker is the reason: without one, an answer that stops is half an answer.
    ["no-done", { notice: "model_cut" }],
    // It never sends a part of a call.
    ["truncated-arguments", { notice: "answer_cut", calls: 0 }],
  ],
  // Nothing but their last event says that an answer is whole.
  open_ai_responses: [["no-done", { notice: "model_cut" }]],
  ollama: [
    ["no-done", { notice: "model_cut" }],
    ["truncated-arguments", { notice: "answer_cut", calls: 0 }],
  ],
};

/** The wire formats that the model server speaks, and where. */
const FORMATS = [
  { provider: "open_ai_chat", shape: openai, path: "/v1" },
  { provider: "open_ai_responses", shape: responses, path: "/v1" },
  { provider: "anthropic", shape: anthropic, path: "" },
  { provider: "gemini", shape: gemini, path: "" },
  { provider: "ollama", shape: ollama, path: "" },
] as const satisfies { provider: ProviderKind; shape: Shape; path: string }[];

for (const { provider, shape, path } of FORMATS) {
  test(`${provider}: whatever a server sends, the turn ends well or says why, and the core lives on`, async ({ rig, models }, info) => {
    test.setTimeout(180_000);
    const panel = await panelWithModel(rig, models, { provider, address: models.url + path });
    const client = await clientIn(panel);
    const epochs = new Set<number>();
    client.onEvent(({ epoch }) => epochs.add(epoch));
    const own = new Map(OWN_ENDS[provider]);
    const all = [...ANSWERED.map((it) => [it, "answer"] as const), ...TOLD].map(
      ([misbehaviour, end]) => [misbehaviour, own.get(misbehaviour) ?? end] as const,
    );
    // What a format has no form for cannot go wrong in it.
    const cases = all.filter(([misbehaviour]) => shape.cannot(new Faults([misbehaviour])) === null);
    const wrong: string[] = [];
    for (const [number, [misbehaviour, end]] of cases.entries()) {
      models.play(script(misbehaviour));
      const { items } = await client.ask(`case-${number}`, "list my tabs");
      const fault = faultOf(items, end);
      if (fault !== null) wrong.push(`${JSON.stringify(misbehaviour)}: ${fault}`);
    }
    expect(wrong).toEqual([]);
    expect(models.requests.filter(({ refused, unscripted }) => refused !== null || unscripted)).toEqual([]);
    expect([...epochs]).toEqual([1]);
    info.annotations.push({ type: "cases", description: `${cases.length} in ${provider}` });
  });
}

/** The misbehaviour comes with the first answer, and when that one is asked for again with nothing. */
function script(misbehaviour: Misbehaviour): Parameters<ModelServer["play"]>[0] {
  const listTabs = { calls: [{ name: "list_tabs", arguments: {} }] };
  const isInText = typeof misbehaviour === "object" && "at" in misbehaviour && misbehaviour.at === "text";
  const isFirst = { done: false };
  return ({ conversation }) => {
    if (conversation.messages.some(({ results }) => results.length > 0)) return { text: "You have one tab. 你好" };
    if (isFirst.done) return listTabs;
    isFirst.done = true;
    // Slowly, so that some of the text is there when the rest is not.
    return isInText ? { text: "You have some tabs", chunkDelayMs: 30, misbehave: misbehaviour } : { ...listTabs, text: "标签 …", misbehave: misbehaviour };
  };
}

function faultOf(items: readonly ItemView[], end: End): string | null {
  const bodies = items.map(({ body }) => body);
  const calls = bodies.filter((body) => body.kind === "tool_call");
  const notices = bodies.filter((body) => body.kind === "notice").map(({ code }) => code);
  const last = bodies.at(-1);
  const reason = last?.kind === "turn_end" ? last.reason : "none";
  if (end === "answer") {
    const ran = calls.map(({ attempts, state }) => `${state.state} x${attempts}`).join(", ");
    const isRight = reason === "done" && ran === "done x1" && notices.length === 0;
    return isRight ? null : `ended ${reason}, calls: ${ran}, notices: ${notices.join(", ")}`;
  }
  const ran = calls.filter(({ attempts }) => attempts > 0).length;
  const isRight = reason === "failed" && notices.join() === end.notice && calls.length === (end.calls ?? 0) && ran === 0;
  return isRight ? null : `ended ${reason}, ${calls.length} calls of which ${ran} ran, notices: ${notices.join(", ")}`;
}

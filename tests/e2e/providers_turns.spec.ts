// Whole turns in every wire format that a server speaks, over real sockets: what the second request
// holds is legal and complete, and of a server that misbehaves each turn ends in one of three ways.

import type { ModelDraft, ProviderKind, ReasoningEffort } from "../../www/generated/protocol.ts";
import { Faults, type Misbehaviour } from "../model-server/misbehave.ts";
import type { OverflowVendor } from "../model-server/overflow.ts";
import type { ConversationMessage, Step } from "../model-server/script.ts";
import type { ModelServer } from "../model-server/server.ts";
import { anthropic } from "../model-server/shapes/anthropic.ts";
import { gemini } from "../model-server/shapes/gemini.ts";
import { ollama } from "../model-server/shapes/ollama.ts";
import { openai } from "../model-server/shapes/openai.ts";
import { responses } from "../model-server/shapes/responses.ts";
import type { Shape } from "../model-server/shapes/shape.ts";
import { Browser } from "../rig/browser.ts";
import { CoreClient, type Turn } from "../rig/core_client.ts";
import { DIST, IS_HEADED, expect, test as base } from "../rig/fixtures.ts";

interface Format {
  readonly provider: ProviderKind;
  readonly shape: Shape;
  readonly path: string;
  /** How its service says that a request is too long. */
  readonly overflow: OverflowVendor;
}

const FORMATS: readonly Format[] = [
  { provider: "open_ai_chat", shape: openai, path: "/v1", overflow: "openai" },
  { provider: "open_ai_responses", shape: responses, path: "/v1", overflow: "openai-responses" },
  { provider: "anthropic", shape: anthropic, path: "", overflow: "anthropic" },
  { provider: "gemini", shape: gemini, path: "", overflow: "gemini" },
  { provider: "ollama", shape: ollama, path: "", overflow: "ollama-chat" },
];

/** One browser for all: a turn has a conversation of its own, and each format takes the model's record over. */
const test = base.extend<object, { client: CoreClient }>({
  client: [
    async ({}, use) => {
      const browser = await Browser.launch({ dist: DIST, headless: !IS_HEADED });
      await use(await CoreClient.connect(await browser.openPanel()));
      await browser.close();
    },
    { scope: "worker" },
  ],
});

async function saveModel(client: CoreClient, models: ModelServer, { provider, path }: Format, reasoning: ReasoningEffort | null = null): Promise<void> {
  const unknown = "unknown" as const;
  const model: ModelDraft = {
    id: "test",
    name: "Test model",
    provider,
    address: models.url + path,
    model: "tabwright-test",
    key: null,
    scripted: true,
    context_window: null,
    options: {
      temperature: null,
      reasoning,
      output_limit: null,
      headers: [],
      can: { tools: unknown, parallel_tools: unknown, vision: unknown, thinking: unknown, image_output: unknown },
      text_calls: false,
      prices: null,
    },
  };
  await client.submit({ type: "save_model", model });
}

const BOTH = [{ name: "list_tabs", arguments: {} }, { name: "list_tasks", arguments: {} }];
const THOUGHT = "Two tools will tell.";

for (const format of FORMATS) {
  for (const reasoning of [null, "medium"] as const) {
    const title = reasoning === null ? "without a word about thinking" : "asked to think";
    test(`${format.provider}: a model ${title} thinks, speaks and calls side by side, and gets all of it back`, async ({ client, models }) => {
      await saveModel(client, models, format, reasoning);
      models.always("demand-thinking-echo");
      models.play([{ thinking: THOUGHT, text: "I look.", calls: BOTH }, { text: "One tab, no tasks." }]);
      const turn = await client.ask(`thinks-${format.provider}-${title}`, "what is open?");

      // Responses say nothing of a thought, and give none away, unless they are asked for it.
      const isShown = format.provider !== "open_ai_responses" || reasoning !== null;
      expect(turn.end.reason).toBe("done");
      expect(ranTools(turn)).toEqual(["list_tabs x1", "list_tasks x1"]);
      const [first, last] = turn.items.flatMap(({ body }) => (body.kind === "assistant_message" ? [body] : []));
      expect([first?.thinking, first?.text, last?.text]).toEqual([isShown ? THOUGHT : "", "I look.", "One tab, no tasks."]);

      expect(models.requests.map(({ refused, unscripted }) => refused ?? unscripted)).toEqual([false, false]);
      const sent = models.requests[1]?.conversation.messages ?? [];
      const answer = sent.find(({ calls }) => calls.length > 0);
      expect(answer?.text).toBe("I look.");
      expect(answer?.calls.map(({ name }) => name)).toEqual(["list_tabs", "list_tasks"]);
      expect(namesOfResults(sent)).toEqual(["list_tabs", "list_tasks"]);
      // Gemini's thought itself stays away: what it wants back is the signature, which the server has checked.
      if (format.provider !== "gemini") expect(answer?.thinking).toBe(isShown ? THOUGHT : "");
    });
  }
}

/** In Ollama the name, elsewhere the id of the call, ties a result to its call. */
const namesOfResults = (messages: readonly ConversationMessage[]): string[] => messages.flatMap(({ results }) => results.map(({ name }) => name));

/** How a turn ends: with the answer to what both tools said, or with one notice of that code. */
interface Ending {
  readonly notice: string | null;
  /** How many requests it takes. */
  readonly requests: number;
  /** How many calls are shown that never ran. */
  readonly unrun?: number;
}

const OK: Ending = { notice: null, requests: 2 };
/** The server was asked once more for the answer that failed. */
const RETRIED: Ending = { notice: null, requests: 3 };
const failsWith = (notice: string, requests = 1, unrun = 0): Ending => ({ notice, requests, unrun });

type Case = readonly [Misbehaviour, Ending];

const CASES: readonly Case[] = [
  ["two-finishes", OK],
  ["same-call-ids", OK],
  ["split-utf8", OK],
  ["one-byte-chunks", OK],
  ["crlf", OK],
  ["arguments-as-object", OK],
  ["finish-says-stop", OK],
  ["missing-call-id", OK],
  ["missing-call-index", OK],
  ["all-calls-at-index-0", OK],
  ["index-reused", OK],
  ["json-instead-of-stream", OK],
  [{ kind: "overloaded", when: "before" }, RETRIED],
  [{ kind: "rate-limit", form: "seconds", seconds: 1 }, RETRIED],
  ["json-error-as-stream", RETRIED],
  [{ kind: "drop", at: "request" }, RETRIED],
  ["truncated-arguments", failsWith("answer_cut", 1, 2)],
  [{ kind: "drop", at: "text" }, failsWith("model_cut")],
  [{ kind: "drop", at: "arguments" }, failsWith("model_cut")],
  [{ kind: "end-early", at: "text" }, failsWith("model_cut")],
  [{ kind: "end-early", at: "arguments" }, failsWith("model_cut")],
  [{ kind: "overloaded", when: "inside" }, failsWith("model_overloaded")],
  [{ kind: "overloaded", when: "inside", as: "flat" }, failsWith("model_overloaded")],
  [{ kind: "overloaded", when: "inside", as: "failed" }, failsWith("model_overloaded")],
  ["unauthorized", failsWith("model_auth")],
  ["model-not-found", failsWith("model_not_found")],
  ["html-error-page", failsWith("model_malformed")],
  ["refuse-tools", failsWith("model_bad_request")],
  [{ kind: "refuse-tools", as: "ollama" }, failsWith("model_bad_request")],
];

/** Where a format's own nature makes another end of it. */
const OWN_ENDINGS: Readonly<Partial<Record<ProviderKind, readonly Case[]>>> = {
  // A part of a call is never sent.
  gemini: [["truncated-arguments", failsWith("answer_cut")]],
  ollama: [
    ["truncated-arguments", failsWith("answer_cut")],
    // An error has no kind here, only words; before an answer, its status tells the kind.
    [{ kind: "overloaded", when: "inside" }, failsWith("model_server")],
  ],
};

for (const format of FORMATS) {
  test(`${format.provider}: a turn with a server that misbehaves ends well, after another try, or with one clear notice`, async ({ client, models }, info) => {
    await saveModel(client, models, format);
    const own = new Map((OWN_ENDINGS[format.provider] ?? []).map(([misbehaviour, ending]) => [JSON.stringify(misbehaviour), ending]));
    const all: readonly Case[] = [...CASES, [{ kind: "overflow", vendor: format.overflow }, failsWith("model_context_overflow")]];
    // What a format has no form for cannot go wrong in it.
    const cases = all.filter(([misbehaviour]) => format.shape.cannot(new Faults([misbehaviour])) === null);
    const wrong: string[] = [];
    for (const [number, [misbehaviour, usual]] of cases.entries()) {
      const before = models.requests.length;
      models.play(script(misbehaviour));
      const turn = await client.ask(`misbehaves-${format.provider}-${number}`, "what is open?");
      const fault = faultOf(turn, models.requests.slice(before), own.get(JSON.stringify(misbehaviour)) ?? usual);
      if (fault !== null) wrong.push(`${JSON.stringify(misbehaviour)}: ${fault}`);
    }
    expect(wrong).toEqual([]);
    const description = `${cases.length - wrong.length} of ${cases.length} cases in ${format.provider}; ${all.length - cases.length} have no form in it`;
    info.annotations.push({ type: "cases", description });
    console.log(`      ${description}`);
  });
}

/** Answers that are hard to send back. */
const HARD: Readonly<Record<string, Step>> = {
  "it broke off in the text": { thinking: THOUGHT, text: "You have some tabs", chunkDelayMs: 30, misbehave: { kind: "drop", at: "text" } },
  "it broke off after the thinking": { thinking: THOUGHT, text: "", chunkDelayMs: 30, misbehave: { kind: "drop", at: "text" } },
  "it ended after the thinking": { thinking: THOUGHT },
  "it broke off in a call": { thinking: THOUGHT, calls: BOTH, chunkDelayMs: 30, misbehave: { kind: "drop", at: "arguments" } },
  "its call did not fit": { thinking: THOUGHT, calls: BOTH, misbehave: "truncated-arguments" },
  "the output limit came in its thinking": { thinking: THOUGHT, stop: "length" },
  "a filter ended it": { thinking: THOUGHT, text: "You", stop: "filter" },
  "its calls have one id": { thinking: THOUGHT, calls: BOTH, misbehave: "same-call-ids" },
  "its calls have no id": { thinking: THOUGHT, calls: BOTH, misbehave: "missing-call-id" },
  "its call has no name": { thinking: THOUGHT, calls: BOTH, misbehave: "missing-call-name" },
  "its call has a very long id": { calls: [{ name: "list_tabs", id: `call_${"x".repeat(200)}` }] },
  "its call has an id of odd letters": { calls: [{ name: "list_tabs", id: "call 1/é:标签" }] },
  "its call has an empty id": { calls: [{ name: "list_tabs", id: "" }] },
  "its call has a name that nobody may have": { calls: [{ name: "list tabs. 标签" }, { name: "x".repeat(300) }] },
  "its call has empty arguments": { calls: BOTH, misbehave: "empty-arguments" },
  "its arguments are a list": { calls: BOTH, misbehave: { kind: "bad-arguments", form: "not-an-object" } },
  "its arguments have half a character": { calls: BOTH, misbehave: { kind: "bad-arguments", form: "lone-surrogate" } },
  "its arguments have a comma too many": { calls: BOTH, misbehave: { kind: "bad-arguments", form: "trailing-comma" } },
  "its arguments have a number that is none": { calls: BOTH, misbehave: { kind: "bad-arguments", form: "not-a-number" } },
  "its arguments have one key twice": { calls: BOTH, misbehave: { kind: "bad-arguments", form: "duplicate-keys" } },
  "its arguments are very deep": { calls: BOTH, misbehave: { kind: "bad-arguments", form: "deep-nesting" } },
  "its text is blank": { thinking: THOUGHT, text: " \n", calls: BOTH },
  "it has nothing at all": {},
};

for (const format of FORMATS) {
  test(`${format.provider}: whatever an answer was, the requests after it are legal`, async ({ client, models }, info) => {
    await saveModel(client, models, format, "medium");
    const wrong: string[] = [];
    for (const [what, step] of Object.entries(HARD)) {
      const before = models.requests.length;
      const conversation = `hard-${format.provider}-${what}`;
      models.play(oneThen(step, { text: "Well." }));
      await client.ask(conversation, "what is open?");
      const { end } = await client.ask(conversation, "and now?");
      const refused = models.requests.slice(before).flatMap((request) => request.refused ?? (request.unscripted ? ["not scripted"] : []));
      if (refused.length > 0 || end.reason !== "done") wrong.push(`${what}: the next turn ended ${end.reason}; ${refused.join("; ")}`);
    }
    expect(wrong).toEqual([]);
    info.annotations.push({ type: "cases", description: `${Object.keys(HARD).length} in ${format.provider}` });
    console.log(`      ${Object.keys(HARD).length} of ${Object.keys(HARD).length} hard answers in ${format.provider}`);
  });
}

/** The one step, and then the other for ever. */
function oneThen(first: Step, then: Step): () => Step {
  const state = { next: first };
  return () => {
    const step = state.next;
    state.next = then;
    return step;
  };
}

/** The misbehaviour comes with the first answer, and when that one is asked for again with nothing. */
function script(misbehaviour: Misbehaviour): Parameters<ModelServer["play"]>[0] {
  const { kind, at, when } = { at: "", when: "", ...(typeof misbehaviour === "string" ? { kind: misbehaviour } : misbehaviour) };
  // Slowly, so that what comes before the break is there when it comes.
  const chunkDelayMs = at === "text" || at === "arguments" || when === "inside" ? 30 : 0;
  const state = { asked: false };
  return ({ conversation }) => {
    if (conversation.messages.some(({ results }) => results.length > 0)) return { text: "One tab, no tasks. 你好" };
    // A refusal to take tools is none of one answer.
    if (kind === "refuse-tools") return { calls: BOTH, misbehave: misbehaviour };
    if (state.asked) return { calls: BOTH };
    state.asked = true;
    return { text: "标签 are what I look at", calls: BOTH, chunkDelayMs, misbehave: misbehaviour };
  };
}

/** The tools that ran and how often, in the order of their names. */
const ranTools = ({ items }: Turn): string[] =>
  items.flatMap(({ body }) => (body.kind === "tool_call" && body.attempts > 0 ? [`${body.tool} x${body.attempts}`] : [])).sort();

function faultOf(turn: Turn, requests: ModelServer["requests"], ending: Ending): string | null {
  const bodies = turn.items.map(({ body }) => body);
  const ran = ranTools(turn);
  const seen = {
    reason: turn.end.reason,
    notices: bodies.flatMap((body) => (body.kind === "notice" ? [body.code] : [])),
    ran,
    unrun: bodies.filter((body) => body.kind === "tool_call").length - ran.length,
    requests: requests.length,
    refused: requests.flatMap(({ refused, unscripted }) => (unscripted ? ["not scripted"] : refused === null ? [] : [refused])),
  };
  const isToolRefusal = ending.notice === "model_bad_request";
  const wanted = {
    reason: ending.notice === null ? "done" : "failed",
    notices: ending.notice === null ? [] : [ending.notice],
    ran: ending.notice === null ? ["list_tabs x1", "list_tasks x1"] : [],
    unrun: ending.unrun ?? 0,
    requests: ending.requests,
    // The one refusal that is the case itself.
    refused: isToolRefusal ? seen.refused.slice(0, 1) : [],
  };
  return JSON.stringify(seen) === JSON.stringify(wanted) ? null : `${JSON.stringify(seen)} in place of ${JSON.stringify(wanted)}`;
}

// What must be true of a turn in the middle of which something was taken away. Pure, so that each
// rule can be shown to find what it is for.

import type { ItemBody, ItemId, ItemView, RunView } from "../../www/generated/protocol.ts";
import type { ConversationMessage, ModelRequest } from "../model-server/script.ts";

/** What a run broke. */
export type Fault = "not finished" | "lost" | "duplicated" | "not told" | "illegal history";

/** One finding. */
export interface Finding {
  readonly fault: Fault;
  readonly why: string;
}

/** All that can be known of a run when it is over. */
export interface Evidence {
  /** The person's message. */
  readonly text: string;
  readonly items: readonly ItemView[];
  readonly run: RunView;
  /** The results that views were shown before the death, by the item of their call. */
  readonly shown: ReadonlyMap<ItemId, string>;
  /** Each write: its address, and how often it happened. */
  readonly writes: readonly { readonly k: number; readonly address: string; readonly hits: number }[];
  readonly requests: readonly Pick<ModelRequest, "refused" | "unscripted" | "conversation">[];
}

type CallBody = Extract<ItemBody, { kind: "tool_call" }>;

/** In every result that leaves open whether it happened. */
const IN_DOUBT = /may have happened/;

/** What the run broke; nothing when it is as it should be. */
export function judge(evidence: Evidence): Finding[] {
  return [...finished(evidence), ...nothingLost(evidence), ...nothingTwice(evidence), ...doubtsTold(evidence), ...historyLegal(evidence)];
}

/** How many writes the person and the model were told of as unknown. */
export function unknownWrites({ items }: Evidence): number {
  return callsIn(items).filter(({ state }) => state.state === "unknown").length;
}

/** The turn has ended, once, and as it would have without the death. */
function finished({ items, run }: Evidence): Finding[] {
  const ends = items.flatMap(({ body }) => (body.kind === "turn_end" ? [body.reason] : []));
  const errors = items.flatMap(({ body }) => (body.kind === "notice" && body.level === "error" ? [body.text] : []));
  const found: string[] = [];
  if (run.state !== "idle") found.push("the turn is still open");
  if (ends.length !== 1) found.push(`it ended ${ends.length} times`);
  if (ends.length > 0 && items.at(-1)?.body.kind !== "turn_end") found.push("something stands after its end");
  for (const reason of ends) if (reason !== "done") found.push(`it ended as ${reason}: ${errors.join(" ")}`);
  const open = callsIn(items).filter(({ state }) => state.state !== "done" && state.state !== "unknown");
  for (const { tool, state } of open) found.push(`a call of ${tool} is left ${state.state}`);
  return found.map((why) => ({ fault: "not finished", why }));
}

/** The person's message, every result that was shown, and every result that a request held are still there. */
function nothingLost({ text, items, shown, requests, writes }: Evidence): Finding[] {
  const found: string[] = [];
  const messages = items.filter(({ body }) => body.kind === "user_message" && body.text === text).length;
  if (messages === 0) found.push("the person's message");
  const byId = new Map(items.map(({ id, body }) => [id, body]));
  for (const [id, result] of shown) {
    const body = byId.get(id);
    const isThere = body?.kind === "tool_call" && body.state.state === "done" && body.state.result === result;
    if (!isThere) found.push(`a result that was shown: ${result.slice(0, 60)}`);
  }
  const calls = callsIn(items);
  for (const { k, address } of writes) if (!calls.some((call) => isOf(call, address))) found.push(`write ${k}`);
  found.push(...forgotten(requests));
  return found.map((why) => ({ fault: "lost", why }));
}

/** Results that a request held and a later one does not; a summary may stand in for them. */
function forgotten(requests: Evidence["requests"]): string[] {
  const found: string[] = [];
  let before = new Set<string>();
  for (const { conversation } of requests) {
    const results = new Set(conversation.messages.flatMap((message) => message.results.map(({ id }) => id)));
    const isSummed = conversation.messages.some(isSummary);
    const missing = isSummed ? [] : [...before].filter((id) => !results.has(id));
    for (const id of missing) found.push(`the result of ${id} in a later request`);
    before = results;
  }
  return found;
}

function isSummary({ role, text }: ConversationMessage): boolean {
  return role === "user" && text.startsWith("[Tabwright]");
}

/** No message stands there twice, and no write happened or was begun twice. */
function nothingTwice({ text, items, writes }: Evidence): Finding[] {
  const found: string[] = [];
  const messages = items.filter(({ body }) => body.kind === "user_message" && body.text === text).length;
  if (messages > 1) found.push(`the person's message stands there ${messages} times`);
  const calls = callsIn(items);
  for (const { k, address, hits } of writes) {
    if (hits > 1) found.push(`write ${k} happened ${hits} times`);
    const own = calls.filter((call) => isOf(call, address));
    if (own.length > 1) found.push(`write ${k} was called ${own.length} times`);
    const attempts = own.reduce((sum, call) => sum + call.attempts, 0);
    if (own.length === 1 && attempts > 1) found.push(`write ${k} was begun ${attempts} times`);
  }
  return found.map((why) => ({ fault: "duplicated", why }));
}

/** Whatever is said of a write is true, and what is not known is told to the person and to the model. */
function doubtsTold({ items, writes, requests }: Evidence): Finding[] {
  const found: string[] = [];
  const isNoticed = items.some(({ body }) => body.kind === "notice" && body.code === "outcome_unknown");
  for (const { k, address, hits } of writes) {
    const call = callsIn(items).find((each) => isOf(each, address));
    if (call === undefined) continue;
    const told = toldOf(address, requests);
    if (call.state.state === "unknown") {
      if (!isNoticed) found.push(`write ${k} is unknown and the person was not told`);
      if (told.some((text) => !IN_DOUBT.test(text))) found.push(`write ${k} is unknown and the model was told otherwise`);
    }
    if (call.state.state !== "done") continue;
    const inDoubt = IN_DOUBT.test(call.state.result);
    if (!call.state.is_error && hits === 0) found.push(`write ${k} is said to be done and did not happen`);
    if (call.state.is_error && hits > 0 && !inDoubt) found.push(`write ${k} happened and is said to have failed: ${call.state.result}`);
  }
  return found.map((why) => ({ fault: "not told", why }));
}

/** Every result that the model was given for the write of that address. */
function toldOf(address: string, requests: Evidence["requests"]): string[] {
  return requests.flatMap(({ conversation: { messages } }) => {
    const calls = messages.flatMap((message) => message.calls).filter((call) => call.arguments.includes(`"${address}"`));
    const ids = new Set(calls.map(({ id }) => id));
    return messages.flatMap((message) => message.results.filter(({ id }) => ids.has(id)).map(({ text }) => text));
  });
}

/** No request was refused: the server checks them as the real ones do. */
function historyLegal({ requests }: Evidence): Finding[] {
  const found = requests.flatMap(({ refused, unscripted }) => [...(refused === null ? [] : [refused]), ...(unscripted ? ["a request that no step answers"] : [])]);
  return found.map((why) => ({ fault: "illegal history", why }));
}

function callsIn(items: readonly ItemView[]): CallBody[] {
  return items.flatMap(({ body }) => (body.kind === "tool_call" ? [body] : []));
}

function isOf(call: CallBody, address: string): boolean {
  return call.arguments.includes(`"${address}"`);
}

// The catalogue of misbehaviours: what each is called, what it can be told, and what it does. How it is done is in
// refusals.ts (instead of an answer), plan.ts (what the answer says) and framing.ts (the bytes it is sent in).

import type { OverflowVendor } from "./overflow.ts";

/** Where an answer can be broken off. `request`: before its head. */
export type Place = "request" | "headers" | "text" | "arguments";

export type RetryAfterForm =
  | "seconds"
  | "date"
  | "milliseconds"
  | "zero"
  | "negative"
  | "huge"
  | "garbage"
  | "none";

export type BadArguments =
  | "wrong-schema"
  | "duplicate-keys"
  | "deep-nesting"
  | "huge-number"
  | "not-a-number"
  | "lone-surrogate"
  | "trailing-comma"
  | "not-an-object";

// `{}` stands for "nothing to tell": such a misbehaviour can be written as its bare name.
type Nothing = Readonly<Record<string, never>>;

interface Settings {
  // Conditional refusals: they keep the step for the request that does not run into them.
  "refuse-object-tool-choice": Nothing;
  "refuse-required-tool-choice": Nothing;
  "refuse-json-schema": { status?: 400 | 422 };
  "refuse-tools": { as?: "openrouter" | "ollama" };
  "refuse-images": Nothing;
  "refuse-extension-origin": Nothing;
  "refuse-broken-history": Nothing;
  "demand-strict-tool-order": Nothing;
  "demand-thinking-echo": Nothing;
  "payment-required": { affordable: number };
  // Refusals that use up the step.
  "rate-limit": { form: RetryAfterForm; seconds?: number };
  "throttle-like-overflow": Nothing;
  overloaded: { when: "before" | "inside"; as?: "error" | "flat" | "failed" };
  unauthorized: Nothing;
  "model-not-found": Nothing;
  "server-error": { status?: 500 | 502 | 503 };
  overflow: { vendor: OverflowVendor };
  "html-error-page": { status?: number };
  "json-error-as-stream": Nothing;
  // Transport.
  drop: { at: Place };
  stall: { at: Place };
  "end-early": { at: Place };
  slow: { totalMs: number };
  "ping-only": { everyMs?: number; totalMs?: number };
  "json-instead-of-stream": Nothing;
  "cut-gzip": Nothing;
  // Framing.
  crlf: Nothing;
  "lone-cr": Nothing;
  bom: Nothing;
  comments: Nothing;
  "bare-colon": Nothing;
  "rewrapped-comments": Nothing;
  "no-space-after-data": Nothing;
  "several-data-lines": Nothing;
  "no-final-blank-line": Nothing;
  "unknown-events": Nothing;
  "no-done": Nothing;
  "text-after-done": Nothing;
  "split-utf8": Nothing;
  "one-byte-chunks": Nothing;
  "chunks-of": { bytes: number };
  "one-chunk": Nothing;
  // Usage.
  usage: { how: "last-chunk" | "with-last-delta" | "twice" | "negative" | "missing" };
  // Tool calls.
  "ignore-tools-above": { tokens: number };
  "call-in-text": { form: "prose" | "fenced" | "trailing-comma" | "tagged" | "thinking" };
  "same-call-ids": Nothing;
  "id-from-name": Nothing;
  "all-calls-at-index-0": Nothing;
  "index-reused": Nothing;
  "missing-call-id": Nothing;
  "missing-call-index": Nothing;
  "missing-call-name": Nothing;
  "call-name-in-pieces": Nothing;
  "arguments-as-object": Nothing;
  "empty-arguments": Nothing;
  "repeated-arguments": Nothing;
  "truncated-arguments": Nothing;
  "bad-arguments": { form: BadArguments };
  "two-finishes": Nothing;
  "finish-says-stop": Nothing;
}

export type MisbehaviourKind = keyof Settings;

export type Misbehaviour = {
  [Kind in MisbehaviourKind]: Nothing extends Settings[Kind]
    ? Kind | ({ kind: Kind } & Settings[Kind])
    : { kind: Kind } & Settings[Kind];
}[MisbehaviourKind];

/** What each does, in one line. The README's table is made of the same lines. */
export const catalogue: Readonly<Record<MisbehaviourKind, string>> = {
  "refuse-object-tool-choice": "400 to a tool choice that names a tool; keeps the step",
  "refuse-required-tool-choice": "400 to a tool choice that forces any tool; keeps the step",
  "refuse-json-schema": "400 (or `status: 422`) to an answer schema; keeps the step",
  "refuse-tools": "404 (`as: \"openrouter\"`) or 400 (`as: \"ollama\"`) to a request with tools; keeps the step",
  "refuse-images": "400 to a request with an image; keeps the step",
  "refuse-extension-origin": "403 without a body to an Origin of a Chrome extension; keeps the step",
  "refuse-broken-history": "400 to an earlier call whose arguments are no JSON object; keeps the step",
  "demand-strict-tool-order": "400 unless results follow their calls in the order of the calls; keeps the step",
  "demand-thinking-echo": "sends thinking with its calls, and 400 to a later request that does not send it back",
  "payment-required": "402 when the output limit is absent or above `affordable` tokens; keeps the step",
  "rate-limit": "429 whose Retry-After has the given `form`",
  "throttle-like-overflow": "429 whose text reads like a context overflow",
  overloaded: "529 (Gemini, Responses, Ollama: 503) `before` the stream, or the same error `inside` it after some text; in Responses as an `error` event, as one whose fields are `flat`, or as a response that `failed`",
  unauthorized: "401 (Gemini: 400 API_KEY_INVALID, as there)",
  "model-not-found": "404 (Responses: 400) for the model",
  "server-error": "500, or the given `status`",
  overflow: "the context-overflow error of the given `vendor`",
  "html-error-page": "an HTML page with 200, or the given `status`",
  "json-error-as-stream": "a JSON error body with 200 and the type of a stream",
  drop: "breaks the connection at the given place",
  stall: "sends nothing more from the given place on, with the connection open",
  "end-early": "ends the body cleanly at the given place, without any end marker",
  slow: "spreads the pieces over `totalMs`",
  "ping-only": "pings and nothing else, until `totalMs` or until the client leaves",
  "json-instead-of-stream": "one JSON answer although a stream was asked for",
  "cut-gzip": "a gzip body that ends in the middle",
  crlf: "lines end with CR LF",
  "lone-cr": "lines end with CR",
  bom: "a byte order mark first",
  comments: "a comment before each event",
  "bare-colon": "a line of one colon before each event",
  "rewrapped-comments": "comments sent as data (`data: : ...`)",
  "no-space-after-data": "`data:` without the space",
  "several-data-lines": "each event's JSON over several data lines",
  "no-final-blank-line": "the last event is not closed by a blank line",
  "unknown-events": "events of an unknown type, and id and retry fields, in between",
  "no-done": "no end marker ([DONE], message_stop, finishReason, response.completed, `done: true`)",
  "text-after-done": "one more piece of text after the end marker",
  "split-utf8": "each character of several bytes is cut across two writes",
  "one-byte-chunks": "each byte is a chunk of its own",
  "chunks-of": "chunks of `bytes` bytes, without regard to events",
  "one-chunk": "the whole stream in one chunk",
  usage: "usage only in the last chunk, with the last delta, twice, negative or missing",
  "ignore-tools-above": "no calls, just talk, when the request is above `tokens` (as estimated)",
  "call-in-text": "the call as text: in prose, fenced, with a trailing comma, in tags, or in the thinking",
  "same-call-ids": "parallel calls with one id",
  "id-from-name": "the id of a call is its name",
  "all-calls-at-index-0": "parallel calls, each whole, all at index 0",
  "index-reused": "parallel calls in pieces, all at index 0, the later pieces without id",
  "missing-call-id": "calls without id",
  "missing-call-index": "calls without index",
  "missing-call-name": "calls without name",
  "call-name-in-pieces": "the name in two pieces",
  "arguments-as-object": "the arguments as an object where a string belongs",
  "empty-arguments": "the arguments as an empty string",
  "repeated-arguments": "the whole arguments first, and then again in pieces",
  "truncated-arguments": "the arguments end in the middle, and the output limit is the reason",
  "bad-arguments": "the arguments replaced by bad ones of the given `form`",
  "two-finishes": "the finish twice",
  "finish-says-stop": "calls, but a finish that says there are none",
};

type SettingsOf<Kind extends MisbehaviourKind> = { kind: Kind } & Settings[Kind];

/** The misbehaviours of one answer, by kind. */
export class Faults {
  readonly #byKind = new Map<string, { kind: string }>();

  constructor(misbehaviours: readonly Misbehaviour[]) {
    for (const misbehaviour of misbehaviours) {
      const fault = typeof misbehaviour === "string" ? { kind: misbehaviour } : misbehaviour;
      if (!(fault.kind in catalogue)) {
        throw new Error(`There is no misbehaviour "${fault.kind}". The README lists those there are.`);
      }
      this.#byKind.set(fault.kind, fault);
    }
  }

  has(kind: MisbehaviourKind): boolean {
    return this.#byKind.has(kind);
  }

  get<Kind extends MisbehaviourKind>(kind: Kind): SettingsOf<Kind> | undefined {
    return this.#byKind.get(kind) as SettingsOf<Kind> | undefined;
  }

  kinds(): MisbehaviourKind[] {
    return [...this.#byKind.keys()] as MisbehaviourKind[];
  }
}

export const listOf = (misbehave: Misbehaviour | Misbehaviour[] | undefined): Misbehaviour[] =>
  misbehave === undefined ? [] : Array.isArray(misbehave) ? misbehave : [misbehave];

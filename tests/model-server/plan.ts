// What an answer says: a step, with those misbehaviours worked in that change its content. The wire shapes turn a
// plan into bytes; what only one shape can do wrong (an index, a name in pieces) is left to it.

import { createHash } from "node:crypto";

import type { Gate } from "./gate.ts";
import { isRecord, parseJson } from "./json.ts";
import type { Faults, Place } from "./misbehave.ts";
import type { ModelRequest, ScriptedCall, Step, Stop, Usage } from "./script.ts";

/** A place where the answer is broken off. */
export class Cut {
  readonly how: "drop" | "stall" | "end-early" | "overloaded";

  constructor(how: Cut["how"]) {
    this.how = how;
  }
}

export type Piece = string | Gate | Cut;

export interface PlannedCall {
  id: string;
  name: string;
  pieces: Piece[];
  signature: string | null;
}

export interface Plan {
  /** Made of the request's number. */
  id: string;
  model: string;
  /** In Unix seconds. */
  created: number;
  thinking: Piece[];
  /** PNG images in Base64. */
  images: string[];
  /** Of the whole thinking; empty without any. */
  signature: string;
  text: Piece[];
  calls: PlannedCall[];
  until: Gate | undefined;
  stop: Stop;
  usage: Usage | null;
  includeUsage: boolean;
  showsThinking: boolean;
  sealsThinking: boolean;
  faults: Faults;
}

/** The text of pieces, without gates and cuts. */
export const textOf = (pieces: readonly Piece[]): string => pieces.filter((piece) => typeof piece === "string").join("");

/** What the server puts under a thought, and asks back. */
export const signatureOf = (thinking: string): string =>
  createHash("sha256").update(`scripted thought: ${thinking}`).digest("base64");

/** Four characters a token, as everyone estimates. */
export const estimateTokens = (text: string): number => Math.ceil(text.length / 4);

/** Small pieces, as a model sends them; no character is cut. */
export function inPieces(text: string, size = 12): string[] {
  const characters = Array.from(text);
  const pieces: string[] = [];
  for (let at = 0; at < characters.length; at += size) pieces.push(characters.slice(at, at + size).join(""));
  return pieces;
}

export function planAnswer(step: Step, request: ModelRequest, faults: Faults): Plan {
  const wanted = withoutIgnoredTools(step, request, faults);
  const scripted = (wanted.calls ?? []).map((call, index) => argumentsMadeBad(call, index, faults));
  const spoken = faults.get("call-in-text");
  const calls = spoken === undefined ? scripted : [];

  let thinking: Piece[] = inPieces(wanted.thinking ?? (faults.has("demand-thinking-echo") ? "A tool will tell." : ""));
  let text: Piece[] = wanted.pieces ?? inPieces(wanted.text ?? "");
  if (spoken?.form === "thinking") thinking = [...thinking, ...inPieces(callAsText(scripted, "tagged"))];
  else if (spoken !== undefined) text = [...text, ...inPieces(callAsText(scripted, spoken.form), 5)];

  const cut = cutOf(faults);
  const planned = calls.map((call, index) => planCall(call, index, request, faults));
  const argumentCut = cut?.at === "arguments" ? cut.cut : null;
  const thought = textOf(thinking);
  const signature = thought === "" ? "" : signatureOf(thought);
  const first = planned[0];
  if (first !== undefined && thought !== "") first.signature = signature;
  if (first !== undefined && argumentCut !== null) first.pieces = halved(first.pieces, argumentCut);

  const stop = wanted.stop ?? (planned.length > 0 ? "calls" : "stop");
  return {
    id: String(request.number),
    model: request.conversation.model,
    created: Math.floor(request.at / 1000),
    thinking,
    images: wanted.images ?? [],
    signature,
    text: cut?.at === "text" ? halved(text, cut.cut) : text,
    calls: planned,
    until: wanted.until,
    stop: faults.has("truncated-arguments") ? "length" : faults.has("finish-says-stop") ? "stop" : stop,
    usage: usageOf(wanted, request, thought, textOf(text), planned, faults),
    includeUsage: request.conversation.includeUsage,
    showsThinking: request.conversation.showsThinking,
    sealsThinking: request.conversation.sealsThinking,
    faults,
  };
}

function withoutIgnoredTools(step: Step, request: ModelRequest, faults: Faults): Step {
  const limit = faults.get("ignore-tools-above");
  if (limit === undefined || estimateTokens(request.text) <= limit.tokens) return step;
  const { calls: _ignored, ...rest } = step;
  const saysSomething = step.text !== undefined || step.pieces !== undefined;
  return { ...rest, stop: "stop", ...(saysSomething ? {} : { text: "Sure, I can help with that! What would you like to know?" }) };
}

function planCall(call: ScriptedCall, index: number, request: ModelRequest, faults: Faults): PlannedCall {
  const prefix = request.shape === "anthropic" ? "toolu" : "call";
  const number = faults.has("same-call-ids") ? 0 : index;
  const whole = call.pieces ?? argumentPieces(call.arguments);
  return {
    id: faults.has("id-from-name") ? call.name : faults.has("same-call-ids") || call.id === undefined
      ? `${prefix}_${request.number}_${number}`
      : call.id,
    name: call.name,
    pieces: faults.has("empty-arguments") ? [] : faults.has("truncated-arguments") ? firstHalf(whole) : whole,
    signature: null,
  };
}

const argumentsText = (value: object | string | undefined): string =>
  typeof value === "string" ? value : JSON.stringify(value ?? {});

const argumentPieces = (value: object | string | undefined): Piece[] => {
  const text = argumentsText(value);
  // Even the shortest arguments come in two pieces, so that there is a middle to break off in.
  return inPieces(text, Math.max(1, Math.min(12, Math.ceil(text.length / 2))));
};

const firstHalf = (pieces: readonly Piece[]): Piece[] => pieces.slice(0, Math.ceil(pieces.length / 2));

const halved = (pieces: readonly Piece[], cut: Cut): Piece[] => [...firstHalf(pieces), cut];

function argumentsMadeBad(call: ScriptedCall, index: number, faults: Faults): ScriptedCall {
  const bad = faults.get("bad-arguments");
  if (bad === undefined || index > 0) return call;
  const good = parseJson(argumentsText(call.arguments));
  const members = isRecord(good) ? JSON.stringify(good).slice(1, -1) : "";
  const more = (member: string) => `{${members === "" ? "" : `${members},`}${member}}`;
  switch (bad.form) {
    case "wrong-schema":
      return { ...call, arguments: JSON.stringify(Object.fromEntries(Object.keys(isRecord(good) ? good : {}).concat("value").map((key) => [key, { not: ["what", "was", "asked"] }]))) };
    case "duplicate-keys":
      return { ...call, arguments: `{"value":1,${members === "" ? "" : `${members},`}"value":2}` };
    case "deep-nesting":
      return { ...call, arguments: more(`"value":${"[".repeat(10_000)}${"]".repeat(10_000)}`) };
    case "huge-number":
      return { ...call, arguments: more('"value":1e400') };
    case "not-a-number":
      return { ...call, arguments: more('"value":NaN') };
    case "lone-surrogate":
      return { ...call, arguments: more('"value":"\\ud83d"') };
    case "trailing-comma":
      return { ...call, arguments: `{${members === "" ? '"value":1' : members},}` };
    case "not-an-object":
      return { ...call, arguments: "[1,2,3]" };
  }
}

function callAsText(calls: readonly ScriptedCall[], form: "prose" | "fenced" | "trailing-comma" | "tagged"): string {
  return calls
    .map((call) => {
      const json = `{"name": ${JSON.stringify(call.name)}, "arguments": ${argumentsText(call.arguments)}}`;
      switch (form) {
        case "prose":
          return `\nI will call the tool now: ${json} and then tell you what it said.`;
        case "fenced":
          return `\n\`\`\`json\n${json}\n\`\`\`\n`;
        case "trailing-comma":
          return `\n\`\`\`json\n${json.slice(0, -1)},}\n\`\`\`\n`;
        case "tagged":
          return `\n<tool_call>\n${json}\n</tool_call>`;
      }
    })
    .join("");
}

function cutOf(faults: Faults): { at: Place; cut: Cut } | null {
  for (const kind of ["drop", "stall", "end-early"] as const) {
    const fault = faults.get(kind);
    if (fault !== undefined) return { at: fault.at, cut: new Cut(kind) };
  }
  return faults.get("overloaded")?.when === "inside" ? { at: "text", cut: new Cut("overloaded") } : null;
}

/** Where and how the answer is broken off before any of its content. */
export function earlyCut(faults: Faults): { at: "request" | "headers"; cut: Cut } | null {
  const found = cutOf(faults);
  return found?.at === "request" || found?.at === "headers" ? { at: found.at, cut: found.cut } : null;
}

function usageOf(step: Step, request: ModelRequest, thinking: string, text: string, calls: PlannedCall[], faults: Faults): Usage | null {
  const how = faults.get("usage")?.how;
  if (how === "missing" || step.usage === null) return null;
  if (how === "negative") return { input: -1, output: -1 };
  if (step.usage !== undefined) return step.usage;
  const said = text + calls.map((call) => call.name + textOf(call.pieces)).join("");
  const reasoning = estimateTokens(thinking);
  return { input: estimateTokens(request.text), output: estimateTokens(said) + reasoning, reasoning };
}

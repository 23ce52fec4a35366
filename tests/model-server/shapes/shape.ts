// What a wire shape is: it reads requests as its service does, and turns a plan into the service's answers.

import { RefusalError } from "../check.ts";
import type { Field, Refusal } from "../check.ts";
import type { Gate } from "../gate.ts";
import { RawJson, parseJson } from "../json.ts";
import type { Faults } from "../misbehave.ts";
import { textOf } from "../plan.ts";
import type { Cut, Piece, Plan, PlannedCall } from "../plan.ts";
import { parametersProblem } from "../schema.ts";
import type { SchemaProblem, SchemaRules } from "../schema.ts";
import type { Conversation, ConversationMessage, ShapeName } from "../script.ts";

/** One event of a stream. */
export class Frame {
  readonly event: string | null;
  readonly data: unknown;

  constructor(event: string | null, data: unknown) {
    this.event = event;
    this.data = data;
  }
}

/** Half an event: what went out when a connection broke in the middle of one. */
export class HalfFrame {
  readonly frame: Frame;

  constructor(frame: Frame) {
    this.frame = frame;
  }
}

export type Item = Frame | HalfFrame | Gate | Cut;

export interface Incoming {
  /** For Gemini, from the path. */
  model: string;
  stream: boolean;
  headers: Readonly<Record<string, string>>;
  body: Field;
}

export interface Shape {
  readonly name: ShapeName;
  /** Throws a RefusalError for what the service would refuse. */
  read(incoming: Incoming): Conversation;
  stream(plan: Plan): Item[];
  /** The answer when no stream was asked for. */
  whole(plan: Plan): unknown;
  errorBody(refusal: Refusal): unknown;
  /** How an error comes when the head with 200 is already out. */
  errorFrame(refusal: Refusal, faults: Faults): Frame;
  /** What keeps a quiet connection alive; null: a comment. */
  readonly ping: Frame | null;
  /** Text where none belongs any more. */
  strayText(plan: Plan): Frame;
  unknownEvent(): Frame;
  /** The first misbehaviour that has no form in this shape, or null. */
  cannot(faults: Faults): string | null;
}

/** A message of the neutral form with nothing in it. */
export const blank = (role: ConversationMessage["role"]): ConversationMessage =>
  ({ role, text: "", thinking: "", calls: [], results: [], images: 0 });

/** Makes a frame of each piece of text; gates and cuts stay as they are. */
export const framed = (pieces: readonly Piece[], frame: (text: string) => Frame): Item[] =>
  pieces.map((piece) => (typeof piece === "string" ? frame(piece) : piece));

/** The arguments as an object on the wire. Broken ones are sent as broken as they are, cut ones as none. */
export function argumentsObject(call: PlannedCall, faults: Faults): unknown {
  const text = textOf(call.pieces);
  if (text === "" || faults.has("truncated-arguments")) return {};
  return parseJson(text) === undefined || faults.has("bad-arguments") ? new RawJson(text) : parseJson(text);
}

/** Checks that tool names are unique and well formed, and their parameters a schema. */
export function checkTool(
  name: Field, seen: Set<string>, pattern: RegExp, parameters: unknown, rules: SchemaRules,
  describe: (problem: SchemaProblem, tool: string) => Refusal,
): string {
  const tool = name.string();
  if (!pattern.test(tool)) name.fail(`string does not match pattern. Expected a string that matches the pattern '${pattern.source}'.`);
  if (seen.has(tool)) name.fail(`Tool names must be unique: '${tool}' is there twice.`);
  seen.add(tool);
  const problem = parameters === undefined || parameters === null ? null : parametersProblem(parameters, rules);
  if (problem !== null) throw new RefusalError(describe(problem, tool));
  return tool;
}

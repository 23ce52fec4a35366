// Sends an answer: a plan as a stream or as one body, or an error instead.

import { gzipSync } from "node:zlib";

import type { Refusal } from "./check.ts";
import { Chunker, byteOrderMark, eventText, lineText, pingText, preamble, withoutLastEnd } from "./framing.ts";
import { Gate } from "./gate.ts";
import { toJson } from "./json.ts";
import type { Faults } from "./misbehave.ts";
import { Cut, earlyCut } from "./plan.ts";
import type { Plan } from "./plan.ts";
import { overloaded } from "./refusals.ts";
import type { Step } from "./script.ts";
import { Frame, HalfFrame } from "./shapes/shape.ts";
import type { Item, Shape } from "./shapes/shape.ts";
import { isBreak } from "./wire.ts";
import type { Wire } from "./wire.ts";

export async function sendRefusal(wire: Wire, shape: Shape, refusal: Refusal): Promise<void> {
  const body = refusal.body === undefined ? JSON.stringify(shape.errorBody(refusal)) : (refusal.body ?? "");
  const headers = { ...(body === "" ? {} : { "content-type": "application/json" }), ...refusal.headers };
  wire.head(refusal.status, headers);
  if (body !== "") await wire.write(body);
  await wire.end();
}

/** How a stream is framed: as events, as lines (Ollama), or (Gemini without `alt=sse`) as the elements of one JSON array. */
export type StreamForm = "events" | "lines" | "array";

const contentTypes: Readonly<Record<StreamForm, string>> = {
  events: "text/event-stream; charset=utf-8",
  lines: "application/x-ndjson",
  array: "application/json",
};

const frameText = (frame: Frame, faults: Faults, stream: StreamForm): string =>
  stream === "lines" ? lineText(frame, faults) : eventText(frame, faults);

export async function sendAnswer(wire: Wire, shape: Shape, plan: Plan, step: Step, stream: StreamForm | null): Promise<void> {
  const { faults } = plan;
  const early = earlyCut(faults);
  if (early?.at === "request" && isBreak(early.cut)) await wire.cut(early.cut.how);
  if (stream === null || faults.has("json-instead-of-stream")) return sendWhole(wire, shape, plan, step);

  const gzip = faults.has("cut-gzip") ? { "content-encoding": "gzip" } : {};
  wire.head(200, { "content-type": contentTypes[stream], "cache-control": "no-cache", ...gzip });
  if (early !== null && isBreak(early.cut)) await wire.cut(early.cut.how);
  const ping = faults.get("ping-only");
  if (ping !== undefined) return sendPings(wire, shape, faults, ping.everyMs ?? 1000, ping.totalMs ?? Infinity);

  const items = shape.stream(plan);
  if (faults.has("text-after-done")) items.push(shape.strayText(plan));
  if (faults.has("cut-gzip")) return sendHalfOfGzip(wire, items, faults, stream);
  await wire.pause(step.delayMs ?? 0);
  await sendItems(wire, shape, items, plan, step, stream);
}

async function sendItems(wire: Wire, shape: Shape, items: readonly Item[], plan: Plan, step: Step, stream: StreamForm): Promise<void> {
  const { faults } = plan;
  const chunker = new Chunker(faults);
  const totalMs = faults.get("slow")?.totalMs;
  const frames = items.filter((item) => item instanceof Frame).length;
  const pauseMs = totalMs === undefined ? (step.chunkDelayMs ?? 0) : totalMs / frames;
  const write = async (chunks: readonly Buffer[]) => {
    for (const chunk of chunks) await wire.write(chunk);
  };

  let sent = 0;
  for (const [index, item] of items.entries()) {
    if (item instanceof Frame) {
      await write(chunker.push(itemText(item, faults, stream, { first: sent === 0, last: index === items.length - 1, unknown: shape.unknownEvent() })));
      sent += 1;
      await wire.pause(pauseMs);
    } else if (item instanceof HalfFrame) {
      const text = itemText(item.frame, faults, stream, { first: sent === 0, last: false, unknown: shape.unknownEvent() });
      await write(chunker.push(text.slice(0, Math.floor(text.length / 2))));
    } else {
      await write(chunker.flush());
      if (item instanceof Gate) await wire.gate(item);
      else if (isBreak(item)) await wire.cut(item.how);
      else {
        await write([Buffer.from(frameText(shape.errorFrame(overloaded(shape.name), faults), faults, stream))]);
        return wire.end();
      }
    }
  }
  if (stream === "array") await write(chunker.push("]"));
  await write(chunker.flush());
  await wire.end();
}

interface Position {
  first: boolean;
  last: boolean;
  unknown: Frame;
}

function itemText(frame: Frame, faults: Faults, stream: StreamForm, at: Position): string {
  if (stream === "array") return (at.first ? "[" : ",\r\n") + toJson(frame.data);
  const mark = at.first && faults.has("bom") ? byteOrderMark : "";
  const before = stream === "events" ? preamble(faults, at.unknown) : faults.has("unknown-events") ? lineText(at.unknown, faults) : "";
  const text = mark + before + frameText(frame, faults, stream);
  return at.last && faults.has("no-final-blank-line") ? withoutLastEnd(text) : text;
}

async function sendPings(wire: Wire, shape: Shape, faults: Faults, everyMs: number, totalMs: number): Promise<void> {
  for (let passed = 0; passed < totalMs; passed += everyMs) {
    await wire.write(pingText(shape.ping, faults));
    await wire.pause(everyMs);
  }
  await wire.end();
}

async function sendHalfOfGzip(wire: Wire, items: readonly Item[], faults: Faults, stream: StreamForm): Promise<void> {
  const text = items.filter((item) => item instanceof Frame).map((frame) => frameText(frame, faults, stream)).join("");
  const bytes = gzipSync(text);
  await wire.write(bytes.subarray(0, Math.floor(bytes.length / 2)));
  await wire.end();
}

async function sendWhole(wire: Wire, shape: Shape, plan: Plan, step: Step): Promise<void> {
  await wire.pause(plan.faults.get("slow")?.totalMs ?? step.delayMs ?? 0);
  const pieces = [...plan.text, ...plan.calls.flatMap((call) => call.pieces), ...(plan.until === undefined ? [] : [plan.until])];
  for (const piece of pieces) if (piece instanceof Gate) await wire.gate(piece);
  const cut = pieces.find((piece) => piece instanceof Cut);
  if (cut !== undefined && !isBreak(cut)) return sendRefusal(wire, shape, overloaded(shape.name));

  const text = toJson(shape.whole(plan));
  wire.head(200, { "content-type": "application/json" });
  const early = earlyCut(plan.faults);
  if (early !== null && isBreak(early.cut)) await wire.cut(early.cut.how);
  if (cut !== undefined && isBreak(cut)) {
    await wire.write(text.slice(0, Math.floor(text.length / 2)));
    await wire.cut(cut.how);
  }
  const chunker = new Chunker(plan.faults);
  for (const chunk of [...chunker.push(text), ...chunker.flush()]) await wire.write(chunk);
  await wire.end();
}

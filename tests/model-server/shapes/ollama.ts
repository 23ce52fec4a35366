// Ollama's own chat: what it answers, one JSON object a line.

import type { Refusal } from "../check.ts";
import { Gate } from "../gate.ts";
import { Cut, textOf } from "../plan.ts";
import type { Plan, PlannedCall } from "../plan.ts";
import { read } from "./ollama_request.ts";
import { Frame, HalfFrame, argumentsObject, framed } from "./shape.ts";
import type { Item, Shape } from "./shape.ts";

const line = (plan: Plan, message: object): Frame => new Frame(null, { ...head(plan), message: { role: "assistant", content: "", ...message }, done: false });

const head = (plan: Plan) => ({ model: plan.model, created_at: new Date(plan.created * 1000).toISOString() });

function stream(plan: Plan): Item[] {
  const { faults } = plan;
  const items: Item[] = [
    ...(plan.showsThinking ? framed(plan.thinking, (thinking) => line(plan, { thinking })) : []),
    ...framed(plan.text, (content) => line(plan, { content })),
    ...sentCalls(plan).flatMap((call, index) => streamCall(call, index, plan)),
  ];
  if (plan.until !== undefined) items.push(plan.until);
  if (faults.has("no-done")) return items;
  const end = new Frame(null, { ...head(plan), message: { role: "assistant", content: "" }, ...ending(plan) });
  items.push(end);
  if (faults.has("two-finishes") || faults.get("usage")?.how === "twice") items.push(end);
  return items;
}

/** A call is never cut on this wire: of one that did not fit, nothing can be read. */
const sentCalls = (plan: Plan): PlannedCall[] => (plan.faults.has("truncated-arguments") ? [] : plan.calls);

function streamCall(call: PlannedCall, index: number, plan: Plan): Item[] {
  const frame = line(plan, { tool_calls: [callBody(call, index, plan)] });
  // A call is one line here: gates stand before it, and a break comes in the middle of it.
  const items: Item[] = call.pieces.filter((piece) => piece instanceof Gate);
  const cut = call.pieces.find((piece) => piece instanceof Cut);
  if (cut !== undefined) return [...items, new HalfFrame(frame), cut];
  return plan.faults.has("repeated-arguments") ? [...items, frame, frame] : [...items, frame];
}

function callBody(call: PlannedCall, index: number, { faults }: Plan): object {
  return {
    ...(faults.has("missing-call-id") ? {} : { id: call.id }),
    function: {
      ...(faults.has("missing-call-index") ? {} : { index: faults.has("all-calls-at-index-0") ? 0 : index }),
      ...(faults.has("missing-call-name") ? {} : { name: call.name }),
      ...(faults.has("empty-arguments") ? {} : { arguments: argumentsObject(call, faults) }),
    },
  };
}

/** It has no word for calls, and none for what a filter stopped. */
const doneReason = (plan: Plan): string => (plan.stop === "length" ? "length" : "stop");

const ending = (plan: Plan): object => ({
  done: true,
  done_reason: doneReason(plan),
  total_duration: 4_883_583_458,
  load_duration: 1_334_875,
  ...(plan.usage === null ? {} : {
    prompt_eval_count: plan.usage.input,
    prompt_eval_duration: 342_546_000,
    eval_count: plan.usage.output,
    eval_duration: 4_535_599_000,
  }),
});

function whole(plan: Plan): unknown {
  const thinking = plan.showsThinking ? textOf(plan.thinking) : "";
  const calls = sentCalls(plan).map((call, index) => callBody(call, index, plan));
  const message = {
    role: "assistant",
    content: textOf(plan.text),
    ...(thinking === "" ? {} : { thinking }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
  return { ...head(plan), message, ...ending(plan) };
}

const errorBody = (refusal: Refusal): unknown => ({ error: refusal.message });

export const ollama: Shape = {
  name: "ollama",
  read,
  stream,
  whole,
  errorBody,
  errorFrame: (refusal) => new Frame(null, errorBody(refusal)),
  ping: null,
  strayText: (plan) => line(plan, { content: "after the end" }),
  unknownEvent: () => new Frame(null, { weather_report: { sky: "clear" } }),
  cannot: (faults) => {
    const { how } = faults.get("usage") ?? {};
    if (how === "with-last-delta") return "usage with-last-delta";
    if (faults.get("overloaded")?.as !== undefined) return "overloaded as";
    return (
      [
        // There is no choice of a tool.
        "refuse-object-tool-choice", "refuse-required-tool-choice",
        // There are no events.
        "ping-only", "lone-cr", "comments", "bare-colon", "rewrapped-comments", "no-space-after-data", "several-data-lines",
        // A call comes whole, and its arguments are an object.
        "refuse-broken-history", "index-reused", "call-name-in-pieces", "arguments-as-object",
        // Whether there are calls is not said at the end.
        "finish-says-stop",
      ] as const
    ).find((kind) => faults.has(kind)) ?? null;
  },
};

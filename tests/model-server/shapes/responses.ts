// OpenAI's Responses: what they answer.

import type { Refusal } from "../check.ts";
import type { Faults } from "../misbehave.ts";
import { textOf } from "../plan.ts";
import type { Plan, PlannedCall } from "../plan.ts";
import { read, sealed } from "./responses_request.ts";
import { Frame, argumentsObject, framed } from "./shape.ts";
import type { Item, Shape } from "./shape.ts";

type MakeEvent = (type: string, fields: object) => Frame;

/** Events number themselves, so they have to be made in the order in which they are sent. */
function numbered(): MakeEvent {
  let next = 0;
  return (type, fields) => new Frame(type, { type, sequence_number: next++, ...fields });
}

function stream(plan: Plan): Item[] {
  const event = numbered();
  const begun = responseBody(plan, "in_progress", []);
  const items: Item[] = [event("response.created", { response: begun }), event("response.in_progress", { response: begun })];
  let index = 0;
  if (plan.thinking.length > 0) items.push(...streamThought(plan, index++, event));
  if (plan.text.length > 0) items.push(...streamText(plan, index++, event));
  for (const call of plan.calls) items.push(...streamCall(call, index++, plan, event));
  if (plan.until !== undefined) items.push(plan.until);

  const { faults } = plan;
  if (faults.has("no-done")) return items;
  const end = `response.${statusOf(plan)}`;
  const times = faults.has("two-finishes") || faults.get("usage")?.how === "twice" ? 2 : 1;
  for (let time = 0; time < times; time += 1) items.push(event(end, { response: whole(plan) }));
  return items;
}

function streamThought(plan: Plan, index: number, event: MakeEvent): Item[] {
  const item = thoughtItem(plan);
  const at = { item_id: item.id, output_index: index };
  const added = event("response.output_item.added", { output_index: index, item: { ...item, summary: [], ...(plan.sealsThinking ? { encrypted_content: "" } : {}) } });
  if (!plan.showsThinking) return [added, event("response.output_item.done", { output_index: index, item })];
  const part = { ...at, summary_index: 0 };
  const text = textOf(plan.thinking);
  return [
    added,
    event("response.reasoning_summary_part.added", { ...part, part: { type: "summary_text", text: "" } }),
    ...framed(plan.thinking, (delta) => event("response.reasoning_summary_text.delta", { ...part, delta })),
    event("response.reasoning_summary_text.done", { ...part, text }),
    event("response.reasoning_summary_part.done", { ...part, part: { type: "summary_text", text } }),
    event("response.output_item.done", { output_index: index, item }),
  ];
}

function streamText(plan: Plan, index: number, event: MakeEvent): Item[] {
  const item = messageItem(plan);
  const part = { item_id: item.id, output_index: index, content_index: 0 };
  const outputText = (text: string) => ({ type: "output_text", annotations: [], logprobs: [], text });
  const text = textOf(plan.text);
  return [
    event("response.output_item.added", { output_index: index, item: { ...item, status: "in_progress", content: [] } }),
    event("response.content_part.added", { ...part, part: outputText("") }),
    ...framed(plan.text, (delta) => event("response.output_text.delta", { ...part, delta, logprobs: [] })),
    event("response.output_text.done", { ...part, text, logprobs: [] }),
    event("response.content_part.done", { ...part, part: outputText(text) }),
    event("response.output_item.done", { output_index: index, item }),
  ];
}

function streamCall(call: PlannedCall, index: number, plan: Plan, event: MakeEvent): Item[] {
  const { faults } = plan;
  const item = callItem(call, plan);
  const atZero = faults.has("all-calls-at-index-0") || faults.has("index-reused");
  const place = faults.has("missing-call-index") ? {} : { output_index: atZero ? 0 : index };
  const part = faults.has("index-reused") ? place : { item_id: item.id, ...place };
  const isWhole = faults.has("arguments-as-object") || faults.has("all-calls-at-index-0");
  const first = faults.has("all-calls-at-index-0") || faults.has("repeated-arguments") ? item.arguments : "";
  return [
    event("response.output_item.added", { ...place, item: { ...item, status: "in_progress", arguments: first } }),
    ...(isWhole ? [] : framed(call.pieces, (delta) => event("response.function_call_arguments.delta", { ...part, delta }))),
    event("response.function_call_arguments.done", { ...part, arguments: item.arguments }),
    event("response.output_item.done", { ...place, item }),
  ];
}

const thoughtItem = (plan: Plan) => ({
  // The service's ids are random; a call's thought is told by the call.
  id: `rs_${plan.calls[0]?.id ?? plan.id}`,
  type: "reasoning",
  summary: plan.showsThinking ? [{ type: "summary_text", text: textOf(plan.thinking) }] : [],
  ...(plan.sealsThinking ? { encrypted_content: sealed(textOf(plan.thinking)) } : {}),
});

const messageItem = (plan: Plan) => ({
  id: `msg_${plan.id}`,
  type: "message",
  status: itemStatus(plan),
  role: "assistant",
  content: [{ type: "output_text", annotations: [], logprobs: [], text: textOf(plan.text) }],
});

const callItem = (call: PlannedCall, plan: Plan) => ({
  id: `fc_${call.id}`,
  type: "function_call",
  status: itemStatus(plan),
  arguments: plan.faults.has("arguments-as-object") ? argumentsObject(call, plan.faults) : textOf(call.pieces),
  ...(plan.faults.has("missing-call-id") ? {} : { call_id: call.id }),
  ...(plan.faults.has("missing-call-name") ? {} : { name: call.name }),
});

const statusOf = (plan: Plan): "completed" | "incomplete" =>
  plan.stop === "length" || plan.stop === "filter" ? "incomplete" : "completed";

/** Only what does not fit is cut in the middle. */
const itemStatus = (plan: Plan): string => (plan.stop === "length" ? "incomplete" : "completed");

function responseBody(plan: Plan, status: "in_progress" | "completed" | "incomplete", output: object[]): object {
  const reason = plan.stop === "filter" ? "content_filter" : "max_output_tokens";
  return {
    id: `resp_${plan.id}`, object: "response", created_at: plan.created, status, background: false, error: null,
    incomplete_details: status === "incomplete" ? { reason } : null,
    instructions: null, max_output_tokens: null, model: plan.model, output, parallel_tool_calls: true,
    previous_response_id: null, reasoning: { effort: null, summary: null }, store: false, temperature: 1,
    text: { format: { type: "text" } }, tool_choice: "auto", tools: [], top_p: 1, truncation: "disabled",
    usage: status === "in_progress" ? null : usageBody(plan), user: null, metadata: {},
  };
}

function usageBody({ usage }: Plan): object | null {
  return usage && {
    input_tokens: usage.input,
    input_tokens_details: { cached_tokens: usage.cached ?? 0 },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
    total_tokens: usage.input + usage.output,
  };
}

const whole = (plan: Plan): object => responseBody(plan, statusOf(plan), [
  ...(plan.thinking.length > 0 ? [thoughtItem(plan)] : []),
  ...(plan.text.length > 0 ? [messageItem(plan)] : []),
  ...plan.calls.map((call) => callItem(call, plan)),
]);

const errorTypes: Readonly<Record<number, string>> = { 429: "rate_limit_exceeded", 500: "server_error", 502: "server_error", 503: "server_error" };

const errorFields = (refusal: Refusal) => ({
  type: refusal.type ?? errorTypes[refusal.status] ?? "invalid_request_error",
  code: refusal.code ?? null,
  message: refusal.message,
  param: refusal.param ?? null,
});

const errorBody = (refusal: Refusal): unknown => ({ error: errorFields(refusal) });

/** The reference has the fields of an error beside its type; what comes from the service has them in an object. */
function errorFrame(refusal: Refusal, faults: Faults): Frame {
  const { code, message, param, type } = errorFields(refusal);
  const place = { sequence_number: 1_000 };
  switch (faults.get("overloaded")?.as ?? "error") {
    case "error":
      return new Frame("error", { type: "error", ...place, error: { type, code, message, param } });
    case "flat":
      return new Frame("error", { type: "error", code, message, param, ...place });
    case "failed":
      return new Frame("response.failed", {
        type: "response.failed",
        ...place,
        response: { id: "resp_failed", object: "response", status: "failed", error: { code: code ?? "server_error", message }, incomplete_details: null, output: [], usage: null },
      });
  }
}

export const responses: Shape = {
  name: "openai-responses",
  read,
  stream,
  whole,
  errorBody,
  errorFrame,
  ping: null,
  strayText: (plan) => new Frame("response.output_text.delta", {
    type: "response.output_text.delta", sequence_number: 1_000, item_id: `msg_${plan.id}`, output_index: 0, content_index: 0,
    delta: "after the end", logprobs: [],
  }),
  unknownEvent: () => new Frame("weather_report", { type: "weather_report", sky: "clear" }),
  cannot: (faults) => {
    if (faults.get("usage")?.how === "with-last-delta") return "usage with-last-delta";
    // Whether there are calls is not said anywhere, so it cannot be said wrongly.
    return (["call-name-in-pieces", "finish-says-stop"] as const).find((kind) => faults.has(kind)) ?? null;
  },
};

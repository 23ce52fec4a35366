// Google's Gemini: generateContent and streamGenerateContent.

import { RefusalError, bracketPath } from "../check.ts";
import type { Dialect, Field, Refusal } from "../check.ts";
import { Gate } from "../gate.ts";
import { Cut, textOf } from "../plan.ts";
import type { Plan, PlannedCall } from "../plan.ts";
import { emptyConversation } from "../script.ts";
import type { Conversation, ConversationMessage, ToolChoice } from "../script.ts";
import { Frame, HalfFrame, argumentsObject, checkTool, framed } from "./shape.ts";
import type { Incoming, Item, Shape } from "./shape.ts";

const refuse = (message: string): Refusal => ({ status: 400, message });

export const dialect: Dialect = {
  missing: (path) => refuse(`* GenerateContentRequest.${bracketPath(path)}: must be specified`),
  wrongType: (path, expected) => refuse(`Invalid value at '${bracketPath(path)}' (expected ${expected}).`),
  unknown: (path) => refuse(
    `Invalid JSON payload received. Unknown name "${String(path.at(-1))}"${path.length > 1 ? ` at '${bracketPath(path.slice(0, -1))}'` : ""}: Cannot find field.`,
  ),
  invalid: (path, complaint) => refuse(`* GenerateContentRequest.${bracketPath(path)}: ${complaint}`),
};

function read({ model, stream, body }: Incoming): Conversation {
  body.object(["contents", "tools", "toolConfig", "safetySettings", "systemInstruction", "generationConfig", "cachedContent", "model", "serviceTier", "store"]);
  const conversation = emptyConversation();
  conversation.model = model;
  conversation.stream = stream;
  const system = body.at("systemInstruction");
  if (system.present) conversation.system = system.required("parts").list().map((part) => part.required("text").string()).join("\n");
  readTools(body, conversation);
  conversation.toolChoice = readToolChoice(body, conversation);
  readGenerationConfig(body.at("generationConfig"), conversation);
  readContents(body.at("contents"), conversation);
  return conversation;
}

function readGenerationConfig(config: Field, conversation: Conversation): void {
  if (!config.present) return;
  config.object([
    "stopSequences", "responseMimeType", "responseSchema", "responseJsonSchema", "responseModalities", "candidateCount",
    "maxOutputTokens", "temperature", "topP", "topK", "seed", "presencePenalty", "frequencyPenalty", "responseLogprobs",
    "logprobs", "thinkingConfig", "mediaResolution",
  ]);
  if (config.at("maxOutputTokens").present) conversation.maxTokens = config.at("maxOutputTokens").integer(1);
  if (config.at("temperature").present) config.at("temperature").number(0, 2);
  conversation.jsonSchema = config.at("responseSchema").present || config.at("responseJsonSchema").present;
}

function readTools(body: Field, conversation: Conversation): void {
  const seen = new Set<string>();
  for (const tool of body.at("tools").present ? body.at("tools").list() : []) {
    tool.object(["functionDeclarations", "googleSearch", "codeExecution", "urlContext"]);
    const declarations = tool.at("functionDeclarations");
    for (const declaration of declarations.present ? declarations.list() : []) {
      declaration.object(["name", "description", "behavior", "parameters", "parametersJsonSchema", "response", "responseJsonSchema"]);
      const ownDialect = declaration.at("parameters").present;
      const schema = declaration.at(ownDialect ? "parameters" : "parametersJsonSchema");
      const rules = { strict: false, gemini: ownDialect };
      const name = checkTool(declaration.required("name"), seen, /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/, schema.value, rules, (problem) =>
        problem.unknownKeyword === undefined
          ? dialect.invalid([...schema.path, ...problem.path], problem.complaint)
          : dialect.unknown([...schema.path, ...problem.path, problem.unknownKeyword]));
      const description = declaration.at("description").present ? declaration.at("description").string() : "";
      conversation.tools.push({ name, description, parameters: schema.value });
    }
  }
}

function readToolChoice(body: Field, conversation: Conversation): ToolChoice {
  const config = body.at("toolConfig").at("functionCallingConfig");
  if (!config.present) return { mode: "auto" };
  config.object(["mode", "allowedFunctionNames"]);
  const mode = config.at("mode").present ? config.at("mode").oneOf(["MODE_UNSPECIFIED", "AUTO", "ANY", "NONE", "VALIDATED"]) : "AUTO";
  const allowed = config.at("allowedFunctionNames").present ? config.at("allowedFunctionNames").list().map((name) => name.string()) : [];
  if (allowed.length > 0 && mode !== "ANY" && mode !== "VALIDATED") config.fail("allowed_function_names should only be set when function calling mode is ANY or VALIDATED.");
  const unknown = allowed.find((name) => !conversation.tools.some((tool) => tool.name === name));
  if (unknown !== undefined) config.fail(`allowed_function_names contains '${unknown}', which is no declared function.`);
  if (mode === "NONE") return { mode: "none" };
  if (mode !== "ANY") return { mode: "auto" };
  const [only] = allowed;
  return only === undefined ? { mode: "required" } : { mode: "tool", name: only };
}

function readContents(field: Field, conversation: Conversation): void {
  const contents = field.present ? field.list() : [];
  if (contents.length === 0) field.fail("contents is not specified");
  let open: { id: string; name: string }[] = [];
  let previous: ConversationMessage["role"] | null = null;
  for (const content of contents) {
    content.object(["role", "parts"]);
    const role = content.at("role").present ? content.at("role").value : "user";
    if (role !== "user" && role !== "model") throw new RefusalError(refuse("Please use a valid role: user, model."));
    const parts = content.at("parts").present ? content.at("parts").list() : [];
    if (parts.length === 0) content.at("parts").fail("contents.parts must not be empty.");
    const message = readParts(parts, role);
    const results = message.results;
    if (message.calls.length > 0 && previous === null) failOnTurn();
    if (message.calls.length > 0 && previous === "assistant") failOnTurn();
    if (results.length !== open.length) {
      throw new RefusalError(refuse("Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn."));
    }
    for (const result of results) {
      const at = open.findIndex((call) => call.name === result.name && (result.id === "" || call.id === "" || call.id === result.id));
      if (at < 0) throw new RefusalError(refuse(`Function response '${result.name}' has no function call of that name and id in the turn before.`));
      open.splice(at, 1);
    }
    open = message.calls.map(({ id, name }) => ({ id, name }));
    conversation.messages.push(...separated(message));
    previous = role === "model" ? "assistant" : results.length > 0 ? "tool" : "user";
  }
  if (open.length > 0) {
    throw new RefusalError(refuse("Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn."));
  }
}

function failOnTurn(): never {
  throw new RefusalError(refuse("Please ensure that function call turn comes immediately after a user turn or after a function response turn."));
}

function readParts(parts: readonly Field[], role: "user" | "model"): ConversationMessage {
  const message: ConversationMessage =
    { role: role === "model" ? "assistant" : "user", text: "", thinking: "", calls: [], results: [], images: 0 };
  const kinds = ["text", "inlineData", "fileData", "functionCall", "functionResponse"];
  for (const part of parts) {
    part.object([...kinds, "thought", "thoughtSignature", "executableCode", "codeExecutionResult", "videoMetadata"]);
    const given = kinds.filter((kind) => part.at(kind).value !== undefined);
    if (given.length !== 1 || given[0] === undefined) part.fail("required oneof field 'data' must have one initialized field");
    const data = part.required(given[0]);
    if (given[0] === "text") {
      if (part.at("thought").value === true) message.thinking += data.string();
      else message.text += data.string();
    } else if (given[0] === "functionCall") {
      data.object(["id", "name", "args"]);
      const args = data.at("args").present ? data.at("args").object() : {};
      message.calls.push({
        id: data.at("id").present ? data.at("id").string() : "",
        name: data.required("name").string(),
        arguments: JSON.stringify(args),
        signature: part.at("thoughtSignature").present ? part.at("thoughtSignature").string() : "",
      });
    } else if (given[0] === "functionResponse") {
      data.object(["id", "name", "response", "willContinue", "scheduling", "parts"]);
      const response = data.required("response").object();
      message.results.push({
        id: data.at("id").present ? data.at("id").string() : "",
        name: data.required("name").string(),
        text: resultText(response),
        isError: response["error"] !== undefined,
      });
    } else {
      message.images += 1;
    }
  }
  return message;
}

/** The usual keys for a plain text are `result`, `output` and `content`; any other object is its own text. */
function resultText(response: Record<string, unknown>): string {
  const plain = response["result"] ?? response["output"] ?? response["content"] ?? response["error"];
  return typeof plain === "string" ? plain : JSON.stringify(plain ?? response);
}

/** Results are a message of their own in the neutral form, before what the person says. */
function separated(message: ConversationMessage): ConversationMessage[] {
  if (message.results.length === 0) return [message];
  const results: ConversationMessage = { ...message, role: "tool", text: "", images: 0 };
  return message.text === "" && message.images === 0 ? [results] : [results, { ...message, results: [] }];
}

function stream(plan: Plan): Item[] {
  const { faults } = plan;
  const how = faults.get("usage")?.how;
  const chunk = (parts: object[], finish: string | null): Frame =>
    new Frame(null, {
      candidates: [{ content: { role: "model", parts }, ...(finish === null ? {} : { finishReason: finish }), index: 0 }],
      ...(plan.usage === null || (how === "last-chunk" && finish === null) ? {} : { usageMetadata: usageBody(plan) }),
      modelVersion: plan.model,
      responseId: plan.id,
    });
  const items: Item[] = [
    ...framed(plan.thinking, (text) => chunk([{ text, thought: true }], null)),
    ...framed(plan.text, (text) => chunk([{ text }], null)),
    ...framed(plan.images, (data) => chunk([{ inlineData: { mimeType: "image/png", data } }], null)),
    ...sentCalls(plan).flatMap((call) => streamCall(call, plan, chunk)),
  ];
  if (plan.until !== undefined) items.push(plan.until);

  const signed = plan.calls.length === 0 && plan.signature !== "" ? { thoughtSignature: plan.signature } : {};
  const finish = chunk([{ text: "", ...signed }], faults.has("no-done") ? null : stopWord(plan));
  items.push(finish);
  if (faults.has("two-finishes") || how === "twice") items.push(finish);
  return items;
}

/** A call is never cut on this wire: one that did not fit is left out. */
const sentCalls = (plan: Plan): PlannedCall[] => (plan.faults.has("truncated-arguments") ? [] : plan.calls);

function streamCall(call: PlannedCall, plan: Plan, chunk: (parts: object[], finish: string | null) => Frame): Item[] {
  const frame = chunk([callPart(call, plan)], null);
  // A call is one event here: gates stand before it, and a break comes in the middle of it.
  const items: Item[] = call.pieces.filter((piece) => piece instanceof Gate);
  const cut = call.pieces.find((piece) => piece instanceof Cut);
  if (cut !== undefined) return [...items, new HalfFrame(frame), cut];
  return plan.faults.has("repeated-arguments") ? [...items, frame, frame] : [...items, frame];
}

function callPart(call: PlannedCall, plan: Plan): object {
  const { faults } = plan;
  return {
    functionCall: {
      ...(faults.has("missing-call-id") ? {} : { id: call.id }),
      ...(faults.has("missing-call-name") ? {} : { name: call.name }),
      ...(faults.has("empty-arguments") ? {} : { args: argumentsObject(call, faults) }),
    },
    ...(call.signature === null ? {} : { thoughtSignature: call.signature }),
  };
}

const stopWord = (plan: Plan): string =>
  ({ stop: "STOP", calls: "STOP", length: "MAX_TOKENS", filter: "SAFETY" })[plan.stop];

function usageBody({ usage }: Plan): object {
  if (usage === null) return {};
  const reasoning = usage.reasoning ?? 0;
  return {
    promptTokenCount: usage.input,
    candidatesTokenCount: usage.output - reasoning,
    totalTokenCount: usage.input + usage.output,
    ...(usage.cached === undefined ? {} : { cachedContentTokenCount: usage.cached }),
    ...(reasoning === 0 ? {} : { thoughtsTokenCount: reasoning }),
  };
}

function whole(plan: Plan): unknown {
  const text = textOf(plan.text);
  const thinking = textOf(plan.thinking);
  const parts = [
    ...(thinking === "" ? [] : [{ text: thinking, thought: true }]),
    ...(text === "" ? [] : [{ text }]),
    ...plan.images.map((data) => ({ inlineData: { mimeType: "image/png", data } })),
    ...sentCalls(plan).map((call) => callPart(call, plan)),
  ];
  return {
    candidates: [{ content: { role: "model", parts }, finishReason: stopWord(plan), index: 0 }],
    ...(plan.usage === null ? {} : { usageMetadata: usageBody(plan) }),
    modelVersion: plan.model,
    responseId: plan.id,
  };
}

const statuses: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 402: "FAILED_PRECONDITION", 403: "PERMISSION_DENIED",
  404: "NOT_FOUND", 413: "INVALID_ARGUMENT", 429: "RESOURCE_EXHAUSTED", 500: "INTERNAL", 503: "UNAVAILABLE",
};

const errorBody = (refusal: Refusal): unknown => ({
  error: {
    code: refusal.status,
    message: refusal.message,
    status: refusal.type ?? statuses[refusal.status] ?? "UNKNOWN",
    ...(refusal.details === undefined ? {} : { details: refusal.details }),
  },
});

export const gemini: Shape = {
  name: "gemini",
  read,
  stream,
  whole,
  errorBody,
  errorFrame: (refusal) => new Frame(null, errorBody(refusal)),
  ping: null,
  strayText: (plan) => new Frame(null, {
    candidates: [{ content: { role: "model", parts: [{ text: "after the end" }] }, index: 0 }],
    modelVersion: plan.model,
    responseId: plan.id,
  }),
  unknownEvent: () => new Frame("weather", { weatherReport: { sky: "clear" } }),
  cannot: (faults) =>
    (["call-name-in-pieces", "arguments-as-object", "missing-call-index", "all-calls-at-index-0", "index-reused", "finish-says-stop"] as const)
      .find((kind) => faults.has(kind)) ?? (faults.get("overloaded")?.as === undefined ? null : "overloaded as"),
};

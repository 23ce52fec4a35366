import assert from "node:assert/strict";

import { parseJson } from "../json.ts";
import type { BadArguments, MisbehaviourKind } from "../misbehave.ts";
import { piecesOf } from "../support.ts";
import type { ShapeName } from "../script.ts";
import { oneCall, twoCalls } from "./case.ts";
import type { Case, Sight } from "./case.ts";

/** Every match of a pattern in the raw stream. */
const all = ({ reply }: Sight, pattern: RegExp): string[] => [...reply.text.matchAll(new RegExp(pattern, "g"))].map((match) => match[1] ?? match[0]);

const indexesOfCalls = (sight: Sight): (string | undefined)[] =>
  piecesOf(sight.shape, sight.reply.text)
    .filter((data) => /"tool_calls":\[|"tool_use"(?!,"stop_seq)|input_json_delta|function_call/.test(data) && !data.includes('"response":'))
    .map((data) => (sight.shape === "openai" ? /"tool_calls":\[\{"index":(\d+)/ : /"(?:output_)?index":(\d+)/).exec(data)?.[1]);

/** The word for an end with calls. */
const finishWords: Readonly<Record<ShapeName, string>> = { openai: "tool_calls", "openai-responses": "completed", anthropic: "tool_use", gemini: "STOP", ollama: "stop" };

const talk = (form: "prose" | "fenced" | "trailing-comma" | "tagged" | "thinking", look: (said: string) => void): Case => ({
  what: form,
  misbehave: { kind: "call-in-text", form },
  step: oneCall,
  see: ({ seen, shape }) => {
    const { text, thinking, calls, finishes } = seen();
    assert.deepEqual(calls, []);
    assert.deepEqual(finishes, [{ openai: "stop", "openai-responses": "completed", anthropic: "end_turn", gemini: "STOP", ollama: "stop" }[shape]]);
    assert.ok(text.startsWith("Looking."));
    look(form === "thinking" ? thinking : text);
  },
});

const bad = (form: BadArguments, look: (text: string) => void): Case => ({
  what: form,
  misbehave: { kind: "bad-arguments", form },
  step: oneCall,
  see: ({ reply, seen, shape }) => {
    // Where the arguments are an object, the bad text stands in the event as it is.
    const raw = shape === "gemini" ? /"args":(.*?)\}\}\]\},"index"/ : shape === "ollama" ? /"arguments":(.*?)\}\}\]\},"done"/ : null;
    look(raw === null ? (seen().calls[0]?.arguments ?? "") : (raw.exec(reply.text)?.[1] ?? ""));
  },
});

const usage = (how: "last-chunk" | "with-last-delta" | "twice" | "negative" | "missing", see: (sight: Sight) => void, shapes?: Case["shapes"]): Case => ({
  what: how, misbehave: { kind: "usage", how }, step: { ...oneCall, usage: { input: 50, output: 20 } }, see, ...(shapes === undefined ? {} : { shapes }),
});

const withArgumentText = ["openai", "openai-responses", "anthropic"] as const;
const withCallIndex = [...withArgumentText, "ollama"] as const;

export const callCases = {
  usage: [
    usage("last-chunk", (sight) => {
      const { usages } = sight.seen();
      if (sight.shape === "anthropic") {
        assert.equal(usages[0]?.["input_tokens"], 0);
        assert.deepEqual([usages[1]?.["input_tokens"], usages[1]?.["output_tokens"]], [50, 20]);
      } else {
        assert.equal(usages.length, 1);
        assert.ok(piecesOf(sight.shape, sight.reply.text).at(-1)?.includes("50"));
      }
    }),
    usage("with-last-delta", (sight) => {
      const last = piecesOf(sight.shape, sight.reply.text).at(-1) ?? "";
      assert.match(last, /"arguments":".+"finish_reason":"tool_calls".+"prompt_tokens":50/);
    }, ["openai"]),
    usage("twice", (sight) => {
      const { usages, finishes } = sight.seen();
      assert.deepEqual(usages.at(-1), usages.at(-2));
      assert.equal(finishes.length, sight.shape === "openai" ? 1 : 2);
    }),
    usage("negative", (sight) => assert.match(sight.reply.text, /"(completion_tokens|output_tokens|candidatesTokenCount|eval_count)":-1/)),
    usage("missing", (sight) => assert.deepEqual(sight.seen().usages.flatMap(Object.values).filter((count) => count === 50 || count === 20), [])),
  ],
  "ignore-tools-above": [
    { misbehave: { kind: "ignore-tools-above", tokens: 50 }, step: { calls: oneCall.calls ?? [] }, see: ({ reply, seen }) => {
      assert.equal(reply.status, 200);
      assert.deepEqual([seen().calls, seen().errors], [[], []]);
      assert.match(seen().text, /happy to help|help with that/);
    } },
    { what: "below", misbehave: { kind: "ignore-tools-above", tokens: 50_000 }, step: oneCall, see: ({ seen }) => assert.equal(seen().calls.length, 1) },
  ],
  "call-in-text": [
    talk("prose", (said) => assert.match(said, /call the tool now: \{"name": "list_tabs", "arguments": \{"title_pattern":"first"\}\} and then/)),
    talk("fenced", (said) => assert.deepEqual(parseJson(/```json\n(.*)\n```/s.exec(said)?.[1] ?? ""), { name: "list_tabs", arguments: { title_pattern: "first" } })),
    talk("trailing-comma", (said) => {
      const json = /```json\n(.*)\n```/s.exec(said)?.[1] ?? "";
      assert.equal(parseJson(json), undefined);
      assert.match(json, /\},\}$/);
    }),
    talk("tagged", (said) => assert.match(said, /<tool_call>\n\{.*\}\n<\/tool_call>/s)),
    talk("thinking", (said) => assert.match(said, /<tool_call>\n\{.*\}\n<\/tool_call>/s)),
    { what: "tags over several chunks", misbehave: { kind: "call-in-text", form: "tagged" }, step: oneCall, see: ({ reply, shape }) => {
      // In Responses, what was said in pieces is said again as a whole.
      for (const piece of piecesOf(shape, reply.text)) if (!/\.done"|\.completed"/.test(piece)) assert.doesNotMatch(piece, /<tool_call>/);
    } },
  ],
  "same-call-ids": [{ misbehave: "same-call-ids", step: twoCalls, see: ({ seen }) => {
    const { calls } = seen();
    assert.equal(calls.length, 2);
    assert.equal(new Set(calls.map((call) => call.id)).size, 1);
    assert.equal(new Set(calls.map((call) => call.arguments)).size, 2);
  } }],
  "id-from-name": [{ misbehave: "id-from-name", step: twoCalls, see: ({ seen }) => assert.deepEqual(seen().calls.map((call) => call.id), ["list_tabs", "list_tabs"]) }],
  "all-calls-at-index-0": [{ misbehave: "all-calls-at-index-0", shapes: withCallIndex, step: twoCalls, see: (sight) => {
    assert.deepEqual(sight.seen().calls.map((call) => call.id), ["id_1", "id_2"]);
    const indexes = indexesOfCalls(sight);
    assert.ok(indexes.length >= 2 && indexes.every((index) => index === "0"), indexes.join());
  } }],
  "index-reused": [{ misbehave: "index-reused", shapes: withArgumentText, step: twoCalls, see: (sight) => {
    const indexes = indexesOfCalls(sight);
    assert.ok(indexes.length > 4 && indexes.every((index) => index === "0"), indexes.join());
    // The calls are told apart where they begin, and nowhere else.
    if (sight.shape === "openai-responses") assert.doesNotMatch(sight.reply.text, /arguments\.delta","sequence_number":\d+,"item_id"/);
    else assert.equal(all(sight, /"id":"(id_\d)"/).length, 2);
  } }],
  "missing-call-id": [{ misbehave: "missing-call-id", step: twoCalls, see: ({ seen }) => assert.deepEqual(seen().calls.map((call) => [call.id, call.name]), [[null, "list_tabs"], [null, "list_tabs"]]) }],
  "missing-call-index": [{ misbehave: "missing-call-index", shapes: withCallIndex, step: twoCalls, see: (sight) => {
    const indexes = indexesOfCalls(sight);
    assert.ok(indexes.length >= 2 && indexes.every((index) => index === undefined), indexes.join());
  } }],
  "missing-call-name": [{ misbehave: "missing-call-name", step: oneCall, see: ({ reply, seen }) => {
    assert.deepEqual(seen().calls.map((call) => [call.id, call.name]), [["id_1", ""]]);
    assert.doesNotMatch(reply.text, /list_tabs/);
  } }],
  "call-name-in-pieces": [{ misbehave: "call-name-in-pieces", shapes: ["openai"], step: oneCall, see: (sight) => {
    assert.deepEqual(all(sight, /"name":"([^"]*)"/), ["list_", "tabs"]);
    assert.equal(sight.seen().calls[0]?.name, "list_tabs");
  } }],
  "arguments-as-object": [{ misbehave: "arguments-as-object", shapes: withArgumentText, step: oneCall, see: ({ reply, shape }) => {
    assert.match(reply.text, shape !== "anthropic" ? /"arguments":\{"title_pattern":"first"\}/ : /"input":\{"title_pattern":"first"\}/);
    assert.doesNotMatch(reply.text, /"partial_json":"[^"]|arguments\.delta/);
  } }],
  "empty-arguments": [{ misbehave: "empty-arguments", step: oneCall, see: ({ seen }) => assert.deepEqual(seen().calls.map((call) => [call.name, call.arguments]), [["list_tabs", ""]]) }],
  "repeated-arguments": [{ misbehave: "repeated-arguments", step: oneCall, see: ({ reply, seen, shape }) => {
    const whole = '{"title_pattern":"first"}';
    const { calls } = seen();
    if (shape === "openai" || shape === "openai-responses") assert.deepEqual(calls.map((call) => call.arguments), [whole + whole]);
    if (shape === "anthropic") {
      assert.deepEqual(calls.map((call) => call.arguments), [whole]);
      assert.match(reply.text, /"input":\{"title_pattern":"first"\}/);
    }
    if (shape === "gemini" || shape === "ollama") assert.deepEqual(calls.map((call) => [call.id, call.arguments]), [["id_1", whole], ["id_1", whole]]);
  } }],
  "truncated-arguments": [{ misbehave: "truncated-arguments", step: oneCall, see: ({ seen, shape }) => {
    const { calls, finishes } = seen();
    assert.deepEqual(finishes, [{ openai: "length", "openai-responses": "max_output_tokens", anthropic: "max_tokens", gemini: "MAX_TOKENS", ollama: "length" }[shape]]);
    if (shape === "gemini" || shape === "ollama") assert.deepEqual(calls, []);
    else {
      const half = calls[0]?.arguments ?? "";
      assert.match(half, /^\{"title/);
      assert.equal(parseJson(half), undefined);
    }
  } }],
  "bad-arguments": [
    bad("wrong-schema", (text) => assert.deepEqual(typeof (parseJson(text) as { title_pattern: unknown }).title_pattern, "object")),
    bad("duplicate-keys", (text) => assert.equal(text, '{"value":1,"title_pattern":"first","value":2}')),
    bad("deep-nesting", (text) => assert.match(text, /\[{10000}\]{10000}/)),
    bad("huge-number", (text) => assert.equal(text, '{"title_pattern":"first","value":1e400}')),
    bad("not-a-number", (text) => assert.equal(text, '{"title_pattern":"first","value":NaN}')),
    bad("lone-surrogate", (text) => assert.equal(text, '{"title_pattern":"first","value":"\\ud83d"}')),
    bad("trailing-comma", (text) => assert.equal(text, '{"title_pattern":"first",}')),
    bad("not-an-object", (text) => assert.equal(text, "[1,2,3]")),
  ],
  "two-finishes": [{ misbehave: "two-finishes", step: oneCall, see: ({ seen, shape }) => {
    const word = finishWords[shape];
    assert.deepEqual(seen().finishes, [word, word]);
  } }],
  "finish-says-stop": [{ misbehave: "finish-says-stop", shapes: ["openai", "anthropic"], step: oneCall, see: ({ seen, shape }) => {
    assert.equal(seen().calls.length, 1);
    assert.deepEqual(seen().finishes, [shape === "openai" ? "stop" : "end_turn"]);
  } }],
} satisfies Partial<Record<MisbehaviourKind, Case[]>>;

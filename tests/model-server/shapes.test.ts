import assert from "node:assert/strict";
import { test } from "node:test";

import type { ShapeName, Step } from "./script.ts";
import { eventsOf, historyOf, read, requestOf, send, shapes, withServer } from "./support.ts";

const step: Step = {
  thinking: "The person wants tabs.",
  text: "Let me look: ünïcödé 中文 👩‍💻.",
  calls: [{ name: "list_tabs", arguments: { title_pattern: "a" }, id: "id_1" }, { name: "list_tabs", id: "id_2" }],
  usage: { input: 100, output: 30, cached: 40, reasoning: 10 },
};

const usageOf: Readonly<Record<Exclude<ShapeName, "gemini">, readonly object[]>> = {
  openai: [{ prompt_tokens: 100, completion_tokens: 30, total_tokens: 130, prompt_tokens_details: { cached_tokens: 40 }, completion_tokens_details: { reasoning_tokens: 10 } }],
  anthropic: [{ input_tokens: 60, cache_creation_input_tokens: 0, cache_read_input_tokens: 40, output_tokens: 1 }, { output_tokens: 30 }],
  "openai-responses": [{ input_tokens: 100, input_tokens_details: { cached_tokens: 40 }, output_tokens: 30, output_tokens_details: { reasoning_tokens: 10 }, total_tokens: 130 }],
  ollama: [{ prompt_eval_count: 100, eval_count: 30 }],
};

/** The word for an end with calls. */
const callsWord: Readonly<Record<ShapeName, string>> = { openai: "tool_calls", "openai-responses": "completed", anthropic: "tool_use", gemini: "STOP", ollama: "stop" };
const geminiUsage = { promptTokenCount: 100, candidatesTokenCount: 20, totalTokenCount: 130, cachedContentTokenCount: 40, thoughtsTokenCount: 10 };

for (const shape of shapes) {
  test(`${shape}: a stream carries thinking, text, calls, finish and usage`, async () => {
    await withServer([step], async (server) => {
      const reply = await send(server, requestOf(shape));
      assert.equal(reply.status, 200);
      assert.match(String(reply.headers["content-type"]), shape === "ollama" ? /^application\/x-ndjson$/ : /^text\/event-stream/);
      const seen = read(shape, reply.text);
      assert.equal(seen.thinking, step.thinking);
      assert.equal(seen.text, step.text);
      assert.deepEqual(seen.calls, [
        { id: "id_1", name: "list_tabs", arguments: '{"title_pattern":"a"}' },
        { id: "id_2", name: "list_tabs", arguments: "{}" },
      ]);
      assert.deepEqual(seen.finishes, [callsWord[shape]]);
      assert.ok(seen.done);
      if (shape === "gemini") assert.deepEqual(seen.usages.at(-1), geminiUsage);
      else assert.deepEqual(seen.usages, usageOf[shape]);
    });
  });

  test(`${shape}: an answer that is no stream carries the same`, async () => {
    await withServer([step], async (server) => {
      const reply = await send(server, requestOf(shape, { stream: false }));
      assert.match(String(reply.headers["content-type"]), /^application\/json/);
      const { calls, ...rest } = readWhole(shape, reply.text);
      assert.deepEqual(rest, { thinking: step.thinking, text: step.text, finish: callsWord[shape] });
      assert.deepEqual(calls, [["id_1", "list_tabs", { title_pattern: "a" }], ["id_2", "list_tabs", {}]]);
    });
  });

  test(`${shape}: text comes in many small pieces`, async () => {
    await withServer([{ text: "x".repeat(120) }], async (server) => {
      const { chunks } = await send(server, requestOf(shape));
      assert.ok(chunks.length >= 10, `${chunks.length} chunks`);
    });
  });

  for (const [stop, words] of [
    ["stop", { openai: "stop", "openai-responses": "completed", anthropic: "end_turn", gemini: "STOP", ollama: "stop" }],
    ["length", { openai: "length", "openai-responses": "max_output_tokens", anthropic: "max_tokens", gemini: "MAX_TOKENS", ollama: "length" }],
    ["filter", { openai: "content_filter", "openai-responses": "content_filter", anthropic: "refusal", gemini: "SAFETY", ollama: "stop" }],
  ] as const) {
    test(`${shape}: stop "${stop}" is ${words[shape]}`, async () => {
      await withServer([{ text: "x", stop }], async (server) => {
        assert.deepEqual(read(shape, (await send(server, requestOf(shape))).text).finishes, [words[shape]]);
      });
    });
  }

  test(`${shape}: calls without ids get ids that are unique over requests, and a whole round is valid`, async () => {
    const calls = [{ name: "list_tabs" }, { name: "list_tabs" }];
    await withServer([{ thinking: "hm", calls }, { calls }, { text: "done" }], async (server) => {
      const first = read(shape, (await send(server, requestOf(shape))).text);
      const history = historyOf(shape, first, ["[]", "[]"]);
      const second = read(shape, (await send(server, requestOf(shape, { history }))).text);
      const both = [...history, ...historyOf(shape, second, ["[]", "[1]"])];
      const last = await send(server, requestOf(shape, { history: both }));
      assert.equal(read(shape, last.text).text, "done");
      assert.equal(new Set([...first.calls, ...second.calls].map((call) => call.id)).size, 4);
      const conversation = server.requests[2]?.conversation;
      assert.deepEqual(conversation?.messages.map((message) => message.role).filter((role, index, all) => role !== all[index - 1]), ["user", "assistant", "tool", "assistant", "tool"]);
      assert.deepEqual(conversation.messages.flatMap((message) => message.results.map((result) => [result.name, result.text])), [["list_tabs", "[]"], ["list_tabs", "[]"], ["list_tabs", "[]"], ["list_tabs", "[1]"]]);
    });
  });

  test(`${shape}: the request is read into one neutral form`, async () => {
    await withServer([{ text: "x" }], async (server) => {
      await send(server, requestOf(shape, { text: "what is this?", image: true, choice: "tool", jsonSchema: true, maxTokens: 77 }));
      const conversation = server.requests[0]?.conversation;
      assert.deepEqual(conversation, {
        model: "some-model", stream: true, includeUsage: shape === "openai", showsThinking: true, sealsThinking: shape === "openai-responses", contextLength: shape === "ollama" ? 8192 : null, system: "Be brief.",
        messages: [{ role: "user", text: "what is this?", thinking: "", calls: [], results: [], images: 1 }],
        tools: [{ name: "list_tabs", description: "Lists the open tabs.", parameters: { type: "object", properties: { title_pattern: { type: "string", description: "A regular expression." } } } }],
        toolChoice: shape === "ollama" ? { mode: "auto" } : { mode: "tool", name: "list_tabs" }, jsonSchema: true, maxTokens: 77,
      });
    });
  });
}

test("openai: usage is sent only when it was asked for", async () => {
  await withServer([{ text: "x" }], async (server) => {
    const raw = requestOf("openai");
    const { stream_options: _unused, ...body } = raw.body as Record<string, unknown>;
    const reply = await send(server, { ...raw, body });
    assert.doesNotMatch(reply.text, /"usage"/);
    assert.ok(read("openai", reply.text).done);
  });
});

test("anthropic: each event is named as its type, and a ping comes early", async () => {
  await withServer([{ text: "x", calls: [{ name: "list_tabs" }] }], async (server) => {
    const events = eventsOf((await send(server, requestOf("anthropic"))).text);
    for (const { event, data } of events) assert.equal((JSON.parse(data) as { type: string }).type, event);
    assert.deepEqual(events.map(({ event }) => event).filter((name, index, all) => name !== all[index - 1]), [
      "message_start", "content_block_start", "ping", "content_block_delta", "content_block_stop",
      "content_block_start", "content_block_delta", "content_block_stop", "message_delta", "message_stop",
    ]);
  });
});

test("openai-responses: events are named as their type, numbered, and each thing begins and ends", async () => {
  await withServer([{ thinking: "hm", text: "x", calls: [{ name: "list_tabs", id: "id_1" }] }], async (server) => {
    const events = eventsOf((await send(server, requestOf("openai-responses"))).text);
    const parsed = events.map(({ data }) => JSON.parse(data) as { type: string; sequence_number: number });
    assert.deepEqual(parsed.map(({ type }) => type), events.map(({ event }) => event));
    assert.deepEqual(parsed.map(({ sequence_number }) => sequence_number), parsed.map((_event, index) => index));
    assert.deepEqual(parsed.map(({ type }) => type.replace("response.", "")).filter((name, index, all) => name !== all[index - 1]), [
      "created", "in_progress",
      "output_item.added", "reasoning_summary_part.added", "reasoning_summary_text.delta", "reasoning_summary_text.done", "reasoning_summary_part.done", "output_item.done",
      "output_item.added", "content_part.added", "output_text.delta", "output_text.done", "content_part.done", "output_item.done",
      "output_item.added", "function_call_arguments.delta", "function_call_arguments.done", "output_item.done",
      "completed",
    ]);
  });
});

test("openai-responses: thinking is shown and sealed only when each was asked for", async () => {
  const answer = { thinking: "Deep thought.", text: "x" };
  await withServer([answer, answer, answer], async (server) => {
    const seen = async (change: object) => {
      const raw = requestOf("openai-responses");
      return read("openai-responses", (await send(server, { ...raw, body: { ...(raw.body as object), ...change } })).text);
    };
    const plain = await seen({ include: null, reasoning: null });
    assert.deepEqual([plain.thinking, plain.signature], ["", ""]);
    const shown = await seen({ include: null });
    assert.deepEqual([shown.thinking, shown.signature], ["Deep thought.", ""]);
    const kept = await seen({ reasoning: null });
    assert.equal(kept.thinking, "");
    assert.match(kept.signature, /^gAAAAA/);
  });
});

test("openai-responses: an answer that did not fit is incomplete, and so is the call in it", async () => {
  await withServer([{ calls: [{ name: "list_tabs", arguments: { a: "b" } }], misbehave: "truncated-arguments" }], async (server) => {
    const { text } = await send(server, requestOf("openai-responses"));
    assert.match(text, /event: response\.incomplete\n/);
    assert.doesNotMatch(text, /response\.completed/);
    assert.equal(text.match(/"type":"function_call","status":"incomplete"/g)?.length, 2);
  });
});

test("ollama: each line is an object, the last says how it went, and think: false keeps the thinking back", async () => {
  await withServer([{ thinking: "hm", text: "x" }, { thinking: "hm", text: "x" }], async (server) => {
    const raw = requestOf("ollama");
    const lines = (await send(server, raw)).text.trimEnd().split("\n").map((line) => JSON.parse(line) as { done: boolean; message: object; created_at: string });
    assert.deepEqual(lines.map(({ message, done }) => [message, done]), [
      [{ role: "assistant", content: "", thinking: "hm" }, false], [{ role: "assistant", content: "x" }, false], [{ role: "assistant", content: "" }, true],
    ]);
    const quiet = await send(server, { ...raw, body: { ...(raw.body as object), think: false } });
    assert.deepEqual([read("ollama", quiet.text).thinking, read("ollama", quiet.text).text], ["", "x"]);
  });
});

test("gemini: without alt=sse the stream is one JSON array", async () => {
  await withServer([{ text: "a text in pieces" }], async (server) => {
    const raw = requestOf("gemini");
    const reply = await send(server, { ...raw, path: raw.path.replace("?alt=sse", "") });
    const chunks = JSON.parse(reply.text) as { candidates: { content: { parts: { text: string }[] } }[] }[];
    assert.equal(chunks.map((chunk) => chunk.candidates[0]?.content.parts[0]?.text).join(""), "a text in pieces");
  });
});

interface WholeAnswer {
  text: string | undefined;
  thinking: string | undefined;
  finish: string | undefined;
  calls: unknown[];
}

function readWhole(shape: ShapeName, text: string): WholeAnswer {
  switch (shape) {
    case "openai": {
      const { choices: [choice] } = JSON.parse(text) as { choices: [{ finish_reason: string; message: { content: string; reasoning_content: string; tool_calls: { id: string; function: { name: string; arguments: string } }[] } }] };
      return {
        text: choice.message.content, thinking: choice.message.reasoning_content, finish: choice.finish_reason,
        calls: choice.message.tool_calls.map((call) => [call.id, call.function.name, JSON.parse(call.function.arguments) as unknown]),
      };
    }
    case "openai-responses": {
      const body = JSON.parse(text) as { status: string; error: null; output: { type: string; summary?: { text: string }[]; content?: { text: string }[]; call_id?: string; name?: string; arguments?: string }[] };
      assert.equal(body.error, null);
      return {
        text: body.output.find((item) => item.type === "message")?.content?.[0]?.text,
        thinking: body.output.find((item) => item.type === "reasoning")?.summary?.[0]?.text,
        finish: body.status,
        calls: body.output.filter((item) => item.type === "function_call").map((item) => [item.call_id, item.name, JSON.parse(item.arguments ?? "") as unknown]),
      };
    }
    case "ollama": {
      const { message, done_reason } = JSON.parse(text) as { done_reason: string; message: { content: string; thinking: string; tool_calls: { id: string; function: { name: string; arguments: object } }[] } };
      return { text: message.content, thinking: message.thinking, finish: done_reason, calls: message.tool_calls.map((call) => [call.id, call.function.name, call.function.arguments]) };
    }
    case "anthropic": {
      const body = JSON.parse(text) as { stop_reason: string; content: { type: string; text?: string; thinking?: string; id?: string; name?: string; input?: unknown }[] };
      return {
        text: body.content.find((block) => block.type === "text")?.text,
        thinking: body.content.find((block) => block.type === "thinking")?.thinking,
        finish: body.stop_reason,
        calls: body.content.filter((block) => block.type === "tool_use").map((block) => [block.id, block.name, block.input]),
      };
    }
    case "gemini": {
      const { candidates: [candidate] } = JSON.parse(text) as { candidates: [{ finishReason: string; content: { parts: { text?: string; thought?: boolean; functionCall?: { id: string; name: string; args: unknown } }[] } }] };
      const { parts } = candidate.content;
      return {
        text: parts.find((part) => part.text !== undefined && part.thought !== true)?.text,
        thinking: parts.find((part) => part.thought === true)?.text,
        finish: candidate.finishReason,
        calls: parts.flatMap(({ functionCall }) => (functionCall === undefined ? [] : [[functionCall.id, functionCall.name, functionCall.args]])),
      };
    }
  }
}

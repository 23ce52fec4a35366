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

const usageOf = {
  openai: [{ prompt_tokens: 100, completion_tokens: 30, total_tokens: 130, prompt_tokens_details: { cached_tokens: 40 }, completion_tokens_details: { reasoning_tokens: 10 } }],
  anthropic: [{ input_tokens: 60, cache_creation_input_tokens: 0, cache_read_input_tokens: 40, output_tokens: 1 }, { output_tokens: 30 }],
} as const;
const geminiUsage = { promptTokenCount: 100, candidatesTokenCount: 20, totalTokenCount: 130, cachedContentTokenCount: 40, thoughtsTokenCount: 10 };

for (const shape of shapes) {
  test(`${shape}: a stream carries thinking, text, calls, finish and usage`, async () => {
    await withServer([step], async (server) => {
      const reply = await send(server, requestOf(shape));
      assert.equal(reply.status, 200);
      assert.match(String(reply.headers["content-type"]), /^text\/event-stream/);
      const seen = read(shape, reply.text);
      assert.equal(seen.thinking, step.thinking);
      assert.equal(seen.text, step.text);
      assert.deepEqual(seen.calls, [
        { id: "id_1", name: "list_tabs", arguments: '{"title_pattern":"a"}' },
        { id: "id_2", name: "list_tabs", arguments: "{}" },
      ]);
      assert.deepEqual(seen.finishes, [{ openai: "tool_calls", anthropic: "tool_use", gemini: "STOP" }[shape]]);
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
      assert.deepEqual(rest, { thinking: step.thinking, text: step.text, finish: { openai: "tool_calls", anthropic: "tool_use", gemini: "STOP" }[shape] });
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
    ["stop", { openai: "stop", anthropic: "end_turn", gemini: "STOP" }],
    ["length", { openai: "length", anthropic: "max_tokens", gemini: "MAX_TOKENS" }],
    ["filter", { openai: "content_filter", anthropic: "refusal", gemini: "SAFETY" }],
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
        model: "some-model", stream: true, includeUsage: shape === "openai", system: "Be brief.",
        messages: [{ role: "user", text: "what is this?", thinking: "", calls: [], results: [], images: 1 }],
        tools: [{ name: "list_tabs", description: "Lists the open tabs.", parameters: { type: "object", properties: { title_pattern: { type: "string", description: "A regular expression." } } } }],
        toolChoice: { mode: "tool", name: "list_tabs" }, jsonSchema: true, maxTokens: 77,
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

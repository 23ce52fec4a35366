import assert from "node:assert/strict";
import { test } from "node:test";

import { demoRules } from "./demo.ts";
import { historyOf, read, requestOf, send, shapes, withServer } from "./support.ts";
import { readTabResult } from "./tab_list.ts";

const tab = (id: number, title: string, url: string, more: object = {}) =>
  ({ id, url, title, active: false, windowId: 1, index: id, audible: false, status: "complete", ...more });

const tabs = [
  tab(1, "Example | Home [1]", "https://example.com/a_b?c=1&d=2", { active: true }),
  tab(2, "مثال", "https://example.org/", { windowId: 2, audible: true }),
];

/** A tool result as the product sends it: JSON in a boundary with a nonce. */
const bounded = (json: string): string => `<tool_result nonce="a[1]{b}">\n${json}\n</tool_result nonce="a[1]{b}">`;

for (const shape of shapes) {
  test(`${shape}: "list my tabs" calls the tool, and its result becomes a table`, async () => {
    await withServer(null, async (server) => {
      const ask = { text: "Please list my tabs" };
      const call = read(shape, (await send(server, requestOf(shape, ask))).text);
      assert.deepEqual(call.calls.map(({ name, arguments: args }) => [name, args]), [["list_tabs", "{}"]]);
      const history = historyOf(shape, call, [bounded(JSON.stringify(tabs, null, 2))]);
      const answer = await send(server, requestOf(shape, { ...ask, history }));
      const { text, calls } = read(shape, answer.text);
      assert.deepEqual(calls, []);
      assert.equal(text, [
        "You have **2** open tabs in 2 windows:",
        "",
        "| # | Title | Address |",
        "| --: | --- | --- |",
        "| 1 | Example \\| Home \\[1\\] (active) | https://example.com/a\\_b?c=1\\&d=2 |",
        "| 2 | مثال (playing sound) | https://example.org/ |",
        "",
        "*Scripted demo: a few fixed rules wrote this, not a model.*",
      ].join("\n"));
      assert.ok(answer.chunks.length > 15, "it streams in small pieces");
      assert.ok((answer.times.at(-1) ?? 0) > 200, "it streams slowly");
    }, { rules: demoRules });
  });
}

/** What the rules answer to a text, without a server. */
const answer = (text: string, more: { tools?: string[]; results?: string[] } = {}) => {
  const step = demoRules({
    conversation: {
      model: "tabwright-demo", stream: true, includeUsage: false, showsThinking: true, sealsThinking: false, contextLength: null, system: "", toolChoice: { mode: "auto" }, jsonSchema: false, maxTokens: null,
      tools: (more.tools ?? ["list_tabs"]).map((name) => ({ name, description: "", parameters: {} })),
      messages: [
        { role: "user", text, thinking: "", calls: [], results: [], images: 0 },
        ...(more.results ?? []).map((result) => ({ role: "tool" as const, text: "", thinking: "", calls: [], images: 0, results: [{ id: "a", name: "list_tabs", text: result, isError: false }] })),
      ],
    },
  });
  return { said: (step.pieces ?? []).map(String).join(""), calls: step.calls ?? [], step };
};

for (const text of ["list my tabs", "Which tabs are open?", "how many TABS do I have", "打开了哪些标签页？", "我的标签", "تب‌های من را نشان بده", "زبانه‌های باز"]) {
  test(`"${text}" asks for the tabs`, () => assert.deepEqual(answer(text).calls, [{ name: "list_tabs", arguments: {} }]));
}

test("tabs that play sound are asked for with the filter", () => {
  assert.deepEqual(answer("which tab is playing music?").calls, [{ name: "list_tabs", arguments: { audible: true } }]);
});

test("the answer comes in the language of the question, and is labelled in it", () => {
  const results = [bounded(JSON.stringify(tabs))];
  assert.match(answer("有哪些标签页", { results }).said, /您打开了 \*\*2\*\* 个标签页.*不是模型/s);
  assert.match(answer("تب‌ها", { results }).said, /شما \*\*2\*\* زبانهٔ باز دارید.*نه یک مدل/s);
});

test("without the tool it says so and calls nothing", () => {
  const { said, calls } = answer("list my tabs", { tools: ["web_search"] });
  assert.deepEqual(calls, []);
  assert.match(said, /not offered/);
});

test("an error of the tool is told as one", () => {
  assert.match(answer("list my tabs", { results: [bounded('{"error":"The browser did not answer.","code":"unavailable"}')] }).said, /reported an error: The browser did not answer\./);
});

test("no tabs and a result without a list are told", () => {
  assert.match(answer("list my tabs", { results: [bounded("[]")] }).said, /No open tab matches/);
  assert.match(answer("list my tabs", { results: ["nothing here"] }).said, /no list that these rules can read/);
});

test("results of an earlier question do not answer a new one", () => {
  const step = demoRules({
    conversation: {
      model: "m", stream: true, includeUsage: false, showsThinking: true, sealsThinking: false, contextLength: null, system: "", toolChoice: { mode: "auto" }, jsonSchema: false, maxTokens: null,
      tools: [{ name: "list_tabs", description: "", parameters: {} }],
      messages: [
        { role: "user", text: "list my tabs", thinking: "", calls: [], results: [], images: 0 },
        { role: "tool", text: "", thinking: "", calls: [], images: 0, results: [{ id: "a", name: "list_tabs", text: "[]", isError: false }] },
        { role: "user", text: "and my tabs now?", thinking: "", calls: [], results: [], images: 0 },
      ],
    },
  });
  assert.equal(step.calls?.length, 1);
});

for (const [text, words] of [
  ["hello", /\*\*scripted demo\*\*.*not a model.*To connect a real model/s],
  ["你好", /scripted demo/],
  ["سلام", /scripted demo/],
  ["show me markdown", /^# Formatting.*\n1\. .*\n\| Tool .*\n```js\n.*\n> /s],
  ["count slowly", /1 2 3 .* 100$/s],
  ["What is the capital of France?", /can't answer that: I am a \*\*scripted demo\*\*.*list my tabs/s],
  ["", /can't answer that/],
] as const) {
  test(`"${text}" is answered as scripted`, () => {
    const { said, calls } = answer(text);
    assert.match(said, words);
    assert.match(said, /scripted demo/i);
    assert.deepEqual(calls, []);
  });
}

test("pieces are small and put together the whole text", () => {
  const { step } = answer("markdown");
  assert.ok((step.pieces ?? []).every((piece) => typeof piece === "string" && piece.trim().length <= 14));
});

test("a list that was cut still gives its whole entries", () => {
  const cut = JSON.stringify(tabs).slice(0, -20);
  assert.deepEqual(readTabResult(bounded(cut)), {
    kind: "tabs", cut: true,
    tabs: [{ title: "Example | Home [1]", url: "https://example.com/a_b?c=1&d=2", active: true, audible: false, windowId: 1 }],
  });
});

test("brackets inside titles and around the list do not confuse the reader", () => {
  const tricky = [tab(1, 'a ] } " [ {', "https://example.com/")];
  const read = readTabResult(`[boundary] {x} ${JSON.stringify(tricky)} [/boundary]`);
  assert.equal(read.kind === "tabs" && read.tabs[0]?.title, 'a ] } " [ {');
});

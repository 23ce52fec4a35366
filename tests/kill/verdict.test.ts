import assert from "node:assert/strict";
import { test } from "node:test";
import type { ItemBody, ItemView } from "../../www/generated/protocol.ts";
import { type Conversation, type ConversationMessage, emptyConversation } from "../model-server/script.ts";
import { type Evidence, type Fault, judge, unknownWrites } from "./verdict.ts";

const TEXT = "Write.";
const address = (k: number): string => `http://write.test/${k}`;
const DOUBT = "Interrupted while it ran: it may have happened.";

type CallBody = Extract<ItemBody, { kind: "tool_call" }>;
type State = CallBody["state"];

const done = (result: string, is_error = false): State => ({ state: "done", result, is_error, millis: 1 });
const write = (k: number, state: State, attempts = 1): CallBody => ({
  kind: "tool_call",
  call: `call-${k}`,
  tool: "open_tab",
  title: "Open a tab",
  arguments: JSON.stringify({ url: address(k) }),
  state,
  attempts,
  child: null,
});
const user: ItemBody = { kind: "user_message", text: TEXT };
const end: ItemBody = { kind: "turn_end", reason: "done", usage: { input: 0, cached: 0, written: 0, output: 0, reasoning: 0, cost: 0, unpriced: 0 }, millis: 1 };
const told: ItemBody = { kind: "notice", level: "warning", code: "outcome_unknown", text: "Interrupted." };

const items = (...bodies: ItemBody[]): ItemView[] =>
  bodies.map((body, position) => ({ id: `item-${position}`, position, seq: position, turn: "turn", at: 0, body }));

const message = (fields: Partial<ConversationMessage>): ConversationMessage => ({
  role: "assistant",
  text: "",
  thinking: "",
  calls: [],
  results: [],
  images: 0,
  ...fields,
});
/** What a model is shown of these writes' results. */
function shownToModel(results: Record<number, string>, ...before: ConversationMessage[]): Conversation {
  const messages = Object.entries(results).flatMap(([k, text]) => [
    message({ calls: [{ id: `id-${k}`, name: "open_tab", arguments: JSON.stringify({ url: address(Number(k)) }), signature: "" }] }),
    message({ role: "tool", results: [{ id: `id-${k}`, name: "open_tab", text, isError: false }] }),
  ]);
  return { ...emptyConversation(), messages: [...before, ...messages] };
}
const requests = (...conversations: Conversation[]): Evidence["requests"] =>
  conversations.map((conversation) => ({ refused: null, unscripted: false, conversation }));

/** Two writes, both done: nothing is wrong with it. */
const GOOD: Evidence = {
  text: TEXT,
  items: items(user, write(1, done("tab 1")), write(2, done("tab 2")), end),
  run: { state: "idle" },
  shown: new Map([["item-1", "tab 1"]]),
  writes: [1, 2].map((k) => ({ k, address: address(k), hits: 1 })),
  requests: requests(shownToModel({}), shownToModel({ 1: "tab 1" }), shownToModel({ 1: "tab 1", 2: "tab 2" })),
};

function check(name: string, change: Partial<Evidence>, expected: [Fault, RegExp][]): void {
  const found = judge({ ...GOOD, ...change });
  assert.deepEqual(found.map(({ fault }) => fault), expected.map(([fault]) => fault), `${name}: ${JSON.stringify(found)}`);
  for (const [index, [, why]] of expected.entries()) assert.match(found[index]?.why ?? "", why, name);
}

test("a turn that went as it should has no findings", () => {
  check("all done", {}, []);
  check(
    "one unknown, and told",
    {
      items: items(user, write(1, done("tab 1")), write(2, { state: "unknown" }), told, end),
      writes: GOOD.writes.map((each) => ({ ...each, hits: each.k === 2 ? 0 : 1 })),
      requests: requests(shownToModel({ 1: "tab 1", 2: DOUBT })),
    },
    [],
  );
  check("one failed in doubt", { items: items(user, write(1, done("tab 1")), write(2, done(DOUBT, true)), end) }, []);
});

test("a turn that did not end, or not well, or more than once, is found", () => {
  const both = [write(1, done("tab 1")), write(2, done("tab 2"))];
  const failed: ItemBody = { ...end, reason: "failed" };
  const working: Evidence["run"] = { state: "working", turn: "turn", round: 3, activity: { activity: "running_tools" }, usage: end.usage };
  check("open", { items: items(user, ...both), run: working }, [["not finished", /still open/], ["not finished", /0 times/]]);
  check("twice", { items: items(user, ...both, end, end) }, [["not finished", /2 times/]]);
  check("more after it", { items: items(user, ...both, end, told) }, [["not finished", /stands after/]]);
  check("failed", { items: items(user, ...both, failed) }, [["not finished", /ended as failed/]]);
  check("a call is left", { items: items(user, write(1, done("tab 1")), write(2, { state: "running", since: 1 }), end) }, [
    ["not finished", /open_tab is left running/],
  ]);
});

test("what was lost is found", () => {
  const [one, two] = [write(1, done("tab 1")), write(2, done("tab 2"))];
  check("the message", { items: items({ kind: "notice", level: "info", code: "x", text: "" }, one, two, end) }, [["lost", /person's message/]]);
  check("a shown result", { shown: new Map([["item-1", "another"]]) }, [["lost", /that was shown: another/]]);
  check("a shown item", { shown: new Map([["item-9", "tab 9"]]) }, [["lost", /tab 9/]]);
  check("a write", { items: items(user, one, end) }, [["lost", /write 2/]]);
  check("a result on the way", { requests: requests(shownToModel({ 1: "tab 1" }), shownToModel({ 2: "tab 2" })) }, [["lost", /id-1/]]);
});

test("a summary may stand for results", () => {
  const summary = message({ role: "user", text: "[Tabwright] The conversation so far: …" });
  check("summed up", { requests: requests(shownToModel({ 1: "tab 1" }), shownToModel({ 2: "tab 2" }, summary)) }, []);
});

test("what is there twice, or happened twice, is found", () => {
  const [one, two] = [write(1, done("tab 1")), write(2, done("tab 2"))];
  check("the message", { items: items(user, one, two, user, end) }, [["duplicated", /message stands there 2 times/]]);
  check("an effect", { writes: GOOD.writes.map((each) => ({ ...each, hits: each.k })) }, [["duplicated", /write 2 happened 2 times/]]);
  check("a call", { items: items(user, one, two, two, end) }, [["duplicated", /write 2 was called 2 times/]]);
  check("a start", { items: items(user, one, write(2, done("tab 2"), 2), end) }, [["duplicated", /write 2 was begun 2 times/]]);
});

test("a doubt that is not told, and a falsehood that is, are found", () => {
  const unknown = write(2, { state: "unknown" });
  const inDoubt = requests(shownToModel({ 1: "tab 1", 2: DOUBT }));
  check("no notice", { items: items(user, write(1, done("tab 1")), unknown, end), requests: inDoubt }, [["not told", /person was not told/]]);
  check("the model", { items: items(user, write(1, done("tab 1")), unknown, told, end) }, [["not told", /model was told otherwise/]]);
  check("did not happen", { writes: GOOD.writes.map((each) => ({ ...each, hits: each.k - 1 })) }, [["not told", /write 1 is said to be done/]]);
  check("happened", { items: items(user, write(1, done("tab 1")), write(2, done("It failed.", true)), end) }, [
    ["not told", /write 2 happened and is said to have failed/],
  ]);
});

test("a request that a service would refuse is found", () => {
  const refused = GOOD.requests.map((request) => ({ ...request, refused: "no result" }));
  check("refused", { requests: refused.slice(0, 1) }, [["illegal history", /no result/]]);
  check("without a step", { requests: GOOD.requests.slice(0, 1).map((request) => ({ ...request, unscripted: true })) }, [["illegal history", /no step/]]);
});

test("writes that are unknown are counted", () => {
  assert.equal(unknownWrites(GOOD), 0);
  assert.equal(unknownWrites({ ...GOOD, items: items(write(1, { state: "unknown" }), write(2, { state: "unknown" })) }), 2);
});

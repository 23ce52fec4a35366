import assert from "node:assert/strict";
import { test } from "node:test";
import { type Conversation, type ConversationMessage, emptyConversation, type ModelRequest, type Step } from "../model-server/script.ts";
import { Gate } from "../model-server/gate.ts";
import { LAST, LAST_TEXT, WRITES, WriteScript } from "./write_script.ts";

const address = (k: number): string => `http://write.test/${k}`;
const message = (fields: Partial<ConversationMessage>): ConversationMessage => ({
  role: "assistant",
  text: "",
  thinking: "",
  calls: [],
  results: [],
  images: 0,
  ...fields,
});
const written = (k: number): ConversationMessage[] => [
  message({ calls: [{ id: `id-${k}`, name: "open_tab", arguments: JSON.stringify({ url: address(k), active: false }), signature: "" }] }),
  message({ role: "tool", results: [{ id: `id-${k}`, name: "open_tab", text: "", isError: false }] }),
];

function request(...messages: ConversationMessage[]): ModelRequest {
  const conversation: Conversation = { ...emptyConversation(), messages };
  return { conversation, ended: new Promise<void>(() => undefined) } as ModelRequest;
}

/** The write that an answer asks for, or its text. */
function said({ text, calls }: Step): string {
  const [first] = calls ?? [];
  return text ?? JSON.stringify(first?.arguments);
}
const wanted = (k: number): string => JSON.stringify({ url: address(k), active: false });

test("the next write is the first one without a result", async () => {
  const check = async (messages: ConversationMessage[], expected: string): Promise<void> => {
    assert.equal(said(await new WriteScript(address).answer(request(...messages))), expected);
  };
  await check([], wanted(1));
  await check([...written(1), ...written(2)], wanted(3));
  // A history that lost a result gets the write again: that is how it is noticed.
  await check([...written(1), ...written(3)], wanted(2));
  await check([...written(1), ...written(2).slice(0, 1)], wanted(2));
  await check([message({ role: "user", text: "[Tabwright] Written so far: 1 2 3." }), ...written(4)], wanted(5));
  await check(Array.from({ length: WRITES }, (_, index) => written(index + 1)).flat(), LAST_TEXT);
});

test("write 1 is not taken for write 11", async () => {
  const script = new WriteScript(address);
  assert.equal(said(await script.answer(request(...written(11)))), wanted(1));
});

test("a summary says what is written", async () => {
  const asked = message({ role: "user", text: "Put it between <summary> and </summary>." });
  const step = await new WriteScript(address).answer(request(...written(1), ...written(2), asked));
  assert.equal(said(step), "<summary>Written so far: 1 2.</summary>");
});

test("an answer stops once in its middle, and is whole when it is asked for again", async () => {
  const script = new WriteScript(address);
  const [gate, last] = [new Gate(), new Gate()];
  script.stop(1, "half", gate);
  script.stop(LAST, "half", last);
  const pieces = (await script.answer(request())).calls?.[0]?.pieces ?? [];
  const text = pieces.filter((piece) => typeof piece === "string").join("");
  assert.deepEqual([pieces[1], text], [gate, wanted(1)]);
  assert.equal(said(await script.answer(request())), wanted(1));
  const all = Array.from({ length: WRITES }, (_, index) => written(index + 1)).flat();
  assert.equal((await script.answer(request(...all))).pieces?.[1], last);
});

test("a refusal comes once", async () => {
  const script = new WriteScript(address);
  script.refuse(1, "unauthorized");
  assert.deepEqual(await script.answer(request()), { misbehave: "unauthorized" });
  assert.equal(said(await script.answer(request())), wanted(1));
});

test("the person is asked in the round that was named, until they have answered", async () => {
  const script = new WriteScript(address, 2);
  assert.equal(said(await script.answer(request())), wanted(1));
  const asked = await script.answer(request(...written(1)));
  assert.equal(asked.calls?.[0]?.name, "ask_user");
  const answer = message({ role: "tool", results: [{ id: "q", name: "ask_user", text: "Yes", isError: false }] });
  assert.equal(said(await script.answer(request(...written(1), answer))), wanted(2));
});

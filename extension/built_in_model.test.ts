import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { askDocument } from "./ask_document.ts";
import { answerOn, type PromptRequest } from "./built_in_model.ts";

/** What a fake model does with a prompt: pieces, then an end or an error. */
interface Plan {
  readonly availability?: LanguageModelAvailability | Error;
  readonly create?: Error;
  readonly pieces?: readonly string[];
  readonly error?: Error;
  /** After the pieces nothing comes, until it is aborted. */
  readonly hangs?: boolean;
  readonly knowsNoConstraint?: boolean;
}

/** `LanguageModel` as a test needs it; it notes what it was asked. */
class FakeModel implements LanguageModelFactory {
  readonly seen: unknown[] = [];
  isDestroyed = false;

  constructor(private readonly plan: Plan) {}

  availability(): Promise<LanguageModelAvailability> {
    const { availability = "available" } = this.plan;
    return availability instanceof Error ? Promise.reject(availability) : Promise.resolve(availability);
  }

  create(options: { initialPrompts?: LanguageModelPrompt[] } = {}): Promise<LanguageModelSession> {
    if (this.plan.create !== undefined) return Promise.reject(this.plan.create);
    this.seen.push(options.initialPrompts);
    return Promise.resolve({
      promptStreaming: (input, { responseConstraint }) => {
        this.seen.push(responseConstraint === undefined ? input : [input, responseConstraint]);
        const refuses = this.plan.knowsNoConstraint === true && responseConstraint !== undefined;
        return refuses ? failing(named("NotSupportedError", "No schemas")) : this.stream();
      },
      destroy: () => {
        this.isDestroyed = true;
      },
    });
  }

  private stream(): ReadableStream<string> {
    const { pieces = [], error, hangs = false } = this.plan;
    const left = [...pieces];
    return new ReadableStream<string>({
      pull: (controller) => {
        const piece = left.shift();
        if (piece !== undefined) controller.enqueue(piece);
        else if (error !== undefined) controller.error(error);
        else if (!hangs) controller.close();
      },
    });
  }
}

function failing(error: Error): ReadableStream<string> {
  return new ReadableStream({
    start: (controller) => {
      controller.error(error);
    },
  });
}

const named = (name: string, message: string) => new DOMException(message, name);

const REQUEST: PromptRequest = {
  system: "Be brief.",
  prompts: [
    { role: "user", content: "Hi" },
    { role: "assistant", content: "Hello." },
    { role: "user", content: "Go on" },
  ],
  constraint: { type: "object" },
};

/** Asks as the worker does, through both ends. */
function ask(
  model: LanguageModelFactory | undefined,
  signal: AbortSignal,
  request = REQUEST,
  died = new AbortController().signal,
): Promise<Response> {
  return askDocument(new TextEncoder().encode(JSON.stringify(request)), signal, (message) => {
    assert.ok(message.kind === "prompt");
    void answerOn(message.port, message.body, model, died);
  });
}

/** The status and text that come of a plan. */
async function outcome(plan: Plan | null): Promise<string> {
  const abort = new AbortController();
  const response = await ask(plan === null ? undefined : new FakeModel(plan), abort.signal);
  const text = await response.text();
  abort.abort();
  return `${response.status} ${text}`;
}

test("the model is told everything before the last prompt, and its text comes back", async () => {
  const model = new FakeModel({ pieces: ["Hé", "llo \ud83d", "\ude00"] });
  const abort = new AbortController();
  const response = await ask(model, abort.signal);
  assert.deepEqual([response.status, await response.text()], [200, "Héllo 😀"]);
  assert.deepEqual(model.seen, [
    [
      { role: "system", content: "Be brief." },
      { role: "user", content: "Hi" },
      { role: "assistant", content: "Hello." },
    ],
    ["Go on", { type: "object" }],
  ]);
  abort.abort();
  await until(() => model.isDestroyed);
});

test("without a system text and a constraint neither is given", async () => {
  const model = new FakeModel({ pieces: ["a"] });
  const abort = new AbortController();
  await ask(model, abort.signal, { system: "", prompts: [{ role: "user", content: "Hi" }], constraint: null });
  assert.deepEqual(model.seen, [[], "Hi"]);
  abort.abort();
});

test("a model that knows no constraints is asked without", async () => {
  const model = new FakeModel({ pieces: ["a"], knowsNoConstraint: true });
  const abort = new AbortController();
  const response = await ask(model, abort.signal);
  assert.equal(await response.text(), "a");
  assert.deepEqual(model.seen.slice(1), [["Go on", { type: "object" }], "Go on"]);
  abort.abort();
});

test("every refusal is a status and one sentence", async () => {
  const none = "501 Chrome's built-in model is not available in this browser:";
  assert.equal(await outcome(null), `${none} this version of Chrome has no Prompt API.`);
  assert.equal(
    await outcome({ availability: "unavailable" }),
    `${none} this computer does not meet its requirements, or a policy forbids it.`,
  );
  assert.equal(
    await outcome({ availability: "downloadable" }),
    `${none} it is not downloaded yet. Save it once more in the options to start the download.`,
  );
  assert.equal(
    await outcome({ availability: "downloading" }),
    "503 Chrome's built-in model is being downloaded. Ask again when that is done.",
  );
  const notAllowed = named("NotAllowedError", "Needs a gesture.");
  for (const plan of [{ availability: notAllowed }, { create: notAllowed }, { error: notAllowed }]) {
    assert.equal(await outcome(plan), `${none} Chrome does not allow it here (Needs a gesture).`);
  }
  const tooLong = named("QuotaExceededError", "Too large");
  for (const plan of [{ create: tooLong }, { error: tooLong }]) {
    assert.equal(await outcome(plan), "413 The conversation is longer than Chrome's built-in model can read.");
  }
  const unknown = named("NotSupportedError", "Not this language");
  assert.equal(await outcome({ error: unknown }), `${none} it cannot do what was asked (Not this language).`);
  assert.equal(await outcome({ error: named("UnknownError", "It crashed.") }), "500 Chrome's built-in model failed: It crashed.");
  assert.equal(await outcome({}), "200 ");
});

test("an error after the first piece breaks the text off", async () => {
  const abort = new AbortController();
  const response = await ask(new FakeModel({ pieces: ["a"], error: new Error("It crashed.") }), abort.signal);
  assert.equal(response.status, 200);
  await assert.rejects(response.text(), { message: "It crashed." });
  abort.abort();
});

test("giving up before the head or in the text ends the model's session", async () => {
  for (const pieces of [[], ["a"]]) {
    const model = new FakeModel({ pieces, hangs: true });
    const abort = new AbortController();
    const asked = ask(model, abort.signal);
    if (pieces.length > 0) await asked;
    await until(() => model.seen.length === 2);
    abort.abort();
    if (pieces.length === 0) await assert.rejects(asked, { message: "The request was cancelled." });
    await until(() => model.isDestroyed);
  }
});

test("the death of who asked ends the model's session", async () => {
  const model = new FakeModel({ pieces: ["a"], hangs: true });
  const abort = new AbortController();
  const death = new AbortController();
  await ask(model, abort.signal, REQUEST, death.signal);
  assert.equal(model.isDestroyed, false);
  death.abort();
  assert.equal(model.isDestroyed, true);
  abort.abort();
});

async function until(isSo: () => boolean): Promise<void> {
  for (let round = 0; round < 200; round += 1) {
    if (isSo()) return;
    await sleep(5);
  }
  assert.fail("it did not come about within a second");
}

import assert from "node:assert/strict";
import { test } from "node:test";

import type { ModelDraft, ModelOptions, ModelView } from "../generated/protocol.ts";
import { type Fault, hasMore, NO_OPTIONS, readDraft } from "./model_draft.ts";

const ADDRESS = "https://api.anthropic.com";

const STORED: ModelView = {
  id: "m",
  name: "Mine",
  provider: "anthropic",
  address: ADDRESS,
  model: "claude-sonnet-4-6",
  has_key: true,
  scripted: true,
  context_window: 200_000,
  options: {
    temperature: 70,
    reasoning: "low",
    output_limit: 8_000,
    headers: [{ name: "X-Broker", value: null }],
    can: { tools: "yes", parallel_tools: "no", vision: "unknown", thinking: "yes", image_output: "no" },
    text_calls: true,
    prices: { input: 3_000_000, output: 15_000_000, cached: 300_000, written: null },
  },
  window: 200_000,
  prices: { input: 3_000_000, output: 15_000_000, cached: 300_000, written: null },
};

/** The fields as the form has them for a new record, but for these. */
function fieldsWith(changed: Record<string, string>, headers: readonly [string, string][] = []): FormData {
  const fields = new FormData();
  const blank = {
    name: "Mine", provider: "anthropic", address: ADDRESS, model: "claude-sonnet-4-6", key: "",
    context_window: "", output_limit: "", temperature: "", reasoning: "",
    can_tools: "unknown", can_parallel_tools: "unknown", can_vision: "unknown", can_thinking: "unknown",
    can_image_output: "unknown", price_input: "", price_output: "", price_cached: "", price_written: "",
  };
  for (const [name, value] of Object.entries({ ...blank, ...changed })) fields.append(name, value);
  for (const [name, value] of headers) {
    fields.append("header_name", name);
    fields.append("header_value", value);
  }
  return fields;
}

/** What the form makes of these fields of a record of Anthropic's. */
function read(fields: FormData, model: ModelView | null = null, forgetsKey = false): ModelDraft | Fault {
  const said = readDraft(fields, { id: "m", provider: "anthropic", model, forgetsKey });
  return said.fault ?? said.value;
}

function optionsOf(fields: FormData, model: ModelView | null = null): ModelOptions | undefined {
  const draft = read(fields, model);
  return "options" in draft ? draft.options : assert.fail(`The form is refused: ${JSON.stringify(draft)}`);
}

test("a form in which only the needed is written makes a record without options", () => {
  assert.deepEqual(read(fieldsWith({ name: " Mine ", address: ` ${ADDRESS} `, key: " sk-1 " })), {
    id: "m",
    name: "Mine",
    provider: "anthropic",
    address: ADDRESS,
    model: "claude-sonnet-4-6",
    key: "sk-1",
    scripted: false,
    context_window: null,
    options: NO_OPTIONS,
  });
});

test("every option is read", () => {
  const changed = {
    context_window: "200,000", output_limit: "8,000", temperature: "0.7", reasoning: "low", text_calls: "on",
    can_tools: "yes", can_parallel_tools: "no", can_thinking: "yes", can_image_output: "no",
    price_input: "3", price_output: "15", price_cached: "0.30",
  };
  const fields = fieldsWith(changed, [["X-Broker", " hush "], ["", ""], [" X-Title ", "Tabwright"]]);
  const draft = read(fields);
  assert.ok("options" in draft);
  assert.equal(draft.context_window, 200_000);
  const headers = [{ name: "X-Broker", value: "hush" }, { name: "X-Title", value: "Tabwright" }];
  assert.deepEqual(draft.options, { ...STORED.options, headers });
});

test("a key is kept, replaced and forgotten", () => {
  const check = (key: string, forgetsKey: boolean, expected: string | null) => {
    const draft = read(fieldsWith({ key }), STORED, forgetsKey);
    assert.equal("key" in draft ? draft.key : draft, expected);
  };
  check("", false, null);
  check("sk-2", false, "sk-2");
  check("", true, "");
  check("sk-2", true, "");
});

test("what the form has no field for stays as it is stored", () => {
  // As an older form would see a record of a newer core.
  const newer = { ...STORED, options: { ...STORED.options, seed: 7, can: { ...STORED.options.can, hearing: "yes" } } };
  assert.deepEqual(optionsOf(fieldsWith({}), newer), { ...NO_OPTIONS, seed: 7, can: { ...NO_OPTIONS.can, hearing: "yes" } });

  const fields = new FormData();
  fields.append("name", "Chrome");
  const builtIn = { ...STORED, provider: "chrome_built_in", address: "" } as const;
  const said = readDraft(fields, { id: "m", provider: "chrome_built_in", model: builtIn, forgetsKey: false });
  assert.ok(!said.fault);
  const { model, address, context_window, options } = said.value;
  assert.deepEqual([model, address, context_window], ["chrome", "", 200_000]);
  assert.deepEqual(options, STORED.options);
});

test("a header without a value keeps the one that is stored, for the same server only", () => {
  const kept = (address: string) => read(fieldsWith({ address }, [["x-broker", ""]]), STORED);
  assert.deepEqual(optionsOf(fieldsWith({}, [["x-broker", ""]]), STORED)?.headers, [{ name: "x-broker", value: null }]);
  assert.deepEqual(optionsOf(fieldsWith({}), STORED)?.headers, []);
  assert.ok("options" in kept(`${ADDRESS}/v1`));
  assert.deepEqual(kept("https://broker.example.com"), ["header_value_missing", "x-broker"]);
  // What is no address is the core's to refuse.
  assert.ok("options" in kept("api.anthropic.com"));
});

test("what cannot be read is named", () => {
  const check = (fields: FormData, ...expected: readonly string[]) => assert.deepEqual(read(fields, STORED), expected);
  check(fieldsWith({ context_window: "a lot" }), "context_window_fault");
  check(fieldsWith({ output_limit: "1.5" }), "output_limit_fault");
  check(fieldsWith({ temperature: "warm" }), "temperature_fault");
  check(fieldsWith({ temperature: "2.01" }), "temperature_fault");
  check(fieldsWith({}, [["", "x"]]), "header_name_fault");
  check(fieldsWith({}, [["two words", "x"]]), "header_name_fault");
  check(fieldsWith({}, [["X-A", "é"]]), "header_value_fault", "X-A");
  check(fieldsWith({}, [["X-A", ""]]), "header_value_missing", "X-A");
  check(fieldsWith({}, [["X-A", "1"], ["x-a", "2"]]), "header_twice", "x-a");
});

test("a record says whether there is more to it", () => {
  const check = (options: Partial<ModelOptions>, window: number | null, expected: boolean) =>
    assert.equal(hasMore({ ...STORED, context_window: window, options: { ...NO_OPTIONS, ...options } }), expected);
  check({}, null, false);
  check({}, 128_000, true);
  check({ temperature: 0 }, null, true);
  check({ reasoning: "off" }, null, true);
  check({ output_limit: 1 }, null, true);
  check({ text_calls: true }, null, true);
  check({ headers: [{ name: "X-A", value: null }] }, null, true);
  check({ can: { ...NO_OPTIONS.can, vision: "no" } }, null, true);
});

test("prices are read for a million tokens, those of input and output together", () => {
  const check = (input: string, output: string, cached: string, expected: ModelOptions["prices"] | string) => {
    const fields = fieldsWith({ price_input: input, price_output: output, price_cached: cached });
    const said = read(fields, STORED);
    if (typeof expected === "string") assert.deepEqual(said, [expected]);
    else assert.deepEqual(optionsOf(fields, STORED)?.prices, expected);
  };
  check("", "", "", null);
  check("3", "15.50", "", { input: 3_000_000, output: 15_500_000, cached: null, written: null });
  check("0", "0", "0", { input: 0, output: 0, cached: 0, written: null });
  check("0.028", "0,42", "0.0028", { input: 28_000, output: 420_000, cached: 2_800, written: null });
  check("3", "", "", "price_missing");
  check("", "", "1", "price_missing");
  check("three", "15", "", "price_fault");
  check("3", "15", "-1", "price_fault");
});

// Every state of the options can be used by everybody.

import { ModelServer } from "../model-server/server.ts";
import { expect, test } from "../rig/fixtures.ts";
import { CoreClient } from "../rig/core_client.ts";
import { expectAccessible } from "./looks.ts";
import { until } from "../rig/until.ts";
import { form, openMore } from "./options_page.ts";
import { button, saveModel } from "./panel_page.ts";

/** Where LM Studio is. */
const LM_STUDIO_PORT = 1234;

test("no model, and the form for a new one", async ({ rig }) => {
  const options = await rig.openPage(rig.extensionUrl("options.html"));
  await expect(button(options, "Add a model")).toBeVisible();
  await expectAccessible(options, "options empty");
  await button(options, "Add a model").click();
  await button(options, "Save").click();
  await expect(options.getByRole("alert")).toBeVisible();
  await expectAccessible(options, "options new model");
});

test("several models, one of them in the form, one about to be deleted", async ({ rig, models }) => {
  const options = await rig.openPage(rig.extensionUrl("options.html"));
  const client = await CoreClient.connect(options);
  await saveModel(client, models, "One");
  await saveModel(client, models, "A model whose name nobody would ever want to read in a line as short as this one");
  const address = `https://${"a".repeat(60)}.example.com/v1`;
  const fields = { provider: "open_ai_chat", model: "m".repeat(80), key: "sk-1", scripted: false, context_window: 128_000 } as const;
  await client.submit({ type: "save_model", model: { id: "three", name: "Three", address, ...fields } });
  await expect(options.getByRole("heading", { name: "Three" })).toBeVisible();
  await expectAccessible(options, "options models");
  await button(options, "Delete One").click();
  await button(options, "Edit Three").click();
  await expectAccessible(options, "options edit and delete");
});

for (const provider of ["OpenAI-compatible (chat completions)", "OpenAI (Responses)", "Anthropic", "Google Gemini", "Ollama"]) {
  test(`the form with ${provider}, all of it`, async ({ rig }) => {
    const options = await rig.openPage(rig.extensionUrl("options.html"));
    await button(options, "Add a model").click();
    await form(options).getByLabel("Provider").selectOption(provider);
    const state = `options ${provider.toLowerCase().replaceAll(/\W+/g, " ").trim()}`;
    await expectAccessible(options, state);
    await openMore(options);
    for (const name of ["X-Title", `X-${"Long".repeat(20)}`]) {
      await button(form(options), "Add a header").click();
      await form(options).getByLabel("Header name").last().fill(name);
    }
    await button(form(options), "Save").click();
    await expect(options.getByRole("alert")).toBeVisible();
    await expectAccessible(options, `${state} more`);
  });
}

test("models that were tried out, and those that were found on this computer", async ({ rig, models }) => {
  const found = await ModelServer.start({ port: LM_STUDIO_PORT }).catch(() => null);
  const options = await rig.openPage(rig.extensionUrl("options.html"));
  const client = await CoreClient.connect(options);
  await saveModel(client, models, "Works");
  await saveModel(client, models, "Refuses");
  const call = { name: "list_tabs", arguments: {} };
  models.play([{ calls: [call] }, { calls: [call, { name: "list_tasks", arguments: {} }] }, { text: "Red." }, { text: "ok" }]);
  await button(options, "Test Works").click();
  await expect(options.getByText("It works: it calls tools")).toBeVisible();
  models.play([{ misbehave: "unauthorized" }]);
  await button(options, "Test Refuses").click();
  await expect(options.getByText("Check the key")).toBeVisible();
  await button(options, "Find models on this computer").click();
  // Something else may have the port; then nothing is found, which is a state too.
  await expect(options.getByRole("region").or(options.getByText("No model server answered"))).toBeVisible();
  await expectAccessible(options, "options tried out");
  await found?.close();
});

test("a record with everything that can be set", async ({ rig, models }) => {
  const options = await rig.openPage(rig.extensionUrl("options.html"));
  const client = await CoreClient.connect(options);
  const can = { tools: "yes", parallel_tools: "no", vision: "no", thinking: "yes", image_output: "no" } as const;
  const prices = { input: 3_000_000, output: 15_000_000, cached: 300_000, written: null };
  const headers = [{ name: "X-Title", value: "Tabwright" }, { name: "X-Broker", value: "secret" }];
  const set = { temperature: 125, reasoning: "minimal", output_limit: 8_000, headers, can, text_calls: true, prices } as const;
  const model = { provider: "anthropic", address: models.url, model: "claude-sonnet-4-6", key: "sk-1", scripted: false } as const;
  await client.submit({ type: "save_model", model: { id: "one", name: "One", ...model, context_window: 64_000, options: set } });
  await button(options, "Edit One").click();
  await expect(form(options).getByLabel("Temperature")).toHaveValue("1.25");
  await expectAccessible(options, "options everything set");
});

test("the agent's settings", async ({ rig }) => {
  const options = await rig.openPage(rig.extensionUrl("options.html#agent"));
  await options.getByLabel("Model requests in one turn").fill("0");
  await button(options, "Save").click();
  await expect(options.getByRole("alert")).toBeVisible();
  await expectAccessible(options, "options agent");
});

test("what models were used for, with and without prices", async ({ rig, models }) => {
  const options = await rig.openPage(rig.extensionUrl("options.html#usage"));
  await expect(options.getByText("Today: 0 tokens, $0.00.")).toBeVisible();
  await expectAccessible(options, "options usage empty");
  const client = await CoreClient.connect(options);
  await saveModel(client, models, "One");
  models.play([{ text: "Hello.", usage: { input: 120_000, output: 2_000 } }]);
  await client.submit({ type: "send_message", conversation: "c", text: "hi", tab: null });
  await until("the turn was over", 10_000, async () => {
    const said = await client.submit({ type: "list_usage", days: 1 });
    return said.type === "usage_by_day" && said.days.length > 0 ? said : null;
  });
  await options.reload();
  await expect(options.getByRole("row")).toHaveCount(2);
  await expectAccessible(options, "options usage");
});

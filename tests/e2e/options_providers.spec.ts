// Every provider can be chosen in the options, and whatever is set there reaches the provider.

import type { Page } from "@playwright/test";
import type { EventEnvelope, ModelView } from "../../www/generated/protocol.ts";
import { CoreClient } from "../rig/core_client.ts";
import { expect, test } from "../rig/fixtures.ts";
import { addModel, card, everythingIn, fill, form, openMore, openOptions, save } from "./options_page.ts";
import { button, saveModel, turnEnds } from "./panel_page.ts";
import { log, say } from "./turn_page.ts";

const SECRET = "hush-0123456789abcdef";

function provider(options: Page) {
  return form(options).getByLabel("Provider");
}

function address(options: Page) {
  return form(options).getByLabel("Address");
}

async function storedModel(client: CoreClient): Promise<ModelView | undefined> {
  const answer = await client.submit({ type: "hello" });
  return answer.type === "welcome" ? answer.welcome.models[0] : undefined;
}

test("a chosen provider brings its address, an example of a model and word of its key", async ({ rig }) => {
  const options = await openOptions(rig);
  await button(options, "Add a model").click();
  await expect(provider(options).getByRole("option")).toHaveText([
    "OpenAI-compatible (chat completions)",
    "OpenAI (Responses)",
    "Anthropic",
    "Google Gemini",
    "Ollama",
  ]);
  for (const [name, where, model, key] of [
    ["Google Gemini", "https://generativelanguage.googleapis.com", "gemini-2.5-flash", "A key is needed; you get one at aistudio.google.com."],
    ["Ollama", "http://localhost:11434", "qwen3:8b", "No key is needed"],
    ["OpenAI (Responses)", "https://api.openai.com/v1", "gpt-5", "platform.openai.com"],
    ["Anthropic", "https://api.anthropic.com", "claude-sonnet-4-6", "console.anthropic.com"],
  ] as const) {
    await provider(options).selectOption(name);
    await expect(address(options)).toHaveValue(where);
    await expect(form(options).getByLabel("Model id")).toHaveAttribute("placeholder", model);
    await expect(form(options).getByRole("status")).toContainText(key);
    await expect(form(options).getByLabel("Service")).toHaveCount(0);
  }
  // What a person wrote stays, whatever is chosen then.
  await fill(options, { address: "https://broker.example.com" });
  await expect(form(options).getByRole("status")).toContainText("Whoever runs this server");
  for (const name of ["Google Gemini", "Ollama", "OpenAI-compatible (chat completions)"]) {
    await provider(options).selectOption(name);
    await expect(address(options)).toHaveValue("https://broker.example.com");
  }
  await fill(options, { address: "" });
  await provider(options).selectOption("Ollama");
  await expect(address(options)).toHaveValue("http://localhost:11434");
});

test("a compatible service brings its address, and what was typed comes back", async ({ rig }) => {
  const options = await openOptions(rig);
  await button(options, "Add a model").click();
  const service = form(options).getByLabel("Service");
  await expect(service.getByRole("option")).toHaveText(
    ["OpenAI", "OpenRouter", "Groq", "Mistral", "DeepSeek", "LM Studio", "llama.cpp", "Another server"],
  );
  await service.selectOption("OpenRouter");
  await expect(address(options)).toHaveValue("https://openrouter.ai/api/v1");
  await expect(form(options).getByRole("status")).toContainText("openrouter.ai");
  await service.selectOption("Another server");
  await expect(address(options)).toHaveValue("");
  await fill(options, { address: "http://localhost:1234/v1" });
  await expect(service.locator("option:checked")).toHaveText("LM Studio");
  await fill(options, { address: "https://broker.example.com/v1" });
  await expect(service.locator("option:checked")).toHaveText("Another server");
  await service.selectOption("Groq");
  await expect(address(options)).toHaveValue("https://api.groq.com/openai/v1");
  await service.selectOption("Another server");
  await expect(address(options)).toHaveValue("https://broker.example.com/v1");
});

test("Anthropic is chosen, asked with what was set, and answers in the panel", async ({ rig, models }) => {
  const options = await openOptions(rig);
  await button(options, "Add a model").click();
  await fill(options, { name: "Claude", id: "claude-sonnet-4-6", key: "sk-ant-test" });
  await provider(options).selectOption("Anthropic");
  await fill(options, { address: models.url });
  await openMore(options);
  await form(options).getByLabel("Tokens of one answer").fill("4,000");
  await form(options).getByLabel("Temperature").fill("0.7");
  await form(options).getByLabel("Make several calls at once").selectOption("No");
  await button(form(options), "Add a header").click();
  await options.keyboard.type("X-Title");
  await options.keyboard.press("Tab");
  await options.keyboard.type(SECRET);
  await options.keyboard.press("Enter");
  await expect(form(options)).toHaveCount(0);
  await expect(card(options, "Claude")).toContainText("Anthropic");
  await expect(card(options, "Claude")).toContainText("In use");

  const panel = await rig.openPanel();
  models.play([{ calls: [{ name: "list_tabs", arguments: {} }] }, { text: "Hello from Claude." }]);
  await say(panel, "hi");
  await expect(log(panel)).toContainText("Hello from Claude.");
  for (const { shape, path, headers, body, refused } of models.requests) {
    expect([shape, path, refused]).toEqual(["anthropic", "/v1/messages", null]);
    expect([headers["x-api-key"], headers["x-title"]]).toEqual(["sk-ant-test", SECRET]);
    expect(body).toMatchObject({ model: "claude-sonnet-4-6", max_tokens: 4_000, temperature: 0.7 });
    expect(body).toMatchObject({ tool_choice: { disable_parallel_tool_use: true } });
  }
  expect(models.requests).toHaveLength(2);
});

test("every option is kept, shown again, changed and taken away", async ({ rig, models }) => {
  const options = await openOptions(rig);
  const client = await CoreClient.connect(options);
  await addModel(options, { name: "Mine", address: `${models.url}/v1`, id: "m", key: "" });
  const nothing = await storedModel(client);
  await button(options, "Edit Mine").click();
  await openMore(options);
  const within = form(options);
  // One price's name begins another's.
  const field = (label: string) => within.getByLabel(label, { exact: label in prices });
  const prices = { "Input": "3", "Output": "15", "Input from the cache": "0.30", "Input written to the cache": "3.75" };
  const fields = { "Context window": "64000", "Tokens of one answer": "8000", Temperature: "1.25", ...prices };
  const choices = {
    "Thinking effort": "Minimal",
    "Call tools": "Yes",
    "Make several calls at once": "No",
    "Look at images": "No",
    "Think before it answers": "Yes",
    "Make images": "No",
  };
  for (const [label, value] of Object.entries(fields)) await field(label).fill(value);
  for (const [label, choice] of Object.entries(choices)) await field(label).selectOption(choice);
  await within.getByRole("checkbox", { name: "It writes its calls into its text" }).check();
  await save(options);
  const set = await storedModel(client);
  expect(set?.context_window).toBe(64_000);
  expect(set?.options).toEqual({
    temperature: 125,
    reasoning: "minimal",
    output_limit: 8_000,
    headers: [],
    can: { tools: "yes", parallel_tools: "no", vision: "no", thinking: "yes", image_output: "no" },
    text_calls: true,
    prices: { input: 3_000_000, output: 15_000_000, cached: 300_000, written: 3_750_000 },
  });

  await button(options, "Edit Mine").click();
  for (const [label, value] of Object.entries(fields)) await expect(field(label)).toHaveValue(value);
  for (const [label, choice] of Object.entries(choices)) {
    await expect(field(label).locator("option:checked")).toHaveText(choice);
  }
  await expect(within.getByRole("checkbox", { name: "It writes its calls into its text" })).toBeChecked();
  // Also what is folded away is saved.
  await within.getByText("More", { exact: true }).click();
  await expect(within.getByLabel("Temperature")).toBeHidden();
  await save(options);
  expect(await storedModel(client)).toEqual(set);

  await button(options, "Edit Mine").click();
  for (const label of Object.keys(fields)) await field(label).fill("");
  await within.getByLabel("Thinking effort").selectOption("The model’s own");
  for (const label of Object.keys(choices).slice(1)) await field(label).selectOption("Not known");
  await within.getByRole("checkbox", { name: "It writes its calls into its text" }).uncheck();
  await save(options);
  expect(await storedModel(client)).toEqual(nothing);
});

test("headers are kept without being shown, replaced and removed", async ({ rig, models }) => {
  const panel = await rig.openPanelAsTab();
  const client = await CoreClient.connect(panel);
  const events: EventEnvelope[] = [];
  client.onEvent((event) => events.push(event));
  await saveModel(client, models, "Mine");
  models.play(() => ({ text: "Hello." }));
  const headersSent = async (): Promise<(string | undefined)[]> => {
    const before = models.requests.length;
    await say(panel, "hi");
    const { headers } = await models.waitForRequest(before + 1);
    await expect(turnEnds(panel)).toHaveCount(before + 1);
    return [headers["x-broker"], headers["x-title"]];
  };

  const options = await openOptions(rig);
  const within = form(options);
  await button(options, "Edit Mine").click();
  await openMore(options);
  for (const [name, value] of [["X-Title", "Tabwright"], ["X-Broker", SECRET]] as const) {
    await button(within, "Add a header").click();
    await expect(within.getByLabel("Header name").last()).toBeFocused();
    await within.getByLabel("Header name").last().fill(name);
    await within.getByLabel("Header value").last().fill(value);
  }
  await save(options);
  expect(await headersSent()).toEqual([SECRET, "Tabwright"]);

  // Edited elsewhere, both are kept; and nothing has told the page what they are.
  await button(options, "Edit Mine").click();
  await expect(within.getByLabel("Header name")).toHaveCount(2);
  expect(await everythingIn(options)).not.toContain(SECRET);
  await fill(options, { name: "Ours" });
  await save(options);
  expect(await headersSent()).toEqual([SECRET, "Tabwright"]);
  expect(JSON.stringify(events)).toContain("X-Broker");
  expect(JSON.stringify(events)).not.toContain(SECRET);

  // The first goes, and the second keeps its value although it moves up and its neighbour changes.
  await button(options, "Edit Ours").click();
  await button(within, "Remove header 1").click();
  await expect(button(within, "Add a header")).toBeFocused();
  await expect(within.getByLabel("Header name")).toHaveValue("X-Broker");
  await save(options);
  expect(await headersSent()).toEqual([SECRET, undefined]);

  await button(options, "Edit Ours").click();
  await within.getByLabel("Header value").fill("another");
  await save(options);
  expect(await headersSent()).toEqual(["another", undefined]);

  // A secret of one server is not shown to another, and the person is told.
  await button(options, "Edit Ours").click();
  await fill(options, { address: "https://api.example.com/v1" });
  await button(within, "Save").click();
  await expect(within.getByRole("alert")).toContainText("Enter the value of the header X-Broker");
});

test("what cannot be saved is said at the form, and the fold opens for it", async ({ rig, models }) => {
  const options = await openOptions(rig);
  await button(options, "Add a model").click();
  await fill(options, { name: "Mine", address: `${models.url}/v1`, id: "m" });
  const within = form(options);
  await openMore(options);
  await within.getByLabel("Temperature").fill("2.5");
  await within.getByText("More", { exact: true }).press("Enter");
  await expect(within.getByLabel("Temperature")).toBeHidden();
  await button(within, "Save").click();
  await expect(within.getByRole("alert")).toContainText("from 0 to 2");
  await expect(within.getByLabel("Temperature")).toHaveValue("2.5");
  await expect(within.getByLabel("Temperature")).toBeVisible();
  await within.getByLabel("Temperature").fill("");
  await within.getByLabel("Tokens of one answer").fill("0");
  await within.getByText("More", { exact: true }).click();
  await button(within, "Save").click();
  await expect(within.getByRole("alert")).toContainText("no tokens");
  await expect(within.getByLabel("Tokens of one answer")).toBeVisible();
  await within.getByLabel("Tokens of one answer").fill("");
  await save(options);
});

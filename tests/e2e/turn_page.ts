// What the turn tests do as a person would, in the panel, and what they read back.

import type { Page } from "@playwright/test";
import type { ItemView, ModelDraft } from "../../www/generated/protocol.ts";
import type { ModelServer } from "../model-server/server.ts";
import type { Browser } from "../rig/browser.ts";
import { CoreClient } from "../rig/core_client.ts";
import { expect } from "../rig/fixtures.ts";

const clients = new WeakMap<Page, Promise<CoreClient>>();

/** The client in a page: there can be one. */
export function clientIn(page: Page): Promise<CoreClient> {
  const client = clients.get(page) ?? CoreClient.connect(page);
  clients.set(page, client);
  return client;
}

/** The open panel of a browser whose core has the test's model, spoken to in that format. */
export async function panelWithModel(
  rig: Browser,
  models: ModelServer,
  { provider, address }: Pick<ModelDraft, "provider" | "address"> = { provider: "open_ai_chat", address: `${models.url}/v1` },
): Promise<Page> {
  const panel = await rig.openPanel();
  const client = await clientIn(panel);
  await client.submit({
    type: "save_model",
    model: {
      id: "test",
      name: "Test model",
      provider,
      address,
      model: "tabwright-test",
      key: null,
      scripted: true,
      context_window: null,
    },
  });
  return panel;
}

/** Types a message and sends it. */
export async function say(panel: Page, text: string): Promise<void> {
  const composer = panel.locator("form textarea");
  await composer.fill(text);
  await composer.press("Enter");
}

/** The conversation in the panel. */
export function log(panel: Page): ReturnType<Page["getByRole"]> {
  return panel.getByRole("log");
}

/** The newest conversation as the core has it on disk. */
export async function storedItems(panel: Page): Promise<ItemView[]> {
  const client = await clientIn(panel);
  const answer = await client.submit({ type: "hello" });
  if (answer.type !== "welcome") throw new Error(`The core answered ${answer.type} to hello.`);
  const newest = answer.welcome.conversations[0];
  if (newest === undefined) throw new Error("There is no conversation.");
  return (await client.attach(newest.id)).items;
}

/** The items in short: what a person would read. */
export function short(items: readonly ItemView[]): string[] {
  return items.map(({ body }) => {
    switch (body.kind) {
      case "user_message":
        return `person: ${body.text}`;
      case "assistant_message":
        return `model: ${body.text} [${body.state.state}]`;
      case "tool_call":
        return `call: ${body.tool} [${body.state.state}] x${body.attempts}`;
      case "question":
        return `question: ${body.question} [${body.state.state}]`;
      case "summary":
        return `summary: ${body.by_model ? "by the model" : "a list"}`;
      case "gone":
        return "gone";
      case "notice":
        return `notice: ${body.code}`;
      case "turn_end":
        return `end: ${body.reason}`;
    }
  });
}

/** A turn with one call of list_tabs, as it must be on disk at its end. */
export const ONE_CALL_TURN = [
  "person: list my tabs",
  "model:  [complete]",
  "call: list_tabs [done] x1",
  "model: You have one tab. [complete]",
  "end: done",
];

/** Asserts that the turn ended well, on disk and for the model, and that its tool ran once. */
export async function expectOneCallTurn(panel: Page, models: ModelServer, allowed: readonly string[] = []): Promise<void> {
  await expect(log(panel)).toContainText("You have one tab.");
  await expect(panel.locator("form textarea")).toBeVisible();
  await expect
    .poll(async () => short(await storedItems(panel)).filter((line) => !allowed.includes(line)))
    .toEqual(ONE_CALL_TURN);
  const last = models.requests.at(-1);
  const messages = last?.conversation.messages ?? [];
  expect(messages.flatMap(({ calls }) => calls).map(({ name }) => name)).toEqual(["list_tabs"]);
  expect(messages.flatMap(({ results }) => results)).toHaveLength(1);
}

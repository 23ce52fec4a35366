// What a person sees and touches in the panel, by the names they have for a screen reader.

import type { Locator, Page } from "@playwright/test";
import type { Settings } from "../../www/generated/protocol.ts";
import type { ModelServer } from "../model-server/server.ts";
import type { Browser } from "../rig/browser.ts";
import type { CoreClient } from "../rig/core_client.ts";
import { until } from "../rig/until.ts";

/** The settings as they are before anybody changes them. */
export const SETTINGS: Settings = {
  max_rounds: 50,
  max_tokens: 2_000_000,
  max_minutes: 60,
  max_cents: null,
  max_cents_a_day: null,
  max_tokens_a_day: null,
  max_sub_agents: 4,
  ask_before_acting: false,
  idle_minutes: 5,
};

/** Where the person writes. */
export function composer(panel: Page): Locator {
  return panel.getByRole("textbox", { name: "Message", exact: true });
}

/** A button by its whole name. */
export function button(within: Page | Locator, name: string): Locator {
  return within.getByRole("button", { name, exact: true });
}

/** Sends a message, and types on before anything can have come of it. */
export async function sendAndTypeOn(panel: Page, text: string, next: string): Promise<void> {
  await composer(panel).fill(text);
  await settled(panel);
  await composer(panel).evaluate((element: HTMLTextAreaElement, typed) => {
    element.form?.requestSubmit();
    element.value = typed;
    element.dispatchEvent(new InputEvent("input", { bubbles: true }));
  }, next);
}

/** The person's messages in the panel, in order. */
export function said(panel: Page): Locator {
  return panel.locator("article.user p");
}

/** The lines that stand at the ends of turns. */
export function turnEnds(panel: Page): Locator {
  return panel.locator(".turn-end");
}

/** The last of them. */
export function turnEnd(panel: Page): Locator {
  return turnEnds(panel).last();
}

/** The cards in which the person is asked for something, in order. */
export function requests(panel: Page): Locator {
  return panel.locator("article.request");
}

/** Opens the menu of the open conversation and chooses from it. */
export async function chooseFromMenu(panel: Page, entry: string): Promise<void> {
  await button(panel, "This conversation").click();
  await panel.getByRole("menuitem", { name: entry, exact: true }).click();
}

/** Ends when whatever the page was about to draw, and to fetch for it, is under way. */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
}

/** What the model was last told by the person, request by request. */
export function asked(models: ModelServer): (string | undefined)[] {
  return models.requests.map(({ conversation }) => conversation.messages.findLast(({ role }) => role === "user")?.text);
}

/** The panel's conversation, and how far it is scrolled. */
export async function scrollOf(panel: Page): Promise<{ top: number; fromEnd: number }> {
  return panel.getByRole("log").evaluate((log) => ({
    top: log.scrollTop,
    fromEnd: log.scrollHeight - log.scrollTop - log.clientHeight,
  }));
}

/** Saves a model of the test's server under that name, and uses it. */
export async function saveModel(client: CoreClient, models: ModelServer, name: string): Promise<void> {
  const id = name.toLowerCase();
  const address = `${models.url}/v1`;
  const fields = { provider: "open_ai_chat", address, model: "tabwright-test", key: null, scripted: true, context_window: null } as const;
  await client.submit({ type: "save_model", model: { id, name, ...fields } });
  await client.submit({ type: "use_model", model: id, role: "current" });
}

/** The options page, once something has opened it: in a tab of its own, or in one that was empty. */
export function optionsPage(rig: Browser): Promise<Page> {
  return until("the options were open", 10_000, () => {
    const page = rig.context.pages().find((tab) => tab.url().startsWith(rig.extensionUrl("options.html")));
    return Promise.resolve(page ?? null);
  });
}

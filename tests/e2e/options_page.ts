// What a person sees and touches in the list of models and its form.

import type { Locator, Page } from "@playwright/test";
import type { Browser } from "../rig/browser.ts";
import { expect } from "../rig/fixtures.ts";
import { button } from "./panel_page.ts";

/** What is written into the form of one record. */
export interface Fields {
  readonly name?: string;
  readonly address?: string;
  readonly id?: string;
  readonly key?: string;
}

/** The options, at a part of them such as `#agent`. */
export function openOptions(rig: Browser, part = ""): Promise<Page> {
  return rig.openPage(rig.extensionUrl(`options.html${part}`));
}

/** The form of one model record. */
export function form(options: Page): Locator {
  return options.getByRole("form");
}

/** One record of the list. */
export function card(options: Page, name: string): Locator {
  return options.getByRole("listitem").filter({ has: options.getByRole("heading", { name, exact: true }) });
}

/** Writes into the fields that are named. */
export async function fill(options: Page, { name, address, id, key }: Fields): Promise<void> {
  if (name !== undefined) await form(options).getByLabel("Name", { exact: true }).fill(name);
  if (address !== undefined) await form(options).getByLabel("Address").fill(address);
  if (id !== undefined) await form(options).getByLabel("Model id").fill(id);
  if (key !== undefined) await form(options).getByLabel("Key", { exact: true }).fill(key);
}

/** Opens the fold with what few people need. */
export async function openMore(options: Page): Promise<void> {
  await form(options).getByText("More", { exact: true }).click();
  await expect(form(options).getByLabel("Context window")).toBeVisible();
}

/** Saves the form, which closes. */
export async function save(options: Page): Promise<void> {
  await button(form(options), "Save").click();
  await expect(form(options)).toHaveCount(0);
}

/** Adds a model of a compatible server. */
export async function addModel(options: Page, fields: Required<Fields>): Promise<void> {
  await button(options, "Add a model").click();
  await fill(options, fields);
  await save(options);
}

/** The page's elements, what is typed into its fields, and what it keeps. */
export function everythingIn(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const fields = [...document.querySelectorAll("input, textarea")] as (HTMLInputElement | HTMLTextAreaElement)[];
    const stored = [await chrome.storage.local.get(), await chrome.storage.session.get(), Object.entries(localStorage)];
    return [document.documentElement.outerHTML, ...fields.map(({ value }) => value), JSON.stringify(stored)].join("\n");
  });
}

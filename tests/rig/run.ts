// `run`: the extension in a browser, with a model, for a person or for one question.

import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import type { Page } from "playwright-core";
import type { TurnEndReason } from "../../www/generated/protocol.ts";
import type { RunCommand } from "./arguments.ts";
import { Browser } from "./browser.ts";
import { chooseModel, type Choice, RIG_MODEL_PREFIX } from "./choose_model.ts";
import { CoreClient } from "./core_client.ts";
import { Printer } from "./printer.ts";
import { reloadOnChange } from "./reload.ts";
import { Transcript } from "./transcript.ts";

const TURN_MILLIS = 10 * 60_000;

/** Runs until the answer is there, or until the person ends it. The exit code comes back. */
export async function run(command: RunCommand, interrupted: Promise<void>): Promise<number> {
  const browser = await Browser.launch(command);
  let choice: Choice | null = null;
  try {
    const panel = await browser.openPanel();
    const client = await CoreClient.connect(panel);
    choice = await useModel(command, panel, client);
    const end = command.ask === undefined ? null : await ask(command.ask, panel, client, interrupted);
    if (command.headless) {
      await screenshot(panel, command.screenshot);
      return end === "done" ? 0 : 1;
    }
    await stay(command, browser, interrupted);
    return 0;
  } finally {
    choice?.server?.kill();
    await browser.close();
  }
}

/** Makes sure that there is a model, and says which. */
async function useModel(command: RunCommand, panel: Page, client: CoreClient): Promise<Choice | null> {
  const { model: address, modelId } = command;
  const answer = await client.submit({ type: "hello" });
  const current = answer.type === "welcome" ? answer.welcome.roles.current : null;
  if (address === undefined && current !== null && !current.startsWith(RIG_MODEL_PREFIX)) {
    say("Model: the one that this profile uses already.");
    return null;
  }
  const choice = await chooseModel({ address, modelId, key: process.env["TABWRIGHT_MODEL_KEY"] }, panel);
  say(`Model: ${choice.reason}.`);
  await client.submit({ type: "save_model", model: choice.draft });
  await client.submit({ type: "use_model", model: choice.draft.id, role: "current" });
  return choice;
}

/** Types the question into the panel as a person does, and prints what happens until the turn ends. */
async function ask(text: string, panel: Page, client: CoreClient, interrupted: Promise<void>): Promise<TurnEndReason> {
  const ended = follow(text, client);
  const composer = panel.locator("form textarea");
  await composer.click();
  await composer.pressSequentially(text.replace(/\s+/g, " ").trim(), { delay: 5 });
  await composer.press("Enter");
  const aborted = interrupted.then((): never => {
    throw new Error("Interrupted.");
  });
  return Promise.race([ended, aborted]);
}

/** Prints the conversation that begins, or goes on, with this message. Ends with its turn. */
function follow(text: string, client: CoreClient): Promise<TurnEndReason> {
  const printer = new Printer((piece) => process.stdout.write(piece));
  const question = text.replace(/\s+/g, " ").trim();
  let transcript: Transcript | null = null;
  let turn: string | null = null;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      finish();
      reject(new Error(`The turn did not end within ${TURN_MILLIS / 60_000} minutes.`));
    }, TURN_MILLIS);
    const stop = client.onEvent(({ event }) => {
      if (event.type === "item" && event.item.body.kind === "user_message" && event.item.body.text === question) {
        transcript ??= new Transcript(event.conversation);
        turn ??= event.item.turn;
      }
      // A core that died in the middle goes on by itself, but what it said before may have been missed.
      const isBack = event.type === "core" && event.health.state === "ready";
      if (isBack && transcript !== null) client.attach(transcript.conversation).catch(reject);
      for (const item of transcript?.apply(event) ?? []) {
        if (item.turn !== turn) continue;
        printer.show(item);
        if (item.body.kind !== "turn_end") continue;
        finish();
        resolve(item.body.reason);
      }
    });
    const finish = (): void => {
      clearTimeout(timer);
      stop();
    };
  });
}

async function stay(command: RunCommand, browser: Browser, interrupted: Promise<void>): Promise<void> {
  say("The browser stays open. Close it, or press Ctrl-C here, to end.");
  const watching = command.reload ? reloadOnChange(command.dist, browser, say) : null;
  try {
    await Promise.race([browser.exited(), interrupted]);
  } finally {
    watching?.close();
  }
}

async function screenshot(panel: Page, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await panel.screenshot({ path });
  say(`Screenshot: ${path}`);
}

/** Standard output is for the conversation alone. */
function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
